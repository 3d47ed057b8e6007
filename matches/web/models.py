"""The tables of this app, which other doors write to as well."""

from matches.models.writing import Note as Note
from matches.models.writing import Remark as Remark

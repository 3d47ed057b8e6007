"""The tables of this app, which other entry points use too."""

from matches.models.talk import Block as Block
from matches.models.talk import Hiding as Hiding
from matches.models.talk import Mute as Mute
from matches.models.talk import Remark as Remark
from matches.models.talk import Report as Report
from matches.models.talk import TalkSetting as TalkSetting
from matches.models.talk import Thread as Thread
from matches.models.writing import Note as Note

"""The fields of the panel's forms."""

from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from matches.html.fields import Fields, Widgets

FIELDS = Fields(
    Widgets(
        line=UnfoldAdminTextInputWidget,
        statement=UnfoldAdminTextareaWidget(attrs={"rows": 4}),
        reason=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
        select=UnfoldAdminSelectWidget,
        ticks=UnfoldAdminCheckboxSelectMultipleWidget,
        tick=UnfoldBooleanWidget,
        number=UnfoldAdminIntegerFieldWidget,
    )
)
chosen, text_line, reason_field = FIELDS.choice, FIELDS.line, FIELDS.reason
number_field, moment_field = FIELDS.number, FIELDS.moment

"""An explorer: controls above a view that is drawn again whenever a control changes.

Only what ipywidgets 7.7 and 8 share is used, and no Output widget: those flicker, fail in Colab, and hide errors.
"""
import asyncio

import ipywidgets
from traitlets import TraitError

from ..errors import choose
from ..views import problem

WIDGET = "application/vnd.jupyter.widget-view+json"
WIDE = ipywidgets.Layout(width="480px", max_width="95%")
INITIAL = {"description_width": "initial"}


def live(box):
    """The part of a cell's output that shows a box of widgets, as a dict; empty where there is none."""
    return {WIDGET: {"version_major": 2, "version_minor": 0, "model_id": box.model_id}} if box else {}


class Explorer:
    """Shows `show(data(**state))` below its controls, live; what a notebook stores is the same view, without controls.

    data: a pure function of the controls' values. show: turns its result into views.Html or a figures.Picture, whose
    text is shown where there is no view.
    controls: dict name -> ipywidgets control; each name is an argument of `data`.
    rows: how they are laid out, a list of lists of widgets, among which may be more than the controls, such as buttons.
    adjust: called with the name of the control that changed (None at first), before drawing; it may set other
    controls, such as the end of a slider.

    An error in the first drawing fails the cell; a later one is shown in the view.
    """

    def __init__(self, data, show, controls, rows=None, adjust=None):
        self.data, self.show, self.controls, self.adjust = data, show, controls, adjust
        self.view = ipywidgets.HTML()
        wrap = ipywidgets.Layout(flex_flow="row wrap", align_items="center")
        self.box = ipywidgets.VBox([*(ipywidgets.HBox(row, layout=wrap) for row in rows or [[each] for each in controls.values()]), self.view])
        self.box.add_class("tokenlab-explorer")
        self._held = False
        self._draw(None)
        for name, control in controls.items():
            control.observe(lambda change, name=name: self.redraw(name), "value")

    @property
    def state(self):
        """dict: the value of each control by name."""
        return {name: control.value for name, control in self.controls.items()}

    def set(self, **values):
        """Set several controls, in the order given, and draw.

        Raises ValueError for a control that is not there, and for a value that a control does not take.
        """
        for name, value in values.items():
            try:
                self.controls[choose(name, self.controls, "control")].value = value
            except TraitError as error:
                raise ValueError(f"the control {name!r} does not take {value!r}: {error}") from None

    def _draw(self, name):
        if missing := [one for one, value in self.state.items() if value is None]:
            raise ValueError(f"nothing is chosen in {missing[0]!r}: choose one of its values")
        if self.adjust:
            self._held = True
            try:
                self.adjust(name)
            finally:
                self._held = False
        self.fill(self.show(self.data(**self.state)))

    def fill(self, shown):
        """Show `shown`, views.Html or a figures.Picture, in the view."""
        self._shown = shown
        # as wide as the page, never wider
        self.view.value = f'<div style="width:0;min-width:100%">{shown if isinstance(shown, str) else shown.html()}</div>'

    def redraw(self, name=None):
        """Draw again; name: the control that changed. What goes wrong is shown in the view."""
        if self._held:
            return
        try:
            self._draw(name)
        except Exception as error:      # noqa: BLE001 - whatever went wrong, the learner sees it where they look
            self.fill(problem(error))

    def __repr__(self):
        return repr(self._shown)

    def _repr_mimebundle_(self, include=None, exclude=None):
        view = live(self.box)
        if isinstance(self._shown, str):
            return {"text/plain": repr(self), "text/html": str(self._shown), **view}, {}
        return {"text/plain": repr(self), "image/png": self._shown.png(captioned=True), **view}, {"image/png": {"alt": self._shown.alt}}


def text_box(name, value, lines=1):
    """A control for text. lines: more than one makes it a box in which a newline can be typed."""
    if lines == 1:
        return ipywidgets.Text(value=value, description=name, style=INITIAL, layout=WIDE)
    return ipywidgets.Textarea(value=value, description=name, rows=lines, style=INITIAL, layout=WIDE)


def slider(name, value, low, high):
    """A slider over whole numbers, also by keyboard: arrow keys, page up and down, home and end."""
    return ipywidgets.IntSlider(value=value, min=low, max=max(high, low + 1), description=name, style=INITIAL, layout=WIDE)


def reach(control, high):
    """Let a slider end at `high` (at least one above its start), pulling its value back if need be."""
    high = max(high, control.min + 1)
    if high != control.max:
        control.value = min(control.value, high)
        control.max = high


def menu(name, options, value):
    """A control for one of several choices."""
    return ipywidgets.Dropdown(options=list(options), value=value, description=name, style=INITIAL, layout=ipywidgets.Layout(width="max-content"))


def button(name, action):
    """A button that calls `action()`."""
    made = ipywidgets.Button(description=name, layout=ipywidgets.Layout(width="max-content"))
    made.on_click(lambda _: action())
    return made


def player(control):
    """A button that moves a slider, which starts at 0, to its end step by step, until it is pressed again; at the end it begins anew.

    Not ipywidgets.Play: nothing names its buttons to those who cannot see them.
    """
    async def run():
        while control.value < control.max:
            await asyncio.sleep(0.7)
            control.value += 1
        made.description = "play"

    def press():
        if made.description == "pause":
            made.task.cancel()
            made.description = "play"
        else:
            control.value, made.description = control.value % control.max, "pause"
            made.task = asyncio.ensure_future(run())

    made = button("play", press)
    return made


def samples(control, texts):
    """Buttons that put a text into a control. texts: dict label of the button -> text."""
    return [button(name, lambda text=text: setattr(control, "value", text)) for name, text in texts.items()]

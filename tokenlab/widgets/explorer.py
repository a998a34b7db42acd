"""An explorer: controls above a view that is drawn again whenever a control changes.

Only what ipywidgets 7.7 and 8 share is used, and no Output widget: those flicker, fail in Colab, and hide errors.
"""
import ipywidgets

from ..views import problem

WIDGET = "application/vnd.jupyter.widget-view+json"


class Explorer:
    """Shows `show(data(**state))` below its controls, live; what is stored in a notebook is the same view, without controls.

    data: a pure function of the controls' values. show: turns its result into HTML (str) or a figures.Picture.
    facts: turns its result into one line of text, which stands for the view where only text can be shown.
    controls: dict name -> ipywidgets control; each name is an argument of `data`.
    rows: how the controls are laid out, a list of lists of widgets (more than the controls, such as buttons, may be among them).

    An error in the first drawing fails the cell; a later one is shown in the view.
    """

    def __init__(self, data, show, facts, controls, rows=None):
        self.data, self.show, self.facts, self.controls = data, show, facts, controls
        self.view = ipywidgets.HTML()
        rows = rows or [[control] for control in controls.values()]
        wrap = ipywidgets.Layout(flex_flow="row wrap", align_items="center")
        self.box = ipywidgets.VBox([*(ipywidgets.HBox(row, layout=wrap) for row in rows), self.view])
        self.box.add_class("tokenlab-explorer")
        self._held = False
        self._draw()
        for control in controls.values():
            control.observe(self._changed, "value")

    @property
    def state(self):
        """dict: the value of each control by name."""
        return {name: control.value for name, control in self.controls.items()}

    def set(self, **values):
        """Set several controls and draw once. Raises ValueError for a control that is not there."""
        unknown = set(values) - set(self.controls)
        if unknown:
            raise ValueError(f"no control {sorted(unknown)}: this explorer has {sorted(self.controls)}")
        self._held = True
        try:
            for name, value in values.items():
                self.controls[name].value = value
        finally:
            self._held = False
        self._changed()

    def _draw(self):
        result = self.data(**self.state)
        self._shown, self._line = self.show(result), self.facts(result)
        self.view.value = self._shown if isinstance(self._shown, str) else self._shown.html()

    def _changed(self, change=None):
        if self._held:
            return
        try:
            self._draw()
        except Exception as error:      # whatever went wrong, the learner sees it where they look
            self._shown, self._line = problem(error), f"{type(error).__name__}: {error}"
            self.view.value = self._shown

    def __repr__(self):
        return self._line

    def _repr_mimebundle_(self, include=None, exclude=None):
        data = {"text/plain": repr(self), WIDGET: {"version_major": 2, "version_minor": 0, "model_id": self.box.model_id}}
        if isinstance(self._shown, str):
            return {**data, "text/html": self._shown}, {}
        return {**data, "image/png": self._shown.png()}, {"image/png": {"alt": self._shown.alt}}

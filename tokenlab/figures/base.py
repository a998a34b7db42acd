"""What every figure shares: one face, one palette, and a caption and alt text that cannot be forgotten."""
import base64
import io

from ..views.base import INK, LINE, MUTED, escape

# Okabe-Ito hues, each with its own line style and marker: hue is never the only carrier.
SERIES = (("#0072b2", "-", "o"), ("#d55e00", "--", "s"), ("#009e73", "-.", "^"), ("#cc79a7", ":", "D"),
          ("#b36b00", (0, (5, 1, 1, 1)), "v"), ("#56b4e9", (0, (1, 1)), "P"))


def axes(width=7.0, height=3.6, **margins):
    """A new (Figure, Axes) in the house style, sizes in inches; no pyplot, so nothing is shown twice.

    margins: left, right, bottom, top as fractions, set once because automatic layout is slow and jumps while a slider moves.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), facecolor="white")
    figure.subplots_adjust(**{"left": 0.11, "right": 0.97, "bottom": 0.16, "top": 0.88, **margins})
    ax = figure.add_subplot()
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(MUTED)
    ax.tick_params(labelsize=11, colors=INK)
    ax.grid(axis="y", color=LINE, linewidth=0.6)
    ax.set_axisbelow(True)
    return figure, ax


class Picture:
    """A matplotlib figure with its finding as title, a caption with its numbers, and alt text that says what is seen.

    A notebook shows the image and, below it, the caption; the caption is text, so a stored one can be compared.
    Raises ValueError if title, caption or alt is empty.
    """

    def __init__(self, figure, title, caption, alt):
        for name, value in (("title", title), ("caption", caption), ("alt", alt)):
            if not value:
                raise ValueError(f"a picture needs a {name}: got {value!r}")
        self.figure, self.title, self.caption, self.alt = figure, title, caption, alt
        self.figure.axes[0].set_title(title, loc="left", fontsize=13, color=INK, fontweight="bold")

    def __repr__(self):
        return f"{self.title}. {self.caption}"

    def png(self):
        """The image as PNG, base64 text."""
        out = io.BytesIO()
        self.figure.savefig(out, format="png", dpi=100, metadata={"Software": None})
        return base64.b64encode(out.getvalue()).decode("ascii")

    def svg(self):
        """The image as an <svg> element that is the same text each time."""
        import matplotlib

        out = io.StringIO()
        with matplotlib.rc_context({"svg.hashsalt": "tokenlab", "svg.fonttype": "none", "font.family": "DejaVu Sans, sans-serif"}):
            self.figure.savefig(out, format="svg", metadata={"Date": None})
        return out.getvalue()[out.getvalue().index("<svg"):]

    def caption_html(self):
        return f'<p style="margin:0 0 8px;font:13px/1.5 system-ui,sans-serif;max-width:46em">{escape(self.caption)}</p>'

    def html(self):
        """Image and caption as one piece of HTML, for a live view."""
        return f'<div role="img" aria-label="{escape(self.alt)}" style="background:#fff;max-width:720px">{self.svg()}</div>{self.caption_html()}'

    def _ipython_display_(self):
        from IPython.display import display

        display({"image/png": self.png(), "text/plain": repr(self)}, raw=True, metadata={"image/png": {"alt": self.alt}})
        display({"text/html": self.caption_html(), "text/plain": self.caption}, raw=True)

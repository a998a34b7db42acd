"""What every figure shares: one face, one palette, and a caption and alt text that cannot be forgotten."""
import base64
import io
import textwrap
from contextlib import contextmanager

from ..errors import package
from ..views.base import INK, LINE, MUTED, NO_MATH, escape
from ..views.writing import upright

# Okabe-Ito hues, each with its own line style and marker: hue is never the only carrier.
SERIES = (("#0072b2", "-", "o"), ("#d55e00", "--", "s"), ("#009e73", "-.", "^"), ("#cc79a7", ":", "D"),
          ("#b36b00", (0, (5, 1, 1, 1)), "v"), ("#56b4e9", (0, (1, 1)), "P"), ("#1b1f24", (0, (6, 2)), "X"),
          ("#8a8000", (0, (3, 1, 1, 1, 1, 1)), "*"))
SMALL = 8.5             # points of the smallest text: 11 px and more in SVG and PNG
HOLE = "{title}"        # where a kept drawing gets its title


def axes(width=7.0, height=3.6, grid="y", **margins):
    """A new (Figure, Axes) in the house style, sizes in inches; no pyplot, so nothing is shown twice.

    grid: as for `dressed`. margins: left, right, bottom, top as fractions, set once: automatic layout is slow and jumps while a slider moves.
    """
    figure = package("matplotlib.figure", "drawing a figure").Figure(figsize=(width, height), facecolor="white")
    figure.subplots_adjust(**{"left": 0.11, "right": 0.97, "bottom": 0.16, "top": 1 - 0.4 / height, **margins})
    return figure, dressed(figure.add_subplot(), grid)


def dressed(ax, grid="y"):
    """An Axes in the house style: whole numbers with their thousands apart, a grid across one axis ("x" or "y")."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(MUTED)
    ax.tick_params(labelsize=10, colors=INK)
    ax.grid(axis=grid, color=LINE, linewidth=0.6)
    ax.set_axisbelow(True)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter("{x:,.0f}")
        axis.label.set_size(10.5)
    return ax


def rows_of(labels, xlabel, left):
    """A new (Figure, Axes) with one row for each label, the first at the bottom."""
    height = 0.95 + 0.165 * len(labels)
    figure, ax = axes(7.0, height, "x", left=left, right=0.95, bottom=0.55 / height)
    ax.set_yticks(range(len(labels)), labels, fontsize=SMALL, parse_math=False)
    ax.tick_params(axis="y", length=0)
    ax.set(ylim=(-0.7, len(labels) - 0.3), xlabel=xlabel)
    return figure, ax


def lines(ax, curves, **look):
    """Draw a line for each curve, each with the next colour, style and marker of the house, and return them.

    curves: dict label -> (xs, ys), at most 8; look: what else ax.plot is told.
    """
    return [ax.plot(*curve, label=label, **{"color": color, "linestyle": style, "marker": marker, **look})[0]
            for (label, curve), (color, style, marker) in zip(curves.items(), SERIES)]


class Picture:
    """A matplotlib figure with its finding as title, a caption with its numbers, and alt text that says what is seen.

    A notebook shows the image and, below it, the caption; the caption is text, so a stored one can be compared.
    Raises ValueError if title, caption or alt is empty.
    """

    def __init__(self, figure, title, caption, alt):
        for name, value in (("title", title), ("caption", caption), ("alt", alt)):
            if not value:
                raise ValueError(f"a picture needs a {name}: got {value!r}")
        self.figure, self.title, self.caption, self.alt = figure, upright(title), caption, alt
        for ax in figure.axes:                  # a name is shown as it is: two dollar signs in it make no formula
            for text in (ax.xaxis.label, ax.yaxis.label, *ax.texts, *(ax.get_legend().get_texts() if ax.get_legend() else ())):
                text.set(parse_math=False, text=upright(text.get_text()))
        self._head(self.title)

    def _head(self, title):
        """Write `title` above the figure, in place of what stood there."""
        self.figure.suptitle(title, x=0.015, y=1 - 0.08 / self.figure.get_figheight(), ha="left", va="top",
                             fontsize=13, color=INK, fontweight="bold", parse_math=False)

    def __repr__(self):
        return f"{self.title}. {self.caption}"

    def png(self, captioned=False):
        """The image as PNG, base64 text. captioned: with the caption below, where it would not be shown as text."""
        from matplotlib.transforms import Bbox
        from PIL.PngImagePlugin import PngImageFile  # matplotlib needs Pillow, too

        width, height = self.figure.get_size_inches()
        lines = textwrap.wrap(self.caption, int(12 * width)) if captioned else []
        below = 0.2 * len(lines) + 0.1 * bool(lines)
        text = self.figure.text(0.015, -0.05 / height, "\n".join(lines), va="top", fontsize=9.5, color=INK, parse_math=False)
        full, few = io.BytesIO(), io.BytesIO()
        self.figure.savefig(full, format="png", dpi=100, bbox_inches=Bbox.from_bounds(0, -below, width, height + below))
        text.remove()
        full.seek(0)
        PngImageFile(full).convert("RGB").quantize(128).save(few, "PNG", optimize=True)       # a third of the size
        return base64.b64encode(few.getvalue()).decode("ascii")

    def svg(self):
        """The image as an <svg> element that is the same text each time, and narrower where there is less room."""
        import matplotlib

        out = io.StringIO()
        with matplotlib.rc_context({"svg.hashsalt": "tokenlab", "svg.fonttype": "none"}):
            self.figure.savefig(out, format="svg", metadata={"Date": None})
        text = out.getvalue()
        return text[text.index("<svg"):].replace("<svg", '<svg style="max-width:100%;height:auto"', 1)

    def caption_html(self):
        return f'<p {NO_MATH} style="margin:0 0 8px;font:13px/1.5 system-ui,sans-serif;max-width:52em">{escape(self.caption)}</p>'

    def html(self):
        """Image and caption as one piece of HTML, for a live view."""
        image = 'style="background:#fff;max-width:720px" role="img"'
        return f'<div {NO_MATH} {image} aria-label="{escape(self.alt)}">{self.svg()}</div>{self.caption_html()}'

    def _ipython_display_(self):
        from IPython.display import display

        image = {"image/png": self.png(), "text/plain": repr(self)}
        display(image, raw=True, metadata={"image/png": {"alt": self.alt}})
        display({"text/html": self.caption_html(), "text/plain": self.caption}, raw=True)


class Layered(Picture):
    """A picture in which only the title and some cursors move, so that a slider has it redrawn at once.

    The rest is drawn once, and the figure keeps it as SVG: many pictures share a figure, which has neither title nor cursors.
    cursors: list of (axes, x, y), each a line from the foot of the axes to its point; look: more about them, as for a Line2D.
    """

    def __init__(self, figure, title, caption, alt, cursors, **look):
        super().__init__(figure, title, caption, alt)
        self.cursors, self.look = cursors, look
        if not hasattr(figure, "drawing"):
            self._head(HOLE)
            figure.drawing = super().svg()
        self._head("")

    @contextmanager
    def whole(self):
        """The figure with the title and the cursors of this picture on it, which go at the end."""
        from matplotlib.lines import Line2D

        drawn = [self.figure.add_artist(Line2D([x, x], [ax.get_ylim()[0], y], color=INK, marker="o", markevery=[1],
                                               transform=ax.transData, **self.look)) for ax, x, y in self.cursors]
        self._head(self.title)
        try:
            yield self.figure
        finally:
            self._head("")
            for cursor in drawn:
                cursor.remove()

    def png(self, captioned=False):
        with self.whole():
            return super().png(captioned)

    def svg(self):
        height, scale, drawn = 72 * self.figure.get_figheight(), 72 / self.figure.dpi, ""
        for ax, at, y in self.cursors:
            (x, foot), (_, point) = scale * ax.transData.transform([(at, ax.get_ylim()[0]), (at, y)])
            drawn += (f'<path d="M{x:.2f} {height - foot:.2f}V{height - point:.2f}" stroke="{INK}"/>'
                      f'<circle cx="{x:.2f}" cy="{height - point:.2f}" r="3" fill="{INK}"/>')
        return self.figure.drawing.replace(HOLE, escape(self.title)).replace("</svg>", f"{drawn}</svg>")

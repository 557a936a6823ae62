"""A drawing in points that matplotlib turns into SVG with real text."""

import hashlib
import io
import re
from functools import lru_cache
from html import escape
from pathlib import Path

INK, GREY, RULE, PAPER = "#1c1a18", "#65605a", "#ddd8d0", "#ffffff"
FACE, PRINTED_FACE = "Source Sans Pro", "Memo Sans"
SIZE = 8.2  # points


@lru_cache(maxsize=1)
def _matplotlib():
    """The library, with the memo's own fonts and settings that keep the SVG the same on every run."""
    import matplotlib
    from matplotlib import font_manager

    from sheetcalc.memo.templates import FOLDER

    for file in sorted(Path(FOLDER, "fonts").glob("SourceSans*.otf")):
        font_manager.fontManager.addfont(str(file))
    matplotlib.rcParams.update(
        {
            "svg.fonttype": "none",
            "svg.hashsalt": "sheetcalc",
            "font.family": [FACE],
            "text.parse_math": False,
            "path.simplify": False,
        }
    )
    return matplotlib


@lru_cache(maxsize=4096)
def text_width(text, size=SIZE, weight=400):
    """Width in points as the memo will set it."""
    _matplotlib()
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

    face = FontProperties(family=FACE, size=size, weight=weight)
    return TextToPath().get_text_width_height_descent(text, face, ismath=False)[0]


class Canvas:
    """Origin at the lower left, lengths in points. Text that would leave the drawing raises ValueError."""

    def __init__(self, width, height):
        _matplotlib()
        from matplotlib.figure import Figure

        self.width, self.height = width, height
        self.figure = Figure(figsize=(width / 72, height / 72), facecolor="none")
        self.axes = self.figure.add_axes([0, 0, 1, 1])
        self.axes.set_axis_off()
        self.axes.set_xlim(0, width)
        self.axes.set_ylim(0, height)
        self.words = []  # phrases in the order in which they are drawn
        self.drawn = 0

    def _put(self, add, artist):
        """What is drawn later lies above."""
        self.drawn += 1
        artist.set_zorder(self.drawn)
        artist.set_clip_on(False)
        add(artist)

    def line(self, xs, ys, color=INK, width=0.6, dash=None):
        from matplotlib.lines import Line2D

        style = (0, dash) if dash else "-"
        self._put(self.axes.add_line, Line2D(xs, ys, color=color, lw=width, ls=style, solid_capstyle="butt", solid_joinstyle="round"))

    def rectangle(self, x, y, width, height, color):
        from matplotlib.patches import Rectangle

        self._put(self.axes.add_patch, Rectangle((x, y), width, height, facecolor=color, edgecolor="none", lw=0))

    def area(self, xs, below, above, color):
        from matplotlib.patches import Polygon

        corners = [*zip(xs, below), *reversed([*zip(xs, above)])]
        self._put(self.axes.add_patch, Polygon(corners, closed=True, facecolor=color, edgecolor="none", lw=0))

    def dot(self, x, y, color=PAPER, edge=INK, size=5.2):
        from matplotlib.lines import Line2D

        self._put(self.axes.add_line, Line2D([x], [y], marker="o", ms=size, mfc=color, mec=edge, mew=1, ls="none"))

    def text(self, x, y, words, size=SIZE, color=INK, anchor="start", weight=400, cleared=False):
        """One line; `y` is the baseline. `cleared` paints paper behind it so that a grid line does not cross it."""
        text = str(words)
        width = text_width(text, size, weight)
        left = x - {"start": 0, "middle": width / 2, "end": width}[anchor]
        if left < -1 or left + width > self.width + 1 or y < -1 or y + size * 0.7 > self.height + 1:
            raise ValueError(f"{text!r} leaves the drawing of {self.width} by {self.height} points")
        if cleared:
            self.rectangle(left - 2, y - 2.2, width + 4, size + 1.4, PAPER)
        align = {"start": "left", "middle": "center", "end": "right"}[anchor]
        from matplotlib.text import Text

        self._put(self.axes.add_artist, Text(x, y, text, fontsize=size, color=color, ha=align, va="baseline", fontweight=weight))
        self.words.append(words)

    def svg(self, alt):
        """Everything drawn, in that order, as one SVG element whose title says the message."""
        out = io.StringIO()
        self.figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
        return _clean(out.getvalue(), alt)


def _clean(svg, alt):
    body = svg[svg.index("<svg") :]
    body = re.sub(r"\s*<metadata>.*?</metadata>", "", body, flags=re.S)
    body = re.sub(r"\s*<defs>\s*<style[^>]*>.*?</style>\s*</defs>", "", body, flags=re.S)
    body = re.sub(r'<g id="[^"]*">', "<g>", body)
    body = re.sub(r' transform="rotate\(-0 [^)]*\)"', "", body)
    body = body.replace(f"font-family: '{FACE}'", f"font-family: {PRINTED_FACE}")
    body = re.sub(r' style="([^"]*)"', _attributes, body)
    body = re.sub(r"\s*\n\s*", "\n", body)
    own = hashlib.sha256(body.encode()).hexdigest()[:8]  # a page holds several drawings, and its anchors must differ
    body = re.sub(r'(id="|href="#|url\(#)', rf"\g<1>d{own}-", body)
    head, _, rest = body.partition(">")
    return f'{head} role="img" stroke-linejoin="round" stroke-linecap="butt">\n<title>{escape(alt)}</title>{rest}'


def _attributes(style):
    """Attributes instead of a style, which the renderer would read as a style sheet of its own."""
    pairs = (pair.split(":", 1) for pair in style[1].split(";") if ":" in pair)
    return "".join(f' {name.strip()}="{value.strip()}"' for name, value in pairs)

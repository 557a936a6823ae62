"""Native charts: openpyxl objects with a live title, units at the axes, axes shown, and the values beside the references.

Previews and phones draw from the values; Excel and LibreOffice read the cells. openpyxl leaves out whether an axis is deleted, and
newer Excel then hides it: `delete` is always written.
"""

from __future__ import annotations

from typing import NamedTuple

from openpyxl.chart import BarChart, ScatterChart
from openpyxl.chart.data_source import AxDataSource, NumData, NumDataSource, NumRef, NumVal, StrData, StrRef, StrVal
from openpyxl.chart.label import DataLabelList
from openpyxl.chart.series import Series as BarSeries
from openpyxl.chart.series import SeriesLabel, XYSeries
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.chart.text import RichText, Text
from openpyxl.chart.title import Title
from openpyxl.drawing.line import LineProperties
from openpyxl.drawing.text import CharacterProperties, Paragraph, ParagraphProperties, RichTextProperties
from openpyxl.utils import get_column_letter as letter

from sheetcalc.workbook.formulas import quoted

COLORS = ("1F3A5F", "B5532A", "5B7F4B", "8D8780", "6C5B95", "C9A227", "3F8A8C")
RULE, QUIET = "D9D9D9", "6B6B6B"
WIDTH, HEIGHT = 17.0, 8.5  # centimeters


class Cells(NamedTuple):
    """A column of cells, or a row of them, and what they hold: numbers (NaN where missing) or texts."""

    sheet: str
    col: int
    first: int
    values: list
    format: str = "General"
    across: bool = False

    @property
    def reference(self) -> str:
        """The range as a chart writes it."""
        more = len(self.values) - 1
        col, row = (self.col + more, self.first) if self.across else (self.col, self.first + more)
        return f"{quoted(self.sheet)}!${letter(self.col)}${self.first}:${letter(col)}${row}"

    def at(self, i: int) -> Cells:
        """One of the cells."""
        return self._replace(first=self.first + i, values=[self.values[i]])


class Line(NamedTuple):
    """One series: its name, where it runs, and whether it is only a mark across the picture or only dots."""

    label: str
    x: Cells
    y: Cells
    mark: bool = False
    dots: bool = False
    named: str = ""  # the cell that holds its name, where a person may change it


class Message(NamedTuple):
    """What a chart says: the cell that holds it, and its words now."""

    cell: str
    words: str


def lines(title: Message, x_title: str, y_title: str, series: list[Line], log_x=False, log_y=False) -> ScatterChart:
    """Curves over a numeric axis, or dots among them."""
    chart = ScatterChart(scatterStyle="lineMarker")
    _frame(chart, title, x_title, y_title, len(series) > 1)
    for i, s in enumerate(series):
        made = _series(s, True)
        color = QUIET if s.mark else COLORS[i % len(COLORS)]
        made.smooth = False
        made.marker.symbol = "circle" if s.dots else "none"
        made.graphicalProperties = GraphicalProperties(
            ln=LineProperties(
                solidFill=None if s.dots else color,
                noFill=True if s.dots else None,
                w=12700 if s.mark else 22225,
                prstDash="dash" if s.mark else None,
            )
        )
        if s.dots:
            made.marker.size, made.marker.graphicalProperties = 5, GraphicalProperties(solidFill=color)
        chart.series.append(made)
    for axis, log in ((chart.x_axis, log_x), (chart.y_axis, log_y)):
        if log:
            axis.scaling.logBase = 10
    chart.x_axis.majorGridlines = None
    _plain_numbers(chart.x_axis, series[0].x)
    _plain_numbers(chart.y_axis, series[0].y)
    return chart


def bars(title: Message, x_title: str, y_title: str, series: list[Line], stacked=False, across=False, gap=60, overlap=None) -> BarChart:
    """Bars beside one another, on top of one another, or across the picture where their names are long."""
    chart = BarChart()
    chart.type, chart.grouping, chart.gapWidth = ("bar" if across else "col"), ("stacked" if stacked else "clustered"), gap
    chart.overlap = 100 if stacked else overlap
    _frame(chart, title, x_title, y_title, len(series) > 1)
    for i, s in enumerate(series):
        made = _series(s, False)
        made.graphicalProperties = GraphicalProperties(solidFill=COLORS[i % len(COLORS)])
        made.invertIfNegative = False
        chart.series.append(made)
    values = [v for s in series for v in s.y.values if v == v]
    if values and min(values) >= 0:
        chart.y_axis.scaling.min = 0  # a bar's length is its message
    if across:
        if chart.legend:
            chart.legend.position = "b"  # long names leave no room at the right
        chart.x_axis.scaling.orientation = "maxMin"  # the first name on top, as in the table
        chart.y_axis.crosses, chart.y_axis.tickLblPos = "max", "nextTo"  # numbers at the foot
    _plain_numbers(chart.y_axis, series[0].y)
    if len(series) == 1 and len(series[0].y.values) <= 8:
        chart.dataLabels = DataLabelList(
            showVal=True, showSerName=False, showCatName=False, showLegendKey=False, showPercent=False, numFmt=series[0].y.format
        )
    return chart


def _plain_numbers(axis, cells: Cells) -> None:
    """Shares as percent, thousands in groups where they are many; the axis title holds the unit."""
    large = max((abs(v) for v in cells.values if isinstance(v, (int, float)) and v == v), default=0)
    plain = "#,##0" if large >= 1000 else "General"
    axis.number_format = "0%" if cells.format.endswith("%") else plain


def _frame(chart, title: Message, x_title: str, y_title: str, legend: bool) -> None:
    chart.width, chart.height, chart.style = WIDTH, HEIGHT, None
    chart.title = Title(
        tx=Text(strRef=StrRef(f=title.cell, strCache=StrData(ptCount=1, pt=[StrVal(idx=0, v=title.words)]))),
        overlay=False,
        txPr=letters(1100, True),
        layout=None,
    )
    for axis, words in ((chart.x_axis, x_title), (chart.y_axis, y_title)):
        axis.delete, axis.tickLblPos, axis.title = False, "low", words or None
        if axis.title is not None:
            axis.title.tx.rich.p[0].pPr = ParagraphProperties(defRPr=CharacterProperties(sz=900, b=False))
            for run in axis.title.tx.rich.p[0].r:
                run.rPr = CharacterProperties(sz=900, b=False)
        axis.txPr = letters(900, False)
        axis.number_format, axis.numFmt.sourceLinked = "General", False
        axis.spPr = GraphicalProperties(ln=LineProperties(solidFill=QUIET, w=6350))
    chart.y_axis.majorGridlines.spPr = GraphicalProperties(ln=LineProperties(solidFill=RULE, w=6350))
    if legend:
        chart.legend.position, chart.legend.txPr = "r", letters(900, False)
    else:
        chart.legend = None


def letters(size: int, bold: bool) -> RichText:
    """The look of words in a chart; size in hundredths of a point."""
    look = CharacterProperties(sz=size, b=bold)
    return RichText(bodyPr=RichTextProperties(), p=[Paragraph(pPr=ParagraphProperties(defRPr=look), endParaRPr=look)])


def _series(s: Line, curve: bool):
    values = NumDataSource(numRef=NumRef(f=s.y.reference, numCache=_numbers(s.y)))
    if any(isinstance(v, str) for v in s.x.values):
        names = AxDataSource(
            strRef=StrRef(
                f=s.x.reference, strCache=StrData(ptCount=len(s.x.values), pt=[StrVal(idx=i, v=str(v)) for i, v in enumerate(s.x.values)])
            )
        )
    else:
        names = AxDataSource(numRef=NumRef(f=s.x.reference, numCache=_numbers(s.x)))
    made = XYSeries(xVal=names, yVal=values) if curve else BarSeries(cat=names, val=values)
    name = StrRef(f=s.named, strCache=StrData(ptCount=1, pt=[StrVal(idx=0, v=s.label)])) if s.named else None
    made.tx = SeriesLabel(strRef=name, v=None if name else s.label)
    return made


def _numbers(cells: Cells) -> NumData:
    points = [NumVal(idx=i, v=repr(float(v))) for i, v in enumerate(cells.values) if v == v]
    return NumData(formatCode=cells.format, ptCount=len(cells.values), pt=points)

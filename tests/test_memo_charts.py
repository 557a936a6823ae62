"""Charts: every label inside the drawing, text that is text, same bytes, drawn once when equal."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from sheetcalc.memo import charts
from sheetcalc.memo.axis import Axis
from sheetcalc.memo.canvas import Canvas, text_width
from sheetcalc.memo.labels import spread, wrap
from sheetcalc.memo.phrase import Name, Number, holds, phrase

ACCENT = "#17567d"
LABELS = st.text(alphabet="abcdefghij KLM-(),", min_size=1, max_size=60).map(lambda text: phrase(text.strip() or "a"))
SIZES = st.floats(1e-6, 1e12)
SLOW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def shown(value):
    return phrase(Number(f"{value:,.3g}", value))


def words_of(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def well_drawn(chart):
    drawn = charts.draw.__wrapped__(chart, ACCENT)
    root = ElementTree.fromstring(drawn.svg)
    assert root.find("{http://www.w3.org/2000/svg}title").text == chart.alt
    assert words_of(drawn.svg) == [str(word) for word in drawn.words]
    width = float(root.get("width").removesuffix("pt"))
    for element in root.iter("{http://www.w3.org/2000/svg}text"):
        wide = text_width(element.text, float(element.get("font-size").removesuffix("px")), int(element.get("font-weight", 400)))
        left = float(element.get("x")) - {"start": 0, "middle": wide / 2, "end": wide}[element.get("text-anchor")]
        assert left >= -1.5 and left + wide <= width + 1.5, element.text
    assert all(holds(piece) for word in drawn.words for piece in phrase(word).pieces if isinstance(piece, Number) and piece.name == "axis")
    return drawn


@SLOW
@given(st.lists(st.tuples(LABELS, st.lists(SIZES, min_size=2, max_size=6)), min_size=1, max_size=4), st.booleans(), st.booleans(), LABELS)
def test_lines_of_any_size_stay_inside(series, log, step, mark):
    drawn = tuple(
        charts.Series(label, tuple(float(n) for n in range(1, len(ys) + 1)), tuple(ys), role, step)
        for (label, ys), role in zip(series, ("own", "buy", "third", "quiet"), strict=False)
    )
    marks = (charts.Mark(1.0, drawn[0].ys[0], (mark,)), charts.Mark(2.0, drawn[0].ys[1], (mark, mark)))
    well_drawn(
        charts.Lines("What it says", charts.Scale("", log=log, from_zero=False), charts.Scale("$", prefix="$", log=log), drawn, marks)
    )


@SLOW
@given(
    st.lists(st.tuples(LABELS, st.just(0.0) | st.floats(1e-12, 1e9)), min_size=1, max_size=9).filter(
        lambda rows: any(v > 0 for _, v in rows)
    ),
    st.booleans(),
)
def test_bars_and_stacks_stay_inside(rows, wide):
    bars = tuple(charts.Bar(label, value, shown(value)) for label, value in rows)
    width = charts.WIDTH if wide else charts.HALF
    well_drawn(charts.Bars("Bars", bars, charts.Mark(bars[0].value, 0.0, (phrase("target"),)), width=width))
    well_drawn(charts.Stack("Parts", tuple(charts.Part(bar.label, bar.value + 1.0, bar.shown) for bar in bars[:4]), width=width))


@SLOW
@given(st.lists(st.tuples(LABELS, SIZES, SIZES), min_size=1, max_size=8), SIZES, st.booleans())
def test_ranges_stay_inside(rows, plan, log):
    ranges = tuple(charts.Range(label, low, high, shown(low), shown(high)) for label, low, high in rows)
    well_drawn(
        charts.Ranges("Ranges", charts.Scale("$", prefix="$", log=log, from_zero=False), ranges, plan, plan, phrase("both cost the same"))
    )


@SLOW
@example([[0.0, 0.0, 3e-229]], False, phrase("K"))  # a tick is not written out with hundreds of noughts
@given(
    st.lists(st.lists(st.floats(0, 1e7), min_size=3, max_size=3), min_size=1, max_size=24).filter(lambda c: any(map(any, c))),
    st.booleans(),
    LABELS,
)
def test_columns_stay_inside(columns, beside, label):
    layers = tuple(charts.Layer(label, tuple(column[k] for column in columns), role) for k, role in enumerate(("own", "buy", "third")))
    names = tuple(phrase(Number(f"{n}", float(n))) for n in range(len(columns)))
    well_drawn(charts.Stacked("Columns", charts.Scale("$", prefix="$"), names, layers, beside))


@SLOW
@given(st.lists(st.tuples(st.floats(1, 1e6), st.floats(1, 1e6)), min_size=2, max_size=60), LABELS)
def test_points_lie_among_lines(places, label):
    points = tuple(places)
    series = tuple(charts.Series(label, *zip(*sorted((x, x * k) for x, _ in places), strict=True), "quiet") for k in (0.7, 1.0, 1.3))
    log = charts.Scale("tok/s", log=True)
    drawn = well_drawn(charts.Points("Points", log, log, points, series))
    assert " ".join(str(label).split()) in " ".join(" ".join(map(str, drawn.words)).split())


@SLOW
@given(st.lists(st.tuples(st.floats(0.01, 100), st.floats(0.01, 100)), min_size=2, max_size=20), LABELS)
def test_names_of_a_slope_do_not_touch(ends, label):
    from sheetcalc.memo.slope import Pair, Slope

    pairs = tuple(Pair(phrase(f"option {i}"), a, b, shown(a), shown(b), "own" if i % 2 else "quiet") for i, (a, b) in enumerate(ends))
    drawn = well_drawn(Slope("Slope", pairs, label, phrase("after")))
    places = [
        (float(e.get("x")), float(e.get("y")))
        for e in ElementTree.fromstring(drawn.svg).iter("{http://www.w3.org/2000/svg}text")
        if "option" in e.text
    ]
    heights = sorted(y for _, y in places)
    assert len(places) == len(pairs) and all(b - a > 7.9 for a, b in pairwise(heights))


def test_equal_charts_are_drawn_once_and_alike():
    chart = charts.Bars("Once", (charts.Bar(phrase("a"), 1.0, shown(1.0)),))
    same = charts.Bars("Once", (charts.Bar(phrase("a"), 1.0, shown(1.0)),))
    assert charts.draw(chart, ACCENT) is charts.draw(same, ACCENT)
    assert charts.draw.__wrapped__(chart, ACCENT).svg == charts.draw.__wrapped__(same, ACCENT).svg


def test_a_label_is_text_and_never_markup_or_mathematics():
    label = phrase("<b>$x^2$ & </svg><script>")
    drawn = charts.draw.__wrapped__(charts.Bars('A <b> & "c"', (charts.Bar(label, 1.0, phrase("$1")),)), ACCENT)
    assert words_of(drawn.svg)[0] == str(label) and "<script" not in drawn.svg
    assert not re.search(r"href=\"(?!#)|url\((?!#)", drawn.svg)


def test_text_outside_the_drawing_is_an_error():
    with pytest.raises(ValueError, match="leaves the drawing"):
        Canvas(50, 20).text(0, 5, "much too long for fifty points")


def test_labels_are_spread_without_overlap_and_inside():
    assert spread([(90, 11), (89, 11), (88, 11)], 0, 100) == [90, 79, 68]
    tops = spread([(5, 11), (4, 11), (3, 11)], 0, 100)
    assert all(a - b >= 11 for a, b in pairwise(tops)) and min(tops) >= 0


def test_a_number_is_never_broken_over_lines():
    label = phrase("API at ", Number("$116.67 per million tokens", 116.67), " of output")
    assert [str(line) for line in wrap(label, 60)][1] == "$116.67 per million tokens"


@pytest.mark.parametrize(
    "low, high, labels",
    [
        (0, 48000, ["$0", "$10k", "$20k", "$30k", "$40k"]),
        (0, 0.9, ["$0.0", "$0.2", "$0.4", "$0.6", "$0.8"]),
        (-2e6, 1e6, ["−$2.0M", "−$1.5M", "−$1.0M", "−$0.5M", "$0", "$0.5M", "$1.0M"]),
    ],
)
def test_axes_name_round_values(low, high, labels):
    axis = Axis(charts.Scale("$", prefix="$"), low, high, 0, 100)
    assert [str(axis.tick_label(tick)) for tick in axis.ticks] == labels


def test_no_upright_line_touches_a_label_of_a_range():
    words = [phrase(Name("$1.30/M tok")), phrase(Name("$0.78/M tok"))]
    rows = tuple(charts.Range(phrase(f"Input {n}"), 0.7, 0.8 + n / 50, words[1], words[0]) for n in range(12))
    drawn = charts.draw.__wrapped__(
        charts.Ranges("It moves", charts.Scale("x", log=True, suffix="×", from_zero=False), rows, 0.75, 1.0, phrase("parity")), ACCENT
    )
    root = ElementTree.fromstring(drawn.svg)

    space = "{http://www.w3.org/2000/svg}"
    uprights = []
    for path in root.iter(f"{space}path"):
        found = re.fullmatch(r"\s*M ([\d.]+) ([\d.]+)\s+L ([\d.]+) ([\d.]+)\s*", path.get("d"))
        if found and found[1] == found[3]:
            uprights.append((float(found[1]), *sorted((float(found[2]), float(found[4])))))
    assert len(uprights) > 12
    for element in root.iter(f"{space}text"):
        if element.text in ("$1.30/M tok", "$0.78/M tok"):
            wide, x, y = text_width(element.text), float(element.get("x")), float(element.get("y"))
            left = x - {"start": 0, "end": wide}[element.get("text-anchor")]
            for at, top, bottom in uprights:
                assert not (left - 3 < at < left + wide + 3 and top < y - 2 < bottom), (element.text, at)

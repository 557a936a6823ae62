"""The catalogues: complete, sourced, consistent with themselves, and taught to say what is wrong with a file of one's own."""

import re

import pytest

from sheetcalc import catalogue
from sheetcalc.catalogue import FOLDER, KINDS, find, match, read, source_of
from sheetcalc.errors import InputError

TABLES = {name: read(name) for name in KINDS}
CELLS = [
    (table, name, column)
    for table in TABLES.values()
    for name, row in table.rows.items()
    for column, value in row.items()
    if value not in (None, "") and table.kind.columns[column].source
]

# A peak that is not about twice the one of the next wider format, and who says so.
UNUSUAL_PEAKS = {
    ("Gaudi 3", "peak_fp8"): (1.0, "evokernel-specs.pages.dev/hardware/gaudi-3"),
    ("B300 SXM", "peak_fp4"): (3.0, "InferenceX-app gpu-specs.ts"),
    ("GB300 NVL72", "peak_fp4"): (3.0, "InferenceX-app gpu-specs.ts"),
}


@pytest.mark.parametrize("name", [n for n, row in TABLES["models"].rows.items() if row["published_kv"] is not None])
def test_kv_bytes_from_geometry_are_the_published_ones(name):
    m = TABLES["models"].rows[name]
    for_each_layer = m["kv_heads"] * m["head_dim"] * m["kv_tensors"] * 2
    assert m["kv_layers"] * for_each_layer == m["published_kv"]
    assert m["window_layers"] * for_each_layer == m["published_window_kv"]


def test_models_without_published_kv_have_no_geometry():
    bare = [n for n, row in TABLES["models"].rows.items() if row["published_kv"] is None]
    assert bare == ["Mistral Large 3"]
    assert all(TABLES["models"].rows["Mistral Large 3"][c] is None for c in ("layers", "kv_layers", "kv_heads", "head_dim", "kv_tensors"))


def test_kv_bytes_from_outside():
    """320 KiB for each token of Llama 3.3 70B and 70,272 B for DeepSeek-V3 are printed in many places."""
    assert find("models", "Llama 3.3 70B", "published_kv") == 320 * 1024
    assert find("models", "DeepSeek-V3", "published_kv") == 61 * (512 + 64) * 2


@pytest.mark.parametrize("name", [n for n, row in TABLES["models"].rows.items() if row["experts"]])
def test_experts_fit_into_their_model(name):
    m = TABLES["models"].rows[name]
    assert m["expert_params"] < m["params"]
    assert m["expert_params"] * m["experts_per_token"] / m["experts"] < m["active_params"] < m["params"]


def test_dense_models_use_all_their_parameters():
    for name, m in TABLES["models"].rows.items():
        if m["experts"] == 0:
            assert m["active_params"] == m["params"] and m["expert_params"] == m["experts_per_token"] == 0, name


def test_layers_add_up():
    for name, m in TABLES["models"].rows.items():
        if m["layers"] is not None and m["attention"] != "hybrid":
            assert m["kv_layers"] + m["window_layers"] == m["layers"], name


@pytest.mark.parametrize("narrow, wide", [("peak_fp8", "peak_bf16"), ("peak_fp4", "peak_fp8")])
def test_peaks_double_from_format_to_format(narrow, wide):
    for name, gpu in TABLES["gpus"].rows.items():
        if gpu[narrow] is None:
            continue
        factor, source = UNUSUAL_PEAKS.get((name, narrow), (2.0, ""))
        assert gpu[narrow] / gpu[wide] == pytest.approx(factor, rel=0.03), name
        assert source in gpu["spec_source"], name


def test_points_lie_between_low_and_high():
    for table in TABLES.values():
        for name, row in table.rows.items():
            for column in [c for c in row if f"{c}_low" in row]:
                low, point, high = row[f"{column}_low"], row[column], row[f"{column}_high"]
                assert (low is None) == (high is None), (name, column)
                assert low is None or (low <= point <= high and low < high), (name, column)


def test_every_value_has_a_source_and_a_date():
    assert len(CELLS) > 1500
    for table, name, column in CELLS:
        about, row = table.kind.columns[column], table.rows[name]
        assert row[about.source], (name, column)
        assert re.fullmatch(r"20\d\d-\d\d(-\d\d)?", row[about.date]), (name, column, row[about.date])


def test_files_have_the_declared_columns_and_nothing_that_names_this_machine():
    for table in TABLES.values():
        with open(f"{FOLDER}/{table.kind.file}", encoding="utf-8") as file:
            text = file.read()
        assert set(table.units) == {"name", *table.kind.columns}
        assert not re.search(r"/work|/root|/home|/tmp|\.\./", text)


def test_keys_are_unique_for_excel():
    for table in TABLES.values():
        keys = [catalogue.key(n) for n in table.rows]
        assert len(set(keys)) == len(keys)
        assert not any(re.search(r"[*?~]", k) for k in keys)


def test_values_refer_to_rows_that_exist():
    names = set(TABLES["models"].rows)
    assert {row["class"] for row in TABLES["models"].rows.values()} <= names
    assert {row["class"] for row in TABLES["prices"].rows.values()} <= names | {""}
    assert {row["native_format"] for row in TABLES["models"].rows.values()} <= set(TABLES["formats"].rows)
    assert {row["compute"] for row in TABLES["formats"].rows.values()} <= {"BF16", "FP8", "FP4"}


def test_sizes():
    assert {name: len(table.rows) for name, table in TABLES.items()} == {"gpus": 22, "models": 32, "prices": 76, "formats": 4}


def test_base_units():
    assert find("gpus", "H100 SXM", "hbm") == 80e9
    assert find("gpus", "H100 SXM", "gpu_peak_fp8") == 1979e12
    assert find("gpus", "B200 SXM", "bandwidth") == 7.7e12
    assert find("models", "Llama 3.3 70B", "params") == pytest.approx(70.55e9, rel=1e-15)
    assert find("prices", "Together Llama 3.3 70B Turbo", "output") == pytest.approx(1.04e-6, rel=1e-15)
    assert find("formats", "FP4", "bytes_per_weight") == 4 / 8 + 1 / 16
    assert find("gpus", "A100 80GB SXM", "peak_fp8") is None


def test_grids_carry_every_row():
    for name in KINDS:
        grid = getattr(catalogue, name)()
        prefix = KINDS[name].prefix
        assert grid.rows[f"{prefix}_name"].value == list(TABLES[name].rows)
        for column, cells in grid.typed.items():
            assert column.startswith(f"{prefix}_") and len(cells.value) == len(TABLES[name].rows) and cells.label and cells.source
    assert catalogue.gpus().typed["gpu_bandwidth"].unit == "TB/s"


@pytest.mark.parametrize("typed", ["h100 sxm", "H100\u00a0SXM", "  H100   SXM ", "H100\u202fsxm"])
def test_names_match_without_regard_to_case_and_blanks(typed):
    assert match(typed, TABLES["gpus"].rows) == "H100 SXM"


@pytest.mark.parametrize(
    "table, typed, near",
    [
        ("gpus", "H100", "H100 SXM"),
        ("gpus", "H100 SMX", "H100 SXM"),
        ("models", "Lama 3.3 70B", "Llama 3.3 70B"),
    ],
)
def test_a_near_miss_is_refused_with_the_nearest_name(table, typed, near):
    with pytest.raises(InputError, match=re.escape(f"'{near}'")):
        match(typed, TABLES[table].rows)


def test_an_unknown_field_is_refused_with_the_nearest():
    with pytest.raises(InputError, match="'bandwidth'"):
        find("gpus", "H100 SXM", "bandwith")
    with pytest.raises(InputError, match="gpus, models, prices, formats"):
        find("gpu", "H100 SXM", "hbm")


def test_a_source_for_a_reader():
    assert source_of(TABLES["gpus"], "H100 SXM", "price_low").endswith("(2026-05)")
    assert source_of(TABLES["gpus"], "H100 SXM", "note") == ""


def own(tmp_path, text):
    path = tmp_path / "own.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_own_file_goes_on_top(tmp_path):
    path = own(tmp_path, "name,price_low [$/h],price_source,price_date\nh100 sxm,2.75,Our contract,2026-10-01\nOur card,1,,\n")
    table = read("gpus", path)
    assert table.rows["H100 SXM"]["price_low"] == 2.75
    assert table.rows["H100 SXM"]["price_high"] == 6.88
    assert table.rows["H100 SXM"]["hbm"] == 80e9
    assert source_of(table, "H100 SXM", "price_low") == "Our contract (2026-10-01)"
    assert source_of(table, "Our card", "price_low") == "own.csv (undated)"
    assert table.rows["Our card"]["hbm"] is None
    assert read("gpus").rows["H100 SXM"]["price_low"] == 1.99
    assert catalogue.gpus(path).rows["gpu_name"].value[-1] == "Our card"


def test_own_file_may_use_another_unit_of_the_same_kind(tmp_path):
    assert find("gpus", "L4", "bandwidth", own(tmp_path, "name,bandwidth [GB/s]\nL4,301\n")) == 301e9


@pytest.mark.parametrize(
    "text, says",
    [
        ('name,hbm [GB]\nL4,"1,200"\n', "own.csv:2:hbm: '1,200' is not a number"),
        ("name,hbm [GB]\nL4,-1\n", "not a number from 0 up"),
        ("name,hbm [GB]\nL4,inf\n", "not a number from 0 up"),
        ("name,hmb [GB]\nL4,24\n", "did you mean 'hbm'"),
        ("name,hbm [TB/s]\nL4,24\n", "write hbm [GB]"),
        ("name,hbm\nL4,24\n", "write hbm [GB]"),
        ("hbm [GB]\n24\n", "needs a column 'name'"),
        ("", "needs a column 'name'"),
        ("name,hbm [GB],hbm [GB]\nL4,1,2\n", "each column once"),
        ("name,hbm [GB]\nL4\n", "own.csv:2: has 1 cells"),
        ("name,hbm [GB]\nL4,1\n l4,2\n", "is there twice"),
        ("name,hbm [GB]\nL*,1\n", "without * ? ~"),
        ("name,hbm [GB]\n\n,1\n", "own.csv:3:name: needs a name"),
        ("name,vendor [GB]\nL4,NVIDIA\n", "vendor has no unit"),
    ],
)
def test_a_bad_own_file_is_refused_in_words(tmp_path, text, says):
    with pytest.raises(InputError, match=re.escape(says)):
        read("gpus", own(tmp_path, text))


def test_an_unreadable_file_is_refused_in_words(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read("gpus", tmp_path / "missing.csv")
    (tmp_path / "own.csv").write_bytes(b"name,note\nL4,\xff\n")
    with pytest.raises(InputError, match="UTF-8"):
        read("gpus", tmp_path / "own.csv")


def test_the_api_row_that_nobody_chose_is_one_that_serves_the_model():
    from sheetcalc.studies.plan import STUDY

    classes = {row["class"] for row in catalogue.read("prices").rows.values()}
    for name, row in catalogue.read("models").rows.items():
        plan = STUDY.evaluate({"request_rate": 40.0, "model": name})
        assert plan.value("api_comparable") == (row["class"] in classes), name
    assert STUDY.evaluate({"model": "gpt-oss-120b"}).value("api_price_row") == "Groq gpt-oss-120b"
    assert STUDY.evaluate({"model": "Mixtral 8x7B"}).value("api_price_row") == STUDY.inputs["usual_api_row"].value
    assert STUDY.evaluate({"model": "gpt-oss-120b", "api_price_row": "gpt-6-sol"}).value("api_price_row") == "gpt-6-sol"


def test_the_api_row_that_nobody_chose_can_still_be_had_where_one_can():
    rows, day = read("prices").rows, catalogue.newest("prices")
    typed = catalogue.models().typed
    models = dict(zip(typed["model_class"].value, typed["model_api_row"].value, strict=True))
    for of_class, name in models.items():
        same = [n for n, row in rows.items() if row["class"] == of_class]
        sold = [n for n in same if not rows[n]["retires"] or rows[n]["retires"] > day]
        assert name == next(iter(sold or same), ""), of_class
    assert models["Llama 3.3 70B"] == "DeepInfra Llama 3.3 70B" and rows["Together Llama 3.3 70B Turbo"]["retires"] <= day

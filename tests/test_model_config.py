"""Model configurations as geometry: against published totals, against the catalogue, against transformers, and in words."""

import contextlib
import json
from pathlib import Path

import pytest

from sheetcalc import catalogue, model_config
from sheetcalc.errors import InputError

# Fields that bear on geometry: from the config.json files in the package aiconfigurator_core 0.12.0 (Apache-2.0);
# Qwen3-Next, GLM-4.5-Air and Mistral Small from the defaults of transformers 5.24 (Apache-2.0),
# GLM-4.5 and Gemma 3 from the sources that the catalogue names.
CONFIGS = json.loads((Path(__file__).parent / "data" / "model_configs.json").read_text(encoding="utf-8"))
CATALOGUE = catalogue.read("models").rows
IN_CATALOGUE = [n for n in CONFIGS if n in CATALOGUE]
GEOMETRY = (
    "layers",
    "hidden",
    "query_heads",
    "query_head_dim",
    "kv_layers",
    "window_layers",
    "window",
    "kv_heads",
    "head_dim",
    "kv_tensors",
    "experts",
    "experts_per_token",
    "context",
)


@pytest.mark.parametrize("name", IN_CATALOGUE)
def test_published_totals(name):
    row, found = CATALOGUE[name], model_config.geometry(CONFIGS[name], f"{name}.json")
    published = [v for v in (row["params"], row["params_low"], row["params_high"]) if v]
    tower = any("vision" in note for note in found.notes) and name in (
        "Gemma 3 27B",
        "Mistral Small 3.1 24B",
    )  # their totals count a 0.4 B vision tower
    within = 0.02 if tower else 0.012  # the catalogue's own recount: within 1.2 %
    assert min(abs(found.params / p - 1) for p in published) < within, f"{found.params / 1e9} against {published}"
    assert found.expert_params == pytest.approx(row["expert_params"] or 0, rel=1e-6)
    active = [v for v in (row["active_params"], row["active_params_low"], row["active_params_high"]) if v]
    text = CONFIGS[name].get("text_config", CONFIGS[name])
    embeddings = 2 * text["vocab_size"] * found.hidden  # published counts leave them out, some of them one half
    assert found.active_params > 0.98 * min(active) and found.active_params - embeddings < 1.02 * max(active)
    assert {n: getattr(found, n) for n in GEOMETRY} == {n: row[n] for n in GEOMETRY}
    assert found.attention == row["attention"]


@pytest.mark.parametrize("name", IN_CATALOGUE)
def test_kv_bytes_as_published(name):
    row, found = CATALOGUE[name], model_config.geometry(CONFIGS[name], f"{name}.json")
    assert found.kv_bytes(2, 1) == pytest.approx(row["published_kv"] + row["published_window_kv"])
    assert found.kv_bytes(2, 1e6) == pytest.approx(row["published_kv"] * 1e6 + row["published_window_kv"] * row["window"])
    assert found.kv_bytes(2, 1e6, "uniform pages") == pytest.approx((row["published_kv"] + row["published_window_kv"]) * 1e6)


def test_uniform_pages_of_gpt_oss():
    found = model_config.geometry(CONFIGS["gpt-oss-120b"])
    assert found.kv_bytes(2, 10_000, "uniform pages") == 73_728 * 10_000  # alvarobartt/hf-mem issues 60 and 70: vLLM reserves full pages
    assert found.kv_bytes(2, 10_000) == 36_864 * 10_000 + 36_864 * 128


def test_formats():
    said = {
        n: model_config.geometry(CONFIGS[n]).native_format
        for n in ("DeepSeek-V3", "gpt-oss-120b", "Kimi K2.5", "Llama 3.1 70B", "MiniMax-M2.5")
    }
    assert said == {"DeepSeek-V3": "FP8", "gpt-oss-120b": "FP4", "Kimi K2.5": "INT4", "Llama 3.1 70B": "BF16", "MiniMax-M2.5": "FP8"}


def test_blocks_that_are_one_layer_each():
    found = model_config.geometry(CONFIGS["not in the catalogue: Nemotron-H-56B"])
    assert found.params == pytest.approx(56e9, rel=0.012)  # its name
    assert found.kv_layers == 10  # stars in its pattern


@pytest.mark.parametrize(
    "name, field",
    [
        ("DeepSeek-V4-Flash", "compress_ratios"),
        ("Gemma 4 26B-A4B", "attention_k_eq_v"),
        ("MiMo-V2-Flash", "swa_"),
        ("MiniMax-M3", "sparse_attention"),
    ],
)
def test_an_attention_that_is_not_known_is_said_in_words(name, field):
    with pytest.raises(InputError, match=f"{field}.*type its geometry"):
        model_config.geometry(CONFIGS[f"not in the catalogue: {name}"], "config.json")


def test_an_unknown_plain_model_is_read_and_noted():
    config = {**CONFIGS["Llama 3.1 8B"], "model_type": "somebody_new"}
    found = model_config.geometry(config)
    assert found.params == model_config.geometry(CONFIGS["Llama 3.1 8B"]).params
    assert any("somebody_new" in note for note in found.notes)


@pytest.mark.parametrize(
    "change, says",
    [
        ({"num_hidden_layers": None}, "num_hidden_layers"),
        ({"hidden_size": "wide"}, "hidden_size"),
        ({"vocab_size": -1}, "vocab_size"),
        ({"num_attention_heads": 0}, "above 0"),
        ({"head_dim": None, "num_attention_heads": 30}, "head_dim"),
        ({"layer_types": ["full_attention"]}, "1 layers"),
        ({"layer_types": ["strange"] * 32}, "strange"),
        ({"num_local_experts": 4, "num_experts_per_tok": 9}, "cannot be"),
    ],
)
def test_what_is_missing_or_wrong_is_named(change, says):
    with pytest.raises(InputError, match=says):
        model_config.geometry({**CONFIGS["Llama 3.1 8B"], **change}, "config.json")


def test_a_format_that_is_not_said_is_noted():
    config = {k: v for k, v in CONFIGS["Llama 3.1 8B"].items() if k not in ("torch_dtype", "dtype")}
    found = model_config.geometry(config)
    assert found.native_format is None and any("weight_format" in n for n in found.notes)


@pytest.mark.parametrize("name", ["Llama 3.1 8B", "DeepSeek-V3.2", "Qwen3.5 397B-A17B", "Nemotron 3 Super", "gpt-oss-20b", "Llama 4 Scout"])
def test_a_broken_field_is_never_a_traceback(name):
    config = CONFIGS[name]
    for level in ([], ["text_config"] if "text_config" in config else []):
        for key in config[level[0]] if level else config:
            for value in (None, "word", 0, -3, 1e300, True, [], [1, "x"], {"a": 1}):
                changed = json.loads(json.dumps(config))
                (changed[level[0]] if level else changed)[key] = value
                with contextlib.suppress(InputError):
                    model_config.geometry(changed, "config.json")


def test_files(tmp_path):
    folder = tmp_path / "My-Model-8B"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(CONFIGS["Llama 3.1 8B"]), encoding="utf-8")
    name, row = model_config.catalogue_row(folder / "config.json")
    assert name == "My-Model-8B" and row["kv_heads"] == 8
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    (tmp_path / "list.json").write_text("[]", encoding="utf-8")
    for file, says in (("broken.json", "no JSON"), ("list.json", "no object"), ("none.json", "does not exist")):
        with pytest.raises(InputError, match=says):
            model_config.read(tmp_path / file)


def test_transformers_fills_the_same_fields():
    transformers = pytest.importorskip("transformers", reason="transformers is not installed: its configuration classes cannot be compared")
    compared = 0
    for name in IN_CATALOGUE:
        config = CONFIGS[name]
        text = config.get("text_config", config)
        try:
            full = transformers.AutoConfig.for_model(text["model_type"], **{k: v for k, v in text.items() if k != "model_type"}).to_dict()
        except ValueError:
            continue  # this release has no class for it
        known = {n: getattr(model_config.geometry(text, name), n) for n in GEOMETRY}
        assert {n: getattr(model_config.geometry(full, name), n) for n in GEOMETRY} == known, name
        compared += 1
    assert compared >= 12

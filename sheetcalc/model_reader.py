"""What the fields of a model configuration mean, family by family: layers, heads, experts, parameters.

Taken from the public model code. What is not known is said in words and never guessed. Norms and biases of small layers are below 0.1 %
and not counted, nor are vision towers and layers for multi-token prediction.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from sheetcalc import model_params
from sheetcalc.errors import InputError

PLAIN = {"llama", "mistral", "mistral3", "ministral3", "qwen2", "qwen3", "phi3", "granite", "olmo2", "smollm3", "gemma", "cohere"}
KNOWN = PLAIN | {
    "mixtral",
    "qwen3_moe",
    "qwen2_moe",
    "qwen3_next",
    "qwen3_5",
    "qwen3_5_text",
    "qwen3_5_moe",
    "qwen3_5_moe_text",
    "gemma2",
    "gemma3",
    "gemma3_text",
    "qwen3_vl_text",
    "qwen3_vl_moe_text",
    "gpt_oss",
    "deepseek_v3",
    "deepseek_v32",
    "kimi_k2",
    "kimi_k25",
    "glm4_moe",
    "glm_moe_dsa",
    "minimax_m2",
    "llama4",
    "llama4_text",
    "nemotron_h",
}
STRANGE = (
    "compress",
    "latent",
    "linear",
    "hybrid",
    "mamba",
    "ssm",
    "rwkv",
    "retention",
    "swa_",
    "global_head",
    "num_global",
    "kv_shared",
    "k_eq_v",
    "block_configs",
    "sparse_attention",
    "lightning",
    "index_",
)
MOST_LAYERS = 10_000
ALLOCATORS = ("exact", "uniform pages")


class Geometry(NamedTuple):
    """A model as the catalogue describes it; counts and parameters, no units but tokens."""

    name: str
    attention: str
    params: float
    active_params: float
    expert_params: float
    layers: float
    hidden: float
    query_heads: float
    query_head_dim: float
    kv_layers: float
    window_layers: float
    window: float
    kv_heads: float
    head_dim: float
    kv_tensors: float
    experts: float
    experts_per_token: float
    context: float | None
    native_format: str | None
    notes: tuple[str, ...]

    def kv_bytes(self, bytes_per_element: float, context: float, allocator: str = "exact") -> float:
        """KV cache of one sequence at a context; `uniform pages` reserves for window layers what it reserves for the others."""
        if allocator not in ALLOCATORS:
            raise InputError(f"the allocator {allocator!r} is not known; write exact or 'uniform pages'")
        kept = context if allocator == "uniform pages" else min(context, self.window)
        return (self.kv_layers * context + self.window_layers * kept) * self.kv_heads * self.head_dim * self.kv_tensors * bytes_per_element


class Reader:
    """Reads fields by the names that model families give them, and says which one is missing."""

    def __init__(self, config: dict, text: dict, where: str):
        self.config, self.text, self.where, self.notes = config, text, where, []
        self.type = str(text.get("model_type") or config.get("model_type") or "")
        if self.type not in KNOWN:
            odd = sorted(k for k in text if any(s in k for s in STRANGE) and text[k])
            if odd:
                raise self.error(
                    f"model_type {self.type!r} is not known, and {odd[0]} says that its attention is not the plain kind; "
                    "type its geometry (kv_layers, kv_heads, head_size …) into the scenario instead"
                )
            self.notes.append(f"model_type {self.type!r} is not known here; read as plain attention")
        if config.get("vision_config") or config.get("audio_config"):
            self.notes.append("vision and audio towers are not counted")
        if self.get("num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules", default=0):
            self.notes.append("layers for multi-token prediction are not counted")

    def error(self, says: str) -> InputError:
        return InputError(says, self.where)

    def get(self, *names: str, default: Any = None) -> Any:
        for name in names:
            if self.text.get(name) is not None:
                return self.text[name]
        return default

    def number(self, *names: str, default: float | None = None) -> float:
        value = self.get(*names, default=default)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1e12:
            raise self.error(
                f"does not say {names[0]}{' (or ' + ', '.join(names[1:]) + ')' if names[1:] else ''} as a number; "
                "add it, or type the geometry into the scenario"
            )
        return float(value)

    def geometry(self) -> Geometry:
        layers, hidden, heads = (
            self.number("num_hidden_layers", "n_layer", default=float(len(self.blocks())) or None),
            self.number("hidden_size", "n_embd"),
            self.number("num_attention_heads", "n_head"),
        )
        if not layers or not hidden or not heads:
            raise self.error("num_hidden_layers, hidden_size and num_attention_heads must be above 0")
        if layers > MOST_LAYERS or layers % 1:
            raise self.error(f"{layers:g} layers cannot be; num_hidden_layers is a whole number")
        kinds = self.kinds(int(layers))
        mla = "kv_lora_rank" in self.text and self.text["kv_lora_rank"] is not None
        size = self.number("head_dim", "attention_head_dim", default=hidden / heads if mla or hidden % heads == 0 else None)
        value_size = self.number("v_head_dim", default=size)
        kv_heads = 1.0 if mla else self.number("num_key_value_heads", default=heads)
        latent = self.number("kv_lora_rank") + self.number("qk_rope_head_dim") if mla else 0.0
        query = (self.number("qk_nope_head_dim") + self.number("qk_rope_head_dim") + value_size) / 2 if mla else (size + value_size) / 2
        experts, per_token, expert = self.experts()
        moe = self.moe_layers(kinds) if experts else [False] * len(kinds)
        routed = sum(moe) * experts * expert
        parts = [
            model_params.attention(self, kind, hidden, heads, kv_heads, size, value_size, mla)
            + model_params.feed_forward(self, kind, is_moe, hidden, experts)
            for kind, is_moe in zip(kinds, moe, strict=True)
        ]
        vocabulary = self.number("vocab_size") * hidden
        total = sum(parts) + routed + vocabulary * (1 if self.tied() else 2)
        full, window = kinds.count("full"), kinds.count("window")
        return Geometry(
            name=self.name(),
            attention=self.attention(kinds, mla),
            params=total,
            active_params=total - routed * (1 - per_token / experts) if experts else total,
            expert_params=routed,
            layers=layers,
            hidden=hidden,
            query_heads=heads,
            query_head_dim=query,
            kv_layers=float(full),
            window_layers=float(window),
            window=self.window() if window else 0.0,
            kv_heads=kv_heads,
            head_dim=latent if mla else (size + value_size) / 2,
            kv_tensors=1.0 if mla else 2.0,
            experts=experts,
            experts_per_token=per_token,
            context=self.get("max_position_embeddings"),
            native_format=self.native_format(),
            notes=tuple(self.notes),
        )

    def name(self) -> str:
        said = str(self.config.get("_name_or_path") or "")
        return (
            said.split("/")[-1]
            if "/" in said
            else self.where.removesuffix(".json").removesuffix("_config").replace("--", "/").split("/")[-1]
        )

    def tied(self) -> bool:
        value = self.text.get("tie_word_embeddings", self.config.get("tie_word_embeddings"))
        return bool(self.type in ("gemma2", "gemma3", "gemma3_text") if value is None else value)

    def kinds(self, layers: int) -> list[str]:
        """full, window, linear, mamba, experts or dense for each layer; the last two have no attention."""
        blocks = self.blocks()
        if blocks:
            if len(blocks) != layers:
                raise self.error(f"its pattern has {len(blocks)} layers, num_hidden_layers says {layers}")
            return blocks
        types = self.get("layer_types")
        if isinstance(types, list):
            known = {
                "full_attention": "full",
                "indexed_attention": "full",
                "sliding_attention": "window",
                "chunked_attention": "window",
                "linear_attention": "linear",
            }
            strange = [t for t in types if t not in known]
            if strange or len(types) != layers:
                raise self.error(
                    f"layer_types names {strange[0]!r}, which is not known"
                    if strange
                    else f"layer_types has {len(types)} layers, not {layers}"
                )
            return [known[t] for t in types]
        every = self.get("full_attention_interval", "sliding_window_pattern", "_sliding_window_pattern")
        other = "linear" if self.get("linear_num_value_heads") else "window"
        if self.type.startswith("llama4"):
            every, other = 4, "window"  # every fourth layer attends to all, the others to chunks
        elif self.type in ("gemma3", "gemma3_text") and every is None:
            every = 6
        elif self.type == "gemma2":
            every = 2
        if isinstance(every, int) and every > 1:
            return ["full" if (i + 1) % every == 0 else other for i in range(layers)]
        if self.get("sliding_window") and self.get("use_sliding_window", default=self.type in ("mistral", "mixtral", "phi3")):
            return ["window"] * layers
        return ["full"] * layers

    def blocks(self) -> list[str]:
        """Layers that are one block each (Nemotron-H): full, mamba, experts or dense."""
        pattern = self.get("layers_block_type", "hybrid_override_pattern", default=[])
        names = {
            "*": "full",
            "M": "mamba",
            "E": "experts",
            "-": "dense",
            "attention": "full",
            "mamba": "mamba",
            "moe": "experts",
            "mlp": "dense",
            "linear_attention": "mamba",
            "full_attention": "full",
        }
        strange = [b for b in pattern if b not in names]
        if strange:
            raise self.error(f"its pattern of layers names {strange[0]!r}, which is not known")
        return [names[b] for b in pattern]

    def window(self) -> float:
        return self.number("attention_chunk_size", "sliding_window") if self.type.startswith("llama4") else self.number("sliding_window")

    def attention(self, kinds: list[str], mla: bool) -> str:
        if mla:
            sparse = self.get("index_topk")
            if sparse:
                self.notes.append(f"sparse attention reads the top {sparse} tokens; the cache of its indexer is not counted")
            return "MLA"
        if "linear" in kinds or "mamba" in kinds:
            self.notes.append("linear layers keep a constant state for each sequence, not counted")
            return "hybrid"
        if "window" in kinds:
            return "sliding window"
        heads = self.get("num_attention_heads")
        return "MHA" if self.get("num_key_value_heads", default=heads) == heads else "GQA"

    def experts(self) -> tuple[float, float, float]:
        """Routed experts of a layer, experts of a token, parameters of one expert."""
        count = self.number("num_local_experts", "n_routed_experts", "num_experts", default=0.0)
        if count <= 1:
            return 0.0, 0.0, 0.0
        per_token = self.number("num_experts_per_tok", "experts_per_token", "top_k_experts", "num_experts_per_token")
        if not 0 < per_token <= count:
            raise self.error(f"{per_token:.0f} experts a token of {count:.0f} cannot be")
        width = self.number("moe_intermediate_size", "intermediate_size")
        return count, per_token, model_params.matrices(self) * self.number("moe_latent_size", "hidden_size") * width

    def moe_layers(self, kinds: list[str]) -> list[bool]:
        if self.blocks():
            return [k == "experts" for k in kinds]
        count = len(kinds)
        every = self.get("interleave_moe_layer_step", "decoder_sparse_step", "moe_layer_freq", default=1)
        if isinstance(every, list):
            return [bool(x) for x in every]
        first, dense = self.number("first_k_dense_replace", default=0.0), self.get("mlp_only_layers", default=[])
        return [i >= first and i not in dense and (i + 1) % int(every) == 0 for i in range(count)]

    def native_format(self) -> str | None:
        """The format that the checkpoint ships in; None, with a note, where it is not said."""
        quantization = self.config.get("quantization_config") or self.text.get("quantization_config")
        if isinstance(quantization, dict):
            said = json.dumps(quantization).lower()
            for mark, found in (("mxfp4", "FP4"), ("nvfp4", "FP4"), ("awq", "INT4"), ("gptq", "INT4"), ('"fp8"', "FP8"), ("float8", "FP8")):
                if mark in said:
                    return found
            if '"num_bits": 4' in said:
                return "FP4" if '"type": "float"' in said else "INT4"
            if '"num_bits": 8' in said:
                return "FP8"
            self.notes.append(f"quantization_config {quantization.get('quant_method')!r} is not known; write weight_format")
            return None
        kind = str(self.get("torch_dtype", "dtype", default=self.config.get("torch_dtype") or self.config.get("dtype") or ""))
        if kind in ("bfloat16", "float16"):
            return "BF16"
        self.notes.append("the format of the weights is not said; write weight_format")
        return None

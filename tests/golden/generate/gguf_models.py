# SPDX-License-Identifier: GPL-3.0-or-later
"""Tiny random models as GGUF files, written by gguf-py, with the logits that transformers computes of their weights.

    python gguf_models.py --out ../gguf          (needs gguf, torch, transformers)

The files have the names and the order of rows that llama.cpp's converter gives them. Where transformers can open
the file itself, it must read back the model: so another program than this script has checked the order of rows.
tests/golden/README.md describes the tensors.
"""

import argparse
import pathlib
import tempfile

import gguf
import numpy as np
import torch
import transformers as tr

import golden_io

LENGTH = 12  # tokens of the text
LAYERS = 2
SMALL = dict(hidden_size=16, num_hidden_layers=LAYERS, num_attention_heads=4, vocab_size=40, max_position_embeddings=64,
             bos_token_id=1, eos_token_id=2)
GROUPED = dict(SMALL, num_key_value_heads=2, intermediate_size=24)


def q_order(rows: torch.Tensor, heads: int) -> torch.Tensor:
    """Rows of each head from (0 .. D/2, D/2 .. D) to pairs of neighbours."""
    return rows.reshape(heads, 2, rows.shape[0] // heads // 2, *rows.shape[1:]).swapaxes(1, 2).reshape(rows.shape)


def by_kind(rows: torch.Tensor, heads: int, kv_heads: int) -> torch.Tensor:
    """Rows of each KV head (its queries, key, value) to all queries, all keys, all values."""
    each = heads // kv_heads + 2
    parts = rows.reshape(kv_heads, each, rows.shape[0] // kv_heads // each, *rows.shape[1:])
    flat = [parts[:, :-2], parts[:, -2:-1], parts[:, -1:]]
    return torch.cat([part.reshape(-1, *rows.shape[1:]) for part in flat])


class Case:
    def __init__(self, name: str, arch: str, config, write, is_read_back: bool = False):
        self.name, self.arch, self.config, self.write, self.is_read_back = name, arch, config, write, is_read_back


def common(out: gguf.GGUFWriter, c, kv_heads: int | None, inner: int, positions: int) -> None:
    out.add_context_length(positions)
    out.add_embedding_length(c.hidden_size)
    out.add_block_count(c.num_hidden_layers)
    out.add_feed_forward_length(inner)
    out.add_head_count(c.num_attention_heads)
    if kv_heads:
        out.add_head_count_kv(kv_heads)


def like_llama(turned: bool = False, plus_one: bool = False, extra=None):
    def write(out: gguf.GGUFWriter, c, state: dict, names) -> dict:
        common(out, c, c.num_key_value_heads, c.intermediate_size, c.max_position_embeddings)
        out.add_layer_norm_rms_eps(c.rms_norm_eps)
        if "rope_theta" in c.rope_parameters:  # else one for each kind of layer
            out.add_rope_freq_base(c.rope_parameters["rope_theta"])
        if getattr(c, "head_dim", None):
            out.add_key_length(c.head_dim)
            out.add_value_length(c.head_dim)
        if extra:
            extra(out, c)
        tensors = {}
        for name, tensor in state.items():
            if turned and ".q_proj" in name:
                tensor = q_order(tensor, c.num_attention_heads)
            if turned and ".k_proj" in name:
                tensor = q_order(tensor, c.num_key_value_heads)
            if plus_one and name.endswith("norm.weight"):
                tensor = tensor + 1
            tensors[names(name)] = tensor
        return tensors

    return write


def experts(kind: dict, extra):
    """The tensors of all experts of a layer become one."""
    base = like_llama(turned=kind["turned"], extra=extra)

    def write(out, c, state, names):
        fused = {}
        for layer in range(LAYERS):
            at = f"model.layers.{layer}.mlp.experts."
            both = state.pop(at + "gate_up_proj")
            inner = both.shape[1] // 2
            fused[f"blk.{layer}.ffn_gate_exps.weight"] = both[:, :inner]
            fused[f"blk.{layer}.ffn_up_exps.weight"] = both[:, inner:]
            fused[f"blk.{layer}.ffn_down_exps.weight"] = state.pop(at + "down_proj")
            fused[f"blk.{layer}.ffn_gate_inp.weight"] = state.pop(f"model.layers.{layer}.mlp.gate.weight")
        return {**base(out, c, state, names), **fused}

    return write


def mixtral_keys(out, c):
    out.add_expert_count(c.num_local_experts)
    out.add_expert_used_count(c.num_experts_per_tok)


def qwen3_moe_keys(out, c):
    out.add_expert_count(c.num_experts)
    out.add_expert_used_count(c.num_experts_per_tok)
    out.add_expert_feed_forward_length(c.moe_intermediate_size)


def gemma2_keys(out, c):
    out.add_attn_logit_softcapping(c.attn_logit_softcapping)
    out.add_final_logit_softcapping(c.final_logit_softcapping)
    out.add_sliding_window(c.sliding_window)


def gemma3_keys(out, c):
    out.add_sliding_window(c.sliding_window)
    full = c.rope_parameters["full_attention"]
    out.add_rope_freq_base(full["rope_theta"])
    out.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
    out.add_rope_scaling_factor(full["factor"])


def granite_keys(out, c):
    out.add_attention_scale(c.attention_multiplier)
    out.add_embedding_scale(c.embedding_multiplier)
    out.add_residual_scale(c.residual_multiplier)
    out.add_logit_scale(c.logits_scaling)


def llama3_factors(c) -> np.ndarray:
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

    plain = 1.0 / (c.rope_parameters["rope_theta"] ** (torch.arange(0, c.head_dim, 2, dtype=torch.float32) / c.head_dim))
    scaled, _ = ROPE_INIT_FUNCTIONS["llama3"](c, None)
    return (plain / scaled).numpy().astype(np.float32)


def llama3(out, c, state, names):
    tensors = like_llama(turned=True)(out, c, state, names)
    tensors["rope_freqs.weight"] = torch.from_numpy(llama3_factors(c))
    return tensors


def linear_keys(out, c):
    out.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
    out.add_rope_scaling_factor(c.rope_parameters["factor"])


def yarn_keys(out, c):
    out.add_rope_scaling_type(gguf.RopeScalingType.YARN)
    out.add_rope_scaling_factor(c.rope_parameters["factor"])
    out.add_rope_scaling_orig_ctx_len(c.rope_parameters["original_max_position_embeddings"])


def gpt2(out, c, state, names):
    common(out, c, None, 4 * c.hidden_size, c.max_position_embeddings)
    out.add_layer_norm_eps(c.layer_norm_epsilon)
    turned = (".c_attn.weight", ".c_proj.weight", ".c_fc.weight")
    return {names(n): t.T if n.endswith(turned) else t for n, t in state.items()}


def gptneox(out, c, state, names):
    common(out, c, None, c.intermediate_size, c.max_position_embeddings)
    out.add_layer_norm_eps(c.layer_norm_eps)
    size = c.hidden_size // c.num_attention_heads
    out.add_rope_dimension_count(int(c.rope_parameters["partial_rotary_factor"] * size))
    out.add_parallel_residual(c.use_parallel_residual)
    heads = c.num_attention_heads
    return {names(n): by_kind(t, heads, heads) if "query_key_value" in n else t for n, t in state.items()}


def bloom(out, c, state, names):
    common(out, c, c.n_head, 4 * c.hidden_size, 64)
    out.add_layer_norm_eps(c.layer_norm_epsilon)
    return {names(n): by_kind(t, c.n_head, c.n_head) if "query_key_value" in n else t for n, t in state.items()}


def falcon(out, c, state, names):
    kv_heads = c.num_kv_heads if c.new_decoder_architecture else 1
    common(out, c, kv_heads, 4 * c.hidden_size, 64)
    out.add_layer_norm_eps(c.layer_norm_epsilon)
    return {names(n): by_kind(t, c.num_attention_heads, kv_heads) if "query_key_value" in n else t
            for n, t in state.items()}


def mpt(out, c, state, names):
    common(out, c, None, 4 * c.d_model, c.max_seq_len)
    out.add_layer_norm_eps(c.layer_norm_epsilon)
    out.add_max_alibi_bias(c.attn_config.alibi_bias_max)
    return {names(n): t for n, t in state.items()}


def rope(kind: str = "default", **keys) -> dict:
    return {"rope_type": kind, "rope_theta": 10000.0, **keys}


CASES = [
    Case("llama", "LLAMA", tr.LlamaConfig(**GROUPED), like_llama(turned=True), True),
    Case("llama_wide", "LLAMA", tr.LlamaConfig(**GROUPED, head_dim=6, attention_bias=True), like_llama(turned=True)),
    Case("llama3", "LLAMA", tr.LlamaConfig(**GROUPED, head_dim=8, rope_parameters=rope(
        "llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=16)), llama3),
    Case("llama_linear", "LLAMA", tr.LlamaConfig(**GROUPED, rope_parameters=rope("linear", factor=4.0)),
         like_llama(turned=True, extra=linear_keys)),
    Case("llama_yarn", "LLAMA", tr.LlamaConfig(**GROUPED, rope_parameters=rope(
        "yarn", factor=4.0, original_max_position_embeddings=16)), like_llama(turned=True, extra=yarn_keys)),
    Case("mixtral", "LLAMA", tr.MixtralConfig(**GROUPED, num_local_experts=3, num_experts_per_tok=2, sliding_window=None),
         experts({"turned": True}, mixtral_keys)),
    Case("qwen2", "QWEN2", tr.Qwen2Config(**GROUPED, tie_word_embeddings=True), like_llama(), True),
    Case("qwen3", "QWEN3", tr.Qwen3Config(**GROUPED, head_dim=6), like_llama(), True),
    Case("qwen3moe", "QWEN3MOE", tr.Qwen3MoeConfig(**GROUPED, head_dim=6, moe_intermediate_size=12, num_experts=4,
                                                   num_experts_per_tok=2, norm_topk_prob=True),
         experts({"turned": False}, qwen3_moe_keys)),
    Case("gemma", "GEMMA", tr.GemmaConfig(**GROUPED, head_dim=6, pad_token_id=0), like_llama(plus_one=True)),
    Case("gemma2", "GEMMA2", tr.Gemma2Config(**GROUPED, head_dim=6, query_pre_attn_scalar=6, sliding_window=5,
                                             attn_logit_softcapping=2.0, final_logit_softcapping=1.5, pad_token_id=0),
         like_llama(plus_one=True, extra=gemma2_keys), True),
    # Six layers as in the models: the last is full, the others have a window and turn by another base.
    Case("gemma3", "GEMMA3", tr.Gemma3TextConfig(**{**GROUPED, "num_hidden_layers": 6}, head_dim=6, query_pre_attn_scalar=6,
                                                 sliding_window=5, pad_token_id=0, rope_parameters={
                                                     "full_attention": {"rope_type": "linear", "rope_theta": 50000.0, "factor": 8.0},
                                                     "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}}),
         like_llama(plus_one=True, extra=gemma3_keys), True),
    Case("smollm3", "SMOLLM3", tr.SmolLM3Config(**{**GROUPED, "num_hidden_layers": 4}, pad_token_id=0), like_llama(turned=True)),
    Case("phi3", "PHI3", tr.Phi3Config(**GROUPED, pad_token_id=0, sliding_window=None), like_llama()),
    Case("olmo2", "OLMO2", tr.Olmo2Config(**GROUPED, pad_token_id=0), like_llama()),
    Case("granite", "GRANITE", tr.GraniteConfig(**GROUPED, attention_multiplier=0.4, embedding_multiplier=3.0,
                                                residual_multiplier=0.5, logits_scaling=2.0),
         like_llama(turned=True, extra=granite_keys)),
    Case("gpt2", "GPT2", tr.GPT2Config(n_embd=16, n_layer=LAYERS, n_head=4, n_positions=64, vocab_size=40, bos_token_id=1,
                                       eos_token_id=2), gpt2, True),
    Case("gptneox", "GPTNEOX", tr.GPTNeoXConfig(**SMALL, intermediate_size=24, rope_parameters=rope(
        partial_rotary_factor=0.5)), gptneox),
    Case("bloom", "BLOOM", tr.BloomConfig(hidden_size=16, n_layer=LAYERS, n_head=4, vocab_size=40, bos_token_id=1,
                                          eos_token_id=2, pad_token_id=0), bloom, True),
    Case("falcon", "FALCON", tr.FalconConfig(hidden_size=16, num_hidden_layers=LAYERS, num_attention_heads=4,
                                             vocab_size=40, bias=False, bos_token_id=1, eos_token_id=2), falcon),
    Case("falcon_new", "FALCON", tr.FalconConfig(hidden_size=16, num_hidden_layers=LAYERS, num_attention_heads=4,
                                                 num_kv_heads=2, new_decoder_architecture=True, vocab_size=40, bias=False,
                                                 bos_token_id=1, eos_token_id=2), falcon),
    Case("mpt", "MPT", tr.MptConfig(d_model=16, n_layers=LAYERS, n_heads=4, max_seq_len=64, vocab_size=40), mpt),
]


def vocabulary(out: gguf.GGUFWriter) -> None:
    """40 tokens of SentencePiece with byte pairs: three special ones, two bytes, and pairs of letters."""
    tokens = ["<unk>", "<s>", "</s>", "<0x0A>", "<0xC3>", "\u2581"] + list("abcdefghijklmnopqrstuvwxyz")
    tokens += ["ab", "\u2581a", "\u2581ab", "cd", "abcd", "ef", "gh", "efgh"]
    kinds = [2, 3, 3, 6, 6] + [1] * 35
    out.add_tokenizer_model("llama")
    out.add_token_list(tokens)
    out.add_token_scores([0.0] * 5 + [-1000.0 - i for i in range(27)] + [-float(i) for i in range(8)])
    out.add_token_types(kinds)
    out.add_bos_token_id(1)
    out.add_eos_token_id(2)
    out.add_unk_token_id(0)


def randomise(model: torch.nn.Module) -> None:
    """Gives every parameter random numbers, so that norms and biases are not all one or zero."""
    for name, parameter in model.named_parameters():
        spread = 0.3 if parameter.dim() > 1 else 0.2
        torch.nn.init.normal_(parameter, 1.0 if parameter.dim() == 1 and name.endswith("weight") else 0.0, spread)
        if "emma" in type(model).__name__ and parameter.dim() == 1:
            parameter.data -= 1


@torch.no_grad()
def make(case: Case, out: pathlib.Path) -> tuple[torch.Tensor, torch.Tensor]:
    torch.manual_seed(sum(map(ord, case.name)))
    case.config._attn_implementation = "eager"
    model = tr.AutoModelForCausalLM.from_config(case.config).eval()
    randomise(model)
    ids = torch.randint(3, 40, (1, LENGTH))
    logits = model(ids).logits[0]

    arch = gguf.MODEL_ARCH[case.arch]
    mapping = gguf.get_tensor_name_map(arch, case.config.num_hidden_layers)

    def names(name: str) -> str:
        ends = (".weight", ".bias")
        found = mapping.get_name(name, ends) or mapping.get_name(name.removeprefix("transformer."), ends)
        if not found:
            raise SystemExit(f"{case.name}: no name for {name}")
        return found

    state = dict(model.state_dict())
    if case.config.tie_word_embeddings:
        state = {n: t for n, t in state.items() if n not in ("lm_head.weight", "embed_out.weight")}
    path = out / f"{case.name}.gguf"
    writer = gguf.GGUFWriter(path, gguf.MODEL_ARCH_NAMES[arch])
    writer.add_name(case.name)
    vocabulary(writer)
    tensors = case.write(writer, case.config, state, names)
    for name, tensor in tensors.items():
        writer.add_tensor(name, np.ascontiguousarray(tensor.float().numpy()))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    if case.is_read_back:
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / path.name).write_bytes(path.read_bytes())
            # transformers takes only some keys of the config from a GGUF file, so it gets the whole config.
            again = tr.AutoModelForCausalLM.from_pretrained(
                folder, gguf_file=path.name, config=case.config, attn_implementation="eager").eval()
        difference = (again(ids).logits[0] - logits).abs().max().item()
        if difference > 1e-4:
            raise SystemExit(f"{case.name}: transformers reads another model from the file, off by {difference}")
        print(f"{case.name}: transformers reads it back, off by {difference:.1e}")
    return ids[0], logits


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--only")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    tensors = {}
    for case in CASES:
        if arguments.only and case.name != arguments.only:
            continue
        ids, logits = make(case, arguments.out)
        tensors[f"{case.name}.ids"], tensors[f"{case.name}.logits"] = ids, logits
    from importlib.metadata import version

    if not arguments.only:
        golden_io.save(arguments.out / "logits.safetensors", tensors,
                       {"generator": "gguf_models.py", "gguf_version": version("gguf"),
                        "transformers_version": tr.__version__, "torch_version": torch.__version__})


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden data of engine/explore: a tiny Llama with random weights in Hugging Face transformers, changed by forward hooks.

Residual stream, logit lens, attribution, what is written, knock-outs, cut edges and patching; see ../README.md for
names and shapes. f32, eager attention, CPU.
    python explore_cases.py --out ../explore
"""

import argparse
import contextlib
import json
import pathlib

import torch
import transformers

import golden_io

CONFIG = {
    "model_type": "llama",
    "hidden_size": 24,
    "intermediate_size": 36,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 6,
    "vocab_size": 32,
    "max_position_embeddings": 64,
    "rope_theta": 10000.0,
    "rms_norm_eps": 1e-5,
    "hidden_act": "silu",
    "tie_word_embeddings": False,
}
TOKENS = 12
PAIR = (5, 17)  # tokens whose logits are compared
# Heads (layer, head) that are replaced by zero, by the mean over the prompt and by the other prompt.
ZERO_HEAD, MEAN_HEAD, OTHER_HEAD = (1, 2), (2, 0), (0, 3)
EDGE, COLUMN = (1, 1, 9, 4), (0, 2, 0)  # the column: no later query of head 0.2 reads key 0


def make_model() -> transformers.LlamaForCausalLM:
    torch.manual_seed(22)
    config = transformers.LlamaConfig(**{k: v for k, v in CONFIG.items() if k != "model_type"})
    config._attn_implementation = "eager"
    model = transformers.LlamaForCausalLM(config).eval()
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if "norm" in name:
                weight.copy_(1 + 0.3 * torch.randn_like(weight))
            else:
                weight.copy_(0.35 * torch.randn_like(weight))
    return model


@contextlib.contextmanager
def hooks(handles: list):
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def head_slice(head: int) -> slice:
    return slice(head * CONFIG["head_dim"], (head + 1) * CONFIG["head_dim"])


def change_head(model, layer: int, head: int, replace):
    """Replaces the output of a head before o_proj by replace(z [T, D])."""

    def pre(_module, args):
        z = args[0].clone()
        z[0, :, head_slice(head)] = replace(z[0, :, head_slice(head)])
        return (z,)

    return model.model.layers[layer].self_attn.o_proj.register_forward_pre_hook(pre)


def cut(model, layer: int, head: int, cells: list[tuple[int, int]]):
    """Puts -inf on scores of a head, in the additive mask of its layer."""

    def pre(_module, args, kwargs):
        mask = kwargs["attention_mask"]
        mask = mask.expand(1, CONFIG["num_attention_heads"], -1, -1).clone()
        for q, k in cells:
            mask[0, head, q, k] = float("-inf")
        kwargs["attention_mask"] = mask
        return args, kwargs

    return model.model.layers[layer].self_attn.register_forward_pre_hook(pre, with_kwargs=True)


class Trace:
    """A run with the residual stream, the heads, the values and the weights of every layer."""

    def __init__(self, model, ids: torch.Tensor):
        self.mid, self.post, self.z, self.v = [], [], [], []
        handles = []
        for layer in model.model.layers:
            handles.append(layer.post_attention_layernorm.register_forward_pre_hook(
                lambda _m, args: self.mid.append(args[0][0].clone())))
            handles.append(layer.register_forward_hook(lambda _m, _args, out: self.post.append(out[0].clone())))
            handles.append(layer.self_attn.o_proj.register_forward_pre_hook(
                lambda _m, args: self.z.append(args[0][0].clone())))
            handles.append(layer.self_attn.v_proj.register_forward_hook(
                lambda _m, _args, out: self.v.append(out[0].clone())))
        handles.append(model.model.embed_tokens.register_forward_hook(
            lambda _m, _args, out: setattr(self, "embed", out[0].clone())))
        with hooks(handles):
            out = model(ids[None], output_attentions=True)
        self.logits = out.logits[0]
        self.weights = [w[0] for w in out.attentions]


def difference(logits: torch.Tensor) -> torch.Tensor:
    return logits[-1, PAIR[0]] - logits[-1, PAIR[1]]


@torch.no_grad()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    out_folder = parser.parse_args().out
    torch.set_num_threads(1)
    model = make_model()
    layers, heads, group = CONFIG["num_hidden_layers"], CONFIG["num_attention_heads"], 2
    ids = torch.randint(0, CONFIG["vocab_size"], (TOKENS,))
    other = ids.clone()
    other[3], other[7] = (ids[3] + 9) % CONFIG["vocab_size"], (ids[7] + 4) % CONFIG["vocab_size"]
    clean, corrupted = Trace(model, ids), Trace(model, other)

    tensors = {f"weights.{name}": weight.clone() for name, weight in model.state_dict().items()}
    tensors["ids"] = ids.to(torch.int32)
    tensors["other_ids"] = other.to(torch.int32)
    tensors["logits"] = clean.logits
    tensors["residual.embed"] = clean.embed
    sigma_gain = model.model.norm.weight / torch.sqrt(
        clean.post[-1][-1].pow(2).mean() + CONFIG["rms_norm_eps"])  # the scale of the final norm at the last position
    direction = sigma_gain * (model.lm_head.weight[PAIR[0]] - model.lm_head.weight[PAIR[1]])
    attribution, attribution_mlp = torch.zeros(layers, heads), torch.zeros(layers)
    for layer in range(layers):
        tensors[f"residual.{layer}.mid"] = clean.mid[layer]
        tensors[f"residual.{layer}.post"] = clean.post[layer]
        tensors[f"lens.{layer}"] = model.lm_head(model.model.norm(clean.post[layer]))
        w_o = model.model.layers[layer].self_attn.o_proj.weight
        head_out = torch.stack([clean.z[layer][:, head_slice(h)] @ w_o[:, head_slice(h)].T for h in range(heads)])
        tensors[f"head_out.{layer}"] = head_out
        attribution[layer] = head_out[:, -1] @ direction
        attribution_mlp[layer] = (clean.post[layer][-1] - clean.mid[layer][-1]) @ direction
        # |weight * W_O v|, as Kobayashi and others (2020) define it.
        written = torch.zeros(heads, TOKENS, TOKENS)
        for h in range(heads):
            f = clean.v[layer][:, head_slice(h // group)] @ w_o[:, head_slice(h)].T  # [T, C]
            written[h] = (clean.weights[layer][h][:, :, None] * f[None]).norm(dim=-1)
        tensors[f"written.{layer}"] = written
    tensors["attribution"] = attribution
    tensors["attribution.mlp"] = attribution_mlp
    tensors["attribution.embed"] = (clean.embed[-1] @ direction)[None]
    total = attribution.sum() + attribution_mlp.sum() + tensors["attribution.embed"][0]
    if abs(total - difference(clean.logits)) > 1e-4:
        raise SystemExit(f"attribution {total} is not the difference {difference(clean.logits)}")

    def run(tokens: torch.Tensor, handles: list) -> torch.Tensor:
        with hooks(handles):
            return model(tokens[None]).logits[0]

    def of(trace: Trace, layer: int, head: int) -> torch.Tensor:
        return trace.z[layer][:, head_slice(head)]

    tensors["knock_out.zero"] = run(ids, [change_head(model, *ZERO_HEAD, torch.zeros_like)])
    mean = of(clean, *MEAN_HEAD).mean(dim=0)
    tensors["knock_out.mean"] = run(ids, [change_head(model, *MEAN_HEAD, lambda z: mean.expand_as(z))])
    tensors["knock_out.other"] = run(ids, [change_head(model, *OTHER_HEAD, lambda _z: of(corrupted, *OTHER_HEAD))])
    tensors["cut.edge"] = run(ids, [cut(model, *EDGE[:2], [EDGE[2:]])])
    tensors["cut.column"] = run(ids, [cut(model, *COLUMN[:2], [(q, COLUMN[2]) for q in range(1, TOKENS)])])

    def patched_stream(layer: int, position: int, where: str) -> torch.Tensor:
        def replace(x: torch.Tensor) -> torch.Tensor:
            x = x.clone()
            x[0, position] = (clean.mid if where == "mid" else clean.post)[layer][position]
            return x

        at = model.model.layers[layer]
        if where == "post":
            return difference(run(other, [at.register_forward_hook(lambda _m, _args, out: replace(out))]))
        missing = clean.mid[layer][position] - corrupted.mid[layer][position]

        def add(_m, _args, out):
            x = out.clone()
            x[0, position] += missing
            return x

        return difference(run(other, [at.self_attn.o_proj.register_forward_hook(add)]))

    for where in ("mid", "post"):
        tensors[f"patch.{where}"] = torch.stack(
            [torch.stack([patched_stream(layer, p, where) for p in range(TOKENS)]) for layer in range(layers)])
    tensors["patch.heads"] = torch.stack([
        torch.stack([difference(run(other, [change_head(model, layer, h, lambda _z: of(clean, layer, h))]))
                     for h in range(heads)]) for layer in range(layers)])
    tensors["patch.ends"] = torch.stack([difference(clean.logits), difference(corrupted.logits)])

    golden_io.save(out_folder / "llama-toy.safetensors", tensors, {
        "generator": "explore_cases.py",
        "torch_version": torch.__version__.split("+")[0],
        "transformers_version": transformers.__version__,
        "config": json.dumps(CONFIG),
        "pair": f"{PAIR[0]},{PAIR[1]}",
        "zero_head": "{}.{}".format(*ZERO_HEAD),
        "mean_head": "{}.{}".format(*MEAN_HEAD),
        "other_head": "{}.{}".format(*OTHER_HEAD),
        "edge": ".".join(map(str, EDGE)),
        "column": ".".join(map(str, COLUMN)),
    })


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: GPL-3.0-or-later
"""Layers of models by torch and transformers, and a tiny Llama with each scaling of its rotary positions.

    python layer_cases.py --out ../layers          (needs torch, transformers, safetensors)

Every answer is in f32. tests/golden/README.md describes the tensors.
"""

import argparse
import json
import pathlib

import torch
import transformers
from transformers.activations import ACT2FN
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.gemma.modeling_gemma import GemmaRMSNorm
from transformers.models.gpt_neox.modeling_gpt_neox import apply_rotary_pos_emb as turn_halves
from transformers.models.gptj.modeling_gptj import apply_rotary_pos_emb as turn_interleaved
from transformers.models.llama.modeling_llama import LlamaRMSNorm, LlamaRotaryEmbedding
from transformers.pytorch_utils import Conv1D

import golden_io

WIDTH, HEAD = 40, 16
POSITIONS = [0, 1, 5, 63, 64, 1000, 8191, 100000]
ACTIVATIONS = ["silu", "gelu", "gelu_new", "gelu_pytorch_tanh", "relu"]
TRAINED = 64
ROPES = {
    "default": {"rope_type": "default"},
    "linear": {"rope_type": "linear", "factor": 3.0},
    "dynamic": {"rope_type": "dynamic", "factor": 2.5},
    "llama3": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
               "original_max_position_embeddings": TRAINED},
    "yarn": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": TRAINED},
    "yarn_options": {"rope_type": "yarn", "factor": 16.0, "original_max_position_embeddings": TRAINED, "beta_fast": 20.0,
                     "beta_slow": 2.0, "mscale": 0.7, "mscale_all_dim": 1.1, "truncate": False},
    "yarn_magnitude": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": TRAINED,
                       "attention_factor": 0.75},
}
DYNAMIC_LENGTH = 200  # tokens of the text for which "dynamic" is computed


def llama_config(rope: dict) -> transformers.LlamaConfig:
    return transformers.LlamaConfig(
        vocab_size=16, hidden_size=24, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2,
        num_key_value_heads=1, head_dim=HEAD, max_position_embeddings=512, tie_word_embeddings=False,
        rope_parameters={"rope_theta": 10000.0, **rope}, bos_token_id=None, eos_token_id=None)


def config_json(config: transformers.LlamaConfig) -> str:
    keys = ["model_type", "vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads",
            "num_key_value_heads", "head_dim", "max_position_embeddings", "tie_word_embeddings", "rope_parameters",
            "rms_norm_eps"]
    return json.dumps({key: config.to_dict()[key] for key in keys}, sort_keys=True)


@torch.no_grad()
def norms(tensors: dict) -> None:
    x = torch.randn(4, WIDTH) * 2 + torch.tensor([[0.0], [5.0], [-100.0], [1e-3]])
    weight, bias = torch.randn(WIDTH), torch.randn(WIDTH)
    tensors |= {"x": x, "norm_weight": weight, "norm_bias": bias}
    rms, gemma, layer = LlamaRMSNorm(WIDTH, 1e-5), GemmaRMSNorm(WIDTH, 1e-5), torch.nn.LayerNorm(WIDTH, 1e-5)
    for norm in (rms, gemma, layer):
        norm.weight.copy_(weight)
    layer.bias.copy_(bias)
    tensors |= {"rms_norm": rms(x), "rms_norm_offset": gemma(x), "layer_norm": layer(x)}


@torch.no_grad()
def linear(tensors: dict) -> None:
    conv, x = Conv1D(130, WIDTH), tensors["x"]
    conv.weight.copy_(torch.randn(WIDTH, 130))
    conv.bias.copy_(torch.randn(130))
    plain = torch.nn.Linear(WIDTH, 130)
    plain.weight.copy_(conv.weight.T)
    plain.bias.copy_(conv.bias)
    if not torch.allclose(conv(x), plain(x), rtol=1e-5, atol=1e-3):
        raise SystemExit("Conv1D is not the transposed Linear")
    tensors |= {"conv1d_weight": conv.weight.clone(), "conv1d_bias": conv.bias.clone(), "conv1d": conv(x)}


@torch.no_grad()
def rotary(tensors: dict, metadata: dict) -> None:
    position_ids = torch.tensor([POSITIONS])
    tensors["positions"] = torch.tensor(POSITIONS, dtype=torch.int32)
    for name, rope in ROPES.items():
        config = llama_config(rope)
        if name == "dynamic":
            config.max_position_embeddings = TRAINED
            frequencies, magnitude = ROPE_INIT_FUNCTIONS["dynamic"](config, "cpu", seq_len=DYNAMIC_LENGTH)
        else:
            embedding = LlamaRotaryEmbedding(config)
            frequencies, magnitude = embedding.inv_freq, embedding.attention_scaling
            cosine, sine = embedding(torch.zeros(1), position_ids)
            tensors[f"rotary.{name}.cos"] = cosine[0, :, : HEAD // 2].clone()
            tensors[f"rotary.{name}.sin"] = sine[0, :, : HEAD // 2].clone()
        tensors[f"rotary.{name}.frequencies"] = frequencies.clone()
        tensors[f"rotary.{name}.magnitude"] = torch.tensor([magnitude], dtype=torch.float32)
        metadata[f"rotary.{name}"] = config_json(config)
    heads = torch.randn(1, 1, len(POSITIONS), HEAD)
    tensors["heads"] = heads[0, 0].clone()
    cosine, sine = tensors["rotary.default.cos"], tensors["rotary.default.sin"]
    for pairs in (HEAD // 2, 3):
        c, s = cosine[:, :pairs], sine[:, :pairs]
        turned, rest = heads[..., : 2 * pairs], heads[..., 2 * pairs :]
        halves, _ = turn_halves(turned, turned, torch.cat([c, c], -1)[None], torch.cat([s, s], -1)[None])
        tensors[f"turned.halves.{2 * pairs}"] = torch.cat([halves, rest], -1)[0, 0].clone()
        # [batch, position, head, element]
        interleaved = turn_interleaved(turned.transpose(1, 2), s[None], c[None]).transpose(1, 2)
        tensors[f"turned.interleaved.{2 * pairs}"] = torch.cat([interleaved, rest], -1)[0, 0].clone()


@torch.no_grad()
def tiny_llama(tensors: dict) -> None:
    torch.manual_seed(7)
    weights = None
    ids = torch.randint(0, 16, (1, 150))
    tensors["llama.ids"] = ids[0].to(torch.int32)
    for name, rope in ROPES.items():
        if name == "dynamic":
            continue
        model = transformers.LlamaForCausalLM._from_config(llama_config(rope), attn_implementation="eager").eval()
        if weights is None:
            weights = {k: torch.randn(v.shape) * (0.3 if v.dim() == 2 else 1.0) for k, v in model.state_dict().items()}
            tensors |= {f"llama.{k}": v for k, v in weights.items()}
        model.load_state_dict(weights)
        # The last logits by one full forward, so that all rows see the same frequencies.
        tensors[f"llama_logits.{name}"] = model(ids, use_cache=False).logits[0, -1].clone()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for the .safetensors file")
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(5)
    tensors, metadata = {}, {}
    norms(tensors)
    linear(tensors)
    x = torch.cat([torch.linspace(-12, 12, 97), torch.randn(32)])
    tensors["activation_x"] = x
    tensors |= {f"activation.{name}": ACT2FN[name](x) for name in ACTIVATIONS}
    rotary(tensors, metadata)
    tiny_llama(tensors)
    for name, tensor in tensors.items():
        if not torch.isfinite(tensor).all():
            raise SystemExit(f"{name}: not finite")
    metadata |= {
        "generator": "tests/golden/generate/layer_cases.py",
        "dynamic_length": str(DYNAMIC_LENGTH),
        "torch_version": torch.__version__.split("+")[0],
        "transformers_version": transformers.__version__,
    }
    path = args.out / "layers.safetensors"
    golden_io.save(path, tensors, metadata)
    print(f"{path.stat().st_size} {path.name}: {len(tensors)} tensors")


if __name__ == "__main__":
    main()

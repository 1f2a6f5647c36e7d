# SPDX-License-Identifier: GPL-3.0-or-later
"""T5 as GGUF files, written by gguf-py with the names and keys that llama.cpp's converter gives them: the models of two files of
../families with their own weights, and a vocabulary alone with the ids of the SentencePiece library.

    python gguf_t5.py --families ../families --pieces ../sentence_piece/t5 --texts ../tokenizer/kinds/texts.json --out ../gguf
"""

import argparse
import json
import pathlib
import re

import gguf
import numpy as np
import sentencepiece
from safetensors import safe_open
from sentencepiece import sentencepiece_model_pb2

from family_cases import hashed


def vocabulary(out: gguf.GGUFWriter, tokens: list[str], scores: list[float], kinds: list[int]) -> None:
    out.add_tokenizer_model("t5")
    out.add_tokenizer_pre("default")
    out.add_token_list(tokens)
    out.add_token_scores(scores)
    out.add_token_types(kinds)


def model(families: pathlib.Path, name: str, out: pathlib.Path) -> None:
    with safe_open(families / f"{name}.safetensors", "np") as file:
        facts = file.metadata()
    c, tensors = json.loads(facts["config"]), json.loads(facts["tensors"])
    decoder_layers = c.get("num_decoder_layers", c["num_layers"])
    writer = gguf.GGUFWriter(out / f"{name}.gguf", "t5")
    writer.add_name(name)
    writer.add_context_length(c["n_positions"])
    writer.add_embedding_length(c["d_model"])
    writer.add_feed_forward_length(c["d_ff"])
    writer.add_block_count(c["num_layers"])
    if "num_decoder_layers" in c:
        writer.add_decoder_block_count(decoder_layers)
    writer.add_head_count(c["num_heads"])
    writer.add_key_length(c["d_kv"])
    writer.add_value_length(c["d_kv"])
    writer.add_layer_norm_eps(c.get("layer_norm_epsilon", 1e-6))
    writer.add_relative_attn_buckets_count(c.get("relative_attention_num_buckets", 32))
    writer.add_layer_norm_rms_eps(c.get("layer_norm_epsilon", 1e-6))
    writer.add_decoder_start_token_id(c["decoder_start_token_id"])
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    letters = list("abcdefghijklmnopqrstuvwxyz")
    tokens = ["<pad>", "</s>", "<unk>", "\u2581"] + letters + ["\u2581a", "ab"]
    rest = c["vocab_size"] - len(tokens)
    vocabulary(writer, tokens + [f"[PAD{i + len(tokens)}]" for i in range(rest)],
               [0.0, 0.0, 0.0, -2.0] + [-4.0 - i / 10 for i in range(26)] + [-3.0, -3.5] + [-10000.0] * rest,
               [3, 3, 2] + [1] * (len(tokens) - 3) + [5] * rest)
    writer.add_add_space_prefix(True)
    writer.add_remove_extra_whitespaces(True)
    writer.add_eos_token_id(1)
    writer.add_pad_token_id(0)
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.T5, max(c["num_layers"], decoder_layers))
    for tensor, shape, center, spread in tensors:
        # The table has no name for the embedding that both stacks share; the converter calls it token_embd.
        found = names.get_name(tensor, (".weight",)) or {"shared.weight": "token_embd.weight"}.get(tensor)
        if not found:
            raise SystemExit(f"{name}: no name for {tensor}")
        writer.add_tensor(found, np.ascontiguousarray(hashed(name, tensor, shape, center, spread)))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def pieces_alone(folder: pathlib.Path, texts: list[str], out: pathlib.Path) -> None:
    """User-defined pieces become normal ones: the converter does not look for them."""
    proto = sentencepiece_model_pb2.ModelProto.FromString((folder / "spiece.model").read_bytes())
    for piece in proto.pieces:
        piece.type = 1 if piece.type == 4 else piece.type
    processor = sentencepiece.SentencePieceProcessor(model_proto=proto.SerializeToString())
    extra = {f"<extra_id_{99 - i}>": len(proto.pieces) + i for i in range(100)}
    count = len(proto.pieces) + len(extra) + 4
    writer = gguf.GGUFWriter(out / "t5_vocabulary.gguf", "t5")
    vocabulary(writer, [p.piece for p in proto.pieces] + list(extra) + [f"[PAD{i}]" for i in range(count - 4, count)],
               [p.score for p in proto.pieces] + [-1000.0] * len(extra) + [-10000.0] * 4,
               [p.type for p in proto.pieces] + [4] * len(extra) + [5] * 4)
    writer.add_add_space_prefix(proto.normalizer_spec.add_dummy_prefix)
    writer.add_remove_extra_whitespaces(proto.normalizer_spec.remove_extra_whitespaces)
    writer.add_precompiled_charsmap(proto.normalizer_spec.precompiled_charsmap)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    special = {p.piece: i for i, p in enumerate(proto.pieces) if p.type in (2, 3)} | extra
    around = re.compile("(" + "|".join(map(re.escape, sorted(special, key=len, reverse=True))) + ")")
    ids = [sum(([special[part]] if part in special else processor.encode(part) for part in around.split(text) if part), []) + [1]
           for text in texts]
    (out / "t5_vocabulary.json").write_text(json.dumps({"sentencepiece": sentencepiece.__version__, "ids": ids},
                                                       separators=(",", ":")) + "\n", encoding="ascii", newline="\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("families", "pieces", "texts", "out"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    args = parser.parse_args()
    for name in ("t5_1", "t5_4"):
        model(args.families, name, args.out)
    pieces_alone(args.pieces, json.loads(args.texts.read_text()), args.out)


if __name__ == "__main__":
    main()

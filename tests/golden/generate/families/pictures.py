# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases of models that also read pictures. They get texts without pictures."""

from small_model import SmallModel, VOCABULARY

TEXT = dict(vocab_size=VOCABULARY, hidden_size=24, intermediate_size=40, num_hidden_layers=2, num_attention_heads=4,
            num_key_value_heads=2, max_position_embeddings=128)
EYES = dict(hidden_size=8, intermediate_size=12, num_hidden_layers=1, num_attention_heads=2, image_size=8, patch_size=4)


def pictures(name, kind, text, eyes, spread=None, center=1, **more):
    config = dict(model_type=kind, text_config={**TEXT, **text}, vision_config={**EYES, **eyes}, **more)
    return SmallModel(f"pictures_{name}", config, network="pictures", embedding_spread=spread, norm_center=center)


def cases():
    clip = dict(model_type="clip_vision_model", projection_dim=8, vocab_size=16)
    siglip = dict(model_type="siglip_vision_model", vision_use_head=False)
    gemma = dict(model_type="gemma3_text", head_dim=8, sliding_window=12, num_hidden_layers=3, query_pre_attn_scalar=20,
                 sliding_window_pattern=3, rope_scaling={"rope_type": "linear", "factor": 3.0})
    token = dict(image_token_index=95)
    # Without "head_dim" and "model_type": a head then has 256 numbers, the default of Gemma 3.
    bare = {key: value for key, value in gemma.items() if key not in ("head_dim", "model_type")}
    yield pictures("gemma3_1", "gemma3", gemma, siglip, 0.15, 0, mm_tokens_per_image=4, image_token_index=95, eos_token_id=[1, 2])
    yield pictures("gemma3_2", "gemma3", {**bare, "num_hidden_layers": 2}, siglip, 0.15, 0, mm_tokens_per_image=4,
                   image_token_index=95, tie_word_embeddings=False)
    yield pictures("idefics3_1", "idefics3", dict(model_type="llama", rms_norm_eps=1e-5), {}, scale_factor=2, image_token_id=95)
    yield pictures("internvl_1", "internvl", dict(model_type="qwen2"),
                   dict(image_size=[8, 8], patch_size=[4, 4]), image_token_id=95, tie_word_embeddings=False)
    yield pictures("llava_1", "llava", dict(model_type="llama", rms_norm_eps=1e-5), clip, **token)
    yield pictures("llava_2", "llava", dict(model_type="mistral", sliding_window=14, tie_word_embeddings=True), clip, **token)
    yield pictures("llava_next_1", "llava_next", dict(rope_theta=500.0), clip, **token, image_grid_pinpoints=[[8, 8]])
    yield pictures("llava_onevision_1", "llava_onevision", dict(model_type="qwen2"), siglip, **token,
                   image_grid_pinpoints=[[8, 8]])
    yield pictures("mistral3_1", "mistral3", dict(model_type="mistral", sliding_window=None, head_dim=8),
                   dict(model_type="pixtral", head_dim=4), image_token_index=95, tie_word_embeddings=False)
    yield pictures("smolvlm_1", "smolvlm", dict(model_type="llama", rms_norm_eps=1e-5), {}, scale_factor=2, image_token_id=95,
                   tie_word_embeddings=True)

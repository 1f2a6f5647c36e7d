// SPDX-License-Identifier: GPL-3.0-or-later
// kForms: a lesson whose answers are a number, a choice, a block, a cell and settings. For tests.
#pragma once

namespace attn::gui::test {

inline constexpr const char* kForms = R"md(---
id: forms
title: All forms of questions, with a title that is too long for one line of the panel
language: en
needs: nothing
version: 1
---

## Slots that stay empty

A prompt of {{prompt_tokens}} comes into a cache with blocks of `16` tokens. *Two* more tokens are generated.

:::scenario view=blocks
{
  "title": "Forms",
  "source": { "synthetic": { "kind": "random" } },
  "requests": [ { "prompt_tokens": 33, "max_tokens": 2 } ],
  "engine": { "block_size": 16, "num_blocks": 8 }
}
:::

:::predict kind=number quantity="wasted_slots(step=1)" tolerance=0 min=0 max=48
How many slots stay empty in the blocks of the request when it has ended its first step?
:::

:::hint
How many blocks does the prompt need?
:::

:::hint view=words
The prompt is in Words.
:::

:::reveal view=blocks at="block_of(token=last_prompt, step=1)"
:::

:::explain when=low
The last token needs a whole block for itself, although it is alone in it.
:::

:::explain
Of the last block {{wasted_slots(step=1)}} are left.
:::

:::observe kind=choice quantity="wasted_slots(step=1)"
How full was the last block?
- [> 8] Most of it was empty > That is so: the last token stands alone in it.
- [<= 8] Most of it was full, as the last blocks of long prompts are on the average > Look at the ringed block again.
:::

:::explain
A block is allocated as a whole.
:::

## Which block

:::predict kind=click target="block_of(token=0, step=1)"
In which physical block is the first token?
:::

:::reveal view=blocks
:::

:::explain
Here it is.
:::

## Which cell

:::predict kind=click target="heaviest_key(query=last_prompt)"
Which cell of the row of the last prompt token has the largest weight?
:::

:::reveal view=heatmap
:::

:::explain
It is ringed.
:::

## Other settings

:::change controls="block_size, prefix_caching, backend, prompt_tokens" goal="waste(step=1) < 0.1 and blocks_used(step=1) >= 2" solution="block_size=5; prefix_caching=true"
Choose settings with which less than 10 % of the slots stay empty.
:::

:::explain
Small blocks leave fewer slots empty.
:::
)md";

}  // namespace attn::gui::test

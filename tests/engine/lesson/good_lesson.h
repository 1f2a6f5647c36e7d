// SPDX-License-Identifier: GPL-3.0-or-later
// kGoodLesson: the text of a lesson without mistakes. Tests use it as it is, or with changes.
#pragma once

#include <string_view>

namespace attn::lesson {

inline constexpr std::string_view kGoodLesson = R"md(---
id: good-lesson
title: A good lesson
language: en
part: Tests
needs: nothing
version: 3
---

## One row

The row has {{visible_keys}} and *one* portion of attention.

:::scenario view=heatmap
{
  "source": { "synthetic": { "kind": "needle", "num_layers": 1, "num_heads": 2, "num_kv_heads": 1,
                             "head_size": 32, "needle_position": 3 } },
  "requests": [ { "name": "A", "prompt_tokens": 10, "max_tokens": 3 } ],
  "engine": { "block_size": 4, "num_blocks": 8 }
}
:::

:::fact that="row_sum = 0.999..1.001 and block_size = 4"
:::

:::predict kind=number quantity="weight(key=3)" unit=% tolerance=5
How much does the last token read of token 3?
:::

:::hint
Look for a bright column.
:::

:::hint view=heatmap at="weight(key=3)"
It is the ringed cell.
:::

:::reveal view=heatmap at="weight(key=3)"
:::

:::explain when=low
It is more.
:::

:::explain
It is {{weight(key=3) | % | 1}}.
:::

:::observe kind=click target="heaviest_key"
Click the cell with the largest weight.
:::

:::explain when=wrong
Look again.
:::

## Blocks

The cache has blocks of {{block_size}}.

:::predict kind=choice quantity="blocks_used(step=1)"
How many blocks does the prompt take?
- [< 3] Fewer than three > Ten tokens do not fit into two blocks of four.
- [= 3] Three > Two full blocks and a half.
- [> 3] More than three > There would be an empty block.
:::

:::change controls="block_size" goal="waste(step=1) < 0.1" solution="block_size=5"
Choose a block size with less than 10 % waste after the first step.
:::

:::explain when=right
The blocks are nearly full.
:::

:::explain
A block size that divides the number of tokens leaves no slot empty.
:::
)md";

}  // namespace attn::lesson

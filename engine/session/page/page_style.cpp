// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/page/run_page.h"

namespace attn {

std::string_view page_style() {
  return R"css(
:root { color-scheme: light dark; --text: #1b1f24; --soft: #57606a; --back: #ffffff; --line: #d0d7de; --mark: #b3541e;
        --accent: #0b5cad; --panel: #f6f8fa; --masked: #e8ebee; --right: #1f6f43; --wrong: #a4282f; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e9ed; --soft: #9aa4af; --back: #16191d; --line: #3a424b; --mark: #f0a35e; --accent: #6cb2ff;
          --panel: #1f2429; --masked: #2a3036; --right: #6fcf97; --wrong: #f08a8f; } }
* { box-sizing: border-box; }
html { overflow-y: scroll; }  /* otherwise the width, and with it the drawing, would depend on the height of the page */
body { max-width: 62rem; margin: 0 auto; padding: 1rem; color: var(--text); background: var(--back);
       font: 16px/1.5 "Inter", "Noto Sans", system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .4rem; } h2 { font-size: 1.2rem; margin: 1.6rem 0 .3rem; }
button, select, input { font: inherit; color: inherit; }
button { padding: .25rem .8rem; border: 1px solid var(--line); border-radius: 4px; background: var(--panel); cursor: pointer; }
form button + button { margin-left: .4rem; }
button[aria-selected=true], button.main { border-color: var(--accent); color: var(--accent); font-weight: 600; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; } .view :focus-visible { outline-offset: -2px; }
select { padding: .2rem; border: 1px solid var(--line); border-radius: 4px; background: var(--panel); }
.bar { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: .5rem 0; }
.bar label { display: flex; gap: .4rem; align-items: center; } .bar input[type=range] { width: 14rem; }
.view { overflow-x: auto; border: 1px solid var(--line); border-radius: 4px; } .view canvas { display: block; }
.values { min-height: 1.6em; margin: .4rem 0; font-variant-numeric: tabular-nums; }
.note, .keys { color: var(--soft); font-size: .9rem; margin: .3rem 0; }
.task { border: 1px solid var(--line); border-radius: 6px; padding: .6rem .9rem; margin: .8rem 0; }
.kind { font-size: .85rem; color: var(--soft); } .verdict { font-weight: 600; }
.verdict.right { color: var(--right); } .verdict.wrong { color: var(--wrong); }
.task label.choice { display: block; margin: .3rem 0; } .task label.choice p { display: inline; }
table { border-collapse: collapse; } td, th { border: 1px solid var(--line); padding: .1rem .5rem; }
[hidden] { display: none !important; }
)css";
}

}  // namespace attn

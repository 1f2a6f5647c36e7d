// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/run/run_remarks.h"

#include <algorithm>
#include <utility>

#include "engine/attention/pad_heads.h"
#include "engine/session/scenario/attention_rule.h"

namespace attn::gui {
namespace {

// Whether the remark says that heads are padded, to whatever size.
bool is_about_padding(const std::string& remark) {
  const std::string any = padded_heads_sentence({}, 0, 0);
  return remark.starts_with(any.substr(0, any.find('0')));
}

}  // namespace

MessageKind kind_of(const std::string& remark, const EngineSnapshot& snapshot) {
  Scenario plain;
  if (snapshot.scenario) plain.attention.type = snapshot.scenario->attention.type;
  for (const bool caches_own : {false, true})
    if (std::ranges::count(attention_warnings(plain, caches_own), remark) > 0)
      return MessageKind::kInfo;
  return MessageKind::kWarning;
}

void RunRemarks::begin_run() {
  padding_before_ = std::exchange(padding_, {});
}

bool RunRemarks::tells(const std::string& remark) {
  if (!is_about_padding(remark)) return true;
  padding_ = remark;
  return padding_ != padding_before_;
}

}  // namespace attn::gui

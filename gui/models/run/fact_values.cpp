// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/run/fact_values.h"

#include <QLocale>

#include "gui/models/text.h"
#include "gui/models/words/request_words.h"

namespace attn::gui {

QString range_words(int64_t first, int64_t count) {
  return count <= 0 ? tr("none") : tr("%1..%2 (%3)").arg(first).arg(first + count - 1).arg(count);
}

QString value_words(const EngineSnapshot* snapshot, const EventFact& fact) {
  switch (fact.value) {
    case FactValue::kRequest:
    case FactValue::kOtherRequest:
      return snapshot ? request_name(*snapshot, static_cast<uint32_t>(fact.number))
                      : tr("request %1").arg(fact.number);
    case FactValue::kKernel:
      return kernel_words(static_cast<uint32_t>(fact.number));
    case FactValue::kRange:
      return range_words(fact.number, fact.count);
    case FactValue::kPart:
      return tr("%1 of %2").arg(fact.number).arg(fact.count);
    case FactValue::kText:
      return text_of(fact.text);
    case FactValue::kMessage:
      return {};
    case FactValue::kBlock:
    case FactValue::kNumber:
      return QString::number(fact.number);
    case FactValue::kStep:
    case FactValue::kCount:
      break;
  }
  return QLocale().toString(static_cast<qlonglong>(fact.number));
}

}  // namespace attn::gui

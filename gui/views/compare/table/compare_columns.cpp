// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/compare/table/compare_columns.h"

#include <algorithm>
#include <numeric>

#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/wrapped_lines.h"

namespace attn::gui {
namespace {

// Room for the heading of a column on one line, for its longest word, and for its numbers, px.
struct Needs {
  std::vector<double> line, word, numbers;
};

// A number that is not the main one changes to the narrower of two fonts before it gets smaller.
double width_of_number(const CompareModel& model, const PictureLook& look, int row, int column) {
  const QString text = model.index(row, column).data().toString();
  if (model.rows()[static_cast<size_t>(row)].quantity != CompareModel::Quantity::kOutAbs)
    return std::min(text_width(look.mono, text), text_width(look.small, text));
  QFont font = look.mono;
  font.setPixelSize(look.px(15));
  font.setBold(true);
  return text_width(font, text);
}

Needs needs_of(const CompareModel& model, const PictureLook& look) {
  // One more pixel, because widths are rounded.
  const double beside = 2 * look.px(kColumnInset) + 1;
  Needs needs;
  for (const CompareColumn& column : model.result()->columns) {
    const QString name = QString::fromStdString(column.display_name);
    double word = 0, number = 0;
    for (const QString& part : name.split(QLatin1Char(' ')))
      word = std::max(word, text_width(look.title_bold, part));
    for (int row = 0; column.ran() && row < model.rowCount(); ++row)
      number =
          std::max(number, width_of_number(model, look, row, static_cast<int>(needs.line.size())));
    needs.line.push_back(text_width(look.title_bold, name) + beside);
    needs.word.push_back(word + beside);
    needs.numbers.push_back(number + beside);
  }
  return needs;
}

double sum_of(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

}  // namespace

CompareColumns compare_columns(const CompareModel& model, const PictureLook& look, double table,
                               double most) {
  CompareColumns found;
  found.table = table;
  found.names = std::clamp<double>(table * 0.26, look.px(120), look.px(210));
  const auto count = static_cast<double>(model.columnCount());
  if (count < 1) return found;
  const Needs needs = needs_of(model, look);
  const double equal = (table - found.names) / count;
  const double least_names = std::min<double>(found.names, look.px(120));
  // False: headings of these widths do not fit into a table of the width `room`.
  const auto fit = [&](const std::vector<double>& headings, double room) {
    std::vector<double> widths;
    for (size_t i = 0; i < headings.size(); ++i)
      widths.push_back(std::max(headings[i], std::min(needs.numbers[i], equal)));
    const double all = sum_of(widths);
    if (all + least_names > room) return false;
    found.table = std::max(table, all + least_names);
    found.names = std::min(found.names, found.table - all);
    for (double& width : widths) width += (found.table - found.names - all) / count;
    found.widths = std::move(widths);
    return true;
  };
  if (*std::ranges::max_element(needs.line) <= equal) {
    found.widths.assign(needs.line.size(), equal);
  } else if (!fit(needs.line, table) && !fit(needs.word, table) && !fit(needs.word, most)) {
    found.table = most;
    found.names = least_names;
    for (const double word : needs.word)
      found.widths.push_back((most - least_names) * word / sum_of(needs.word));
  }
  for (size_t i = 0; i < found.widths.size(); ++i) {
    found.headings.push_back(wrapped_lines(
        look.title_bold, QString::fromStdString(model.result()->columns[i].display_name),
        found.widths[i] - 2 * look.px(kColumnInset)));
    found.most_lines = std::max(found.most_lines, found.headings.back().size());
  }
  return found;
}

}  // namespace attn::gui

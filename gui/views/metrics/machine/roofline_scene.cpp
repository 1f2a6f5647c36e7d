// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/metrics/machine/roofline_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "engine/session/report/report.h"
#include "gui/models/event_words.h"
#include "gui/models/text.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
double RooflineScene::arithmetic_roof() const {
  if (!limits) return 0;
  return bf16 && limits->bf16_gops > 0 ? limits->bf16_gops : limits->f32_gops;
}

double RooflineScene::roof(double intensity) const {
  return limits ? std::min(arithmetic_roof(), intensity * limits->memory().read_gbps) : 0;
}

double RooflineScene::ridge() const {
  return limits ? arithmetic_roof() / limits->memory().read_gbps : 0;
}

QString kernel_name(KernelId kernel) {
  return kernel_words(static_cast<uint32_t>(kernel));
}

QString rate_words(double gops) {
  return tr("%1 G/s").arg(format_number(gops, 3));
}
QString bandwidth_words(double gbps) {
  return tr("%1 GB/s").arg(format_number(gbps, 3));
}

QString share_text(const RooflineScene& scene, const WorkSum& sum) {
  const double roof = scene.roof(sum.intensity());
  if (roof <= 0 || scene.modelled) return QStringLiteral("–");
  return tr("%1 %").arg(format_number(100 * sum.gops() / roof, 2));
}

QString share_words(const RooflineScene& scene, const WorkSum& sum) {
  const double roof = scene.roof(sum.intensity());
  if (roof <= 0 || scene.modelled) return {};
  const bool memory = sum.intensity() < scene.ridge();
  const QString words =
      memory ? tr("%1 of the roof of memory, %2") : tr("%1 of the roof of arithmetic, %2");
  const QString text = words.arg(share_text(scene, sum), rate_words(roof));
  if (sum.gops() <= roof) return text;
  return memory ? text + tr(": some of these bytes may come from a processor cache") : text;
}

QString point_words(const RooflineScene& scene, const KernelSum& kernel, bool of_step) {
  const WorkSum& sum = kernel.sum;
  QStringList lines;
  lines << (of_step ? tr("%1, step %2").arg(kernel_name(kernel.kernel), format_count(kernel.step))
                    : kernel_name(kernel.kernel));
  lines << tr("%1 in %2")
               .arg(counted(sum.calls, tr("1 call"), tr("%1 calls")),
                    format_duration_ns(sum.ns) + (scene.modelled ? tr(" (modelled)") : QString()));
  lines << tr("%1 operations: the multiplies and adds of the products Q K and P V that the kernel "
              "computes, for the visible pairs of query and key")
               .arg(format_number(sum.operations, 4));
  lines << tr("%1 to be moved: queries, keys, values and outputs once in each call, and scores "
              "where the kernel stores or reads them")
               .arg(format_bytes(sum.bytes));
  lines << tr("%1 operations per byte").arg(format_number(sum.intensity(), 3));
  if (!scene.modelled) {
    lines
        << tr("%1 operations, %2").arg(rate_words(sum.gops()), bandwidth_words(sum.bytes / sum.ns));
    if (const QString share = share_words(scene, sum); !share.isEmpty()) lines << share;
  }
  return lines.join(QLatin1Char('\n'));
}

QString counted_words() {
  return tr(
      "Operations: the multiplies and adds of Q K and P V for the visible pairs of query and key. "
      "Bytes: queries, keys, values and outputs once in each call, and scores where a kernel "
      "stores or reads them. Masked pairs, padding and the softmax do not count. A kernel whose "
      "bytes were in a cache of the processor can lie above the slope of memory.");
}

std::vector<QString> roofline_notes(const RooflineScene& scene) {
  std::vector<QString> notes;
  if (!scene.state.isEmpty()) notes.push_back(scene.state);
  if (scene.modelled)
    notes.push_back(
        tr("The clock of this run is virtual: its times say nothing of this machine, so its "
           "kernels are marks on the lower axis and no points."));
  if (scene.saved)
    notes.push_back(tr("This is a recorded run: its times may come from another machine."));
  if (scene.slowed && !scene.modelled)
    notes.push_back(
        tr("The run was slowed or paused. Its times leave the waiting out, but kernels that were "
           "watched tile by tile can be slower."));
  if (scene.limits && scene.threads > 0 && scene.limits->threads != scene.threads)
    notes.push_back(tr("The roofs were measured with %1, and the run has %2: measure again.")
                        .arg(counted(scene.limits->threads, tr("1 thread"), tr("%1 threads")),
                             format_count(scene.threads)));
  notes.push_back(
      tr("Left of the ridge memory limits a kernel near its roof, right of it arithmetic does. A "
         "kernel far below its roof is slow for other reasons."));
  notes.push_back(counted_words());
  if (scene.limits) {
    const MachineLimits& limits = *scene.limits;
    notes.push_back(tr("Measured with %1, the best of %2 rounds; copying in memory: %3.")
                        .arg(counted(limits.threads, tr("1 thread"), tr("%1 threads")),
                             format_count(limits.rounds), bandwidth_words(limits.copy_gbps)));
  }
  return notes;
}

QString spoken_roofline(const RooflineScene& scene) {
  QStringList parts;
  if (scene.limits)
    parts << tr("Arithmetic %1, memory %2, ridge at %3 operations per byte.")
                 .arg(rate_words(scene.arithmetic_roof()),
                      bandwidth_words(scene.limits->memory().read_gbps),
                      format_number(scene.ridge(), 3));
  if (scene.chosen >= 0 && scene.chosen < static_cast<int>(scene.kernels.size()))
    parts << point_words(scene, scene.kernels[static_cast<size_t>(scene.chosen)], false);
  else if (!scene.kernels.empty())
    parts << counted(static_cast<int64_t>(scene.kernels.size()), tr("1 kernel"), tr("%1 kernels"));
  if (parts.isEmpty() && !scene.state.isEmpty()) parts << scene.state;
  return parts.join(QLatin1Char(' '));
}

std::vector<ViewPoint::Number> numbers_of(const RooflineScene& scene, const KernelSum& kernel) {
  const WorkSum& sum = kernel.sum;
  std::vector<ViewPoint::Number> numbers{
      {tr("operations per byte"), exact_number(sum.intensity())},
      {tr("operations"), exact_number(sum.operations)},
      {tr("bytes"), exact_number(sum.bytes)},
      {scene.modelled ? tr("modelled time, ns") : tr("time, ns"), exact_number(sum.ns)}};
  if (!scene.modelled)
    numbers.insert(numbers.begin(), {tr("operations per second"), exact_number(1e9 * sum.gops())});
  return numbers;
}

// If times are modelled, operations_per_s, bytes_per_s and part_of_roof are empty in the rows of
// kernels and steps.
QByteArray roofline_csv(const RooflineScene& scene) {
  std::string csv =
      "row,name,step,threads,calls,clock,time_ns,operations,bytes,operations_per_byte,"
      "operations_per_s,bytes_per_s,part_of_roof\n";
  auto out = std::back_inserter(csv);
  const auto number = [](double value) { return format_double(value); };
  if (scene.limits) {
    const MachineLimits& limits = *scene.limits;
    const auto limit = [&](std::string_view name, double operations, double bytes) {
      fmt::format_to(out, "limit,{},,{},,,,,,,{},{},\n", csv_cell(name), limits.threads,
                     operations > 0 ? number(1e9 * operations) : "",
                     bytes > 0 ? number(1e9 * bytes) : "");
    };
    limit("f32 multiply-adds", limits.f32_gops, 0);
    if (limits.bf16_gops > 0) limit(limits.bf16_unit, limits.bf16_gops, 0);
    for (const MachineLimits::Level& level : limits.levels)
      limit("reading " + level.name, 0, level.read_gbps);
    limit("copying in memory", 0, limits.copy_gbps);
  }
  const auto rows = [&](const char* row, const std::vector<KernelSum>& sums, bool of_step) {
    for (const auto& [kernel, step, sum] : sums) {
      const double roof = scene.modelled ? 0 : scene.roof(sum.intensity());
      fmt::format_to(out, "{},{},{},{},{},{},{},{},{},{},{},{},{}\n", row, name_of(kernel),
                     of_step ? fmt::format("{}", step) : "", scene.threads, sum.calls,
                     scene.modelled ? "virtual" : "real", number(sum.ns), number(sum.operations),
                     number(sum.bytes), number(sum.intensity()),
                     scene.modelled ? "" : number(1e9 * sum.gops()),
                     scene.modelled ? "" : number(1e9 * sum.bytes / sum.ns),
                     roof > 0 ? number(sum.gops() / roof) : "");
    }
  };
  rows("kernel", scene.kernels, false);
  rows("step", scene.steps, true);
  return QByteArray::fromStdString(csv);
}

}  // namespace attn::gui

// SPDX-License-Identifier: GPL-3.0-or-later
// What the page "This machine" shows: the measured limits as roofs, and the attention kernels of
// the run as points. Plain data with its words and its table. Made on the GUI thread; used on any.
//
//   across  operations per byte (kernel_work.h)
//   up      operations per second
//   roofs   the most operations per second: the rate of arithmetic, or
//           operations per byte times bytes per second
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "engine/machine/machine_limits.h"
#include "engine/session/work/kernel_work.h"
#include "gui/models/view_point.h"
#include "gui/widgets/picture_look.h"

namespace attn::gui {

struct RooflineScene {
  PictureLook look = PictureLook::read();
  std::shared_ptr<const MachineLimits> limits;  // null: not measured
  std::vector<KernelSum> kernels, steps;        // of KernelWork::by_kernel(), by_step()
  QString title;                                // title of the run
  std::optional<uint32_t> until;                // the past step at the time cursor; nullopt: none
  int threads = 0;                              // of the run; 0: none known
  bool bf16 = false;                            // the cache of the run is bf16
  bool modelled = false;
  bool saved = false;  // the run comes from a file
  bool slowed = false;
  QString state;    // the state of the measurement, in words
  int chosen = -1;  // kernel index; -1: none

  // Whether points can be drawn: modelled times say nothing of this machine.
  bool has_points() const { return !modelled && !kernels.empty(); }
  // The roof of arithmetic in 1e9 operations per second; 0: not measured.
  double arithmetic_roof() const;
  // The roof at `intensity` operations per byte if the bytes come from memory, in 1e9 operations
  // per second; 0: not measured.
  double roof(double intensity) const;
  // Operations per byte where the roof of memory meets that of arithmetic; 0: not measured.
  double ridge() const;
};

QString kernel_name(KernelId kernel);
QString rate_words(double gops);       // "12.4 G/s"
QString bandwidth_words(double gbps);  // "17.2 GB/s"
// "41 % of the roof of memory, 12.4 G/s". Empty: no roof is known, or the times are modelled.
QString share_words(const RooflineScene& scene, const WorkSum& sum);
QString share_text(const RooflineScene& scene, const WorkSum& sum);  // "41 %", or a dash

QString point_words(const RooflineScene& scene, const KernelSum& kernel, bool of_step);
QString counted_words();  // what operations and bytes are
std::vector<QString> roofline_notes(const RooflineScene& scene);
QString spoken_roofline(const RooflineScene& scene);
std::vector<ViewPoint::Number> numbers_of(const RooflineScene& scene, const KernelSum& kernel);
QByteArray roofline_csv(const RooflineScene& scene);

}  // namespace attn::gui

// SPDX-License-Identifier: GPL-3.0-or-later
// Theme: the look that all views share: colours named by meaning, light and dark, text sizes,
// lengths. GUI thread. Any thread may call contrast() and, while the theme does not change,
// category_brush().
#pragma once

#include <QApplication>
#include <QBrush>
#include <QColor>
#include <QFont>
#include <QObject>
#include <QPen>
#include <utility>

namespace attn::gui {

enum class ThemeMode { kSystem, kLight, kDark };

// On background and on surface, text, muted and accent have a contrast of at least 4.5:1.
struct ThemeColors {
  QColor background, surface, raised, line, text, muted, accent, good, warning, bad;
  QColor prefill, decode;
  QColor hatch;         // lines of the diagonal hatch of masked cells, on surface
  QColor not_a_number;  // magenta, such as for cells with NaN
};

// An opaque mixture of both colours, channel by channel: a with part_of_b 0, b with part_of_b 1.
// Any thread.
QColor mix(const QColor& a, const QColor& b, double part_of_b);

enum class TextRole { kSmall, kBody, kTitle, kLarge, kDisplay };  // 11, 13, 15, 20, 28 px at 100%

class Theme : public QObject {
  Q_OBJECT
 public:
  static Theme& instance();

  // Sets the style, palette and fonts of the application. Call once, after the QApplication is
  // made.
  void install(QApplication& app);
  void set_mode(ThemeMode mode);
  ThemeMode mode() const { return mode_; }
  bool is_dark() const { return dark_; }
  // The text size that the user chose, in percent, clamped to [100, 200].
  void set_text_percent(int percent);
  int chosen_text_percent() const { return text_percent_; }
  // Projector mode: text of at least kProjectorPercent, and strokes of at least 2 px where line()
  // gives the width.
  void set_projector(bool projector);
  bool is_projector() const { return projector_; }
  static constexpr int kProjectorPercent = 140;  // 11 px become 15
  // The text size in use, in percent: the chosen one, in projector mode at least kProjectorPercent.
  int text_percent() const;
  static constexpr int kTextPercents[] = {100, 125, 150, 175, 200};

  // True: views leave animations out.
  void set_reduce_motion(bool reduce) { reduce_motion_ = reduce; }
  bool reduce_motion() const { return reduce_motion_; }

  const ThemeColors& colors() const;
  QFont font(TextRole role = TextRole::kBody,
             QFont::Weight weight = QFont::Normal) const;  // Inter, for text
  QFont mono(TextRole role = TextRole::kBody) const;       // JetBrains Mono, for tokens and numbers
  int px(double at_100_percent) const;  // pixels of a length that grows with the text size
  double line(double width) const;      // width of a stroke, px; in projector mode at least 2
  // Colours by number (such as of a request or worker), after Okabe and Ito: 8 that repeat.
  // category_brush() adds a hatch from the ninth number on. index: from 0; below 0: the muted
  // colour.
  QColor category(int64_t index) const;
  QBrush category_brush(int64_t index) const;
  // The colour of category(), made lighter or darker where its contrast to the surface is below
  // 3:1; for outlines and lines.
  QColor category_edge(int64_t index) const;
  QColor text_on(const QColor& fill) const;         // black or white, the one with more contrast
  QBrush masked_brush() const;                      // the diagonal hatch of masked cells
  QBrush modelled_brush(const QColor& base) const;  // hatch of what is modelled, not measured

  static double contrast(const QColor& a, const QColor& b);  // WCAG 2 ratio, 1..21

  // While an object of this class lives, the theme gives the dark or the light colours and this
  // text size, without projector mode, for a drawing. changed() is not emitted. GUI thread only; no
  // event may be handled meanwhile.
  class Drawing {
   public:
    Drawing(bool dark, int text_percent)
        : dark_(std::exchange(instance().dark_, dark)),
          text_percent_(std::exchange(instance().text_percent_, text_percent)),
          projector_(std::exchange(instance().projector_, false)) {}
    ~Drawing() {
      instance().dark_ = dark_;
      instance().text_percent_ = text_percent_;
      instance().projector_ = projector_;
    }
    Drawing(const Drawing&) = delete;
    Drawing& operator=(const Drawing&) = delete;

   private:
    bool dark_;  // what the window has, as the next two
    int text_percent_;
    bool projector_;
  };

 signals:
  void changed();

 private:
  Theme() = default;
  void apply();
  ThemeMode mode_ = ThemeMode::kSystem;
  bool dark_ = false;
  bool system_dark_ = false;
  int text_percent_ = 100;
  bool projector_ = false;
  bool reduce_motion_ = false;
  QApplication* app_ = nullptr;
};

}  // namespace attn::gui

// SPDX-License-Identifier: GPL-3.0-or-later
// Theme: the one look of every view: semantic colours in light and dark, type sizes, spacing,
// category colours. Views ask for a meaning, never for a colour value. GUI thread.
#pragma once

#include <QApplication>
#include <QBrush>
#include <QColor>
#include <QFont>
#include <QObject>
#include <QPen>

namespace attn::gui {

enum class ThemeMode { kSystem, kLight, kDark };

// Each pair text/muted/accent/... on background and surface holds 4.5:1 for text, 3:1 for marks;
// tested.
struct ThemeColors {
  QColor background, surface, raised, line, text, muted, accent, good, warning, bad;
  QColor prefill, decode;  // the two phases, the same hues everywhere
  QColor hatch;            // masked cells: diagonal hatch on surface
  QColor not_a_number;     // magenta cross
};

enum class TextRole { kSmall, kBody, kTitle, kLarge, kDisplay };  // 11, 13, 15, 20, 28 px at 100%

class Theme : public QObject {
  Q_OBJECT
 public:
  static Theme& instance();

  // Fusion with our palette and proxy style, fonts, application-wide. Call once after QApplication
  // is made.
  void install(QApplication& app);
  void set_mode(ThemeMode mode);
  ThemeMode mode() const { return mode_; }
  bool is_dark() const { return dark_; }
  // Text size in percent, [100, 200], as it was chosen.
  void set_text_percent(int percent);
  int chosen_text_percent() const { return text_percent_; }
  // To be read from the last row: text is at least so large that nothing is below 15 px, and lines
  // are at least 2 px wide.
  void set_projector(bool projector);
  bool is_projector() const { return projector_; }
  static constexpr int kProjectorPercent = 140;  // 11 px become 15
  // What is drawn: as chosen, or what a projector needs.
  int text_percent() const;
  // Sizes that the keys go through.
  static constexpr int kTextPercents[] = {100, 125, 150, 175, 200};

  // Nothing moves or fades.
  void set_reduce_motion(bool reduce) { reduce_motion_ = reduce; }
  bool reduce_motion() const { return reduce_motion_; }

  const ThemeColors& colors() const;
  QFont font(TextRole role = TextRole::kBody,
             QFont::Weight weight = QFont::Normal) const;  // Inter: text
  QFont mono(TextRole role = TextRole::kBody)
      const;                            // JetBrains Mono: tokens and numbers, figures of one width
  int px(double at_100_percent) const;  // a length that grows with the text size
  double line(double width) const;      // of a stroke, px
  // Okabe-Ito, by request number: 8 colours, then the same with a pattern. Never the only carrier
  // of meaning.
  QColor category(int64_t index) const;
  QBrush category_brush(int64_t index) const;
  QColor category_edge(int64_t index)
      const;  // the same hue, >= 3:1 on the surface: outline of category fills, lines
  QColor text_on(const QColor& fill) const;         // black or white, whichever reads better
  QBrush masked_brush() const;                      // the diagonal hatch
  QBrush modelled_brush(const QColor& base) const;  // hatch for modelled quantities

  static double contrast(const QColor& a, const QColor& b);  // WCAG 2 ratio, 1..21

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

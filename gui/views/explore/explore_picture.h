// SPDX-License-Identifier: GPL-3.0-or-later
// ExplorePicture: a picture of what goes through the model: how it is laid out and drawn, and what
// is at each place. A place is a spot: a row and a column of a part of the picture. Immutable once
// it is made. Any thread.
#pragma once

#include <QPainter>
#include <QString>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gui/models/explore/explanation.h"
#include "gui/models/view_point.h"
#include "gui/widgets/picture_look.h"

namespace attn::gui {

struct Spot {
  int part = 0;
  int64_t row = -1, column = -1;  // -1: nowhere
  bool is_somewhere() const { return row >= 0; }
  bool operator==(const Spot&) const = default;
};

struct PictureFrame {
  PictureLook look;
  QFont words;        // font of tokens in running text
  QString title;      // title of an exported picture; empty: none
  QStringList marks;  // interventions, such as "head 4.2 off"; first those of the request
  // How many of `marks`, from the first on, are drawn in the window, too.
  qsizetype marks_in_window = 0;
  // Lines below the picture, such as checks with their residues.
  QStringList checks;
  // True: lines_of() wraps long texts, and hints for the window are left out.
  bool in_file = false;
};

class ExplorePicture {
 public:
  explicit ExplorePicture(PictureFrame frame) : frame_(std::move(frame)) {}
  virtual ~ExplorePicture() = default;

  // Height of the whole picture at this width, px. caption: with the title and all marks.
  double height(double width, bool caption) const;
  // Draws it at the top of `bounds`, over their whole width. `cursor` is the spot of the keyboard,
  // or nowhere.
  void paint(QPainter& painter, const QRectF& bounds, bool caption, const Spot& cursor) const;
  // The spot at a point, px from the upper left corner of the picture without caption.
  std::optional<Spot> at(const QPointF& point, double width) const;
  QRectF box_of(const Spot& spot, double width) const;  // empty: the picture has no such spot

  // What is at a spot: lines of the tooltip, numbers, and what can be selected.
  virtual QString words(const Spot& spot) const = 0;
  virtual std::vector<ViewPoint::Number> numbers(const Spot&) const { return {}; }
  virtual std::vector<SelectionState> things(const Spot&) const { return {}; }
  // What the inspector says about the spot; null: nothing.
  virtual std::shared_ptr<const Explanation> explain(const Spot&) const { return nullptr; }
  // The spot that the arrow keys lead to.
  virtual Spot moved(const Spot& from, int columns, int rows) const = 0;
  // The picture in words, as for screen readers.
  virtual QString sentence() const = 0;
  virtual std::string csv() const = 0;

  const PictureFrame& frame() const { return frame_; }

 protected:
  const PictureLook& look() const { return frame_.look; }
  // Returns as many lines as the text needs in a file, and one line, cut if need be, in the window.
  std::vector<QString> lines_of(const QFont& font, const QString& text, double width) const;
  // The picture without title, marks and checks. Points and boxes count from the upper left corner
  // of the content.
  virtual double content_height(double width) const = 0;
  virtual void paint_content(QPainter& painter, double width, const Spot& cursor) const = 0;
  virtual std::optional<Spot> content_at(const QPointF& point, double width) const = 0;
  virtual QRectF content_box(const Spot& spot, double width) const = 0;

 private:
  QStringList marks(bool caption) const;
  std::vector<QString> title_of(double width) const;
  double head_height(bool caption, double width) const;
  double foot_height(double width) const;
  double edge() const { return look().px(12); }
  PictureFrame frame_;
};

}  // namespace attn::gui

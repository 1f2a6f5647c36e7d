// SPDX-License-Identifier: GPL-3.0-or-later
// ExplorePicture: a picture of what goes through the model: its contents as plain data, how it is
// laid out and drawn, and what is at each place. Immutable once it is made, so exports draw it on
// another thread while the view goes on. A place is a spot: a row and a column of one of the
// picture's parts. Any thread.
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

// How the pictures look and what stands above and below them.
struct PictureFrame {
  PictureLook look;
  QFont words;        // of tokens in running text
  QString title;      // in exports: in place of the window's controls; empty: none
  QStringList marks;  // interventions of the request: "head 4.2 off"
  // Number of `marks`, from the first on, that the picture has in the window too; the window shows
  // the others in another place.
  qsizetype marks_in_window = 0;
  // Below the picture, a line each: which of its numbers must be equal, and how far they are apart
  // (the residue).
  QStringList checks;
  // In a file nobody can point at a text that is cut, or click: texts are wrapped, and what
  // belongs to the window is left out.
  bool in_file = false;
};

class ExplorePicture {
 public:
  explicit ExplorePicture(PictureFrame frame) : frame_(std::move(frame)) {}
  virtual ~ExplorePicture() = default;

  // Height of the whole picture, px, at this width. caption: with the title and all marks.
  double height(double width, bool caption) const;
  // Draws it into a rectangle of this width; what does not fit is cut below. cursor: the spot of
  // the keyboard, or nowhere.
  void paint(QPainter& painter, const QRectF& bounds, bool caption, const Spot& cursor) const;
  // The spot at a point, px from the upper left corner of the picture; nullopt: none.
  std::optional<Spot> at(const QPointF& point, double width) const;
  QRectF box_of(const Spot& spot, double width) const;  // empty: the picture has no such spot

  // What is at a spot: lines of the tooltip, also for screen readers; its numbers and what can be
  // selected there.
  virtual QString words(const Spot& spot) const = 0;
  virtual std::vector<ViewPoint::Number> numbers(const Spot&) const { return {}; }
  virtual std::vector<SelectionState> things(const Spot&) const { return {}; }
  // The explanation of what is at a spot, for the inspector; null: there is none.
  virtual std::shared_ptr<const Explanation> explain(const Spot&) const { return nullptr; }
  // The spot beside one, for the arrow keys; from nowhere the first one.
  virtual Spot moved(const Spot& from, int columns, int rows) const = 0;
  // The picture in one sentence, for screen readers.
  virtual QString sentence() const = 0;
  virtual std::string csv() const = 0;

  const PictureFrame& frame() const { return frame_; }

 protected:
  const PictureLook& look() const { return frame_.look; }
  // The lines of a text in this width: in a file as many as it needs, in the window one, cut.
  std::vector<QString> lines_of(const QFont& font, const QString& text, double width) const;
  // The content alone: the picture without title, marks and checks. Points and boxes count from the
  // upper left corner of the content.
  virtual double content_height(double width) const = 0;
  virtual void paint_content(QPainter& painter, double width, const Spot& cursor) const = 0;
  virtual std::optional<Spot> content_at(const QPointF& point, double width) const = 0;
  virtual QRectF content_box(const Spot& spot, double width) const = 0;

 private:
  QStringList marks(bool caption) const;
  double head_height(bool caption) const;
  double foot_height(double width) const;
  double edge() const { return look().px(12); }
  PictureFrame frame_;
};

}  // namespace attn::gui

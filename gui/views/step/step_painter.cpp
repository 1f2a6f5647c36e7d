// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/step/step_painter.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "gui/theme/theme.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/text/token_label.h"

namespace attn::gui {
namespace {

using Kind = StepPlace::Kind;

constexpr double kTokenTint = 0.2;  // share of the colour in the cell of a token
constexpr double kUsedTint = 0.45;  // share of the phase's colour in what the step writes
constexpr double kHeldTint = 0.28;  // share of grey in what was there before the step

class StepPicture {
  Q_DECLARE_TR_FUNCTIONS(Step)
 public:
  StepPicture(QPainter& painter, const StepScene& scene, const StepLayout& layout,
              const StepParts& parts, double top)
      : p_(painter),
        scene_(scene),
        look_(scene.look),
        colors_(scene.look.colors),
        layout_(layout),
        parts_(parts),
        top_(top) {}

  void title();
  void body();
  void legend();

 private:
  QColor phase(int64_t sequence) const {
    return scene_.is_prefill(sequence) ? colors_.prefill : colors_.decode;
  }
  void sequence(int64_t sequence, double bottom);
  void heads_of(int64_t sequence, const StepRows& rows);
  void place(const StepPlace& place, const QRectF& cell);
  void token(const StepPlace& place, const QRectF& box);
  void block(const StepPlace& place, const QRectF& box);
  void wide(const StepPlace& place, const QRectF& cell, const QString& text);
  void frame(const StepPlace& place, const QRectF& box);
  void number(const QRectF& box, const QString& text, const QColor& color);
  void small(const QRectF& box, const QString& text, const QColor& color, int align);
  void bytes(const StepBytes& bytes);
  void swatch(const QString& text, const QColor& color, bool hatched);

  QPainter& p_;
  const StepScene& scene_;
  const PictureLook& look_;
  const ThemeColors& colors_;
  const StepLayout& layout_;
  const StepParts& parts_;
  double top_;
  double x_ = 0;  // x of the next legend entry
};

void StepPicture::small(const QRectF& box, const QString& text, const QColor& color, int align) {
  p_.setFont(look_.small);
  p_.setPen(color);
  draw_line(p_, box, align | Qt::AlignVCenter, elided_text(look_.small, text, box.width()));
}

void StepPicture::number(const QRectF& box, const QString& text, const QColor& color) {
  p_.setFont(look_.mono);
  p_.setPen(color);
  draw_line(p_, box, Qt::AlignCenter, elided_text(look_.mono, text, box.width()));
}

void StepPicture::title() {
  if (parts_.title.isEmpty()) return;
  p_.setFont(look_.title_bold);
  p_.setPen(colors_.text);
  const QString text = tr("Step %1 of %2: %3")
                           .arg(scene_.facts->batch.step)
                           .arg(scene_.backend, step_sentence(scene_));
  draw_line(p_, parts_.title, Qt::AlignLeft | Qt::AlignVCenter,
            elided_text(look_.title_bold, text, parts_.title.width()));
}

void StepPicture::body() {
  p_.save();
  p_.setClipRect(parts_.body, Qt::IntersectClip);
  p_.translate(parts_.body.left(), parts_.body.top() - top_);
  const double bottom = top_ + parts_.body.height();
  for (const StepText& text : layout_.texts()) {
    if (text.box.bottom() < top_ || text.box.top() > bottom) continue;
    p_.setFont(text.heading ? look_.title_bold : look_.small);
    p_.setPen(colors_.text);
    draw_line(p_, text.box, Qt::AlignLeft | Qt::AlignVCenter, text.text);
  }
  const auto [first, end] = layout_.sequences_in(top_, bottom);
  for (int64_t s = first; s < end; ++s) sequence(s, bottom);
  for (const StepBytes& strip : layout_.bytes()) bytes(strip);
  for (const StepMaskPicture& picture : layout_.masks()) {
    if (picture.box.bottom() < top_ || picture.title.top() > bottom) continue;
    const std::vector<StepMask> masks = step_masks(*scene_.facts);
    small(picture.title, mask_title(*masks[static_cast<size_t>(picture.mask)].mask), colors_.muted,
          Qt::AlignLeft);
    paint_mask(p_, scene_, picture);
  }
  p_.restore();
}

void StepPicture::sequence(int64_t sequence, double bottom) {
  heads_of(sequence, layout_.rows_of(scene_, sequence));
  layout_.visit(scene_, sequence, top_, bottom,
                [this](const StepPlace& at, const QRectF& cell) { place(at, cell); });
}

void StepPicture::heads_of(int64_t sequence, const StepRows& rows) {
  const StepScene::Sequence& names = scene_.sequences[static_cast<size_t>(sequence)];
  const double bar = look_.px(4), gap = look_.px(6);
  const bool all_given = scene_.given_rows(sequence) == scene_.query_len(sequence);
  p_.fillRect(QRectF(0, rows.title.top() + 2, bar, rows.title.height() - 4),
              all_given ? colors_.muted : phase(sequence));
  p_.setFont(look_.small_bold);
  p_.setPen(colors_.text);
  const QString name =
      elided_text(look_.small_bold,
                  tr("%1: %2, %3")
                      .arg(sequence)
                      .arg(names.name, !scene_.is_prefill(sequence) ? tr("decode")
                                       : all_given ? tr("prefill of tokens without a query")
                                                   : tr("prefill")),
                  rows.title.width() / 2);
  const QRectF title = rows.title.adjusted(bar + gap, 0, 0, 0);
  draw_line(p_, title, Qt::AlignLeft | Qt::AlignVCenter, name);
  small(title.adjusted(text_width(look_.small_bold, name) + 2 * gap, 0, 0, 0),
        tr("context_len %1 + query_len %2 = seq_len %3")
            .arg(scene_.context_len(sequence))
            .arg(scene_.query_len(sequence))
            .arg(scene_.seq_len(sequence)),
        colors_.muted, Qt::AlignLeft);
  const QRectF first = layout_.rect_of(scene_, {Kind::kToken, sequence, 0});
  const QString start =
      QStringLiteral("query_start_loc[%1] = %2").arg(sequence).arg(scene_.first_row(sequence));
  const QRectF mark(first.left() + look_.px(8), rows.mark.top(),
                    rows.mark.right() - first.left() - look_.px(8), rows.mark.height());
  small(mark, start, colors_.text, Qt::AlignLeft);
  const double side = look_.px(5), middle = first.left() + look_.px(3);
  p_.setPen(Qt::NoPen);
  p_.setBrush(phase(sequence));
  const QPointF arrow[] = {{middle - side / 2, mark.bottom() - side - 1},
                           {middle + side / 2, mark.bottom() - side - 1},
                           {middle, mark.bottom() - 1}};
  p_.drawConvexPolygon(arrow, 3);
  const auto label = [&](const QRectF& box, const QString& field) {
    if (box.isEmpty()) return;
    small(box, field, colors_.muted, Qt::AlignLeft);
  };
  label(rows.table_label, QStringLiteral("block_tables[%1]").arg(sequence));
  label(rows.encoder_label,
        tr("cross_slot_mapping: the encoder's tokens, encoder_seq_lens[%1] = %2")
            .arg(sequence)
            .arg(scene_.encoder_tokens(sequence)));
  label(rows.cross_label, QStringLiteral("cross_block_tables[%1]").arg(sequence));
}

void StepPicture::place(const StepPlace& at, const QRectF& cell) {
  const QRectF box = cell.adjusted(0, 0, -2, 0);
  switch (at.kind) {
    case Kind::kContext:
      if (at.index == 0) wide(at, cell, tr("%1 cached").arg(scene_.context_len(at.sequence)));
      break;
    case Kind::kPadding:
      if (at.index == 0)
        wide(at, cell,
             tr("+%1 padding").arg(scene_.sequences[static_cast<size_t>(at.sequence)].padding));
      break;
    case Kind::kToken:
    case Kind::kEncoderToken:
      token(at, box);
      break;
    case Kind::kBlock:
    case Kind::kCrossBlock:
      block(at, box);
      break;
    case Kind::kNone:
      break;
  }
}

void StepPicture::wide(const StepPlace& at, const QRectF& cell, const QString& text) {
  QRectF box = cell.adjusted(0, 0, -2, 0);
  const double right = layout_.gutter() + static_cast<double>(layout_.columns()) * cell.width();
  box.setRight(std::min(cell.left() + 2 * cell.width(), right) - 2);
  const bool held = at.kind == Kind::kContext;
  p_.setPen(QPen(colors_.muted, look_.line(1), held ? Qt::SolidLine : Qt::DashLine));
  p_.setBrush(held ? QBrush(mix(colors_.surface, colors_.muted, kHeldTint)) : QBrush(Qt::NoBrush));
  p_.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
  small(box, text, colors_.text, Qt::AlignHCenter);
  frame({at.kind, at.sequence, 0}, box);
}

void StepPicture::token(const StepPlace& at, const QRectF& box) {
  const bool selected = scene_.is_selected(at) && scene_.selected.kind != SelectionKind::kBlock;
  const bool has_phase = at.kind == Kind::kToken && !scene_.is_given(at);
  const QColor hue = has_phase ? phase(at.sequence) : colors_.muted;
  const QColor ground = selected ? colors_.accent : mix(colors_.surface, hue, kTokenTint);
  const QColor ink = selected ? look_.text_on(ground) : colors_.text;
  p_.fillRect(box, ground);
  const double half = box.height() / 2;
  const QRectF upper(box.left() + 2, box.top(), box.width() - 4, half);
  const QRectF lower(box.left(), box.top() + half, box.width(), half);
  if (const TokenView* view = scene_.token(at))
    paint_token(p_, upper, token_text(view->text),
                {look_.mono, ink, selected ? ink : colors_.muted, Qt::AlignHCenter, false});
  const int64_t slot = scene_.slot(at);
  number(lower, slot < 0 ? QStringLiteral("−1") : QString::number(slot), ink);
  p_.fillRect(QRectF(box.left(), box.top() + half, box.width(), 1), colors_.surface);
  if (at.kind == Kind::kToken && box.left() < layout_.gutter() + layout_.cell() / 2)
    small(QRectF(0, box.top(), layout_.gutter() - look_.px(4), half),
          tr("row %1").arg(scene_.first_row(at.sequence) + at.index), colors_.muted,
          Qt::AlignRight);
  frame(at, box);
}

void StepPicture::block(const StepPlace& at, const QRectF& box) {
  const TableKind kind = at.kind == Kind::kCrossBlock ? TableKind::kCross : TableKind::kOwn;
  const int64_t used_entries = scene_.used_entries(at.sequence, kind);
  if (at.index >= used_entries) {
    const auto rest = static_cast<int64_t>(scene_.table(at.sequence, kind).size()) - used_entries;
    p_.setPen(QPen(colors_.muted, look_.line(1), Qt::DotLine));
    p_.setBrush(Qt::NoBrush);
    p_.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
    number(box, rest == 1 ? QStringLiteral("−1") : QStringLiteral("−1×%1").arg(rest),
           colors_.muted);
    return;
  }
  const int32_t block = scene_.block(at);
  const auto part = [&](int64_t keys) {
    return static_cast<double>(
               std::clamp<int64_t>(keys - at.index * scene_.block_size, 0, scene_.block_size)) /
           static_cast<double>(scene_.block_size);
  };
  const bool left = scene_.has_null_block && kind == TableKind::kOwn && block == 0;
  if (!left) {
    const double held = box.width() * part(scene_.keys_before(at.sequence, kind));
    const double used = box.width() * part(scene_.keys_after(at.sequence, kind));
    p_.fillRect(QRectF(box.left(), box.top(), held, box.height()),
                mix(colors_.surface, colors_.muted, kHeldTint));
    p_.fillRect(QRectF(box.left() + held, box.top(), used - held, box.height()),
                mix(colors_.surface, phase(at.sequence), kUsedTint));
  }
  p_.setPen(QPen(colors_.muted, look_.line(1), left ? Qt::DotLine : Qt::SolidLine));
  p_.setBrush(Qt::NoBrush);
  p_.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
  number(box, QString::number(block), left ? colors_.muted : colors_.text);
  frame(at, box);
}

void StepPicture::frame(const StepPlace& at, const QRectF& box) {
  const auto draw = [&](const QColor& color, double width) {
    p_.setPen(QPen(color, look_.line(width)));
    p_.setBrush(Qt::NoBrush);
    p_.drawRect(box.adjusted(1, 1, -1, -1));
  };
  if (scene_.is_selected(at)) draw(colors_.accent, 2);
  if (scene_.is_pointed(at)) draw(colors_.text, 1);
}

void StepPicture::bytes(const StepBytes& strip) {
  const CacheMap& map = *scene_.cache;
  for (size_t i = 0; i < strip.elements.size(); ++i) {
    const CacheElement& element = strip.elements[i];
    const QRectF box = layout_.cell_of(strip.cells, static_cast<int64_t>(i)).adjusted(0, 0, -2, 0);
    const bool own = element == scene_.element;
    const bool in_read = std::ranges::find(strip.read, element) != strip.read.end();
    const QColor ground = own       ? colors_.accent
                          : in_read ? mix(colors_.surface, colors_.accent, 0.25)
                                    : mix(colors_.surface, colors_.muted, 0.12);
    p_.fillRect(box, ground);
    const QColor ink = own ? look_.text_on(ground) : colors_.text;
    const double third = box.height() / 3;
    const auto line = [&](int at) {
      return QRectF(box.left(), box.top() + at * third, box.width(), third);
    };
    number(line(0), QStringLiteral("+%1").arg(map.byte_of(strip.half, element) - strip.first_byte),
           ink);
    number(line(1), QStringLiteral("s%1").arg(element.slot), ink);
    number(line(2),
           element.head == scene_.element.head
               ? QStringLiteral("d%1").arg(element.d)
               : QStringLiteral("h%1d%2").arg(element.head).arg(element.d),
           ink);
  }
}

void StepPicture::swatch(const QString& text, const QColor& color, bool hatched) {
  const double side = look_.px(12), gap = look_.px(6);
  const double width = side + gap + text_width(look_.small, text);
  if (x_ + width > parts_.legend.right()) return;
  const QRectF box(x_, parts_.legend.center().y() - side / 2, side, side);
  if (hatched) {
    p_.setPen(QPen(colors_.muted, look_.line(1), Qt::DotLine));
    p_.setBrush(Qt::NoBrush);
    p_.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
  } else {
    p_.fillRect(box, color);
  }
  small(QRectF(box.right() + gap, parts_.legend.top(), width, parts_.legend.height()), text,
        colors_.muted, Qt::AlignLeft);
  x_ += width + look_.px(16);
}

void StepPicture::legend() {
  if (parts_.legend.isEmpty()) return;
  x_ = parts_.legend.left();
  const AttentionMetadata& metadata = scene_.metadata();
  const int64_t given = scene_.given_rows();
  if (metadata.num_prefill_tokens > given)
    swatch(tr("new token of a prefill, above its slot"),
           mix(colors_.surface, colors_.prefill, kUsedTint), false);
  if (metadata.num_decode_tokens > 0)
    swatch(tr("new token of a decode, above its slot"),
           mix(colors_.surface, colors_.decode, kUsedTint), false);
  if (given > 0)
    swatch(tr("new token without a query, above its slot"),
           mix(colors_.surface, colors_.muted, kTokenTint), false);
  swatch(tr("in the cache before the step"), mix(colors_.surface, colors_.muted, kHeldTint), false);
  swatch(tr("not used"), colors_.muted, true);
}

}  // namespace

StepParts parts_of(const StepScene& scene, const QRectF& bounds) {
  const double edge = scene.look.px(8), row = scene.look.px(24);
  StepParts parts;
  parts.body = bounds.adjusted(edge, edge / 2, -edge, 0);
  if (scene.caption) {
    parts.title = QRectF(parts.body.left(), bounds.top() + edge, parts.body.width(), row);
    parts.body.setTop(parts.title.bottom() + edge / 2);
  }
  if (parts.body.height() < 6 * row) return parts;
  parts.legend = QRectF(parts.body.left(), bounds.bottom() - row, parts.body.width(), row);
  parts.body.setBottom(parts.legend.top() - 1);
  return parts;
}

double whole_height(const StepScene& scene, const StepLayout& layout) {
  constexpr double kSheet = 100000;
  const StepParts parts = parts_of(scene, QRectF(0, 0, kSheet, kSheet));
  return std::ceil(kSheet - parts.body.height() + layout.height());
}

void paint_step(QPainter& painter, const StepScene& scene, const StepLayout& layout,
                const StepParts& parts, double top) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  StepPicture picture(painter, scene, layout, parts, top);
  picture.title();
  picture.body();
  picture.legend();
  painter.restore();
}

}  // namespace attn::gui

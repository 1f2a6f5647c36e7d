// SPDX-License-Identifier: GPL-3.0-or-later
// Compares a picture with the committed one: pixel by pixel with the same Qt and fonts
// (match_pictures), more coarsely with others (match_shapes). committed_form() makes the committed
// one.
#pragma once

#include <QColor>
#include <QImage>
#include <QString>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

namespace attn::gui::test {

// Allowed difference of a channel. Committed pictures are rounded by up to kChannelStep, and
// processors or compilers smooth text edges differently.
inline constexpr int kChannelSlack = 12;
// A committed picture keeps its kExactColors most frequent colours. The channels of the others are
// rounded in steps of kChannelStep, or of twice that if more than 256 colours would be left.
inline constexpr size_t kExactColors = 64;
inline constexpr int kChannelStep = 8;
inline constexpr double kStraysPerDigit = 24;

// Limits for another Qt or other fonts, at scale 1: text behind a wider text moves by up to kReach
// px, and letters have other edges.
inline constexpr double kReach = 4;
inline constexpr int kShapeSlack = 48;
inline constexpr double kStraysOfShapes = 160;
inline constexpr double kSquare = 24;  // side of a square, px
inline constexpr double kStraysPerSquare = 48;

struct PictureMatch {
  int64_t strays = 0;       // pixels that differ too much
  int64_t most_strays = 0;  // strays in the square that has the most
  int largest = 0;          // largest difference of a channel
  QImage difference;        // the actual picture in dark grey, the strays in magenta
  QString trouble;          // empty: it matches the committed picture
};

inline int channel_distance(QRgb p, QRgb q) {
  return std::max({std::abs(qRed(p) - qRed(q)), std::abs(qGreen(p) - qGreen(q)),
                   std::abs(qBlue(p) - qBlue(q))});
}

template <class IsStray>
PictureMatch find_strays(const QImage& a, const QImage& b, int side, IsStray&& is_stray) {
  PictureMatch match;
  if (b.isNull() || a.size() != b.size()) {
    match.trouble = QStringLiteral("it is %1x%2, not %3x%4")
                        .arg(a.width())
                        .arg(a.height())
                        .arg(b.width())
                        .arg(b.height());
    return match;
  }
  match.difference = QImage(a.size(), QImage::Format_RGB32);
  const auto width = static_cast<size_t>(a.width()) + 1;
  // Number of strays above and to the left of each pixel; four of these numbers give the strays of
  // a square.
  std::vector<int64_t> before(width * (static_cast<size_t>(a.height()) + 1));
  const auto at = [&](int x, int y) -> int64_t& {
    return before[static_cast<size_t>(y) * width + static_cast<size_t>(x)];
  };
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) {
      const QRgb p = a.pixel(x, y);
      match.largest = std::max(match.largest, channel_distance(p, b.pixel(x, y)));
      const bool stray = is_stray(x, y);
      const int grey = qGray(p) / 3;
      match.difference.setPixel(x, y, stray ? qRgb(255, 0, 255) : qRgb(grey, grey, grey));
      at(x + 1, y + 1) = at(x + 1, y) + at(x, y + 1) - at(x, y) + stray;
      const int left = std::max(0, x + 1 - side), top = std::max(0, y + 1 - side);
      match.most_strays = std::max(
          match.most_strays, at(x + 1, y + 1) - at(left, y + 1) - at(x + 1, top) + at(left, top));
    }
  match.strays = before.back();
  return match;
}

// digits: how many numbers in the picture may have another last digit.
inline PictureMatch match_pictures(const QImage& actual, const QImage& expected, double scale,
                                   int digits = 1) {
  const QImage a = actual.convertToFormat(QImage::Format_RGB32),
               b = expected.convertToFormat(QImage::Format_RGB32);
  PictureMatch match = find_strays(a, b, 1, [&](int x, int y) {
    return channel_distance(a.pixel(x, y), b.pixel(x, y)) > kChannelSlack;
  });
  const auto allowed = static_cast<int64_t>(kStraysPerDigit * digits * scale * scale);
  if (match.trouble.isEmpty() && match.strays > allowed)
    match.trouble = QStringLiteral("%1 pixels are off by more than %2, %3 may be; the most is %4")
                        .arg(match.strays)
                        .arg(kChannelSlack)
                        .arg(allowed)
                        .arg(match.largest);
  return match;
}

// For pictures made with different Qt or fonts. A pixel that differs is a stray unless each picture
// has nearby a pixel similar to that of the other one. text: see Subject (view_stage.h).
inline PictureMatch match_shapes(const QImage& actual, const QImage& expected, double scale,
                                 double text = 1) {
  const QImage a = actual.convertToFormat(QImage::Format_RGB32),
               b = expected.convertToFormat(QImage::Format_RGB32);
  const int reach = static_cast<int>(std::lround(kReach * scale));
  const auto is_near = [reach](QRgb color, const QImage& picture, int x, int y) {
    for (int v = std::max(0, y - reach); v <= std::min(picture.height() - 1, y + reach); ++v)
      for (int u = std::max(0, x - reach); u <= std::min(picture.width() - 1, x + reach); ++u)
        if (channel_distance(color, picture.pixel(u, v)) <= kShapeSlack) return true;
    return false;
  };
  PictureMatch match =
      find_strays(a, b, static_cast<int>(std::lround(kSquare * scale)), [&](int x, int y) {
        const QRgb p = a.pixel(x, y), q = b.pixel(x, y);
        return channel_distance(p, q) > kShapeSlack &&
               !(is_near(p, b, x, y) && is_near(q, a, x, y));
      });
  const auto allowed = static_cast<int64_t>(text * kStraysOfShapes * scale * scale),
             in_square = static_cast<int64_t>(kStraysPerSquare * scale * scale);
  if (match.trouble.isEmpty() && (match.strays > allowed || match.most_strays > in_square))
    match.trouble =
        QStringLiteral("%1 pixels have nothing like them near, %2 may; in one square %3, %4 may")
            .arg(match.strays)
            .arg(allowed)
            .arg(match.most_strays)
            .arg(in_square);
  return match;
}

inline QImage coarse_form(const QImage& picture, int step) {
  QImage coarse = picture.convertToFormat(QImage::Format_RGB32);
  coarse.setDevicePixelRatio(1);
  const auto each_pixel = [&coarse](auto&& visit) {
    for (int y = 0; y < coarse.height(); ++y)
      for (int x = 0; x < coarse.width(); ++x) visit(x, y, coarse.pixel(x, y));
  };
  std::map<QRgb, int64_t> counts;
  each_pixel([&](int, int, QRgb color) { ++counts[color]; });
  std::vector<std::pair<int64_t, QRgb>> often;
  for (const auto& [color, count] : counts) often.emplace_back(-count, color);
  std::sort(often.begin(), often.end());
  often.resize(std::min(often.size(), kExactColors));
  std::map<QRgb, uchar> index;
  for (const auto& [count, color] : often) index.try_emplace(color);
  const std::map<QRgb, uchar> exact = index;
  const auto nearest = [step](int value) {
    return std::min(255, (value + step / 2) / step * step);
  };
  each_pixel([&](int x, int y, QRgb pixel) {
    if (exact.contains(pixel)) return;
    const QRgb color = qRgb(nearest(qRed(pixel)), nearest(qGreen(pixel)), nearest(qBlue(pixel)));
    coarse.setPixel(x, y, color);
    if (index.size() <= 256) index.try_emplace(color);
  });
  if (index.size() > 256) return coarse.convertToFormat(QImage::Format_RGB888);
  QList<QRgb> table;
  for (auto& [color, place] : index) {
    place = static_cast<uchar>(table.size());
    table.append(color);
  }
  QImage indexed(coarse.size(), QImage::Format_Indexed8);
  indexed.setColorTable(table);
  for (int y = 0; y < coarse.height(); ++y)
    for (int x = 0; x < coarse.width(); ++x) indexed.scanLine(y)[x] = index.at(coarse.pixel(x, y));
  return indexed;
}

inline QImage committed_form(const QImage& picture) {
  QImage form = coarse_form(picture, kChannelStep);
  return form.colorCount() > 0 ? form : coarse_form(picture, 2 * kChannelStep);
}

}  // namespace attn::gui::test

// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a picture is the committed one. With the Qt and the fonts that the committed pictures
// were made with, every pixel may be off by a little and a few may be off by much (match_pictures).
// With others letters have other edges and widths: then everything must be there, about where it
// was, in its colours (match_shapes). What is allowed, and why, stands with the numbers.
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

// Of 255, in each channel. The committed picture is off by up to 8 itself (kChannelStep), and what
// smooths the edges of text rounds differently on another processor or compiler.
inline constexpr int kChannelSlack = 12;
// A committed picture has its most frequent colours as they are; the channels of the others, which
// are the edges of text, are multiples of this, or of twice this where there were more than 256
// colours otherwise: files are then a third as large.
inline constexpr size_t kExactColors = 64;
inline constexpr int kChannelStep = 8;
// Pixels beyond the slack, at scale 1: less than one digit of small text. A weight of 0.12345 may
// round to another last digit on a processor that adds in another order; the shortest label has
// three letters.
inline constexpr double kStraysPerDigit = 24;

// With another Qt or other fonts: how far, at scale 1, a text has moved that follows a wider one;
// how alike the colours of two letters' edges are; and the pixels of letters that are formed anew.
inline constexpr double kReach = 3;
inline constexpr int kShapeSlack = 32;
inline constexpr double kStraysOfShapes = 24;

struct PictureMatch {
  int64_t strays = 0;  // pixels beyond what is allowed
  int largest = 0;     // difference of a channel
  QImage difference;   // the actual picture, faint, with the strays in magenta
  QString trouble;     // empty: it is the committed one
};

// The largest difference of a channel.
inline int channel_distance(QRgb p, QRgb q) {
  return std::max({std::abs(qRed(p) - qRed(q)), std::abs(qGreen(p) - qGreen(q)),
                   std::abs(qBlue(p) - qBlue(q))});
}

// The comparison that both have in common: is_stray(x, y) of every pixel, `allowed` of them.
template <class IsStray>
PictureMatch count_strays(const QImage& a, const QImage& b, int64_t allowed, const char* stray_is,
                          IsStray&& is_stray) {
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
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) {
      const QRgb p = a.pixel(x, y);
      match.largest = std::max(match.largest, channel_distance(p, b.pixel(x, y)));
      const bool stray = is_stray(x, y);
      match.strays += stray;
      const int grey = qGray(p) / 3;
      match.difference.setPixel(x, y, stray ? qRgb(255, 0, 255) : qRgb(grey, grey, grey));
    }
  if (match.strays > allowed)
    match.trouble = QStringLiteral("%1 pixels %2, %3 may be; the largest difference is %4")
                        .arg(match.strays)
                        .arg(QLatin1String(stray_is))
                        .arg(allowed)
                        .arg(match.largest);
  return match;
}

// digits: how many of its numbers may end otherwise.
inline PictureMatch match_pictures(const QImage& actual, const QImage& expected, double scale,
                                   int digits = 1) {
  const QImage a = actual.convertToFormat(QImage::Format_RGB32),
               b = expected.convertToFormat(QImage::Format_RGB32);
  return count_strays(a, b, static_cast<int64_t>(kStraysPerDigit * digits * scale * scale),
                      "are off by more than the slack", [&](int x, int y) {
                        return channel_distance(a.pixel(x, y), b.pixel(x, y)) > kChannelSlack;
                      });
}

// With another Qt or other fonts. A pixel is a stray where nothing like it is near: in the expected
// picture what is drawn, or in the actual one what was expected.
inline PictureMatch match_shapes(const QImage& actual, const QImage& expected, double scale) {
  const QImage a = actual.convertToFormat(QImage::Format_RGB32),
               b = expected.convertToFormat(QImage::Format_RGB32);
  const int reach = static_cast<int>(std::lround(kReach * scale));
  const auto is_near = [reach](QRgb color, const QImage& picture, int x, int y) {
    for (int v = std::max(0, y - reach); v <= std::min(picture.height() - 1, y + reach); ++v)
      for (int u = std::max(0, x - reach); u <= std::min(picture.width() - 1, x + reach); ++u)
        if (channel_distance(color, picture.pixel(u, v)) <= kShapeSlack) return true;
    return false;
  };
  return count_strays(a, b, static_cast<int64_t>(kStraysOfShapes * scale * scale),
                      "have nothing like them near", [&](int x, int y) {
                        const QRgb p = a.pixel(x, y), q = b.pixel(x, y);
                        return channel_distance(p, q) > kShapeSlack &&
                               !(is_near(p, b, x, y) && is_near(q, a, x, y));
                      });
}

// The colours of most pixels as they are, of the others the channels as multiples of `step`.
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

// As it is committed.
inline QImage committed_form(const QImage& picture) {
  QImage form = coarse_form(picture, kChannelStep);
  return form.colorCount() > 0 ? form : coarse_form(picture, 2 * kChannelStep);
}

}  // namespace attn::gui::test

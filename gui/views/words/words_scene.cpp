// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/words/words_scene.h"

#include <fmt/format.h>

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cctype>
#include <cmath>

#include "engine/core/utf8.h"
#include "engine/session/report/report.h"
#include "gui/widgets/text/rule_words.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/text/token_label.h"

namespace attn::gui {
namespace {

struct SceneWords {
  Q_DECLARE_TR_FUNCTIONS(Words)
};

bool is_unseen(int32_t code) {
  const auto category = QChar::category(static_cast<char32_t>(code));
  return category == QChar::Other_Control || category == QChar::Other_Format ||
         (code != ' ' && is_white_space(code));
}

}  // namespace

const float* RowWeights::at(const WordPlace& place) const {
  if (place.of_encoder != of_encoder || place.token < 0 ||
      place.token >= static_cast<int64_t>(of.size()))
    return nullptr;
  return &of[static_cast<size_t>(place.token)];
}

bool RowWeights::has_nan() const {
  return std::ranges::any_of(of, [](float weight) { return std::isnan(weight); });
}

int64_t WordsScene::count(bool of_encoder) const {
  const Tokens& all = of_encoder ? encoder_tokens : tokens;
  return all ? static_cast<int64_t>(all->size()) : 0;
}

const TokenView* WordsScene::token(const WordPlace& place) const {
  if (place.token < 0 || place.token >= count(place.of_encoder)) return nullptr;
  return &(*(place.of_encoder ? encoder_tokens : tokens))[static_cast<size_t>(place.token)];
}

int64_t WordsScene::generated() const {
  return std::max<int64_t>(0, count(false) - prompt_len);
}

QString escaped_token(const std::string& utf8) {
  QString out(QLatin1Char('"'));
  const bool is_long = utf8.size() > kMostShownBytes;
  std::string_view rest(utf8.data(), is_long ? whole_chars(utf8, kMostShownBytes) : utf8.size());
  while (!rest.empty()) {
    const Utf8Char next = first_char(rest);
    const std::string_view bytes = rest.substr(0, next.bytes);
    rest.remove_prefix(next.bytes);
    if (next.code < 0) {
      out += QString::asprintf("\\x%02x", static_cast<unsigned char>(bytes[0]));
    } else if (next.code == '\n') {
      out += QStringLiteral("\\n");
    } else if (next.code == '\t') {
      out += QStringLiteral("\\t");
    } else if (next.code == '\r') {
      out += QStringLiteral("\\r");
    } else if (next.code == '"' || next.code == '\\') {
      out += QLatin1Char('\\') + QString(QChar(static_cast<char16_t>(next.code)));
    } else if (is_unseen(next.code)) {
      out += QString::asprintf("\\u{%x}", static_cast<unsigned>(next.code));
    } else {
      out += QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
    }
  }
  out += QLatin1Char('"');
  return is_long ? out + QChar(u'\u2026') : out;
}

bool is_byte_token(const std::string& utf8) {
  const auto is_hex = [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; };
  return utf8.size() == 6 && utf8.starts_with("<0x") && utf8[5] == '>' && is_hex(utf8[3]) &&
         is_hex(utf8[4]);
}

QString word_tooltip(const WordsScene& scene, const WordPlace& place) {
  const TokenView* token = scene.token(place);
  if (!token) return {};
  QStringList lines;
  lines += (place.of_encoder            ? SceneWords::tr("token %1 of the encoder's input")
            : scene.is_generated(place) ? SceneWords::tr("token %1, generated")
                                        : SceneWords::tr("token %1, of the prompt"))
               .arg(place.token);
  lines += SceneWords::tr("id %1, text %2").arg(token->id).arg(escaped_token(token->text));
  if (is_byte_token(token->text)) lines += SceneWords::tr("one byte of the text");
  if (const float* weight = scene.weights ? scene.weights->at(place) : nullptr)
    lines += SceneWords::tr("weight %1, with which token %2 reads it (layer %3, head %4)")
                 .arg(format_number(*weight))
                 .arg(scene.weights->query)
                 .arg(layer_words(scene.weights->layer, scene.in_encoder))
                 .arg(scene.weights->head);
  return lines.join(QLatin1Char('\n'));
}

QString words_sentence(const WordsScene& scene) {
  QStringList parts;
  if (scene.encoder_tokens)
    parts += counted(scene.count(true), SceneWords::tr("1 token of the encoder's input"),
                     SceneWords::tr("%1 tokens of the encoder's input"));
  const int64_t given = std::min(scene.prompt_len, scene.count(false));
  parts += scene.encoder_tokens
               ? counted(given, SceneWords::tr("1 token with which the decoder begins"),
                         SceneWords::tr("%1 tokens with which the decoder begins"))
               : counted(given, SceneWords::tr("1 token of the prompt"),
                         SceneWords::tr("%1 tokens of the prompt"));
  parts +=
      counted(scene.generated(), SceneWords::tr("1 generated"), SceneWords::tr("%1 generated"));
  return parts.join(QStringLiteral(", "));
}

std::string words_csv(const WordsScene& scene) {
  std::string out = "request,name,part,position,token,text\n";
  const std::string name = csv_cell(scene.request_name.toStdString());
  for (const bool of_encoder : {true, false})
    for (int64_t at = 0; at < scene.count(of_encoder); ++at) {
      const WordPlace place{of_encoder, at};
      const char* part = of_encoder                  ? "encoder"
                         : scene.is_generated(place) ? "generated"
                                                     : "prompt";
      const TokenView& token = *scene.token(place);
      out += fmt::format("{},{},{},{},{},{}\n", scene.request, name, part, at, token.id,
                         csv_cell(token.text));
    }
  return out;
}

}  // namespace attn::gui

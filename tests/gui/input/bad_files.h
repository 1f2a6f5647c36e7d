// SPDX-License-Identifier: GPL-3.0-or-later
// BadFiles: files and folders of many kinds that the window refuses; some do not exist.
#pragma once

#include <sys/stat.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <functional>
#include <string>
#include <vector>

#include "engine/lesson/results/handout.h"
#include "engine/lesson/results/result.h"
#include "engine/session/scenario/scenario.h"
#include "tests/gui/run_helpers.h"
#include "tests/support/session_chunks.h"
#include "tests/support/tensor_files.h"

namespace attn::gui::test {

class BadFiles {
 public:
  explicit BadFiles(const QByteArray& session) : session_(session.toStdString()) {
    add_scenarios();
    add_tensors();
    add_sessions();
    add_folders();
    add_models();
    add_lessons();
  }

  int num_kinds() const { return static_cast<int>(kinds_.size()); }
  // Returns the path of a bad file or folder, and makes it unless it must not exist. The kinds take
  // turns by `number`.
  QString make(int number) {
    name_ = QStringLiteral("bad%1-").arg(number);
    return kinds_[static_cast<size_t>(number) % kinds_.size()]();
  }

 private:
  using Kind = std::function<QString()>;

  void add_scenarios() {
    const auto json = [this](const char* text) {
      kinds_.push_back([this, text] { return write(QStringLiteral(".json"), text); });
    };
    kinds_.push_back([this] { return write(QStringLiteral(".json"), noise(500)); });
    json(R"({"version": 1, "requests": [{"prompt")");
    json(R"({"version": 1, "engin": {}})");
    json(R"({"version": 1, "source": {"model": "no-such-model"},
             "requests": [{"prompt": "a", "max_tokens": 2}]})");
    json(R"({"version": 1, "source": {"tensors": {"file": "none.safetensors"}},
             "requests": [{"prompt_tokens": 4, "max_tokens": 1}]})");
    // One of the keys is misspelt.
    kinds_.push_back([this] {
      std::string text = to_json(synthetic_scenario(20, 3));
      std::vector<size_t> ends;
      for (size_t at = text.find("\":"); at != std::string::npos; at = text.find("\":", at + 1))
        ends.push_back(at);
      text.insert(ends[below(ends.size())], "x");
      return write(QStringLiteral(".json"), text);
    });
    kinds_.push_back([this] { return write(QStringLiteral(".json"), std::string(200'000, '[')); });
    kinds_.push_back([this] { return path(QStringLiteral(".json")); });  // there is no such file
    kinds_.push_back([this] {
      QFile::link(path(QStringLiteral("nowhere")), path(QStringLiteral(".json")));
      return path(QStringLiteral(".json"));
    });
    kinds_.push_back([this] { return write(QStringLiteral(".bin"), noise(100'000)); });
    kinds_.push_back([this] { return pipe(QStringLiteral(".json")); });
  }

  void add_tensors() {
    kinds_.push_back([this] { return write(QStringLiteral(".npy"), "\x93NUMPY" + noise(300)); });
    kinds_.push_back([this] { return array(QStringLiteral("_k.npy"), "<f4"); });
    kinds_.push_back([this] { return array(QStringLiteral(".npy"), "<c16"); });
    kinds_.push_back([this] { return write(QStringLiteral(".safetensors"), noise(400)); });
    kinds_.push_back([this] {
      return write(QStringLiteral(".safetensors"), std::string("\xff\xff\xff\x7f\0\0\0\0{", 9));
    });
    for (const char* header :
         {R"({"query":{"dtype":"F32","shape":[2,8,32],"data_offsets":[0,2048]}})",
          R"({"query":{"dtype":"F99","shape":[2],"data_offsets":[0,8]}})",
          R"({"query":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},
              "key":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})"})
      kinds_.push_back([this, header = std::string(header)] {
        std::string bytes(8, '\0');
        attn::test::set_number(bytes, 0, header.size(), 8);
        return write(QStringLiteral(".safetensors"), bytes + header + std::string(12, '\1'));
      });
  }

  void add_sessions() {
    const QString suffix = QStringLiteral(".attn-session");
    kinds_.push_back([this, suffix] { return write(suffix, noise(2000)); });
    kinds_.push_back([this, suffix] {
      const size_t eighths = 1 + below(7);
      return write(suffix, session_.substr(0, session_.size() * eighths / 8));
    });
    kinds_.push_back([this, suffix] {
      std::string changed = session_;
      char& byte = changed[below(changed.size())];
      byte = static_cast<char>(byte ^ 0x40);
      return write(suffix, changed);
    });
    kinds_.push_back([this, suffix] {
      attn::test::Chunks chunks(session_);
      constexpr ChunkKind kCounted[] = {ChunkKind::kScenario, ChunkKind::kRun, ChunkKind::kTokens,
                                        ChunkKind::kRequests, ChunkKind::kSteps};
      std::string& part = chunks.of(kCounted[below(std::size(kCounted))]);
      part.resize(part.size() / 2);
      return write(suffix, chunks.whole());
    });
    kinds_.push_back([this, suffix] { return pipe(suffix); });
  }

  void add_folders() {
    kinds_.push_back([this] { return folder(); });
    kinds_.push_back([this] { return folder_with(QStringLiteral("config.json"), "{}"); });
    kinds_.push_back([this] { return folder_with(QStringLiteral("q.npy"), noise(100)); });
    kinds_.push_back([this] { return folder_with(QStringLiteral("anna.csv"), noise(300)); });
    kinds_.push_back([this] {  // a model without weights
      const QString made = folder();
      copy_of_model(made, QStringLiteral("config.json"));
      copy_of_model(made, QStringLiteral("tokenizer.json"));
      return made;
    });
    for (const int damage : {0, 1, 2})
      kinds_.push_back([this, damage] {
        const QString made = folder();
        copy_of_model(made, QStringLiteral("config.json"));
        QFile::link(model_file(QStringLiteral("model.safetensors")),
                    made + QStringLiteral("/model.safetensors"));
        std::string text =
            attn::test::read_bytes(model_file(QStringLiteral("tokenizer.json")).toStdString());
        if (damage == 0)
          text.replace(text.find("\"BPE\""), 5, "\"BPX\"");
        else if (damage == 1)
          text.resize(1 + below(text.size() - 1));
        else
          text = noise(1000);
        attn::test::write_bytes((made + QStringLiteral("/tokenizer.json")).toStdString(), text);
        return made;
      });
  }

  void add_models() {
    const QString suffix = QStringLiteral(".gguf");
    kinds_.push_back([this, suffix] { return write(suffix, noise(2000)); });
    kinds_.push_back([this, suffix] { return write(suffix, "GGUF" + noise(2000)); });
    kinds_.push_back(
        [this, suffix] { return write(suffix, gguf_.substr(0, below(gguf_.size() - 1))); });
    // A bit of the version or of the counts of tensors or keys is flipped.
    kinds_.push_back([this, suffix] {
      std::string changed = gguf_;
      char& byte = changed[4 + below(20)];
      byte = static_cast<char>(byte ^ 0x40);
      return write(suffix, changed);
    });
  }

  void add_lessons() {
    const QString lesson = QStringLiteral(".md"), results = QStringLiteral(".csv");
    kinds_.push_back([this, lesson] { return write(lesson, noise(3000)); });
    kinds_.push_back([this, lesson] {
      std::string text = lesson::skeleton("bad", "A bad lesson");
      text.replace(text.find(":::predict"), 10, ":::predcit");
      return write(lesson, text);
    });
    kinds_.push_back([this, lesson] {
      const std::string text = lesson::skeleton("bad", "A bad lesson");
      return write(lesson, text.substr(0, below(text.size() / 2)));
    });
    kinds_.push_back([this, lesson] { return path(lesson); });
    kinds_.push_back([this, results] { return write(results, noise(3000)); });
    kinds_.push_back([this, results] {
      return write(results, lesson::results_csv({}) + "prediction,Anna,\"the");
    });
    kinds_.push_back([this, results] { return write(results, lesson::results_csv({})); });
    kinds_.push_back([this, results] { return path(results); });
  }

  size_t below(size_t bound) { return random_.bounded(static_cast<quint32>(bound)); }

  // ASCII and 0xFF: a message quotes some of the bytes, and Qt warns of letters that no font has.
  std::string noise(size_t size) {
    std::string bytes(size, '\0');
    for (char& byte : bytes) {
      const size_t value = below(160);
      byte = static_cast<char>(value < 128 ? value : 0xFF);
    }
    return bytes;
  }
  QString path(const QString& end) const { return place_.filePath(name_ + end); }
  QString write(const QString& end, const std::string& bytes) {
    attn::test::write_bytes(path(end).toStdString(), bytes);
    if (QFileInfo(path(end)).size() != static_cast<qint64>(bytes.size()))
      qFatal("cannot write %s", qPrintable(path(end)));
    return path(end);
  }
  QString array(const QString& end, const char* descr) {
    attn::test::write_npy(path(end).toStdString(), attn::test::random_tensor({2, 8, 32}, 1), descr);
    return path(end);
  }
  // Nobody writes into this pipe, so opening it to read can wait for ever.
  QString pipe(const QString& end) {
    if (::mkfifo(path(end).toLocal8Bit().constData(), 0600) != 0) qFatal("cannot make a pipe");
    return path(end);
  }
  QString folder() {
    QDir(place_.path()).mkdir(name_);
    return path({});
  }
  QString folder_with(const QString& file, const std::string& bytes) {
    QString made = folder();
    attn::test::write_bytes((made + QLatin1Char('/') + file).toStdString(), bytes);
    return made;
  }
  static QString model_file(const QString& file) {
    return QString::fromStdString(
               (assets_folder() / "models" / shipped_models().front()).string()) +
           QLatin1Char('/') + file;
  }
  static void copy_of_model(const QString& to, const QString& file) {
    QFile::copy(model_file(file), to + QLatin1Char('/') + file);
  }

  std::vector<Kind> kinds_;
  QTemporaryDir place_;
  QRandomGenerator random_{17};
  std::string session_;
  const std::string gguf_ =
      attn::test::read_bytes(std::string(ATTN_SOURCE_DIR) + "/tests/golden/gguf/llama.gguf");
  QString name_;
};

}  // namespace attn::gui::test

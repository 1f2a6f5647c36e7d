// SPDX-License-Identifier: GPL-3.0-or-later
// Figures and arrays for papers: options of `run`, their refused values, and the window's dialog.
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLineEdit>
#include <QMenu>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <cmath>
#include <cstring>
#include <set>

#include "backends/register_all.h"
#include "engine/core/error.h"
#include "engine/model/files/npy.h"
#include "engine/model/files/safetensors.h"
#include "gui/app/headless/headless.h"
#include "gui/app/window/figure_dialog.h"
#include "gui/theme/theme.h"
#include "gui/widgets/color_map.h"
#include "tests/gui/qt_test_main.h"
#include "tests/gui/run_helpers.h"
#include "tests/gui/window/window_fixture.h"

using namespace attn;
using namespace attn::gui;
using namespace attn::gui::test;

class TestFigure : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    register_all_backends();
    Theme::instance().set_mode(ThemeMode::kLight);
    Scenario scenario = synthetic_scenario(30, 2);
    scenario.requests.push_back(scenario.requests[0]);
    scenario.requests[1].name = "Bea";
    scenario.requests[1].prompt_tokens = 20;
    QFile file(path("two.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(to_json(scenario)));
  }
  void init() { fail_on_warnings(); }

  void a_run_writes_the_figure_that_was_asked_for() {
    run({"--request", "Bea", "--layer", "1", "--head", "3", "--colormap", "magma", "--width", "85",
         "--dpi", "300", "--arrays", "npy,safetensors"});
    const QImage picture(path("out/heatmap.png"));
    QCOMPARE(picture.width(), static_cast<int>(std::lround(85 / 25.4 * 300)));
    QCOMPARE(picture.dotsPerMeterX(), 11811);
    const QByteArray svg = read("out/heatmap.svg"), pdf = read("out/heatmap.pdf");
    QVERIFY(svg.contains("width=\"85.000mm\""));
    QVERIFY(svg.contains("Bea: attention weights, layer 1, head 3"));
    QVERIFY(svg.contains("row sum") && svg.contains(">weight<"));
    const auto box = QRegularExpression(QStringLiteral(R"(/MediaBox \[0 0 ([0-9.]+) )"))
                         .match(QString::fromLatin1(pdf));
    QVERIFY(std::abs(box.captured(1).toDouble() - 85 / 25.4 * 72) < 0.01);
    QVERIFY(pdf.contains("/FontFile2"));
    // Query 0, key 0 has the weight 1, so the brightest colour.
    QVERIFY(svg.contains(QColor(color_table(ColorMapId::kMagma)[255]).name().toLatin1()));

    const Tensor array = NpyFile::open(path("out/heatmap.npy").toStdString()).read();
    QVERIFY(array.shape() == (Shape{21, 21}));
    const SafetensorsFile file =
        SafetensorsFile::open(path("out/heatmap.safetensors").toStdString());
    const Tensor same = file.read("weights");
    QVERIFY(same.shape() == array.shape());
    QCOMPARE(std::memcmp(same.raw(), array.raw(), array.bytes()), 0);
    QCOMPARE(array.data<float>()[0], 1.0f);
    QCOMPARE(array.data<float>()[1], 0.0f);  // key 1 is masked
    double sum = 0;
    for (int k = 0; k < 21; ++k) sum += static_cast<double>(array.data<float>()[20 * 21 + k]);
    QVERIFY(std::abs(sum - 1) < 1e-4);
    QVERIFY(read("out/manifest.json").contains("heatmap.npy"));
    QCOMPARE(file.metadata().at("layer"), std::string("1"));
    QCOMPARE(file.metadata().at("head"), std::string("3"));
    QCOMPARE(QJsonDocument::fromJson(QByteArray::fromStdString(file.metadata().at("key_tokens")))
                 .array()
                 .size(),
             qsizetype(21));
  }

  void all_heads_are_one_grid_and_one_array() {
    run({"--head", "all", "--layer", "1", "--arrays", "npy", "--width", "180"});
    const QByteArray svg = read("out/heatmap.svg");
    QVERIFY(svg.contains("width=\"180.000mm\""));
    QVERIFY(svg.contains("layer 1, all 4 heads"));
    for (int head = 0; head < 4; ++head) QVERIFY(svg.contains(">head " + QByteArray::number(head)));
    const Tensor all = NpyFile::open(path("out/heatmap.npy").toStdString()).read();
    QVERIFY(all.shape() == (Shape{4, 31, 31}));
    run({"--head", "2", "--layer", "1", "--arrays", "npy"});
    const Tensor one = NpyFile::open(path("out/heatmap.npy").toStdString()).read();
    QCOMPARE(std::memcmp(all.data<float>() + 2 * 31 * 31, one.data<float>(), one.bytes()), 0);
  }

  void all_layers_and_heads_are_one_grid() {
    run({"--layer", "all", "--head", "all", "--width", "180", "--colormap", "viridis"});
    const QByteArray svg = read("out/heatmap.svg");
    QVERIFY(svg.contains("width=\"180.000mm\""));
    QVERIFY(svg.contains("all 2 layers, all 4 heads"));
    for (const char* word : {"head →", "← layer"}) QVERIFY2(svg.contains(word), word);
    QVERIFY(read("out/heatmap.pdf").contains("/FontFile2"));
    const QImage picture(path("out/heatmap.png"));
    // Row 0 of each head has one weight, which is 1: at least eight cells of the brightest colour.
    const QRgb brightest = color_table(ColorMapId::kViridis)[255];
    std::vector<QPoint> corners;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x)
        if (picture.pixel(x, y) == brightest && (x == 0 || picture.pixel(x - 1, y) != brightest) &&
            (y == 0 || picture.pixel(x, y - 1) != brightest) &&
            picture.pixel(x, y) == picture.pixel(x + 1, y + 1))
          corners.emplace_back(x, y);
    std::set<int> rows, columns;
    for (const QPoint& corner : corners) {
      rows.insert(corner.y());
      columns.insert(corner.x());
    }
    QVERIFY2(rows.size() >= 2 && columns.size() >= 4, qPrintable(QString::number(corners.size())));
    run({"--layer", "all", "--head", "all", "--no-title"});
    QVERIFY(!read("out/heatmap.svg").contains("attention weights"));
    QVERIFY(read("out/heatmap.svg").contains("head →"));
  }

  void the_view_heads_can_be_without_its_title() {
    const auto draw = [this](std::vector<std::string> more) {
      std::vector<std::string> all{"run",      path("two.json").toStdString(),
                                   "--export", path("heads").toStdString(),
                                   "--views",  "heads"};
      all.insert(all.end(), more.begin(), more.end());
      run_and_export(parse_command_line(all));
      return read("heads/heads.svg");
    };
    QVERIFY(draw({}).contains(">A: "));
    const QByteArray without = draw({"--no-title"});
    QVERIFY(!without.contains(">A: "));
    QVERIFY(without.contains("head →"));
  }

  void all_heads_fit_an_array_but_no_table() {
    const std::string scenario = path("two.json").toStdString();
    const auto figure = [&](const char* file, std::vector<std::string> more) {
      more.insert(more.begin(), {"run", scenario, "--figure", path(file).toStdString()});
      return parse_command_line(more);
    };
    const std::vector<std::vector<std::string>> alls{
        {"--layer", "all", "--head", "all"}, {"--head", "all"}, {"--layer", "all"}};
    for (const std::vector<std::string>& all : alls) {
      QString said;
      try {
        figure("all.csv", all);
      } catch (const Error& error) {
        said = QString::fromUtf8(error.what());
      }
      QVERIFY2(said.contains(QStringLiteral("one head")) && said.contains(QStringLiteral(".npy")),
               qPrintable(said));
    }
    QVERIFY_THROWS_EXCEPTION(Error, figure("lines.svg", {"--views", "lines", "--head", "all"}));
    run_and_export(figure("all.npy", alls[0]));
    QVERIFY(NpyFile::open(path("all.npy").toStdString()).shape() == (Shape{2, 4, 31, 31}));
    run_and_export(figure("all.safetensors", alls[1]));
    QVERIFY(SafetensorsFile::open(path("all.safetensors").toStdString()).read("weights").shape() ==
            (Shape{4, 31, 31}));
  }

  void all_layers_are_one_array() {
    run({"--layer", "all", "--head", "all", "--arrays", "npy,safetensors"});
    const Tensor all = NpyFile::open(path("out/heatmap.npy").toStdString()).read();
    QVERIFY(all.shape() == (Shape{2, 4, 31, 31}));
    const SafetensorsFile file =
        SafetensorsFile::open(path("out/heatmap.safetensors").toStdString());
    QCOMPARE(file.metadata().at("axes"), std::string("layer, head, query, key"));
    QCOMPARE(file.metadata().at("layer"), std::string("0, 1"));
    run({"--layer", "all", "--head", "2", "--arrays", "npy"});
    const Tensor head = NpyFile::open(path("out/heatmap.npy").toStdString()).read();
    QVERIFY(head.shape() == (Shape{2, 31, 31}));
    for (const std::string layer : {"0", "1"}) {
      run({"--layer", layer, "--head", "2", "--arrays", "npy"});
      const Tensor one = NpyFile::open(path("out/heatmap.npy").toStdString()).read();
      const int64_t at = layer == "1" ? 1 : 0;
      QCOMPARE(
          std::memcmp(all.data<float>() + (at * 4 + 2) * 31 * 31, one.data<float>(), one.bytes()),
          0);
      QCOMPARE(std::memcmp(head.data<float>() + at * 31 * 31, one.data<float>(), one.bytes()), 0);
    }
  }

  void a_title_of_ones_own_is_whole() {
    const std::string title =
        "How the last words of a story attend to the first ones: one head of the second layer, "
        "drawn for a narrow column of a printed page";
    const auto words_of = [this](const char* file) {
      QString text;
      const QString svg = QString::fromUtf8(read(file));
      static const QRegularExpression kWords(QStringLiteral(">([^<>\n]+)</text>"));
      for (auto at = kWords.globalMatch(svg); at.hasNext();)
        text += at.next().captured(1).trimmed() + QLatin1Char(' ');
      return text;
    };
    for (const char* head : {"1", "all"}) {
      run({"--head", head, "--width", "60", "--title", title});
      const QString words = words_of("out/heatmap.svg");
      QVERIFY2(words.contains(QString::fromStdString(title)), qPrintable(words));
      QVERIFY(!words.contains(QStringLiteral("attention weights")));
      QVERIFY(read("out/heatmap.svg").contains("<title>" + QByteArray::fromStdString(title)));
    }
    std::vector<std::string> views{"run",      "first-look",
                                   "--clock",  "virtual",
                                   "--export", path("titles").toStdString(),
                                   "--views",  "lens,heads,rotary,points",
                                   "--width",  "60",
                                   "--title",  title};
    run_and_export(parse_command_line(views));
    for (const char* view : {"lens", "heads", "rotary", "points"}) {
      const QString words = words_of(("titles/" + std::string(view) + ".svg").c_str());
      QVERIFY2(words.contains(QString::fromStdString(title)),
               qPrintable(QLatin1String(view) + QLatin1Char(' ') + words.left(600)));
      QVERIFY(read(("titles/" + std::string(view) + ".svg").c_str())
                  .contains("<title>" + QByteArray::fromStdString(title)));
    }
    QVERIFY_THROWS_EXCEPTION(Error, run({"--title", "A", "--no-title"}));
    QVERIFY_THROWS_EXCEPTION(Error, run({"--title", std::string(201, 'a')}));
  }

  void a_png_names_the_resolution_that_makes_its_width() {
    const auto millimetres = [](const QImage& picture) {
      return 1000.0 * picture.width() / picture.dotsPerMeterX();
    };
    for (const char* scale : {"2", "4"}) {
      run({"--width", "85", "--scale", scale});
      const QImage picture(path("out/heatmap.png"));
      QCOMPARE(picture.width(), static_cast<int>(std::lround(85 / 25.4 * 96 * std::stoi(scale))));
      QVERIFY2(std::abs(millimetres(picture) - 85) < 0.1, scale);
    }
    run({"--scale", "3"});
    QCOMPARE(QImage(path("out/heatmap.png")).dotsPerMeterX(),
             static_cast<int>(std::lround(3 * 96 / 0.0254)));
  }

  void title_legend_and_sums_can_be_left_out() {
    run({"--no-title", "--no-legend", "--no-sums"});
    const QByteArray svg = read("out/heatmap.svg");
    QVERIFY(svg.contains("key token, is read"));
    for (const char* part :
         {"attention weights", ">weight<", "row sum", "column sum", "not computed"})
      QVERIFY2(!svg.contains(part), part);
  }

  void a_prompt_replaces_that_of_the_scenario() {
    CommandLine line = parse_command_line({"run", "first-look", "--export",
                                           path("prompt").toStdString(), "--views", "heatmap",
                                           "--clock", "virtual", "--prompt", "The cat sat."});
    run_and_export(line);
    QVERIFY(read("prompt/requests.csv").contains("The cat sat."));
    QVERIFY(!read("prompt/requests.csv").contains("Once upon a time"));
  }

  void a_prompt_that_cannot_run_is_refused() {
    std::string text;
    for (int i = 0; i < 600; ++i) text += "Lily went to the park. ";
    try {
      run_and_export(
          parse_command_line({"run", "first-look", "--export", path("long").toStdString(),
                              "--views", "heatmap", "--clock", "virtual", "--prompt", text}));
      QFAIL("it ran");
    } catch (const Error& error) {
      QCOMPARE(error.exit_code(), 2);
      QVERIFY2(QByteArray(error.what()).contains("the prompt cannot run at --prompt"),
               error.what());
    }
    QVERIFY(!QFileInfo::exists(path("long/requests.csv")));
  }

  void one_figure_is_one_file() {
    for (const char* kind : {"png", "svg", "pdf", "csv", "npy", "safetensors"}) {
      const QString file = path("one/") + QStringLiteral("figure.") + QLatin1String(kind);
      std::vector<std::string> all{"run", path("two.json").toStdString(), "--figure",
                                   file.toStdString()};
      if (QByteArray("png svg pdf").contains(kind)) all.insert(all.end(), {"--width", "60"});
      run_and_export(parse_command_line(all));
      QVERIFY2(QFileInfo(file).size() > 100, kind);
    }
    QCOMPARE(QDir(path("one")).entryList(QDir::Files).size(), qsizetype{6});
    QVERIFY(read("one/figure.svg").contains("width=\"60.000mm\""));
    const auto refused = [this](std::vector<std::string> words, const char* said) {
      std::vector<std::string> all{"run", path("two.json").toStdString()};
      all.insert(all.end(), words.begin(), words.end());
      try {
        run_and_export(parse_command_line(all));
      } catch (const Error& error) {
        return QByteArray(error.what()).contains(said);
      }
      return false;
    };
    const std::string svg = path("none.svg").toStdString();
    QVERIFY(refused({"--figure", path("none.gif").toStdString()}, ".safetensors"));
    QVERIFY(refused({"--figure", svg, "--export", path("none").toStdString()}, "--export"));
    QVERIFY(refused({"--figure", svg, "--views", "heatmap,blocks"}, "one view"));
    QVERIFY(refused({"--figure", path("none.npy").toStdString(), "--views", "blocks"}, "no array"));
    QVERIFY(refused({"--figure", svg, "--views", "lens"}, "model"));
    QVERIFY(!QFileInfo::exists(path("none.svg")));
    QVERIFY(QDir().mkpath(path("folder.svg")));
    QVERIFY(refused({"--figure", path("folder.svg").toStdString()}, "a folder"));
    QVERIFY(refused({"--figure", ""}, "--figure"));
    QVERIFY(refused({"--qkv"}, "--export"));
    QVERIFY(refused({"--figure", svg, "--qkv"}, "--export"));
    QVERIFY(refused({"--figure", svg, "--force"}, "--force"));
    QVERIFY(refused({"--figure", svg, "--dpi", "300"}, ".png"));
    QVERIFY(refused({"--figure", path("none.csv").toStdString(), "--width", "60"}, ".svg"));
    QVERIFY(refused({"--figure", svg, "--metrics", "machine"}, "--views metrics"));
  }

  void queries_keys_and_values_come_back() {
    run_and_export(parse_command_line({"run", "first-look", "--export", path("qkv").toStdString(),
                                       "--views", "heatmap", "--clock", "virtual", "--layer", "4",
                                       "--head", "3", "--arrays", "npy", "--qkv"}));
    QVERIFY(read("qkv/manifest.json").contains("qkv.safetensors"));
    const Tensor weights = NpyFile::open(path("qkv/heatmap.npy").toStdString()).read();
    const SafetensorsFile file = SafetensorsFile::open(path("qkv/qkv.safetensors").toStdString());
    const Tensor query = file.read("query.4"), key = file.read("key.4");
    const int64_t rows = query.dim(1), size = query.dim(2), all = weights.dim(1),
                  kv = 3 / (query.dim(0) / key.dim(0));
    QVERIFY(rows > 20 && rows <= all);
    QCOMPARE(file.metadata().at("layers"), std::string("0, 1, 2, 3, 4, 5"));
    const double scale = std::stod(file.metadata().at("scale"));
    const auto largest_error = [&](const Tensor& of, int64_t columns) {
      double worst = 0;
      for (int64_t q = 0; q < rows; ++q) {
        std::vector<double> e;
        double sum = 0;
        for (int64_t k = 0; k <= q; ++k) {
          double dot = 0;
          for (int64_t i = 0; i < size; ++i)
            dot += static_cast<double>(query.data<float>()[(3 * rows + q) * size + i]) *
                   static_cast<double>(key.data<float>()[(kv * rows + k) * size + i]);
          sum += e.emplace_back(std::exp(scale * dot));
        }
        for (int64_t k = 0; k <= q; ++k)
          worst = std::max(worst, std::abs(e[static_cast<size_t>(k)] / sum -
                                           static_cast<double>(of.data<float>()[q * columns + k])));
      }
      return worst;
    };
    QVERIFY2(largest_error(weights, all) < 1e-5, "recomputed");
    // A report without --qkv does not replace this one, because qkv.safetensors would be lost.
    run_and_export(parse_command_line({"run", "first-look", "--export", path("qkv").toStdString(),
                                       "--views", "heatmap", "--clock", "virtual", "--layer", "4",
                                       "--head", "3", "--arrays", "npy", "--qkv"}));
    QVERIFY_THROWS_EXCEPTION(
        Error, run_and_export(parse_command_line({"run", "first-look", "--export",
                                                  path("qkv").toStdString(), "--views", "heatmap",
                                                  "--clock", "virtual", "--arrays", "npy"})));
    run_and_export(parse_command_line({"run", path("qkv/qkv.safetensors").toStdString(), "--figure",
                                       path("again.npy").toStdString(), "--layer", "4", "--head",
                                       "3", "--clock", "virtual"}));
    const Tensor again = NpyFile::open(path("again.npy").toStdString()).read();
    QVERIFY2(largest_error(again, again.dim(1)) < 1e-5, "opened again");
    try {
      run_and_export(parse_command_line({"run", path("qkv/qkv.safetensors").toStdString(),
                                         "--figure", path("qkv/qkv.safetensors").toStdString()}));
      QVERIFY(false);
    } catch (const Error& error) {
      QVERIFY2(QByteArray(error.what()).contains("--figure"), error.what());
    }
    QVERIFY(SafetensorsFile::open(path("qkv/qkv.safetensors").toStdString()).find("query.4"));
  }

  void a_narrow_figure_has_whole_texts() {
    run_and_export(parse_command_line(
        {"run", "first-look", "--export", path("narrow").toStdString(), "--clock", "virtual",
         "--views", "knock_out,lens,who,rollout,next_token,patching,points,rotary", "--knock-out",
         "4.2,4.3", "--width", "85", "--positions", "3..6", "--pair", " dog, cat", "--position",
         "5"}));
    for (const char* view : {"knock_out", "lens", "attribution", "rollout", "next_token",
                             "patching", "points", "rotary"}) {
      const QByteArray svg = read(("narrow/" + std::string(view) + ".svg").c_str());
      QVERIFY2(svg.contains("width=\"85."), view);
      for (const char* word : {"\xe2\x80\xa6", "lick ", "slider", "Point at"})
        QVERIFY2(!svg.contains(word),
                 qPrintable(QLatin1String(view) + QLatin1Char(' ') + QString::fromUtf8(word)));
    }
    QVERIFY(read("narrow/lens.svg").contains("Colour: probability of the token"));
    const QByteArray lens = read("narrow/lens.csv"), who = read("narrow/attribution.csv");
    QVERIFY(lens.contains("embedding,3,") && lens.contains("embedding,6,"));
    QVERIFY(!lens.contains("embedding,2,") && !lens.contains("embedding,7,"));
    QVERIFY(who.contains(",5,") && who.contains(", dog,") && who.contains(", cat\n"));
    const auto refused = [this](std::vector<std::string> words, const char* said) {
      std::vector<std::string> all{"run",     "first-look", "--clock",
                                   "virtual", "--figure",   path("none.svg").toStdString()};
      all.insert(all.end(), words.begin(), words.end());
      try {
        run_and_export(parse_command_line(all));
      } catch (const Error& error) {
        return QByteArray(error.what()).contains(said);
      }
      return false;
    };
    QVERIFY(refused({"--views", "lens", "--positions", "3..999"}, "--positions"));
    QVERIFY(refused({"--views", "lens", "--positions", "6..3"}, "--positions"));
    QVERIFY(refused({"--views", "who", "--pair", " dog, dog"}, "two different tokens"));
    QVERIFY(refused({"--views", "who", "--position", "999"}, "--position"));
    QVERIFY(refused({"--views", "heatmap", "--position", "1"}, "--views attribution"));
    run_and_export(
        parse_command_line({"run", "first-look", "--clock", "virtual", "--views", "who", "--figure",
                            path("untitled.svg").toStdString(), "--no-title"}));
    QVERIFY(!read("untitled.svg").contains(">Who said it of"));
  }

  void patching_takes_the_two_prompts() {
    run_and_export(parse_command_line({"run", "first-look", "--export", path("patch").toStdString(),
                                       "--views", "patching", "--clock", "virtual", "--prompt",
                                       "Tom saw a dog.", "--corrupted", "Tom saw a cat."}));
    const QByteArray svg = read("patch/patching.svg");
    QVERIFY(svg.contains(">Tom") && svg.contains("saw"));
    QVERIFY(!svg.contains("scared"));  // a word of the view's default prompts
    const auto refused = [this](std::vector<std::string> words, const char* said) {
      std::vector<std::string> all{"run", "first-look", "--export", path("none").toStdString()};
      all.insert(all.end(), words.begin(), words.end());
      try {
        parse_command_line(all);
      } catch (const Error& error) {
        return QByteArray(error.what()).contains(said);
      }
      return false;
    };
    QVERIFY(refused({"--views", "patching", "--prompt", "Tom."}, "no --corrupted"));
    QVERIFY(refused({"--views", "patching", "--corrupted", "Tom."}, "no --prompt"));
    QVERIFY(refused({"--views", "heatmap", "--corrupted", "Tom."}, "--views patching"));
    QVERIFY(refused({"--views", "patching", "--prompt", std::string(2001, 'a'), "--corrupted", "b"},
                    "too long"));
  }

  void what_cannot_be_is_refused() {
    const auto refused = [this](std::vector<std::string> words, const char* said) {
      try {
        run(std::move(words));
      } catch (const Error& error) {
        return QByteArray(error.what()).contains(said);
      }
      return false;
    };
    QVERIFY(refused({"--request", "Zoe"}, "0 to 1, or `A`, `Bea`"));
    QVERIFY(refused({"--layer", "2"}, "no such layer at --layer"));
    QVERIFY(refused({"--head", "4"}, "no such head at --head"));
    QVERIFY(refused({"--head", "some"}, "or all"));
    QVERIFY(refused({"--layer", "some"}, "or all"));
    QVERIFY(refused({"--layer", "all"}, "a picture of all layers shows all heads"));
    QVERIFY(refused({"--layer", "all", "--arrays", "npy", "--keep", "90%"}, "--keep"));
    QVERIFY(refused({"--head", "all", "--keep", "90%"}, "--keep"));
    QVERIFY(refused({"--width", "5"}, "--width"));
    QVERIFY(refused({"--width", "80", "--size", "400x400"}, "--width and --size"));
    QVERIFY(refused({"--dpi", "300", "--scale", "2"}, "--dpi and --scale"));
    QVERIFY(refused({"--prompt", "Hello"}, "reads no text"));
    QVERIFY(refused({"--arrays", "csv"}, "npy"));
  }

  void the_text_of_a_figure_is_not_that_of_the_window() {
    Workbench w(load_scenario(path("two.json").toStdString()));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    gui::View& heatmap = *w.window->view("heatmap");
    FigureSpec spec;
    spec.request = w.bridge.snapshot()->requests[1].id;
    spec.colormap = QStringLiteral("viridis");
    spec.format = QStringLiteral("png");
    spec.width_mm = 180;
    const auto figure = [&](int text_percent) {
      spec.text_percent = text_percent;
      const QString file = path("text.png");
      return prepare_figure(heatmap, w.selection, spec, file)().isEmpty() ? read("text.png")
                                                                          : QByteArray();
    };
    const QByteArray usual = figure(100), large = figure(150);
    QVERIFY(!usual.isEmpty() && usual != large);
    Theme& theme = Theme::instance();
    theme.set_text_percent(200);
    theme.set_projector(true);
    const QSignalSpy told(&theme, &Theme::changed);
    QVERIFY(figure(100) == usual);
    QVERIFY(figure(150) == large);
    QVERIFY(told.isEmpty() && theme.is_projector());
    QCOMPARE(theme.chosen_text_percent(), 200);
    FigureDialog dialog(*w.bridge.snapshot(), spec, w.window.get());
    QCOMPARE(dialog.spec().text_percent, 150);
    theme.set_projector(false);
    theme.set_text_percent(100);
  }

  void the_dialog_makes_a_figure_and_the_window_stays() {
    Workbench w(load_scenario(path("two.json").toStdString()));
    QVERIFY(w.control.start());
    QVERIFY(wait_until_phase(w.bridge, EnginePhase::kFinished));
    gui::View& heatmap = *w.window->view("heatmap");
    const int64_t shown = w.selection.shown_request(), layer = w.selection.shown_layer(),
                  head = w.selection.shown_head();
    const QJsonObject options = heatmap.options();
    const QSize size = heatmap.export_size();
    FigureSpec spec;
    spec.request = w.bridge.snapshot()->requests[1].id;
    spec.layer = 1;
    spec.head = 2;
    spec.colormap = QStringLiteral("viridis");
    spec.width_mm = 60;
    FigureDialog dialog(*w.bridge.snapshot(), spec, w.window.get(), [&](const FigureSpec& now) {
      const RequestView& of = w.bridge.snapshot()->requests[now.request == spec.request ? 1 : 0];
      return heatmap.figure_title(of.at(now.layer), now.layer, now.head, now.look);
    });
    dialog.show();
    auto* title = dialog.findChild<QLineEdit*>();
    for (auto* field : dialog.findChildren<QLineEdit*>())
      if (field->accessibleName() == QLatin1String("Own title")) title = field;
    QVERIFY(title && title->isEnabled());
    QCOMPARE(title->placeholderText(),
             QStringLiteral("Bea: attention weights, layer 1, head 2 (KV head 1), 21 tokens"));
    title->setText(QStringLiteral("  My  own "));
    QCOMPARE(dialog.spec().look.own_title, QStringLiteral("My own"));
    title->clear();
    for (auto* box : dialog.findChildren<QCheckBox*>()) box->setChecked(false);
    spec = dialog.spec();
    QCOMPARE(spec.request, static_cast<int64_t>(w.bridge.snapshot()->requests[1].id));
    QCOMPARE(spec.layer, int64_t{1});
    QCOMPARE(spec.head, int64_t{2});
    QCOMPARE(spec.colormap, QStringLiteral("viridis"));
    QCOMPARE(figure_stem(heatmap, spec), QStringLiteral("heatmap-layer1-head2"));
    QVERIFY(spec.look == (FigureLook{false, false, false, false, false, false}));
    for (const char* format : {"pdf", "svg", "png", "npy", "safetensors"}) {
      spec.format = QLatin1String(format);
      const QString file = path("dialog.") + spec.format;
      QCOMPARE(prepare_figure(heatmap, w.selection, spec, file)(), QString());
      QVERIFY2(QFileInfo(file).size() > 500, format);
    }
    const QByteArray unmarked = read("dialog.svg");
    spec.format = QStringLiteral("svg");
    w.selection.select({.kind = SelectionKind::kToken, .request = spec.request, .query = 9});
    QCOMPARE(prepare_figure(heatmap, w.selection, spec, path("dialog.svg"))(), QString());
    QVERIFY(read("dialog.svg") == unmarked);
    spec.look.selection = true;
    QCOMPARE(prepare_figure(heatmap, w.selection, spec, path("marked.svg"))(), QString());
    QVERIFY(read("marked.svg") != unmarked);
    w.selection.select({});
    w.selection.show(shown, layer, head);
    const QColor paper = Qt::white, ground(0x1B, 0x20, 0x28);
    spec.format = QStringLiteral("png");
    Theme& theme = Theme::instance();
    const ThemeMode usual = theme.mode();
    for (const ThemeMode mode : {ThemeMode::kLight, ThemeMode::kDark}) {
      theme.set_mode(mode);
      const QSignalSpy told(&Theme::instance(), &Theme::changed);
      for (const bool dark : {false, true}) {
        FigureDialog asked(*w.bridge.snapshot(), spec, w.window.get());
        QComboBox* box = nullptr;
        for (auto* one : asked.findChildren<QComboBox*>())
          if (one->accessibleName() == QLatin1String("Light or dark")) box = one;
        QVERIFY(box && box->isEnabled());
        QCOMPARE(box->currentIndex(), 0);
        box->setCurrentIndex(dark ? 1 : 0);
        QCOMPARE(asked.spec().dark, dark);
        QCOMPARE(prepare_figure(heatmap, w.selection, asked.spec(), path("ground.png"))(),
                 QString());
        QCOMPARE(QImage(path("ground.png")).pixelColor(0, 0), dark ? ground : paper);
        QVERIFY(told.isEmpty());
      }
      QCOMPARE(theme.mode(), mode);
    }
    theme.set_mode(usual);
    QVERIFY(read("dialog.svg").contains("width=\"60.000mm\""));
    QVERIFY(!read("dialog.svg").contains("attention weights"));
    QVERIFY(NpyFile::open(path("dialog.npy").toStdString()).shape() == (Shape{21, 21}));
    spec.format = QStringLiteral("svg");
    spec.look.title = spec.look.all_layers = spec.look.all_heads = true;
    FigureDialog grid(*w.bridge.snapshot(), spec, w.window.get());
    QCOMPARE(prepare_figure(heatmap, w.selection, grid.spec(), path("grid.svg"))(), QString());
    QVERIFY(read("grid.svg").contains("all 2 layers, all 4 heads"));
    spec.format = QStringLiteral("npy");
    spec.look.all_layers = spec.look.all_heads = true;
    FigureDialog arrays(*w.bridge.snapshot(), spec, w.window.get());
    QVERIFY(arrays.spec().look.all_layers);
    QCOMPARE(figure_stem(heatmap, spec), QStringLiteral("heatmap-all-layers-all-heads"));
    QCOMPARE(prepare_figure(heatmap, w.selection, arrays.spec(), path("dialog.npy"))(), QString());
    QVERIFY(NpyFile::open(path("dialog.npy").toStdString()).shape() == (Shape{2, 4, 21, 21}));
    QStringList entries;
    for (const QMenu* menu : w.window->findChildren<QMenu*>())
      for (const QAction* action : menu->actions())
        if (menu->actions().front()->text() == QStringLiteral("Figure of the heatmap…"))
          entries << action->text();
    QVERIFY(entries.contains(QStringLiteral("Weights of layers and heads…")));
    QVERIFY(entries.contains(w.window->actions().save_session->text()));
    const auto choose = [&](const QString& entry, const QString& file) {
      QAction* chosen = nullptr;
      for (const QMenu* menu : w.window->findChildren<QMenu*>())
        for (QAction* action : menu->actions())
          if (action->text() == entry) chosen = action;
      QSignalSpy written(w.window.get(), &MainWindow::export_finished);
      QTimer::singleShot(0, this, [this, file] {
        auto* ask = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (!ask) return;
        ask->setDirectory(folder_.path());
        ask->selectFile(file);
        QTest::mouseClick(ask->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save),
                          Qt::LeftButton);
      });
      if (chosen) chosen->trigger();
      return written.count() > 0 || written.wait(60000);
    };
    QVERIFY(choose(QStringLiteral("Weights of layers and heads…"), QStringLiteral("weights.npy")));
    QVERIFY(choose(QStringLiteral("Queries, keys and values…"),
                   QStringLiteral("operands.safetensors")));
    const SafetensorsFile qkv = SafetensorsFile::open(path("operands.safetensors").toStdString());
    const Shape all = NpyFile::open(path("weights.npy").toStdString()).shape();
    QCOMPARE(all.size(), size_t{4});
    QVERIFY(qkv.read("query.1").shape() == (Shape{4, all[2], 32}));
    QCOMPARE(qkv.metadata().at("request"), std::to_string(shown));
    QCOMPARE(w.selection.shown_request(), shown);
    QCOMPARE(heatmap.options(), options);
    QCOMPARE(heatmap.export_size(), size);
  }

 private:
  void run(std::vector<std::string> words) {
    std::vector<std::string> all{"run",      path("two.json").toStdString(),
                                 "--export", path("out").toStdString(),
                                 "--views",  "heatmap",
                                 "--force"};
    all.insert(all.end(), words.begin(), words.end());
    run_and_export(parse_command_line(all));
  }
  QString path(const char* name) const { return folder_.filePath(QLatin1String(name)); }
  QByteArray read(const char* name) const {
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

  QTemporaryDir folder_;
};

ATTN_QT_TEST(test_figure, attn::gui::test::run<TestFigure>)
#include "test_figure.moc"

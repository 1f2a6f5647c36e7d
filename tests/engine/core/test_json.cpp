// SPDX-License-Identifier: GPL-3.0-or-later
// The strict JSON reader and the JSON writer. Also quoted texts and the nearest word, for messages.
#include "engine/core/files/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/files/json_writer.h"

namespace attn {
namespace {

using testing::HasSubstr;

Error refused(std::string_view text, JsonLimits limits = {}) {
  try {
    parse_json(text, "x.json", limits);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    EXPECT_THAT(error.parts().where, HasSubstr("x.json"));
    return error;
  }
  ADD_FAILURE() << "not refused: " << text;
  return Error(ErrorCode::kFailed, {});
}

TEST(Json, TakesWhatTheStandardAllows) {
  EXPECT_EQ(parse_json(R"( {"a":[1,-2.5e3,"é\u00e9\ud83d\ude00",true,false,null,{}],"":0} )",
                       "x")["a"][1],
            -2500.0);
  EXPECT_EQ(parse_json("7", "x"), 7);
  EXPECT_EQ(parse_json("\"\\u0041\"", "x"), "A");
  EXPECT_EQ(parse_json("18446744073709551615", "x").get<uint64_t>(), UINT64_MAX);
  EXPECT_EQ(parse_json("1e-999", "x"), 0.0);
  EXPECT_EQ(parse_json("[]", "x").size(), 0u);
}

TEST(Json, RefusesDuplicateKeysWithTheirPath) {
  const Error error = refused(R"({"a":[0,{"b c":{"x":1,"y":2,"x":3}}]})");
  EXPECT_THAT(error.parts().what, HasSubstr("duplicate key"));
  EXPECT_EQ(error.parts().where, "x.json, $.a[1][\"b c\"].x");
  EXPECT_EQ(refused(R"([[],{"a":1,"\u0061":2}])").parts().where, "x.json, $[1].a");
  EXPECT_EQ(refused(R"({"":1,"":2})").parts().where, "x.json, $[\"\"]");
  EXPECT_NO_THROW(parse_json(R"([{"a":1},{"a":1},{"b":{"a":1}}])", "x"));
}

TEST(Json, RefusesNumbersOutOfRange) {
  EXPECT_EQ(refused(R"({"a":[0,1e999]})").parts().where, "x.json, $.a[1]");
  EXPECT_THAT(refused("[-1e999]").parts().found, HasSubstr("-1e999"));
  EXPECT_EQ(refused("1e400").parts().where, "x.json, $");
  EXPECT_THAT(refused(std::string(400, '9')).parts().what, HasSubstr("out of range"));
}

TEST(Json, RefusesDepth) {
  EXPECT_NO_THROW(parse_json(std::string(64, '[') + std::string(64, ']'), "x"));
  const Error error = refused(std::string(65, '[') + std::string(65, ']'));
  EXPECT_THAT(error.parts().what, HasSubstr("too deep"));
  EXPECT_THAT(error.parts().allowed, HasSubstr("64"));
  EXPECT_THAT(error.parts().where, HasSubstr("$[0][0]"));
  refused(std::string(1'000'000, '['));
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  EXPECT_THAT(refused(objects).parts().where, HasSubstr("$.a.a"));
  EXPECT_NO_THROW(parse_json("[[[]]]", "x", {.max_depth = 3}));
  refused("[[[]]]", {.max_depth = 2});
}

TEST(Json, RefusesBytesThatDoNotBelong) {
  EXPECT_THAT(refused("\xef\xbb\xbf{}").parts().what, HasSubstr("byte order mark"));
  EXPECT_EQ(refused(std::string_view("{}\0", 3)).parts().where,
            "x.json, line 1, column 3 (byte 2)");
  EXPECT_THAT(refused(std::string_view("[\"a\0\"]", 6)).parts().what, HasSubstr("NUL"));
  for (const char* text :
       {"\"\xff\"", "\"\xc3\"", "\"\xed\xa0\x80\"", "\"\xc0\x80\"", "\"\xf4\x90\x80\x80\"", "\xff"})
    EXPECT_THAT(refused(text).parts().what, HasSubstr("not valid JSON")) << text;
  for (const char* text :
       {R"("\ud800")", R"("\udc00")", R"("\ud800\u0041")", R"("\ud800x")", R"("\ud8")", "\"\x01\""})
    EXPECT_THAT(refused(text).parts().what, HasSubstr("not valid JSON")) << text;
}

// Lines and columns count from 1; an umlaut is one column.
TEST(Json, SaysLineAndColumn) {
  EXPECT_EQ(refused("{\n  \"a\": 1,\n  \"\u00fc\u00fc\": ]\n}").parts().where,
            "x.json, line 3, column 9 (byte 22)");
  EXPECT_EQ(refused("[1,\r\n2,\r\n]").parts().where, "x.json, line 3, column 1 (byte 9)");
  EXPECT_EQ(refused(std::string_view("[\n\n \0]", 6)).parts().where,
            "x.json, line 3, column 2 (byte 4)");
  EXPECT_EQ(refused("{\"a\": 1\n \"long\": 2}").parts().where, "x.json, line 2, column 2 (byte 9)");
  EXPECT_EQ(refused("[1\n 123456789]").parts().where, "x.json, line 2, column 2 (byte 4)");
}

TEST(Json, RefusesBrokenText) {
  EXPECT_EQ(refused("{} x").parts().where, "x.json, line 1, column 4 (byte 3)");
  EXPECT_EQ(refused("[1,]").parts().where, "x.json, line 1, column 4 (byte 3)");
  for (const char* text : {"",        " ",       "{",        "}",        "[",          "]",
                           "[1",      "[1 2]",   "{\"a\"}",  "{\"a\":}", "{\"a\":1,}", "{a:1}",
                           "{'a':1}", "{1:2}",   "01",       "+1",       "1.",         ".5",
                           "-",       "1e",      "0x10",     "NaN",      "Infinity",   "-Infinity",
                           "nul",     "True",    "\"",       "\"\\x\"",  "\"\t\"",     "[1]]",
                           "1 2",     "// c\n1", "/* c */1", "[1,,2]",   "\"\\\"",     ","})
    refused(text);
}

TEST(Json, SaysOneSentenceInItsOwnWords) {
  const auto says = [](std::string_view text, std::string_view sentence) {
    EXPECT_EQ(std::string(refused(text).what()),
              "not valid JSON at x.json, " + std::string(sentence))
        << text;
  };
  const std::string value =
      "allowed a value: a number, a text in double quotes, true, false, null, [ or {";
  says("", "line 1, column 1 (byte 0): found an empty text, " + value);
  says("{\"mlp_bias\": false,}",
       "line 1, column 20 (byte 19): found `}`, allowed a key in double quotes. Remove the comma "
       "before it.");
  says("{\"a\":", "line 1, column 6 (byte 5): found the end of the text, " + value);
  says("{\"a\": nul}", "line 1, column 7 (byte 6): found `nul`, " + value);
  says("{\"a\":1 \"b\":2}", "line 1, column 8 (byte 7): found \"b\", allowed `,` or `}`");
  says("[-]",
       "line 1, column 3 (byte 2): found the number -, allowed a number such as 0, -1.5 or 2e10");
  says("[\"a\nb\"]",
       "line 1, column 4 (byte 3): found the byte 0A in a text, allowed \\u000A, or another escape "
       "for it");
  says("[\"a\xff\"]",
       "line 1, column 4 (byte 3): found bytes that are not UTF-8, among them FF, allowed UTF-8");
  says("[\"\xc3(\"]",
       "line 1, column 3 (byte 2): found bytes that are not UTF-8, among them C3, allowed UTF-8");
  says("[\"\xc3",
       "line 1, column 3 (byte 2): found bytes that are not UTF-8, among them C3, allowed UTF-8");
}

TEST(Json, KnowsTextInSixteenBits) {
  for (const std::string_view text :
       {std::string_view("\xff\xfe{\0}\0", 6), std::string_view("\xfe\xff\0{\0}", 6),
        std::string_view("{\0}\0", 4), std::string_view("\0{\0}", 4)}) {
    const Error error = refused(text);
    EXPECT_EQ(error.parts().what, "JSON text is UTF-16");
    EXPECT_EQ(error.parts().advice, "Save it as UTF-8");
  }
}

TEST(Json, RefusesSize) {
  EXPECT_THAT(refused("[1,2,3]", {.max_bytes = 6}).parts().allowed, HasSubstr("6 bytes"));
  EXPECT_NO_THROW(parse_json("[1,2,3]", "x", {.max_bytes = 7}));
}

TEST(Json, EveryPrefixOfAGoodTextIsRefused) {
  const std::string good = R"({"a":[1,-2.5e3,"\u00e9\ud83d\ude00",true,null,{"b":{}}]})";
  EXPECT_NO_THROW(parse_json(good, "x.json"));
  for (size_t length = 0; length < good.size(); ++length) refused(good.substr(0, length));
}

TEST(Json, QuotedTextIsFitForAMessage) {
  EXPECT_EQ(quote_text("abc"), "\"abc\"");
  EXPECT_EQ(quote_text("é猫\x01\xff\xc2\x85"), "\"é猫\\x01\\xFF\\xC2\\x85\"");
  EXPECT_EQ(quote_text("abcdef", 3), "\"abc...\"");
  EXPECT_EQ(escape_unprintable("a\n\tb\x1b[2J"), "a\\x0A\\x09b\\x1B[2J");
  EXPECT_EQ(escape_unprintable_but_lines("a\n\tb\x1b[2J\r"), "a\n\tb\\x1B[2J\\x0D");
  EXPECT_EQ(quote_text("aé", 2), "\"a...\"");
  EXPECT_EQ(path_step("block_size"), ".block_size");
  EXPECT_EQ(path_step("a.b"), "[\"a.b\"]");
}

TEST(Json, WritesAsTheLibrary) {
  const nlohmann::ordered_json all = nlohmann::ordered_json::parse(R"({"b": [1, -2, 2.5, 1e300, 0.1,
    18446744073709551615], "a": {"c": {}, "d": [], "e": [[], {}, [3]]}, "t\u00e9\"\u0001": "x\ny",
    "yes": true, "no": false, "none": null})");
  for (const int indent : {-1, 2}) {
    JsonWriter json(indent);
    json.begin_object().key("b").begin_array().value(1).value(int64_t{-2}).value(2.5).value(1e300);
    json.value(0.1).value(UINT64_MAX).end_array();
    json.key("a").begin_object().key("c").begin_object().end_object();
    json.put("d", std::vector<int>()).key("e").begin_array().begin_array().end_array();
    json.begin_object().end_object().value(std::vector<int>{3}).end_array().end_object();
    json.put("t\u00e9\"\x01", "x\ny").put("yes", true).put("no", false).key("none").null();
    json.end_object();
    EXPECT_EQ(json.text(), all.dump(indent));
  }
  EXPECT_EQ(JsonWriter().value(std::nan("")).text(), "null");
  EXPECT_EQ(JsonWriter().value("\xff").text(), "\"\xef\xbf\xbd\"");
}

TEST(Json, FindsTheNearestWord) {
  const std::vector<std::string> words = {"block_size", "num_blocks", "backend", "threads"};
  EXPECT_EQ(nearest_match("blok_size", words), "block_size");
  EXPECT_EQ(nearest_match("Backend", words), "backend");
  EXPECT_EQ(nearest_match("thraeds", words), "threads");
  EXPECT_EQ(nearest_match("nmu_blcoks", words), "num_blocks");
  EXPECT_EQ(nearest_match("colour", words), "");
  EXPECT_EQ(nearest_match("", words), "");
  EXPECT_EQ(nearest_match("x", {"y"}), "");
  EXPECT_EQ(nearest_match(std::string(100'000, 'a'), words), "");
}

}  // namespace
}  // namespace attn

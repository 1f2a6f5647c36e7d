// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/targets/tokenizer_seeds.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "engine/model/tokenizer/describe.h"

namespace attn::fuzz {
namespace {

constexpr const char* kTokenizerIds =
    R"~({"<unk>":0,"<s>":1,"a":2,"b":3,"ab":4,"##b":5,"c</w>":6,"d</w>":7,"cd</w>":8,"<x>":9})~";

// The models, beside those of the seeds in model.cpp.
nlohmann::json bpe_with_affixes() {
  return nlohmann::json::parse(R"~({"type":"BPE","dropout":0.0,"unk_token":"<unk>","fuse_unk":false,
    "byte_fallback":false,"ignore_merges":true,"continuing_subword_prefix":"##",
    "end_of_word_suffix":"</w>","merges":[["a","##b"]]})~");
}

nlohmann::json word_level() {
  return nlohmann::json::parse(R"~({"type":"WordLevel","unk_token":"<unk>"})~");
}

nlohmann::json file(nlohmann::json model, const char* steps) {
  model["vocab"] = nlohmann::json::parse(kTokenizerIds);
  nlohmann::json json =
      nlohmann::json::parse(R"~({"version":"1.0","added_tokens":[{"id":1,"content":"<s>",
    "special":true,"single_word":true,"lstrip":true,"rstrip":true,"normalized":true}]})~");
  json["model"] = std::move(model);
  json.update(nlohmann::json::parse(steps));
  return json;
}

nlohmann::json splits(std::initializer_list<const char*> patterns, const char* behavior) {
  nlohmann::json steps = nlohmann::json::array();
  for (const char* pattern : patterns)
    steps.push_back({{"type", "Split"},
                     {"pattern", {{"Regex", pattern}}},
                     {"behavior", behavior},
                     {"invert", steps.size() % 2 == 1}});
  nlohmann::json json = file(word_level(), "{}");
  json["pre_tokenizer"] = {{"type", "Sequence"}, {"pretokenizers", std::move(steps)}};
  return json;
}

nlohmann::json unigram(const char* options) {
  nlohmann::json json = file(word_level(), "{}");
  json["model"] = nlohmann::json::parse(R"~({"type":"Unigram","vocab":[["<unk>",0.0],["<s>",0.0],
    ["a",-1.5],["ab",-2.0],["<0x0A>",-3.0],["<0xC3>",-3.0],["<0xA4>",-3.0],[" ",-1.0]]})~");
  json["model"].update(nlohmann::json::parse(options));
  return json;
}

// A repetition within a repetition, for a text where each way to divide it fails.
constexpr const char* kSlowPattern = "(?:(?:a|aa)+b?)+x|(?:a+(?=a))*y";

std::vector<std::pair<const char*, nlohmann::json>> files() {
  const nlohmann::json word = word_level();
  return {
      {"forms", file(word, R"~({"normalizer":{"type":"Sequence","normalizers":[
        {"type":"Strip","strip_left":true,"strip_right":true},{"type":"NFD"},
        {"type":"StripAccents"},{"type":"Lowercase"},{"type":"Nmt"},{"type":"NFKC"},
        {"type":"NFKD"},{"type":"ByteLevel"}]},
        "pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"WhitespaceSplit"},
        {"type":"Digits","individual_digits":true},{"type":"Digits","individual_digits":false},
        {"type":"Punctuation","behavior":"Contiguous"},
        {"type":"CharDelimiterSplit","delimiter":"b"}]},
        "post_processor":{"type":"Sequence","processors":[{"type":"ByteLevel"},
        {"type":"RobertaProcessing","cls":["<s>",1],"sep":["a",2]}]},
        "decoder":{"type":"BPEDecoder","suffix":"</w>"}})~")},
      {"words", file(word, R"~({"normalizer":{"type":"BertNormalizer","clean_text":true,
        "handle_chinese_chars":true,"strip_accents":true,"lowercase":false},
        "pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Whitespace"},
        {"type":"Punctuation"}]},
        "decoder":{"type":"Sequence","decoders":[{"type":"Fuse"},{"type":"Strip","content":"a",
        "start":2,"stop":1},{"type":"Replace","pattern":{"Regex":"b+?|\\s"},"content":"c"}]}})~")},
      {"affixes", file(bpe_with_affixes(), R"~({"pre_tokenizer":{"type":"Metaspace",
        "replacement":"\u2581","prepend_scheme":"never","add_prefix_space":false},
        "decoder":{"type":"Metaspace","replacement":"\u2581","prepend_scheme":"never"}})~")},
      {"bytes", unigram(R"~({"unk_id":0,"byte_fallback":true})~")},
      {"known", unigram(R"~({"unk_id":null,"byte_fallback":false})~")},
      {"template", file(word, R"~({"post_processor":{"type":"TemplateProcessing","single":[
        {"SpecialToken":{"id":"<s>","type_id":0}},{"Sequence":{"id":"A","type_id":0}},
        {"SpecialToken":{"id":"both","type_id":0}}],"pair":[],"special_tokens":{
        "<s>":{"id":"<s>","ids":[1],"tokens":["<s>"]},
        "both":{"id":"both","ids":[1,9],"tokens":["<s>","<x>"]}}}})~")},
      {"looks", splits({R"((?<=a|bc)b|(?<!a{2}b)c|(?<=(?>ab))c|(?<=x(?:a|b){2})c)",
                        R"(a(?=b|$)|(?!\n)[^a])"},
                       "MergedWithPrevious")},
      {"anchors",
       splits({R"(^a|b$|\Aa|\z|b\Z|\ba\b|\Bb\B)", R"((?m).+(?-m).|(?#why)a)"}, "Contiguous")},
      {"repeats", splits({R"((?:ab){2}|a{2,3}|a{2,}?|b{,2}|(?:a|b)*?c|(?>a|b)++|[ab]*+c)",
                          R"([ab]*+c|d*+|(?:a??b)+?|(?>a+)b|(?:ab|c){1,2}+)", kSlowPattern},
                         "MergedWithNext")},
      {"sets", splits({R"([[:alpha:][:^digit:]]|[^[:upper:]\d]|[[:word:][:punct:]]+)",
                       R"([[:alnum:][:lower:][:space:][:blank:][:cntrl:][:xdigit:][:ascii:]])",
                       R"([[:graph:][:print:]]|[a-c&&[^b]]|[\x61-\x{7a}\u00e4\t\n\r\f\v\a\e\]])",
                       R"(\p{Greek}|\p{^L}|\P{Any}|\p{Assigned}|\p{White_Space}|\p{punct})",
                       R"(\h\H|\d\D|\w\W|\s\S|[\w\H])"},
                      "Removed")},
      {"case", splits({"(?i:Ab|[C-E]|\\p{Lu})|(?x) a b # both\n | c | (?i) d", "(?im-x:.b)+|(?i)k"},
                      "Isolated")}};
}

constexpr const char* kParts[] = {
    "(",        ")",     "[",      "]",        "|",      "*",      "+",           "?",
    "{",        "}",     "*+",     "+?",       "{2}",    "{3,2}",  "{2,}",        "{,3}?",
    "{9999}",   "^",     "$",      "\\A",      "\\b",    "\\B",    "\\Z",         "\\",
    "\\q",      "\\p",   "\\p{",   "\\p{no}",  "\\x{41", "\\xzz",  "\\x{ffffff}", "\\u00",
    "(?",       "(?y)",  "(?-i",   "(?#",      "(?#c)",  "(?i)",   "(?x) #",      "(?<=a*)",
    "(?<!a|b)", "(?>a)", "(?=a)",  "(?:a{9})", "[z-a]",  "[^a&&b", "[[:no:]]",    "[[:alpha:]",
    "[a-\\d]",  ".*",    "(?:a*)", "(?i:ß)",   "\xff",   "\\0",    "((((((((",    "[[[[[[[["};

void list_patterns(nlohmann::json& json, std::vector<nlohmann::json*>& to) {
  if (json.is_object())
    for (auto& [key, value] : json.items()) {
      if (key == "Regex" && value.is_string())
        to.push_back(&value);
      else
        list_patterns(value, to);
    }
  if (json.is_array())
    for (nlohmann::json& value : json) list_patterns(value, to);
}

}  // namespace

void use_tokenizer(const Tokenizer& tokenizer) {
  static const std::string kTexts[] = {"",
                                       " ",
                                       "a",
                                       "ab ba  aab",
                                       " a<s>b</s> <x> ",
                                       "\n\t",
                                       "Ab-1 12,34 (a_b) \u0130X e\u0301 \u00b9\u4e2d\u4e2d aab",
                                       "\xff\xfe",
                                       "\xc3\xa4\u2581\U0001f600",
                                       std::string(300, 'a'),
                                       std::string("a\0b", 3)};
  for (const std::string& text : kTexts)
    for (const bool special : {true, false}) {
      const std::vector<int32_t> ids = tokenizer.encode(text, special);
      for (const int32_t id : ids)
        if (id < 0 || id >= tokenizer.vocab_size())
          throw std::logic_error("a text has a token that is not in the vocabulary");
      tokenizer.decode(ids, special);
    }
  std::vector<int32_t> all;
  const auto count = static_cast<int32_t>(std::min<int64_t>(tokenizer.vocab_size(), 1000));
  for (int32_t id = -1; id <= count; ++id) {
    all.push_back(id);
    tokenizer.token_text(id);
    tokenizer.is_special(id);
    if (id >= 0 && id < count) tokenizer.find(tokenizer.piece(id));
  }
  tokenizer.decode(all, false);
  tokenizer.decode(all, true);
  kind_of(tokenizer);
  steps_of(tokenizer);
}

std::vector<Seed> tokenizer_files() {
  std::vector<Seed> seeds;
  for (const auto& [name, json] : files())
    seeds.push_back({std::string("tokenizer-") + name, json.dump()});
  return seeds;
}

std::string change_pattern(const std::string& json, Random& random) {
  nlohmann::json document = nlohmann::json::parse(json, nullptr, false);
  std::vector<nlohmann::json*> patterns;
  if (!document.is_discarded()) list_patterns(document, patterns);
  if (patterns.empty()) return json;
  nlohmann::json& value = *patterns[below(random, patterns.size())];
  auto pattern = value.get<std::string>();
  const size_t at = below(random, pattern.size() + 1);
  switch (below(random, 4)) {
    case 0:
      pattern.erase(at, 1 + below(random, 3));
      break;
    case 1: {
      const std::string part = pattern.substr(at, 1 + below(random, 12));
      for (size_t times = below(random, 40); times > 0; --times) pattern.insert(at, part);
      break;
    }
    default: {
      const std::string part = kParts[below(random, std::size(kParts))];
      const size_t most = below(random, 8) == 0 ? 60 : 1;
      for (size_t times = 1 + below(random, most); times > 0; --times) pattern.insert(at, part);
    }
  }
  value = pattern;
  return document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace attn::fuzz

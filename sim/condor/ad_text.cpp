#include "sim/condor/ad_text.hpp"

#include <algorithm>
#include <variant>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/classad/ad.hpp"

namespace gridcast::condor {
namespace {

constexpr std::string_view blanks = " \t\r\n";

// Of an ad's only attribute. Lists and ads of literals are expressions, and so is -1; what depends
// on other attributes is undefined, as in JSON.
classad::Value constant_of(classad::Ad const& one) {
  auto const& attribute = one.attributes().front();
  if (auto const* value = std::get_if<classad::Value>(&attribute.content)) return *value;
  auto const& expression = std::get<classad::Expression>(attribute.content);
  bool const constant = expression.attributes().empty() && expression.functions().empty();
  return constant ? one.lookup(attribute.name) : classad::Value();
}

// "ClusterId=4" of a banner, unless the ad says so itself.
void add_banner_word(std::string_view word, TextAd& ad) {
  classad::Ad one;
  if (word.find('=') == std::string_view::npos || !classad::parse_attribute(word, one)) return;
  ad.attributes.insert(ad.attributes.begin(), {one.attributes().front().name, constant_of(one)});
}

// "*** EPOCH ClusterId=4 ProcId=1 RunInstanceId=0 ...". The history file's own banners have no
// type.
void add_banner(std::string_view line, TextAd& ad) {
  bool first = true;
  for (std::string const& word : split(line.substr(4), ' ')) {
    if (word.empty()) continue;
    bool const assigns = word.find('=') != std::string::npos;
    if (first && !assigns) ad.type = word;
    first = false;
    if (word.rfind("ClusterId=", 0) == 0 || word.rfind("ProcId=", 0) == 0 ||
        word.rfind("RunInstanceId=", 0) == 0) {
      add_banner_word(word, ad);
    }
  }
}

bool add_attribute(std::string_view line, TextAd& ad) {
  classad::Ad one;
  if (!classad::parse_attribute(line, one) || one.empty()) return false;
  auto const& attribute = one.attributes().front();
  ad.attributes.emplace_back(attribute.name, constant_of(one));
  return true;
}

char first_letter(std::string_view text) {
  auto const at = text.find_first_not_of(blanks);
  return at == std::string_view::npos ? '\0' : text[at];
}

bool is_json(std::string_view text) {
  char const first = first_letter(text);
  if (first == '{') return true;
  if (first != '[') return false;
  char const second = first_letter(text.substr(text.find('[') + 1));
  return second == '{' || second == ']' || second == '\0';
}

}  // namespace

void read_long_ads(std::string_view text, LogWarnings& warnings, AdSink const& sink) {
  TextAd ad;
  auto finish = [&] {
    if (!ad.attributes.empty()) sink(std::move(ad));
    ad = {};
  };
  std::size_t number = 0;
  while (!text.empty()) {
    auto const length = std::min(text.find('\n'), text.size());
    std::string_view const line = trim(text.substr(0, length));
    text.remove_prefix(std::min(length + 1, text.size()));
    ++number;
    if (line.empty()) {
      finish();
    } else if (line.substr(0, 4) == "*** ") {
      add_banner(line, ad);
      finish();
    } else if (line.substr(0, 3) != "-- ") {  // condor_q: which access point it asked
      if (ad.attributes.empty()) ad.line = number;
      if (!add_attribute(line, ad)) warnings.not_understood("is no attribute of an ad", number);
    }
  }
  finish();
}

void read_ad_text(std::string_view text, std::string const& file, LogWarnings& warnings,
                  AdSink const& sink) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  char const first = first_letter(text);
  if (first == '\0') return;
  if (is_json(text)) return read_json_ads(text, warnings, sink);
  if (first == '<' || first == '[') {
    throw InputError(
        {{file, 1},
         "is no list of job ads",
         first == '<' ? "it begins like XML" : "it begins like an ad of the new syntax",
         "Print the ads with -long, -json or -jsonl"});
  }
  std::size_t ads = 0;
  read_long_ads(text, warnings, [&](TextAd&& ad) {
    ++ads;
    sink(std::move(ad));
  });
  if (ads == 0) {
    throw InputError({{file, 1},
                      "is no list of job ads",
                      "it has neither \"Name = value\" lines nor JSON objects",
                      "Print the ads with condor_history -long, -json or -jsonl"});
  }
}

}  // namespace gridcast::condor

#include "sim/condor/ads/ad_text.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/classad/ad.hpp"
#include "sim/condor/ads/xml_ads.hpp"

namespace gridcast::condor {
namespace {

using nlohmann::json;

constexpr std::size_t none = std::string_view::npos;
constexpr int deepest_ad = 100;

// Objects that end nowhere are looked for again from the next line; so often.
constexpr int most_recoveries = 16;

struct Extent {
  std::size_t end = none;  // behind the closing bracket
  bool too_deep = false;
};

// Of the object that begins at `begin`.
Extent extent_of(std::string_view text, std::size_t begin) {
  Extent extent;
  int depth = 0;
  bool quoted = false;
  for (std::size_t at = begin; at < text.size(); ++at) {
    char const letter = text[at];
    if (quoted) {
      if (letter == '\\') ++at;
      if (letter == '"') quoted = false;
    } else if (letter == '"') {
      quoted = true;
    } else if (letter == '{' || letter == '[') {
      if (++depth > deepest_ad) extent.too_deep = true;
    } else if (letter == '}' || letter == ']') {
      if (--depth == 0) {
        extent.end = at + 1;
        return extent;
      }
    }
  }
  return extent;
}

classad::Value to_value(json const& source) {
  switch (source.type()) {
    case json::value_t::boolean:
      return classad::Value(source.get<bool>());
    case json::value_t::number_unsigned:
      if (source.get<std::uint64_t>() >
          static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        return classad::Value(source.get<double>());
      }
      [[fallthrough]];
    case json::value_t::number_integer:
      return classad::Value(source.get<std::int64_t>());
    case json::value_t::number_float:
      return classad::Value(source.get<double>());
    case json::value_t::string: {
      auto const& text = source.get_ref<std::string const&>();
      return text.rfind("/Expr(", 0) == 0 ? classad::Value() : classad::Value(text);
    }
    case json::value_t::array: {
      classad::List list;
      for (json const& element : source) list.push_back(to_value(element));
      return classad::Value(std::move(list));
    }
    case json::value_t::object: {
      classad::Ad ad;
      for (auto const& [name, value] : source.items()) ad.set(name, to_value(value));
      return classad::Value(std::move(ad));
    }
    default:
      return {};
  }
}

class JsonAds {
 public:
  JsonAds(std::string_view text, LogWarnings& warnings, AdSink const& sink)
      : text_(text), warnings_(warnings), sink_(sink) {}

  void read() {
    int recoveries = 0;
    while (find_object()) {
      Extent const extent = extent_of(text_, at_);
      if (extent.end == none) {
        warnings_.not_understood(
            fmt::format("a JSON object does not end; is the file cut off? {} bytes are left out",
                        std::min(text_.find("\n{", at_ + 1), text_.size()) - at_),
            line_);
        if (++recoveries > most_recoveries || !next_line_with_object()) return;
        continue;
      }
      take(extent);
      advance_to(extent.end);
    }
  }

 private:
  // To the next "{" outside; what else stands there than brackets of the list and commas is odd.
  bool find_object() {
    while (at_ < text_.size() && text_[at_] != '{') {
      char const letter = text_[at_];
      if (letter == '\n') odd_ = false;
      if (std::string_view(" \t\r\n,[]").find(letter) == none && !odd_) {
        odd_ = true;
        warnings_.not_understood("is in no JSON object", line_);
      }
      advance_to(at_ + 1);
    }
    return at_ < text_.size();
  }

  bool next_line_with_object() {
    auto const next = text_.find("\n{", at_);
    if (next == none) return false;
    advance_to(next + 1);
    return true;
  }

  void take(Extent const& extent) {
    if (extent.too_deep) {
      return warnings_.not_understood("a JSON object is nested too deeply", line_);
    }
    std::string_view const source = text_.substr(at_, extent.end - at_);
    json const object = json::parse(source.begin(), source.end(), nullptr, false);
    if (!object.is_object()) return warnings_.not_understood("is no JSON object", line_);
    TextAd ad;
    ad.line = line_;
    ad.attributes.reserve(object.size());
    for (auto const& [name, value] : object.items()) {
      ad.attributes.emplace_back(name, to_value(value));
    }
    sink_(std::move(ad));
  }

  void advance_to(std::size_t to) {
    line_ +=
        static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                            text_.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
    at_ = to;
  }

  std::string_view text_;
  LogWarnings& warnings_;
  AdSink const& sink_;
  std::size_t at_ = 0, line_ = 1;
  bool odd_ = false;
};

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

}  // namespace

void read_ad_text(std::string_view text, std::string const& file, LogWarnings& warnings,
                  AdSink const& sink) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  char const first = first_letter(text);
  if (first == '\0') return;
  if (is_json(text)) return JsonAds(text, warnings, sink).read();
  if (first == '<' && text.find("<c>") != none) return read_xml_ads(text, warnings, sink);
  if (first == '<' || first == '[') {
    throw InputError({{file, 1},
                      "is no list of job ads",
                      first == '<' ? "it begins like XML, and has no ads <c>"
                                   : "it begins like an ad of the new syntax",
                      "Print the ads with -long, -json, -jsonl or -xml"});
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

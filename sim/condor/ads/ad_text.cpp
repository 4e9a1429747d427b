#include "sim/condor/ads/ad_text.hpp"

#include <algorithm>
#include <set>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/error.hpp"
#include "sim/base/json_text.hpp"
#include "sim/condor/log/scan.hpp"

namespace gridcast::condor {
namespace {

// Ads as `condor_history -xml` prints them: <c> ads of <a n="Name"> attributes, whose values are
// <s>, <i>, <r>, <b v="t"/>, <un/>, <er/>, <at>, <rt>, <l>, <c> and, for an expression, <e>, which
// is undefined here. HTCondor, src/classad/xmlSink.cpp.

using classad::Value;

constexpr int deepest_element = 50;

struct Tag {
  std::string_view name;  // "/a" of a closing one
  std::string_view attributes;
  bool closed = false;  // <un/>
};

std::string unescaped(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    if (auto const meaning = scan::eat_entity(text)) {
      plain += *meaning;
      continue;
    }
    plain += text.front();
    text.remove_prefix(1);
  }
  return plain;
}

template <class T>
Value number(std::string_view text) {
  auto const value = text_as<T>(trim(text));
  return value ? Value(*value) : Value();
}

// The line of a place in a text, asked for one place after the other.
class LineOf {
 public:
  explicit LineOf(std::string_view text) : text_(text) {}

  std::size_t operator()(std::size_t at) {
    std::string_view const between = text_.substr(at_, at - at_);
    line_ += static_cast<std::size_t>(std::ranges::count(between, '\n'));
    at_ = at;
    return line_;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0, line_ = 1;
};

class XmlAds {
 public:
  explicit XmlAds(std::string_view text) : text_(text) {}

  /// Where the next ad begins, from which read() goes on; the text's end if there is none.
  std::size_t find() { return at_ = std::min(text_.find("<c>", at_), text_.size()); }

  bool read(TextAd& ad) {
    return read_attributes([&](std::string name, Value value) {
      ad.attributes.emplace_back(std::move(name), std::move(value));
    });
  }

 private:
  /// The next tag; the text before it goes to `before`.
  std::optional<Tag> next(std::string_view* before = nullptr) {
    auto const open = text_.find('<', at_);
    if (open == std::string_view::npos) return std::nullopt;
    auto const close = text_.find('>', open);
    if (close == std::string_view::npos) return std::nullopt;
    if (before) *before = text_.substr(at_, open - at_);
    std::string_view inner = text_.substr(open + 1, close - open - 1);
    at_ = close + 1;
    Tag tag;
    if (inner.ends_with('/')) {
      tag.closed = true;
      inner.remove_suffix(1);
    }
    auto const blank = inner.find_first_of(" \t\r\n");
    tag.name = inner.substr(0, blank);
    if (blank != std::string_view::npos) tag.attributes = inner.substr(blank);
    return tag;
  }

  static std::string attribute(Tag const& tag, std::string_view name) {
    std::string const key = std::string(name) + "=\"";
    auto const at = tag.attributes.find(key);
    if (at == std::string_view::npos) return {};
    std::string_view rest = tag.attributes.substr(at + key.size());
    return unescaped(rest.substr(0, rest.find('"')));
  }

  template <class Use>
  bool read_attributes(Use use) {
    next();
    while (auto const tag = next()) {
      if (tag->name == "/c") return true;
      if (tag->name != "a") return false;
      auto const value = read_value();
      auto const end = next();
      if (!value || !end || end->name != "/a") return false;
      use(attribute(*tag, "n"), *value);
    }
    return false;
  }

  std::optional<Value> read_value() {
    std::size_t const before = at_;
    auto const tag = next();
    if (!tag || depth_ >= deepest_element) return std::nullopt;
    if (tag->name == "c") {
      at_ = before;
      return read_nested();
    }
    if (tag->name == "l") return read_list();
    if (tag->name == "b") return Value(attribute(*tag, "v") == "t");
    if (tag->closed) return Value();
    std::string_view text;
    auto const end = next(&text);
    if (!end || end->name != std::string("/").append(tag->name)) return std::nullopt;
    if (tag->name == "s") return Value(unescaped(text));
    if (tag->name != "i" && tag->name != "r") return Value();
    Value const whole = number<std::int64_t>(text);
    return tag->name == "i" && !whole.is_undefined() ? whole : number<double>(text);
  }

  std::optional<Value> read_nested() {
    ++depth_;
    classad::Ad ad;
    bool const whole = read_attributes(
        [&](std::string name, Value value) { ad.set(std::move(name), std::move(value)); });
    --depth_;
    return whole ? std::optional(Value(std::move(ad))) : std::nullopt;
  }

  std::optional<Value> read_list() {
    ++depth_;
    classad::List list;
    while (true) {
      std::size_t const before = at_;
      auto const tag = next();
      if (!tag) return std::nullopt;
      if (tag->name == "/l") break;
      at_ = before;
      auto value = read_value();
      if (!value) return std::nullopt;
      list.push_back(std::move(*value));
    }
    --depth_;
    return Value(std::move(list));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

/// Gives each ad to `sink`. Text in no ad, and an ad that is cut off, is counted in `warnings`.
void read_xml_ads(std::string_view text, LogWarnings& warnings, AdSink const& sink) {
  XmlAds ads(text);
  LineOf line_of(text);
  for (std::size_t at = ads.find(); at < text.size(); at = ads.find()) {
    TextAd found;
    found.line = line_of(at);
    if (!ads.read(found)) {
      return warnings.not_understood(
          fmt::format("an ad does not end; is the file cut off? Its {} bytes are left out",
                      text.size() - at),
          found.line);
    }
    sink(std::move(found));
  }
}

using nlohmann::json;

constexpr std::size_t none = std::string_view::npos;

// Objects that end nowhere are looked for again from the next line; so often.
constexpr int most_recoveries = 16;

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
      classad::List list = each_of(source, to_value);
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

/// The object of a text. JSON is UTF-8, and one with other bytes is taken for Latin-1: the name of
/// one file must not cost the ad.
std::optional<json> object_in(std::string_view text) {
  auto object = json_object(text);
  bool const is_ascii = std::ranges::all_of(text, [](char c) { return c >= 0; });
  if (object || is_ascii) return object;
  std::string utf_8;
  for (char const c : text) {
    auto const byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) utf_8 += static_cast<char>(0xc0U | byte >> 6U);
    utf_8 += byte < 0x80 ? c : static_cast<char>(0x80U | (byte & 0x3fU));
  }
  return json_object(utf_8);
}

void add_attributes(json const& object, TextAd& ad) {
  for (auto const& [name, value] : object.items()) {
    ad.attributes.emplace_back(name, to_value(value));
  }
}

/// Those of an answer of Elasticsearch, else the one that the object is.
std::vector<json const*> documents_in(json const& object) {
  auto const hits = object.find("hits");
  bool const is_answer = hits != object.end() && hits->is_object() && hits->contains("hits") &&
                         hits->at("hits").is_array();
  if (!is_answer) return {&document_in(object)};
  std::vector<json const*> documents;
  for (json const& hit : hits->at("hits")) documents.push_back(&document_in(hit));
  std::erase_if(documents, [](json const* each) { return !each->is_object(); });
  return documents;
}

void give_object(std::string_view source, std::size_t line, LogWarnings& warnings,
                 AdSink const& sink) {
  auto const object = object_in(source);
  if (!object) {
    warnings.not_understood(is_deep_json(source)
                                ? "a JSON object is nested too deeply"
                                : "is no JSON object; print ads with condor_history -json",
                            line);
    return;
  }
  for (json const* const each : documents_in(*object)) {
    TextAd ad;
    ad.line = line;
    add_attributes(*each, ad);
    sink(std::move(ad));
  }
}

/// Gives each object to `sink`; all else than brackets of a list and commas is counted in
/// `warnings`, once a line.
void read_json_ads(std::string_view text, LogWarnings& warnings, AdSink const& sink) {
  LineOf line_of(text);
  int recoveries = 0;
  bool odd = false;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '{') {
      odd = odd && text[at] != '\n';
      if (std::string_view(" \t\r\n,[]").find(text[at]) == none && !odd) {
        odd = true;
        warnings.not_understood("is in no JSON object", line_of(at));
      }
      ++at;
      continue;
    }
    std::size_t const size = size_of_json(text.substr(at));
    if (size == none) {
      std::size_t const next = text.find("\n{", at + 1);
      warnings.not_understood(
          fmt::format("a JSON object does not end; is the file cut off? {} bytes are left out",
                      std::min(next, text.size()) - at),
          line_of(at));
      if (++recoveries > most_recoveries || next == none) return;
      at = next + 1;
      continue;
    }
    give_object(text.substr(at, size), line_of(at), warnings, sink);
    at += size;
  }
}

constexpr std::string_view blanks = " \t\r\n";

// The value of an ad's only attribute. Lists and ads of literals are expressions, and so is -1. A
// value that depends on other attributes is undefined, as in JSON.
classad::Value constant_of(classad::Ad const& one) {
  auto const& attribute = one.attributes().front();
  if (auto const* value = std::get_if<classad::Value>(&attribute.content)) return *value;
  auto const& expression = std::get<classad::Expression>(attribute.content);
  bool const constant = expression.attributes().empty() && expression.functions().empty();
  return constant ? one.lookup(attribute.name) : classad::Value();
}

// "ClusterId=4" of a banner, unless the ad has one itself.
void add_banner_word(std::string_view word, TextAd& ad) {
  classad::Ad one;
  if (word.find('=') == std::string_view::npos || !classad::parse_attribute(word, one)) return;
  ad.attributes.insert(ad.attributes.begin(), {one.attributes().front().name, constant_of(one)});
  ad.lines.insert(ad.lines.begin(), ad.line);
}

// "*** EPOCH ClusterId=4 ProcId=1 RunInstanceId=0 ...". The history file's own banners have no
// type: "*** Offset = 0 ClusterId = 4 ProcId = 1 Owner = "ada" CompletionDate = 1767225600".
void add_banner(std::string_view line, TextAd& ad) {
  std::vector<std::string> words = split(line.substr(4), ' ');
  std::erase(words, "");
  if (words.size() > 1 && words[1] == "=") return;  // its ad has these too
  bool first = true;
  for (std::string const& word : words) {
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
  if (first != '{' && first != '[') return false;
  char const second = first_letter(text.substr(text.find(first) + 1));
  if (first == '{') return second != '[';  // a list of ads of the new syntax
  return second == '{' || second == ']' || second == '\0';
}

/// "[ Name = value; ... ]": the number of ads.
std::size_t read_new_ads(std::string_view text, LogWarnings& warnings, AdSink const& sink) {
  LineOf line_of(text);
  std::size_t ads = 0;
  for (std::size_t at = text.find('['); at < text.size(); at = text.find('[', at)) {
    TextAd ad;
    ad.line = line_of(at);
    while (at < text.size() && text[at] != ']') {
      std::size_t const begin = at + 1;
      at = end_of_part(text, ";]", begin);
      std::string_view const attribute = trim(text.substr(begin, at - begin));
      if (attribute.empty()) continue;
      std::size_t const line = line_of(begin);
      if (add_attribute(attribute, ad)) {
        ad.lines.push_back(line);
      } else {
        warnings.not_understood("is no attribute of an ad", line);
      }
    }
    if (at >= text.size()) {
      warnings.not_understood("an ad does not end; is the file cut off? It is left out", ad.line);
    } else if (!ad.attributes.empty()) {
      ++ads;
      sink(std::move(ad));
    }
  }
  return ads;
}

/// An empty line ends each ad, which a file may have lost.
void warn_of_cut(TextAd const& ad, std::set<std::string> const& last_names, LogWarnings& warnings) {
  auto const ends_one = [&](auto const& attribute) { return last_names.contains(attribute.first); };
  if (ad.attributes.empty() || last_names.empty() || std::ranges::any_of(ad.attributes, ends_one)) {
    return;
  }
  warnings.add(fmt::format("no empty line ends the ad, and it lacks the attribute that ends "
                           "the ads before it ({}); is the file cut off? The read part counts",
                           *last_names.begin()),
               ad.line);
}

void read_long_ads(std::string_view text, LogWarnings& warnings, AdSink const& sink) {
  TextAd ad;
  std::set<std::string> last_names;  // of the attributes that end the ads before
  auto finish = [&] {
    if (!ad.attributes.empty()) {
      last_names.insert(ad.attributes.back().first);
      sink(std::move(ad));
    }
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
    } else if (line[0] != '#' && !line.starts_with("-- ")) {  // condor_q: its access point
      if (ad.attributes.empty()) ad.line = number;
      if (add_attribute(line, ad)) {
        ad.lines.push_back(number);
      } else {
        warnings.not_understood("is no attribute of an ad", number);
      }
    }
  }
  warn_of_cut(ad, last_names, warnings);
  finish();
}

}  // namespace

bool read_json_ad(std::string_view text, TextAd& ad) {
  auto const object = object_in(text);
  if (object) add_attributes(*object, ad);
  return object.has_value();
}

json const& document_in(json const& object) {
  // MONIT of CERN keeps an ad in `data`, beside its own `metadata`.
  for (char const* const wrapper : {"_source", "data"}) {
    bool const wraps = object.is_object() && object.contains(wrapper) &&
                       object.at(wrapper).is_object() &&
                       (wrapper[0] == '_' || object.contains("metadata"));
    if (wraps) return document_in(object.at(wrapper));
  }
  return object;
}

bool read_xml_ad(std::string_view text, TextAd& ad) { return XmlAds(text).read(ad); }

void read_ad_text(std::string_view text, std::string const& file, LogWarnings& warnings,
                  AdSink const& sink) {
  char const first = first_letter(text);
  if (first == '\0') return;
  if (is_json(text)) return read_json_ads(text, warnings, sink);
  if (first == '<' && text.find("<c>") != none) return read_xml_ads(text, warnings, sink);
  if (first == '<') {
    refuse({file, 1}, "is no list of job ads", "it begins like XML, and has no ads <c>",
           "Print the ads with -long, -json, -jsonl or -xml");
  }
  if (is_table_of_ads(text)) return read_table_ads(text, warnings, sink);
  bool const is_new = first == '[' || first == '{';
  std::size_t ads = is_new ? read_new_ads(text, warnings, sink) : 0;
  if (!is_new) {
    read_long_ads(text, warnings, [&](TextAd&& ad) {
      ++ads;
      sink(std::move(ad));
    });
  }
  if (ads == 0) {
    refuse({file, 1}, "is no list of job ads",
           "it has neither \"Name = value\" lines nor JSON objects",
           "Print the ads with condor_history -long, -json or -jsonl");
  }
}

}  // namespace gridcast::condor

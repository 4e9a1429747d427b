#include "sim/condor/ads/xml_ads.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/classad/ad.hpp"

namespace gridcast::condor {
namespace {

using classad::Value;

constexpr int deepest_element = 50;

struct Tag {
  std::string_view name;  // "/a" of a closing one
  std::string_view attributes;
  bool closed = false;  // <un/>
};

std::string unescaped(std::string_view text) {
  struct Entity {
    std::string_view name;
    char letter;
  };
  constexpr Entity entities[] = {
      {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
  std::string plain;
  while (!text.empty()) {
    Entity const* known = nullptr;
    for (Entity const& each : entities) {
      if (text.starts_with(each.name)) known = &each;
    }
    plain += known ? known->letter : text.front();
    text.remove_prefix(known ? known->name.size() : 1);
  }
  return plain;
}

template <class T>
Value number(std::string_view text) {
  T value{};
  text = trim(text);
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? Value(value) : Value();
}

class XmlAds {
 public:
  XmlAds(std::string_view text, LogWarnings& warnings, AdSink const& sink)
      : text_(text), warnings_(warnings), sink_(sink) {}

  void read() {
    while (true) {
      auto const ad = text_.find("<c>", at_);
      if (ad == std::string_view::npos) return;
      at_ = ad;
      std::size_t const begin = at_;
      TextAd found;
      found.line = line_at(begin);
      if (!read_ad(found)) return tell_cut(begin, found.line);
      sink_(std::move(found));
    }
  }

 private:
  std::size_t line_at(std::size_t at) {
    lines_ +=
        static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_),
                                            text_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    counted_ = at;
    return lines_;
  }

  void tell_cut(std::size_t begin, std::size_t line) {
    warnings_.not_understood(
        fmt::format("an ad does not end; is the file cut off? Its {} bytes are left out",
                    text_.size() - begin),
        line);
  }

  /// The next tag; what stands before it goes to `before`.
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

  // From its <c> on.
  bool read_ad(TextAd& ad) {
    return read_attributes([&](std::string name, Value value) {
      ad.attributes.emplace_back(std::move(name), std::move(value));
    });
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
    if (tag->name == "i") return number<std::int64_t>(text);
    if (tag->name == "r") return number<double>(text);
    return Value();
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
  LogWarnings& warnings_;
  AdSink const& sink_;
  std::size_t at_ = 0, lines_ = 1, counted_ = 0;
  int depth_ = 0;
};

}  // namespace

void read_xml_ads(std::string_view text, LogWarnings& warnings, AdSink const& sink) {
  XmlAds(text, warnings, sink).read();
}

}  // namespace gridcast::condor

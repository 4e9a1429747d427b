#include "sim/condor/json_events.hpp"

#include <array>

#include "sim/condor/event_attributes.hpp"
#include "sim/condor/scan.hpp"

namespace gridcast::condor {
namespace {

constexpr std::size_t deepest = 8;

// Writes a code point as UTF-8; returns where it ends.
char* put_utf8(char* to, std::uint32_t c) {
  if (c < 0x80) {
    *to++ = static_cast<char>(c);
  } else if (c < 0x800) {
    *to++ = static_cast<char>(0xc0U | c >> 6U);
    *to++ = static_cast<char>(0x80U | (c & 0x3fU));
  } else {
    *to++ = static_cast<char>(0xe0U | c >> 12U);
    *to++ = static_cast<char>(0x80U | (c >> 6U & 0x3fU));
    *to++ = static_cast<char>(0x80U | (c & 0x3fU));
  }
  return to;
}

// Four hexadecimal digits; 0xfffd where they are none.
std::uint32_t hex4(char const* text, char const* end) {
  if (end - text < 4) return 0xfffd;
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    char const c = text[i];
    std::uint32_t digit = 0;
    if (c >= '0' && c <= '9') {
      digit = static_cast<std::uint32_t>(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      digit = static_cast<std::uint32_t>(c - 'a') + 10;
    } else if (c >= 'A' && c <= 'F') {
      digit = static_cast<std::uint32_t>(c - 'A') + 10;
    } else {
      return 0xfffd;
    }
    value = value << 4U | digit;
  }
  return value;
}

// Walks over one object. Everything that it gives out lies in the text.
class Cursor {
 public:
  Cursor(char* text, std::size_t size) : at_(text), end_(text + size) {}

  char peek() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\n' || *at_ == '\r')) ++at_;
    return at_ < end_ ? *at_ : '\0';
  }
  bool eat(char c) {
    if (peek() != c || at_ == end_) return false;
    ++at_;
    return true;
  }

  // Behind the opening quote; unescapes in place, which never makes it longer.
  bool string(std::string_view& found) {
    char* const begin = at_;
    while (at_ < end_ && *at_ != '"' && *at_ != '\\') ++at_;
    char* to = at_;
    while (at_ < end_ && *at_ != '"') {
      if (*at_ != '\\') {
        *to++ = *at_++;
      } else if (!unescape(to)) {
        return false;
      }
    }
    if (at_ == end_) return false;
    found = {begin, static_cast<std::size_t>(to - begin)};
    ++at_;
    return true;
  }

  std::string_view literal() {
    char const* const begin = at_;
    while (at_ < end_ && std::string_view(",}] \t\r\n").find(*at_) == std::string_view::npos) ++at_;
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }

  // Behind the opening bracket.
  bool skip_list() {
    std::string_view ignored;
    for (std::size_t depth = 1; depth > 0;) {
      if (peek() == '\0') return false;
      char const c = *at_++;
      if (c == '"' && !string(ignored)) return false;
      if (c == '[') ++depth;
      if (c == ']') --depth;
    }
    return true;
  }

 private:
  bool unescape(char*& to) {
    ++at_;
    if (at_ == end_) return false;
    char const c = *at_++;
    constexpr std::string_view letters = "bfnrt", meanings = "\b\f\n\r\t";
    if (c == 'u') {
      to = put_utf8(to, hex4(at_, end_));
      at_ += std::min<std::ptrdiff_t>(4, end_ - at_);
    } else if (auto const i = letters.find(c); i != std::string_view::npos) {
      *to++ = meanings[i];
    } else {
      *to++ = c;
    }
    return true;
  }

  char* at_;
  char* end_;
};

}  // namespace

std::size_t JsonEvents::gap(std::string_view text) {
  auto const brace = text.find('{');
  return brace == std::string_view::npos ? text.size() : brace;
}

bool JsonEvents::belongs(std::string_view between) {
  return between.find_first_not_of(" \t\r\n[],.\xef\xbb\xbf") == std::string_view::npos;
}

ObjectEvents::Extent JsonEvents::measure(std::string_view text, std::size_t& size) {
  std::size_t depth = 0;
  bool quoted = false;
  for (size = 0; size < text.size(); ++size) {
    char const c = text[size];
    if (c == '\n') {
      quoted = false;  // no string has one
      if (size + 1 < text.size() && text[size + 1] == '{') return ++size, Extent::broken;
    } else if (quoted) {
      if (c == '\\') ++size;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return ++size, Extent::whole;
    }
  }
  return Extent::cut;
}

bool JsonEvents::read(RawEvent& event, char* text, std::size_t size) {
  Cursor cursor(text, size);
  std::array<std::size_t, deepest> outer{};  // lengths of name_ around each open object
  std::size_t depth = 0;
  name_.clear();
  if (!cursor.eat('{')) return false;
  while (true) {
    if (cursor.eat(',')) continue;
    if (cursor.eat('}')) {
      if (depth == 0) return true;
      name_.resize(outer[--depth]);
      continue;
    }
    std::string_view key, value;
    if (!cursor.eat('"') || !cursor.string(key) || !cursor.eat(':')) return false;
    std::size_t const around = name_.size();
    name_.append(key);
    if (cursor.eat('{')) {
      if (depth == deepest) return false;
      outer[depth++] = around;
      name_ += '.';
      continue;
    }
    if (cursor.eat('[')) {
      if (!cursor.skip_list()) return false;
    } else {
      bool const quoted = cursor.eat('"');
      if (quoted && !cursor.string(value)) return false;
      if (!quoted) value = cursor.literal();
      if (!quoted && value.empty()) return false;
      read_attribute(event, name_, value);
    }
    name_.resize(around);
  }
}

}  // namespace gridcast::condor

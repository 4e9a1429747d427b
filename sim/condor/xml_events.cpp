#include "sim/condor/xml_events.hpp"

#include <algorithm>
#include <array>

#include "sim/condor/event_attributes.hpp"
#include "sim/condor/scan.hpp"

namespace gridcast::condor {
namespace {

constexpr std::size_t none = std::string_view::npos;
constexpr std::size_t deepest = 8;

struct Entity {
  std::string_view text;
  char meaning;
};
constexpr std::array entities = {Entity{"&lt;", '<'}, Entity{"&gt;", '>'}, Entity{"&amp;", '&'},
                                 Entity{"&quot;", '"'}, Entity{"&apos;", '\''}};

// In place. Only ASCII is written as a number ("&#10;"); others stay as they are.
std::string_view unescape(char* text, std::size_t size) {
  std::string_view rest(text, size);
  char* to = std::copy(text, text + std::min(rest.find('&'), size), text);
  rest.remove_prefix(static_cast<std::size_t>(to - text));
  while (!rest.empty()) {
    auto const entity = std::find_if(entities.begin(), entities.end(),
                                     [&](Entity const& e) { return rest.starts_with(e.text); });
    std::string_view number = rest;
    if (entity != entities.end()) {
      rest.remove_prefix(entity->text.size());
      *to++ = entity->meaning;
      continue;
    }
    if (scan::eat(number, "&#")) {
      auto const code = scan::integer(number);
      if (code && *code > 0 && *code < 128 && scan::eat(number, ";")) {
        rest = number;
        *to++ = static_cast<char>(*code);
        continue;
      }
    }
    *to++ = rest.front();
    rest.remove_prefix(1);
  }
  return {text, static_cast<std::size_t>(to - text)};
}

void skip_white(std::string_view& rest) {
  auto const begin = rest.find_first_not_of(" \t\r\n");
  rest.remove_prefix(begin == none ? rest.size() : begin);
}

// "<s>text</s>", "<i>5</i>", "<b v=\"t\"/>", "<s/>"; `base` is the text that `rest` is in.
bool eat_value(std::string_view& rest, char* base, std::string_view all, std::string_view& value) {
  if (scan::eat(rest, "<b v=\"")) {
    value = rest.substr(0, 1);
    auto const end = rest.find("/>");
    if (end == none) return false;
    rest.remove_prefix(end + 2);
    return true;
  }
  if (rest.size() < 3 || rest[0] != '<') return false;
  auto const open_end = rest.find('>');
  if (open_end == none) return false;
  bool const empty = rest[open_end - 1] == '/';
  rest.remove_prefix(open_end + 1);
  value = {};
  if (empty) return true;
  auto const end = rest.find('<');
  if (end == none) return false;
  char* const begin = base + (rest.data() - all.data());
  value = unescape(begin, end);
  rest.remove_prefix(end);
  auto const close_end = rest.find('>');
  if (!rest.starts_with("</") || close_end == none) return false;
  rest.remove_prefix(close_end + 1);
  return true;
}

}  // namespace

std::size_t XmlEvents::gap(std::string_view text) {
  auto const ad = text.find("<c>");
  return ad == none ? text.size() : ad;
}

bool XmlEvents::belongs(std::string_view between) {
  while (true) {
    skip_white(between);
    if (between.empty()) return true;
    auto const end = between.find('>');
    if (between.front() != '<' && !between.starts_with("\xef\xbb\xbf")) return false;
    if (end == none) return false;
    between.remove_prefix(end + 1);
  }
}

ObjectEvents::Extent XmlEvents::measure(std::string_view text, std::size_t& size) {
  std::size_t depth = 0;
  size = 0;
  while (true) {
    auto const tag = text.find('<', size);
    if (tag == none) return Extent::cut;
    std::string_view const rest = text.substr(tag);
    if (rest.size() < 4) return Extent::cut;
    size = tag + 1;
    if (rest.starts_with("<c>")) {
      if (tag > 0 && text[tag - 1] == '\n') return size = tag, Extent::broken;
      ++depth;
    } else if (rest.starts_with("</c>") && --depth == 0) {
      size = tag + 4;
      return Extent::whole;
    }
  }
}

bool XmlEvents::read(RawEvent& event, char* text, std::size_t size) {
  std::string_view const all(text, size);
  std::string_view rest = all;
  std::array<std::size_t, deepest> outer{};  // lengths of name_ around each open ad
  std::size_t depth = 0;
  name_.clear();
  if (!scan::eat(rest, "<c>")) return false;
  while (true) {
    skip_white(rest);
    if (scan::eat(rest, "</c>")) {
      if (depth == 0) return true;
      name_.resize(outer[--depth]);
      skip_white(rest);
      if (!scan::eat(rest, "</a>")) return false;
      continue;
    }
    if (!scan::eat(rest, "<a n=\"")) return false;
    auto const quote = rest.find("\">");
    if (quote == none) return false;
    std::size_t const around = name_.size();
    name_.append(rest.substr(0, quote));
    rest.remove_prefix(quote + 2);
    skip_white(rest);
    if (scan::eat(rest, "<c>")) {
      if (depth == deepest) return false;
      outer[depth++] = around;
      name_ += '.';
      continue;
    }
    std::string_view value;
    if (!eat_value(rest, text, all, value)) return false;
    skip_white(rest);
    if (!scan::eat(rest, "</a>")) return false;
    read_attribute(event, name_, value);
    name_.resize(around);
  }
}

}  // namespace gridcast::condor

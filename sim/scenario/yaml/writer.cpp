#include "sim/scenario/yaml/writer.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gridcast::scenario {
namespace {

/// A unit, and how many of the SI unit it is.
using Unit = std::pair<char const*, double>;

/// Exactly, in the first of the units of which it is a whole number.
template <std::size_t count>
std::string in_units(double value, std::array<Unit, count> const& units, char const* si) {
  for (auto const& [unit, size] : units) {
    double const number = value / size;
    if (number >= 1 && number == std::floor(number)) return fmt::format("{} {}", number, unit);
  }
  return fmt::format("{} {}", value, si);
}

/// Control characters and what is not UTF-8 would make the file one that nobody reads.
std::string clean(std::string_view text) {
  std::string result;
  std::size_t at = 0;
  while (at < text.size()) {
    auto const byte = static_cast<unsigned char>(text[at]);
    std::size_t const length = byte < 0x80 ? 1 : byte >> 5 == 6 ? 2 : byte >> 4 == 14 ? 3 : 0;
    bool good = length > 0 && at + length <= text.size() && byte >= 0x20 && byte != 0x7f;
    for (std::size_t i = 1; i < length && good; ++i) {
      good = (static_cast<unsigned char>(text[at + i]) & 0xc0) == 0x80;
    }
    // Characters beyond these, overlong forms, surrogates and marks of byte order.
    good = good && (length != 2 || byte >= 0xc3) && (length != 3 || (byte > 0xe0 && byte < 0xed));
    if (good) {
      result += text.substr(at, length);
      at += length;
    } else {
      result += byte < 0x80 ? ' ' : '?';
      ++at;
    }
  }
  return result;
}

}  // namespace

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string quoted_text(std::string_view text) { return in_quotes(clean(text)); }

std::string plain_name(std::string_view text) {
  auto const letter = [](char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z'); };
  bool const plain =
      !text.empty() && letter(text.front()) && std::all_of(text.begin(), text.end(), [&](char c) {
        return letter(c) || ('0' <= c && c <= '9') || c == '.' || c == '_' || c == '/' || c == '-';
      });
  return plain ? std::string(text) : quoted_text(text);
}

std::string time_in_hours(Seconds time) {
  double const number = time / hours(1);
  if (number >= 2 && number == std::floor(number)) return fmt::format("{} h", number);
  return fmt::format("{} s", time.value());
}

std::string time_in_largest(Seconds time) {
  static constexpr std::array<Unit, 3> units = {{{"d", 86400}, {"h", 3600}, {"min", 60}}};
  return in_units(time.value(), units, "s");
}

std::string exact_size(Bytes size) {
  static constexpr std::array<Unit, 8> units = {{{"TB", 1e12},
                                                 {"TiB", 1099511627776.0},
                                                 {"GB", 1e9},
                                                 {"GiB", 1073741824.0},
                                                 {"MB", 1e6},
                                                 {"MiB", 1048576.0},
                                                 {"kB", 1e3},
                                                 {"KiB", 1024.0}}};
  return in_units(size.value(), units, "B");
}

std::string exact_rate(BytesPerSecond rate) {
  static constexpr std::array<Unit, 2> units = {{{"Gbps", 1.25e8}, {"MB/s", 1e6}}};
  return in_units(rate.value(), units, "B/s");
}

std::string exact_number(double number) { return fmt::format("{}", number); }

std::string yaml_comment(std::string_view text) {
  std::string const cleaned = clean(text);
  return cleaned.empty() ? "#" : "# " + cleaned;
}

PathTest among(std::vector<std::string> paths) {
  return [paths = std::move(paths)](std::string_view path) {
    return std::find(paths.begin(), paths.end(), path) != paths.end();
  };
}

std::string YamlWriter::scalar(TimeRange const& range) const {
  if (range.least == range.most) return layout_.time(range.least);
  return layout_.time(range.least) + ".." + layout_.time(range.most);
}

// In single quotes, where it can be read as it is.
std::string YamlWriter::scalar(classad::Expression const& expression) const {
  std::string result = "'";
  for (char const c : clean(expression.text())) result += c == '\'' ? "''" : std::string(1, c);
  return result + "'";
}

void YamlWriter::value(std::string const& key, bool required, std::vector<std::string> const& texts,
                       std::vector<std::string> const& usual) {
  if (!required && texts == usual) return;
  std::vector<std::string> scalars;
  for (std::string const& text : texts) scalars.push_back(scalar(text));
  items(key, scalars);
}

std::string YamlWriter::path_of(std::string_view key) const {
  return frame_.path.empty() ? std::string(key) : fmt::format("{}.{}", frame_.path, key);
}

YamlShape YamlWriter::shape_of(std::string_view path) const {
  bool const free = frame_.shape == YamlShape::lines && layout_.shape;
  return free ? layout_.shape(path) : YamlShape::line;
}

YamlWriter::Frame YamlWriter::enter(std::string path, std::size_t indent) {
  YamlShape const shape = shape_of(path);
  return std::exchange(frame_, {std::move(path), shape, indent, {}, false});
}

void YamlWriter::leave(Frame outer, std::string const& key, bool required) {
  Frame const inner = std::exchange(frame_, std::move(outer));
  if (!required && !inner.tells) return;
  frame_.tells = frame_.tells || inner.tells;
  bool const lines = inner.shape == YamlShape::lines && !inner.text.empty();
  put(key, inner.path, lines ? "\n" + inner.text : "{" + inner.text + "}");
}

std::string YamlWriter::item_text(Frame const& item) {
  // In lines, the first key stands behind the dash.
  return item.shape == YamlShape::lines ? item.text.substr(std::min(item.indent, item.text.size()))
                                        : "{" + item.text + "}";
}

void YamlWriter::put_scalar(std::string const& key, bool required, std::string text, bool usual) {
  std::string const path = path_of(key);
  bool const tells = !usual || (layout_.kept && layout_.kept(path));
  if (!required && !tells) return;
  frame_.tells = frame_.tells || tells;
  auto const as = layout_.as.find(path);
  put(key, path, as == layout_.as.end() ? text : as->second);
}

void YamlWriter::put_items(std::string const& key, std::string const& path,
                           std::vector<std::string> const& items) {
  frame_.tells = true;
  YamlShape const shape = shape_of(path);
  if (items.empty() || shape != YamlShape::lines) {
    bool const folded = shape == YamlShape::folded;
    std::string const between = folded ? ",\n" + std::string(frame_.indent + 2, ' ') : ", ";
    return put(key, path, fmt::format("[{}]", fmt::join(items, between)));
  }
  std::string text = "\n";
  for (std::size_t i = 0; i < items.size(); ++i) {
    put_above(text, fmt::format("{}[{}]", path, i), frame_.indent + 2);
    text += fmt::format("{:{}}- {}", "", frame_.indent + 2, items[i]);
    if (text.back() != '\n') text += '\n';
  }
  put(key, path, text);
}

void YamlWriter::put(std::string const& key, std::string const& path, std::string const& text) {
  if (frame_.shape != YamlShape::lines) {
    frame_.text += fmt::format("{}{}: {}", frame_.text.empty() ? "" : ", ", key, text);
    return;
  }
  put_above(frame_.text, path, frame_.indent);
  bool const below = text.starts_with('\n');
  frame_.text += fmt::format("{:{}}{}:{}{}{}", "", frame_.indent, key, below ? "" : " ", text,
                             below ? "" : "\n");
}

void YamlWriter::put_above(std::string& out, std::string const& path, std::size_t indent) const {
  auto const found = layout_.above.find(path);
  if (found == layout_.above.end()) return;
  for (std::string const& line : found->second) {
    out += line.empty() ? "\n" : fmt::format("{:{}}{}\n", "", indent, yaml_comment(line));
  }
}

}  // namespace gridcast::scenario

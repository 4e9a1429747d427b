#include "sim/scenario/yaml/values.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/ranges.h>

#include "sim/base/text.hpp"

namespace gridcast::scenario {

namespace {

/// A kind of quantity, for messages.
struct QuantityWords {
  std::string_view noun;
  std::string_view example;
  std::vector<std::string> units;  // those worth naming
};

QuantityWords const& words_of(Seconds) {
  static QuantityWords const words{"a time", "5 min", {"ms", "s", "min", "h", "d", "w"}};
  return words;
}

QuantityWords const& words_of(Bytes) {
  static QuantityWords const words{
      "a size", "137 GB", {"B", "kB", "MB", "GB", "TB", "PB", "KiB", "MiB", "GiB", "TiB", "PiB"}};
  return words;
}

QuantityWords const& words_of(BytesPerSecond) {
  static QuantityWords const words{
      "a rate", "10 Gbps", {"B/s", "kB/s", "MB/s", "GB/s", "bps", "kbps", "Mbps", "Gbps", "Tbps"}};
  return words;
}

std::optional<Seconds> parse(std::string_view text, Seconds) { return parse_seconds(text); }
std::optional<Bytes> parse(std::string_view text, Bytes) { return parse_bytes(text); }
std::optional<BytesPerSecond> parse(std::string_view text, BytesPerSecond) {
  return parse_rate(text);
}

/// The text after the number in "350 gb".
std::string_view unit_in(std::string_view text) {
  auto const last = text.find_last_of("0123456789. \t");
  return last == std::string_view::npos ? text : text.substr(last + 1);
}

/// Which quantity it is, if it is one.
std::string_view kind_of(std::string_view text) {
  if (parse_seconds(text)) return words_of(Seconds()).noun;
  if (parse_bytes(text)) return words_of(Bytes()).noun;
  if (parse_rate(text)) return words_of(BytesPerSecond()).noun;
  return "";
}

/// "'350 h' is a time where a size is wanted", "'350' has no unit", "'x' is not a size".
std::string not_a_quantity(std::string_view text, QuantityWords const& wanted) {
  std::string_view const kind = kind_of(text);
  if (!kind.empty()) return fmt::format("'{}' is {} where {} is wanted", text, kind, wanted.noun);
  bool const has_number = text.find_first_of("0123456789") != std::string_view::npos;
  if (has_number && unit_in(text).empty()) return fmt::format("'{}' has no unit", text);
  return fmt::format("'{}' is not {}", text, wanted.noun);
}

/// "Did you mean 'GB'? Units: ..., as in '137 GB'."
std::string unit_hint(std::string_view text, QuantityWords const& wanted) {
  std::string const known =
      fmt::format("Units: {}, as in '{}'.", fmt::join(wanted.units, ", "), wanted.example);
  std::string_view const unit = kind_of(text).empty() ? unit_in(trim(text)) : "";
  std::string const near = closest(unit, wanted.units);
  return near.empty() || near == unit ? known : fmt::format("Did you mean '{}'? {}", near, known);
}

/// The text of a value that has to be a scalar.
std::optional<std::string> scalar(YamlValue const& value, std::string_view wanted) {
  if (value.node.IsScalar()) return value.node.Scalar();
  value.complain(fmt::format("{} where {} is wanted", shown(value.node), wanted), "", "");
  return std::nullopt;
}

bool within(Bounds const& bounds, double number) {
  return (bounds.above ? number > bounds.least : number >= bounds.least) && number <= bounds.most;
}

bool is_whole(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

template <class Number>
void read_whole(YamlValue const& value, Bounds bounds, Number& out) {
  bounds.most = std::min(bounds.most, static_cast<double>(std::numeric_limits<Number>::max()));
  auto const text = scalar(value, "a whole number");
  if (!text) return;
  if (!is_whole(*text)) {
    value.complain(fmt::format("'{}' is not a whole number", *text), "", "Write it in digits.");
    return;
  }
  auto const number = text_as<Number>(*text);
  if (number && within(bounds, static_cast<double>(*number))) {
    out = *number;
  } else {
    value.complain(*text + " is out of range", "it has to be " + to_text(bounds), "");
  }
}

// No grid has such times, and a simulation would not end with them (a clock of doubles does not
// move on by a minute in the year 3e8).
constexpr Seconds longest_time = days(36525);
constexpr Bytes largest = Bytes(1e21);
constexpr BytesPerSecond slowest = BytesPerSecond(1), fastest = BytesPerSecond(1e18);

std::string beyond_reason(Seconds time) {
  return time > longest_time ? "a hundred years at most" : "";
}
std::string beyond_reason(Bytes size) { return size > largest ? "10^21 bytes at most" : ""; }
std::string beyond_reason(BytesPerSecond rate) {
  bool const crawls = rate > BytesPerSecond(0) && rate < slowest;
  return crawls ? "1 byte a second at least" : rate > fastest ? "10^18 bytes a second at most" : "";
}

/// The text of a quantity's value, checked against the bounds.
template <class Quantity>
void read_quantity(YamlValue const& value, Bounds const& bounds, Quantity& out) {
  QuantityWords const& wanted = words_of(out);
  auto const text = scalar(value, wanted.noun);
  if (!text) return;
  auto const quantity = parse(*text, out);
  if (!quantity) {
    value.complain(not_a_quantity(*text, wanted), "", unit_hint(*text, wanted));
  } else if (quantity->value() < 0) {
    value.complain(fmt::format("'{}' is negative", *text), fmt::format("{} cannot be", wanted.noun),
                   "");
  } else if (!within(bounds, quantity->value())) {
    value.complain(fmt::format("'{}' is out of range", *text), "it has to be " + to_text(bounds),
                   "");
  } else if (auto const most = beyond_reason(*quantity); !most.empty()) {
    value.complain(fmt::format("'{}' is out of range", *text), "it can be " + most, "");
  } else {
    out = *quantity;
  }
}

/// A unit, and how many of the SI unit it is.
using Unit = std::pair<char const*, double>;

/// Exactly, in the first of the units that gives a whole number.
template <std::size_t count>
std::string in_units(double value, std::array<Unit, count> const& units, char const* si) {
  for (auto const& [unit, size] : units) {
    double const number = value / size;
    if (number >= 1 && number == std::floor(number)) return fmt::format("{} {}", number, unit);
  }
  return fmt::format("{} {}", value, si);
}

/// Control characters and invalid UTF-8 would make the file unreadable.
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

std::string to_text(Bounds const& bounds) {
  bool const open = bounds.open();
  if (bounds.above && open) return fmt::format("above {}", bounds.least);
  if (bounds.above) return fmt::format("above {} and at most {}", bounds.least, bounds.most);
  if (open) return fmt::format("{} or more", bounds.least);
  bool const is_exact = bounds.most < 1e15;
  return fmt::format(fmt::runtime(is_exact ? "from {} to {}" : "from {} to {:.3g}"), bounds.least,
                     bounds.most);
}

void read_value(YamlValue const& value, Bounds const&, std::string& out) {
  auto const text = scalar(value, "a text");
  if (!text) return;
  if (trim(*text).empty()) {
    value.complain("an empty text", "", "Write something, or leave the key out if it is optional.");
  } else {
    out = *text;
  }
}

void read_value(YamlValue const& value, Bounds const&, bool& out) {
  auto const word = read_word(value, {"true", "false"});
  if (word) out = *word == 0;
}

void read_value(YamlValue const& value, Bounds const& bounds, int& out) {
  read_whole(value, bounds, out);
}

void read_value(YamlValue const& value, Bounds const& bounds, std::uint64_t& out) {
  read_whole(value, bounds, out);
}

void read_value(YamlValue const& value, Bounds const& bounds, double& out) {
  auto const text = scalar(value, "a number");
  if (!text) return;
  auto const number = text_as<double>(*text);
  if (!number || !std::isfinite(*number)) {
    value.complain(fmt::format("'{}' is not a number", *text), "", "");
  } else if (!within(bounds, *number)) {
    value.complain(*text + " is out of range", "it has to be " + to_text(bounds), "");
  } else {
    out = *number;
  }
}

void read_value(YamlValue const& value, Bounds const& bounds, Seconds& out) {
  read_quantity(value, bounds, out);
}

void read_value(YamlValue const& value, Bounds const& bounds, Bytes& out) {
  read_quantity(value, bounds, out);
}

void read_value(YamlValue const& value, Bounds const& bounds, BytesPerSecond& out) {
  read_quantity(value, bounds, out);
}

void read_value(YamlValue const& value, Bounds const& bounds, TimeRange& out) {
  auto const text = scalar(value, "a time or a range of times");
  if (!text) return;
  auto const dots = text->find("..");
  bool const single = dots == std::string::npos;
  std::string const first(trim(text->substr(0, dots)));
  std::string const second(single ? first : trim(text->substr(dots + 2)));
  auto const least = parse_seconds(first);
  auto const most = parse_seconds(second);
  if (!least || !most) {
    value.complain(
        fmt::format("'{}' is not a range of times", *text), "",
        "Write it like '5 min..10 min'. " + unit_hint(least ? second : first, words_of(Seconds())));
  } else if (!within(bounds, least->value()) || !within(bounds, most->value())) {
    value.complain(fmt::format("'{}' is out of range", *text), "it has to be " + to_text(bounds),
                   "");
  } else if (auto const limit = beyond_reason(*most); !limit.empty()) {
    value.complain(fmt::format("'{}' is out of range", *text), "it can be " + limit, "");
  } else if (*most < *least) {
    value.complain(fmt::format("'{}' is reversed", *text), "the first time is the longer one",
                   fmt::format("Write '{}..{}'.", second, first));
  } else {
    out = {*least, *most};
  }
}

void read_value(YamlValue const& value, Bounds const& bounds, FactorRange& out) {
  auto const text = scalar(value, "a factor or a range of factors");
  if (!text) return;
  auto const range = parse_factor_range(*text);
  if (!range) {
    value.complain(fmt::format("'{}' is not a factor", *text), "",
                   "Write a number such as 2, or a range from the smaller one, such as 0.5..4.");
  } else if (!within(bounds, range->least)) {
    value.complain(fmt::format("'{}' is out of range", *text), "it has to be " + to_text(bounds),
                   "");
  } else {
    out = *range;
  }
}

void read_value(YamlValue const& value, Bounds const& bounds, std::vector<std::string>& out) {
  if (!value.node.IsSequence() || value.node.size() == 0) {
    value.complain((value.node.IsSequence() ? "an empty list" : shown(value.node)) +
                       " where a list of names is wanted",
                   "", "Write [NAME, ...].");
    return;
  }
  out.assign(value.node.size(), "");
  for (std::size_t i = 0; i < out.size(); ++i) read_value(value.item(i), bounds, out[i]);
}

void read_value(YamlValue const& value, Bounds const&, std::optional<classad::Expression>& out) {
  auto const text = scalar(value, "a ClassAd expression");
  if (!text) return;
  // The mark of a quoted value is the quote.
  Location where = value.document.at(value.node.Mark());
  if (value.node.Tag() == "!") ++where.column;
  try {
    classad::Expression expression = classad::parse(*text, where);
    for (std::string const& function : expression.unknown_functions()) {
      value.complain(fmt::format("gridcast has no ClassAd function '{}'", function), "",
                     "docs/submit.md names those of HTCondor that are missing.");
    }
    out = std::move(expression);
  } catch (InputError const& error) {
    for (Problem problem : error.problems()) {
      value.document.mark_bad(value.path);
      problem.what = value.path + ": " + problem.what;
      value.document.add(std::move(problem));
    }
  }
}

std::optional<std::size_t> read_word(YamlValue const& value,
                                     std::vector<std::string> const& words) {
  auto const text = scalar(value, "one word");
  if (!text) return std::nullopt;
  if (auto const found = position_of(words, *text)) return found;
  value.complain(fmt::format("'{}' is none of its values", *text), "", suggestion(*text, words));
  return std::nullopt;
}

std::vector<std::string_view> time_units() {
  return {"ms",   "sec", "seconds", "second", "s", "minutes", "minute", "min", "hours",
          "hour", "h",   "days",    "day",    "d", "weeks",   "week",   "w"};
}
std::vector<std::string_view> size_units() {
  return {"B", "kB", "MB", "GB", "TB", "PB", "KiB", "MiB", "GiB", "TiB", "PiB"};
}
std::vector<std::string_view> rate_units() {
  return {"[kMGTP]?B/s", "[KMGTP]iB/s", "[kMGT]?bit/s", "[kMGT]?bps"};
}

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
      !text.empty() && letter(text.front()) && std::ranges::all_of(text, [&](char c) {
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
  return [paths = std::move(paths)](std::string_view path) { return contains(paths, path); };
}

std::string YamlWriter::scalar(TimeRange const& range) const {
  if (range.least == range.most) return layout_.time(range.least);
  return layout_.time(range.least) + ".." + layout_.time(range.most);
}

// In single quotes, if it reads back the same.
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
  if (!required && !inner.is_given) return;
  frame_.is_given = frame_.is_given || inner.is_given;
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
  bool const is_given = !usual || (layout_.kept && layout_.kept(path));
  if (!required && !is_given) return;
  frame_.is_given = frame_.is_given || is_given;
  auto const as = layout_.as.find(path);
  put(key, path, as == layout_.as.end() ? text : as->second);
}

void YamlWriter::put_items(std::string const& key, std::string const& path,
                           std::vector<std::string> const& items) {
  frame_.is_given = true;
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

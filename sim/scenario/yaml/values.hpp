// Values in YAML, on their way in and out of a file: text, numbers, quantities with their units,
// words out of a list. Reading complains of each that is wrong. A table of keys (yaml/fields.hpp)
// reads a struct and writes it such that the same table reads it back equal: keys that hold their
// default are left out, the others stand in the order of the table. The layout decides their form
// and the comments above them.
//
// A writer's paths are those of messages without numbers: "campaign.submit.at",
// "strategies.NAME.transfer"; "tests[]" is an item of the list `tests`, "sites[0]" its first one.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/base/units.hpp"
#include "sim/classad/expression.hpp"
#include "sim/scenario/yaml/document.hpp"

namespace gridcast::scenario {

/// The form of a key's value, for messages and for the schema.
enum class Form {
  text,
  word,  // one of a list
  truth,
  integer,
  number,
  time,
  size,
  rate,
  time_range,    // "5 min..10 min"
  factor_range,  // "2" or "0.5..4"
  expression,    // of the ClassAd language
  file,
  names,           // a list of texts
  sizes,           // a list of sizes
  integers,        // a list of whole numbers
  section,         // keys below
  sections,        // a list of those
  named_sections,  // a name of one's own for each
};

constexpr bool is_list(Form form) {
  return form == Form::names || form == Form::sizes || form == Form::integers;
}

/// Bounds of numbers and quantities, in SI units.
struct Bounds {
  double least = 0;
  double most = std::numeric_limits<double>::infinity();
  bool above = false;  // `least` itself is too small

  /// Without an upper one, but for the largest number of a computer.
  bool open() const { return most > 1e300; }
};

constexpr Bounds not_negative() { return {}; }
constexpr Bounds positive() { return {0, std::numeric_limits<double>::infinity(), true}; }
constexpr Bounds between(double least, double most) { return {least, most}; }
constexpr Bounds share() { return {0, 1, true}; }

/// "above 0", "from 1 to 100"; nothing where only negative values are excluded.
std::string to_text(Bounds const& bounds);

// Each reads `value` into `out`, or complains and leaves `out` alone.
void read_value(YamlValue const& value, Bounds const& bounds, std::string& out);
void read_value(YamlValue const& value, Bounds const& bounds, bool& out);
void read_value(YamlValue const& value, Bounds const& bounds, int& out);
void read_value(YamlValue const& value, Bounds const& bounds, std::uint64_t& out);
void read_value(YamlValue const& value, Bounds const& bounds, double& out);
void read_value(YamlValue const& value, Bounds const& bounds, Seconds& out);
void read_value(YamlValue const& value, Bounds const& bounds, Bytes& out);
void read_value(YamlValue const& value, Bounds const& bounds, BytesPerSecond& out);
void read_value(YamlValue const& value, Bounds const& bounds, TimeRange& out);
void read_value(YamlValue const& value, Bounds const& bounds, FactorRange& out);
void read_value(YamlValue const& value, Bounds const& bounds, std::vector<std::string>& out);
void read_value(YamlValue const& value, Bounds const& bounds,
                std::optional<classad::Expression>& out);
template <class T>
void read_value(YamlValue const& value, Bounds const& bounds, std::optional<T>& out) {
  T read{};
  read_value(value, bounds, read);
  if (!value.document.is_bad(value.path)) out = read;
}
/// The position of a word in its list.
std::optional<std::size_t> read_word(YamlValue const& value, std::vector<std::string> const& words);

constexpr Form form_of(std::string const&) { return Form::text; }
constexpr Form form_of(bool) { return Form::truth; }
constexpr Form form_of(int) { return Form::integer; }
constexpr Form form_of(std::uint64_t) { return Form::integer; }
constexpr Form form_of(double) { return Form::number; }
constexpr Form form_of(FactorRange const&) { return Form::factor_range; }
constexpr Form form_of(Seconds) { return Form::time; }
constexpr Form form_of(Bytes) { return Form::size; }
constexpr Form form_of(BytesPerSecond) { return Form::rate; }
constexpr Form form_of(std::vector<std::string> const&) { return Form::names; }
constexpr Form form_of(std::optional<classad::Expression> const&) { return Form::expression; }
template <class T>
constexpr Form form_of(std::optional<T> const&) {
  return form_of(T());
}

/// Every unit of times, sizes or rates that can be read (sim/base/units.hpp), as parts of a
/// pattern.
std::vector<std::string_view> time_units();
std::vector<std::string_view> size_units();
std::vector<std::string_view> rate_units();

/// The default as one would write it, quantities with three digits; empty if there is none.
template <class T>
std::string default_text(T const& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_arithmetic_v<T>) {
    return fmt::format("{}", value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return value;
  } else if constexpr (std::is_same_v<T, classad::Expression>) {
    return value.text();
  } else {
    return to_text(value);
  }
}
template <class T>
std::string default_text(std::optional<T> const& value) {
  return value ? default_text(*value) : "";
}

/// How the entries of a group or a list stand.
enum class YamlShape {
  line,    // {key: value, ...} or [item, ...]
  folded,  // of a list: the same with a line an item
  lines,   // an entry a line, indented
};

// Scalars as a file may contain them.
/// In double quotes, unchanged.
std::string in_quotes(std::string_view text);
/// The same for any text: control characters and invalid UTF-8 are replaced.
std::string quoted_text(std::string_view text);
/// Without quotes where it is letters, digits and . _ / - after a letter.
std::string plain_name(std::string_view text);
/// Exactly, in the largest unit that divides it; in hours only from two on.
std::string time_in_hours(Seconds time);
/// Exactly, in the largest of s, min, h and d that divides it.
std::string time_in_largest(Seconds time);
std::string exact_size(Bytes size);
std::string exact_rate(BytesPerSecond rate);
std::string exact_number(double number);

/// "# line" for each of the lines of a text, which may hold anything.
std::string yaml_comment(std::string_view text);

using PathTest = std::function<bool(std::string_view path)>;
/// True of these paths.
PathTest among(std::vector<std::string> paths);

struct YamlLayout {
  /// Nothing: the file's own keys in lines, all below in a line.
  std::function<YamlShape(std::string_view path)> shape = {};
  std::string (*text)(std::string_view) = quoted_text;
  std::string (*name)(std::string_view) = plain_name;  // keys that are names of one's own
  std::string (*number)(double) = exact_number;
  std::string (*time)(Seconds) = time_in_hours;
  std::string (*size)(Bytes) = exact_size;
  PathTest kept = {};                                       // written though they hold the default
  std::map<std::string, std::string, std::less<>> as = {};  // scalars in their written form
  /// Lines above a key or an item: comments, or an empty line for an empty text.
  std::map<std::string, std::vector<std::string>, std::less<>> above = {};
};

class YamlWriter {
 public:
  explicit YamlWriter(YamlLayout const& layout) : layout_(layout) {
    frame_.shape = YamlShape::lines;
  }

  /// The text up to now.
  std::string const& text() const { return frame_.text; }

  /// A key with its value, unless that is the usual one; one that is `required` is written anyway.
  template <class T>
  void value(std::string const& key, bool required, T const& value, T const& usual) {
    put_scalar(key, required, scalar(value), value == usual);
  }
  template <class T>
  void value(std::string const& key, bool required, std::optional<T> const& value,
             std::optional<T> const&) {
    if (value) put_scalar(key, required, scalar(*value), false);
  }
  void value(std::string const& key, bool required, std::vector<std::string> const& texts,
             std::vector<std::string> const& usual);
  /// One of a list of words.
  void word(std::string const& key, bool required, std::string const& word, bool usual) {
    put_scalar(key, required, word, usual);
  }
  /// A list of scalars in their written form.
  void items(std::string const& key, std::vector<std::string> const& items) {
    put_items(key, path_of(key), items);
  }
  /// A text as a group's entry, under a name of one's own.
  void entry(std::string const& name, std::string const& text) {
    put_scalar(layout_.name(name), true, scalar(text), false);
  }

  /// Keys below a key, which `fill` writes; left out if all of them hold their defaults, unless
  /// `required`.
  template <class Fill>
  void group(std::string const& key, bool required, Fill const& fill) {
    Frame outer = enter(path_of(key), frame_.indent + 2);
    fill();
    leave(std::move(outer), key, required);
  }
  /// A group under a name of one's own.
  template <class Fill>
  void named(std::string const& name, Fill const& fill) {
    group(layout_.name(name), true, fill);
  }

  /// A list whose items are groups, `fill(i)` writes the keys of one; left out if it has none,
  /// unless `required`.
  template <class Fill>
  void list(std::string const& key, bool required, std::size_t count, Fill const& fill) {
    std::vector<std::string> items;
    std::string const path = path_of(key);
    bool const lines = shape_of(path) == YamlShape::lines;
    for (std::size_t i = 0; i < count; ++i) {
      Frame outer = enter(path + "[]", frame_.indent + 4);
      if (!lines) frame_.shape = YamlShape::line;
      frame_.path = path;
      fill(i);
      items.push_back(item_text(std::exchange(frame_, std::move(outer))));
    }
    if (required || count > 0) put_items(key, path, items);
  }

 private:
  /// A group while its keys are written.
  struct Frame {
    std::string path;
    YamlShape shape = YamlShape::line;
    std::size_t indent = 0;
    std::string text;
    bool is_given = false;  // contains a value that is not the default
  };

  std::string scalar(std::string const& text) const { return layout_.text(text); }
  std::string scalar(bool truth) const { return truth ? "true" : "false"; }
  std::string scalar(int number) const { return std::to_string(number); }
  std::string scalar(std::uint64_t number) const { return std::to_string(number); }
  std::string scalar(double number) const { return layout_.number(number); }
  std::string scalar(Seconds time) const { return layout_.time(time); }
  std::string scalar(Bytes size) const { return layout_.size(size); }
  std::string scalar(BytesPerSecond rate) const { return exact_rate(rate); }
  std::string scalar(FactorRange const& range) const { return to_text(range); }
  std::string scalar(TimeRange const& range) const;
  std::string scalar(classad::Expression const& expression) const;

  std::string path_of(std::string_view key) const;
  YamlShape shape_of(std::string_view path) const;
  Frame enter(std::string path, std::size_t indent);
  void leave(Frame outer, std::string const& key, bool required);
  static std::string item_text(Frame const& item);
  void put_scalar(std::string const& key, bool required, std::string text, bool usual);
  void put_items(std::string const& key, std::string const& path,
                 std::vector<std::string> const& items);
  /// `text` begins with a line end where it stands below its key.
  void put(std::string const& key, std::string const& path, std::string const& text);
  void put_above(std::string& out, std::string const& path, std::size_t indent) const;

  YamlLayout const& layout_;
  Frame frame_;
};

}  // namespace gridcast::scenario

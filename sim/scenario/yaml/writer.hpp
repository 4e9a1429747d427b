// YAML on its way into a file. A table of keys (yaml/fields.hpp) writes a struct so that the same
// table reads it back equal: keys that hold their default are left out, the others stand in the
// order of the table. How they stand, and what stands above them, is the layout's.
//
// Paths are those of messages without numbers: "campaign.submit.at", "strategies.NAME.transfer";
// "tests[]" is an item of the list `tests`, "sites[0]" its first one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/classad/expression.hpp"
#include "sim/scenario/range.hpp"

namespace gridcast::scenario {

/// How the entries of a group or a list stand.
enum class YamlShape {
  line,    // {key: value, ...} or [item, ...]
  folded,  // of a list: the same with a line an item
  lines,   // an entry a line, indented
};

// Scalars as they can stand in a file.
/// In double quotes, as it is.
std::string in_quotes(std::string_view text);
/// The same of a text from anywhere: control characters and what is not UTF-8 are replaced.
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
  std::map<std::string, std::string, std::less<>> as = {};  // scalars as they are to stand
  /// Lines above a key or an item: comments, or an empty line for an empty text.
  std::map<std::string, std::vector<std::string>, std::less<>> above = {};
};

class YamlWriter {
 public:
  explicit YamlWriter(YamlLayout const& layout) : layout_(layout) {
    frame_.shape = YamlShape::lines;
  }

  /// What was written so far.
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
  /// A list of scalars, as they are to stand.
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
    bool tells = false;  // something that is not the default
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

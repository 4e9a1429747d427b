// JSON at the edge: how numbers are written, and typed readings of an object's keys. What is of the
// wrong type is reported by its path in the object, and a value that does no harm is returned, so
// that all problems come out at once.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"
#include "sim/base/units.hpp"

namespace gridcast::report {

using Json = nlohmann::ordered_json;  // keys stay in the order in which they are put

/// Rounded to a millionth, so that sums of whole seconds are whole; NaN if it is not finite.
double rounded(double value);
/// The same as JSON: an integer where it is whole, null where it is not finite.
Json json_number(double value);
/// [low, high], as they are.
Json interval_json(Interval const& interval);
/// The object, indented, ended by a newline; what is not a finite number is null.
std::string json_text(Json const& json);

class JsonReader {
 public:
  /// The object at `path` ("" for the whole) of the file `source`; all must outlive the reader.
  JsonReader(Json const& json, std::string path, std::string const& source,
             std::vector<Problem>& problems)
      : json_(json), path_(std::move(path)), source_(source), problems_(problems) {}

  bool has(std::string_view key) const;
  /// NaN where it is null or absent.
  double number(std::string_view key) const;
  /// 0 where it is null or absent.
  std::size_t count(std::string_view key) const;
  std::optional<std::uint64_t> whole(std::string_view key) const;
  std::string text(std::string_view key) const;
  bool flag(std::string_view key) const;
  Interval interval(std::string_view key) const;
  std::vector<double> numbers(std::string_view key) const;

  /// Each member of the object at `key`, which is an object (or array) itself; nothing if absent.
  void each(
      std::string_view key,
      std::function<void(std::string const& name, JsonReader const& member)> const& use) const;
  /// Each member of this object.
  void each(
      std::function<void(std::string const& name, JsonReader const& member)> const& use) const;
  /// The object at `key`, if there is one.
  std::optional<JsonReader> object(std::string_view key) const;
  /// Calls with each member of this object that is a number or null (NaN).
  void each_number(std::function<void(std::string const& name, double value)> const& use) const;

  void report(std::string_view key, std::string_view wanted) const;

 private:
  Json const* find(std::string_view key) const;
  std::string path_of(std::string_view key) const;

  Json const& json_;
  std::string path_;
  std::string const& source_;
  std::vector<Problem>& problems_;
};

/// The JSON of a text; InputError with its line and column if it is none, or does not end.
Json parse_json(std::string const& text, std::string const& source);

}  // namespace gridcast::report

// JSON of gridcast's own values. A struct lists its members once, with their names:
//
//   static void fields(auto& row, auto& chance) {
//     row("share", chance.share);
//     row("replicas", chance.n);
//   }
//
// With a JsonWriter as `row` these rows make an object, with a JsonReader they read it back. Rows
// of nested structs, lists, maps and optional values need nothing more.
//
// A reader returns a harmless value for a key that is absent or null (NaN, 0, "", false): results
// of earlier versions can be read. It reports a value of the wrong type by its path in the file and
// continues: the user sees all problems at once.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"
#include "sim/base/units.hpp"

namespace gridcast::inline base {

using Json = nlohmann::ordered_json;  // keys stay in the order of their insertion

/// Rounded to a millionth: sums of whole seconds are whole; NaN if it is not finite.
double in_millionths(double value);
/// The rounded number as JSON: an integer if it is whole, null if it is not finite.
Json json_number(double value);
/// The object, indented, ended by a newline; a number that is not finite is null.
std::string json_text(Json const& json);

/// How numbers are written: all digits, or rounded as by json_number().
enum class Digits { all, millionths };

class JsonWriter;
class JsonReader;

template <class T>
concept HasFields = requires(JsonWriter& row, T const& value) {
  T::fields(row, value);
};
template <class T>
concept IsQuantity = requires(T value) {
  requires std::same_as<T, std::remove_cvref_t<decltype(value + value)>>;
  { value.value() } -> std::same_as<double>;
};
/// A map of names, or pairs of a name and a value.
template <class T>
concept IsNamed = requires(T const& values) {
  { values.begin()->first } -> std::convertible_to<std::string>;
};
template <class T>
concept IsOptional = requires(T const& value) {
  typename T::value_type;
  value.has_value();
};
template <class T>
concept IsList = std::same_as<T, std::vector<typename T::value_type>> && !IsNamed<T>;

/// A value as JSON.
template <class T>
Json json_value(T const& value, Digits digits = Digits::all);

/// An object of objects. Json looks through all keys for each one, which takes quadratic time for
/// many sites or jobs.
struct NewObject {
  Json value = Json::object();
  std::set<std::string, std::less<>> names = {};

  /// Empty; the last of a name counts.
  Json& member(std::string_view name) {
    std::string key(name);
    if (!names.insert(key).second) return value[key] = Json::object();
    return value.get_ref<Json::object_t&>().emplace_back(std::move(key), Json::object()).second;
  }
};

/// The writing side of a field table.
class JsonWriter {
 public:
  static constexpr bool reads = false;

  /// The rows become keys of `json`.
  explicit JsonWriter(Json& json) : json_(json) {}

  /// Null if the value is not `known`.
  template <class T>
  void operator()(std::string_view key, T const& value, bool known = true) {
    put(key, known ? json_value(value) : Json(nullptr));
  }
  /// Numbers in millionths.
  template <class T>
  void rounded(std::string_view key, T const& value) {
    put(key, json_value(value, Digits::millionths));
  }
  /// A value that the writer leaves out if it is empty or zero.
  template <class T>
  void unless_empty(std::string_view key, T const& value) {
    if constexpr (requires { value.empty(); }) {
      if (!value.empty()) put(key, json_value(value));
    } else {
      if (value != T{}) put(key, json_value(value));
    }
  }
  /// A value that follows from others: written only.
  template <class T>
  void derived(std::string_view key, T const& value, Digits digits = Digits::all) {
    put(key, json_value(value, digits));
  }
  /// An enumerator or index by its name.
  template <class T>
  void named(std::string_view key, T const& value, auto const& names, bool known = true) {
    put(key, known ? Json(names[static_cast<std::size_t>(value)]) : Json(nullptr));
  }
  /// A map, or pairs of a name and a map, with the keys of the (inner) map in this order.
  template <IsNamed T>
  void in_order(std::string_view key, T const& values, std::vector<std::string> const& order,
                Digits digits = Digits::all, bool known = true) {
    put(key, known ? ordered(values, order, digits) : Json(nullptr));
  }
  /// Rounded numbers, each a key of this object, in this order.
  void numbers(std::map<std::string, double> const& values, std::vector<std::string> const& order);
  /// An object of further rows, left out if it is not `present`.
  template <class Rows>
  void object(std::string_view key, bool present, Rows const& rows) {
    if (!present) return;
    Json inner = Json::object();
    JsonWriter writer(inner);
    rows(writer);
    put(key, std::move(inner));
  }
  /// A list of objects with rows(row, item).
  template <class T, class Rows>
  void list(std::string_view key, std::vector<T> const& items, Rows const& rows) {
    Json json = Json::array();
    for (T const& item : items) {
      JsonWriter writer(json.emplace_back(Json::object()));
      rows(writer, item);
    }
    put(key, std::move(json));
  }
  /// An object of objects with rows(row, item), each under the item's `name`; an empty name is
  /// written as `if_unnamed`.
  template <class T, class Rows>
  void by_name(std::string_view key, std::vector<T> const& items, Rows const& rows,
               std::string_view if_unnamed = "") {
    NewObject json;
    for (T const& item : items) {
      JsonWriter inner(json.member(item.name.empty() ? if_unnamed : item.name));
      rows(inner, item);
    }
    put(key, std::move(json.value));
  }
  template <class T>
  void by_name(std::string_view key, std::vector<T> const& items) {
    by_name(key, items, [](auto& row, auto& item) { T::fields(row, item); });
  }
  /// The same of a map: rows(row, name, value).
  template <class T, class Rows>
  void members(std::string_view key, std::map<std::string, T> const& values, Rows const& rows,
               std::string_view if_unnamed = "") {
    NewObject json;
    for (auto const& each : values) {
      JsonWriter inner(json.member(each.first.empty() ? if_unnamed : each.first));
      rows(inner, each.first, each.second);
    }
    put(key, std::move(json.value));
  }
  void expect(std::string_view) {}
  template <class T, class Restore>
  void restore(T const&, Restore const&) {}

 private:
  void put(std::string_view key, Json json) { json_[std::string(key)] = std::move(json); }

  template <IsNamed T>
  static Json ordered(T const& values, std::vector<std::string> const& order, Digits digits) {
    Json json = Json::object();
    if constexpr (requires { values.find(order.front()); }) {
      for (auto const& name : order) {
        auto const found = values.find(name);
        if (found != values.end()) json[name] = json_value(found->second, digits);
      }
    } else {
      for (auto const& [name, inner] : values) json[name] = ordered(inner, order, digits);
    }
    return json;
  }

  Json& json_;
};

/// The reading side of a field table: a place in a JSON value.
class JsonReader {
 public:
  static constexpr bool reads = true;

  /// The whole value of the file `source`; all must outlive the reader.
  JsonReader(Json const& json, std::string const& source, std::vector<Problem>& problems)
      : json_(&json), source_(source), problems_(problems) {}

  /// Neither absent nor null.
  bool is_known() const { return json_ != nullptr && !json_->is_null(); }
  JsonReader at(std::string_view key) const;
  bool has(std::string_view key) const { return at(key).is_known(); }

  /// Reads this value.
  template <class T>
  void read(T& value) const;
  template <class T>
  T value() const {
    T value{};
    read(value);
    return value;
  }
  /// Each member of this object or item of this list.
  void each(
      std::function<void(std::string const& name, JsonReader const& member)> const& use) const;
  /// Reports that this value is not `wanted`.
  void report(std::string_view wanted) const;

  // The operations of JsonWriter. The values of `known` and `present` follow from the file.

  template <class T>
  void operator()(std::string_view key, T& value, bool = true) const {
    at(key).read(value);
  }
  template <class T>
  void rounded(std::string_view key, T& value) const {
    at(key).read(value);
  }
  template <class T>
  void unless_empty(std::string_view key, T& value) const {
    at(key).read(value);
  }
  template <class T>
  void derived(std::string_view, T const&, Digits = Digits::all) const {}
  /// Keeps the value if the file has no value, or none of these names.
  template <class T>
  void named(std::string_view key, T& value, auto const& names, bool = true) const {
    auto const text = at(key).value<std::string>();
    for (std::size_t i = 0; i < std::size(names); ++i) {
      if (text == names[i] && !text.empty()) value = static_cast<T>(i);
    }
  }
  template <IsNamed T>
  void in_order(std::string_view key, T& values, std::vector<std::string> const&,
                Digits = Digits::all, bool = true) const {
    at(key).read(values);
  }
  void numbers(std::map<std::string, double>& values, std::vector<std::string> const&) const;
  template <class Rows>
  void object(std::string_view key, bool, Rows const& rows) const {
    JsonReader reader = at(key);
    if (reader.is_object()) rows(reader);
  }
  template <class T, class Rows>
  void list(std::string_view key, std::vector<T>& items, Rows const& rows) const {
    at(key).each([&](std::string const&, JsonReader reader) {
      if (reader.is_object()) rows(reader, items.emplace_back());
    });
  }
  template <class T, class Rows>
  void by_name(std::string_view key, std::vector<T>& items, Rows const& rows,
               std::string_view if_unnamed = "") const {
    at(key).each([&](std::string const& name, JsonReader reader) {
      if (!reader.is_object()) return;
      items.emplace_back().name = name == if_unnamed ? "" : name;
      rows(reader, items.back());
    });
  }
  template <class T>
  void by_name(std::string_view key, std::vector<T>& items) const {
    by_name(key, items, [](auto& row, auto& item) { T::fields(row, item); });
  }
  template <class T, class Rows>
  void members(std::string_view key, std::map<std::string, T>& values, Rows const& rows,
               std::string_view if_unnamed = "") const {
    at(key).each([&](std::string const& label, JsonReader reader) {
      std::string const name = label == if_unnamed ? "" : label;
      if (reader.is_object()) rows(reader, name, values[name]);
    });
  }
  /// Reports that the key is absent.
  void expect(std::string_view key) const {
    if (!has(key)) at(key).report("there");
  }
  /// restore(reader, value) sets members that follow from the rows that were read.
  template <class T, class Restore>
  void restore(T& value, Restore const& restore) const {
    restore(*this, value);
  }

 private:
  /// False if the value is not known; reports a value of another type.
  bool is_object() const;
  void read_value(double& value) const;
  void read_value(bool& value) const;
  void read_value(std::string& value) const;
  void read_value(Interval& value) const;
  template <std::integral T>
  void read_value(T& value) const;

  Json const* json_;  // null: absent
  std::string path_ = {};
  std::string const& source_;
  std::vector<Problem>& problems_;
};

template <class T>
Json json_value(T const& value, Digits digits) {
  if constexpr (HasFields<T>) {
    Json json = Json::object();
    JsonWriter row(json);
    T::fields(row, value);
    return json;
  } else if constexpr (std::floating_point<T>) {
    return digits == Digits::all ? Json(value) : json_number(value);
  } else if constexpr (std::is_enum_v<T>) {
    return Json(static_cast<int>(value));
  } else if constexpr (IsQuantity<T>) {
    return json_value(value.value(), digits);
  } else if constexpr (std::same_as<T, Interval>) {
    return Json::array({json_value(value.low, digits), json_value(value.high, digits)});
  } else if constexpr (IsOptional<T>) {
    return value ? json_value(*value, digits) : Json(nullptr);
  } else if constexpr (IsNamed<T>) {
    NewObject json;
    for (auto const& [name, each] : value) json.member(name) = json_value(each, digits);
    return std::move(json.value);
  } else if constexpr (IsList<T>) {
    Json json = Json::array();
    for (auto const& each : value) json.push_back(json_value(each, digits));
    return json;
  } else {
    return Json(value);
  }
}

template <class T>
void JsonReader::read(T& value) const {
  if constexpr (HasFields<T>) {
    JsonReader row = *this;
    if (is_object()) T::fields(row, value);
  } else if constexpr (std::is_enum_v<T>) {
    value = static_cast<T>(this->value<int>());
  } else if constexpr (IsQuantity<T>) {
    value = T(this->value<double>());
  } else if constexpr (IsOptional<T>) {
    value.reset();
    if (is_known()) read(value.emplace());
  } else if constexpr (IsNamed<T>) {
    value.clear();
    if (!is_object()) return;
    each([&](std::string const& name, JsonReader const& member) {
      if constexpr (requires { value[name]; }) {
        member.read(value[name]);
      } else {
        member.read(value.emplace_back(name, typename T::value_type::second_type()).second);
      }
    });
  } else if constexpr (IsList<T>) {
    value.clear();
    each([&](std::string const&, JsonReader const& member) { member.read(value.emplace_back()); });
  } else {
    read_value(value);
  }
}

template <std::integral T>
void JsonReader::read_value(T& value) const {
  value = 0;
  if (!is_known()) return;
  bool const fits = json_->is_number_unsigned() ? std::in_range<T>(json_->get<std::uint64_t>())
                                                : json_->is_number_integer() &&
                                                      std::in_range<T>(json_->get<std::int64_t>());
  if (fits) {
    value = json_->get<T>();
  } else {
    report(std::unsigned_integral<T> ? "a whole number from 0" : "a whole number");
  }
}

}  // namespace gridcast::inline base

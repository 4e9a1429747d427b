#include "sim/report/data/json.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/statistics.hpp"

namespace gridcast::report {
namespace {

constexpr double largest_exact = 9007199254740992.0;  // 2^53

/// Line and column of a byte, from 1.
Location place_of(std::string const& text, std::size_t byte, std::string const& source) {
  auto const end = text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size()));
  auto const line = 1 + std::count(text.begin(), end, '\n');
  auto const start = std::find(std::make_reverse_iterator(end), text.rend(), '\n').base();
  return {source, static_cast<int>(line), static_cast<int>(end - start) + 1};
}

}  // namespace

double rounded(double value) {
  if (!std::isfinite(value)) return nan;
  constexpr double parts = 1e6;
  return std::abs(value) < largest_exact / parts ? std::round(value * parts) / parts : value;
}

Json json_number(double value) {
  double const number = rounded(value);
  if (std::isnan(number)) return nullptr;
  if (number == std::floor(number) && std::abs(number) < largest_exact) {
    return static_cast<std::int64_t>(number);
  }
  return number;
}

Json interval_json(Interval const& interval) { return Json::array({interval.low, interval.high}); }

// The writer makes null of NaN and infinity, and the shortest text that reads back as the same of
// every other number. What is not UTF-8 (in a file name) must not stop it.
std::string json_text(Json const& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json parse_json(std::string const& text, std::string const& source) {
  try {
    return Json::parse(text);
  } catch (nlohmann::json::parse_error const& error) {
    std::size_t const at = error.byte == 0 ? 0 : error.byte - 1;
    bool const ends = at >= text.size();
    throw InputError(Problem{place_of(text, at, source),
                             ends ? "the JSON ends here, before it is complete" : "is not JSON",
                             ends ? "the file was cut off" : "a result is one JSON object",
                             "Make it again: gridcast VERB ... --json > FILE."});
  } catch (nlohmann::json::out_of_range const&) {
    throw InputError(Problem{{source, 0, 0},
                             "holds a number that is too large",
                             "so it is no result that gridcast printed",
                             "Make it again: gridcast VERB ... --json > FILE."});
  }
}

Json const* JsonReader::find(std::string_view key) const {
  if (!json_.is_object()) return nullptr;
  auto const found = json_.find(std::string(key));
  return found == json_.end() ? nullptr : &*found;
}

std::string JsonReader::path_of(std::string_view key) const {
  if (key.empty()) return path_;
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

void JsonReader::report(std::string_view key, std::string_view wanted) const {
  problems_.push_back({{source_, 0, 0},
                       fmt::format("'{}' is not {}", path_of(key), wanted),
                       "so it is no result that gridcast printed",
                       ""});
}

bool JsonReader::has(std::string_view key) const {
  auto const* value = find(key);
  return value != nullptr && !value->is_null();
}

double JsonReader::number(std::string_view key) const {
  auto const* value = find(key);
  if (value == nullptr || value->is_null()) return nan;
  if (value->is_number()) return value->get<double>();
  report(key, "a number");
  return nan;
}

std::size_t JsonReader::count(std::string_view key) const {
  double const value = number(key);
  constexpr double most = 1e15;
  if (std::isnan(value)) return 0;
  if (value >= 0 && value <= most && value == std::floor(value)) {
    return static_cast<std::size_t>(value);
  }
  report(key, "a count");
  return 0;
}

std::optional<std::uint64_t> JsonReader::whole(std::string_view key) const {
  auto const* value = find(key);
  if (value == nullptr || value->is_null()) return std::nullopt;
  if (value->is_number_unsigned()) return value->get<std::uint64_t>();
  report(key, "a whole number");
  return std::nullopt;
}

std::string JsonReader::text(std::string_view key) const {
  auto const* value = find(key);
  if (value == nullptr || value->is_null()) return "";
  if (value->is_string()) return value->get<std::string>();
  report(key, "text");
  return "";
}

bool JsonReader::flag(std::string_view key) const {
  auto const* value = find(key);
  if (value == nullptr || value->is_null()) return false;
  if (value->is_boolean()) return value->get<bool>();
  report(key, "true or false");
  return false;
}

std::vector<double> JsonReader::numbers(std::string_view key) const {
  auto const* value = find(key);
  std::vector<double> list;
  if (value == nullptr || value->is_null()) return list;
  bool fine = value->is_array();
  for (auto const& one : *value) {
    fine = fine && (one.is_number() || one.is_null());
    if (fine) list.push_back(one.is_null() ? nan : one.get<double>());
  }
  if (!fine) report(key, "a list of numbers");
  return list;
}

Interval JsonReader::interval(std::string_view key) const {
  auto const list = numbers(key);
  if (list.empty()) return {nan, nan};
  if (list.size() == 2) return {list[0], list[1]};
  report(key, "a list of two numbers");
  return {nan, nan};
}

std::optional<JsonReader> JsonReader::object(std::string_view key) const {
  auto const* value = find(key);
  if (value == nullptr || value->is_null()) return std::nullopt;
  if (value->is_object()) return JsonReader(*value, path_of(key), source_, problems_);
  report(key, "an object");
  return std::nullopt;
}

void JsonReader::each(std::function<void(std::string const&, JsonReader const&)> const& use) const {
  for (auto const& [key, value] : json_.items()) {
    JsonReader const member(value, path_of(key), source_, problems_);
    if (value.is_object()) {
      use(key, member);
    } else {
      report(key, "an object");
    }
  }
}

void JsonReader::each(std::string_view key,
                      std::function<void(std::string const&, JsonReader const&)> const& use) const {
  auto const* value = find(key);
  if (value == nullptr || value->is_null()) return;
  if (!value->is_object() && !value->is_array()) return report(key, "an object or a list");
  JsonReader(*value, path_of(key), source_, problems_).each(use);
}

void JsonReader::each_number(std::function<void(std::string const&, double)> const& use) const {
  for (auto const& [key, value] : json_.items()) {
    if (value.is_number()) use(key, value.get<double>());
    if (value.is_null()) use(key, nan);
  }
}

}  // namespace gridcast::report

#include "sim/base/json_fields.hpp"

#include <cmath>

#include <fmt/format.h>

namespace gridcast::inline base {
namespace {

constexpr double largest_exact = 9007199254740992.0;  // 2^53

}  // namespace

double in_millionths(double value) {
  if (!std::isfinite(value)) return nan;
  constexpr double parts = 1e6;
  return std::abs(value) < largest_exact / parts ? std::round(value * parts) / parts : value;
}

Json json_number(double value) {
  double const number = in_millionths(value);
  if (std::isnan(number)) return nullptr;
  if (number == std::floor(number) && std::abs(number) < largest_exact) {
    return static_cast<std::int64_t>(number);
  }
  return number;
}

// nlohmann writes null for NaN and infinity, and the shortest text that reads back as the same
// number for every other number. A file name that is not UTF-8 must not stop it.
std::string json_text(Json const& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void JsonWriter::numbers(std::map<std::string, double> const& values,
                         std::vector<std::string> const& order) {
  for (auto const& name : order) {
    auto const found = values.find(name);
    if (found != values.end()) put(name, json_number(found->second));
  }
}

JsonReader JsonReader::at(std::string_view key) const {
  JsonReader member = *this;
  member.path_ = path_.empty() ? std::string(key) : path_ + "." + std::string(key);
  member.json_ = nullptr;
  if (json_ == nullptr || !json_->is_object()) return member;
  auto const found = json_->find(std::string(key));
  if (found != json_->end()) member.json_ = &*found;
  return member;
}

void JsonReader::each(std::function<void(std::string const&, JsonReader const&)> const& use) const {
  if (!is_known()) return;
  if (!json_->is_object() && !json_->is_array()) return report("an object or a list");
  for (auto const& [key, value] : json_->items()) {
    JsonReader member = at(key);
    member.json_ = &value;
    use(key, member);
  }
}

void JsonReader::report(std::string_view wanted) const {
  add_problem(problems_, {source_, 0, 0}, fmt::format("'{}' is not {}", path_, wanted),
              "so it is no result that gridcast printed");
}

void JsonReader::numbers(std::map<std::string, double>& values,
                         std::vector<std::string> const&) const {
  each([&](std::string const& name, JsonReader const& member) {
    if (!member.is_known() || member.json_->is_number()) member.read(values[name]);
  });
}

bool JsonReader::is_object() const {
  if (!is_known()) return false;
  if (!json_->is_object()) report("an object");
  return json_->is_object();
}

void JsonReader::read_value(double& value) const {
  value = nan;
  if (!is_known()) return;
  if (json_->is_number()) {
    value = json_->get<double>();
  } else {
    report("a number");
  }
}

void JsonReader::read_value(bool& value) const {
  value = is_known() && json_->is_boolean() && json_->get<bool>();
  if (is_known() && !json_->is_boolean()) report("true or false");
}

void JsonReader::read_value(std::string& value) const {
  value = is_known() && json_->is_string() ? json_->get<std::string>() : std::string();
  if (is_known() && !json_->is_string()) report("text");
}

void JsonReader::read_value(Interval& value) const {
  auto const ends = this->value<std::vector<double>>();
  value = ends.size() == 2 ? Interval{ends[0], ends[1]} : Interval{nan, nan};
  if (ends.size() != 2 && is_known()) report("a list of two numbers");
}

}  // namespace gridcast::inline base

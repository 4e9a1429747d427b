#include "sim/classad/value.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "sim/classad/expression.hpp"

namespace gridcast::classad {
namespace {

std::string real_text(double real) {
  if (std::isnan(real)) return "real(\"NaN\")";
  if (std::isinf(real)) return real > 0 ? "real(\"INF\")" : "real(\"-INF\")";
  std::array<char, 40> digits{};
  auto const end = std::to_chars(digits.data(), digits.data() + digits.size(), real).ptr;
  std::string text(digits.data(), end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string quoted(std::string const& text) {
  std::string result = "\"";
  for (char const c : text) {
    if (c == '"') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string list_text(List const& list) {
  std::string text = "{";
  for (Value const& value : list) text += (text.size() > 1 ? "," : "") + value.to_text();
  return text + "}";
}

std::string ad_text(Ad const& ad) {
  std::string text = "[";
  for (auto const& [name, content] : ad.attributes()) {
    auto const* const value = std::get_if<Value>(&content);
    text += " " + name + " = " + (value ? value->to_text() : std::get<Expression>(content).text());
    text += ";";
  }
  return text + " ]";
}

}  // namespace

Value::Value(List list) : data_(std::make_shared<List const>(std::move(list))) {}
Value::Value(Ad ad) : data_(std::make_shared<Ad const>(std::move(ad))) {}

List const* Value::as_list() const {
  auto const* const list = std::get_if<std::shared_ptr<List const>>(&data_);
  return list ? list->get() : nullptr;
}

Ad const* Value::as_ad() const {
  auto const* const ad = std::get_if<std::shared_ptr<Ad const>>(&data_);
  return ad ? ad->get() : nullptr;
}

double Value::number(double otherwise) const {
  if (auto const* const integer = as<std::int64_t>()) return static_cast<double>(*integer);
  if (auto const* const real = as<double>()) return *real;
  return otherwise;
}

std::string Value::to_text() const {
  if (is_undefined()) return "undefined";
  if (is_error()) return "error";
  if (auto const* const boolean = as<bool>()) return *boolean ? "true" : "false";
  if (auto const* const integer = as<std::int64_t>()) return std::to_string(*integer);
  if (auto const* const real = as<double>()) return real_text(*real);
  if (auto const* const text = as<std::string>()) return quoted(*text);
  if (auto const* const list = as_list()) return list_text(*list);
  return ad_text(*as_ad());
}

std::string Value::to_plain_text() const {
  auto const* const text = as<std::string>();
  return text ? *text : to_text();
}

}  // namespace gridcast::classad

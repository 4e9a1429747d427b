#include "sim/import/submit_values.hpp"

#include <charconv>
#include <cmath>

#include "sim/base/text.hpp"
#include "sim/classad/ad.hpp"

namespace gridcast::import {

namespace {

/// A number and a unit behind it, or none; nothing if there is more.
std::optional<Bytes> plain_size(std::string_view text, Bytes bare_unit) {
  double number = 0;
  auto const* const end = text.data() + text.size();
  auto const result = std::from_chars(text.data(), end, number);
  if (result.ec != std::errc() || !std::isfinite(number)) return std::nullopt;
  std::string unit = lower(trim(text.substr(static_cast<std::size_t>(result.ptr - text.data()))));
  if (unit.empty()) return number * bare_unit;
  if (unit.ends_with("ib")) unit.resize(unit.size() - 2);
  if (unit.size() == 2 && unit[1] == 'b') unit.pop_back();
  auto const power = std::string_view("bkmgtp").find(unit);
  if (unit.size() != 1 || power == std::string_view::npos) return std::nullopt;
  return Bytes(number * std::pow(1024, static_cast<double>(power)));
}

}  // namespace

std::optional<Bytes> submit_size(std::string_view text, Bytes bare_unit) {
  auto size = plain_size(trim(text), bare_unit);
  if (!size) {
    if (auto const number = submit_number(text)) size = *number * bare_unit;
  }
  return size && *size >= Bytes() ? size : std::nullopt;
}

std::optional<double> submit_number(std::string_view text) {
  try {
    classad::Ad const nothing;
    auto const value = classad::evaluate(classad::parse(text), {nothing});
    if (value.is_number() && std::isfinite(value.number())) return value.number();
  } catch (InputError const&) {
  }
  return std::nullopt;
}

std::string unquoted(std::string_view text) {
  text = trim(text);
  bool const quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return std::string(quoted ? text.substr(1, text.size() - 2) : text);
}

std::optional<Bytes> size_in_url(std::string_view url) {
  auto const query = url.find('?');
  if (query == std::string_view::npos) return std::nullopt;
  for (std::string const& part : split(url.substr(query + 1), '&')) {
    if (!part.starts_with("size=")) continue;
    double bytes = 0;
    auto const* const end = part.data() + part.size();
    auto const result = std::from_chars(part.data() + 5, end, bytes);
    bool const good = result.ec == std::errc() && result.ptr == end && std::isfinite(bytes);
    if (good && bytes > 0) return Bytes(bytes);
  }
  return std::nullopt;
}

bool is_url(std::string_view name) {
  auto const colon = name.find("://");
  return colon != std::string_view::npos && colon > 0 && name.find_first_of("/ ") > colon;
}

}  // namespace gridcast::import

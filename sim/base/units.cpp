#include "sim/base/units.hpp"

#include <charconv>
#include <cmath>
#include <span>
#include <system_error>

#include <fmt/format.h>

#include "sim/base/text.hpp"

namespace gridcast::inline base {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr Unit time_units[] = {{"us", 1e-6},    {"µs", 1e-6},     {"ms", 1e-3},     {"s", 1},
                               {"sec", 1},      {"second", 1},    {"seconds", 1},   {"min", 60},
                               {"minute", 60},  {"minutes", 60},  {"h", 3600},      {"hour", 3600},
                               {"hours", 3600}, {"d", 86400},     {"day", 86400},   {"days", 86400},
                               {"w", 604800},   {"week", 604800}, {"weeks", 604800}};

constexpr Unit size_units[] = {{"B", 1},        {"kB", 1e3},     {"MB", 1e6},     {"GB", 1e9},
                               {"TB", 1e12},    {"PB", 1e15},    {"KiB", 0x1p10}, {"MiB", 0x1p20},
                               {"GiB", 0x1p30}, {"TiB", 0x1p40}, {"PiB", 0x1p50}};

// Bytes a second: a bit is an eighth.
constexpr Unit bit_rate_units[] = {{"bit/s", 1. / 8},   {"kbit/s", 1e3 / 8},  {"Mbit/s", 1e6 / 8},
                                   {"Gbit/s", 1e9 / 8}, {"Tbit/s", 1e12 / 8}, {"bps", 1. / 8},
                                   {"kbps", 1e3 / 8},   {"Mbps", 1e6 / 8},    {"Gbps", 1e9 / 8},
                                   {"Tbps", 1e12 / 8}};

std::optional<double> factor_of(std::string_view name, std::span<Unit const> units) {
  for (Unit const& unit : units) {
    if (unit.name == name) return unit.factor;
  }
  return std::nullopt;
}

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

void skip_blanks(std::string_view& text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
}

/// Takes a number without sign off the front. from_chars knows no locale: a comma is never a point.
std::optional<double> take_number(std::string_view& text) {
  // A digit or a point comes first: from_chars cannot find "inf" or "nan".
  if (text.empty() || !(is_digit(text.front()) || text.front() == '.')) return std::nullopt;
  double number = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// Takes all that can be a unit off the front.
std::string_view take_unit(std::string_view& text) {
  std::size_t length = 0;
  while (length < text.size() && !is_blank(text[length]) && !is_digit(text[length])) ++length;
  auto const unit = text.substr(0, length);
  text.remove_prefix(length);
  return unit;
}

/// The sum of "number unit" parts, at most `parts` of them, with a minus in front if there is one;
/// `factor` turns the name of a unit into its size.
template <class Factor>
std::optional<double> parse(std::string_view text, int parts, Factor factor) {
  skip_blanks(text);
  double const sign = text.starts_with('-') ? -1 : 1;
  if (sign < 0) text.remove_prefix(1);
  double sum = 0;
  do {
    auto const number = take_number(text);
    if (!number) return std::nullopt;
    skip_blanks(text);
    auto const unit = factor(take_unit(text));
    if (!unit) return std::nullopt;
    sum += *number * *unit;
    skip_blanks(text);
  } while (--parts > 0 && !text.empty());
  if (!text.empty() || !std::isfinite(sum)) return std::nullopt;
  return sign * sum;
}

std::optional<double> size_factor(std::string_view name) { return factor_of(name, size_units); }

std::optional<double> rate_factor(std::string_view name) {
  constexpr std::string_view a_second = "/s";
  if (auto const bits = factor_of(name, bit_rate_units)) return bits;
  if (!name.ends_with(a_second)) return std::nullopt;
  return size_factor(name.substr(0, name.size() - a_second.size()));
}

/// A unit to write in, for numbers of it that round to less than `below`.
struct Step {
  std::string_view name;
  double factor;
  double below;
};
constexpr double always = std::numeric_limits<double>::infinity();
constexpr Step time_steps[] = {
    {"ms", 1e-3, 1000}, {"s", 1, 120}, {"min", 60, 120}, {"h", 3600, 48}, {"d", 86400, always}};
constexpr Step size_steps[] = {{"B", 1, 1000},    {"kB", 1e3, 1000},  {"MB", 1e6, 1000},
                               {"GB", 1e9, 1000}, {"TB", 1e12, 1000}, {"PB", 1e15, always}};

/// Three significant digits, but never fewer than those before the point.
std::string digits(double number) {
  return number < 100 ? fmt::format("{:.3g}", number) : fmt::format("{:.0f}", number);
}

double rounded(double number) {
  if (number >= 100) return std::round(number);
  double const unit = std::pow(10, std::floor(std::log10(number)) - 2);
  return std::round(number / unit) * unit;
}

std::string to_text(double value, std::span<Step const> steps, std::string_view unit_of_zero,
                    std::string_view after) {
  if (value == 0 || !std::isfinite(value))
    return fmt::format("{} {}{}", value + 0., unit_of_zero, after);
  if (value < 0) return "-" + to_text(-value, steps, unit_of_zero, after);
  auto step = steps.begin();
  // The comparison uses the number as written: 999.9 MB becomes 1 GB and not 1000 MB.
  while (rounded(value / step->factor) >= step->below) ++step;
  return fmt::format("{} {}{}", digits(value / step->factor), step->name, after);
}

std::optional<double> positive_number(std::string_view text) {
  auto const number = text_as<double>(text);
  return number && std::isfinite(*number) && *number > 0 ? number : std::nullopt;
}

}  // namespace

std::optional<Seconds> parse_seconds(std::string_view text) {
  auto const factor = [](std::string_view name) { return factor_of(name, time_units); };
  auto const value = parse(text, std::numeric_limits<int>::max(), factor);
  return value ? std::optional(Seconds(*value)) : std::nullopt;
}

std::optional<Bytes> parse_bytes(std::string_view text) {
  auto const value = parse(text, 1, size_factor);
  return value ? std::optional(Bytes(*value)) : std::nullopt;
}

std::optional<BytesPerSecond> parse_rate(std::string_view text) {
  auto const value = parse(text, 1, rate_factor);
  return value ? std::optional(BytesPerSecond(*value)) : std::nullopt;
}

std::string to_text(Seconds time) { return to_text(time.value(), time_steps, "s", ""); }
std::string to_text(Bytes size) { return to_text(size.value(), size_steps, "B", ""); }
std::string to_text(BytesPerSecond rate) { return to_text(rate.value(), size_steps, "B", "/s"); }

double FactorRange::at(double u) const {
  return least == most ? least : least * std::pow(most / least, u);
}

std::optional<FactorRange> parse_factor_range(std::string_view text) {
  auto const dots = text.find("..");
  bool const single = dots == std::string_view::npos;
  auto const least = positive_number(trim(text.substr(0, dots)));
  auto const most = single ? least : positive_number(trim(text.substr(dots + 2)));
  if (!least || !most || *most < *least) return std::nullopt;
  return FactorRange{*least, *most};
}

std::string to_text(FactorRange const& range) {
  if (range.least == range.most) return fmt::format("{}", range.least);
  return fmt::format("{}..{}", range.least, range.most);
}

}  // namespace gridcast::inline base

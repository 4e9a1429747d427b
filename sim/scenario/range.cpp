#include "sim/scenario/range.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/text.hpp"

namespace gridcast::scenario {
namespace {

std::optional<double> positive_number(std::string_view text) {
  double number = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  bool const whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || !std::isfinite(number) || number <= 0) return std::nullopt;
  return number;
}

}  // namespace

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

}  // namespace gridcast::scenario

#include "sim/report/text/figure_words.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace gridcast::report {
namespace {

double in_unit(double value, Unit unit) {
  switch (unit) {
    case Unit::hours:
      return value / 3600;
    case Unit::days:
      return value / 86400;
    case Unit::percent:
      return value * 100;
    case Unit::jobs:
    case Unit::events:
    case Unit::seconds:
    case Unit::ratio:
      break;
  }
  return value;
}

/// Three digits, but at most one decimal of a count.
std::string three_digits(double value, Unit unit, std::string_view sign) {
  double const scaled = in_unit(value, unit);
  if (std::isnan(scaled)) return "-";
  bool const counted = unit == Unit::jobs || unit == Unit::events;
  if (counted && scaled == std::round(scaled)) {
    return fmt::format(fmt::runtime("{:" + std::string(sign) + ".0f}"), scaled);
  }
  double const size = std::abs(scaled);
  int const decimals = size >= 99.95 ? 0 : size >= 9.995 || counted ? 1 : 2;
  return fmt::format(fmt::runtime("{:" + std::string(sign) + ".{}f}"), scaled, decimals);
}

/// Two digits, for where three numbers share a cell.
std::string short_text(double value, Unit unit) {
  if (std::isinf(value)) return "never";
  double const scaled = in_unit(value, unit);
  bool const whole = unit == Unit::jobs || unit == Unit::events || unit == Unit::percent;
  return fmt::format("{:.{}f}", scaled, whole || std::abs(scaled) >= 9.95 ? 0 : 1);
}

}  // namespace

TimeScale time_scale(Result const& result) {
  constexpr double two_hours = 7200;
  auto const* strategy = baseline(result);
  double const time = result.ledger         ? figure(result.ledger->metrics, "wallclock_s")
                      : strategy != nullptr ? summary(strategy->metrics, "wallclock_s").p50
                                            : 0;
  return time < two_hours ? TimeScale::short_campaign : TimeScale::long_campaign;
}

FigureWords words_of(std::string_view name, TimeScale scale) {
  auto const* metric = ledger::find_metric(name);
  if (metric == nullptr) return {name, name, Unit::ratio};
  bool const is_time = metric->unit == Unit::hours || metric->unit == Unit::days;
  bool const in_seconds = is_time && scale == TimeScale::short_campaign;
  return {name, metric->label, in_seconds ? Unit::seconds : metric->unit};
}

std::string_view unit_text(Unit unit) {
  switch (unit) {
    case Unit::jobs:
      return "jobs";
    case Unit::events:
    case Unit::ratio:
      return "";
    case Unit::hours:
      return "h";
    case Unit::seconds:
      return "s";
    case Unit::days:
      return "d";
    case Unit::percent:
      return "%";
  }
  return "";
}

std::string number_text(double value, Unit unit) { return three_digits(value, unit, ""); }

std::string signed_text(double value, Unit unit) { return three_digits(value, unit, "+"); }

std::string error_text(Interval const& interval, Unit unit) {
  double const half = (interval.high - interval.low) / 2;
  auto text = number_text(half, unit);
  bool const vanishes = text.find_first_of("123456789") == std::string::npos;
  return vanishes && half > 0 ? fmt::format("{:.1g}", in_unit(half, unit)) : text;
}

std::string spread_text(study::Spread const& spread, Unit unit) {
  if (std::isnan(spread.middle)) return "-";
  auto const middle = short_text(spread.middle, unit);
  auto const low = short_text(spread.low, unit);
  auto const high = short_text(spread.high, unit);
  return low == high && low == middle ? middle : fmt::format("{} ({}..{})", middle, low, high);
}

std::string share_text(double share) {
  if (std::isnan(share)) return "-";
  return fmt::format("{:.0f} %", 100 * share);
}

std::string chance_text(study::Chance const& chance) {
  if (chance.n == 0 || std::isnan(chance.share)) return "-";
  auto const percent = [](double share) {
    double const value = 100 * share;
    bool const extreme = value < 9.95 || value > 90.05;
    return fmt::format("{:.{}f}", value, extreme ? 1 : 0);
  };
  if (chance.share <= 0) return "< " + percent(chance.ci95.high) + " %";
  if (chance.share >= 1) return "> " + percent(chance.ci95.low) + " %";
  double const error = 100 * (chance.ci95.high - chance.ci95.low) / 2;
  return fmt::format("{:.0f} % ±{:.0f}", 100 * chance.share, std::max(1.0, error));
}

std::string value_text(std::string_view figure, double value, TimeScale scale) {
  if (std::isnan(value)) return "not known";
  Unit const unit = words_of(figure, scale).unit;
  auto const symbol = unit_text(unit);
  return symbol.empty() ? number_text(value, unit)
                        : fmt::format("{} {}", number_text(value, unit), symbol);
}

std::string range_text(std::string_view figure, study::Summary const& summary, TimeScale scale) {
  if (summary.n == 0) return "not known";
  Unit const unit = words_of(figure, scale).unit;
  auto const low = number_text(summary.p05, unit);
  auto const high = number_text(summary.p95, unit);
  auto const middle = value_text(figure, summary.p50, scale);
  if (low == high) return middle;
  return fmt::format("{} ({} to {} in 90 % of the campaigns)", middle, low, high);
}

std::string_view hypothesis_words(std::string_view hypothesis) {
  if (hypothesis == "overload") return "a cache or the origin delivers nothing for hours";
  if (hypothesis == "bad_path")
    return "the path to a slot, a node or a site delivers nothing for hours";
  if (hypothesis == "slow")
    return "bytes come, but slowly for hours, and the rule in force ends them";
  return "the links are too slow for all transfers at a time, and the rule in force ends them";
}

std::string_view hypothesis_title(std::string_view hypothesis) {
  return hypothesis == "bad_path" ? "bad path" : hypothesis;
}

std::string list_text(std::vector<std::string> const& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

std::string one_line(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  }
  return text;
}

}  // namespace gridcast::report

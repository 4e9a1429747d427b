#include "sim/report/text/figure_words.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace gridcast::report {
namespace {

constexpr FigureWords all_words[] = {
    {"jobs", "jobs", Unit::jobs},
    {"succeeded", "succeeded", Unit::jobs},
    {"wrong_output", "wrong output", Unit::jobs},
    {"held", "held for good", Unit::jobs},
    {"removed", "removed", Unit::jobs},
    {"unfinished", "unfinished", Unit::jobs},
    {"compute_success_s", "computing that gave the results", Unit::hours},
    {"transfer_success_s", "input transfers behind the results", Unit::hours},
    {"transfer_retried_s", "retried transfers, jobs that succeeded", Unit::hours},
    {"transfer_retried_unsuccessful_s", "retried transfers, other jobs", Unit::hours},
    {"transfer_retried_evicted_compute_s", "of these: known to be evicted computing", Unit::hours},
    {"compute_evicted_s", "computing lost to evictions", Unit::hours},
    {"compute_held_s", "computing of jobs held for good", Unit::hours},
    {"transfer_held_s", "last transfer of jobs held for good", Unit::hours},
    {"compute_wrong_output_s", "computing of wrong outputs", Unit::hours},
    {"transfer_wrong_output_s", "last transfer of wrong outputs", Unit::hours},
    {"compute_unfinished_s", "computing of unfinished jobs", Unit::hours},
    {"transfer_unfinished_s", "last transfer of unfinished jobs", Unit::hours},
    {"overhead_s", "claimed, but neither of the two", Unit::hours},
    {"compute_retried_s", "computing repeated for its exit or output", Unit::hours},
    {"checkpoint_s", "saving checkpoints", Unit::hours},
    {"suspended_s", "suspended", Unit::hours},
    {"contact_lost_s", "contact lost until given up", Unit::hours},
    {"attempts", "attempts", Unit::events},
    {"executions", "executions", Unit::events},
    {"requeues", "requeues", Unit::events},
    {"checkpoints", "checkpoints", Unit::events},
    {"disconnects", "disconnections", Unit::events},
    {"badput_s", "badput (all that was lost)", Unit::hours},
    {"wallclock_s", "GPU time provided", Unit::hours},
    {"goodput_fraction", "goodput", Unit::percent},
    {"stalls", "stalls", Unit::events},
    {"evictions", "evictions", Unit::events},
    {"holds", "holds", Unit::events},
    {"releases", "releases", Unit::events},
    {"match_to_done_mean_s", "first match to completion, mean", Unit::hours},
    {"match_to_done_median_s", "first match to completion, median", Unit::hours},
    {"makespan_s", "makespan", Unit::days},
    {"makespan_95_s", "until 95 % of the jobs had ended", Unit::days},
    {"gpu_hours_per_success", "GPU hours for each success", Unit::ratio},
    {"stall_free_share", "jobs without a stall", Unit::percent},
    {"ten_stalls_share", "jobs with ten stalls or more", Unit::percent},
    {"stall_dispersion", "dispersion of stalls a job", Unit::ratio},
};

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

/// Three digits, but no more than one decimal of what is counted.
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
  double const scaled = in_unit(value, unit);
  bool const whole = unit == Unit::jobs || unit == Unit::events || unit == Unit::percent;
  return fmt::format("{:.{}f}", scaled, whole || std::abs(scaled) >= 9.95 ? 0 : 1);
}

}  // namespace

TimeScale time_scale(study::StudySample const& sample) {
  constexpr double two_hours = 7200;
  return study::summarise(sample, "wallclock_s").p95 < two_hours ? TimeScale::short_campaign
                                                                 : TimeScale::long_campaign;
}

FigureWords words_of(std::string_view name, TimeScale scale) {
  auto const* const found = std::find_if(std::begin(all_words), std::end(all_words),
                                         [&](FigureWords const& w) { return w.name == name; });
  if (found == std::end(all_words)) return {name, name, Unit::ratio};
  FigureWords words = *found;
  bool const is_time = words.unit == Unit::hours || words.unit == Unit::days;
  if (is_time && scale == TimeScale::short_campaign) words.unit = Unit::seconds;
  return words;
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

std::string spread_text(study::Summary const& summary, Unit unit) {
  if (summary.n == 0) return "-";
  auto const middle = short_text(summary.p50, unit);
  auto const low = short_text(summary.p05, unit);
  auto const high = short_text(summary.p95, unit);
  return low == high && low == middle ? middle : fmt::format("{} ({}..{})", middle, low, high);
}

std::string mean_text(double mean, Interval const& interval, Unit unit) {
  if (std::isnan(mean)) return "-";
  return fmt::format("{} ±{}", signed_text(mean, unit),
                     number_text((interval.high - interval.low) / 2, unit));
}

std::string share_text(double share) {
  if (std::isnan(share)) return "-";
  return fmt::format("{:.0f} %", 100 * share);
}

std::string_view explanation_words(std::string_view explanation) {
  return explanation == "overload" ? "a cache or the origin is overloaded for hours"
                                   : "the path between a slot and its cache stays bad";
}

std::string_view explanation_title(std::string_view explanation) {
  return explanation == "bad_path" ? "bad path" : explanation;
}

}  // namespace gridcast::report

// How a figure is shown to a person: in which words and in which unit.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/ledger/metrics.hpp"
#include "sim/report/data/result.hpp"

namespace gridcast::report {

using ledger::Unit;

struct FigureWords {
  std::string_view name;  // as in JSON and CSV
  std::string_view words;
  Unit unit = Unit::ratio;
};

/// How long a campaign is: hours and days, or, with less than two hours of slot time in all (a test
/// of ten short jobs), seconds. For a forecast its median counts: a few replicas in which all goes
/// wrong would turn the figures of the others into fractions of an hour.
enum class TimeScale { long_campaign, short_campaign };
TimeScale time_scale(Result const& result);

/// A figure without words of its own is shown by its name, as a plain number.
FigureWords words_of(std::string_view name, TimeScale scale = TimeScale::long_campaign);

/// "h", "%", "jobs"; empty for a ratio.
std::string_view unit_text(Unit unit);

/// A value in the figure's unit, without the unit: "302", "45.8", "7.13"; "-" for NaN.
std::string number_text(double value, Unit unit);
/// The same with a sign.
std::string signed_text(double value, Unit unit);
/// "6.1": half of an interval, with at least one digit: an error is never shown as zero.
std::string error_text(Interval const& interval, Unit unit);
/// "302 (180..520)": median and central 90 %, or one number where they are alike.
std::string spread_text(study::Spread const& spread, Unit unit);
/// A share as a whole number of per cent: "63 %".
std::string share_text(double share);

/// "63 % ±3", and where no replica or every one is such, the limit: "< 0.4 %", "> 99.6 %".
std::string chance_text(study::Chance const& chance);

/// "2.2 d": a value in the figure's unit, with the unit.
std::string value_text(std::string_view figure, double value, TimeScale scale);
/// "2.2 d (0.9 to 6.3 in 90 % of the replicas)".
std::string range_text(std::string_view figure, study::Summary const& summary, TimeScale scale);

/// "overload: the origin or a cache is overloaded for hours", ...
std::string_view hypothesis_words(std::string_view hypothesis);
/// "overload", "bad path".
std::string_view hypothesis_title(std::string_view hypothesis);

/// "a, b and c".
std::string list_text(std::vector<std::string> const& words);

/// Text that goes on one line: each line break becomes a blank.
std::string one_line(std::string text);

}  // namespace gridcast::report

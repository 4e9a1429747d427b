// Forecasts compared with the real outcome: how often the intervals contained it, its place in
// them, and whether a simple guess would have been as good. Scores and sources:
// sim/base/statistics.hpp.
//
// There are two simple guesses. `last` is the last known campaign's figure, scaled by the number of
// jobs. `spread` is a lognormal around it. Its standard deviation of the logarithm is that between
// campaigns if at least three are known, else `usual_spread` (week to week on the OSPool: 0.55 for
// restarts, 1.0 for holds; four repeats of one campaign on a test pool: makespans 0.17).
//
// A score combines figures of different units: the unit of each is its mean size per job over all
// scored cases. Skill = 1 - sum of the forecast's scores / sum of the guess's.
//
// Figures of one campaign depend on each other, and so do forecasts of one campaign from several
// others. Errors are therefore bootstraps over campaigns. Errors of a single campaign are binomial,
// or over its figures, and too small. The expected shares need no such assumption: if a
// forecast is right, the campaign is like one of its replicas.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/statistics.hpp"
#include "sim/study/sample.hpp"

namespace gridcast::study {

inline constexpr double usual_spread = 0.5;
inline constexpr std::array coverage_levels = {0.5, 0.8, 0.9};

struct ScoredFigure {
  std::string figure;  // as in JSON and CSV
  double observed = 0;
  std::vector<double> forecast;  // by replica; NaN if it has none
  double size = 1;               // jobs if the figure adds up over jobs; else 1
  double least = 0;              // the smallest size that counts, in the figure's unit
  double last = nan;             // the first guess; NaN: there is none
  double spread = usual_spread;  // of the second guess
};

/// A recorded campaign and its forecast.
struct ScoredRecord {
  std::string record;
  std::string from;     // the records behind the forecast
  std::string repeats;  // the same text for repeats of one campaign; empty: none are known
  std::vector<ScoredFigure> figures;
};

/// How often central intervals contained the real figure. Counts have steps, so an interval of a
/// right forecast contains more than its level: `expected`.
struct Coverage {
  double level = 0;
  std::size_t cases = 0, inside = 0;
  Interval share95;     // of the share inside
  double expected = 0;  // share inside if the forecasts were right
  Interval expected95 = {};

  static void fields(auto& row, auto& coverage) {
    row.rounded("level", coverage.level);
    row("cases", coverage.cases);
    row("inside", coverage.inside);
    row.rounded("share95", coverage.share95);
    row.rounded("expected", coverage.expected);
    row.rounded("expected95", coverage.expected95);
  }
  double share() const { return static_cast<double>(inside) / static_cast<double>(cases); }
};

struct Skill {
  std::size_t cases = 0;
  double skill = 0;  // NaN where there is nothing to compare with
  Interval ci95;
  bool proven() const { return ci95.low > 0; }

  static void fields(auto& row, auto& skill) {
    row("cases", skill.cases);
    row.rounded("skill", skill.skill);
    row.rounded("ci95", skill.ci95);
    row.derived("better_than_a_guess", skill.proven());
  }
};

/// One figure over all records, or one record over all figures.
struct ScoreLine {
  std::string name, from;
  std::size_t cases = 0;
  std::array<std::size_t, coverage_levels.size()> inside = {};
  double median_rank = 0;
  double crps = 0;                          // mean, in the figure's unit; NaN for a record
  double skill_last = 0, skill_spread = 0;  // NaN without a guess
  double width_of_repeats = 0;  // 90 % interval's over that of the repeats; NaN without any

  static void fields(auto& row, auto& line) {
    row("name", line.name);
    row.unless_empty("from", line.from);
    row("cases", line.cases);
    row("inside_50", line.inside[0]);
    row("inside_80", line.inside[1]);
    row("inside_90", line.inside[2]);
    row.rounded("median_rank", line.median_rank);
    if (line.from.empty()) row.rounded("crps", line.crps);
    row.rounded("skill_last", line.skill_last);
    row.rounded("skill_spread", line.skill_spread);
    row.rounded("width_of_repeats", line.width_of_repeats);
  }
};

struct ScoreTable {
  std::vector<ScoreLine> figures, records;
  std::vector<Coverage> coverage;
  Skill crps_last, crps_spread, winkler_spread;
  double width_of_repeats = 0;  // median over figures
  std::size_t cases = 0, campaigns = 0;
  std::vector<std::string> not_counted;  // figures that could not vary in any record

  static void fields(auto& row, auto& table) {
    row("campaigns", table.campaigns);
    row("cases", table.cases);
    row("coverage", table.coverage);
    row.object("crps_skill", true, [&](auto& skill) {
      skill("last", table.crps_last);
      skill("spread", table.crps_spread);
    });
    row.object("winkler_skill", true, [&](auto& skill) { skill("spread", table.winkler_spread); });
    row.rounded("width_of_repeats", table.width_of_repeats);
    row("figures", table.figures);
    row("records", table.records);
    row("not_counted", table.not_counted);
  }
};

struct ScoreOptions {
  std::uint64_t seed = 1;
  std::size_t resamples = 2000;
};

/// True if the figure can score a forecast: it can vary, or the forecast was wrong.
bool counts(ScoredFigure const& figure);

ScoreTable score(std::vector<ScoredRecord> const& records, ScoreOptions const& options = {});

/// Standard deviation of the logarithms of figures per job of known campaigns; usual_spread for
/// fewer than three above zero.
double spread_between(std::vector<double> const& figures);

}  // namespace gridcast::study

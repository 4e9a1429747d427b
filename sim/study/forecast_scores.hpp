// Forecasts held against what came: how often the intervals held it, where it lay in them, and
// whether it would have been as well to guess. Scores and their sources: sim/base/statistics.hpp.
//
// Two plain guesses. `last`: the last known campaign's figure, scaled by the number of jobs.
// `spread`: a lognormal around that, with the standard deviation of the logarithm between campaigns
// where at least three are known, else `usual_spread` (week to week on the OSPool: 0.55 for
// restarts, 1.0 for holds; four repeats of one campaign on a test pool: makespans 0.17).
//
// A score is put together from figures of different units: each is counted in the mean size of its
// figure a job over all that is scored. Skill = 1 - sum of the forecast's scores / sum of the
// guess's.
//
// Figures of one campaign depend on each other, and so do forecasts of one campaign from several
// others. So errors are bootstraps over campaigns; of a single campaign they are binomial, or over
// its figures, and too narrow. The test of the ranks needs no such assumption: were a forecast
// right, the campaign would be as one of its replicas, so the same statistic of replicas in its
// place is drawn from the very distribution.
//
// What was missed also corrects further forecasts. Conformal correction of 90 % intervals: how much
// wider they have to be, by what campaigns that were forecast without having been seen turned out
// to be.
//
//   E_i = max((m - y) / (m - low), (y - m) / (high - m))   of campaign i: y observed, m the
//                                                          forecast's
//         median, [low, high] its central 90 % interval; above 1 outside of it
//   f   = the ceil(0.9 (n + 1))-th smallest of the n values E
//   corrected interval = [m - f (m - low), m + f (high - m)]
//
// It holds a further campaign with a probability of 90 % or more, whatever the forecasts are worth,
// where that campaign is exchangeable with the n (drawn as they were). With fewer than nine
// campaigns there is no such value. Conformalised quantile regression: Romano, Patterson & Candès
// 2019 (NeurIPS 32), here scaled by the halves of the interval; leaving one out: Barber et al. 2021
// (Annals of Statistics 49, "Predictive inference with the jackknife+").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "sim/base/statistics.hpp"
#include "sim/study/sample.hpp"

namespace gridcast::study {

inline constexpr double usual_spread = 0.5;
inline constexpr std::array coverage_levels = {0.5, 0.8, 0.9};
inline constexpr std::size_t rank_bins = 10;

struct ScoredFigure {
  std::string figure;  // as in JSON and CSV
  double observed = 0;
  std::vector<double> forecast;  // by replica; NaN where it has none
  double size = 1;               // jobs, of what adds up over jobs; else 1
  double least = 0;              // of a size that counts, in the figure's unit
  double last = std::numeric_limits<double>::quiet_NaN();  // the first guess; NaN: there is none
  double spread = usual_spread;                            // of the second
};

/// A recorded campaign, forecast.
struct ScoredRecord {
  std::string record;
  std::string from;     // what the forecast was made of
  std::string repeats;  // those of one campaign, repeated, say the same; empty: none are known
  std::vector<ScoredFigure> figures;
};

/// How often central intervals held what came. Counts come in steps, and an interval of them holds
/// more than its level even of right forecasts: `expected` of the share inside. So a figure is
/// counted in part as well: the part of its randomised rank's range (Rank: from below its ties to
/// above them) that lies between the ranks (1 - level) / 2 and (1 + level) / 2. Of right forecasts
/// that is `level`, in steps or not. Randomised probability integral transform in expectation:
/// Czado, Gneiting & Held 2009 (Biometrics 65, "Predictive model assessment for count data").
struct Coverage {
  double level = 0;
  std::size_t cases = 0, inside = 0;
  Interval share95;     // of the share inside
  double expected = 0;  // of the share, were the forecasts right
  Interval expected95 = {};
  double in_parts = 0;  // share, ties in part
  Interval in_parts95 = {};
  double share() const { return static_cast<double>(inside) / static_cast<double>(cases); }
};

struct Skill {
  std::size_t cases = 0;
  double skill = 0;  // NaN where there is nothing to compare with
  Interval ci95;
  bool proven() const { return ci95.low > 0; }
};

struct RankTest {
  std::vector<double> counts;  // in `rank_bins`
  double chi_square = 0, p_value = 1;
};

/// Of one figure over all records, or of one record over all figures.
struct ScoreLine {
  std::string name, from;
  std::size_t cases = 0;
  std::array<std::size_t, coverage_levels.size()> inside = {};
  double median_rank = 0;
  double crps = 0;                          // mean, in the figure's unit; NaN of a record
  double skill_last = 0, skill_spread = 0;  // NaN without a guess
  double width_of_repeats = 0;  // 90 % interval's over that of the repeats; NaN without any
  double ignorance = 0;         // share of the variance, median
};

struct ScoreTable {
  std::vector<ScoreLine> figures, records;
  std::vector<Coverage> coverage;
  RankTest ranks;
  Skill crps_last, crps_spread, winkler_spread;
  double width_of_repeats = 0;  // median over figures
  double ignorance = 0;
  std::size_t cases = 0, campaigns = 0;
  std::vector<std::string> not_counted;  // figures that could not vary in any record
};

struct ScoreOptions {
  std::size_t replicas_a_draw = 2;
  std::uint64_t seed = 1;
  std::size_t resamples = 2000;
};

/// Whether it can be told from the figure how good the forecast was: it can vary, or it was wrong.
bool counts(ScoredFigure const& figure);

ScoreTable score(std::vector<ScoredRecord> const& records, ScoreOptions const& options = {});

/// Standard deviation of the logarithms of figures a job in campaigns that are known; usual_spread
/// for fewer than three above zero.
double spread_between(std::vector<double> const& figures);

inline constexpr double conformal_level = 0.9;
/// The least n with ceil(0.9 (n + 1)) <= n.
inline constexpr std::size_t least_conformal_campaigns = 9;

struct ConformalFactor {
  std::string figure;
  std::size_t campaigns = 0;
  double factor = 1;  // f; infinite where too many forecasts were sure of what did not come
};

struct ConformalTable {
  std::vector<ConformalFactor> factors;
  /// Of the corrected intervals, each by the other campaigns alone: none with fewer than ten.
  std::size_t cases = 0, inside = 0;
};

/// Of records that are campaigns of their own, each forecast once; figures that at least nine of
/// them have and that could vary.
ConformalTable conformal_table(std::vector<ScoredRecord> const& records);

/// The summary with its 5 and 95 % points moved, not beyond what is possible; as it is where the
/// factor is infinite.
Summary corrected(Summary summary, double factor, Interval const& possible);

}  // namespace gridcast::study

// What the replicas of a study gave: one row a replica, one column a figure; how to sum it up, how
// to hold two strategies against each other in it, and how much of its spread is ignorance.
//
// Two strategies are held against each other on the same campaigns; shares of campaigns have an
// error too.
//
// The error of a mean is a Monte-Carlo error: how much it would change with other replicas; it says
// nothing of how much a single campaign differs, which the range of the differences does. Ratios
// are pooled, sum over sum, as a mean of ratios weighs a campaign with one success like one with
// ninety (Cochran, Sampling Techniques, 6.2); the error of their difference is that of the
// linearised one,
//   d_i = (x_i - X v_i) / mean(v) - (b_i - B w_i) / mean(w),   X = sum x / sum v,   B = sum b / sum
//                                                                                   w
// with the t quantile of n - 1. Where all replicas are alike there is no error to be had from them,
// and none is told (NaN), never zero. Shares have the exact binomial interval, so that 0 of n has
// an upper limit.
//
// Of a figure's spread over campaigns, a part is ignorance of the grid, which a longer record
// narrows, and the rest luck, which nothing does. How much tells a one-way analysis of variance
// over the rows of the draws that several replicas lived with, unbalanced (Searle, Casella &
// McCulloch, Variance Components, 3.6):
//   luck      = MSW = sum_d sum_i (x_di - x_d)^2 / (n - g)
//   ignorance = max(0, (MSB - MSW) / n0),   n0 = (n - sum_d n_d^2 / n) / (g - 1)
// of n replicas that lived with g rows, n_d with row d. More replicas narrow neither: they tell its
// quantiles more surely.
//
// More logged jobs narrow ignorance. The variance of a posterior falls with the size m of its
// record as 1 / m (Bernstein and von Mises; van der Vaart 1998, ch. 10), luck stays, and so an
// interval is c times as wide with m + d jobs where
//   ignorance m / (m + d) + luck = c^2 (ignorance + luck)
// At best: what one campaign cannot tell of the next (A-CAMPAIGNS) more of its jobs do not tell
// either.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/statistics.hpp"

namespace gridcast::study {

/// What is kept of a replica: numbers whose meaning the caller knows. NaN: not available.
using Record = std::vector<double>;

/// A replica's record that many samples can hold at once: a study is split by strategy and by
/// hypothesis without a second copy of its numbers.
class SharedRecord {
 public:
  SharedRecord(Record record = {}) : record_(std::make_shared<Record const>(std::move(record))) {}

  std::size_t size() const { return record_->size(); }
  double operator[](std::size_t column) const { return (*record_)[column]; }
  Record::const_iterator begin() const { return record_->begin(); }
  Record::const_iterator end() const { return record_->end(); }
  bool operator==(SharedRecord const& other) const { return *record_ == *other.record_; }

 private:
  std::shared_ptr<Record const> record_;
};

/// Rows ordered by replica number. NaN: the figure is not available in that replica.
struct StudySample {
  std::vector<std::string> names;       // of the columns
  std::vector<std::uint32_t> replicas;  // number of the replica that gave the row
  std::vector<SharedRecord> records;

  std::size_t size() const { return records.size(); }
};

/// From what a pool of replicas brought back; check() fails on a record of another length.
StudySample make_sample(std::vector<std::string> names,
                        std::vector<std::pair<std::uint32_t, Record>> records);

/// Index of a column; check() fails if there is none.
std::size_t column_index(StudySample const& sample, std::string_view name);
/// One figure in all replicas, in their order.
std::vector<double> column(StudySample const& sample, std::string_view name);

/// Moments and quantiles of a figure, of the replicas where it is available.
struct Summary {
  double mean = 0, sd = 0, p05 = 0, p25 = 0, p50 = 0, p75 = 0, p95 = 0;
  /// t interval: how sure the mean is, given the number of replicas; NaN where all are alike, which
  /// tells no error.
  Interval mean_ci95;
  std::size_t n = 0;  // values; with none all of the above are NaN
};
Summary summarise(std::vector<double> values);
Summary summarise(StudySample const& sample, std::string_view name);

/// The medoid of the replicas, which stands for all of them where one is shown in full: the replica
/// with the least sum of |percentile rank - 1/2| over badput, makespan and successes, where ties
/// share their mean rank and a figure that it has not counts as the middle. Of those alike, the
/// first.
std::uint32_t medoid_replica(StudySample const& sample);

/// The rival hypotheses about stalls that the replicas' draws are of, as
/// sim/scenario/parameter_draw.hpp names them; none if there are not two of them at least.
std::vector<std::string> hypotheses(StudySample const& sample);
/// The replicas whose draw is of one of them, by their column "hypothesis".
StudySample select_hypothesis(StudySample const& sample, std::string_view hypothesis);
/// Share of the replicas whose draw is of it: the posterior, to one replica, as replicas take their
/// draws in turn (prediction.hpp).
double posterior_probability(StudySample const& sample, std::string_view hypothesis);

inline constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

/// A share of n replicas; of none it is not known, and its interval all there is.
struct Chance {
  double share = not_known;
  Interval ci95 = {0, 1};
  std::size_t n = 0;
};
/// `hits` may be broken where ties are shared; the interval then holds those of its neighbours.
Chance chance(double hits, std::size_t n);

/// What one wants of a figure, and what happens in a pair of campaigns.
enum class Wanted { less, more };

/// Of x - base, pair by pair; pairs in which one is NaN are left out.
struct PairedDifference {
  double mean = not_known;  // of a ratio: of the pooled ones
  Interval ci95 = {not_known, not_known};
  /// (Var x + Var base) / Var(x - base): by how much common random numbers cut the variance. NaN
  /// where the differences do not vary.
  double variance_ratio = not_known;
  std::size_t n = 0;
  double p05 = not_known, p95 = not_known;  // campaign by campaign
  Chance better = {};                       // share of the campaigns in which x is
};
PairedDifference paired_difference(std::vector<double> const& x, std::vector<double> const& base,
                                   Wanted wanted = Wanted::less);

/// Top and bottom of a ratio in each replica.
struct RatioColumns {
  std::vector<double> top, bottom;
};
/// Sum over sum, of the replicas that have both; infinite where only the bottom is zero.
double pooled(RatioColumns const& columns);
/// The same with its error.
struct PooledRatio {
  double ratio = not_known;
  Interval ci95 = {not_known, not_known};
};
PooledRatio pooled_ratio(RatioColumns const& columns);
/// Of the pooled ratios. A campaign whose bottom is zero has no ratio, and is worse than any that
/// has one.
PairedDifference pooled_difference(RatioColumns const& x, RatioColumns const& base, Wanted wanted);

struct VarianceParts {
  double ignorance = 0;  // variances
  double luck = 0;

  double ignorance_share() const { return ignorance / (ignorance + luck); }
};

/// Whether enough replicas lived with the row of another to tell luck: n - g of at least 20.
bool enough_second_looks(std::vector<double> const& draws);

/// Of the values that are available; `draws`: the row each lived with. Nothing where too few rows
/// come twice to tell, or nothing varies.
std::optional<VarianceParts> variance_parts(std::vector<double> const& values,
                                            std::vector<double> const& draws);

/// By how much an interval is to be narrower, for people: a fifth.
inline constexpr double worth_while = 0.2;

/// Jobs beyond those of the record after which an interval would be narrower by a fifth, at best;
/// nothing where luck alone is wider than that.
std::optional<std::size_t> more_jobs(VarianceParts const& parts, std::size_t recorded);

}  // namespace gridcast::study

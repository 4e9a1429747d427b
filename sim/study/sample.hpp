// The result of a study's replicas as a table: one row per replica, one column per figure. This
// file summarises it, compares two strategies in it, and splits the spread of its figures.
//
// Two strategies are compared on the same campaigns. The error of a mean is a Monte Carlo error:
// how much the mean would change with other replicas. The range of the differences shows how much
// single campaigns differ. Ratios are pooled, sum over sum, because a mean of ratios gives a
// campaign with one success the weight of a campaign with ninety (Cochran, Sampling Techniques,
// 6.2). The error of their difference is the error of the linearised difference,
//   d_i = (x_i - X v_i) / mean(v) - (b_i - B w_i) / mean(w),   X = sum x / sum v,   B = sum b / sum
//                                                                                   w
// with the t quantile of n - 1. If all replicas are alike, their error is not known: NaN, never
// zero. Shares have the exact binomial interval: 0 of n has an upper limit.
//
// The spread of a figure over campaigns has two parts. A longer record reduces the ignorance of the
// grid, and nothing reduces the effect of random events. A one-way analysis of variance
// estimates both. Its groups are the rows of the calibration that several replicas used; it is
// unbalanced (Searle, Casella & McCulloch, Variance Components, 3.6):
//   random    = MSW = sum_d sum_i (x_di - x_d)^2 / (n - g)
//   ignorance = max(0, (MSB - MSW) / n0),   n0 = (n - sum_d n_d^2 / n) / (g - 1)
// for n replicas with g rows, n_d with row d. More replicas reduce neither part; they make its
// quantiles more certain.
//
// More logged jobs reduce ignorance. The variance of a posterior falls with the size m of its
// record as 1 / m (Bernstein and von Mises; van der Vaart 1998, ch. 10), `random` stays. With m + d
// jobs an interval is therefore c times as wide, where
//   ignorance m / (m + d) + random = c^2 (ignorance + random)
// This is the best case: more jobs of one campaign say little about the next campaign
// (A-NEXT-CAMPAIGN).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/statistics.hpp"
#include "sim/base/units.hpp"

namespace gridcast::study {

/// The numbers of a replica; the caller knows their meaning. NaN: not available.
using Record = std::vector<double>;

/// The numbers as bytes in this machine's order, and back.
std::string bytes_of_record(Record const& record);
Record record_of_bytes(std::string_view bytes);

/// A replica's record that many samples share. A study is split by strategy and by hypothesis
/// without a second copy of its numbers.
class SharedRecord {
 public:
  SharedRecord(Record record = {}) : record_(std::make_shared<Record const>(std::move(record))) {}

  std::size_t size() const { return record_->size(); }
  double operator[](std::size_t column) const { return (*record_)[column]; }
  Record::const_iterator begin() const { return record_->begin(); }
  Record::const_iterator end() const { return record_->end(); }
  /// To the last bit: what a replica does not know is NaN, which equals nothing.
  bool operator==(SharedRecord const& other) const {
    auto const same = [](double a, double b) {
      return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
    };
    return std::ranges::equal(*record_, *other.record_, same);
  }

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

/// The sample of a pool's replicas; check() fails on a record of another length.
StudySample make_sample(std::vector<std::string> names,
                        std::vector<std::pair<std::uint32_t, Record>> records);

/// The rows with these indices.
StudySample rows_of(StudySample const& sample, std::vector<std::size_t> const& rows);

/// Index of a column; check() fails if there is none.
std::size_t column_index(StudySample const& sample, std::string_view name);
/// One figure in all replicas, in their order.
std::vector<double> column(StudySample const& sample, std::string_view name);

inline constexpr double not_known = nan;

/// The 5 %, 50 % and 95 % quantiles of the replicas.
struct Spread {
  double low = not_known, middle = not_known, high = not_known;

  /// Without its range.
  Spread alone() const { return {middle, middle, middle}; }

  static void fields(auto& row, auto& spread) {
    row("p05", spread.low);
    row("p50", spread.middle);
    row("p95", spread.high);
  }
};

/// Moments and quantiles of a figure over the replicas in which it is available.
struct Summary {
  double mean = 0, sd = 0, p05 = 0, p25 = 0, p50 = 0, p75 = 0, p95 = 0;
  /// t interval: the Monte Carlo error of the mean; NaN if all replicas are alike, as their error
  /// is not known.
  Interval mean_ci95;
  std::size_t n = 0;  // values; with none all of the above are NaN

  Spread range() const { return {p05, p50, p95}; }

  static void fields(auto& row, auto& summary) {
    row("mean", summary.mean);
    row("sd", summary.sd);
    row("p05", summary.p05);
    row("p25", summary.p25);
    row("p50", summary.p50);
    row("p75", summary.p75);
    row("p95", summary.p95);
    row("mean_ci95", summary.mean_ci95);
    row.restore(summary, [](auto&, auto& read) {
      read.n = std::isnan(read.mean) && std::isnan(read.p05) ? 0 : 1;
    });
  }
};
Summary summarise(std::vector<double> values);
/// Quantiles that are values of the sample, as some may be infinite; NaN of no values. NaN is left
/// out. Example: of {1, 2, infinity} at 0.5: 2.
std::vector<double> order_statistics(std::vector<double> values, std::span<double const> p);
/// The same at 5 %, 50 % and 95 %.
Spread spread_of(std::vector<double> values);
/// Summary of times. If some are infinite ("never"), there are no moments.
Summary summarise_times(std::vector<double> const& times);
/// Quantiles of `succeeded` are values of the sample, and agree with those of times: if W jobs
/// succeed in the median time, the median number of jobs is at least W.
Summary summarise(StudySample const& sample, std::string_view name);

/// The medoid of the replicas, a typical one to show in full. It has the least sum of |percentile
/// rank - 1/2| over badput, makespan and successes. Ties share their mean rank, and a figure that
/// is not available counts as the middle. The first of several medoids.
std::uint32_t medoid_replica(StudySample const& sample);

/// The rival hypotheses about stalls behind the replicas' draws, by their names in
/// sim/scenario/parameter_draw.hpp; none if there are fewer than two.
std::vector<std::string> hypotheses(StudySample const& sample);
/// The indices of the rows whose draw belongs to a hypothesis, by their column "hypothesis".
std::vector<std::size_t> rows_under(StudySample const& sample, std::string_view hypothesis);
/// These rows.
StudySample select_hypothesis(StudySample const& sample, std::string_view hypothesis);
/// The share of replicas whose draw belongs to a hypothesis. It is the posterior probability to one
/// replica, because replicas take their draws in turn (prediction.hpp).
double posterior_probability(StudySample const& sample, std::string_view hypothesis);

/// A share of n replicas. Without replicas it is not known, and its interval is [0, 1].
struct Chance {
  double share = not_known;
  Interval ci95 = {0, 1};
  std::size_t n = 0;

  static void fields(auto& row, auto& chance) {
    row("share", chance.share);
    row("ci95", chance.ci95);
    row("replicas", chance.n);
  }
};
/// `hits` is not whole if ties are shared. The interval then includes those of its neighbours.
Chance chance(double hits, std::size_t n);

/// A smaller or a larger value of a figure is better.
enum class Wanted { less, more };

/// The difference x - base, pair by pair, without pairs in which one is NaN.
struct PairedDifference {
  double mean = not_known;  // for a ratio: the difference of the pooled ratios
  Interval ci95 = {not_known, not_known};
  /// (Var x + Var base) / Var(x - base): the reduction of variance by common random numbers. NaN if
  /// the differences do not vary.
  double variance_ratio = not_known;
  std::size_t n = 0;
  double p05 = not_known, p50 = not_known, p95 = not_known;  // over campaigns
  Chance better = {};  // share of the campaigns in which x is better

  static void fields(auto& row, auto& difference) {
    row("mean_difference", difference.mean);
    row("ci95", difference.ci95);
    row("variance_ratio", difference.variance_ratio);
    row("replicas", difference.n);
    row("p05", difference.p05);
    row("p50", difference.p50);
    row("p95", difference.p95);
    row("better", difference.better);
  }
};
/// Two infinite values do not differ. The mean is not known if a difference is infinite.
PairedDifference paired_difference(std::vector<double> const& x, std::vector<double> const& base,
                                   Wanted wanted = Wanted::less);

/// Top and bottom of a ratio in each replica.
struct RatioColumns {
  std::vector<double> top, bottom;
};
/// Sum over sum of the replicas that have both; infinite if only the bottom is zero.
double pooled(RatioColumns const& columns);
/// The pooled ratio with its error.
struct PooledRatio {
  double ratio = not_known;
  Interval ci95 = {not_known, not_known};

  static void fields(auto& row, auto& pooled) {
    row("ratio", pooled.ratio);
    row("ci95", pooled.ci95);
  }
};
PooledRatio pooled_ratio(RatioColumns const& columns);
/// The difference of the pooled ratios. A campaign whose bottom is zero has no ratio, and is worse
/// than any campaign that has one.
PairedDifference pooled_difference(RatioColumns const& x, RatioColumns const& base, Wanted wanted);

struct VarianceParts {
  double ignorance = 0;  // variances
  double random = 0;

  double ignorance_share() const { return ignorance / (ignorance + random); }

  static void fields(auto& row, auto& parts) {
    row("variance_of_ignorance", parts.ignorance);
    row("variance_of_random_numbers", parts.random);
  }
};

/// True if enough replicas share a row with another to estimate `random`: n - g of at least 20.
bool enough_second_looks(std::vector<double> const& draws);
bool enough_second_looks(std::size_t replicas, std::size_t draws);

/// The parts for the available values; `draws`: the row of each replica. Nothing if too few rows
/// occur twice, or if the values do not vary.
std::optional<VarianceParts> variance_parts(std::vector<double> const& values,
                                            std::vector<double> const& draws);

/// The reduction of an interval that people find worth more jobs: a fifth.
inline constexpr double worth_while = 0.2;

/// Jobs beyond those of the record that would reduce an interval by a fifth in the best case;
/// nothing if `random` alone is wider than that.
std::optional<std::size_t> more_jobs(VarianceParts const& parts, std::size_t recorded);

// Successes over time and makespans, from the records of a study.

/// Successes over time, over the replicas of a study: the median and the central 90 % of the
/// replicas at each time, and quantiles of the time of the last end. `reached` has quantiles of the
/// time at which the wanted jobs had *succeeded*, for the probability of meeting a deadline. A
/// campaign whose jobs are soon all held ends soon and meets no deadline.
struct FinishBand {
  std::vector<Seconds> at = {};
  std::vector<double> p05 = {}, p50 = {}, p95 = {};  // jobs that had succeeded
  std::vector<Seconds> makespans = {};  // quantiles 0, 0.01, ..., 1; empty without dates
  std::size_t wanted = 0;               // jobs
  std::vector<Seconds> reached = {};    // as makespans; infinite if they never had succeeded

  static void fields(auto& row, auto& band) {
    row("at_s", band.at);
    row("succeeded_p05", band.p05);
    row("succeeded_p50", band.p50);
    row("succeeded_p95", band.p95);
    row("makespan_quantiles_s", band.makespans);
    row("wanted_jobs", band.wanted);
    row("wanted_quantiles_s", band.reached);
    row.restore(band, [](auto& reader, auto& read) {
      for (Seconds& time : read.reached) {
        if (std::isnan(time.value())) time = Seconds(infinity);
      }
      for (auto const* jobs : {&read.p05, &read.p50, &read.p95}) {
        if (jobs->size() != read.at.size()) reader.report("as many numbers of jobs as times");
      }
    });
  }
};

/// The number of jobs that have to succeed: this share of the campaign's jobs, at least one.
std::size_t wanted_jobs(StudySample const& sample, double share);
/// The makespan of a study: the time at which the wanted number of jobs had succeeded in each
/// replica. Infinite: they never had. NaN: the replica has no dates. `wanted`: 0 for all jobs.
std::vector<double> makespans(StudySample const& sample, std::size_t wanted);
/// The sample with these times in the column makespan_s: a single campaign's makespan lasts to its
/// last event, so a campaign that fails at once would look fast.
StudySample with_makespans(StudySample sample, std::size_t wanted);

/// Equal steps from zero to `end`.
std::vector<Seconds> finish_times(Seconds end);
/// The end of curves of these samples: the largest 95 % quantile of makespan.
Seconds finish_end(std::vector<StudySample> const& samples);
/// Empty if no replica has dates. `wanted`: 0 for all jobs; with more than fifty jobs it is rounded
/// up to the next of the `finish_steps`.
FinishBand finish_band(StudySample const& sample, std::vector<Seconds> const& at,
                       std::size_t wanted = 0);

}  // namespace gridcast::study

// What the replicas of a study gave: one row a replica, one column a figure, and how to sum it up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
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
/// draws in turn (draw_order.hpp).
double posterior_probability(StudySample const& sample, std::string_view hypothesis);

}  // namespace gridcast::study

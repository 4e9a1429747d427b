// Successes over time and makespans, from the records of a study.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/study/sample.hpp"

namespace gridcast::study {

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

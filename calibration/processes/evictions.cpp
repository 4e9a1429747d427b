// Evictions: the site or its owner reclaims a claimed slot, and the slot is still there.
//   evict_per_s      evictions / time claimed, until contact was lost for good
//   evicted_for_good P(the job is over | evicted), where any was
#include <algorithm>

#include "calibration/processes/processes.hpp"

namespace gridcast::calibration {

namespace {

std::vector<SiteCount> count_evictions_of(LogEvidence const& evidence) {
  return count_at_sites(evidence, [&](std::size_t i, SiteCount& count) {
    AttemptRecord const& attempt = evidence.records.attempts[i];
    count.exposure += std::max((attempt.slot_end() - attempt.start).value(), evidence.shortest());
    count.events += taken_from_slot(attempt) ? 1 : 0;
  });
}

void fit_evictions(LogEvidence const& evidence, Fit& fit) {
  auto const counts = count_evictions_of(evidence);
  add_counts(fit, evidence, PooledAs::rate, "evict_per_s", "evictions in claimed time", counts,
             bootstrap_stream(evidence.streams, DrawsOf::evict), on_most_grids);
  add_jobs_over(fit, evidence, "evicted_for_good", "evictions", taken_from_slot, ended_job);
}

}  // namespace

Process evictions() {
  using namespace words_of_columns;
  return {
      .described = {.name = "evictions",
                    .meaning = "the site or its owner reclaims a slot",
                    .columns = {{"evicted_for_good", probability, in_draw<&Draw::evicted_for_good>,
                                 "Probability that an evicted job ends, and is not queued "
                                 "again"}},
                    .site_columns = {{"evict_per_s", not_negative, at_site<&Site::evict_per_second>,
                                      "Hazard that a claimed slot is vacated, 1/s"}},
                    .zero_is_off = {"evict_per_s", "evicted_for_good"}},
      .fit_log = fit_evictions,
      .varies = {{"evict_per_s", PooledAs::rate}},
      .count_part = total_in_part<count_evictions_of>};
}

}  // namespace gridcast::calibration

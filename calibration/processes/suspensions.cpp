// A job stands still in its slot for a while.
//   suspend_per_s  suspensions / time claimed and not suspended
#include <algorithm>

#include "calibration/processes/processes.hpp"

namespace gridcast::calibration {

namespace {

std::vector<SiteCount> count_suspensions(LogEvidence const& evidence) {
  return count_at_sites(evidence, [&](std::size_t i, SiteCount& count) {
    AttemptRecord const& attempt = evidence.records.attempts[i];
    double const claimed =
        std::max((attempt.slot_end() - attempt.start).value(), evidence.shortest());
    count.exposure += std::max(claimed - attempt.suspended.value(), evidence.shortest());
    count.events += static_cast<double>(attempt.suspensions_begun);
  });
}

void fit_suspensions(LogEvidence const& evidence, Fit& fit) {
  add_counts(fit, evidence, PooledAs::rate, "suspend_per_s", "suspensions in claimed time",
             count_suspensions(evidence), bootstrap_stream(evidence.streams, DrawsOf::suspend));
}

}  // namespace

Process suspensions() {
  using namespace words_of_columns;
  return {.described = {.name = "suspensions",
                        .meaning = "a job stands still in its slot",
                        .columns = {{"suspension_s", not_negative, in_draw<&Draw::suspension>,
                                     "Mean length of a suspension, s"}},
                        .site_columns = {{"suspend_per_s", not_negative,
                                          at_site<&Site::suspend_per_second>,
                                          "Hazard that a job is suspended, 1/s"}},
                        .zero_is_off = {"suspend_per_s"}},
          .fit_log = fit_suspensions,
          .varies = {{"suspend_per_s", PooledAs::rate}},
          .count_part = total_in_part<count_suspensions>};
}

}  // namespace gridcast::calibration

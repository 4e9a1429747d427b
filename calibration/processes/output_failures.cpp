// Files of an execution that ended well and that do not come back: the job is held (code 12).
#include "calibration/processes/processes.hpp"
#include "sim/scenario/draw_setters.hpp"

namespace gridcast::calibration {

namespace {

void fit_output_failures(LogEvidence const& evidence, Fit& fit) {
  auto const counts = count_at_sites(evidence, [&](std::size_t i, SiteCount& count) {
    AttemptRecord const& attempt = evidence.records.attempts[i];
    if (!attempt.executing) return;
    bool const failed = attempt.end_kind == history::EventKind::held &&
                        attempt.reason == history::Reason::output_failed;
    count.events += failed ? 1 : 0;
    count.exposure += failed || (attempt.exit && !crashed(attempt)) ? 1 : 0;
  });
  if (total_of(counts).events <= 0) return;
  add_counts(fit, evidence, PooledAs::share, "output_failure",
             "holds as the output transfer failed / executions done", counts,
             bootstrap_stream(evidence.streams, "output_failure"));
}

}  // namespace

Process output_failures() {
  using namespace scenario;
  using enum Allowed;
  using Site = SiteParameters;
  return {
      .described =
          {.name = "output-failures",
           .meaning = "files do not come back",
           .site_columns =
               {{"output_failure", probability, at_site<&Site::output_failure>,
                 "Probability that the files of an execution that is done do not come back, and "
                 "the job is held (12)"}},
           .zero_is_off = {"output_failure"}},
      .fit_log = fit_output_failures};
}

}  // namespace gridcast::calibration

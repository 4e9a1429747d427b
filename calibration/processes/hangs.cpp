// Programs that never end by themselves (records/attempt_record.hpp, mark_hangs):
//   hang = P(the program never ends by itself), hung / hung or ended by themselves
#include "calibration/processes/processes.hpp"
#include "sim/scenario/draw_setters.hpp"

namespace gridcast::calibration {

namespace {

// Executions that neither ended by themselves nor hung are no evidence.
std::vector<SiteCount> count_hangs(LogEvidence const& evidence) {
  return count_at_sites(evidence, [&](std::size_t i, SiteCount& count) {
    AttemptRecord const& attempt = evidence.records.attempts[i];
    if (!attempt.executing) return;
    count.events += attempt.hung ? 1 : 0;
    count.exposure += attempt.hung || (attempt.exit && !crashed(attempt)) ? 1 : 0;
  });
}

void fit_hangs(LogEvidence const& evidence, Fit& fit) {
  auto const counts = count_hangs(evidence);
  if (total_of(counts).events <= 0) return;
  add_counts(fit, evidence, PooledAs::share, "hang",
             "executions that never ended by themselves / that show it", counts,
             bootstrap_stream(evidence.streams, DrawsOf::hang));
}

std::vector<CampaignKind> variation_of_hangs(LogEvidence const&,
                                             std::vector<LogEvidence> const& parts) {
  CampaignKind hang{"hang", PooledAs::share};
  for (LogEvidence const& part : parts) add_campaign(hang, total_of(count_hangs(part)));
  return {hang};
}

}  // namespace

Process hangs() {
  using namespace scenario;
  using enum Allowed;
  using Site = SiteParameters;
  return {.described = {.name = "hangs",
                        .meaning = "a program never ends by itself",
                        .site_columns = {{"hang", probability, at_site<&Site::hang>,
                                          "Probability that an execution never ends by itself"}},
                        .zero_is_off = {"hang"}},
          .fit_log = fit_hangs,
          .variation = variation_of_hangs};
}

}  // namespace gridcast::calibration

// Limits of slots that stop programs: memory, disk, a quota. fits/stop_fit.hpp has the laws of
// their moments. Also the share of jobs that are over with it:
//   stopped_for_good = P(the job is over | stopped by a limit, of the slot or of time)
// A record in which all jobs came back has no such column.
#include "calibration/fits/stop_fit.hpp"
#include "calibration/processes/processes.hpp"
#include "sim/scenario/draw_setters.hpp"

namespace gridcast::calibration {

namespace {

void fit_limits(LogEvidence const& evidence, Fit& fit) {
  append(fit, stop_fit(evidence.sites(), evidence.records, evidence.draws, evidence.streams));
  SiteCount over;
  for (AttemptRecord const& attempt : evidence.records.attempts) {
    if (!attempt.site.valid() || !stopped_by_limit(attempt)) continue;
    over.exposure += 1;
    over.events += stopped_for_good(attempt) ? 1 : 0;
  }
  add_jobs_over(fit, evidence, "stopped_for_good", "executions stopped by a limit", over);
}

std::vector<CampaignKind> variation_of_limits(LogEvidence const& whole,
                                              std::vector<LogEvidence> const& parts) {
  CampaignKind any{"stop_per_s", PooledAs::rate};
  CampaignKind of_job{"stop_of_job", PooledAs::share};
  CampaignKind at_moment{"stop", PooledAs::share};
  StopLaws const laws = laws_of_stops(whole.records, whole.sites().size());
  for (LogEvidence const& part : parts) {
    StopCounts const stops = count_stops(part.records, laws);
    add_campaign(any, stops.at_any);
    add_campaign(of_job, stops.each_time);
    add_campaign(at_moment, stops.at_moment);
  }
  return {any, of_job, at_moment};
}

}  // namespace

Process limits() {
  using namespace scenario;
  using enum Allowed;
  using Draw = ParameterDraw;
  using Site = SiteParameters;
  return {
      .described =
          {.name = "limits",
           .meaning = "a slot's limit of memory or disk stops a program",
           .columns =
               {{"stop_of_job", probability, in_draw<&Draw::stop_of_job>,
                 "Probability that a limit of the slot stops a job whenever it executes for "
                 "so long (stop_after_s of the site), wherever that is"},
                {"stopped_for_good", probability, in_draw<&Draw::stopped_for_good>,
                 "Probability that a job which a limit of memory, disk or time stops is over, and "
                 "neither held nor queued again; jobs stopped by a submit file's "
                 "allowed_execute_duration are held"}},
           .site_columns =
               {{"stop", probability, at_site<&Site::stop>,
                 "Probability that a limit of the slot stops an execution at stop_after_s"},
                {"stop_after_s", not_negative, at_site<&Site::stop_after>,
                 "Median of that moment, from the execution's start, s"},
                {"stop_sigma", not_negative, at_site<&Site::stop_sigma>,
                 "Standard deviation of its logarithm"},
                {"stop_per_s", not_negative, at_site<&Site::stop_per_second>,
                 "Hazard that a limit of the slot stops an execution at any time, 1/s"},
                {"stop_holds", probability, at_site<&Site::stop_holds>,
                 "Probability that a job which is so stopped is held; else it is idle again"}},
           .zero_is_off = {"stop", "stop_per_s", "stop_of_job"}},
      .fit_log = fit_limits,
      .variation = variation_of_limits};
}

}  // namespace gridcast::calibration

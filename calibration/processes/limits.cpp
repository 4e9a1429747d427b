// Limits of slots that stop programs: memory, disk, a quota. fits/stop_fit.hpp has the laws of
// their moments. Also the share of jobs that are over with it:
//   stopped_for_good = P(the job is over | stopped by a limit, of the slot or of time)
// A record in which all jobs came back has no such column.
#include "calibration/fits/stop_fit.hpp"
#include "calibration/processes/processes.hpp"

namespace gridcast::calibration {

namespace {

void fit_limits(LogEvidence const& evidence, Fit& fit) {
  append(fit, stop_fit(evidence.sites(), evidence.records, evidence.draws, evidence.streams));
  add_jobs_over(fit, evidence, "stopped_for_good", "executions stopped by a limit",
                stopped_by_limit, stopped_for_good);
}

std::vector<SiteCount> count_part_of_limits(LogEvidence const& whole, LogEvidence const& part) {
  StopCounts const stops =
      count_stops(part.records, laws_of_stops(whole.records, whole.sites().size()));
  return {stops.at_any, stops.each_time, stops.at_moment};
}

}  // namespace

Process limits() {
  using namespace words_of_columns;
  return {
      .described =
          {.name = "limits",
           .meaning = "a slot's limit of memory or disk stops a program",
           .columns =
               {{"stop_of_job", probability, in_draw<&Draw::stop_of_job>,
                 "Probability that a limit of the slot stops a job whenever it executes for "
                 "so long (stop_after_s of the site), wherever that is"},
                {"stopped_for_good", probability, in_draw<&Draw::stopped_for_good>,
                 "Probability that a job stopped by a limit of memory, disk or time ends, and is "
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
      .varies = {{"stop_per_s", PooledAs::rate},
                 {"stop_of_job", PooledAs::share},
                 {"stop", PooledAs::share}},
      .count_part = count_part_of_limits};
}

}  // namespace gridcast::calibration

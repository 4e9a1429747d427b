// Effects of a slot's limits on executions there (records/attempt_record.hpp, stopped_by_slot):
// memory, disk, a quota. A program that exceeds its allowance runs into the limit at much the same
// moment of its run, again and again; a full disk or a quota can strike at any time.
//
// Let a site's stops be after t_1 ... t_n seconds of execution. Those within a factor of e^(1/4) of
// their median m are taken for the former if they are at least three in five and at least two:
//   stop         P(an execution meets the limit) ~ Beta(k + 1/2, n - k + 1/2), of the k that did
//                and the n that did or lived past m
//   stop_after   m, and stop_sigma the sd of ln t among them (at least 0.01), the median of the
//                draws normal around ln m with stop_sigma / sqrt(k)
// The others strike with a constant hazard, stop_per_s ~ Gamma(number, time executed).
//   stop_holds   P(the job is held), else it is idle again ~ Beta(held + 1/2, not held + 1/2), all
//                sites, of the jobs that were not over with it (processes/limits.cpp)
// A site without a stop has none of these, as a limit is of the program as much as of the site: the
// calibration notes it as a gap of the record.
//
// A share of the jobs is stopped whenever they run that long, at any site: their input needs memory
// or disk beyond the limit. They are identified as jobs that crash each time are (crash_fit.hpp):
// among the stopped jobs, those that ran so long again and were stopped again, or were not. Half of
// the records have such jobs beforehand: a program's need depends on its input as often as on
// chance. An execution that something else ended before the moment, within a factor of e^(1/4), is
// no evidence on its job; near it, half; and one that lived past it shows that its job is not of
// them. The moment is that of the site's stops, or of all where the site's have none in common, and
// of a job that was stopped its own earliest. If stops have none anywhere, jobs' moments are as far
// apart as the stops: an execution that was cut off has had Phi of the risk behind it, and one that
// ended well all of it.
//   stop_of_job  their share of the jobs that came to the limit
// Their stops are not in stop and stop_per_s, each counted with the probability that its job is not
// one of them; and sites that stopped nothing have a moment for them too.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/inference/partial_pooling.hpp"
#include "calibration/records/attempt_record.hpp"

namespace gridcast::calibration {

/// Columns stop_of_job, stop_after_s.SITE, stop_sigma.SITE, stop_holds.SITE, and stop.SITE or
/// stop_per_s.SITE of the sites that stopped something; nothing where none did.
Fit stop_fit(std::vector<std::string> const& sites, AttemptRecords const& records,
             std::size_t draws, RandomStreams const& streams);

/// When limits stop executions: at a moment that is common to them, or at any.
struct StopLaw {
  double moment = 0, sigma = 0;  // median, and sd of ln t
  bool common = false;
};
struct StopLaws {
  std::vector<StopLaw> sites;
  StopLaw all;

  /// The site's own where its stops have a moment, or else that of all stops.
  StopLaw const& at(std::size_t site) const { return sites[site].common ? sites[site] : all; }
};
StopLaws laws_of_stops(AttemptRecords const& records, std::size_t sites);

/// Counts of all sites together.
struct StopCounts {
  SiteCount at_moment, at_any;  // of jobs that are not stopped each time
  SiteCount each_time;          // such jobs, of those that came to the limit
};
/// Counts in a part of the record that gave the laws.
StopCounts count_stops(AttemptRecords const& part, StopLaws const& laws);

}  // namespace gridcast::calibration

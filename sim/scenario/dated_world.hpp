// What only dated histories tell of a grid: how long each URL, start and gap took, what ended each
// attempt, what people did with held jobs. A World that was calibrated from logs carries one of
// these, and the engine then plays attempts by it instead of by the processes of a job table.
//
//   a URL's transfer at site s    lognormal(url_median_s * (bytes / reference)^exponent, sigma_s)
//   an execution at site s        work * exp(job noise) * exp(execution noise) / speed_s
//   ends of an attempt            competing exponential hazards, by site
// Estimators, censoring and sources: docs/calibration.md. Probabilities are bare doubles.
#pragma once

#include <map>
#include <string>

#include "sim/base/distribution.hpp"
#include "sim/base/units.hpp"

namespace gridcast::scenario {

struct DatedSiteWorld {
  int slots = 0;           // slots that pilots offer to this campaign at a time
  Seconds url_median;      // one URL of the reference size
  double url_sigma = 0;    // sd of ln(time)
  double url_failure = 0;  // the plugin gives up on a URL, after `url_failed_after` of its time
  double url_hang = 0;     // no byte ever comes: ends at the plugin's lifetime, if it has one
  double speed = 1;        // work done in a second
  double crash = 0;        // an attempt crashes, anywhere in what remains of the work
  double evict_per_second = 0;       // while claimed: vacated by the site or its owner
  double disconnect_per_second = 0;  // while claimed: the access point loses contact
  double reconnect = 1;              // a disconnected job is found again (else its lease runs out)
  double suspend_per_second = 0;
  double pilot_death_per_second = 0;  // of a slot's pilot: its jobs are lost without a word
};

struct DatedWorld {
  std::map<std::string, DatedSiteWorld> sites;  // by site name
  Bytes url_reference;                          // size that the medians are for
  double url_exponent = 0;                      // of bytes
  double url_failed_after = 0.5;  // share of its time after which a URL that fails does so
  Seconds work;                   // of the median job at speed 1, all epochs
  double job_sigma = 0;           // sd of ln(work) between jobs; the same at every attempt
  double execution_sigma = 0;     // sd of ln(work) between executions of a job
  Distribution match_delay;       // a free slot and an idle job -> the shadow starts
  Distribution setup;             // shadow start -> executing, less the time of the URLs
  Distribution teardown;          // exit -> the slot is free (output transfer included)
  Distribution checkpoint;        // to store one checkpoint
  Distribution requeue_delay;     // lost attempt -> idle again
  Distribution release_delay;     // held -> released by a person
  double release = 1;             // a person releases a held job, at each hold ...
  int most_holds = 1000000;       // ... up to so many; then it is removed
  Distribution reconnect_delay;   // disconnected -> found again
  Seconds suspension;             // mean
  Seconds pilot_replacement;      // pilot's death -> the next one advertises, mean
};

}  // namespace gridcast::scenario

// Ends at one age: pilots whose batch system ends them after a fixed time, and claims that a site
// takes away after one. Two models are compared for the lives of one kind at one site, each of
// which ended so at its age a or was over or out of sight by then for another reason:
//   at any age   hazard h
//   at one age   that hazard, and all that are left end at L,   ln L ~ N(m, s^2)
//                h S(a) + f(a) for an end at a, S(a) for a life seen up to a,   each times exp(-h
//                                                                                 a)
// f and S the density and the survival of the age. A claim's is L; a pilot's counts from the first
// start of a job on it, which is later than its own: ln a = ln L - e, e exponential with a mean
// that is 0, 0.02, 0.06 or 0.2 beforehand. There ln h is uniform over where the ends put it, ln m
// over four powers of ten, and ln s over 0.005 to 0.1; all integrals are sums on a grid. If the
// Bayes factor for one age is 20 or more, and at least three ends came at it, each draw has m and s
// of the posterior, and those ends are none of the hazard's (AttemptRecord::at_fixed_age).
//
// Lives that began and ended together, within 2 % of their age, or a minute, are one: a site may
// have been shut down.
#pragma once

#include <string>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/records/attempt_record.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::calibration {

struct Life {
  Seconds begin, end;
  bool ended = false;                 // so; else it was over for another reason, or not over yet
  bool reported = false;              // of a pilot: its startd reported the end
  std::vector<std::size_t> attempts;  // that ended with it
};

/// One age that ends may come at, and how probable it is.
struct FixedAge {
  double log_age = 0, sigma = 0;
  double late = 0;  // r
  double probability = 0;
};

struct AgeComparison {
  double log_factor = 0;  // natural logarithm of the Bayes factor for one age
  std::vector<FixedAge> ages;
  double age = 0, spread = 0;  // means; how far below it, of the logarithm, its ends are

  /// Whether an end at that age is one of them.
  bool holds(double at) const;
};

inline std::vector<double> const lates_of_pilots = {0, 0.02, 0.06, 0.2};
AgeComparison compare_ages(std::vector<Life> const& lives,
                           std::vector<double> const& lates = lates_of_pilots);

/// Columns pilot_life_s, pilot_life_sigma, pilot_life_announced, evict_after_s and evict_sigma of
/// sites that show them; marks the attempts that ended so.
Fit fixed_age_fit(history::JobHistory const& history, AttemptRecords& records, std::size_t draws,
                  RandomStreams const& streams);

}  // namespace gridcast::calibration

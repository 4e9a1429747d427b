// Parts of a record for a calibration: the jobs that started first. The others are then forecast
// and compared with their record.
//
// The parameters of an unseen site are drawn from the spread between the seen sites: in each draw,
// with k sites whose values x are above zero,
//   ln x_new = mean(ln x) + sd(ln x) sqrt(1 + 1/k) t,   t ~ Student, k - 1 degrees of freedom,
// the predictive distribution of another member of a normal sample (Gelman et al., Bayesian Data
// Analysis, 3rd ed., 3.2). If a value is zero (no such event was seen), or there is one site, the
// unseen site has the value of one of the sites, each with equal probability.
#pragma once

#include <string>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "sim/base/random.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::calibration {

/// The events, URL transfers and names of these jobs (in the order of the history's jobs).
history::JobHistory only_jobs(history::JobHistory const& history, std::vector<bool> const& chosen);

struct TwoParts {
  history::JobHistory first, later;
};
/// The jobs that began to execute first (half of those that did, rounded up), and all others.
TwoParts parts_of(history::JobHistory const& history);

/// Adds the columns of a site that the draws do not have. Does nothing if they have no site at all.
void add_unseen_site(DrawTable& draws, std::string const& site, RandomStream stream);

}  // namespace gridcast::calibration

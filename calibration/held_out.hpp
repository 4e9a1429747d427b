// Parts of a record that a calibration is made of, so that the rest can be forecast and held
// against what came: the jobs that came first, or all sites but one.
//
// A site that the calibration has not seen is drawn from the spread between those that it has: in
// each draw, of k sites whose values x are above zero,
//   ln x_new = mean(ln x) + sd(ln x) sqrt(1 + 1/k) t,   t ~ Student, k - 1 degrees of freedom,
// the predictive distribution of another member of a normal sample (Gelman et al., Bayesian Data
// Analysis, 3rd ed., 3.2); where values are zero (nothing of the kind was seen), or there is one
// site, the value of one of the sites, each as likely.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "sim/base/random.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::calibration {

/// The events, URL transfers and names of these jobs alone (in the order of the history's jobs).
history::JobHistory only_jobs(history::JobHistory const& history, std::vector<bool> const& chosen);

struct TwoParts {
  history::JobHistory first, later;
};
/// The jobs that began to execute first (half of those that did, rounded up), and all others.
TwoParts parts_of(history::JobHistory const& history);

/// Without the attempts that ran there. A job that ended there is one whose end is not known.
history::JobHistory without_site(history::JobHistory const& history, std::string const& site);

/// Adds the columns of a site that the draws do not have. Nothing where they have no site at all.
void add_unseen_site(DrawTable& draws, std::string const& site, RandomStream stream);

}  // namespace gridcast::calibration

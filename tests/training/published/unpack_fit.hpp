// Unpacking and epochs of the published OSG jobs, in seconds: T = u + e t at each site with e
// epochs, fitted to executions of 5 and of 20 epochs at once, and to executions that ended right
// after unpacking (e = 0). Least absolute deviations (Bloomfield & Steiger 1983), each over its
// group's median,
//   minimise sum |T_i - u - e_i t| / median_e(i),  u >= 0
// so that an execution that was twice as long as the others (GP-ARGO's heavy tail) pulls no harder
// than one that was a little longer. The optimum of such a fit passes through two of the points, so
// all pairs are tried.
#pragma once

#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/history/job_table.hpp"

namespace gridcast::training::published {

struct PublishedExecution {
  std::string site;
  int epochs = 0;
  Seconds time;
  std::string job = {};  // "794569.2"
};

struct SiteTimes {
  std::string site;
  Seconds unpack;
  Seconds epoch;
  std::size_t executions = 0;
  Seconds of(int epochs) const { return unpack + epoch * epochs; }
};

/// Successful final executions of a table of jobs with that many epochs; where the network was
/// found unreachable after unpacking, the execution counts as one of no epochs.
std::vector<PublishedExecution> executions_of(history::JobTable const& table, int epochs);

/// One fit over all; sites in alphabetical order. Sites with fewer than two numbers of epochs are
/// left out.
std::vector<SiteTimes> fit_unpack_and_epochs(std::vector<PublishedExecution> const& executions);

/// Median time of a site's executions of that many epochs; NaN if there are none.
double median_time(std::vector<PublishedExecution> const& executions, std::string const& site,
                   int epochs);

}  // namespace gridcast::training::published

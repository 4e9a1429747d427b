// Jobs that fail whenever they run: their input or their arguments are bad, and no retry mends
// that. An example: of 150 jobs with max_retries = 3, 15 crashed four times each, and none of the
// others once. With one probability for all executions, a retry would have ended well in nine cases
// of ten.
//
// A share q of the jobs crash at each execution; the others at site s with the probability p_s,
// each execution on its own. A job with k crashes and executions that something else ended at
// shares u of their risk (processes/crashes.cpp) has, where none of its executions ended well,
//   q prod (1 - u)  +  (1 - q) prod p_s^k (1 - p_s)^u,
// and where one did it is not bad: (1 - q) prod p_s^k (1 - p_s)^(whole + u). The odds of q and of
// p_s are multiplied by those of the job's program, where a record has several. A crash in a slot
// in which the job has crashed before is left out: it may be the slot's.
//
// Crashes at first executions determine q + (1 - q) p alone; only jobs that ran again separate q.
// So q = rho r, r the share of jobs whose first execution that ended by itself crashed, as the
// record has it, and rho the share of these that are bad:
//   rho = 0 with the probability 9/10, else Beta(1/2, 1/2)
// beforehand (of crashes), on a grid; given rho, p_s is where the likelihood is largest (EM:
// Dempster, Laird & Rubin 1977), with one more trial at each site that crashes as often as those of
// all sites. A draw takes rho, and with the m of n jobs that are expected to be bad then, q from
// Beta(m + rho / 2, n - m + 1/2). Without a job that ran again after a crash rho keeps its prior:
// one crash in twenty is a bad job's.
//
// Jobs that a limit stops are identified in the same way (stop_fit.hpp): a stop is the failure, and
// an execution that ended before it came to the limit has had no share of its risk.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/inference/partial_pooling.hpp"
#include "calibration/records/attempt_record.hpp"
#include "calibration/records/programs.hpp"

namespace gridcast::calibration {

/// An execution, ordered by job and time.
struct JobTrial {
  std::size_t job = 0, site = 0;
  std::optional<std::size_t> slot = {};  // where it is known
  bool failed = false;
  double share = 1;  // of its risk of that failure that it had behind it
  double odds = 1;   // of its program's failures over those of all
};

/// The kind of failure, and its words in messages: crashes unless stated.
struct BadJobsKind {
  std::string column = "crash_of_job";           // of their share
  std::vector<std::string> others = {"crash."};  // columns of sites, for failures of other jobs
  double beforehand = 0.1;                       // that there are such jobs
  std::string share_of = "jobs that crash at each execution";
  std::string failed = "crashed", again = "ended by themselves again";  // the outcomes that show it
  std::string none_again = "no job that crashed ended by itself again";  // an unknown fact
};

class BadJobs {
 public:
  BadJobs(std::vector<JobTrial> const& trials, std::size_t sites, BadJobsKind kind = {});

  /// P(the job fails at each execution | record).
  double is_bad(std::size_t job) const;
  /// Jobs that are expected to be bad, of those that failed or ended well at least once.
  SiteCount count() const;

  /// The kind's column, and those of others as far from their means as the failures that it leaves
  /// to them; nothing without a failure.
  void add_to(Fit& fit, std::vector<std::string> const& sites, std::size_t draws,
              RandomStreams const& streams) const;

 private:
  struct Suspect {
    std::size_t job = 0;
    std::vector<JobTrial> trials = {};  // without repeated failures in a slot
    std::vector<double> failures = {};  // all, by site
    double log_bad = 0;                 // ln prod (1 - u)
    double bad = 0;                     // in the mean of the posterior
  };
  struct Node {
    double rho = 0;
    double probability = 0;             // its logarithm until all are known
    double bad = 0;                     // jobs
    std::vector<double> failures = {};  // of jobs that are not bad, by site
  };

  void take_job(std::vector<JobTrial> const& trials);
  void maximize(Node& node, std::vector<double>& bad) const;
  double expect(double q, std::vector<double> const& p, std::vector<double>& bad) const;
  void scale_others(Fit& fit, std::vector<std::string> const& sites,
                    std::vector<double> const& picked) const;
  std::vector<double> shares_of_sites(std::vector<double> const& bad) const;

  std::size_t sites_;
  BadJobsKind kind_;
  std::vector<Suspect> suspects_;                                 // by job
  std::map<std::pair<std::size_t, double>, SiteCount> innocent_;  // by site and odds
  std::vector<double> failures_;      // of jobs that are not suspect, by site
  std::map<double, double> cleared_;  // jobs with an execution that ended well, by odds
  double first_failed_ = 0, first_ended_ = 0;
  std::size_t again_ = 0;  // jobs that failed or ended well after a failure
  std::vector<Node> nodes_;
};

// How often the programs of one record crash. Debug runs fail and the final programs do not: of a
// log's four programs one crashed in 16 of 20 executions, the others in 0 of 12.
//
// Program j had n_j executions that came to an end of their own, and k_j of them crashed. Programs
// differ as campaigns do (inference/campaign_spread.hpp):
//   k_j ~ Binomial(n_j, 1 / (1 + exp(-x_j))),   x_j ~ N(m, tau^2),   m flat, tau ~ half-normal(s)
// with the scale s of campaigns, and the posterior of (m, tau) and of each x_j on grids. A site's
// probability is of all programs together. Therefore a program adds a factor on the odds,
// exp(x_j) / odds of all, with its central 90 % reported (docs/model.md, A-PROGRAM).

/// Sets the counts and the odds of each program; nothing where there is only one, or none crashed.
void set_crash_odds(Programs& programs, AttemptRecords const& records);

}  // namespace gridcast::calibration

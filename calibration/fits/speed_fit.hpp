// How long the program computes, in seconds: execution j of job i at site s takes, for all its
// epochs,
//   ln time = ln work + b_i + e_ij - ln speed_s,  b_i ~ N(0, job_sigma^2), e_ij ~ N(0,
//                                                 execution_sigma^2)
// a mixed model (Pinheiro & Bates 2000, ch. 2) in which the same job's executions at several sites
// separate the site from the job. Speeds are relative: their geometric mean over the sites is 1. A
// site is one with one GPU model (records/places.hpp), and its speed that of jobs with the number
// of GPUs that most had there: a job with k times as many is faster by k^gamma. If jobs ran several
// programs, ln work is that of each job's own (records/programs.hpp).
//
// The known facts of an execution are ln t, t its computing over the share of the epochs that it
// did:
//   observed   it, or epochs of it, came to an end: ln t ~ N(m, v)
//   longer     ended from outside: P(T > t) = Phi((m - ln t) / sqrt(v))
//   crash      ended at a share x = t / T of its whole time T that has the density a x^(a - 1), so
//              that ln t has a (t / T)^a: integral over T > t of f(T) (t / T)^a dT
//                = exp(a^2 v / 2 - a (m - ln t)) Phi((m - ln t) / sqrt(v) - a sqrt(v))
// with m = ln work + b_i - ln speed_s and v = execution_sigma^2 + r, where r = (tick / t)^2 / 6 is
// the variance that the rounding of both stamps makes of ln t (a triangle of half width one tick).
//
// a is not drawn with the others. It is 1, a crash at any point alike, while the mean l of ln(T /
// t) of the record's crashes is at most 1.5, T the median of executions that came to an end at
// their site, or anywhere (a uniform x has l = 1, one of Beta(1/2, 1/2) 1.39), and else (1.5 /
// l)^2. A hundred jobs that fail within seconds would with 1 make their site look as fast as that,
// as the draws would rather spread jobs' works widely than have them all fail so early; with l = 7
// they imply little more than T > t. If nothing came to an end a is 1, without which no time would
// be too long.
//
// The job's factor b_i is integrated out. For observed executions exactly, one after the other:
// with b ~ N(c, w) so far, ln t ~ N(m + c, v + w) has the likelihood, and the gain g = w / (v + w)
// moves c by g times its deviation, and w to (1 - g) w (a Kalman filter). The others' likelihood is
// averaged over the remaining distribution of b by Gauss-Hermite quadrature of nine points.
//
// Priors: ln work flat, or 1 h with a factor of 100 either way (90 %) where no execution ended;
// half-normal(1) for job_sigma and half-normal(0.1) for execution_sigma, as programs repeat their
// time; ln speed_s ~ N(c_m + gamma ln n_s + d_m, tau^2) with tau half-normal(0.5), where c_m is the
// logarithm of the catalogue's value for the site's GPU model (images_per_s of hardware.yaml), n_s
// the number of GPUs that most had there and d_m ~ N(0, 0.3^2) this program's deviation from that,
// the same at all sites with the model; gamma ~ N(0.9, 0.15^2), at least 0. Thus sites whose slots
// have other numbers of GPUs are evidence on gamma as well. The posterior is drawn by slice
// sampling (slice_sampler.hpp), each step of which looks at every job: in a record with more than
// `enough_jobs` at so many, as many of each site where it has them. A spread of a half is known to
// 1 / sqrt(2 x 4,000) = 1.1 % of itself by then. A record with more than `enough_open` executions
// that did not come to an end has fewer jobs in proportion.
#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/records/attempt_record.hpp"

namespace gridcast::calibration {

/// A log's facts of one execution.
struct TimedExecution {
  enum class Kind { observed, longer, crash } kind = Kind::observed;
  std::size_t site = 0;
  double log_time = 0;  // of the part that was computed, scaled to all epochs
  double rounding = 0;  // variance of it that stamps' rounding makes
  double log_gpus = 0;  // of its GPUs over those of most executions at the site

  auto operator<=>(TimedExecution const&) const = default;
};

/// The prior of a site's speed.
struct SpeedPrior {
  double log_speed = 0;   // by the catalogue, up to a constant
  std::size_t model = 0;  // sites with the same have the same GPU model
  int gpus = 0;           // of most executions; 0: unknown
};

/// The executions of each job that has any.
std::vector<std::vector<TimedExecution>> executions_by_job(AttemptRecords const& records,
                                                           std::vector<SpeedPrior> const& priors);

struct SpeedParameters {
  double log_work = 0;
  double job_sigma = 0;
  double execution_sigma = 0;
  std::vector<double> log_speeds;
  double gpu_scaling = 0;
  double crash_power = 1;  // a
};

/// a of the crashes of all jobs.
double crash_power(std::vector<std::vector<TimedExecution>> const& jobs, std::size_t sites);

/// ln of the likelihood of one job, up to a constant.
double log_likelihood(std::vector<TimedExecution> const& job, SpeedParameters const& at);

inline constexpr double usual_gpu_scaling = 0.9;
inline constexpr std::size_t enough_jobs = 4'000;
inline constexpr std::size_t enough_open = 1'000;  // executions that did not come to an end

/// Columns speed.SITE, work_s, job_sigma, execution_sigma; where numbers of GPUs are known,
/// gpus_of_speed.SITE and gpu_scaling. `priors`: one a site, or none.
Fit speed_fit(std::vector<std::string> const& sites, AttemptRecords const& records,
              std::vector<SpeedPrior> priors, std::size_t draws, RandomStreams const& streams);

/// How long a whole job computes, from the posterior medians of a fit.
struct TypicalTimes {
  std::vector<double> at_site;  // s: work / speed
  double log_sd = 0;            // of ln of one execution's, around that
};
TypicalTimes typical_times(Fit const& speed, std::vector<std::string> const& sites);

}  // namespace gridcast::calibration

// The evidence of a running campaign about its rest: its attempts as laws of steps, and as odds of
// repetition. An earlier campaign adds pseudo-counts to the odds, and lengths where there are none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/base/units.hpp"
#include "sim/running/running_campaign.hpp"
#include "sim/running/step_laws.hpp"

namespace gridcast::running {

// The probability that an execution is its job's last one, and how it falls with each execution
// that was not: a job that was evicted twenty times is likely to be evicted again.
//
// Each job has a probability p of its own, p ~ Beta(m s, (1 - m) s). After k executions that the
// job repeated it is Beta(m s, (1 - m) s + k), with the mean  m s / (s + k). The pair (m, s) is
// drawn from its posterior on a grid: the logit of m is normal with the mean 3 and the standard
// deviation 2, and the logarithm of s is uniform between those of 1 and 500. The likelihood of a
// job that ended after k repeats is
//
//   B(m s + 1, (1 - m) s + k) / B(m s, (1 - m) s)
//
// and without the "+ 1" that of a job that has not ended (beta-geometric law, Weinberg & Gladen
// 1986, Biometrics 42).
//
// Example: of 50 jobs 40 ended with their first execution, and 10 have had 30 evictions each. Then
// s is small, and those 10 have a mean of m s / (s + 30): about 1 in 30.

struct JobRepeats {
  std::size_t repeats = 0;  // executions that did not end the job
  bool ended = false;
  double weight = 1;  // as evidence
};

struct EndingOdds {
  double a = 1, b = 1;  // of the beta law

  /// The probability of a job that repeated so many executions.
  double mean(std::size_t repeats) const { return a / (a + b + static_cast<double>(repeats)); }
  double draw(std::size_t repeats, RandomStream& stream) const;
};

class EndingOddsPosterior {
 public:
  explicit EndingOddsPosterior(std::vector<JobRepeats> const& jobs);

  EndingOdds draw(RandomStream stream) const;
  /// The posterior mean of m, and of s by its logarithm.
  EndingOdds middle() const;

 private:
  struct Point {
    double logit_mean, log_size, share;
  };
  std::vector<Point> points_;  // shares add up to one
};

// How likely an execution is to be repeated, given how long it has lasted.
//
// Among all executions that lasted as long, r were repeated, e ended their jobs, and c continue.
// Each of the latter will be repeated with its own probability q. The share is
//
//   s(a) = (r + sum q) / (r + e + c)
//
// A job whose own probability q differs from the campaign's, q0, has the odds s / (1 - s) times the
// ratio of the odds of q and of q0. Beyond all executions s is q0.
//
// Example: evictions came within 10 min, results after an hour. An execution that has lasted for
// 30 min is hardly ever repeated.
class ShareOfRepeats {
 public:
  struct Execution {
    Seconds length;
    double repeated;    // 1 or 0; the probability if it continues
    double weight = 1;  // as evidence
  };
  /// `usual`: q0.
  ShareOfRepeats(std::vector<Execution> executions, double usual);

  /// The probability of an execution of this age, of a job with the probability q.
  double of(Seconds age, double q) const;

 private:
  std::vector<Execution> executions_;  // by length
  std::vector<double> repeated_;       // share of this one and all longer ones
  double usual_;
};

// The law of a step's length in a campaign that is still running: an execution, a wait, a hold.
//
// Steps that ended and steps that continue are evidence alike. The cumulative hazard is the
// estimator of Nelson and Aalen (Aalen 1978, Annals of Statistics 6): each step that ended adds
//
//   w / (sum of the weights of all steps that lasted as long)
//
// and a step that continues counts among those that lasted as long. The remaining time of a step
// that has lasted for `age` is the law, given that it is longer.
//
// Steps that outlast the longest one that ended, x_L, are usual ones that are long, or of another
// kind (long_steps.hpp). Those of another kind are alike: in one possible future they take
// max(age, x_L) (1 + (c - 1) u), with a uniform u of each step and one common factor c,
// P(c > x) = x^-alpha. With d ended steps above the length m that a sixth of the ended steps exceed
// (five at least),
//
//   alpha = max(1.5, Gamma(2 + d, 1 + sum ln(x / m)))
//
// where the sum is over all steps above m. With no ended step the median of those that continue
// stands for x_L, and all steps have the factor.
//
// Example: executions of 60, 70 and 80 min, and one that has run for 75 min. Half of the hazard at
// 80 min belongs to the step that ended there.
//
// A hold is another case: a share of all holds never ends, unless somebody changes something. Those
// that outlast the longest hold which ended are of that kind, by the same share.
enum class OtherSteps { take_longer, never_end };

class StepLaw {
 public:
  /// `usual`: the length from which the tail begins where no step is known.
  explicit StepLaw(std::vector<SeenStep> seen, Seconds usual = hours(1),
                   OtherSteps others = OtherSteps::take_longer);

  /// The same evidence with random weights (Bayesian bootstrap, gamma variables of shape 4) and a
  /// drawn factor beyond them: the law of one possible future.
  StepLaw redrawn(RandomStream stream) const;

  struct Drawn {
    Seconds length;                        // of the whole step, `age` or more
    std::optional<std::uint32_t> of = {};  // of a step that ended so; none where no step ended
    bool usual = false;                    // not of another kind than those that ended, if any did
    bool endless = false;
  };
  /// A length, given that it is at least `age`. Uses at most four uniforms.
  Drawn draw(Seconds age, RandomStream& stream) const;

  bool any_ended() const { return !ends_.empty(); }
  /// The quantile p of the lengths of the steps that ended, of executions those with a result; of
  /// those of an earlier campaign only if there are no others. Nothing without such steps.
  std::optional<Seconds> ended_quantile(double p) const;

 private:
  void add_up();
  Seconds tail_threshold() const;
  void fit_tail();
  double hazard_before(Seconds age) const;

  std::vector<SeenStep> seen_;  // by length; of one length those that ended first
  Seconds usual_;
  OtherSteps others_;
  std::vector<double> hazard_;       // cumulative, of the ended steps
  std::vector<std::uint32_t> ends_;  // indices of the ended steps
  Seconds tail_from_;
  bool outlasted_ = false;  // a step that continues lasted twice as long as any that ended
  double tail_events_ = 0, tail_exposure_ = 0;
  double beyond_ = 1.6;                                  // c; about its median where alpha is 1.5
  std::shared_ptr<LongStepsPosterior const> posterior_;  // of all futures
  LongSteps long_steps_;
};

// How much the pace of a campaign changes, by how much it did so far.
//
// The executions that ended, in the order of their ends, make four blocks of equal numbers. The
// logarithms of the blocks' mean lengths have the variance s^2, with three degrees of freedom. An
// expectation of 0.9 counts as one more:
//
//   sd^2 = (0.9^2 + 3 s^2) / 4
//
// is the variance of the logarithm of the factor by which all that is to come takes longer; sd
// is at most 1.5. With fewer than two executions a block, the expectation stands alone.
struct EndedExecution {
  Seconds end, length;
};

/// The sd of the logarithm of the factor.
double pace_change(std::vector<EndedExecution> executions);

/// An attempt of the record, or of the earlier campaign, whose jobs are numbered after its own.
struct AttemptRef {
  std::uint32_t job = 0, attempt = 0;
};

/// Holds by limits of memory, disk or time, which a job meets whenever it runs as before.
struct Limits {
  bool by_policy = false;      // periodic_hold limits the time in a slot
  double again = 1;            // probability that a released job meets it, by the record
  std::size_t held_again = 0;  // jobs that were released and held by a limit again

  bool held(history::Ending const& ending) const;
  bool held(RecordedAttempt const& attempt) const {
    return held({.kind = attempt.ended_by, .reason = attempt.reason});
  }
};

/// The evidence of a record.
struct CampaignLaws {
  StepLaw before_execution;  // from the match to the execution, or to the end of the attempt
  StepLaw last, repeated;    // executions, with the teardown, over the scale of their jobs
  ShareOfRepeats repeats;    // by such lengths
  StepLaw wait;              // in the queue between two attempts
  StepLaw hold;              // until the release or the removal
  EndingOddsPosterior ending;
  StartLaw starts;
  SlotUse slots;
  Limits limits;
  /// Programs that fail are started again so often (max_retries), by the record; nothing if it does
  /// not show that.
  std::optional<std::size_t> retries;
  double pace_change;                // sd of ln of the factor of all that is to come
  std::vector<AttemptRef> attempts;  // SeenStep::of
  /// Of programs that save their work: executions until something else than the end of the work
  /// stops them. Executions that ended their jobs would have lasted longer.
  std::optional<StepLaw> interruptions = {};
};

/// `without`: attempts on these hosts are no evidence.
CampaignLaws campaign_laws(RunningCampaign const& campaign,
                           std::vector<std::string> const& without = {});

}  // namespace gridcast::running

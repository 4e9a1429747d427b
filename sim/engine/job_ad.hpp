// The ads that decisions hang on: a job's, as the access point has it (names in comments are those
// of HTCondor's job ClassAd attributes), and a slot's, as its pilot advertises it; and both as
// policy expressions see them. Attributes are those that expressions of campaigns use; any other is
// undefined, as in HTCondor. Times are whole Unix seconds, counted from an arbitrary date: a
// simulated campaign has none of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/classad/expression.hpp"
#include "sim/engine/claim.hpp"
#include "sim/engine/clock.hpp"
#include "sim/engine/recorder.hpp"
#include "sim/history/job_history.hpp"
#include "sim/history/per_job.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/job_policy.hpp"
#include "sim/scenario/pool.hpp"
#include "sim/strategy/policy_expressions.hpp"

namespace gridcast::engine {

struct JobAd {
  history::JobStatus status = history::JobStatus::idle;  // JobStatus
  Seconds submitted;                                     // QDate
  Seconds entered_status;                                // EnteredCurrentStatus
  std::uint32_t matches = 0;                             // NumJobMatches
  std::uint32_t shadow_starts = 0;                       // NumShadowStarts
  std::uint32_t input_attempts = 0;                      // NumInputTransferStarts
  std::uint32_t executions = 0;                          // NumJobStarts
  std::uint32_t holds = 0;                               // NumHolds
  std::uint32_t system_holds = 0;  // NumSystemHolds: neither by a person nor by policy
  std::uint32_t vacates = 0;       // NumVacates
  int completions = 0;             // NumJobCompletions
  int cool_downs = 0;              // NumJobCoolDowns
  int policy_releases = 0;
  history::HoldCode hold_code;         // HoldReasonCode, HoldReasonSubCode of the last hold
  std::optional<int> exit_code;        // ExitCode
  std::optional<Seconds> first_start;  // JobStartDate
  std::optional<Seconds> last_start;   // JobCurrentStartDate
  std::optional<Seconds> started;      // of the attempt that is on, if one is
  std::optional<Seconds> executing;    // JobCurrentStartExecutingDate of that attempt, or its last
                                       // checkpoint
  SlotRef last_slot;                   // LastRemoteHost
  int epochs_stored = 0;               // by checkpoints
  bool claim_reusable = false;         // requeued at once: the schedd still has the claim on ...
  SlotRef claim;                       // ... this slot
  int claim_exceptions = 0;            // failed transfers in a row under it

  Claim* current_claim = nullptr;    // of the slot that is matched to it or runs it
  Timer* timer = nullptr;            // it waits for this: a person, a cool-down, its lease
  std::optional<Seconds> slot_gone;  // its pilot has died, which only the lease will tell
  std::optional<strategy::PolicyDecision> decision;  // why the access point ends its claim
};

/// Unix time of a campaign's zero.
inline constexpr std::int64_t campaign_date = 1767225600;  // 2026-01-01

/// The same for all jobs.
struct JobFacts {
  scenario::JobPolicy const& policy;
  scenario::Request const& request;
  std::vector<scenario::SiteSpec> const& sites;
};

class JobScope final : public classad::Scope {
 public:
  JobScope(JobFacts const& facts, history::JobName name, JobAd const& ad, Seconds now)
      : facts_(facts), name_(name), ad_(ad), now_(now) {}

  classad::Value lookup(std::string_view attribute) const override;
  std::int64_t unix_now() const;

 private:
  JobFacts const& facts_;
  history::JobName name_;
  JobAd const& ad_;
  Seconds now_;
};

class SlotScope final : public classad::Scope {
 public:
  explicit SlotScope(scenario::SiteSpec const& site) : site_(site) {}
  classad::Value lookup(std::string_view attribute) const override;

 private:
  scenario::SiteSpec const& site_;
};

/// The ads of a campaign's jobs. A job that has only been submitted has nothing to tell but when;
/// its ad is made when somebody asks for it, and forgotten when the job is settled.
class QueuedAds {
 public:
  QueuedAds(JobFacts const& facts, std::vector<history::JobName> const& names)
      : facts_(facts), names_(names), submitted_(names.size()), in_queue_(names.size()) {
    ads_.reserve(names.size());
  }

  JobFacts const& facts() const { return facts_; }

  std::size_t size() const { return submitted_.size(); }

  /// The job is in the queue from now on.
  void enter(Id<history::Job> job, Seconds now) {
    submitted_[job.index()] = now;
    in_queue_[job.index()] = true;
  }
  bool in_queue(Id<history::Job> job) const { return in_queue_.at(job.index()); }

  Seconds submitted(Id<history::Job> job) const { return submitted_[job.index()]; }

  /// Of a job in the queue. A reference is good until the job is settled.
  JobAd& operator[](std::size_t job) const {
    return ads_.get(Id<history::Job>(job),
                    [&](JobAd& ad) { ad.submitted = ad.entered_status = submitted_[job]; });
  }

  /// Its ad as an expression sees it at that time.
  JobScope scope(Id<history::Job> job, Seconds now) const {
    return {facts_, names_[job.index()], (*this)[job.index()], now};
  }

  void forget(Id<history::Job> job) {
    in_queue_[job.index()] = false;
    ads_.forget(job);
  }

 private:
  JobFacts const& facts_;
  std::vector<history::JobName> const& names_;
  std::vector<Seconds> submitted_;      // by job
  std::vector<bool> in_queue_;          // likewise
  mutable history::PerJob<JobAd> ads_;  // of the jobs that somebody has asked about
};

}  // namespace gridcast::engine

// The ads that decisions hang on: a job's, as the access point has it (names in comments are those
// of HTCondor's job ClassAd attributes), and a slot's, as its pilot advertises it; and both as
// policy expressions see them. Attributes are those that expressions of campaigns use; any other is
// undefined, as in HTCondor. Times are whole Unix seconds, counted from an arbitrary date: a
// simulated campaign has none of its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/classad/expression.hpp"
#include "sim/engine/claim.hpp"
#include "sim/engine/clock.hpp"
#include "sim/history/job_history.hpp"
#include "sim/history/per_job.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/pool.hpp"
#include "sim/scenario/strategy.hpp"
#include "sim/strategy/decisions.hpp"

namespace gridcast::engine {

/// Counts of a job. To the schedd, a retry by DAGMan is another job and counts from zero.
struct AdCounts {
  std::uint32_t matches = 0;         // NumJobMatches
  std::uint32_t shadow_starts = 0;   // NumShadowStarts
  std::uint32_t input_attempts = 0;  // NumInputTransferStarts
  std::uint32_t executions = 0;      // NumJobStarts
  std::uint32_t holds = 0;           // NumHolds
};

struct JobAd : AdCounts {
  history::JobStatus status = history::JobStatus::idle;  // JobStatus
  std::optional<history::JobStatus> last_status = {};    // LastJobStatus
  Seconds submitted;                                     // QDate
  Seconds entered_status;                                // EnteredCurrentStatus
  AdCounts before = {};                                  // the latest submission
  std::uint32_t system_holds = 0;  // NumSystemHolds: neither by a person nor by policy
  std::uint32_t vacates = 0;       // NumVacates
  int completions = 0;             // NumJobCompletions
  int cool_downs = 0;              // NumJobCoolDowns
  int policy_releases = 0;
  int node_retries = 0;             // DAGNodeRetry, as Pegasus calls DAGMan's $(RETRY)
  history::HoldCode hold_code;      // HoldReasonCode, HoldReasonSubCode of the last hold
  history::HoldCode released_from;  // LastHoldReasonCode, LastHoldReasonSubCode
  // Memory and disk (resource_needs.hpp): RequestMemory, RequestDisk if not the campaign's;
  // MemoryUsage, DiskUsage of the last execution; how often a retry has raised the request.
  std::array<Bytes, 2> requested = {}, used = {};
  std::array<int, 2> request_retries = {};
  std::optional<int> exit_code;        // ExitCode, or minus ExitSignal
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
  std::optional<Seconds> slot_gone;  // its pilot has died, which only the end of the lease shows
  std::optional<strategy::PolicyDecision> decision;  // why the access point ends its claim
};

/// Unix time of a campaign's zero.
inline constexpr std::int64_t campaign_date = 1767225600;  // 2026-01-01

/// The same for all jobs of a request.
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
  JobFacts facts_;
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

/// The entries of the pool whose slots match the request and meet the strategy's requirements at
/// some time. Requirements that also depend on the job or the clock count as met.
std::vector<scenario::SiteSpec> possible_sites(scenario::Pool const& pool,
                                               scenario::Request const& request,
                                               scenario::Strategy const& strategy);

/// Those of the sites, by name, whose entries of the pool never meet the strategy's requirements.
/// None if these also depend on the job or the clock.
std::vector<std::string> sites_not_required(std::vector<std::string> const& sites,
                                            scenario::Pool const& pool,
                                            scenario::Request const& request,
                                            scenario::Strategy const& strategy);

/// Requirements of the campaign's jobs that no slot of the pool ever meets, each text once; ""
/// for a request without requirements.
std::vector<std::string> never_met(scenario::Pool const& pool, scenario::Campaign const& campaign,
                                   scenario::Strategy const& strategy);

/// The ads of a campaign's jobs. A job that has only been submitted has nothing but its time; its
/// ad is made at its first use, and forgotten when the job is settled. One that left the queue and
/// is submitted again has another ad, which counts matches, starts and holds on: these counts
/// select the job's random numbers.
class QueuedAds {
 public:
  QueuedAds(scenario::JobPolicy const& policy, scenario::Campaign const& campaign,
            std::vector<scenario::SiteSpec> const& sites,
            std::vector<history::JobName> const& names)
      : policy_(policy),
        sites_(sites),
        requests_(campaign),
        names_(names),
        submitted_(names.size()),
        in_queue_(names.size()) {
    ads_.reserve(names.size());
  }

  scenario::JobPolicy const& policy() const { return policy_; }
  std::vector<scenario::SiteSpec> const& sites() const { return sites_; }
  scenario::JobRequests const& requests() const { return requests_; }
  JobFacts facts(Id<scenario::JobClass> of) const { return {policy_, requests_[of], sites_}; }
  JobFacts facts(Id<history::Job> job) const { return facts(requests_.of(job.index())); }

  std::size_t size() const { return submitted_.size(); }

  /// The job is in the queue from now on.
  void enter(Id<history::Job> job, Seconds now) {
    submitted_[job.index()] = now;
    in_queue_[job.index()] = true;
    if (!ads_.find(job)) return;
    JobAd& ad = ads_[job];
    JobAd fresh;
    fresh.submitted = fresh.entered_status = now;
    static_cast<AdCounts&>(fresh) = fresh.before = ad;
    ad = fresh;
  }
  /// It is out of the queue, and may be submitted again.
  void leave(Id<history::Job> job) { in_queue_[job.index()] = false; }
  bool in_queue(Id<history::Job> job) const { return in_queue_.at(job.index()); }

  Seconds submitted(Id<history::Job> job) const { return submitted_[job.index()]; }

  /// The ad of a job in the queue. A reference is good until the job is settled.
  JobAd& operator[](std::size_t job) const {
    return ads_.get(Id<history::Job>(job),
                    [&](JobAd& ad) { ad.submitted = ad.entered_status = submitted_[job]; });
  }

  /// Its ad as an expression sees it at that time.
  JobScope scope(Id<history::Job> job, Seconds now) const {
    return {facts(job), names_[job.index()], (*this)[job.index()], now};
  }

  void forget(Id<history::Job> job) {
    in_queue_[job.index()] = false;
    ads_.forget(job);
  }

 private:
  scenario::JobPolicy const& policy_;
  std::vector<scenario::SiteSpec> const& sites_;
  scenario::JobRequests requests_;
  std::vector<history::JobName> const& names_;
  std::vector<Seconds> submitted_;      // by job
  std::vector<bool> in_queue_;          // likewise
  mutable history::PerJob<JobAd> ads_;  // of the jobs whose ads were used
};

// Decisions of a job's own expressions while it is in the queue: its periodic policies, and which
// slots it takes (its requirements and rank, and the sites that its strategy avoids for a while).

/// Looks after the periodic policies of the jobs in the queue: one timer for each job whose policy
/// will do something unless something else happens first, set anew whenever the job's ad changes.
/// Costs nothing where no job has such a policy.
class PolicyWatch {
 public:
  using Act = std::function<void(Id<history::Job>, strategy::PolicyDecision const&)>;

  PolicyWatch(Clock& clock, QueuedAds const& ads, Seconds interval, Act act);

  /// The job's ad has changed.
  void changed(Id<history::Job> job);
  /// The job is out of its policy's reach.
  void forget(Id<history::Job> job);
  /// True if the policy will do something with the job as it stands.
  bool waits(Id<history::Job> job) const { return active_ && timers_[job.index()] != nullptr; }

 private:
  std::optional<strategy::PolicyDecision> decide(Id<history::Job> job) const;

  Clock& clock_;
  QueuedAds const& ads_;
  Seconds interval_;
  Act act_;
  bool active_;
  std::vector<Timer*> timers_;  // by job
};

/// Which sites a job accepts, and how it ranks them: its requirements and rank, evaluated over its
/// ad and the slot's, and the sites that its strategy avoids. A slot of a site is like any other
/// there. Left out: attributes of single machines.
class SlotChoice {
 public:
  SlotChoice(Clock const& clock, QueuedAds const& ads, scenario::MatchStrategy const& strategy);

  bool accepts(Id<history::Job> job, std::size_t site) const;
  /// 0 where the rank is nothing that counts, as in HTCondor.
  double rank(Id<history::Job> job, std::size_t site) const;
  /// True if the slots that an idle job accepts can change while nothing happens to it.
  bool changes_with_time() const { return avoids() || requires_slots(); }
  /// True if any job has requirements.
  bool requires_slots() const;
  /// The job's input transfer at a site came to nothing.
  void transfer_failed(Id<history::Job> job, Id<history::Site> site,
                       strategy::InputFailure failure);
  /// The job is settled.
  void forget(Id<history::Job> job) { avoided_.forget(job); }
  bool has_rank() const { return policy().rank.has_value(); }

 private:
  struct Avoided {
    std::vector<strategy::FailedThere> failed;  // by site
    std::vector<Seconds> until;                 // by site
  };

  scenario::JobPolicy const& policy() const { return ads_.policy(); }
  classad::Expression const* requirements(Id<scenario::JobClass> of) const;
  std::vector<bool> accepted(Id<scenario::JobClass> of) const;
  bool avoids() const { return strategy_.avoids_sites(); }
  classad::Value evaluate(classad::Expression const& rule, Id<history::Job> job,
                          std::size_t site) const;
  bool has_room(Id<history::Job> job, std::size_t site) const;

  Clock const& clock_;
  QueuedAds const& ads_;
  scenario::MatchStrategy const& strategy_;
  bool requests_vary_;
  /// By request and site, if its requirements depend on the slot alone.
  std::vector<std::vector<bool>> accepted_;
  mutable std::uint32_t evaluations_ = 0;
  history::PerJob<Avoided> avoided_;  // of jobs whose input failed, if the strategy avoids anything
};

}  // namespace gridcast::engine

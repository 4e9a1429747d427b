// The ads that policy expressions are evaluated over: a job's, as the access point has it, and a
// slot's, as its pilot advertises it. Attributes are those that expressions of campaigns use;
// any other is undefined, as in HTCondor. Times are whole Unix seconds, counted from an arbitrary
// date: a simulated campaign has none of its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/classad/expression.hpp"
#include "sim/engine/job_ad.hpp"
#include "sim/history/job_history.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/job_policy.hpp"
#include "sim/scenario/pool.hpp"

namespace gridcast::engine {

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

}  // namespace gridcast::engine

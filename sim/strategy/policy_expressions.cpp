#include "sim/strategy/policy_expressions.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sim/base/text.hpp"

namespace gridcast::strategy {
namespace {

bool holds(scenario::JobPolicy::Rule const& rule, classad::Context const& job) {
  return rule && classad::holds(classad::evaluate(*rule, job));
}

// A number by itself is an exit code (condor_submit, "retry_until").
bool ends_retries(scenario::JobPolicy::Rule const& rule, ExitView const& view) {
  if (!rule) return false;
  classad::Value const* const literal = rule->literal();
  auto const* const code = literal ? literal->as<std::int64_t>() : nullptr;
  return code ? *code == view.exit_code : holds(rule, view.job);
}

bool leaves(scenario::JobPolicy const& policy, ExitView const& view) {
  bool const retries = policy.max_retries || policy.retry_until;
  if (!retries) return !policy.on_exit_remove || holds(policy.on_exit_remove, view.job);
  constexpr int default_retries = 2;  // DEFAULT_JOB_MAX_RETRIES
  return view.completions > policy.max_retries.value_or(default_retries) ||
         view.exit_code == policy.success_exit_code || ends_retries(policy.retry_until, view) ||
         holds(policy.on_exit_remove, view.job);
}

using Rule = scenario::JobPolicy::Rule;

class Search {
 public:
  Search(Looks const& looks, RuleHolds const& holds)
      : interval_(looks.interval),
        next_(1 + static_cast<std::int64_t>(std::floor(looks.now / looks.interval))),
        last_(static_cast<std::int64_t>(std::floor(looks.horizon / looks.interval))),
        holds_(holds) {}

  std::optional<Seconds> first(classad::Expression const& rule) const {
    std::int64_t before = next_;
    if (holds(rule, next_)) return at(next_);
    if (!depends_on_time(rule)) return {};
    for (std::int64_t ahead = 1; before < last_; ahead *= 4) {
      std::int64_t const look = std::min(next_ + ahead, last_);
      if (holds(rule, look)) return at(bisect(rule, before, look));
      before = look;
    }
    return {};
  }

  /// The first look that is more than `limit` after `since`.
  Seconds after(Seconds since, Seconds limit) const {
    auto const look = 1 + static_cast<std::int64_t>(std::floor((since + limit) / interval_));
    return at(std::max(look, next_));
  }

 private:
  Seconds at(std::int64_t look) const { return interval_ * static_cast<double>(look); }
  bool holds(classad::Expression const& rule, std::int64_t look) const {
    return holds_(rule, at(look));
  }

  // False at `before`, true at `look`.
  std::int64_t bisect(classad::Expression const& rule, std::int64_t before,
                      std::int64_t look) const {
    while (look - before > 1) {
      std::int64_t const middle = before + (look - before) / 2;
      (holds(rule, middle) ? look : before) = middle;
    }
    return look;
  }

  static bool depends_on_time(classad::Expression const& rule) {
    std::string const text = lower(rule.text());
    return text.find("time") != std::string::npos;  // time(), CurrentTime, ServerTime
  }

  Seconds interval_;
  std::int64_t next_, last_;
  RuleHolds const& holds_;
};

void keep_earlier(std::optional<PolicyDecision>& best, PolicyDecision const& other) {
  if (!best || other.at < best->at) best = other;
}

}  // namespace

AfterExit after_exit(scenario::JobPolicy const& policy, ExitView const& view) {
  if (holds(policy.on_exit_hold, view.job)) return AfterExit::hold;
  return leaves(policy, view) ? AfterExit::leave : AfterExit::requeue;
}

bool has_periodic(scenario::JobPolicy const& policy) {
  return policy.periodic_hold || policy.periodic_release || policy.periodic_remove ||
         policy.periodic_vacate || policy.allowed_execute_duration || policy.allowed_job_duration;
}

std::optional<PolicyDecision> next_decision(scenario::JobPolicy const& policy,
                                            PolicyView const& view, Looks const& looks,
                                            RuleHolds const& holds) {
  Search const search(looks, holds);
  std::optional<PolicyDecision> best;
  auto const consider = [&](Rule const& rule, PolicyAction action) {
    if (!rule) return;
    if (auto const at = search.first(*rule)) keep_earlier(best, {*at, action});
  };
  if (view.started && policy.allowed_job_duration) {
    keep_earlier(best, {search.after(*view.started, *policy.allowed_job_duration),
                        PolicyAction::hold, history::Reason::job_too_long});
  }
  if (view.executing && policy.allowed_execute_duration) {
    keep_earlier(best, {search.after(*view.executing, *policy.allowed_execute_duration),
                        PolicyAction::hold, history::Reason::execution_too_long});
  }
  bool const held = view.status == history::JobStatus::held;
  if (!held) consider(policy.periodic_hold, PolicyAction::hold);
  if (held && !view.by_user) consider(policy.periodic_release, PolicyAction::release);
  consider(policy.periodic_remove, PolicyAction::remove);
  if (view.status == history::JobStatus::running) {
    consider(policy.periodic_vacate, PolicyAction::vacate);
  }
  return best;
}

}  // namespace gridcast::strategy

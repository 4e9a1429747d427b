#include "sim/strategy/decisions.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

#include "sim/base/text.hpp"

namespace gridcast::strategy {
namespace {

struct OwnersOdds {
  double release = 0, remove = 0;  // remove: of those that are not released
};

OwnersOdds owners_odds(scenario::ParameterDraw const& draw, history::HeldFor held_for) {
  double const release = draw.release_other_hold, remove = draw.remove_other_hold;
  switch (held_for) {
    case history::HeldFor::failed_transfer:
      return {draw.release_transfer_hold, draw.remove_transfer_hold};
    case history::HeldFor::time_limit:
      return {draw.release_limit_hold.value_or(release), draw.remove_limit_hold.value_or(remove)};
    case history::HeldFor::resources:
      return {draw.release_resource_hold.value_or(release),
              draw.remove_resource_hold.value_or(remove)};
    case history::HeldFor::other:
      break;
  }
  return {release, remove};
}

constexpr Seconds never(std::numeric_limits<double>::infinity());
constexpr Seconds default_stall_timeout(3600);

bool asks_next_cache(scenario::TransferStrategy const& strategy) {
  return strategy.on_stall == scenario::OnStall::next_cache;
}

// stall_timeout is the client's if it tries the next cache without a timeout of its own.
Seconds starters_timeout(scenario::TransferStrategy const& strategy) {
  bool const of_client = asks_next_cache(strategy) && strategy.client_timeout == Seconds();
  return of_client ? default_stall_timeout : strategy.stall_timeout;
}

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

Seconds next_look(scenario::TransferStrategy const& strategy, Seconds elapsed) {
  double const looks = std::ceil((elapsed - strategy.first_check) / strategy.check_interval);
  return strategy.first_check + strategy.check_interval * std::max(looks, 0.);
}

Seconds longest_transfer(scenario::TransferStrategy const& strategy) {
  if (strategy.protocol == scenario::Protocol::htcondor) return never;
  if (strategy.stall_timer != scenario::StallTimer::whole_transfer) return never;
  return next_look(strategy, starters_timeout(strategy));
}

Seconds silence_ends(scenario::TransferStrategy const& strategy, Seconds silent_since) {
  bool const sees_bytes = strategy.stall_timer == scenario::StallTimer::silence ||
                          strategy.protocol == scenario::Protocol::htcondor;
  if (!sees_bytes) return never;
  return next_look(strategy, silent_since + starters_timeout(strategy));
}

Patience patience(scenario::TransferStrategy const& strategy) {
  constexpr BytesPerSecond pelican_slow(102400);
  constexpr Seconds pelican_patience(130);
  constexpr BytesPerSecond curl_slow(1024);
  if (strategy.protocol == scenario::Protocol::http)
    return {curl_slow, curl_patience, curl_patience};
  // HTCondor's own transfer has no client, even if client settings are given.
  if (strategy.protocol == scenario::Protocol::htcondor || !asks_next_cache(strategy))
    return {{}, never, never};
  return {pelican_slow, strategy.slow_after > Seconds() ? strategy.slow_after : pelican_patience,
          strategy.client_timeout > Seconds() ? strategy.client_timeout : strategy.stall_timeout};
}

bool meets(scenario::Protocol protocol, scenario::OutageScope scope) {
  using enum scenario::OutageScope;
  if (protocol == scenario::Protocol::osdf) return true;
  if (protocol == scenario::Protocol::htcondor && scope == origin) return false;
  return scope != cache;
}

std::size_t caches_to_ask(scenario::TransferStrategy const& strategy, std::size_t offered) {
  constexpr std::size_t object_servers_to_try = 3;  // Pelican client/main.go, ObjectServersToTry
  if (!asks_next_cache(strategy)) return 1;
  return offered == 0 ? object_servers_to_try : std::min(offered, object_servers_to_try);
}

bool too_large_to_submit(scenario::TransferStrategy const& strategy, Bytes input, Bytes limit) {
  return strategy.protocol == scenario::Protocol::htcondor && input > limit;
}

bool retryable(history::Reason reason) {
  return history::held_for(reason) == history::HeldFor::failed_transfer;
}

int failure_subcode(scenario::ParameterDraw const& draw, history::Reason reason,
                    RandomStream& stream) {
  if (reason != history::Reason::transfer_failed || !draw.permanent_failure) return 0;
  return stream.chance(*draw.permanent_failure) ? history::permanent_failure
                                                : history::passing_failure;
}

AfterFailure after_transfer_failure(scenario::RetryStrategy const& strategy,
                                    FailedTransferView const& view, RandomStream job_stream) {
  using Action = AfterFailure::Action;
  if (!retryable(view.reason)) return {Action::hold, {}};
  // The starter's exception, which no retry policy of any version sees.
  if (view.reason == history::Reason::transfer_stalled) {
    return {view.holds_job ? Action::hold : Action::requeue, {}};
  }
  switch (strategy.on_transfer_failure) {
    case scenario::OnTransferFailure::hold:
      return {Action::hold, {}};
    case scenario::OnTransferFailure::requeue:
      return {Action::requeue, {}};
    case scenario::OnTransferFailure::recorded:
      return {view.holds_job ? Action::hold : Action::requeue, {}};
    case scenario::OnTransferFailure::cool_down:
      break;
  }
  // FEATURE:PelicanRetryPolicy acts on subcodes 2816 and 1280, errors that may pass.
  bool const permanent = view.subcode == history::permanent_failure;
  if (permanent || view.cool_downs >= strategy.times) return {Action::hold, {}};
  Seconds const delay =
      strategy.delay_min + (strategy.delay_max - strategy.delay_min) * job_stream.uniform();
  return {Action::cool_down, delay};
}

std::optional<Seconds> policy_release_after(scenario::ReleaseStrategy const& strategy,
                                            history::Reason reason, int policy_releases,
                                            Seconds policy_interval) {
  constexpr int transfer_input_error = 13;
  if (!strategy.transfer_holds_after || history::hold_code(reason).code != transfer_input_error)
    return {};
  if (policy_releases >= strategy.times) return {};
  return policy_interval * std::ceil(*strategy.transfer_holds_after / policy_interval);
}

bool avoids_site(scenario::MatchStrategy const& strategy, FailedThere const& failed) {
  auto const reaches = [](int count, std::optional<int> limit) { return limit && count >= *limit; };
  return reaches(failed.stalls, strategy.avoid_site_after_stalls) ||
         reaches(failed.all, strategy.avoid_site_after_failures);
}

/// A bound on a simulation whose rules hold a job after each release by hand. It decides no answer:
/// such a job never ends. `most_holds` is the estimate of people's patience.
constexpr int most_releases = 100;

OwnerDecision owner_decision(scenario::ParameterDraw const& draw, HeldJobView const& held,
                             RandomStream stream) {
  OwnersOdds odds = owners_odds(draw, history::held_for(held.reason));
  // Released, a job with too large an input would fail the same check again: people give up.
  if (held.reason == history::Reason::input_too_large) odds.release = 0;
  bool const too_many =
      held.reason == history::Reason::not_found && held.not_found_share > draw.most_left_held;
  bool const has_patience = held.holds < most_releases;
  bool const releases = has_patience && (stream.chance(odds.release) || too_many);
  Seconds const after(draw.release_delay.sample(stream));
  bool const removes = held.holds >= draw.most_holds || (!releases && stream.chance(odds.remove));
  if (!removes) return {releases ? OwnerAction::release : OwnerAction::none, after};
  return {OwnerAction::remove, after};
}

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

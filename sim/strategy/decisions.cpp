#include "sim/strategy/decisions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gridcast::strategy {
namespace {

// Released, a job with too large an input would fail the same check again: people give up.
double release_probability(scenario::ParameterDraw const& draw, history::Reason reason) {
  if (reason == history::Reason::input_too_large) return 0;
  return retryable(reason) ? draw.release_transfer_hold : draw.release_other_hold;
}

constexpr Seconds never(std::numeric_limits<double>::infinity());
constexpr Seconds default_stall_timeout(3600);

bool asks_next_cache(scenario::TransferStrategy const& strategy) {
  return strategy.on_stall == scenario::OnStall::next_cache;
}

}  // namespace

Seconds next_look(scenario::TransferStrategy const& strategy, Seconds elapsed) {
  double const looks = std::ceil((elapsed - strategy.first_check) / strategy.check_interval);
  return strategy.first_check + strategy.check_interval * std::max(looks, 0.);
}

Seconds longest_transfer(scenario::TransferStrategy const& strategy) {
  if (strategy.protocol == scenario::Protocol::htcondor) return never;
  if (strategy.stall_timer != scenario::StallTimer::whole_transfer) return never;
  bool const of_client = asks_next_cache(strategy) && strategy.client_timeout == Seconds();
  return next_look(strategy, of_client ? default_stall_timeout : strategy.stall_timeout);
}

Seconds stall_noticed_after(scenario::TransferStrategy const& strategy, Seconds silent_since) {
  if (asks_next_cache(strategy)) {
    return strategy.client_timeout > Seconds() ? strategy.client_timeout : strategy.stall_timeout;
  }
  if (strategy.stall_timer != scenario::StallTimer::silence) return never;
  return next_look(strategy, silent_since + strategy.stall_timeout) - silent_since;
}

Seconds longest_slow_transfer(scenario::TransferStrategy const& strategy) {
  constexpr Seconds pelican_limit(130);
  if (!asks_next_cache(strategy)) return never;
  return strategy.slow_after > Seconds() ? strategy.slow_after : pelican_limit;
}

std::size_t caches_to_ask(scenario::TransferStrategy const& strategy, std::size_t offered) {
  constexpr std::size_t object_servers_to_try = 3;  // Pelican client/main.go, ObjectServersToTry
  return asks_next_cache(strategy) ? std::min(offered, object_servers_to_try) : 1;
}

bool too_large_to_submit(scenario::TransferStrategy const& strategy, Bytes input, Bytes limit) {
  return strategy.protocol == scenario::Protocol::htcondor && input > limit;
}

bool retryable(history::Reason reason) {
  return reason == history::Reason::transfer_stalled || reason == history::Reason::transfer_failed;
}

AfterFailure after_transfer_failure(scenario::RetryStrategy const& strategy,
                                    FailedTransferView const& view, RandomStream job_stream) {
  using Action = AfterFailure::Action;
  if (!retryable(view.reason)) return {Action::hold, {}};
  // The starter's exception, which no retry policy of any version sees.
  if (view.reason == history::Reason::transfer_stalled) {
    return {view.unlucky ? Action::hold : Action::requeue, {}};
  }
  switch (strategy.on_transfer_failure) {
    case scenario::OnTransferFailure::hold:
      return {Action::hold, {}};
    case scenario::OnTransferFailure::requeue:
      return {Action::requeue, {}};
    case scenario::OnTransferFailure::recorded:
      return {view.unlucky ? Action::hold : Action::requeue, {}};
    case scenario::OnTransferFailure::cool_down:
      break;
  }
  if (view.cool_downs >= strategy.times) return {Action::hold, {}};
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

bool avoids_site(scenario::MatchStrategy const& strategy, int stalls) {
  return strategy.avoid_site_after_stalls > 0 && stalls >= strategy.avoid_site_after_stalls;
}

OwnerDecision owner_decision(scenario::ParameterDraw const& draw, history::Reason reason, int holds,
                             RandomStream stream) {
  bool const releases = stream.chance(release_probability(draw, reason));
  Seconds const after(draw.release_delay.sample(stream));
  if (holds >= draw.most_holds) return {OwnerAction::remove, after};
  return {releases ? OwnerAction::release : OwnerAction::none, after};
}

}  // namespace gridcast::strategy

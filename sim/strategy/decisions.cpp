#include "sim/strategy/decisions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gridcast::strategy {
namespace {

// Released, a job with too large an input would fail the same check again: people give up.
double release_probability(scenario::ParameterDraw const& draw, history::Reason reason) {
  if (draw.event_log) return draw.event_log->release;
  if (reason == history::Reason::input_too_large) return 0;
  return retryable(reason) ? draw.release_transfer_hold : draw.release_other_hold;
}

}  // namespace

Seconds stall_noticed_after(scenario::TransferStrategy const& strategy, double u) {
  return strategy.stall_timeout + strategy.check_interval * u;
}

Seconds longest_slow_transfer(scenario::TransferStrategy const& strategy) {
  constexpr Seconds pelican_limit(130);
  constexpr Seconds none(std::numeric_limits<double>::infinity());
  return strategy.on_stall == scenario::OnStall::next_cache ? pelican_limit : none;
}

std::size_t caches_to_ask(scenario::TransferStrategy const& strategy, std::size_t offered) {
  constexpr std::size_t object_servers_to_try = 3;  // Pelican client/main.go, ObjectServersToTry
  return strategy.on_stall == scenario::OnStall::next_cache
             ? std::min(offered, object_servers_to_try)
             : 1;
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
  switch (strategy.on_transfer_failure) {
    case scenario::OnTransferFailure::hold:
      return {Action::hold, {}};
    case scenario::OnTransferFailure::requeue:
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
  Distribution const& delay = draw.event_log ? draw.event_log->release_delay : draw.release_delay;
  Seconds const after(delay.sample(stream));
  if (draw.event_log && holds >= draw.event_log->most_holds) return {OwnerAction::remove, after};
  return {releases ? OwnerAction::release : OwnerAction::none, after};
}

}  // namespace gridcast::strategy

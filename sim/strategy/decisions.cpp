#include "sim/strategy/decisions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gridcast {

Seconds stall_noticed_after(TransferStrategy const& strategy, double u) {
  return strategy.stall_timeout + strategy.check_interval * u;
}

Seconds longest_trickle(TransferStrategy const& strategy) {
  constexpr Seconds pelican_limit(130);
  constexpr Seconds none(std::numeric_limits<double>::infinity());
  return strategy.on_stall == OnStall::next_cache ? pelican_limit : none;
}

std::size_t caches_to_ask(TransferStrategy const& strategy, std::size_t offered) {
  constexpr std::size_t object_servers_to_try = 3;  // Pelican client/main.go, ObjectServersToTry
  return strategy.on_stall == OnStall::next_cache ? std::min(offered, object_servers_to_try) : 1;
}

bool too_large_to_submit(TransferStrategy const& strategy, Bytes input, Bytes limit) {
  return strategy.protocol == Protocol::htcondor && input > limit;
}

bool retryable(Reason reason) {
  return reason == Reason::transfer_stalled || reason == Reason::transfer_failed;
}

AfterFailure after_transfer_failure(RetryStrategy const& strategy, FailedTransferView const& view,
                                    RandomStream job_stream) {
  using Action = AfterFailure::Action;
  if (!retryable(view.reason)) return {Action::hold, {}};
  switch (strategy.on_transfer_failure) {
    case OnTransferFailure::hold:
      return {Action::hold, {}};
    case OnTransferFailure::requeue:
    case OnTransferFailure::recorded:
      return {view.unlucky ? Action::hold : Action::requeue, {}};
    case OnTransferFailure::cool_down:
      break;
  }
  if (view.cool_downs >= strategy.times) return {Action::hold, {}};
  Seconds const delay =
      strategy.delay_min + (strategy.delay_max - strategy.delay_min) * job_stream.uniform();
  return {Action::cool_down, delay};
}

std::optional<Seconds> policy_release_after(ReleaseStrategy const& strategy, Reason reason,
                                            int policy_releases, Seconds policy_interval) {
  constexpr int transfer_input_error = 13;
  if (!strategy.transfer_holds_after || hold_code(reason).code != transfer_input_error) return {};
  if (policy_releases >= strategy.times) return {};
  return policy_interval * std::ceil(*strategy.transfer_holds_after / policy_interval);
}

bool avoids_site(MatchStrategy const& strategy, int stalls) {
  return strategy.avoid_site_after_stalls > 0 && stalls >= strategy.avoid_site_after_stalls;
}

}  // namespace gridcast

#include "sim/scenario/control_effect.hpp"

#include <initializer_list>

namespace gridcast::scenario {
namespace {

constexpr char only_catalogue[] = "only a workload of the catalogue has it";

bool is_key(std::string_view key, std::initializer_list<std::string_view> keys) {
  for (auto const& each : keys) {
    if (each == key) return true;
  }
  return false;
}

bool tries_next_cache(TransferStrategy const& transfer) {
  return transfer.protocol == Protocol::osdf && transfer.on_stall == OnStall::next_cache;
}

/// Whether the starter's timer can end a transfer.
bool starter_ends(TransferStrategy const& transfer) {
  if (transfer.protocol == Protocol::htcondor) return transfer.stall_timer == StallTimer::silence;
  return transfer.stall_timer != StallTimer::never;
}

std::string transfer_reason(TransferStrategy const& transfer, std::string_view key) {
  bool const of_client = tries_next_cache(transfer) && transfer.client_timeout == Seconds();
  if (is_key(key, {"client_timeout", "slow_after", "resume"}) && !tries_next_cache(transfer)) {
    return "the client tries no other cache (on_stall: next_cache does)";
  }
  if (is_key(key, {"first_check", "check_interval"}) && !starter_ends(transfer)) {
    return "the stall timer ends no transfer (stall_timer)";
  }
  if (key == "stall_timeout" && !starter_ends(transfer) && !of_client) {
    return "the stall timer ends no transfer (stall_timer)";
  }
  return "";
}

std::string retry_reason(RetryStrategy const& retry, std::string_view key) {
  bool const cools = retry.on_transfer_failure == OnTransferFailure::cool_down;
  if (is_key(key, {"delay", "times"}) && !cools) {
    return "no job cools down (on_transfer_failure: cool_down)";
  }
  if (key == "periodic_hold_subcode" && !retry.policy.periodic_hold) {
    return "there is no periodic_hold";
  }
  if (key == "on_exit_hold_subcode" && !retry.policy.on_exit_hold) {
    return "there is no on_exit_hold";
  }
  return "";
}

}  // namespace

std::string why_no_effect(Campaign const& campaign, std::string_view key) {
  bool const of_catalogue = is_key(key, {"work.batch", "work.storage"});
  return of_catalogue && !campaign.work.catalogue ? only_catalogue : "";
}

std::string why_no_effect(Scenario const& scenario, Strategy const& strategy,
                          std::string_view key) {
  auto const point = key.find('.');
  std::string_view const group = key.substr(0, point);
  std::string_view const name = point == std::string_view::npos ? "" : key.substr(point + 1);
  if (group == "transfer" && scenario.campaign.input_size() == Bytes()) {
    return "the jobs have no input";
  }
  if (group == "transfer") return transfer_reason(strategy.transfer, name);
  if (group == "retry") return retry_reason(strategy.retry, name);
  if (key == "release.times" && !strategy.release.transfer_holds_after) {
    return "no hold is released by policy (transfer_holds_after)";
  }
  bool const catalogue = scenario.campaign.work.catalogue || !strategy.training.profile.empty();
  bool const of_catalogue =
      group == "training" || is_key(key, {"checkpoint.every_steps", "checkpoint.every"});
  if (of_catalogue && !catalogue) return only_catalogue;
  if (key == "checkpoint.exit_code" && strategy.retry.policy.checkpoint_every_epochs == 0) {
    return "the program makes no checkpoints (every_epochs)";
  }
  return "";
}

}  // namespace gridcast::scenario

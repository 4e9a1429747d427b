#include "sim/strategy/job_exit.hpp"

#include <cstdint>

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

}  // namespace

AfterExit after_exit(scenario::JobPolicy const& policy, ExitView const& view) {
  if (holds(policy.on_exit_hold, view.job)) return AfterExit::hold;
  return leaves(policy, view) ? AfterExit::leave : AfterExit::requeue;
}

}  // namespace gridcast::strategy

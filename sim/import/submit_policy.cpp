// Retries, policy expressions, durations, checkpoints, requirements and rank.
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/text.hpp"
#include "sim/import/submit_reading.hpp"
#include "sim/import/submit_values.hpp"
#include "sim/scenario/policy_attributes.hpp"

namespace gridcast::import {
namespace {

using Rule = std::optional<classad::Expression>;

constexpr int default_max_retries = 2;  // DEFAULT_JOB_MAX_RETRIES
constexpr Seconds medium = hours(20);   // OSPool, +JobDurationCategory
constexpr Seconds long_category = hours(40);

void not_understood(SubmitReading& reading, std::string const& command,
                    condor::SubmitValue const& value) {
  reading.note(value.where, fmt::format("not understood: {} = {}", command, value.text));
}

/// Names that simulated ads do not have; those of a slot count where the expression meets one.
std::vector<std::string> unknown_names(classad::Expression const& expression, bool with_slot) {
  std::vector<std::string> unknown;
  for (std::string const& name : expression.attributes()) {
    if (!scenario::is_job_attribute(name) && !(with_slot && scenario::is_slot_attribute(name)))
      unknown.push_back(name);
  }
  return unknown;
}

/// Parsed, if all of its functions exist.
Rule parsed(SubmitReading& reading, std::string const& command, condor::SubmitValue const& value) {
  try {
    classad::Expression expression = classad::parse(value.text, value.where);
    if (expression.unknown_functions().empty()) return expression;
    reading.note(value.where,
                 fmt::format("not understood: {} = {}: there is no function {}()", command,
                             value.text, expression.unknown_functions().front()));
  } catch (InputError const& error) {
    for (Problem problem : error.problems()) {
      problem.where = value.where;
      problem.what = command + ": " + problem.what;
      reading.problems.push_back(std::move(problem));
    }
  }
  return std::nullopt;
}

Rule read_rule(SubmitReading& reading, std::string const& command) {
  condor::SubmitValue const* const value = reading.find(command);
  if (!value) return std::nullopt;
  Rule rule = parsed(reading, command, *value);
  if (!rule) return rule;
  auto const unknown = unknown_names(*rule, false);
  if (!unknown.empty()) {
    reading.note(value->where, fmt::format("{}: simulated jobs have no {}: undefined", command,
                                           fmt::join(unknown, ", ")));
  }
  return rule;
}

std::optional<int> read_whole(SubmitReading& reading, std::string const& command, int least,
                              int most) {
  condor::SubmitValue const* const value = reading.find(command);
  if (!value) return std::nullopt;
  auto const number = submit_number(value->text);
  if (number && *number >= least && *number <= most && *number == std::floor(*number)) {
    return static_cast<int>(*number);
  }
  not_understood(reading, command, *value);
  return std::nullopt;
}

std::optional<Seconds> read_time(SubmitReading& reading, std::string const& command) {
  condor::SubmitValue const* const value = reading.find(command);
  if (!value) return std::nullopt;
  auto const seconds = submit_number(value->text);
  if (seconds && *seconds > 0) return Seconds(*seconds);
  not_understood(reading, command, *value);
  return std::nullopt;
}

void read_exit(SubmitReading& reading, scenario::JobPolicy& policy) {
  constexpr int most = 1'000'000;
  policy.max_retries = read_whole(reading, "max_retries", 0, most);
  policy.success_exit_code = read_whole(reading, "success_exit_code", 0, 255).value_or(0);
  policy.retry_until = read_rule(reading, "retry_until");
  bool const implied = reading.find("retry_until") || reading.find("success_exit_code");
  if (implied && !policy.max_retries) policy.max_retries = default_max_retries;
  policy.on_exit_hold = read_rule(reading, "on_exit_hold");
  policy.on_exit_remove = read_rule(reading, "on_exit_remove");
  policy.on_exit_hold_subcode = read_whole(reading, "on_exit_hold_subcode", 0, most).value_or(0);
  policy.periodic_hold = read_rule(reading, "periodic_hold");
  policy.periodic_release = read_rule(reading, "periodic_release");
  policy.periodic_remove = read_rule(reading, "periodic_remove");
  policy.periodic_vacate = read_rule(reading, "periodic_vacate");
  policy.periodic_hold_subcode = read_whole(reading, "periodic_hold_subcode", 0, most).value_or(0);
}

/// OSPool's cap on the time of a job, by what its owner says of it.
std::optional<Seconds> category_limit(SubmitReading& reading) {
  condor::SubmitValue const* const value = reading.find("+JobDurationCategory");
  if (!value) return std::nullopt;
  std::string const category = lower(unquoted(value->text));
  if (category == "medium") return medium;
  if (category == "long") return long_category;
  if (category == "short") {
    reading.note(value->where, "JobDurationCategory Short: taken as Medium (20 h)");
    return medium;
  }
  not_understood(reading, "+JobDurationCategory", *value);
  return std::nullopt;
}

void read_limits(SubmitReading& reading, scenario::JobPolicy& policy) {
  policy.allowed_execute_duration = read_time(reading, "allowed_execute_duration");
  policy.allowed_job_duration = read_time(reading, "allowed_job_duration");
  policy.job_lease_duration = read_time(reading, "job_lease_duration");
  auto const cap = category_limit(reading);
  auto& own = policy.allowed_execute_duration;
  if (cap && (!own || *own > *cap)) own = cap;
}

void read_files(SubmitReading& reading, scenario::JobPolicy& policy) {
  if (auto const code = read_whole(reading, "checkpoint_exit_code", 0, 255)) {
    policy.checkpoint_exit_code = *code;
    policy.checkpoint_every_epochs = 1;
    reading.result.checkpoints = true;
  }
  condor::SubmitValue const* const when = reading.find("when_to_transfer_output");
  std::string const word = when ? lower(unquoted(when->text)) : "on_exit";
  if (word == "on_exit_or_evict") {
    reading.note(when->where,
                 "ON_EXIT_OR_EVICT: what an evicted job has done is lost in the "
                 "simulation, unless it checkpoints itself");
  } else if (word != "on_exit" && word != "on_success") {
    not_understood(reading, "when_to_transfer_output", *when);
  }
  condor::SubmitValue const* const files = reading.find("transfer_output_files");
  bool const asked = files && !unquoted(files->text).empty();
  if (!asked || word == "on_success") return;
  policy.crash_holds = true;
  reading.note(files->where,
               "a crash is taken to leave no transfer_output_files: held (code 12) "
               "and not retried");
}

/// The parts of the requirements that mean something to simulated slots.
void read_requirements(SubmitReading& reading, scenario::JobPolicy& policy) {
  condor::SubmitValue const* const value = reading.find("requirements");
  if (!value) return;
  Rule const whole = parsed(reading, "requirements", *value);
  if (!whole) return;
  std::vector<std::string> kept;
  for (std::string const& part : classad::conjuncts(whole->text())) {
    auto const unknown = unknown_names(classad::parse(part), true);
    if (unknown.empty()) {
      kept.push_back(part);
    } else {
      reading.note(value->where,
                   fmt::format("requirements: {} left out: simulated slots have no {}", part,
                               fmt::join(unknown, ", ")));
    }
  }
  if (!kept.empty())
    policy.requirements = classad::parse(fmt::format("{}", fmt::join(kept, " && ")));
}

void read_rank(SubmitReading& reading, scenario::JobPolicy& policy) {
  condor::SubmitValue const* const value = reading.find("rank");
  if (!value) return;
  Rule const rank = parsed(reading, "rank", *value);
  if (!rank) return;
  auto const unknown = unknown_names(*rank, true);
  if (unknown.empty()) {
    policy.rank = rank;
  } else {
    reading.note(value->where, fmt::format("rank = {} left out: simulated slots have no {}",
                                           value->text, fmt::join(unknown, ", ")));
  }
}

}  // namespace

void read_submit_policy(SubmitReading& reading) {
  scenario::JobPolicy& policy = reading.result.strategy.retry.policy;
  read_exit(reading, policy);
  read_limits(reading, policy);
  read_files(reading, policy);
  read_requirements(reading, policy);
  read_rank(reading, policy);
}

}  // namespace gridcast::import

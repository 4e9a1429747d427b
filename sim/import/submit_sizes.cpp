// Requests of memory and disk: a size, or an expression of the job's attempts.
// Source: condor_submit, "request_memory", "retry_request_memory".
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/text.hpp"
#include "sim/import/submit_commands.hpp"
#include "sim/scenario/strategy.hpp"

namespace gridcast::import {
namespace {

constexpr Bytes mebibyte(1048576), kibibyte(1024);

/// An expression over the job's attributes, at the place of a command's value.
Rule job_rule(SubmitReading& reading, std::string const& command, condor::SubmitValue value,
              std::string text) {
  value.text = std::move(text);
  Rule rule = parsed(reading, command, value);
  auto const unknown = rule ? scenario::unknown_names(*rule, false) : std::vector<std::string>();
  if (!unknown.empty()) {
    reading.recommend(value.where, fmt::format("{}: simulated jobs have no {}: undefined", command,
                                               fmt::join(unknown, ", ")));
  }
  return rule;
}

/// True if the job's own attributes decide the value. Without them it may be a number too, as that
/// of ifThenElse(isUndefined(MemoryUsage), 2048, 2 * MemoryUsage) is.
bool depends_on_job(std::string_view text) {
  try {
    auto const names = classad::parse(text).attributes();
    return std::any_of(names.begin(), names.end(), scenario::is_job_attribute);
  } catch (InputError const&) {
    return false;
  }
}

std::optional<Bytes> constant_size(std::string_view text, Bytes unit) {
  return depends_on_job(text) ? std::nullopt : submit_size(text, unit);
}

void read_request(SubmitReading& reading, std::string const& command, Bytes unit, Bytes& size,
                  Rule& rule) {
  condor::SubmitValue const* const value = reading.find(command);
  if (!value) return;
  if (depends_on_job(value->text)) {
    rule = job_rule(reading, command, *value, value->text);
  } else if (auto const known = submit_size(value->text, unit)) {
    size = *known;
  } else if (parsed(reading, command, *value)) {
    reading.not_understood(command, *value);
  }
}

/// "4 GB" as a number of the unit; other text is an expression already.
std::string in_units(std::string_view text, Bytes unit) {
  auto const size = constant_size(text, unit);
  return size ? fmt::format("{}", *size / unit) : std::string(trim(text));
}

/// One size or expression, or a list of sizes, of which each retry takes the next.
Rule read_retry(SubmitReading& reading, std::string const& command, Bytes unit) {
  condor::SubmitValue const* const value = reading.find(command);
  if (!value) return std::nullopt;
  std::vector<std::string> sizes;
  for (std::string const& part : split(value->text, ',')) {
    if (!constant_size(part, unit))
      return job_rule(reading, command, *value, in_units(value->text, unit));
    sizes.push_back(in_units(part, unit));
  }
  std::string const list = fmt::format("{}", fmt::join(sizes, ", "));
  return job_rule(reading, command, *value, sizes.size() == 1 ? list : "{" + list + "}");
}

/// retry_request_memory_increase adds a size, or is the next request; _max is the most.
Rule read_increase(SubmitReading& reading) {
  std::string const command = "retry_request_memory_increase";
  condor::SubmitValue const* const value = reading.find(command);
  if (!value) return std::nullopt;
  bool const adds = constant_size(value->text, mebibyte).has_value();
  std::string next = in_units(value->text, mebibyte);
  if (adds) next = "RequestMemory + " + next;
  condor::SubmitValue const* const most = reading.find("retry_request_memory_max");
  if (most) next = fmt::format("min({{{}, {}}})", next, in_units(most->text, mebibyte));
  return job_rule(reading, command, *value, next);
}

}  // namespace

void read_sizes(SubmitReading& reading) {
  scenario::Request& request = reading.result.campaign.request;
  scenario::JobPolicy& policy = reading.result.strategy.retry.policy;
  read_request(reading, "request_memory", mebibyte, request.memory, policy.request_memory);
  read_request(reading, "request_disk", kibibyte, request.disk, policy.request_disk);
  policy.retry_request_memory = read_retry(reading, "retry_request_memory", mebibyte);
  policy.retry_request_disk = read_retry(reading, "retry_request_disk", kibibyte);
  if (Rule const increase = read_increase(reading)) policy.retry_request_memory = increase;
}

}  // namespace gridcast::import

#include "sim/running/chosen_changes.hpp"

#include <fmt/format.h>

#include "sim/base/text.hpp"

namespace gridcast::running {
namespace {

constexpr int most_retries = 1000;

std::optional<Seconds>* time_rule(Rules& rules, std::string const& name) {
  if (name == "limit") return &rules.longest_execution;
  if (name == "transfer-limit") return &rules.longest_start;
  if (name == "release-after") return &rules.longest_hold;
  if (name == "second-copy") return &rules.second_copy_after;
  return nullptr;
}

/// Adds the change that the text names; false if it names none.
bool add(ChosenChanges& changes, std::string const& text) {
  auto const colon = text.find(':');
  std::string const name = text.substr(0, colon);
  std::string const value = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (text == "release") return changes.release = true;
  if (text == "resubmit") return changes.resubmit = true;
  if (name == "avoid" && !value.empty()) {
    changes.hosts.push_back(value);
    return true;
  }
  if (name == "retries") {
    auto const times = text_as<int>(value);
    bool const valid = times && *times >= 1 && *times <= most_retries;
    if (valid) changes.rules.retries = *times;
    return valid;
  }
  auto* const rule = time_rule(changes.rules, name);
  auto const time = parse_seconds(value);
  if (!rule || !time || *time <= Seconds()) return false;
  *rule = time;
  return true;
}

}  // namespace

std::string wrong_change(std::string const& text) {
  ChosenChanges changes;
  if (add(changes, text)) return "";
  auto const colon = text.find(':');
  std::string const name = text.substr(0, colon);
  std::string const value = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (name == "retries")
    return fmt::format("{}: '{}' is no whole number from 1 to {}", name, value, most_retries);
  if (time_rule(changes.rules, name))
    return fmt::format("{}: '{}' is no time above zero, such as 6 h or 30 min", name, value);
  return "write release, resubmit, avoid:HOST, limit:TIME, transfer-limit:TIME, "
         "release-after:TIME, retries:N or second-copy:TIME";
}

ChosenChanges changes_in(std::vector<std::string> const& texts) {
  ChosenChanges changes;
  for (std::string const& text : texts) add(changes, text);
  return changes;
}

}  // namespace gridcast::running

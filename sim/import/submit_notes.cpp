// Notes on commands of a submit file that are not simulated, or not understood.
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/text.hpp"
#include "sim/import/submit_commands.hpp"

namespace gridcast::import {
namespace {

/// True if the command requests other resources after a failed attempt, and is not simulated.
bool escalates(std::string const& name, condor::SubmitValue const& value) {
  if (submit_effect(name) == SubmitEffect::decides) return false;
  std::string const text = lower(value.text);
  bool const requests = lower(name).find("request") != std::string::npos;
  return requests && (text.find("numjobstarts") != std::string::npos ||
                      text.find("memoryusage") != std::string::npos ||
                      text.find("lastholdreasoncode") != std::string::npos);
}

/// One note for all commands that do, with what it means for the forecast.
void note_escalation(condor::SubmitFile const& file, SubmitReading& reading) {
  std::vector<std::string> names;
  Location first;
  for (auto const& [name, value] : file.commands) {
    if (!escalates(name, value)) continue;
    names.push_back(name);
    if (first.file.empty() || value.where.line < first.line) first = value.where;
  }
  if (names.empty()) return;
  reading.note(first, fmt::format("larger requests after a failed attempt ({}): not simulated. A "
                                  "retry is held for time as often as a first attempt, so the "
                                  "forecast has too many holds if the record has any",
                                  fmt::join(names, ", ")));
}

/// Jobs of other universes run outside the slots of the pool: on the access point, or at a service.
void note_universe(condor::SubmitValue const& value, SubmitReading& reading) {
  static std::set<std::string> const in_slots = {"vanilla", "docker", "container", "java",
                                                 "5",       "10",     "standard",  "1"};
  std::string const universe = lower(unquoted(value.text));
  if (universe.empty() || in_slots.contains(universe)) return;
  bool const here = universe == "local" || universe == "scheduler";
  reading.recommend(
      value.where,
      fmt::format(
          "universe = {}: such jobs run {}; they are simulated as jobs in slots of the pool",
          universe, here ? "on the access point" : "in another way"));
}

}  // namespace

void note_commands(condor::SubmitFile const& file, SubmitReading& reading) {
  note_escalation(file, reading);
  for (auto const& [name, value] : file.commands) {
    if (escalates(name, value)) continue;
    if (same_ignoring_case(name, "universe")) {
      note_universe(value, reading);
      continue;
    }
    SubmitEffect const effect = submit_effect(name);
    std::string const shown = fmt::format("{} = {}", name, value.text.substr(0, 100));
    bool const usual = same_ignoring_case(name, "request_cpus") && trim(value.text) == "1";
    if (effect == SubmitEffect::not_simulated && !usual) {
      reading.note(value.where, fmt::format("{}: not simulated", shown));
    } else if (effect == SubmitEffect::unknown && name.starts_with('+')) {
      reading.note(value.where,
                   fmt::format("{}: an attribute that simulated jobs do not have", shown));
    } else if (effect == SubmitEffect::unknown && !file.macros.contains(name)) {
      reading.recommend(value.where, fmt::format("not understood: {}{}", shown, submit_slip(name)));
    }
  }
}

}  // namespace gridcast::import

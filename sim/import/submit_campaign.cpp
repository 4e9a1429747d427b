#include "sim/import/submit_campaign.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/import/submit_commands.hpp"
#include "sim/import/submit_reading.hpp"
#include "sim/import/submit_values.hpp"

namespace gridcast::import {
namespace {

condor::SubmitGroup const& largest(std::vector<condor::SubmitGroup> const& groups) {
  return *std::max_element(groups.begin(), groups.end(),
                           [](auto const& a, auto const& b) { return a.jobs < b.jobs; });
}

std::string text_of(condor::SubmitGroup const& group, std::string const& command) {
  auto const found = group.commands.find(command);
  return found == group.commands.end() ? "" : found->second.text;
}

/// One note for each command in which jobs differ.
void note_differences(condor::SubmitFile const& file, SubmitReading& reading) {
  for (std::string const& command : deciding_submit_commands()) {
    std::set<std::string> values;
    int others = 0;
    std::string const taken = text_of(reading.group, command);
    for (condor::SubmitGroup const& group : file.groups) {
      values.insert(text_of(group, command));
      if (text_of(group, command) != taken) others += group.jobs;
    }
    if (values.size() < 2) continue;
    Location const where =
        taken.empty() ? reading.group.queue : reading.group.commands.at(command).where;
    reading.note(where,
                 fmt::format("{} of {} jobs have another {} ({} in all): all are simulated "
                             "with '{}'",
                             others, file.jobs(), command, values.size(), taken.substr(0, 100)));
  }
}

void note_commands(condor::SubmitFile const& file, SubmitReading& reading) {
  for (auto const& [name, value] : file.commands) {
    SubmitEffect const effect = submit_effect(name);
    std::string const shown = fmt::format("{} = {}", name, value.text.substr(0, 100));
    bool const usual = same_ignoring_case(name, "request_cpus") && trim(value.text) == "1";
    if (effect == SubmitEffect::not_simulated && !usual) {
      reading.note(value.where, fmt::format("{}: not simulated", shown));
    } else if (effect == SubmitEffect::unknown && name.starts_with('+')) {
      reading.note(value.where,
                   fmt::format("{}: an attribute that simulated jobs do not have", shown));
    } else if (effect == SubmitEffect::unknown && !file.macros.contains(name)) {
      reading.note(value.where, fmt::format("not understood: {}", shown));
    }
  }
}

std::string first_text(condor::SubmitFile const& file, std::string const& command) {
  auto const found = file.commands.find(command);
  return found == file.commands.end() ? "" : unquoted(found->second.text);
}

std::string title_of(condor::SubmitFile const& file) {
  std::string name = first_text(file, "batch_name");
  if (name.empty()) name = file.file.filename().string();
  return fmt::format("{}: {} {}", name, file.jobs(), file.jobs() == 1 ? "job" : "jobs");
}

void sort_notes(std::vector<condor::SubmitNote>& notes) {
  auto const key = [](condor::SubmitNote const& note) {
    return std::tie(note.where.file, note.where.line);
  };
  std::stable_sort(notes.begin(), notes.end(),
                   [key](auto const& a, auto const& b) { return key(a) < key(b); });
}

}  // namespace

condor::SubmitValue const* SubmitReading::find(std::string const& command) const {
  for (std::string const& name : {command, attribute_of(command)}) {
    auto const found = group.commands.find(name);
    if (found != group.commands.end() && !trim(found->second.text).empty()) return &found->second;
  }
  return nullptr;
}

SubmitImport import_submit(condor::SubmitFile const& file, KnownSizes const& sizes) {
  if (file.groups.empty()) {
    throw InputError(
        Problem{{file.file.string()}, "no jobs", "its queue statements queue none", ""});
  }
  SubmitReading reading{largest(file.groups), sizes, file.file.parent_path(), {}, {}};
  reading.result.strategy.name = "submitted";
  reading.result.notes = file.notes;
  reading.result.title = title_of(file);
  reading.result.executable = first_text(file, "executable");
  reading.result.arguments = first_text(file, "arguments");
  read_submit_request(reading);
  read_submit_input(reading);
  read_submit_policy(reading);
  note_differences(file, reading);
  note_commands(file, reading);

  auto& submit = reading.result.campaign.submit;
  Location last;
  for (condor::SubmitGroup const& group : file.groups) {
    bool const same =
        !submit.empty() && last.line == group.queue.line && last.file == group.queue.file;
    if (!same) submit.push_back({Seconds(), 0});
    submit.back().jobs += group.jobs;
    last = group.queue;
  }
  if (!reading.problems.empty()) throw InputError(std::move(reading.problems));
  sort_notes(reading.result.notes);
  return std::move(reading.result);
}

}  // namespace gridcast::import

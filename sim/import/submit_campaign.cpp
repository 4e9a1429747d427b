#include "sim/import/submit_campaign.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/text.hpp"
#include "sim/import/campaign_requests.hpp"
#include "sim/import/submit_commands.hpp"
#include "sim/import/submit_requirements.hpp"

namespace gridcast::import {
namespace {

namespace fs = std::filesystem;

std::optional<int> read_whole(SubmitReading& reading, std::string const& command, int least,
                              int most) {
  condor::SubmitValue const* const value = reading.find(command);
  if (!value) return std::nullopt;
  auto const number = submit_number(value->text);
  if (number && *number >= least && *number <= most && *number == std::floor(*number)) {
    return static_cast<int>(*number);
  }
  // A value that is no expression either is refused.
  if (parsed(reading, command, *value)) reading.not_understood(command, *value);
  return std::nullopt;
}

/// Requests, limits of concurrency, late materialization.
void read_request(SubmitReading& reading) {
  scenario::Request& request = reading.result.campaign.request;
  constexpr int most = 1'000'000;
  request.gpus = read_whole(reading, "request_gpus", 0, most).value_or(0);
  read_sizes(reading);
  if (condor::SubmitValue const* const limits = reading.find("concurrency_limits")) {
    request.concurrency_limits = lower(unquoted(limits->text));
  }
  reading.result.campaign.max_idle = read_whole(reading, "max_idle", 0, most).value_or(0);
  reading.result.campaign.max_materialize =
      read_whole(reading, "max_materialize", 0, most).value_or(0);
}

// Files that a URL names are fetched by plugins, and are the input of the scenario. Files of the
// access point are sent by it; they are the input only where there are no URLs, because one
// strategy has one protocol.

/// An entry of transfer_input_files or container_image.
struct Wanted {
  std::string name;
  condor::SubmitValue const* value;
};

/// The older name of container_image on the OSPool; without a URL the site has the image.
condor::SubmitValue const* older_image(SubmitReading const& reading) {
  condor::SubmitValue const* const image = reading.find("+SingularityImage");
  return image && unquoted(image->text).find("://") != std::string::npos ? image : nullptr;
}

std::vector<Wanted> wanted_files(SubmitReading& reading) {
  std::vector<Wanted> wanted;
  if (condor::SubmitValue const* const list = reading.find("transfer_input_files")) {
    for (std::string const& name : split(unquoted(list->text), ',')) {
      if (!trim(name).empty()) wanted.push_back({std::string(trim(name)), list});
    }
  }
  condor::SubmitValue const* image = reading.find("container_image");
  if (!image) image = older_image(reading);
  if (image) {
    std::string const name = unquoted(image->text);
    if (lower(name).starts_with("docker://") || name.starts_with("/cvmfs/")) {
      reading.note(image->where,
                   fmt::format("container_image = {}: fetched by the site, not simulated", name));
    } else {
      wanted.push_back({name, image});
    }
  }
  std::set<std::string> names;  // one that is there twice is fetched once
  std::erase_if(wanted, [&names](Wanted const& file) { return !names.insert(file.name).second; });
  return wanted;
}

std::optional<Bytes> local_size(SubmitReading& reading, std::string const& name,
                                Location const& place) {
  if (auto const known = known_size(reading.sizes, name)) return known;
  condor::SubmitValue const* const initial = reading.find("initialdir");
  auto const found = condor::named_path(
      initial ? condor::below(reading.folders, unquoted(initial->text)) : reading.folders, name);
  auto const size_of = [&](fs::path const& path) {
    auto const [known, is_new] = reading.sizes_on_disk.try_emplace(path);
    if (is_new) known->second = size_on_disk(path);
    return known->second;
  };
  auto const size = size_of(found.path);
  bool const other_size = !found.other.empty() && size_of(found.other) != size;
  if (other_size) reading.recommend(place, condor::note_on_other(found));
  return size;
}

/// The size of a URL without a known size.
constexpr Bytes assumed_size(1e9);

void add_url(SubmitReading& reading, Wanted const& file, std::optional<Bytes> otherwise) {
  auto const size = known_size(reading.sizes, file.name);
  if (size) {
    reading.result.campaign.input.push_back({file.name, *size});
    return;
  }
  if (otherwise) {
    reading.note(
        file.value->where,
        fmt::format("the size of {} is not known: taken for {}, its share of the bytes that the "
                    "record's attempts received",
                    file.name, to_text(*otherwise)));
    reading.result.campaign.input.push_back({file.name, *otherwise});
    return;
  }
  if (reading.assumes_sizes) {
    reading.result.campaign.input.push_back({file.name, assumed_size});
    return;
  }
  reading.complain(*file.value, fmt::format("the size of {} is not known", file.name),
                   "how long its transfer takes depends on it",
                   fmt::format("Add --size '{}=SIZE', such as 20GB.", file.name));
}

/// The share of the remaining total for each URL without a size, if the total is known.
std::optional<Bytes> share_of_others(SubmitReading& reading) {
  auto const together = reading.sizes.find(all_other_urls);
  if (together == reading.sizes.end()) return std::nullopt;
  double others = 0;
  Bytes known;
  for (Wanted const& file : wanted_files(reading)) {
    if (!is_url(file.name)) continue;
    auto const size = known_size(reading.sizes, file.name);
    others += size ? 0 : 1;
    known += size.value_or(Bytes());
  }
  bool const none_left = together->second > Bytes() && known >= together->second;
  if (others < 1 || none_left) return std::nullopt;
  return std::max(Bytes(), together->second - known) / others;
}

/// Files of the access point: all of them, or none if URLs are fetched as well.
void add_local(SubmitReading& reading, std::vector<Wanted> const& files, bool has_urls) {
  std::vector<std::string> missing;
  for (Wanted const& file : files) {
    auto const size = local_size(reading, file.name, file.value->where);
    if (!size && !has_urls) {
      missing.push_back(file.name);
      continue;
    }
    std::string const size_text = size ? to_text(*size) : "size not known";
    if (!size || size->value() <= 0 || has_urls) {
      reading.note(
          file.value->where,
          fmt::format("{} ({}) is sent by the access point: not simulated", file.name, size_text));
    } else {
      reading.result.campaign.input.push_back({file.name, *size});
      reading.result.strategy.transfer.protocol = scenario::Protocol::htcondor;
    }
  }
  if (missing.empty()) return;
  reading.recommend(files.front().value->where,
                    fmt::format("the size of {} is not known, so it is not transferred. Add "
                                "--size '{}=SIZE', such as 20GB",
                                fmt::join(missing, ", "), missing.front()));
}

void read_input(SubmitReading& reading) {
  std::vector<Wanted> local;
  bool has_urls = false;
  bool all_http = true;
  auto const otherwise = share_of_others(reading);
  for (Wanted const& file : wanted_files(reading)) {
    if (!is_url(file.name)) {
      local.push_back(file);
      continue;
    }
    has_urls = true;
    all_http = all_http && lower(file.name).starts_with("http");
    add_url(reading, file, otherwise);
  }
  if (has_urls && all_http) reading.result.strategy.transfer.protocol = scenario::Protocol::http;
  add_local(reading, local, has_urls);
}

constexpr std::size_t most_own_files = 20'000;  // of single jobs, listed in a scenario

constexpr int default_max_retries = 2;  // DEFAULT_JOB_MAX_RETRIES

Rule read_rule(SubmitReading& reading, std::string const& command) {
  condor::SubmitValue const* const value = reading.find(command);
  return value ? job_rule(reading, command, *value, value->text) : std::nullopt;
}

std::optional<Seconds> read_time(SubmitReading& reading, std::string const& command) {
  condor::SubmitValue const* const value = reading.find(command);
  if (!value) return std::nullopt;
  auto const seconds = submit_number(value->text);
  if (seconds && *seconds > 0) return Seconds(*seconds);
  reading.not_understood(command, *value);
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

/// OSPool's cap on the time of a job, by its owner's category.
std::optional<Seconds> category_limit(SubmitReading& reading) {
  condor::SubmitValue const* const value = reading.find("+JobDurationCategory");
  if (!value) return std::nullopt;
  // Without its quotes a word is another attribute's name, and no category.
  std::string const category = lower(value->text);
  bool const is_short = category == "\"short\"";
  if (is_short) reading.note(value->where, "JobDurationCategory Short: taken as Medium (20 h)");
  if (is_short || category == "\"medium\"") return scenario::medium_execution;
  if (category == "\"long\"") return scenario::long_execution;
  reading.not_understood("+JobDurationCategory", *value);
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

/// True if HTCondor moves files for the job at all, by the words that condor_submit takes
/// (enum_utils.cpp, ShouldTransferFilesTranslation). IF_NEEDED is taken for yes: sites share no
/// file system with the access point. In condor_submit (submit_utils.cpp, SetTransferFiles), as
/// here, other words are refused, and files to move where none are.
bool files_are_moved(SubmitReading& reading) {
  condor::SubmitValue const* const value = reading.find("should_transfer_files");
  if (!value) return true;
  std::string const word = lower(unquoted(value->text));
  for (char const* const yes : {"yes", "true", "always", "if_needed", "auto"}) {
    if (word == yes) return true;
  }
  if (word != "no" && word != "false" && word != "never") {
    reading.complain(*value, fmt::format("should_transfer_files = {} is no answer", value->text),
                     "condor_submit refuses it", "Write YES, NO or IF_NEEDED.");
    return true;
  }
  for (char const* const list : {"transfer_input_files", "transfer_output_files"}) {
    condor::SubmitValue const* const files = reading.find(list);
    if (files && !unquoted(files->text).empty()) {
      reading.complain(*files, fmt::format("{} with should_transfer_files = NO", list),
                       "condor_submit refuses it", "Leave one of the two out.");
    }
  }
  return false;
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
                 "ON_EXIT_OR_EVICT: the progress of an evicted job is lost in the "
                 "simulation, unless it checkpoints itself");
  } else if (word != "on_exit" && word != "on_success") {
    reading.not_understood("when_to_transfer_output", *when);
  }
  condor::SubmitValue const* const files = reading.find("transfer_output_files");
  policy.outputs_unlisted = files_are_moved(reading) && files == nullptr;
  bool const listed = files && !unquoted(files->text).empty();
  if (!listed || word == "on_success") return;
  policy.crash_holds = true;
  reading.result.notes.push_back(
      {files->where,
       "a job that crashes leaves no output files: it is held (code 12) and not retried",
       condor::SubmitTopic::output_of_crash});
}

/// Retries, policy expressions, durations, checkpoints, requirements and rank.
void read_policy(SubmitReading& reading) {
  scenario::JobPolicy& policy = reading.result.strategy.retry.policy;
  read_exit(reading, policy);
  read_limits(reading, policy);
  read_files(reading, policy);
  read_requirements(reading, policy);
  read_rank(reading, policy);
}

condor::SubmitGroup const& largest(std::vector<condor::SubmitGroup> const& groups) {
  return *std::ranges::max_element(groups, {}, &condor::SubmitGroup::jobs);
}

// The input may differ from job to job. A file whose size is unknown is as large as the one at its
// place of the largest group, or of the first that has one.

struct GroupInput {
  std::vector<scenario::InputFile> files;
  scenario::Protocol protocol = {};
};

/// By their place in a job's list; nothing where no group has one.
std::vector<std::optional<Bytes>> usual_sizes(std::vector<InputGroup> const& groups,
                                              SubmitReading const& largest) {
  std::vector<std::optional<Bytes>> sizes;
  for (scenario::InputFile const& each : largest.result.campaign.input) {
    bool const assumed = !known_size(largest.sizes, each.url) && each.size == assumed_size;
    sizes.push_back(assumed ? std::nullopt : std::optional(each.size));
  }
  for (InputGroup const& group : groups) {
    SubmitReading reading{group.jobs, largest.sizes, group.folders, {}, {}};
    auto const wanted = wanted_files(reading);
    if (wanted.size() > sizes.size()) sizes.resize(wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (!sizes[i]) sizes[i] = known_size(reading.sizes, wanted[i].name);
    }
  }
  return sizes;
}

/// The input of a group, and how its URLs come. Sizes that are taken for one group hold for the
/// others. Nothing where a value is not understood.
std::optional<GroupInput> input_of(InputGroup const& group,
                                   std::vector<std::optional<Bytes>> const& usual,
                                   KnownSizes& sizes, SubmitReading& of_all) {
  SubmitReading reading{group.jobs, sizes, group.folders, {}, {}};
  std::swap(reading.sizes_on_disk, of_all.sizes_on_disk);
  auto const wanted = wanted_files(reading);
  reading.assumes_sizes = true;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    bool const has_size = known_size(reading.sizes, wanted[i].name) || !is_url(wanted[i].name);
    if (!has_size && usual[i]) sizes.emplace(wanted[i].name, *usual[i]);
  }
  read_input(reading);
  std::swap(reading.sizes_on_disk, of_all.sizes_on_disk);
  if (!reading.problems.empty()) return std::nullopt;
  return GroupInput{std::move(reading.result.campaign.input),
                    reading.result.strategy.transfer.protocol};
}

/// Files that all jobs fetch, then those of single jobs in order of these. False where it cannot be
/// known, or is too long a list; then that of the largest group stays.
bool take_each_input(std::vector<InputGroup> const& groups, SubmitReading& reading) {
  using Files = std::vector<scenario::InputFile>;
  std::vector<Files> inputs;
  std::map<std::string, std::size_t> groups_with;
  auto const usual = usual_sizes(groups, reading);
  KnownSizes sizes = reading.sizes;
  std::optional<scenario::Protocol> protocol;  // of the groups that fetch files
  for (InputGroup const& group : groups) {
    auto input = input_of(group, usual, sizes, reading);
    if (!input) return false;
    std::set<std::string> names;
    for (scenario::InputFile const& each : input->files) names.insert(each.url);
    for (std::string const& name : names) ++groups_with[name];
    if (!names.empty() && protocol.value_or(input->protocol) != input->protocol) return false;
    if (!names.empty()) protocol = input->protocol;
    inputs.push_back(std::move(input->files));
  }
  auto& of_all_jobs = reading.result.strategy.transfer.protocol;
  of_all_jobs = protocol.value_or(of_all_jobs);
  auto const of_all = [&](scenario::InputFile const& each) {
    return groups_with[each.url] == inputs.size();
  };
  Files common, own;
  std::ranges::copy_if(inputs[0], std::back_inserter(common), of_all);
  for (std::size_t g = 0; g < inputs.size(); ++g) {
    for (scenario::InputFile const& each : inputs[g]) {
      if (of_all(each)) continue;
      for (int const process : groups[g].jobs.processes) {
        if (own.size() >= most_own_files) return false;
        own.push_back({each.url, each.size, process});
      }
    }
  }
  std::ranges::stable_sort(own, [](auto const& a, auto const& b) { return *a.job < *b.job; });
  common.insert(common.end(), own.begin(), own.end());
  reading.result.campaign.input = std::move(common);
  return true;
}

/// The place of the first command that names an input.
Location place_of_input(SubmitReading const& reading, std::vector<InputGroup> const& groups) {
  for (std::string const command :
       {"transfer_input_files", "container_image", "+SingularityImage"}) {
    if (auto const* value = reading.find(command)) return value->where;
    for (InputGroup const& group : groups) {
      if (group.jobs.commands.contains(command)) return group.jobs.commands.at(command).where;
    }
  }
  return reading.group.queue;
}

/// One note for each assumed size, with the files of the campaign that have it.
void note_assumed_sizes(SubmitReading& reading, std::vector<InputGroup> const& groups) {
  constexpr std::size_t most_named = 5;
  if (reading.sizes.contains(all_other_urls)) return;  // shares of it have notes of their own
  std::map<Bytes, std::vector<std::string>> assumed;
  std::set<std::string> seen;
  for (scenario::InputFile const& each : reading.result.campaign.input) {
    bool const known = !is_url(each.url) || known_size(reading.sizes, each.url);
    if (!known && seen.insert(each.url).second) assumed[each.size].push_back(each.url);
  }
  for (auto& [size, names] : assumed) {
    std::size_t const more = names.size() - std::min(names.size(), most_named);
    names.resize(names.size() - more);
    reading.recommend(
        place_of_input(reading, groups),
        fmt::format("size not known: {}{}; {} is assumed for each. Add --size "
                    "'{}=SIZE', such as 20GB",
                    fmt::join(names, ", "), more > 0 ? fmt::format(" and {} more", more) : "",
                    to_text(size), names.front()));
  }
}

/// Commands of which a job usually has its own, and that change few answers.
bool is_of_single_jobs(std::string const& command) {
  std::string const name = lower(command);
  return name.find("transfer") != name.npos || name.find("initial") != name.npos ||
         name.find("iwd") != name.npos;
}

/// One note for each command in which jobs differ; `own` are those that each job has its own of.
void note_differences(condor::SubmitFile const& file, SubmitReading& reading,
                      std::set<std::string> const& own) {
  for (std::string const& command : deciding_submit_commands()) {
    if (own.contains(command)) continue;
    std::set<std::string> values;
    int others = 0;
    std::string const taken = reading.group.text(command);
    for (condor::SubmitGroup const& group : file.groups) {
      values.insert(group.text(command));
      if (group.text(command) != taken) others += group.jobs;
    }
    if (values.size() < 2) continue;
    Location const where =
        taken.empty() ? reading.group.queue : reading.group.commands.at(command).where;
    auto const action =
        is_of_single_jobs(command) ? condor::SubmitAction::none : condor::SubmitAction::recommended;
    reading.result.notes.push_back(
        {where,
         fmt::format("{} of {} jobs have another {} ({} in all): all are simulated with '{}'",
                     others, file.jobs(), command, values.size(), taken.substr(0, 100)),
         condor::SubmitTopic::other, action});
  }
}

std::string first_text(condor::SubmitFile const& file, std::string const& command) {
  return unquoted(text_of(file.commands, command));
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
  std::ranges::stable_sort(notes, [key](auto const& a, auto const& b) { return key(a) < key(b); });
}

/// One submission for each queue statement.
std::vector<scenario::Submission> submissions_of(condor::SubmitFile const& file) {
  std::vector<scenario::Submission> submit;
  Location last;
  for (condor::SubmitGroup const& group : file.groups) {
    bool const same =
        !submit.empty() && last.line == group.queue.line && last.file == group.queue.file;
    if (!same) submit.push_back({Seconds(), 0});
    submit.back().jobs += group.jobs;
    last = group.queue;
  }
  return submit;
}

/// `own`: commands of which each job has its own.
SubmitImport imported(condor::SubmitFile const& file, KnownSizes const& sizes,
                      std::vector<InputGroup> const& groups, std::set<std::string> own) {
  if (file.groups.empty()) {
    throw InputError(
        Problem{{file.file.string()}, "no jobs", "its queue statements queue none", ""});
  }
  SubmitReading reading{largest(file.groups), sizes, file.folders, {}, {}};
  reading.assumes_sizes = true;
  reading.result.strategy.name = "submitted";
  reading.result.notes = file.notes;
  reading.result.title = title_of(file);
  reading.result.batch_name = first_text(file, "batch_name");
  reading.result.executable = first_text(file, "executable");
  reading.result.arguments = first_text(file, "arguments");
  read_request(reading);
  read_input(reading);
  read_policy(reading);
  bool const each = !groups.empty() && reading.problems.empty() && take_each_input(groups, reading);
  reading.result.own_input = each;
  if (each) own.insert({"transfer_input_files", "container_image", "+SingularityImage"});
  note_differences(file, reading, own);
  note_commands(file, reading);
  note_assumed_sizes(reading, groups);

  reading.result.campaign.submit = submissions_of(file);
  if (!reading.problems.empty()) throw InputError(std::move(reading.problems));
  sort_notes(reading.result.notes);
  return std::move(reading.result);
}

}  // namespace

SubmitImport import_submit(condor::SubmitFile const& file, KnownSizes const& sizes,
                           InputOf input_of, RequestOf request_of) {
  std::vector<InputGroup> groups;
  if (input_of == InputOf::each_job) {
    for (condor::SubmitGroup const& group : file.groups) {
      groups.push_back({group, file.folders});
    }
  }
  std::set<std::string> own;
  if (request_of == RequestOf::each_job) own = own_request_commands(file);
  SubmitImport import = imported(file, sizes, groups, own);
  if (!own.empty()) take_each_request(file, own, import);
  return import;
}

SubmitImport import_submit(condor::SubmitFile const& file, KnownSizes const& sizes,
                           std::vector<InputGroup> const& groups) {
  return imported(file, sizes, groups, {});
}

}  // namespace gridcast::import

#include "sim/study/shards/batch_system.hpp"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/child.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"

namespace gridcast::study {
namespace {

namespace fs = std::filesystem;

/// The numbers of the submissions, taken or refused.
std::vector<int> offers_to(BatchSystem system, StudyFolder const& folder) {
  std::vector<int> numbers;
  char const* const ending = system == BatchSystem::slurm ? "sbatch" : "sub";
  std::error_code ignored;
  for (int n = 1; n <= folder.submissions(); ++n) {
    if (fs::exists(folder.submission_file(n, ending), ignored)) numbers.push_back(n);
  }
  return numbers;
}

std::string_view title_of(BatchSystem system) {
  return system == BatchSystem::slurm ? "Slurm" : "HTCondor";
}

InputError refusal(BatchSystem system, std::string const& what, CommandEnd const& end,
                   std::string hint) {
  return InputError(Problem{
      {}, fmt::format("{}: {}", title_of(system), what), end.last_words(), std::move(hint)});
}

InputError does_not_answer(BatchSystem system, StudyFolder const& folder, std::string const& what,
                           CommandEnd const& end) {
  return refusal(system, what, end,
                 fmt::format("Try again when {} answers, or continue elsewhere: gridcast compare "
                             "resume {} --on local",
                             title_of(system), folder.typed()));
}

InputError refuses_shards(BatchSystem system, StudyFolder const& folder, std::string const& command,
                          CommandEnd const& end) {
  return refusal(system, command + " refuses the study's shards", end,
                 fmt::format("The study is kept; when it is mended: gridcast compare resume {}",
                             folder.typed()));
}

// HTCondor: jobs that need no shared file system. Its own file transfer brings the frozen study,
// the program with its libraries in it, and takes the result back into the folder incoming/. Jobs
// are run again after an eviction and, three times, after an end without a result (max_retries); a
// transfer that failed is tried again after five minutes. A lost machine's shard is waited for for
// ten minutes, about the time to simulate it again, and not the 40 of JobLeaseDuration's default
// (condor_submit(1)).

// A submit file has no quotes for values: commas part files, $ is a macro, a line's end ends the
// value.
void check_path_for_htcondor(fs::path const& folder) {
  std::string const path = fs::absolute(folder).lexically_normal().string();
  bool const is_fine = path == printable(path) && path.find_first_of(",$\"") == std::string::npos;
  if (is_fine) return;
  throw InputError(
      Problem{{folder.string()},
              "cannot be named to HTCondor",
              "a submit file has no way to write a comma, a dollar, a quote or a control "
              "character in the path " +
                  path,
              "Name another folder: --study DIR; or give this one another name."});
}

/// The system's name of the submitted jobs.
std::string keep_job(StudyFolder const& folder, int submission, std::string const& output) {
  std::string const job = printable(trim(output));
  write_file(folder.submission_file(submission, "job"), job + "\n");
  return job;
}

std::string constraint(StudyFolder const& folder) {
  return fmt::format("GridcastStudy == \"{}\"", folder.job_name());
}

std::string submit_text(StudyFolder const& folder, fs::path const& list,
                        std::vector<std::string> const& options) {
  fs::path const home = fs::absolute(folder.path());
  constexpr double kilo = 1024, mega = kilo * kilo, spare = 1.5, least = 256;
  auto const& study = folder.study();
  std::string text = fmt::format(
      "# Shards of the study in {0}: the frozen study is brought to each, its result is taken "
      "back.\n"
      "universe = vanilla\n"
      "executable = {0}/frozen/program/run\n"
      "arguments = compare shard frozen $(shard) --out .\n"
      "should_transfer_files = YES\n"
      "when_to_transfer_output = ON_EXIT\n"
      "transfer_input_files = {0}/frozen\n"
      "initialdir = {0}/incoming\n"
      "output = {0}/logs/$(shard).out\n"
      "error = {0}/logs/$(shard).err\n"
      "log = {1}\n"
      "request_cpus = 1\n"
      "request_memory = {2:.0f}MB\n"
      "request_disk = {3:.0f}KB\n"
      "max_retries = 3\n"
      "job_lease_duration = 600\n"
      "periodic_release = NumJobStarts < 10 && (HoldReasonCode == 12 || HoldReasonCode == 13) && "
      "(time() - EnteredCurrentStatus) > 300\n"
      "batch_name = {4}\n"
      "+GridcastStudy = \"{4}\"\n"
      "+GridcastShard = \"$(shard)\"\n",
      home.string(), log_of_htcondor(folder).string(), least + spare * study.memory.value() / mega,
      spare * study.size.value() / kilo + least * kilo, folder.job_name());
  for (auto const& line : options) text += line + "\n";
  return text + fmt::format("queue shard from {}\n", fs::absolute(list).string());
}

std::vector<std::string> submit_to_htcondor(StudyFolder const& folder,
                                            std::vector<Shard> const& shards,
                                            std::vector<std::string> const& options) {
  check_path_for_htcondor(folder.path());
  int const number = folder.new_submission(shards);
  fs::path const file = folder.submission_file(number, "sub");
  write_file(file, submit_text(folder, folder.submission_file(number, "list"), options));
  auto const end = run_command({"condor_submit", "-terse", file.string()});
  if (!end.succeeded()) throw refuses_shards(BatchSystem::htcondor, folder, "condor_submit", end);
  return {keep_job(folder, number, end.out)};
}

std::vector<QueuedShard> shards_in_htcondor(StudyFolder const& folder) {
  auto const end = run_command({"condor_q", "-allusers", "-constraint", constraint(folder), "-af:,",
                                "GridcastShard", "JobStatus", "HoldReason"});
  if (!end.succeeded()) {
    throw does_not_answer(BatchSystem::htcondor, folder, "condor_q does not show the queue", end);
  }
  std::vector<QueuedShard> queued;
  for (auto const& line : split(end.out, '\n')) {
    auto const words = split(trim(line), ',');
    constexpr std::size_t columns = 3;
    if (words.size() < columns) continue;
    // JobStatus (job ClassAd attributes): 1 idle, 2 running, 5 held, 6 output on its way, 7
    // suspended; removed (3) and completed (4) ones are about to leave.
    std::string_view const status = trim(words[1]);
    if (status == "3" || status == "4") continue;
    auto const state = status == "1"   ? QueuedShard::State::waiting
                       : status == "5" ? QueuedShard::State::held
                                       : QueuedShard::State::running;
    std::size_t const why = line.find(words[2], words[0].size() + words[1].size() + 1);
    queued.push_back({std::string(trim(words[0])), state,
                      state == QueuedShard::State::held ? printable(trim(line.substr(why))) : ""});
  }
  return queued;
}

void cancel_in_htcondor(StudyFolder const& folder) {
  auto const end = run_command({"condor_rm", "-constraint", constraint(folder)});
  // It reports a missing one as an error.
  if (end.succeeded() || shards_in_htcondor(folder).empty()) return;
  throw does_not_answer(BatchSystem::htcondor, folder, "condor_rm fails", end);
}

// Slurm: arrays of jobs, which read the frozen study and write their results where both are, in the
// study's folder; it has to be on a file system that the nodes share.
//
// An array has no more tasks than MaxArraySize (slurm.conf(5): its largest index is one less): that
// many shards are several arrays. A task that a node's failure or a preemption ends is queued again
// by Slurm (--requeue), one that ends by itself without a result requeues itself, three times at
// most.

constexpr std::size_t usual_array_size = 1001;  // slurm.conf(5), MaxArraySize

std::size_t number_in(std::string_view text, std::size_t otherwise) {
  auto const number = text_as<std::size_t>(trim(text));
  return number.value_or(0) > 0 ? *number : otherwise;
}

/// MaxArraySize.
std::size_t most_tasks() {
  auto const config = run_command({"scontrol", "show", "config"});
  for (auto const& line : split(config.out, '\n')) {
    if (!line.starts_with("MaxArraySize")) continue;
    return number_in(line.substr(line.find('=') + 1), usual_array_size);
  }
  return usual_array_size;
}

std::string script_text(StudyFolder const& folder, fs::path const& list,
                        std::vector<std::string> const& options) {
  fs::path const home = fs::absolute(folder.path());
  auto const quoted = [](fs::path const& path) { return quoted_for_shell(path.string()); };
  std::string text = "#!/bin/sh\n";
  for (auto const& line : options) text += "#SBATCH " + line + "\n";
  constexpr double mega = 1024 * 1024, spare = 1.5, least = 256;
  double const memory = least + spare * folder.study().memory.value() / mega;
  text += fmt::format(
      "#SBATCH --requeue --ntasks=1 --cpus-per-task=1\n"
      "#SBATCH --mem={:.0f}M\n"
      "#SBATCH --output=/dev/null --error=/dev/null\n"
      "# One shard of the study in {}: the line of the list that the task has the number of.\n"
      "shard=$(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" {})\n"
      "cd {} || exit 1\n"
      "./frozen/program/run compare shard frozen \"$shard\" --out results "
      ">\"logs/$shard.out\" 2>\"logs/$shard.err\"\n"
      "status=$?\n"
      "if [ $status -ne 0 ] && [ \"${{SLURM_RESTART_COUNT:-0}}\" -lt 3 ]; then\n"
      "  scontrol requeue \"${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID\"\n"
      "fi\n"
      "exit $status\n",
      memory, printable(home.string()), quoted(fs::absolute(list)), quoted(home));
  return text;
}

/// The study's name with the submission's number: the queue then shows the list of a task.
std::string name_of(StudyFolder const& folder, int submission) {
  return fmt::format("{}-{:04}", folder.job_name(), submission);
}

std::string names_of(StudyFolder const& folder) {
  std::vector<std::string> names;
  for (int const n : offers_to(BatchSystem::slurm, folder)) names.push_back(name_of(folder, n));
  return fmt::format("{}", fmt::join(names, ","));
}

QueuedShard::State state_of(std::string_view state) {
  if (state == "PENDING" || state == "REQUEUED" || state == "REQUEUE_FED") {
    return QueuedShard::State::waiting;
  }
  return state == "REQUEUE_HOLD" || state == "SPECIAL_EXIT" ? QueuedShard::State::held
                                                            : QueuedShard::State::running;
}

std::string submit_array(StudyFolder const& folder, std::vector<Shard> const& shards,
                         std::vector<std::string> const& options) {
  int const number = folder.new_submission(shards);
  fs::path const script = folder.submission_file(number, "sbatch");
  write_file(script, script_text(folder, folder.submission_file(number, "list"), options));
  auto const end = run_command({"sbatch", "--parsable", "--job-name", name_of(folder, number),
                                fmt::format("--array=0-{}", shards.size() - 1), script.string()});
  if (!end.succeeded()) throw refuses_shards(BatchSystem::slurm, folder, "sbatch", end);
  return keep_job(folder, number, end.out);
}

std::vector<std::string> submit_to_slurm(StudyFolder const& folder,
                                         std::vector<Shard> const& shards,
                                         std::vector<std::string> const& options) {
  std::vector<std::string> ids;
  std::size_t const most = most_tasks();
  for (std::size_t from = 0; from < shards.size(); from += most) {
    auto const begin = shards.begin() + static_cast<std::ptrdiff_t>(from);
    auto const n = static_cast<std::ptrdiff_t>(std::min(most, shards.size() - from));
    ids.push_back(submit_array(folder, {begin, begin + n}, options));
  }
  return ids;
}

std::vector<QueuedShard> shards_in_slurm(StudyFolder const& folder) {
  auto const end = run_command({"squeue", "-h", "-r", "-n", names_of(folder), "-o", "%j|%K|%T|%r"});
  if (!end.succeeded()) {
    throw does_not_answer(BatchSystem::slurm, folder, "squeue does not show the queue", end);
  }
  std::map<std::string, std::vector<std::string>> lists;
  for (int const n : offers_to(BatchSystem::slurm, folder)) {
    lists[name_of(folder, n)] = split(read_text_file(folder.submission_file(n, "list")), '\n');
  }
  std::vector<QueuedShard> queued;
  for (auto const& line : split(end.out, '\n')) {
    auto const words = split(trim(line), '|');
    constexpr std::size_t columns = 4;
    if (words.size() != columns) continue;
    auto const list = lists.find(words[0]);
    std::size_t const index = words[1] == "0" ? 0 : number_in(words[1], SIZE_MAX);
    if (list == lists.end() || index >= list->second.size()) continue;
    queued.push_back(
        {list->second[index], state_of(words[2]), words[3] == "None" ? "" : printable(words[3])});
  }
  return queued;
}

void cancel_in_slurm(StudyFolder const& folder) {
  for (int const n : offers_to(BatchSystem::slurm, folder)) {
    auto const end = run_command({"scancel", "--name", name_of(folder, n)});
    if (!end.succeeded()) throw does_not_answer(BatchSystem::slurm, folder, "scancel fails", end);
  }
}

}  // namespace

std::string_view name(BatchSystem system) {
  return system == BatchSystem::slurm ? "slurm" : "htcondor";
}

void check_is_there(BatchSystem system) {
  bool const is_slurm = system == BatchSystem::slurm;
  using Command = std::vector<std::string>;
  auto const end =
      run_command(is_slurm ? Command{"sinfo", "--version"} : Command{"condor_version"});
  if (end.succeeded()) return;
  throw refusal(system, "it is not here", end,
                fmt::format("Call gridcast where {} can be called, or use --on local.",
                            is_slurm ? "sbatch" : "condor_submit"));
}

std::vector<std::string> submit(BatchSystem system, StudyFolder const& folder,
                                std::vector<Shard> const& shards,
                                std::vector<std::string> const& options) {
  return system == BatchSystem::slurm ? submit_to_slurm(folder, shards, options)
                                      : submit_to_htcondor(folder, shards, options);
}

std::vector<QueuedShard> queued_shards(BatchSystem system, StudyFolder const& folder) {
  return system == BatchSystem::slurm ? shards_in_slurm(folder) : shards_in_htcondor(folder);
}

void cancel(BatchSystem system, StudyFolder const& folder) {
  system == BatchSystem::slurm ? cancel_in_slurm(folder) : cancel_in_htcondor(folder);
}

std::vector<BatchSystem> systems_used(StudyFolder const& folder) {
  std::vector<BatchSystem> systems;
  for (auto const system : {BatchSystem::slurm, BatchSystem::htcondor}) {
    if (!offers_to(system, folder).empty()) systems.push_back(system);
  }
  return systems;
}

bool has_taken(BatchSystem system, StudyFolder const& folder) {
  auto const offers = offers_to(system, folder);
  return std::ranges::any_of(offers, [&](int number) {
    std::error_code ignored;
    return fs::exists(folder.submission_file(number, "job"), ignored);
  });
}

void check_path(BatchSystem system, fs::path const& folder) {
  // A script of Slurm's has the path in quotes of the shell.
  if (system == BatchSystem::htcondor) check_path_for_htcondor(folder);
}

fs::path log_of_htcondor(StudyFolder const& folder) {
  return fs::absolute(folder.path()) / "jobs.log";
}

std::optional<std::string> accounts_of_slurm(StudyFolder const& folder) {
  std::time_t const begun = folder.study().begun;
  std::tm local = {};
  ::localtime_r(&begun, &local);
  char since[32];
  std::strftime(since, sizeof since, "%Y-%m-%dT%H:%M:%S", &local);
  std::string const columns =
      "--format=JobID,JobName,User,Cluster,Partition,Submit,Start,End,State,ExitCode,NodeList,"
      "AllocTRES";
  auto const end =
      run_command({"sacct", "-D", "-P", "-S", since, "--name", names_of(folder), columns});
  bool const has_rows = std::ranges::count(end.out, '\n') > 1;
  return end.succeeded() && has_rows ? std::optional(end.out) : std::nullopt;
}

}  // namespace gridcast::study

#include <algorithm>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/files.hpp"
#include "sim/base/program.hpp"
#include "sim/base/text.hpp"
#include "sim/study/shards/batch_system.hpp"

namespace gridcast::study {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t usual_array_size = 1001;  // slurm.conf(5), MaxArraySize

InputError slurm_says(std::string const& what, CommandEnd const& end, std::string hint) {
  return InputError(Problem{{}, "Slurm: " + what, end.last_words(), std::move(hint)});
}

std::size_t number_in(std::string_view text, std::size_t otherwise) {
  std::size_t number = 0;
  text = trim(text);
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number > 0 ? number
                                                                                : otherwise;
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
                        SubmitOptions const& options) {
  fs::path const home = fs::absolute(folder.path());
  auto const quoted = [](fs::path const& path) { return quoted_for_shell(path.string()); };
  std::string text = "#!/bin/sh\n";
  for (auto const& line : options.lines) text += "#SBATCH " + line + "\n";
  constexpr double mega = 1024 * 1024, spare = 1.5, least = 256;
  double const memory = least + spare * folder.study().memory.value() / mega;
  text += fmt::format(
      "#SBATCH --requeue --ntasks=1 --cpus-per-task=1\n"
      "#SBATCH --mem={:.0f}M\n"
      "#SBATCH --output=/dev/null --error=/dev/null\n"
      "# One shard of the study in {}: the line of the list that the task has the number of.\n"
      "shard=$(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" {})\n"
      "cd {} || exit 1\n"
      "./frozen/program/run study shard frozen \"$shard\" --out results "
      ">\"logs/$shard.out\" 2>\"logs/$shard.err\"\n"
      "status=$?\n"
      "if [ $status -ne 0 ] && [ \"${{SLURM_RESTART_COUNT:-0}}\" -lt 3 ]; then\n"
      "  scontrol requeue \"${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID\"\n"
      "fi\n"
      "exit $status\n",
      memory, home.string(), quoted(fs::absolute(list)), quoted(home));
  return text;
}

/// The study's name with the submission's number, so that the queue tells which list a task is of.
std::string name_of(StudyFolder const& folder, int submission) {
  return fmt::format("{}-{:04}", folder.job_name(), submission);
}

std::vector<int> submissions_of(StudyFolder const& folder) {
  std::vector<int> numbers;
  std::error_code ignored;
  for (int n = 1; n <= folder.submissions(); ++n) {
    if (fs::exists(folder.submission_file(n, "sbatch"), ignored)) numbers.push_back(n);
  }
  return numbers;
}

std::string names_of(StudyFolder const& folder) {
  std::vector<std::string> names;
  for (int const n : submissions_of(folder)) names.push_back(name_of(folder, n));
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
                         SubmitOptions const& options) {
  int const number = folder.new_submission(shards);
  fs::path const script = folder.submission_file(number, "sbatch");
  write_file(script, script_text(folder, folder.submission_file(number, "list"), options));
  auto const end = run_command({"sbatch", "--parsable", "--job-name", name_of(folder, number),
                                fmt::format("--array=0-{}", shards.size() - 1), script.string()});
  if (!end.succeeded()) {
    throw slurm_says("sbatch refuses the study's shards", end,
                     fmt::format("The study is kept; when it is mended: gridcast study resume {}",
                                 folder.typed()));
  }
  return std::string(trim(end.out));
}

}  // namespace

void check_slurm() {
  auto const end = run_command({"sinfo", "--version"});
  if (end.succeeded()) return;
  throw slurm_says("it is not here", end,
                   "Call gridcast where sbatch can be called, or use --on local.");
}

std::vector<std::string> submit_to_slurm(StudyFolder const& folder,
                                         std::vector<Shard> const& shards,
                                         SubmitOptions const& options) {
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
    throw slurm_says("squeue does not tell what is in the queue", end,
                     "Try again when Slurm answers.");
  }
  std::map<std::string, std::vector<std::string>> lists;
  for (int const n : submissions_of(folder)) {
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
  for (int const n : submissions_of(folder)) {
    auto const end = run_command({"scancel", "--name", name_of(folder, n)});
    if (!end.succeeded()) throw slurm_says("scancel fails", end, "Try again when Slurm answers.");
  }
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
  bool const has_rows = std::count(end.out.begin(), end.out.end(), '\n') > 1;
  return end.succeeded() && has_rows ? std::optional(end.out) : std::nullopt;
}

}  // namespace gridcast::study

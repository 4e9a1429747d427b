#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "sim/base/files.hpp"
#include "sim/base/program.hpp"
#include "sim/base/text.hpp"
#include "sim/study/shards/batch_system.hpp"

namespace gridcast::study {
namespace {

namespace fs = std::filesystem;

InputError htcondor_says(std::string const& what, CommandEnd const& end, std::string hint) {
  return InputError(Problem{{}, "HTCondor: " + what, end.last_words(), std::move(hint)});
}

std::string constraint(StudyFolder const& folder) {
  return fmt::format("GridcastStudy == \"{}\"", folder.job_name());
}

std::string submit_text(StudyFolder const& folder, fs::path const& list,
                        SubmitOptions const& options) {
  fs::path const home = fs::absolute(folder.path());
  constexpr double kilo = 1024, mega = kilo * kilo, spare = 1.5, least = 256;
  auto const& study = folder.study();
  // A round of a calibration's simulations follows from what those before it gave.
  bool const follows = study.question.kind == StudyKind::calibration;
  std::string const earlier = follows ? fmt::format(", {}/results", home.string()) : "";
  std::string text = fmt::format(
      "# Shards of the study in {0}: the frozen study is brought to each, its result is taken "
      "back.\n"
      "universe = vanilla\n"
      "executable = {0}/frozen/program/run\n"
      "arguments = study shard frozen $(shard) --out .\n"
      "should_transfer_files = YES\n"
      "when_to_transfer_output = ON_EXIT\n"
      "transfer_input_files = {0}/frozen{5}\n"
      "initialdir = {0}/incoming\n"
      "output = {0}/logs/$(shard).out\n"
      "error = {0}/logs/$(shard).err\n"
      "log = {1}\n"
      "request_cpus = 1\n"
      "request_memory = {2:.0f}MB\n"
      "request_disk = {3:.0f}KB\n"
      "max_retries = 3\n"
      "periodic_release = NumJobStarts < 10 && (HoldReasonCode == 12 || HoldReasonCode == 13) && "
      "(time() - EnteredCurrentStatus) > 300\n"
      "batch_name = {4}\n"
      "+GridcastStudy = \"{4}\"\n"
      "+GridcastShard = \"$(shard)\"\n",
      home.string(), log_of_htcondor(folder).string(), least + spare * study.memory.value() / mega,
      spare * study.size.value() / kilo + least * kilo, folder.job_name(), earlier);
  for (auto const& line : options.lines) text += line + "\n";
  return text + fmt::format("queue shard from {}\n", fs::absolute(list).string());
}

}  // namespace

fs::path log_of_htcondor(StudyFolder const& folder) {
  return fs::absolute(folder.path()) / "jobs.log";
}

void check_htcondor() {
  auto const end = run_command({"condor_version"});
  if (end.succeeded()) return;
  throw htcondor_says("it is not here", end,
                      "Call gridcast where condor_submit can be called, or use --on local.");
}

std::vector<std::string> submit_to_htcondor(StudyFolder const& folder,
                                            std::vector<Shard> const& shards,
                                            SubmitOptions const& options) {
  int const number = folder.new_submission(shards);
  fs::path const file = folder.submission_file(number, "sub");
  write_file(file, submit_text(folder, folder.submission_file(number, "list"), options));
  auto const end = run_command({"condor_submit", "-terse", file.string()});
  if (!end.succeeded()) {
    throw htcondor_says(
        "condor_submit refuses the study's shards", end,
        fmt::format("The study is kept; when it is mended: gridcast study resume {}",
                    folder.typed()));
  }
  return {std::string(trim(end.out))};
}

std::vector<QueuedShard> shards_in_htcondor(StudyFolder const& folder) {
  auto const end = run_command({"condor_q", "-allusers", "-constraint", constraint(folder), "-af:,",
                                "GridcastShard", "JobStatus", "HoldReason"});
  if (!end.succeeded()) {
    throw htcondor_says("condor_q does not tell what is in the queue", end,
                        "Try again when HTCondor answers.");
  }
  std::vector<QueuedShard> queued;
  for (auto const& line : split(end.out, '\n')) {
    auto const words = split(trim(line), ',');
    constexpr std::size_t columns = 3;
    if (words.size() < columns) continue;
    // JobStatus (job ClassAd attributes): 1 idle, 2 running, 5 held, 6 output on its way, 7 suspended;
    // removed (3) and completed (4) ones are about to leave.
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
  // It is an error to it that there is none.
  if (end.succeeded() || shards_in_htcondor(folder).empty()) return;
  throw htcondor_says("condor_rm fails", end, "Try again when HTCondor answers.");
}

}  // namespace gridcast::study

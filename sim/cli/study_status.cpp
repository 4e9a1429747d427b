#include "sim/cli/study_status.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>

#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/history/attempts.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/report/data/json.hpp"
#include "sim/report/text/reason_words.hpp"
#include "sim/study/shards/batch_system.hpp"

namespace gridcast::cli {
namespace {

namespace fs = std::filesystem;

/// How many attempts ended early by the batch system's own log, and why.
void count_attempts(StudyStatus& status, fs::path const& log, std::string const& columns) {
  std::error_code ignored;
  if (!fs::exists(log, ignored)) return;
  try {
    auto const campaign =
        import::open_campaign(import::sort_by_kind({log}, {columns, import::SameNames::refuse}));
    for (auto const& span : history::phases_of(campaign.history)) {
      std::string const why = report::cause_in_words(span);
      if (span.attempt > 0 && span.cause && !why.empty()) ++status.failures["attempt: " + why];
    }
  } catch (InputError const& error) {
    status.trouble.push_back(error.what());
  }
}

/// The last line that a shard said of what went wrong.
std::string last_line(fs::path const& file) {
  std::ifstream in(file);
  std::string last;
  for (std::string line; std::getline(in, line);) {
    if (!trim(line).empty()) last = line;
  }
  return printable(trim(last));
}

void count_queue(StudyStatus& status, study::StudyFolder const& folder,
                 std::vector<study::Shard> const& missing) {
  std::set<std::string> known;
  for (auto const system : study::systems_used(folder)) {
    try {
      for (auto const& each : study::queued_shards(system, folder)) {
        using State = study::QueuedShard::State;
        known.insert(each.shard);
        ++(each.state == State::running ? status.running
           : each.state == State::held  ? status.held
                                        : status.waiting);
        if (each.state == State::held) ++status.failures["held: " + each.why];
      }
    } catch (InputError const& error) {
      status.trouble.push_back(error.what());
    }
  }
  if (!status.trouble.empty()) return;
  for (auto const& shard : missing) {
    if (known.contains(study::name(shard))) continue;
    ++status.lost;
    auto const said = last_line(folder.path() / "logs" / (study::name(shard) + ".err"));
    if (!said.empty()) ++status.failures["shard without a result: " + said];
  }
}

bool is_in_rounds(study::FrozenStudy const& study) {
  return study.question.kind == study::StudyKind::calibration;
}

std::size_t tasks_of(study::Shard const& shard, std::size_t strategies) {
  return (shard.to - shard.from) * (shard.smaller ? 1 : strategies);
}

/// By what shards took so far, or what was measured, on as many slots as run now.
std::optional<Seconds> time_left(study::FrozenStudy const& study, study::FoundShards const& found,
                                 StudyStatus const& status) {
  if (status.running + status.waiting == 0) return std::nullopt;
  // Tasks of a calibration simulate few campaigns or hundreds.
  if (is_in_rounds(study) && found.results.empty()) return std::nullopt;
  Seconds took;
  for (auto const& result : found.results) took += result.record.took;
  Seconds const each = found.results.empty() ? study.replica_takes * study.shard_size
                                             : took / static_cast<double>(found.results.size());
  auto const slots = static_cast<double>(std::max<std::size_t>(1, status.running));
  return each * (static_cast<double>(status.running + status.waiting) / slots);
}

std::string count_lines(std::string const& heading,
                        std::map<std::string, std::size_t> const& counts) {
  std::vector<std::pair<std::size_t, std::string>> order;
  for (auto const& [what, n] : counts) order.emplace_back(n, what);
  std::stable_sort(order.begin(), order.end(),
                   [](auto const& a, auto const& b) { return a.first > b.first; });
  constexpr std::size_t most = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, order.size()); ++i) {
    text += fmt::format("{:<10} {} x {}\n", i == 0 ? heading : "", order[i].first,
                        printable(order[i].second));
  }
  if (order.size() > most) text += fmt::format("{:<10} and {} more\n", "", order.size() - most);
  return text;
}

std::string next_text(study::StudyFolder const& folder, StudyStatus const& status) {
  std::string const path = folder.typed();
  if (status.done == status.shards && is_in_rounds(folder.study())) {
    return "next       gridcast study resume " + path +
           ", for the next round; after the last gridcast study gather\n";
  }
  if (status.done == status.shards) return "next       gridcast study gather " + path + "\n";
  if (status.held > 0) {
    return "next       see why shards are held; then condor_release, or gridcast study cancel and "
           "resume\n";
  }
  if (status.lost == 0) return "";
  return fmt::format(
      "next       gridcast study resume {}    ({} shard{} neither in a queue nor done)\n", path,
      status.lost, status.lost == 1 ? " is" : "s are");
}

}  // namespace

StudyStatus status_of(study::StudyFolder const& folder) {
  auto const found = folder.find(study::Reading::head);
  auto const& study = folder.study();
  StudyStatus status;
  status.shards = found.all.size();
  status.done = found.results.size();
  status.damaged = found.damaged.size();
  for (auto const& shard : found.all) status.replicas += tasks_of(shard, study.strategies);
  for (auto const& result : found.results) {
    status.replicas_failed += result.failed.size();
    status.replicas_done += tasks_of(result.shard, study.strategies) - result.failed.size();
    ++status.hosts[result.record.host];
    for (auto const& failed : result.failed) ++status.failures["replica: " + failed.why];
  }
  count_queue(status, folder, found.missing);
  for (auto const system : study::systems_used(folder)) {
    if (system == study::BatchSystem::htcondor) {
      count_attempts(status, study::log_of_htcondor(folder), "");
    } else if (auto const accounts = study::accounts_of_slurm(folder)) {
      write_file(folder.path() / "sacct.txt", *accounts);
      count_attempts(status, folder.path() / "sacct.txt", "sacct");
    }
  }
  status.left = time_left(study, found, status);
  return status;
}

std::string status_text(study::StudyFolder const& folder, StudyStatus const& status) {
  auto const& question = folder.study().question;
  bool const in_rounds = is_in_rounds(folder.study());
  std::string text = fmt::format(
      "{}: {} {}, {}, seed {}\n"
      "done       {} of {} shards, {} of {} {}{}\n",
      folder.path().string(), study::verb(question.kind), printable(question.scenario),
      in_rounds ? fmt::format("round {} of simulations", folder.rounds())
                : fmt::format("{} replicas", question.replicas),
      question.seed, status.done, status.shards, status.replicas_done, status.replicas,
      in_rounds ? "tasks" : "simulated campaigns",
      status.replicas_failed > 0 ? fmt::format("; {} failed", status.replicas_failed) : "");
  if (status.damaged > 0) {
    text += fmt::format("damaged    {} results, which count as missing\n", status.damaged);
  }
  if (status.running + status.waiting + status.held > 0) {
    text += fmt::format("queue      {} running, {} waiting, {} held\n", status.running,
                        status.waiting, status.held);
  }
  if (status.left) text += fmt::format("time left  about {}\n", to_text(*status.left));
  text += count_lines("failures", status.failures) + count_lines("shards of", status.hosts);
  for (auto const& trouble : status.trouble) text += "not known  " + printable(trouble) + "\n";
  return text + next_text(folder, status);
}

std::string status_json(study::StudyFolder const& folder, StudyStatus const& status) {
  auto const& study = folder.study();
  return report::json_text(
      {{"schema", "gridcast.study-status/1"},
       {"study", folder.path().string()},
       {"verb", gridcast::study::verb(study.question.kind)},
       {"scenario", study.question.scenario},
       {"replicas", study.question.replicas},
       {"rounds", folder.rounds()},
       {"seed", study.question.seed},
       {"shards", status.shards},
       {"done", status.done},
       {"damaged", status.damaged},
       {"simulated",
        {{"wanted", status.replicas},
         {"done", status.replicas_done},
         {"failed", status.replicas_failed}}},
       {"queue",
        {{"running", status.running},
         {"waiting", status.waiting},
         {"held", status.held},
         {"lost", status.lost}}},
       {"failures", status.failures},
       {"hosts", status.hosts},
       {"left_s", status.left ? report::json_number(status.left->value()) : nullptr},
       {"trouble", status.trouble}});
}

}  // namespace gridcast::cli

#include "calibration/simulated/rounds.hpp"

#include <chrono>
#include <utility>

#include "sim/base/error.hpp"

namespace gridcast::calibration {

// A search of links in campaigns of many thousand jobs takes hours.
constexpr std::chrono::hours patience(24);

bool are_of(Round const& round, std::vector<study::Record> const& records) {
  if (records.size() != round.tasks) return false;
  for (std::uint32_t task = 0; task < round.tasks; ++task) {
    if (records[task].size() != round.numbers(task)) return false;
  }
  return true;
}

PlayRound played_here(unsigned processes, study::Progress progress) {
  return [processes, progress = std::move(progress)](Round const& round) {
    auto played = study::run_replicas(round.tasks, processes, round.task, progress, patience);
    if (!played.trouble.empty()) throw ResourceError(played.trouble);
    if (played.interrupted) throw CalibrationInterrupted();
    check(played.failed.empty(), "every task of a round of simulations came back");
    std::vector<study::Record> records;
    for (auto& [number, record] : played.records) records.push_back(std::move(record));
    return records;
  };
}

}  // namespace gridcast::calibration

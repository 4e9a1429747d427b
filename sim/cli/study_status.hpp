// How far a study is that others play: from its files, the queue and the batch system's own log.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/study/shards/study_folder.hpp"

namespace gridcast::cli {

struct StudyStatus {
  std::size_t shards = 0, done = 0, damaged = 0;
  std::size_t replicas = 0, replicas_done = 0, replicas_failed = 0;  // of all strategies
  std::size_t running = 0, waiting = 0, held = 0, lost = 0;          // shards; lost: in no queue
  std::vector<std::string> trouble;                                  // a queue that does not answer
  std::map<std::string, std::size_t> failures;  // by cause: of replicas, attempts and shards
  std::map<std::string, std::size_t> hosts;     // shards that each has played
  std::optional<Seconds> left;                  // until the last shard that is in a queue has ended
};

StudyStatus status_of(study::StudyFolder const& folder);

std::string status_text(study::StudyFolder const& folder, StudyStatus const& status);
std::string status_json(study::StudyFolder const& folder, StudyStatus const& status);

}  // namespace gridcast::cli

// A shard: a range of replicas of a study that one process of a batch system simulates, and its
// result. The result is one file. Its name depends on the study and on the shard, so a shard that
// runs twice does no harm.
//
//   NAME.HASH.shard:
//   gridcast.shard/1 HASH SHA256\n    HASH: of the study's fingerprint and the shard's name;
//                                     SHA256: of the rest of the file
//   {"shard": ..., "host": ..., ...}\n
//   {number u32, numbers u32, numbers x f64}   a replica each, in order
//
// Numbers have the byte order of the machine; all machines of a study run the same program.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/study/prediction.hpp"
#include "sim/study/replica_pool.hpp"

namespace gridcast::study {

/// The replicas from `from` until before `to`, of every strategy of the study.
struct Shard {
  std::uint32_t from = 0, to = 0;
  bool operator==(Shard const&) const = default;
};

/// "500-1000".
std::string name(Shard const& shard);
std::optional<Shard> shard_named(std::string_view name);

/// Shards of `size` replicas each; the last shard contains the rest.
std::vector<Shard> cut(std::uint32_t replicas, std::uint32_t size);

/// The program that simulated a shard, with its place and time.
struct ShardRecord {
  std::string host, version, revision, build;
  std::uint64_t seed = 1;
  std::int64_t started = 0;  // Unix time, in s
  Seconds took, computed;    // wall time, and time of all processors

  static void fields(auto& row, auto& record) {
    row("host", record.host);
    row("version", record.version);
    row("revision", record.revision);
    row("build", record.build);
    row("seed", record.seed);
    row("started", record.started);
    row("took_s", record.took);
    row("computed_s", record.computed);
  }
};

struct ShardResult {
  Shard shard;
  ShardRecord record;
  /// In order; numbered as in comparison_of().
  std::vector<std::pair<std::uint32_t, Record>> records = {};
  std::vector<FailedReplica> failed = {};
};

/// Measures the time of a shard, from its construction on.
class ShardTimer {
 public:
  ShardTimer();
  ShardRecord record(std::uint64_t seed) const;

 private:
  std::chrono::system_clock::time_point started_;
  Seconds before_;  // time of all processors
};

/// Simulates a shard. `strategies`: those of the study, one for a prediction. A shard that was
/// interrupted has no result.
std::optional<ShardResult> simulate_shard(Shard const& shard, scenario::Scenario const& scenario,
                                          std::vector<scenario::Strategy> const& strategies,
                                          StudyOptions const& options);

/// The name of the result of a shard of the study that has this fingerprint.
std::string result_file(Shard const& shard, std::string const& fingerprint);

/// Writes the result into the folder: the whole file or no file, and on the disk when it is there.
void write_result(std::filesystem::path const& folder, std::string const& fingerprint,
                  ShardResult const& result);

/// The state of a file that has the name of the shard's result.
enum class ResultState { good, damaged, of_another_study };
/// Both check the whole file; `checked` does not return its records.
enum class Reading { whole, checked };
struct ResultFile {
  ResultState state = ResultState::damaged;
  ShardResult result = {};
};
ResultFile read_result(std::filesystem::path const& file, Shard const& shard,
                       std::string const& fingerprint, Reading reading);

/// The size of a study's shards: as many replicas as take about ten minutes, by the measured time
/// of one replica.
struct ShardPlan {
  std::uint32_t shard_size = 1;  // replicas per shard
  Seconds replica_takes;         // time of one, under all strategies, on one processor
  Bytes memory;                  // of the largest process
};

inline constexpr Seconds shard_takes = Seconds(600);

/// Simulates replicas for a twentieth of a second (at least one under each strategy), and plans
/// from their time; `size`: replicas per shard, where the user chooses it. Nothing if it was
/// interrupted.
std::optional<ShardPlan> plan_shards(scenario::Scenario const& scenario,
                                     std::vector<scenario::Strategy> const& strategies,
                                     StudyOptions options, std::optional<std::uint32_t> size);

/// Replicas per shard, no shard much smaller than the others: between half and one and a half of
/// `shard_takes` where one replica takes no longer.
std::uint32_t shard_size_for(std::uint32_t replicas, Seconds replica_takes);

}  // namespace gridcast::study

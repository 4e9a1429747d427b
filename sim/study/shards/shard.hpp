// A shard: some replicas of a study that one process of a batch system plays, and its result, one
// file with a name that says of what it is the result, so that a shard which ran twice does no
// harm.
//
//   NAME.HASH.shard:
//   gridcast.shard/1 HASH SHA256\n    HASH: of the study's fingerprint and the shard's name;
//                                     SHA256: of all that follows
//   {"shard": ..., "host": ..., ...}\n
//   {number u32, numbers u32, numbers x f64}   a replica each, in order
//
// Numbers are as the machine has them; all machines of a study run the same program.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/study/prediction.hpp"
#include "sim/study/replica_pool.hpp"

namespace gridcast::study {

/// A campaign's first jobs under one strategy (value_of_information.hpp).
struct SmallerCampaign {
  std::uint32_t strategy = 0;
  int jobs = 0;
  bool operator==(SmallerCampaign const&) const = default;
};

/// The replicas from `from` until before `to`, of every strategy of the study or of a smaller
/// campaign; of a calibration, the tasks of a round of simulations.
struct Shard {
  std::uint32_t from = 0, to = 0;
  std::optional<SmallerCampaign> smaller = {};
  std::uint32_t round = 0;
  bool operator==(Shard const&) const = default;
};

/// "500-1000", "0-500.strategy-3.jobs-10", "0-12.round-2".
std::string name(Shard const& shard);
std::optional<Shard> shard_named(std::string_view name);

/// Shards of `size` replicas each, the last of what is left.
std::vector<Shard> cut(std::uint32_t replicas, std::uint32_t size,
                       std::optional<SmallerCampaign> const& smaller = {}, std::uint32_t round = 0);

/// Who played it, where and when.
struct ShardRecord {
  std::string host, version, revision, computed_by;
  std::uint64_t seed = 1;
  std::int64_t started = 0;  // Unix time, in s
  Seconds took, computed;    // wall time, and of all processors
};

struct ShardResult {
  Shard shard;
  ShardRecord record;
  /// Numbered as comparison_of() has them, or by the replica; ordered.
  std::vector<std::pair<std::uint32_t, Record>> records = {};
  std::vector<FailedReplica> failed = {};
};

/// Plays a shard. `strategies`: those of the study, one for a prediction. Of a shard that was
/// interrupted there is no result.
std::optional<ShardResult> play(Shard const& shard, scenario::Scenario const& scenario,
                                std::vector<scenario::Strategy> const& strategies,
                                StudyOptions const& options);

/// Plays a shard whose replicas are what `task` makes of their numbers.
std::optional<ShardResult> play(Shard const& shard,
                                std::function<Record(std::uint32_t replica)> const& task,
                                StudyOptions const& options);

/// How a shard of some study is played.
using ShardPlayer = std::function<std::optional<ShardResult>(Shard const&, StudyOptions const&)>;

/// The name of the result of a shard of the study that has this fingerprint.
std::string result_file(Shard const& shard, std::string const& fingerprint);

/// Writes the result into the folder: there whole, or not at all, and on the disk when it is there.
void write_result(std::filesystem::path const& folder, std::string const& fingerprint,
                  ShardResult const& result);

/// What a file that is called as a result of the shard holds.
enum class ResultState { good, damaged, of_another_study };
/// How much of it is read: all, all but kept only as far as the head, or what tells that it is
/// there whole unless a disk has lost bytes.
enum class Reading { whole, checked, head };
struct ResultFile {
  ResultState state = ResultState::damaged;
  ShardResult result = {};
};
ResultFile read_result(std::filesystem::path const& file, Shard const& shard,
                       std::string const& fingerprint, Reading reading);

/// How a study is cut into shards: as many replicas to each as take about ten minutes, by what one
/// was measured to take.
struct ShardPlan {
  std::uint32_t shard_size = 1;
  Seconds replica_takes;
  Bytes memory;
};

inline constexpr Seconds shard_takes = Seconds(600);

/// Plays replicas until they have computed for a twentieth of a second (one under each strategy at
/// least), and plans by them; `size`: replicas a shard, where somebody says so. Nothing if it was
/// interrupted.
std::optional<ShardPlan> plan_shards(ShardPlayer const& play, StudyOptions options,
                                     std::optional<std::uint32_t> size);

/// Replicas a shard, none much smaller than the others: between half and one and a half of
/// `shard_takes` where one replica takes no longer.
std::uint32_t shard_size_for(std::uint32_t replicas, Seconds replica_takes);

}  // namespace gridcast::study

#include "sim/study/shards/shard.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sys/resource.h>

#include <fmt/format.h>

#include "gridcast_version.hpp"
#include "sim/base/files.hpp"
#include "sim/base/json_fields.hpp"
#include "sim/base/json_text.hpp"
#include "sim/base/program.hpp"
#include "sim/base/text.hpp"
#include "sim/study/journal.hpp"

namespace gridcast::study {
namespace {

constexpr std::string_view magic = "gridcast.shard/1 ";

/// Processor time of this process and of its children that have ended.
Seconds computed_so_far() {
  double seconds = 0;
  for (int const who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used = {};
    ::getrusage(who, &used);
    for (timeval const& time : {used.ru_utime, used.ru_stime}) {
      seconds += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    }
  }
  return Seconds(seconds);
}

std::string hash_of(Shard const& shard, std::string const& fingerprint) {
  return sha256(fingerprint + " " + name(shard));
}

/// `bytes`: of the records that follow.
void head_rows(auto& row, auto& result, auto& bytes) {
  row.derived("shard", name(result.shard));
  ShardRecord::fields(row, result.record);
  row.derived("replicas", result.records.size());
  row.list("failed", result.failed, [](auto& each, auto& failed) {
    each("number", failed.replica);
    each("why", failed.why);
  });
  row("bytes", bytes);
}

std::string head_text(ShardResult const& result, std::size_t bytes) {
  Json head;
  JsonWriter row(head);
  head_rows(row, result, bytes);
  return head.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string body_text(ShardResult const& result) {
  std::string bytes;
  for (auto const& [number, record] : result.records) {
    std::uint32_t const head[] = {number, static_cast<std::uint32_t>(record.size())};
    bytes.append(reinterpret_cast<char const*>(head), sizeof head);
    bytes += bytes_of_record(record);
  }
  return bytes;
}

bool read_body(std::string_view bytes, ShardResult& result) {
  while (!bytes.empty()) {
    std::uint32_t head[2];
    if (bytes.size() < sizeof head) return false;
    std::memcpy(head, bytes.data(), sizeof head);
    bytes.remove_prefix(sizeof head);
    std::size_t const length = std::size_t{head[1]} * sizeof(double);
    if (bytes.size() < length) return false;
    result.records.emplace_back(head[0], record_of_bytes(bytes.substr(0, length)));
    bytes.remove_prefix(length);
  }
  return true;
}

/// The number of bytes that follow the head; nothing if it is no head of this shard.
std::optional<std::size_t> read_head(std::string const& line, ShardResult& result) {
  std::size_t bytes = 0;
  std::vector<Problem> problems;
  Json const head = json_object(line).value_or(nlohmann::json());
  JsonReader row(head, line, problems);
  if (row.at("shard").value<std::string>() != name(result.shard)) return std::nullopt;
  head_rows(row, result, bytes);
  return problems.empty() ? std::optional(bytes) : std::nullopt;
}

/// The simulation of a replica, by its number within the shard.
std::function<Record(std::uint32_t)> task_of(Shard const& shard, scenario::Scenario const& scenario,
                                             std::vector<scenario::Strategy> const& strategies,
                                             StudyOptions const& options) {
  return [=, &scenario, &strategies, &options](std::uint32_t i) {
    auto const n = static_cast<std::uint32_t>(strategies.size());
    return predict_replica(scenario, strategies[i % n], options, shard.from + i / n);
  };
}

/// The size of the largest process so far, this one or one of its children.
Bytes largest_process() {
  constexpr double kilo = 1024;  // getrusage(2): ru_maxrss is in kilobytes
  long most = 0;
  for (int const who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used = {};
    ::getrusage(who, &used);
    most = std::max(most, used.ru_maxrss);
  }
  return Bytes(static_cast<double>(most) * kilo);
}

}  // namespace

std::string name(Shard const& shard) { return fmt::format("{}-{}", shard.from, shard.to); }

std::optional<Shard> shard_named(std::string_view text) {
  auto const range = split(text, '-');
  if (range.size() != 2) return {};
  auto const from = text_as<std::uint32_t>(range[0]), to = text_as<std::uint32_t>(range[1]);
  if (!from || !to || *from >= *to) return {};
  return Shard{*from, *to};
}

std::vector<Shard> cut(std::uint32_t replicas, std::uint32_t size) {
  std::vector<Shard> shards;
  for (std::uint32_t from = 0; from < replicas;) {
    std::uint32_t const to = replicas - from <= size ? replicas : from + size;
    shards.push_back({from, to});
    from = to;
  }
  return shards;
}

ShardTimer::ShardTimer() : started_(std::chrono::system_clock::now()), before_(computed_so_far()) {}

ShardRecord ShardTimer::record(std::uint64_t seed) const {
  auto const took = std::chrono::system_clock::now() - started_;
  return {printable(host_name()),
          std::string(version_number),
          version_revision,
          build_identity(),
          seed,
          std::chrono::system_clock::to_time_t(started_),
          Seconds(std::chrono::duration<double>(took).count()),
          computed_so_far() - before_};
}

std::optional<ShardResult> simulate_shard(Shard const& shard, scenario::Scenario const& scenario,
                                          std::vector<scenario::Strategy> const& strategies,
                                          StudyOptions const& options) {
  auto const each = static_cast<std::uint32_t>(strategies.size());
  ShardTimer const timer;
  auto pool = run_replicas((shard.to - shard.from) * each, options.processes,
                           task_of(shard, scenario, strategies, options), options.progress,
                           options.patience);
  if (!pool.trouble.empty()) throw ResourceError(std::move(pool.trouble));
  if (pool.interrupted) return std::nullopt;
  ShardResult result{shard, {}, std::move(pool.records), std::move(pool.failed)};
  for (auto& [number, record] : result.records) number += shard.from * each;
  for (auto& failed : result.failed) failed.replica += shard.from * each;
  result.record = timer.record(options.seed);
  return result;
}

std::string result_file(Shard const& shard, std::string const& fingerprint) {
  constexpr std::size_t enough = 16;
  return fmt::format("{}.{}.shard", name(shard), hash_of(shard, fingerprint).substr(0, enough));
}

void write_result(std::filesystem::path const& folder, std::string const& fingerprint,
                  ShardResult const& result) {
  std::string const body = body_text(result);
  std::string const all = head_text(result, body.size()) + body;
  auto const file = folder / result_file(result.shard, fingerprint);
  // The file may have been read before, where failed replicas were simulated again.
  note_own_file(file);
  write_file(
      file, fmt::format("{}{} {}\n", magic, hash_of(result.shard, fingerprint), sha256(all)) + all);
}

ResultFile read_result(std::filesystem::path const& file, Shard const& shard,
                       std::string const& fingerprint, Reading reading) {
  ResultFile found{ResultState::damaged, {shard, {}}};
  note_input_file(file);
  std::ifstream in(file, std::ios::binary);
  std::string first, head;
  if (!std::getline(in, first) || !first.starts_with(magic)) return found;
  auto const words = split(first, ' ');
  std::string const hash = hash_of(shard, fingerprint);
  if (words.size() != 3 || words[1].size() != hash.size()) return found;
  if (words[1] != hash) return {ResultState::of_another_study, {shard, {}}};
  if (!std::getline(in, head) || in.eof()) return found;
  auto const bytes = read_head(head, found.result);
  std::error_code error;
  auto const size = std::filesystem::file_size(file, error);
  if (!bytes || error || size != first.size() + head.size() + 2 + *bytes) return found;
  std::string body(static_cast<std::size_t>(*bytes), '\0');
  in.read(body.data(), static_cast<std::streamsize>(body.size()));
  if (sha256(head + "\n" + body) != words[2]) return found;
  if (reading == Reading::whole && !read_body(body, found.result)) return found;
  found.state = ResultState::good;
  return found;
}

std::uint32_t shard_size_for(std::uint32_t replicas, Seconds replica_takes) {
  if (!(replica_takes > Seconds())) return replicas;
  double const fitting = std::max(1.0, std::floor(shard_takes / replica_takes));
  double const shards = std::ceil(replicas / fitting);
  return static_cast<std::uint32_t>(std::ceil(replicas / shards));
}

std::optional<ShardPlan> plan_shards(scenario::Scenario const& scenario,
                                     std::vector<scenario::Strategy> const& strategies,
                                     StudyOptions options, std::optional<std::uint32_t> size) {
  constexpr Seconds enough = Seconds(0.05);
  options.processes = 1;
  options.progress = {};
  auto const replicas = static_cast<std::uint32_t>(options.replicas);
  ShardPlan plan;
  for (std::uint32_t n = 1;; n = std::min(replicas, n * 4)) {
    auto const result = simulate_shard({0, n}, scenario, strategies, options);
    if (!result) return std::nullopt;
    plan.replica_takes = result->record.computed / n;
    if (result->record.computed >= enough || n == replicas || size) break;
  }
  plan.memory = largest_process();
  plan.shard_size = size.value_or(shard_size_for(replicas, plan.replica_takes));
  return plan;
}

}  // namespace gridcast::study

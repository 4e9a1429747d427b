#include "sim/study/shards/shard.hpp"

#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <unistd.h>

#include "sim/base/files.hpp"
#include "tests/test.hpp"

namespace gridcast::study {
namespace {

namespace fs = std::filesystem;

fs::path fresh_folder(std::string const& name) {
  fs::path const folder =
      fs::temp_directory_path() / ("gridcast-shards-" + std::to_string(::getpid())) / name;
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

/// Not through to the disk, as write_file() does: there are thousands.
void write_bytes(fs::path const& file, std::string const& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

std::string bytes_of(fs::path const& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

ShardResult some_result() {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  return {{4, 7},
          {"host", "0.1.0", "abc", "build", 5, 1'700'000'000, Seconds(2.5), Seconds(2)},
          {{4, {1.5, -2, nan}}, {6, {}}},
          {{5, "killed by signal 9 (Killed): \"\xff\""}}};
}

TEST_CASE("shards are found again by their names, and nothing else is", "[shard]") {
  Shard const shard{500, 1000};
  CHECK(name(shard) == "500-1000");
  CHECK(shard_named(name(shard)) == shard);
  for (char const* const wrong : {"", "-", "1", "5-5", "7-5", "-1-5", "1-5 ", "1-5.", "1-5-7",
                                  "1-5.strategy-3", "../1-5", "1-99999999999999"}) {
    INFO(wrong);
    CHECK_FALSE(shard_named(wrong));
  }
}

TEST_CASE("shards cover each replica once", "[shard]") {
  for (std::uint32_t const size : {1U, 3U, 7U, 20U, 4'294'967'295U}) {
    std::uint32_t next = 0;
    for (Shard const& shard : cut(20, size)) {
      CHECK(shard.from == next);
      CHECK(shard.to - shard.from <= size);
      next = shard.to;
    }
    CHECK(next == 20);
  }
}

TEST_CASE("shards take from five to fifteen minutes where replicas let them", "[shard]") {
  for (double const replica : {0.001, 0.09, 1.0, 17.0, 299.0, 400.0, 899.0}) {
    for (std::uint32_t const replicas : {1000U, 100'000U, 1'000'001U}) {
      double const all = replica * replicas;
      double const takes = shard_size_for(replicas, Seconds(replica)) * replica;
      INFO(replica << " s, " << replicas);
      CHECK(takes <= 900);
      CHECK((takes >= 300 || takes >= all / 2));
    }
  }
  CHECK(shard_size_for(10, Seconds(5000)) == 1);
  CHECK(shard_size_for(10, Seconds()) == 10);
}

TEST_CASE("a result is read as it was written", "[shard]") {
  auto const folder = fresh_folder("same");
  auto const written = some_result();
  write_result(folder, "fingerprint", written);
  fs::path const file = folder / result_file(written.shard, "fingerprint");
  auto const read = read_result(file, written.shard, "fingerprint", Reading::whole);
  REQUIRE(read.state == ResultState::good);
  REQUIRE(read.result.records.size() == 2);
  CHECK(read.result.records[0].first == 4);
  CHECK(read.result.records[0].second[1] == -2);
  CHECK(std::isnan(read.result.records[0].second[2]));
  CHECK(read.result.records[1] == written.records[1]);
  REQUIRE(read.result.failed.size() == 1);
  CHECK(read.result.failed[0].replica == 5);
  CHECK(read.result.record.host == "host");
  CHECK(read.result.record.seed == 5);
  CHECK(read.result.record.took == Seconds(2.5));
  auto const checked = read_result(file, written.shard, "fingerprint", Reading::checked);
  CHECK(checked.state == ResultState::good);
  CHECK(checked.result.records.empty());
  CHECK(checked.result.failed.size() == 1);
}

TEST_CASE("a result that was cut off or damaged anywhere is noticed", "[shard]") {
  auto const folder = fresh_folder("damaged");
  auto const written = some_result();
  write_result(folder, "fingerprint", written);
  fs::path const file = folder / result_file(written.shard, "fingerprint");
  std::string const bytes = bytes_of(file);
  fs::path const other = folder / "other";
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    write_bytes(other, bytes.substr(0, n));
    for (Reading const reading : {Reading::whole, Reading::checked}) {
      CHECK(read_result(other, written.shard, "fingerprint", reading).state ==
            ResultState::damaged);
    }
    std::string flipped = bytes;
    flipped[n] = static_cast<char>(flipped[n] ^ 0x20);
    write_bytes(other, flipped);
    for (Reading const reading : {Reading::whole, Reading::checked}) {
      CHECK(read_result(other, written.shard, "fingerprint", reading).state != ResultState::good);
    }
  }
  write_bytes(other, bytes + "x");
  CHECK(read_result(other, written.shard, "fingerprint", Reading::checked).state ==
        ResultState::damaged);
}

TEST_CASE("a result is its own study's, and its own shard's", "[shard]") {
  auto const folder = fresh_folder("foreign");
  auto const written = some_result();
  write_result(folder, "fingerprint", written);
  fs::path const file = folder / result_file(written.shard, "fingerprint");
  CHECK(read_result(file, written.shard, "another", Reading::checked).state ==
        ResultState::of_another_study);
  CHECK(read_result(file, Shard{4, 8}, "fingerprint", Reading::checked).state ==
        ResultState::of_another_study);
  CHECK(result_file(written.shard, "another") != result_file(written.shard, "fingerprint"));
}

}  // namespace
}  // namespace gridcast::study

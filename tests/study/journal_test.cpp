#include "sim/study/journal.hpp"

#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>

#include "sim/base/error.hpp"
#include "sim/study/replica_pool.hpp"
#include "tests/test.hpp"

namespace gridcast::study {
namespace {

namespace fs = std::filesystem;

fs::path fresh_file(std::string const& name) {
  fs::path const folder =
      fs::temp_directory_path() / ("gridcast-journal-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  fs::remove(folder / name);
  return folder / name;
}

std::string bytes_of(fs::path const& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

Record number_of(std::uint32_t replica) {
  return {replica * 0.1, std::numeric_limits<double>::quiet_NaN()};
}

TEST_CASE("a journal gives back what was added, and only to its own study", "[journal]") {
  auto const file = fresh_file("own");
  {
    Journal journal(file, "abc");
    CHECK(journal.records().empty());
    journal.add(7, {1.5, -2});
    journal.add(2, {});
  }
  Journal const again(file, "abc");
  REQUIRE(again.records().size() == 2);
  CHECK(again.records()[0] == std::pair(std::uint32_t{7}, Record{1.5, -2}));
  CHECK(again.records()[1] == std::pair(std::uint32_t{2}, Record{}));
  CHECK_THROWS_AS(Journal(file, "abd"), InputError);
}

TEST_CASE("an entry that was cut off anywhere is dropped, the ones before it stay", "[journal]") {
  auto const file = fresh_file("cut");
  {
    Journal journal(file, "abc");
    journal.add(0, {1});
    journal.add(1, {2});
  }
  std::string const whole = bytes_of(file);
  for (std::size_t cut = 1; cut <= 20; ++cut) {
    std::ofstream(file, std::ios::binary) << whole.substr(0, whole.size() - cut);
    {
      Journal journal(file, "abc");
      REQUIRE(journal.records().size() == 1);
      journal.add(1, {2});
    }
    CHECK(bytes_of(file) == whole);
  }
}

TEST_CASE("what is no journal is refused and left as it is", "[journal]") {
  auto const file = fresh_file("other");
  std::ofstream(file) << "something of value\n";
  CHECK_THROWS_AS(Journal(file, "abc"), InputError);
  CHECK(bytes_of(file) == "something of value\n");
}

TEST_CASE("a resumed study equals an unbroken one, and plays no replica twice", "[journal]") {
  auto const file = fresh_file("resumed");
  auto const unbroken = run_replicas(12, 2, number_of);
  {
    Journal journal(file, "abc");
    run_replicas(5, 2, number_of, {}, default_patience, &journal);
  }
  Journal journal(file, "abc");
  auto const resumed = run_replicas(
      12, 2,
      [](std::uint32_t replica) {
        if (replica < 5) throw std::runtime_error("played again");
        return number_of(replica);
      },
      {}, default_patience, &journal);
  CHECK(resumed.failed.empty());
  REQUIRE(resumed.records.size() == unbroken.records.size());
  for (std::size_t i = 0; i < resumed.records.size(); ++i) {
    CHECK(resumed.records[i].first == i);
    CHECK(resumed.records[i].second[0] == unbroken.records[i].second[0]);
    CHECK(std::isnan(resumed.records[i].second[1]));
  }
}

}  // namespace
}  // namespace gridcast::study

#include "sim/study/journal.hpp"

#include <cmath>
#include <csignal>
#include <fstream>
#include <iterator>
#include <limits>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/error.hpp"
#include "sim/study/record.hpp"
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

std::string file_bytes(fs::path const& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

Record journal_record(std::uint32_t replica) {
  return {replica * 0.1, std::numeric_limits<double>::quiet_NaN()};
}

TEST_CASE("a journal returns its entries, and only to its own study", "[journal]") {
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
  std::string const whole = file_bytes(file);
  for (std::size_t cut = 1; cut <= 20; ++cut) {
    std::ofstream(file, std::ios::binary) << whole.substr(0, whole.size() - cut);
    {
      Journal journal(file, "abc");
      REQUIRE(journal.records().size() == 1);
      journal.add(1, {2});
    }
    CHECK(file_bytes(file) == whole);
  }
}

TEST_CASE("one study at a time has a journal", "[journal]") {
  auto const file = fresh_file("locked");
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  pid_t const owner = ::fork();
  if (owner == 0) {
    Journal journal(file, "abc");
    journal.add(0, {1});
    if (::write(ends[1], "x", 1) == 1) ::pause();
    ::_exit(0);
  }
  char ready = 0;
  REQUIRE(::read(ends[0], &ready, 1) == 1);
  CHECK_THROWS_WITH(Journal(file, "abc"),
                    test::has_text("is in use by process " + std::to_string(owner)));
  ::kill(owner, SIGKILL);
  ::waitpid(owner, nullptr, 0);
  ::close(ends[0]);
  ::close(ends[1]);
  CHECK(Journal(file, "abc").records().size() == 1);
}

TEST_CASE("a record that cannot be is simulated again", "[journal]") {
  auto const file = fresh_file("impossible");
  auto const names = record_names({"a site"});
  auto const possible = [&](Record const& record) { return is_possible(record, names); };
  Record const good(names.size(), 1);
  auto const with = [&](std::size_t column, double value) {
    Record record = good;
    record[column] = value;
    return record;
  };
  std::size_t const jobs = 0;
  REQUIRE(names[jobs] == "jobs");
  {
    Journal journal(file, "abc", possible);
    journal.add(0, good);
    journal.add(1, Record(names.size() - 1, 1));
    journal.add(2, Record(names.size() + 1, 1));
    journal.add(3, with(jobs, std::numeric_limits<double>::quiet_NaN()));
    journal.add(4, with(jobs, -1));
    journal.add(5, with(names.size() - 2, 1e300));
    journal.add(6, with(names.size() - 2, std::numeric_limits<double>::infinity()));
    journal.add(7, with(names.size() - 2, std::numeric_limits<double>::quiet_NaN()));  // no date
  }
  Journal const again(file, "abc", possible);
  REQUIRE(again.records().size() == 2);
  CHECK(again.records()[0].first == 0);
  CHECK(again.records()[1].first == 7);
}

TEST_CASE("a bit that has turned over, and an entry of another journal, are dropped", "[journal]") {
  auto const file = fresh_file("turned");
  auto const other = fresh_file("other-study");
  { Journal(file, "abc").add(0, {1, 2}); }
  { Journal(other, "abd").add(0, {1, 2}); }
  std::string const whole = file_bytes(file);
  std::size_t const head = std::string("gridcast.journal/2 abc\n").size();
  for (std::size_t bit = 8 * head; bit < 8 * whole.size(); ++bit) {
    std::string turned = whole;
    turned[bit / 8] = static_cast<char>(turned[bit / 8] ^ (1 << bit % 8));
    std::ofstream(file, std::ios::binary) << turned;
    CHECK(Journal(file, "abc").records().empty());
  }
  std::ofstream(file, std::ios::binary) << whole.substr(0, head) + file_bytes(other).substr(head);
  CHECK(Journal(file, "abc").records().empty());
}

TEST_CASE("a disk that is full ends the journal and not the study", "[journal]") {
  auto const file = fresh_file("full");
  struct rlimit before = {};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  auto* const handler = ::signal(SIGXFSZ, SIG_IGN);
  auto const unbroken = run_replicas(30, 2, journal_record);
  {
    Journal journal(file, "abc");
    struct rlimit const small = {300, before.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
    auto const result = run_replicas(30, 2, journal_record, {}, default_patience, &journal);
    ::setrlimit(RLIMIT_FSIZE, &before);
    CHECK(result.records.size() == 30);
    CHECK(result.failed.empty());
    CHECK_FALSE(result.interrupted);
    REQUIRE(result.trouble.size() == 1);
    CHECK_THAT(result.trouble[0].to_text(), test::has_text("cannot be written: File too large"));
  }
  ::signal(SIGXFSZ, handler);
  CHECK(Journal(file, "abc").records().size() == (300 - 23) / 32);
}

TEST_CASE("another file than a journal is refused and left unchanged", "[journal]") {
  auto const file = fresh_file("other");
  std::ofstream(file) << "something of value\n";
  CHECK_THROWS_AS(Journal(file, "abc"), InputError);
  CHECK(file_bytes(file) == "something of value\n");
}

TEST_CASE("a resumed study equals an unbroken one, and simulates no replica twice", "[journal]") {
  auto const file = fresh_file("resumed");
  auto const unbroken = run_replicas(12, 2, journal_record);
  {
    Journal journal(file, "abc");
    run_replicas(5, 2, journal_record, {}, default_patience, &journal);
  }
  Journal journal(file, "abc");
  auto const resumed = run_replicas(
      12, 2,
      [](std::uint32_t replica) {
        if (replica < 5) throw std::runtime_error("simulation again");
        return journal_record(replica);
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

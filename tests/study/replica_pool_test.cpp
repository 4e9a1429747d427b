#include "sim/study/replica_pool.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <ctime>
#include <map>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "tests/test.hpp"

namespace gridcast::study {
namespace {

using std::chrono::milliseconds;

Record number_of(std::uint32_t replica) { return {static_cast<double>(replica), 0.5}; }

TEST_CASE("replicas come back in order, however many run at a time", "[replica_pool]") {
  auto const slow_first = [](std::uint32_t replica) {
    if (replica == 0) std::this_thread::sleep_for(milliseconds(30));
    return number_of(replica);
  };
  auto const one = run_replicas(20, 1, slow_first);
  auto const four = run_replicas(20, 4, slow_first);
  REQUIRE(one.records.size() == 20);
  REQUIRE(one.records == four.records);
  for (std::uint32_t i = 0; i < 20; ++i) {
    CHECK(one.records[i].first == i);
    CHECK(one.records[i].second == number_of(i));
  }
  CHECK(one.failed.empty());
  CHECK_FALSE(one.interrupted);
}

TEST_CASE("a replica that dies is named with its reason, the others come back", "[replica_pool]") {
  auto const result = run_replicas(6, 2, [](std::uint32_t replica) {
    if (replica == 1) throw std::runtime_error("no slot matches");
    if (replica == 2) std::abort();
    if (replica == 4) _exit(7);
    if (replica == 5) _exit(0);
    return number_of(replica);
  });
  REQUIRE(result.records.size() == 2);
  CHECK(result.records[0].first == 0);
  CHECK(result.records[1].first == 3);
  REQUIRE(result.failed.size() == 4);
  CHECK(result.failed[0].replica == 1);
  CHECK(result.failed[0].why == "no slot matches");
  CHECK(result.failed[1].why == "killed by signal 6 (Aborted)");
  CHECK(result.failed[2].why == "ended with status 7");
  CHECK(result.failed[3].why == "ended without a record");
  CHECK_FALSE(result.interrupted);
}

TEST_CASE("a process simulates a thousand replicas, then another goes on", "[replica_pool]") {
  auto const result = run_replicas(
      1500, 1, [](std::uint32_t) -> Record { return {static_cast<double>(getpid())}; });
  REQUIRE(result.records.size() == 1500);
  std::map<double, int> simulated;
  for (auto const& [replica, record] : result.records) ++simulated[record[0]];
  REQUIRE(simulated.size() == 2);
  CHECK(std::max(simulated.begin()->second, simulated.rbegin()->second) == 1000);
  CHECK_FALSE(simulated.contains(static_cast<double>(getpid())));
}

TEST_CASE("a record may be longer than a pipe holds, or empty", "[replica_pool]") {
  auto const result = run_replicas(
      2, 2, [](std::uint32_t replica) { return Record(replica == 0 ? 0 : 100000, 1.25); });
  REQUIRE(result.records.size() == 2);
  CHECK(result.records[0].second.empty());
  CHECK(result.records[1].second == Record(100000, 1.25));
}

TEST_CASE("a replica that takes for ever is given up", "[replica_pool]") {
  auto const result = run_replicas(
      3, 2,
      [](std::uint32_t replica) {
        if (replica == 1) std::this_thread::sleep_for(std::chrono::minutes(1));
        return number_of(replica);
      },
      {}, milliseconds(200));
  CHECK(result.records.size() == 2);
  REQUIRE(result.failed.size() == 1);
  CHECK(result.failed[0].replica == 1);
  CHECK_THAT(result.failed[0].why, test::has_text("not done after"));
}

/// Uses the processor for so long.
void compute(milliseconds time) {
  auto const used = [] { return milliseconds(std::clock() * 1000 / CLOCKS_PER_SEC); };
  auto const begin = used();
  for (double volatile x = 0; used() - begin < time;) x = x + 1;
}

TEST_CASE("a machine that sleeps takes no replica's time", "[replica_pool]") {
  pid_t const study = ::fork();
  if (study == 0) {
    ::setpgid(0, 0);
    auto const result = run_replicas(
        4, 2,
        [](std::uint32_t replica) {
          compute(milliseconds(200));
          return number_of(replica);
        },
        {}, milliseconds(800));
    ::_exit(result.records.size() == 4 ? 0 : 1);
  }
  std::this_thread::sleep_for(milliseconds(100));
  REQUIRE(::kill(-study, SIGSTOP) == 0);
  std::this_thread::sleep_for(milliseconds(1500));
  ::kill(-study, SIGCONT);
  int status = 0;
  ::waitpid(study, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("a replica that computes for ever is given up", "[replica_pool]") {
  auto const result = run_replicas(
      2, 2,
      [](std::uint32_t replica) {
        if (replica == 1) compute(std::chrono::minutes(1));
        return number_of(replica);
      },
      {}, milliseconds(200));
  CHECK(result.records.size() == 1);
  REQUIRE(result.failed.size() == 1);
  CHECK(result.failed[0].why == "not done after computing for 0.2 s");
}

/// As many replicas as the machine gives processes and descriptors for.
TEST_CASE("with few descriptors there are fewer replicas at a time, and as many in the end",
          "[replica_pool]") {
  struct rlimit before = {};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  struct rlimit const few = {16, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &few) == 0);
  auto const result = run_replicas(50, 100, number_of);
  ::setrlimit(RLIMIT_NOFILE, &before);
  CHECK(result.records.size() == 50);
  CHECK(result.trouble.empty());
  CHECK_FALSE(result.interrupted);
}

TEST_CASE("an interrupt keeps finished replicas and starts no others", "[replica_pool]") {
  int const wanted = GENERATE(SIGINT, SIGTERM, SIGHUP);
  auto const begin = std::chrono::steady_clock::now();
  auto const result = run_replicas(
      100, 2,
      [](std::uint32_t replica) {
        if (replica >= 5) std::this_thread::sleep_for(std::chrono::minutes(1));
        return number_of(replica);
      },
      [wanted](std::size_t done, std::size_t, std::size_t) {
        if (done == 5) kill(getpid(), wanted);
      });
  CHECK(result.interrupted);
  CHECK(result.records.size() == 5);
  CHECK(result.failed.empty());
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(10));
}

TEST_CASE("a study restores the signals", "[replica_pool]") {
  struct sigaction before = {};
  sigaction(SIGINT, nullptr, &before);
  run_replicas(2, 2, number_of);
  struct sigaction after = {};
  sigaction(SIGINT, nullptr, &after);
  CHECK(before.sa_handler == after.sa_handler);
  sigset_t mask;
  sigprocmask(SIG_BLOCK, nullptr, &mask);
  CHECK(sigismember(&mask, SIGINT) == 0);
}

TEST_CASE("a hangup that is ignored does not end a study", "[replica_pool]") {
  auto* const before = std::signal(SIGHUP, SIG_IGN);  // as nohup does
  auto const result =
      run_replicas(20, 2, number_of, [](std::size_t done, std::size_t, std::size_t) {
        if (done == 5) kill(getpid(), SIGHUP);
      });
  CHECK(std::signal(SIGHUP, before) == SIG_IGN);
  CHECK_FALSE(result.interrupted);
  CHECK(result.records.size() == 20);
}

TEST_CASE("progress counts each replica once", "[replica_pool]") {
  std::size_t calls = 0;
  std::size_t last_failed = 0;
  run_replicas(
      10, 3,
      [](std::uint32_t replica) {
        if (replica % 5 == 0) throw std::runtime_error("a fault of the test");
        return number_of(replica);
      },
      [&](std::size_t done, std::size_t failed, std::size_t total) {
        CHECK(done == ++calls);
        CHECK(total == 10);
        last_failed = failed;
      });
  CHECK(calls == 10);
  CHECK(last_failed == 2);
}

}  // namespace
}  // namespace gridcast::study

#include "sim/ledger/black_holes.hpp"

#include "sim/classad/expression.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::ledger {
namespace {

using enum history::EventKind;

/// So many attempts of 100 s on each host, of which so many failed.
struct OnHost {
  char const* host;
  int attempts, failed;
};

history::JobHistory campaign(std::vector<OnHost> const& hosts) {
  history::JobHistory history;
  history.sites = {"A"};
  history.slots = {"unknown"};
  for (OnHost const& on : hosts) {
    history.slots.push_back(std::string("slot1@") + on.host);
    for (int i = 0; i < on.attempts; ++i) {
      Id<history::Job> const job(history.jobs.size());
      history.jobs.push_back({1, static_cast<std::uint32_t>(job.index())});
      history::JobEvent event{.job = job};
      history.events.push_back(event);
      event.site = Id<history::Site>(0);
      event.slot = static_cast<std::uint32_t>(history.slots.size() - 1);
      for (auto const& [at, kind] : {std::pair(0, matched), std::pair(0, executing)}) {
        event.at = Seconds(at);
        event.kind = kind;
        history.events.push_back(event);
      }
      event.at = Seconds(100);
      event.kind = terminated;
      event.useful = i >= on.failed;
      history.events.push_back(event);
    }
  }
  return history;
}

}  // namespace

TEST_CASE("A host on which job after job fails is named, with its cost") {
  auto const found = find_black_holes(campaign({{"n1.a.org", 50, 2},
                                                {"n2.a.org", 20, 19},
                                                {"n3.a.org", 50, 3},
                                                {"n4.a.org 192.0.2.1:9618/startd", 30, 30}}));
  REQUIRE(found.hosts.size() == 2);
  CHECK(found.hosts_seen == 4);
  CHECK(found.hosts[0].host == "n4.a.org");
  CHECK(found.hosts[0].site == "A");
  CHECK(found.hosts[0].lost == Seconds(3000));
  CHECK(found.hosts[1].failed == 19);
  CHECK(requirements_without(found.hosts) ==
        "(Machine != \"n4.a.org\") && (Machine != \"n2.a.org\")");
}

TEST_CASE("The jobs of a record have the black holes of its history") {
  auto const history = campaign({{"n1", 50, 2}, {"n2", 20, 19}, {"n3", 50, 3}});
  auto const of_history = find_black_holes(history);
  auto const of_jobs = find_black_holes(history::read_attempts(history));
  REQUIRE(of_jobs.hosts.size() == 1);
  CHECK(of_jobs.hosts[0].host == of_history.hosts.at(0).host);
  CHECK(of_jobs.hosts[0].failed == of_history.hosts[0].failed);
  CHECK(of_jobs.hosts[0].lost == of_history.hosts[0].lost);
  CHECK(of_jobs.all.ended == of_history.all.ended);
  CHECK(of_jobs.hosts_seen == 3);
}

TEST_CASE("Black holes do not hide each other, however many attempts they take") {
  for (int holes : {1, 3, 6, 12}) {
    std::vector<OnHost> hosts;
    std::vector<std::string> names;
    for (int i = 0; i < 18; ++i) names.push_back("n" + std::to_string(i));
    for (int i = 0; i < 18; ++i) {
      bool const hole = i < holes;
      hosts.push_back(
          {names[static_cast<std::size_t>(i)].c_str(), hole ? 100 : 10, hole ? 100 : 0});
    }
    auto const history = campaign(hosts);
    auto const found = find_black_holes(history);
    CHECK(found.hosts.size() == static_cast<std::size_t>(holes));
    for (HostAttempts const& host : found.hosts) CHECK(host.failed == 100);
    CHECK(find_black_holes(history::read_attempts(history)).hosts.size() == found.hosts.size());
  }
}

TEST_CASE("Where jobs fail on most hosts alike, only the hosts that differ from them are named") {
  // Ten hosts fail six times in ten, two fail always, and a seldom used one never.
  std::vector<OnHost> hosts(10, {"", 50, 30});
  std::vector<std::string> names;
  for (int i = 0; i < 10; ++i) names.push_back("n" + std::to_string(i));
  for (std::size_t i = 0; i < 10; ++i) hosts[i].host = names[i].c_str();
  hosts.push_back({"good", 4, 0});
  CHECK(find_black_holes(campaign(hosts)).hosts.empty());
  // Three in ten of them, and the two stand out.
  for (std::size_t i = 0; i < 10; ++i) hosts[i].failed = 15;
  hosts.push_back({"bad1", 200, 200});
  hosts.push_back({"bad2", 200, 200});
  CHECK(find_black_holes(campaign(hosts)).hosts.size() == 2);
}

TEST_CASE(
    "Jobs elsewhere that run for longer than a host's failures show that it is a black hole") {
  auto history = campaign({{"good", 20, 0}, {"bad", 40, 40}});
  // The twenty have no end yet.
  std::erase_if(history.events,
                [](auto const& event) { return event.kind == terminated && event.slot == 1; });
  history.seen_until = Seconds(150);  // less than twice the failures
  CHECK(find_black_holes(history).hosts.empty());
  history.seen_until = Seconds(10'000);
  auto const found = find_black_holes(history);
  REQUIRE(found.hosts.size() == 1);
  CHECK(found.hosts[0].host == "bad");
  CHECK(found.all.ended == 40);
  CHECK(find_black_holes(history::read_attempts(history)).hosts.size() == 1);
}

TEST_CASE("A host is no black hole by chance, or where all jobs fail") {
  // One of two hosts with three failures of three: p = 1 / C(6, 3) = 0.05.
  CHECK(find_black_holes(campaign({{"n1", 3, 0}, {"n2", 3, 3}})).hosts.empty());
  CHECK(find_black_holes(campaign({{"n1", 50, 45}, {"n2", 50, 50}})).hosts.empty());
  CHECK(find_black_holes(campaign({{"n1", 50, 50}})).hosts.empty());
  CHECK(find_black_holes(history::JobHistory()).hosts_seen == 0);
}

TEST_CASE("Hosts of which only the address is known are avoided by it") {
  auto const found =
      find_black_holes(campaign({{"192.0.2.1:9618", 40, 0}, {"192.0.2.17:40001", 20, 20}}));
  REQUIRE(found.hosts.size() == 1);
  CHECK(found.hosts[0].host == "192.0.2.17");
  CHECK(requirements_without(found.hosts) == "!regexp(\"^<192[.]0[.]2[.]17:\", MyAddress)");
}

TEST_CASE(
    "A host with an address of IPv6 is one host on all its ports, and its requirement works") {
  auto const found = find_black_holes(campaign({{"[2001:470:1::1]:9618", 40, 0},
                                                {"[2001:470:1::13]:9618", 10, 10},
                                                {"[2001:470:1::13]:40001", 10, 10},
                                                {"node7.example:9618", 20, 0}}));
  REQUIRE(found.hosts.size() == 1);
  CHECK(found.hosts[0].host == "2001:470:1::13");
  CHECK(found.hosts[0].failed == 20);
  CHECK(found.hosts_seen == 3);
  auto const requirements = classad::parse(requirements_without(found.hosts), {"test"});
  auto const accepts = [&](char const* address) {
    classad::Ad slot;
    slot.set("MyAddress", classad::Value(address));
    return classad::holds(classad::evaluate(requirements, {slot}));
  };
  CHECK_FALSE(accepts("<[2001:470:1::13]:9618?addrs=x>"));
  CHECK(accepts("<[2001:470:1::1]:9618?addrs=x>"));
  CHECK(accepts("<192.0.2.7:9618?addrs=x>"));
}

}  // namespace gridcast::ledger

#include "sim/scenario/pool.hpp"
#include "sim/scenario/scenario.hpp"
#include "tests/scenario/files.hpp"
#include "tests/test.hpp"

namespace gridcast::scenario {

using test::has_text;
using test::pool_name;
using test::scenario_name;
using test::ScenarioFiles;

namespace {

constexpr char published[] = "published: {}";

Strategy read_strategy(std::string const& text, std::string const& of_pool = "") {
  ScenarioFiles files;
  files.edit(scenario_name, published, "published: " + text);
  if (!of_pool.empty()) files.write(pool_name, files.text(pool_name) + of_pool + "\n");
  REQUIRE(files.problems().empty());
  return read_scenario(files / scenario_name).strategy("published");
}

/// On execution points of that version.
Strategy under(std::string const& htcondor) {
  return read_strategy("{software: {htcondor: " + htcondor + "}}");
}

}  // namespace

TEST_CASE("A version is two or three numbers") {
  CHECK(parse_version("23.9.6") == Version{{23, 9, 6}});
  CHECK(parse_version("7.10") == Version{{7, 10, 0}});
  for (char const* text : {"", "23", "23.", "23.9.", ".9", "23.9.6.1", "23.9.6 ", " 23.9", "v23.9",
                           "23.x", "-1.2", "23.-9", "99999999999.1", "23..9"}) {
    INFO(text);
    CHECK_FALSE(parse_version(text));
  }
  for (Version const& version : {Version{{23, 9, 6}}, Version{{7, 10, 0}}}) {
    CHECK(parse_version(to_text(version)) == version);
  }
}

TEST_CASE("Versions are ordered by number, not by letter") {
  CHECK(*parse_version("7.9") < *parse_version("7.10"));
  CHECK(*parse_version("23.9.6") < *parse_version("23.10.1"));
  CHECK(*parse_version("9.1") < *parse_version("23.0"));
  CHECK(*parse_version("25.2") == *parse_version("25.2.0"));
}

TEST_CASE("HTCondor's version decides which transfers the starter's timer ends") {
  using enum StallTimer;
  for (auto const& [version, timer] :
       std::vector<std::pair<std::string, StallTimer>>{{"10.0.0", never},
                                                       {"23.8.0", never},
                                                       {"23.8.1", whole_transfer},
                                                       {"23.9.6", whole_transfer},
                                                       {"25.2.0", whole_transfer},
                                                       {"25.2.1", never},
                                                       {"25.6.1", never}}) {
    INFO(version);
    CHECK(under(version).transfer.stall_timer == timer);
  }
  CHECK(read_strategy("{}").transfer.stall_timer == silence);
}

TEST_CASE("From HTCondor 25.6.1 on a failed plugin cools the job down") {
  CHECK(under("25.6.0").retry.on_transfer_failure == OnTransferFailure::recorded);
  RetryStrategy const retry = under("25.6.1").retry;
  CHECK(retry.on_transfer_failure == OnTransferFailure::cool_down);
  CHECK(retry.delay_min == Seconds(300));
  CHECK(retry.delay_max == Seconds(600));
  CHECK(retry.times == 4);
}

TEST_CASE("An older access point holds the jobs that the pool would cool down") {
  for (auto const& [version, then] : std::vector<std::pair<std::string, OnTransferFailure>>{
           {"25.6.0", OnTransferFailure::hold}, {"25.7.1", OnTransferFailure::cool_down}}) {
    INFO(version);
    CHECK(read_strategy("{software: {htcondor: " + version + "}}", "software: {htcondor: 25.6.1}")
              .retry.on_transfer_failure == then);
  }
}

// The policy is of jobs that fetch by pelican, osdf or stash (FEATURE:PelicanRetryPolicy).
TEST_CASE("Only transfers through Pelican cool down") {
  for (std::string const protocol : {"http", "htcondor"}) {
    CAPTURE(protocol);
    std::string const strategy =
        "{software: {htcondor: 25.6.1}, transfer: {protocol: " + protocol + "}}";
    CHECK(read_strategy(strategy).retry.on_transfer_failure == OnTransferFailure::recorded);
    // The failures in its record are Pelican's.
    CHECK(read_strategy(strategy, "software: {htcondor: 25.6.1}").retry.on_transfer_failure ==
          OnTransferFailure::hold);
  }
}

TEST_CASE("A claim is given back after five failures before 23.9.6, after two since") {
  CHECK(under("23.8.1").transfer.max_shadow_exceptions == 5);
  CHECK(under("23.9.6").transfer.max_shadow_exceptions == 2);
  CHECK(read_strategy("{software: {htcondor: 23.8.1}, transfer: {max_shadow_exceptions: 3}}")
            .transfer.max_shadow_exceptions == 3);
}

TEST_CASE("Pelican asks the next cache, and resumes from 7.16 on") {
  for (auto const& [version, resumes] : std::vector<std::pair<std::string, bool>>{
           {"7.10", false}, {"7.15.9", false}, {"7.16", true}}) {
    INFO(version);
    TransferStrategy const transfer =
        read_strategy("{software: {pelican: " + version + "}}").transfer;
    CHECK(transfer.on_stall == OnStall::next_cache);
    CHECK(transfer.client_timeout == Seconds(100));
    CHECK(transfer.resume == resumes);
    CHECK(transfer.stall_timeout == hours(1));  // the starter's is its own
  }
  // These transfers use no Pelican client.
  for (char const* protocol : {"http", "htcondor"}) {
    TransferStrategy const transfer =
        read_strategy(std::string("{software: {pelican: 7.16}, transfer: {protocol: ") + protocol +
                      "}}")
            .transfer;
    CHECK(transfer.on_stall == OnStall::requeue);
    CHECK_FALSE(transfer.resume);
  }
}

TEST_CASE("Versions of Pelican whose rules are not known are refused") {
  for (char const* version : {"6.0", "7.1", "7.9.9"}) {
    CAPTURE(version);
    ScenarioFiles files;
    files.edit(scenario_name, published,
               "published: {software: {pelican: " + std::string(version) + "}}");
    auto const found = files.problems();
    REQUIRE(found.size() == 1);
    CHECK_THAT(found[0], has_text("strategies.published.software.pelican: the rules of Pelican ") &&
                             has_text(" are not known, only those from 7.10 on"));
  }
  CHECK(older_than_known({}).empty());
  CHECK(older_than_known({Version{{8, 0, 0}}, {}}).empty());
  CHECK(older_than_known({{}, Version{{7, 10, 0}}}).empty());
}

TEST_CASE("A key that is written wins over the version") {
  Strategy const strategy = read_strategy(
      "{software: {htcondor: 25.6.1, pelican: 7.16}, transfer: {stall_timer: silence, "
      "client_timeout: 7 s, resume: false}, retry: {on_transfer_failure: requeue}}");
  CHECK(strategy.transfer.stall_timer == StallTimer::silence);
  CHECK(strategy.transfer.client_timeout == Seconds(7));
  CHECK_FALSE(strategy.transfer.resume);
  CHECK(strategy.retry.on_transfer_failure == OnTransferFailure::requeue);
  TransferStrategy const waits =
      read_strategy("{software: {pelican: 7.16}, transfer: {on_stall: requeue}}").transfer;
  CHECK(waits.on_stall == OnStall::requeue);
  CHECK(waits.client_timeout == Seconds());
  CHECK_FALSE(waits.resume);
  RetryStrategy const retry =
      read_strategy("{software: {htcondor: 25.6.1}, retry: {delay: 1 min, times: 9}}").retry;
  CHECK(retry.on_transfer_failure == OnTransferFailure::cool_down);
  CHECK(retry.delay_max == minutes(1));
  CHECK(retry.times == 9);
}

TEST_CASE("The pool's versions hold where a strategy names none of its own") {
  std::string const pool = "software: {htcondor: 23.9.6, pelican: 7.10}";
  Strategy const usual = read_strategy("{}", pool);
  CHECK(usual.transfer.stall_timer == StallTimer::whole_transfer);
  CHECK(usual.transfer.on_stall == OnStall::next_cache);
  Strategy const upgraded = read_strategy("{software: {htcondor: 25.6.1}}", pool);
  CHECK(upgraded.transfer.stall_timer == StallTimer::never);
  CHECK(upgraded.retry.on_transfer_failure == OnTransferFailure::cool_down);
  CHECK_FALSE(upgraded.transfer.resume);  // Pelican is still the pool's
  CHECK(upgraded.transfer.client_timeout == Seconds(100));
  CHECK(read_strategy("{software: {pelican: 7.16}}", pool).transfer.resume);
}

TEST_CASE("Each half of the software comes from the nearer of two places") {
  Version const old{{23, 9, 6}}, recent{{25, 6, 1}}, client{{7, 16, 0}};
  Software const both = software_of({recent, {}}, {old, client});
  CHECK(both.htcondor == recent);
  CHECK(both.pelican == client);
  CHECK_FALSE(software_of({}, {}).htcondor);
}

TEST_CASE("The reader reports a wrong version once, with its place") {
  for (char const* bad : {"23", "new", "23.9.6.1"}) {
    ScenarioFiles files;
    files.edit(scenario_name, published,
               std::string("published: {software: {htcondor: ") + bad + "}}");
    auto const found = files.problems();
    CAPTURE(bad, found);
    REQUIRE(found.size() == 1);
    CHECK_THAT(found[0], has_text("scenario.yaml:12:36: strategies.published.software.htcondor: '" +
                                  std::string(bad) + "' is no version"));
    CHECK_THAT(found[0], has_text("Write '23.9.6'."));
  }
  ScenarioFiles files;
  files.write(pool_name, files.text(pool_name) + "software: {pelican: latest, condor: 23.9.6}\n");
  auto const found = files.problems();
  CAPTURE(found);
  REQUIRE(found.size() == 2);
  CHECK_THAT(found[0] + found[1], has_text("software.pelican: 'latest' is no version") &&
                                      has_text("unknown key 'condor'"));
}

}  // namespace gridcast::scenario

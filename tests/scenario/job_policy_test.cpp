#include <fmt/format.h>

#include "sim/scenario/controls.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/tables.hpp"
#include "tests/scenario/files.hpp"
#include "tests/test.hpp"

namespace gridcast::scenario {

using test::has_text;
using test::scenario_name;
using test::ScenarioFiles;

namespace {

constexpr char published[] = "published: {}";

Strategy read_strategy(std::string const& text) {
  ScenarioFiles files;
  files.edit(scenario_name, published, "published: " + text);
  return read_scenario(files / scenario_name).strategy("published");
}

std::vector<std::string> problems(std::string const& text) {
  ScenarioFiles files;
  files.edit(scenario_name, published, "published: " + text);
  return files.problems();
}

}  // namespace

TEST_CASE("A job without policy commands has no policy of its own") {
  JobPolicy const policy = read_strategy("{}").retry.policy;
  CHECK_FALSE(policy.periodic_hold);
  CHECK_FALSE(policy.periodic_release);
  CHECK_FALSE(policy.on_exit_remove);
  CHECK_FALSE(policy.requirements);
  CHECK_FALSE(policy.max_retries);
  CHECK(policy.success_exit_code == 0);
  CHECK_FALSE(policy.allowed_execute_duration);
  CHECK_FALSE(policy.plugin_lifetime);
  CHECK(policy.checkpoint_every_epochs == 0);
}

TEST_CASE("A job's policy is read from the groups of its strategy") {
  Strategy const strategy = read_strategy(
      "{retry: {periodic_release: \"HoldReasonCode == 13 && time() - EnteredCurrentStatus > "
      "1200\", max_retries: 3, retry_until: 85, on_exit_hold: ExitCode =!= 0, crash_holds: true, "
      "outputs_unlisted: true, periodic_hold: false, periodic_hold_subcode: 7}, transfer: "
      "{plugin_lifetime: 25 s}, "
      "match: {requirements: 'TARGET.Memory > 5', rank: Memory}, limits: "
      "{allowed_execute_duration: 20 h, allowed_job_duration: 1 d, job_lease_duration: 20 s}, "
      "checkpoint: {every_epochs: 2}}");
  JobPolicy const& policy = strategy.retry.policy;
  CHECK(policy.periodic_release->text() ==
        "HoldReasonCode == 13 && time() - EnteredCurrentStatus > 1200");
  CHECK(policy.retry_until->literal()->number() == 85);
  CHECK(policy.on_exit_hold->text() == "ExitCode =!= 0");
  CHECK(policy.periodic_hold->literal());
  CHECK(policy.periodic_hold_subcode == 7);
  CHECK(policy.max_retries == 3);
  CHECK(policy.crash_holds);
  CHECK(policy.outputs_unlisted);
  CHECK(policy.plugin_lifetime == Seconds(25));
  CHECK(policy.requirements->attributes() == std::vector<std::string>{"Memory"});
  CHECK(policy.rank->text() == "Memory");
  CHECK(policy.allowed_execute_duration == hours(20));
  CHECK(policy.allowed_job_duration == days(1));
  CHECK(policy.job_lease_duration == Seconds(20));
  CHECK(policy.checkpoint_every_epochs == 2);
  CHECK(policy.checkpoint_exit_code == 85);
}

TEST_CASE("An expression with a fault is reported with its line and column") {
  auto const found = problems("{retry: {periodic_hold: \"NumHolds = 3\"}}");
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0], has_text("scenario.yaml:12:48: strategies.published.retry.periodic_hold: "
                                "'NumHolds = 3' is not a ClassAd expression"));
  CHECK_THAT(found[0], has_text("Write '==' to compare."));
  auto const unknown = problems("{retry: {periodic_hold: frobnicate(3)}}");
  REQUIRE(unknown.size() == 1);
  CHECK_THAT(unknown[0], has_text("gridcast has no ClassAd function 'frobnicate'"));
  auto const bounds = problems("{retry: {max_retries: -1, success_exit_code: 300}}");
  CHECK(bounds.size() == 2);
}

TEST_CASE("Late materialization and scaled work are the campaign's") {
  ScenarioFiles files;
  files.edit(scenario_name, "epochs: 5}", "epochs: 5, scale: 0.25, crash_odds: 2}\n  max_idle: 10");
  Campaign const campaign = read_scenario(files / scenario_name).campaign;
  CHECK(campaign.work.scale == 0.25);
  CHECK(campaign.work.crash_odds == FactorRange{2, 2});
  CHECK(campaign.max_idle == 10);
  CHECK(campaign.max_materialize == 0);
}

TEST_CASE("Attributes that no simulated job has are noted at their place") {
  auto const notes = [](std::string const& strategy) {
    ScenarioFiles files;
    files.edit(scenario_name, published, "published: " + strategy);
    std::vector<std::string> texts;
    for (Problem const& note : read_scenario(files / scenario_name).notes) {
      CHECK(note.where.line > 0);
      texts.push_back(note.what);
    }
    return texts;
  };
  CHECK(notes("{}").empty());
  CHECK(notes("{retry: {periodic_release: 'HoldReasonCode == 13 && NumHolds < 3', retry_until: "
              "'ExitCode == 3'}, match: {requirements: 'TARGET.GLIDEIN_Site == \"x\"'}}")
            .empty());
  CHECK(notes("{retry: {periodic_remove: 'RemoteWallClockTime > 2500', periodic_release: "
              "'HoldReasonCod == 13 && Foo > 1'}}") ==
        std::vector<std::string>{"strategies.published.retry.periodic_release: simulated jobs have "
                                 "no HoldReasonCod, Foo: undefined",
                                 "strategies.published.retry.periodic_remove: simulated jobs have "
                                 "no RemoteWallClockTime: undefined"});
  CHECK(notes("{match: {rank: Mips}}") ==
        std::vector<std::string>{"strategies.published.match.rank: simulated jobs and slots have "
                                 "no Mips: undefined"});
  // A slot's attribute is none of a job in the queue.
  CHECK(notes("{retry: {periodic_hold: 'GLIDEIN_Site == \"x\"'}}").size() == 1);
}

TEST_CASE("Keys of a client that gives up no connection are noted, each at its place") {
  auto const notes = [](std::string const& transfer) {
    ScenarioFiles files;
    files.edit(scenario_name, published, "published: {transfer: " + transfer + "}");
    return read_scenario(files / scenario_name).notes;
  };
  CHECK(notes("{on_stall: next_cache, client_timeout: 5 s, resume: true}").empty());
  auto const two = notes("{client_timeout: 5 s, resume: true}");
  REQUIRE(two.size() == 2);
  CHECK(two[0].what == "strategies.published.transfer.client_timeout: this has no effect");
  CHECK(two[1].what == "strategies.published.transfer.resume: this has no effect");
  CHECK(two[1].why == "the client tries no other cache (on_stall: next_cache does)");
  CHECK(two[1].where.column > two[0].where.column);
  auto const http = notes("{protocol: http, resume: true}");
  REQUIRE(http.size() == 1);
  CHECK(http[0].why == "the client tries no other cache (on_stall: next_cache does)");
}

// A log without sizes records transfers all the same, and a timer ends those that are repeated.
TEST_CASE("Keys of transfers act on repeated jobs without a known input") {
  auto const notes = [](std::string const& from) {
    ScenarioFiles files;
    files.edit(scenario_name, published, "published: {transfer: {stall_timeout: 20 min}}");
    Scenario scenario = read_scenario(files / scenario_name);
    scenario.campaign.input.clear();
    scenario.campaign.work.from = from == "record" ? JobSource::record : JobSource::processes;
    return why_no_effect(scenario, scenario.strategies.front(), "transfer.stall_timeout");
  };
  CHECK(notes("processes") == "the jobs have no input");
  CHECK(notes("record").empty());
}

// Jobs have five epochs, and the end of the last is the job's.
TEST_CASE("Keys that act only beside another key are noted without it") {
  auto const notes = [](std::string const& keys) {
    ScenarioFiles files;
    files.edit(scenario_name, published, "published: " + keys);
    return read_scenario(files / scenario_name).notes;
  };
  CHECK(notes("{retry: {times: 9}}").size() == 1);
  CHECK(notes("{retry: {on_transfer_failure: cool_down, times: 9, delay: 1 h}}").empty());
  CHECK(notes("{release: {times: 3}}").size() == 1);
  CHECK(notes("{release: {times: 3, transfer_holds_after: 1 h}}").empty());
}

TEST_CASE("A checkpoint that would come when the job is done is noted") {
  for (int const every : {1, 4, 5, 12}) {
    CAPTURE(every);
    ScenarioFiles files;
    files.edit(scenario_name, published,
               fmt::format("published: {{checkpoint: {{every_epochs: {}}}}}", every));
    auto const notes = read_scenario(files / scenario_name).notes;
    REQUIRE(notes.size() == (every < 5 ? 0 : 1));
    if (every < 5) continue;
    CHECK(notes[0].what == "strategies.published.checkpoint.every_epochs: this has no effect");
    CHECK(notes[0].why == "jobs end with epoch 5");
  }
}

}  // namespace gridcast::scenario

#include "sim/optimize/knob.hpp"

#include <algorithm>
#include <memory>
#include <set>

#include "sim/optimize/setting_lines.hpp"
#include "sim/scenario/tables.hpp"
#include "tests/test.hpp"

namespace gridcast::optimize {
namespace {

scenario::Scenario const& published() {
  static scenario::Scenario const scenario =
      scenario::read_scenario(test::source_dir() / "scenarios/osg-imagenet.yaml");
  return scenario;
}

scenario::Strategy const& current() { return published().strategy("published"); }

StrategySpace space_of(Party party) { return {knobs_of(published(), current(), party), current()}; }

std::set<std::string> keys_of(Party party) {
  std::set<std::string> keys;
  for (Knob const& knob : knobs_of(published(), current(), party)) keys.insert(knob.key);
  return keys;
}

std::vector<std::string> texts(scenario::Strategy const& wanted, Party as) {
  std::vector<std::string> lines;
  for (auto const& line : setting_lines(current(), wanted, as)) lines.push_back(line.text);
  return lines;
}

TEST_CASE("each knob changes the key that it names", "[optimize]") {
  auto const space = space_of(Party::anyone);
  auto const points = space.space().single_changes(space.space().start(), 3);
  std::set<std::size_t> moved;
  for (Point const& point : points) {
    auto const changed = space.strategy_at(point);
    std::set<std::string> paths;
    for (auto const& each : scenario::strategy_table().differences(current(), changed)) {
      paths.insert(each.path);
    }
    for (std::size_t const i : space.space().changes(point)) {
      CAPTURE(space.knob(i).key, value_text(space.knob(i), point[i]));
      // The usual value of a setting that another one switches on may be the one that it has.
      bool const switched_on = !space.space().start()[i] && space.knob(i).applies;
      CHECK((switched_on || paths.contains(space.knob(i).key)));
      if (paths.contains(space.knob(i).key)) moved.insert(i);
    }
    CHECK(space.strategy_at(space.space().start()) == current());
  }
  CHECK(moved.size() == space.space().size());
}

TEST_CASE("each party has its own settings", "[optimize]") {
  auto const owner = keys_of(Party::owner), site = keys_of(Party::site),
             access_point = keys_of(Party::access_point), all = keys_of(Party::anyone);
  CHECK(owner.contains("release.transfer_holds_after"));
  CHECK_FALSE(owner.contains("transfer.stall_timeout"));
  CHECK(site.contains("transfer.stall_timeout"));
  CHECK_FALSE(site.contains("release.transfer_holds_after"));
  CHECK(access_point.contains("retry.on_transfer_failure"));
  std::set<std::string> together = owner;
  together.insert(site.begin(), site.end());
  together.insert(access_point.begin(), access_point.end());
  CHECK(together == all);
}

TEST_CASE("settings are lines of HTCondor's files", "[optimize]") {
  auto wanted = current();
  wanted.release.transfer_holds_after = minutes(20);
  wanted.release.times = 10;
  wanted.retry.policy.max_retries = 3;
  CHECK(texts(wanted, Party::owner) ==
        std::vector<std::string>{"periodic_release = HoldReasonCode == 13 && NumHolds <= 10 && "
                                 "time() - EnteredCurrentStatus > 1200",
                                 "max_retries = 3"});
  wanted = current();
  wanted.transfer.stall_timeout = hours(2);
  wanted.transfer.max_shadow_exceptions = 5;
  auto const lines = setting_lines(current(), wanted, Party::anyone);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0] == SettingLine{Party::access_point, "MAX_SHADOW_EXCEPTIONS = 5"});
  CHECK(lines[1] == SettingLine{Party::site, "STARTER_FILE_XFER_STALL_TIMEOUT = 7200"});
  CHECK(texts(current(), Party::anyone).empty());
}

// condor_submit takes the last of two lines for one command.
TEST_CASE("all that changes in the requirements is in one line", "[optimize]") {
  auto const requirements = [](scenario::Strategy const& now, scenario::Strategy const& wanted) {
    std::vector<std::string> found;
    for (auto const& line : setting_lines(now, wanted, Party::owner)) {
      if (line.text.starts_with("requirements")) found.push_back(line.text);
    }
    return found;
  };
  auto const own = classad::parse("HasSingularity", {});
  auto wanted = current();
  wanted.match.avoid_hosts = {"bad.host"};
  wanted.retry.policy.requirements = own;
  CHECK(requirements(current(), wanted) ==
        std::vector<std::string>{"requirements = (HasSingularity) && (Machine != \"bad.host\")"});

  auto now = current();
  now.match.avoid_site_after_stalls = 1;
  now.match.avoid_site_for = hours(1);
  wanted = now;
  wanted.retry.policy.requirements = own;
  std::string const sites =
      "(time() - EnteredCurrentStatus > 3600 || "
      "!(TARGET.GLIDEIN_ResourceName =?= MachineAttrGLIDEIN_ResourceName0))";
  CHECK(requirements(now, wanted) ==
        std::vector<std::string>{"requirements = (HasSingularity) && " + sites});
  now = wanted;
  wanted.match.avoid_hosts = {"bad.host"};
  CHECK(requirements(now, wanted) ==
        std::vector<std::string>{"requirements = (HasSingularity) && " + sites +
                                 " && (Machine != \"bad.host\")"});
}

TEST_CASE("a cool-down follows failed input alone", "[optimize]") {
  auto wanted = current();
  wanted.retry.on_transfer_failure = scenario::OnTransferFailure::cool_down;
  wanted.retry.delay_min = minutes(5);
  wanted.retry.times = 4;
  // HTCondor evaluates it after evictions too, and a new job has no number of cool-downs.
  CHECK(
      texts(wanted, Party::access_point) ==
      std::vector<std::string>{"SYSTEM_ON_VACATE_COOL_DOWN = ifThenElse(VacateReasonCode == 13 && "
                               "(NumJobCoolDowns ?: 0) < 4, 300 + random(300), 0)"});
}

TEST_CASE("each change of a setting has a line", "[optimize]") {
  auto rich = current();
  rich.release.transfer_holds_after = minutes(20);
  rich.retry.policy.max_retries = 3;
  rich.retry.policy.job_lease_duration = minutes(40);
  rich.retry.policy.plugin_lifetime = hours(1);
  rich.retry.on_transfer_failure = scenario::OnTransferFailure::cool_down;
  rich.retry.delay_min = minutes(5);
  rich.retry.delay_max = minutes(10);
  rich.match.avoid_site_after_stalls = 2;
  rich.match.avoid_site_for = hours(2);
  rich.transfer.on_stall = scenario::OnStall::next_cache;
  rich.transfer.client_timeout = Seconds(100);
  rich.transfer.resume = true;
  rich.transfer.most_at_a_time = 4;
  rich.submit.max_materialize = 20;
  rich.submit.jobs_at_a_time = 10;
  rich.submit.every = hours(2);
  rich.submit.second_copy_after = hours(12);
  auto scenario = published();
  scenario.campaign.work.memory = {Bytes(1e9), Bytes(4e9)};
  scenario.campaign.request.memory = Bytes(2e9);
  scenario.campaign.work.disk = {Bytes(1e9), Bytes(4e9)};
  scenario.campaign.request.disk = Bytes(2e9);
  for (auto const& now : {current(), rich}) {
    StrategySpace const space(knobs_of(scenario, now, Party::anyone), now);
    for (Point const& point : space.space().single_changes(space.space().start(), 3)) {
      auto const lines = setting_lines(now, space.strategy_at(point), Party::anyone);
      CAPTURE(space.knob(space.space().changes(point).front()).key);
      CHECK(!lines.empty());
      for (auto const& line : lines) CHECK(line.text.find_first_not_of(" =") != std::string::npos);
    }
  }
}

/// The shortest client timeout that a search tries with such a timer of the starter.
double shortest_client_timeout(Seconds stall_timeout, Seconds now) {
  auto strategy = current();
  strategy.transfer.on_stall = scenario::OnStall::next_cache;
  strategy.transfer.stall_timeout = stall_timeout;
  strategy.transfer.client_timeout = now;
  auto const knobs = knobs_of(published(), strategy, Party::anyone);
  auto const found = std::find_if(knobs.begin(), knobs.end(), [](Knob const& knob) {
    return knob.key == "transfer.client_timeout";
  });
  REQUIRE(found != knobs.end());
  return found->low;
}

TEST_CASE("a client waits at least for the answer that a cache owes it", "[optimize]") {
  // Pelican's Transport.ResponseHeaderTimeout is 10 s. A search tries none below it, unless the
  // pool's own timers are as short.
  CHECK(shortest_client_timeout(hours(1), Seconds(100)) == 10);
  CHECK(shortest_client_timeout(hours(1), Seconds(30)) == 10);
  CHECK(shortest_client_timeout(Seconds(20), Seconds(4)) == 4);
}

TEST_CASE("the client is the owner's plugin or the sites' program", "[optimize]") {
  auto wanted = current();
  wanted.transfer.on_stall = scenario::OnStall::next_cache;
  wanted.transfer.client_timeout = Seconds(30);
  auto const own = setting_lines(current(), wanted, Party::owner);
  CHECK(std::all_of(own.begin(), own.end(),
                    [](auto const& line) { return line.where == Party::owner; }));
  CHECK(std::any_of(own.begin(), own.end(), [](auto const& line) {
    return line.text == "transfer_plugins = osdf=pelican_plugin";
  }));
  auto const of_site = setting_lines(current(), wanted, Party::site);
  REQUIRE(of_site.size() == 2);
  CHECK(of_site[0].where == Party::site);
  CHECK_THAT(of_site[1].text, test::has_text("Client.StoppedTransferTimeout: 30s"));
}

TEST_CASE("changes of the campaign are lines of the submit file or words", "[optimize]") {
  auto wanted = current();
  wanted.submit.max_materialize = 25;
  wanted.submit.jobs_at_a_time = 10;
  wanted.submit.every = hours(2);
  wanted.submit.gpus = 4;
  wanted.submit.jobs_in_one = 2;
  wanted.submit.input_parts = 10;
  wanted.submit.second_copy_after = hours(12);
  auto const lines = texts(wanted, Party::owner);
  REQUIRE(lines.size() == 7);
  CHECK(lines[0] == "max_materialize = 25");
  CHECK(lines[1] == "# submit 10 jobs, the next 2 h later");
  CHECK(lines[2] == "request_gpus = 4");
  CHECK_THAT(lines[3], test::has_text("the epochs of 2 jobs; queue one for 2"));
  CHECK_THAT(lines[4], test::has_text("split -n 10"));
  CHECK_THAT(lines[5], test::has_text("has not ended 12 h later;"));
  CHECK_THAT(lines[6], test::has_text("condor_rm the other copy"));
  for (auto const& line : lines) CHECK(line.size() <= 76);
}

TEST_CASE("the campaign's settings depend on its form", "[optimize]") {
  auto const keys = keys_of(Party::owner);
  for (char const* key : {"submit.max_materialize", "submit.jobs_at_a_time", "submit.every",
                          "submit.jobs_in_one", "submit.input_parts", "submit.second_copy_after"}) {
    CAPTURE(key);
    CHECK(keys.contains(key));
  }
  CHECK_FALSE(keys.contains("submit.gpus"));  // the calibration does not know how it scales
  auto scenario = published();
  scenario.campaign.submit.front().jobs = 7;
  scenario.campaign.submit.front().name = "node";
  scenario.campaign.submit.front().retries = 1;
  std::set<std::string> of_dag;
  for (Knob const& knob : knobs_of(scenario, current(), Party::owner)) of_dag.insert(knob.key);
  CHECK_FALSE(of_dag.contains("submit.jobs_at_a_time"));
  CHECK_FALSE(of_dag.contains("submit.jobs_in_one"));
  CHECK_FALSE(of_dag.contains("submit.second_copy_after"));
}

std::set<std::string> owners_keys(scenario::Scenario const& scenario) {
  std::set<std::string> keys;
  auto const& strategy = scenario.strategy(scenario.baseline);
  for (Knob const& knob : knobs_of(scenario, strategy, Party::owner)) keys.insert(knob.key);
  return keys;
}

TEST_CASE("memory requests are settings where the need of memory is known", "[optimize]") {
  auto scenario = published();
  CHECK_FALSE(owners_keys(scenario).contains("retry.request_memory"));
  constexpr Bytes gibibyte(1073741824);
  scenario.campaign.request.memory = 4 * gibibyte;
  scenario.campaign.work.memory = {gibibyte, 8 * gibibyte};
  CHECK(owners_keys(scenario).contains("retry.request_memory"));
  CHECK(owners_keys(scenario).contains("retry.retry_request_memory"));
  StrategySpace const space(knobs_of(scenario, current(), Party::owner), current());
  Point point = space.space().start();
  for (std::size_t i = 0; i < point.size(); ++i) {
    bool const is_memory = space.knob(i).key == "retry.request_memory";
    if (is_memory) CHECK(space.knob(i).high == 1.25 * 8 * 1024);  // the largest need, and a quarter
    if (is_memory) point[i] = 2000;
    if (space.knob(i).key == "retry.retry_request_memory") point[i] = 1;
  }
  CHECK(texts(space.strategy_at(point), Party::owner) ==
        std::vector<std::string>{"request_memory = 2000",
                                 "retry_request_memory = 2 * RequestMemory"});
}

TEST_CASE("black holes of the record can be avoided where its jobs are repeated", "[optimize]") {
  history::RecordedCampaign recorded;
  recorded.jobs.names.sites = {"A"};
  recorded.jobs.hosts = {"good.org", "hole.org"};
  for (std::uint32_t i = 0; i < 40; ++i) {
    history::RecordedAttempt attempt;
    attempt.site = Id<history::Site>(0);
    attempt.host = 1 + i % 2;
    attempt.ended_by = history::EventKind::terminated;
    attempt.useful = attempt.host == 1;
    recorded.jobs.jobs.push_back({.attempts = {attempt}});
  }
  auto scenario = published();
  CHECK_FALSE(owners_keys(scenario).contains("match.avoid_hosts"));
  scenario.calibration.recorded = std::make_shared<history::RecordedCampaign>(recorded);
  CHECK(owners_keys(scenario).contains("match.avoid_hosts"));
  CHECK_FALSE(owners_keys(scenario).contains("match.rank"));
  auto wanted = current();
  wanted.match.avoid_hosts = {"hole.org"};
  CHECK(texts(wanted, Party::owner) ==
        std::vector<std::string>{"requirements = (Machine != \"hole.org\")"});
}

}  // namespace
}  // namespace gridcast::optimize

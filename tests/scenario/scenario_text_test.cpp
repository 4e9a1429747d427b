#include "sim/scenario/scenario.hpp"
#include "sim/scenario/tables.hpp"
#include "tests/test.hpp"

namespace gridcast::scenario {
namespace {

/// The scenario after its text is read, before the other parts of a calibration are.
Scenario read_back(ScenarioText scenario) {
  scenario.pool = "pool.yaml";
  scenario.calibration = "calibration.yaml";
  scenario.campaign.work.profile = "mine";
  YamlDocument document("scenario.yaml", scenario_yaml(scenario));
  ScenarioEntries read;
  REQUIRE(check_schema(document, scenario_schema_name));
  scenario_table().read({document, document.root(), ""}, read);
  for (Problem const& problem : document.problems()) FAIL_CHECK(problem.to_text());
  CHECK(read.pool_file == "pool.yaml");
  CHECK(read.calibration_file == "calibration.yaml");
  return read;
}

ScenarioText plain() {
  ScenarioText text;
  text.title = "plain";
  text.campaign.submit = {{Seconds(), 3}};
  text.strategy.name = "submitted";
  return text;
}

}  // namespace

TEST_CASE("an empty group is read as the defaults", "[scenario_text]") {
  Scenario const read = read_back(plain());
  CHECK(read.title == "plain");
  CHECK(read.campaign.jobs() == 3);
  CHECK(read.campaign.input.empty());
  CHECK(read.baseline == "submitted");
  CHECK_FALSE(read.strategies[0].retry.policy.max_retries);
}

TEST_CASE("all that can be imported is read as it was", "[scenario_text]") {
  ScenarioText text = plain();
  text.comments = {"a comment\nwith a second line: [", "and \xff bytes"};
  text.title = "\"quotes\", \\ and: {braces} # \t\xc3\xa4 \xff";
  text.campaign.submit.push_back({hours(2), 4, 0.75});
  text.campaign.request.gpus = 1;
  text.campaign.request.disk = Bytes(10 * 1048576);
  text.campaign.request.gpu_memory = Bytes(8e9);
  text.campaign.request.gpu_capability = 6.5;
  text.campaign.input = {{"osdf:///a?size=123457&x=\"", Bytes(123457)}};
  text.campaign.work = {"", JobSource::processes, 8, 0.625, {2, 2}};
  text.campaign.max_idle = 5;
  text.campaign.max_materialize = 6;
  text.strategy.transfer.protocol = Protocol::http;
  JobPolicy& policy = text.strategy.retry.policy;
  policy.max_retries = 3;
  policy.success_exit_code = 7;
  policy.retry_until = classad::parse("ExitCode == 9");
  policy.on_exit_hold = classad::parse("strcat(\"it's\", \"x\\y\") == \"#\" && ExitCode =!= 0");
  policy.on_exit_hold_subcode = 2;
  policy.periodic_release = classad::parse("HoldReasonCode == 13 && NumHolds < 5");
  policy.crash_holds = true;
  policy.outputs_unlisted = true;
  policy.plugin_lifetime = Seconds(25);
  policy.allowed_execute_duration = hours(20);
  policy.job_lease_duration = Seconds(20.5);
  policy.checkpoint_every_epochs = 2;
  policy.checkpoint_exit_code = 80;
  policy.requirements = classad::parse("Disk > 5 ||\n Arch == \"X86_64\"");
  policy.rank = classad::parse("Disk");

  Scenario const read = read_back(text);
  CHECK(read.title == "\"quotes\", \\ and: {braces} #  \xc3\xa4 ?");
  CHECK(read.campaign.submit[1].at == hours(2));
  CHECK(read.campaign.submit[1].scale == 0.75);
  CHECK(read.campaign.request.disk == Bytes(10 * 1048576));
  CHECK(read.campaign.request.gpu_memory == Bytes(8e9));
  CHECK(read.campaign.request.gpu_capability == 6.5);
  CHECK(read.campaign.input[0].url == text.campaign.input[0].url);
  CHECK(read.campaign.input[0].size == Bytes(123457));
  CHECK(read.campaign.work.epochs == 8);
  CHECK(read.campaign.work.scale == 0.625);
  CHECK(read.campaign.work.crash_odds == FactorRange{2, 2});
  CHECK(read.campaign.max_idle == 5);
  CHECK(read.campaign.max_materialize == 6);
  CHECK(read.strategies[0].transfer.protocol == Protocol::http);
  JobPolicy const& back = read.strategies[0].retry.policy;
  CHECK(back.max_retries == 3);
  CHECK(back.success_exit_code == 7);
  CHECK(back.retry_until->text() == policy.retry_until->text());
  CHECK(back.on_exit_hold->text() == policy.on_exit_hold->text());
  CHECK(back.on_exit_hold_subcode == 2);
  CHECK(back.periodic_release->text() == policy.periodic_release->text());
  CHECK(back.crash_holds);
  CHECK(back.outputs_unlisted);
  CHECK(back.plugin_lifetime == Seconds(25));
  CHECK(back.allowed_execute_duration == hours(20));
  CHECK_FALSE(back.allowed_job_duration);
  CHECK(back.job_lease_duration == Seconds(20.5));
  CHECK(back.checkpoint_every_epochs == 2);
  CHECK(back.checkpoint_exit_code == 80);
  CHECK(back.requirements->text() == "Disk > 5 ||  Arch == \"X86_64\"");
  CHECK(back.rank->text() == "Disk");
}

}  // namespace gridcast::scenario

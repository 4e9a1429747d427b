#include <cmath>
#include <filesystem>

#include "sim/report/data/result.hpp"
#include "sim/report/text/choice_text.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/serve/question.hpp"
#include "sim/study/sample.hpp"
#include "tests/test.hpp"

namespace gridcast::serve {
namespace {

scenario::Scenario few_jobs(std::vector<std::string> overrides = {}) {
  overrides.insert(overrides.end(), {"campaign.submit.0.jobs=6", "campaign.submit.1.jobs=6"});
  return scenario::read_scenario(test::source_dir() / "scenarios/osg-imagenet.yaml", overrides);
}

study::StudyOptions options(std::size_t replicas) {
  study::StudyOptions options;
  options.replicas = replicas;
  return options;
}

}  // namespace

TEST_CASE("An answer has never, not a short time, where the wanted jobs do not succeed") {
  auto const scenario = few_jobs();
  auto const prediction =
      study::predict(scenario, scenario.strategy("htcondor-native"), options(6));
  auto const json = answer_json(prediction, scenario, AnswerPart::growing);
  CHECK(json["wanted"] == 11);
  CHECK(json["figures"]["makespan_s"]["p50"] == "never");
  for (auto const& value : json["values"]["makespan_s"]) CHECK(value == "never");
  CHECK_THAT(json["sentence"].get<std::string>(), test::has_text("0 of 12 jobs finish"));
  CHECK_THAT(json["sentence"].get<std::string>(), test::has_text("never"));
}

TEST_CASE("A time in an answer ends with the success of the wanted jobs") {
  auto const scenario = few_jobs();
  auto const prediction =
      study::predict(scenario, scenario.strategy("upgrade-auto-release"), options(8));
  auto const json = answer_json(prediction, scenario, AnswerPart::last);
  auto const times = study::makespans(prediction.sample, 11);
  REQUIRE(json["values"]["makespan_s"].size() == times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    auto const& value = json["values"]["makespan_s"][i];
    CHECK((std::isinf(times[i]) ? value == "never" : value.get<double>() == Approx(times[i])));
  }
  CHECK(json["result"].get<std::string>().starts_with("{"));
}

TEST_CASE(
    "An answer has the money where prices are stated, and the chance of a deadline of the goal") {
  // Each campaign has the hours of work alone, as GPUs cost nothing.
  auto const scenario = few_jobs({"prices.currency=CHF", "prices.person_hour=50",
                                  "study.goal=deadline:300 d", "strategies.upgrade.work=2 h"});
  auto const json = answer_json(study::predict(scenario, scenario.strategy("upgrade"), options(6)),
                                scenario, AnswerPart::last);
  for (auto const* end : {"p05", "p50", "p95"}) CHECK(json["figures"]["cost"][end] == 100);
  CHECK_THAT(json["sentence"].get<std::string>(), test::has_text(", and 100 CHF"));
  CHECK(json["deadline_s"] == 300 * 86400);
  CHECK_THAT(json["deadline"].get<std::string>(), test::has_text("Deadline 300 d: 11 jobs"));
  auto const without =
      answer_json(study::predict(few_jobs(), few_jobs().strategy("upgrade"), options(6)),
                  few_jobs(), AnswerPart::last);
  CHECK(!without["figures"].contains("cost"));
  CHECK(!without.contains("deadline"));
}

TEST_CASE("Strategies are compared by the goal, with its money and its deadline") {
  auto const scenario = few_jobs({"prices.currency=CHF", "prices.person_hour=50",
                                  "study.goal=deadline:300 d", "strategies.upgrade.work=2 h"});
  auto const json = strategies_json(study::compare(scenario, options(12)), AnswerPart::last);
  CHECK(json["currency"] == "CHF");
  CHECK(json["by"] == "300 d");
  for (auto const& each : json["strategies"]) {
    CHECK(each.contains("met"));
    if (each["name"] == "upgrade") CHECK(each["money"] == "100");
    if (each["name"] == "published") CHECK(each["money"] == "0.00");
  }
}

TEST_CASE("Strategies are compared in the words of the terminal, in equal parts") {
  auto const scenario = few_jobs();
  auto growing = options(60);
  growing.resume = std::filesystem::temp_directory_path() / "gridcast-strategies-test";
  std::filesystem::remove_all(growing.resume);
  std::vector<std::size_t> parts;
  auto const comparison = study::compare_growing(scenario, growing, [&](auto const& grown) {
    for (auto const& sample : grown.samples) CHECK(sample.size() == grown.samples[0].size());
    parts.push_back(grown.samples[0].size());
  });
  std::filesystem::remove_all(growing.resume);
  CHECK(parts == std::vector<std::size_t>{10, study::first_look});
  auto const json = strategies_json(comparison, AnswerPart::last);
  auto const result = report::result_of(study::compare(scenario, options(60)));
  CHECK(json["verdict"] == report::choice_sentence(result));
  CHECK(json["evidence"] == report::evidence_sentence(result));
  CHECK(json["strategies"].size() == scenario.strategies.size());
  CHECK(json["strategies"][0]["best"] == true);
}

}  // namespace gridcast::serve

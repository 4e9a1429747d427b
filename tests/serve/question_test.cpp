#include "sim/serve/question.hpp"

#include <algorithm>

#include "sim/base/error.hpp"
#include "tests/test.hpp"

namespace gridcast::serve {
namespace {

using test::has_text;

std::string const name = "scenarios/osg-imagenet.yaml";

Shelf shelf() { return {test::source_dir(), {}, test::source_dir() / "scenarios/teaching"}; }

/// Its problem.
template <class Call>
std::string reported(Call const& call) {
  try {
    call();
  } catch (InputError const& error) {
    return error.what();
  }
  return "";
}

std::string refusal(Json const& json) {
  std::filesystem::current_path(test::source_dir());
  return reported([&] { read_question(json, shelf()); });
}

Json with(char const* path, char const* value) {
  return {{"scenario", name},
          {"strategy", "published"},
          {"set", Json::array({{{"path", path}, {"value", value}}})}};
}

}  // namespace

TEST_CASE("A question becomes a command line, each value one word of it") {
  std::filesystem::current_path(test::source_dir());
  auto json = with("strategies.published.transfer.stall_timeout", "5 min; rm -rf /");
  json["replicas"] = 12;
  auto const question = read_question(json, shelf());
  CHECK(question.replicas == 12);
  CHECK(question.scenario == name);
  CHECK(question.settings() ==
        std::vector<std::string>{
            "--strategy=published",
            "--set=strategies.published.transfer.stall_timeout=5 min; rm -rf /"});
}

TEST_CASE("A submit file has its own name on the page, and its report pages are made from it") {
  std::filesystem::current_path(test::source_dir());
  Shelf jobs = shelf();
  jobs.work = OpenedWork{"job.sub", name, {"job.sub", "campaign.log"}};
  Json const json = {{"scenario", "job.sub"}, {"kind", "predict"}};
  CHECK(stream_command(read_question(json, jobs))[1] == name);
  auto const page = page_command(json, jobs);
  CHECK(std::vector(page.begin(), page.begin() + 3) ==
        std::vector<std::string>{"forecast", "job.sub", "campaign.log"});
  auto const controls = controls_answer(jobs, "job.sub", "");
  CHECK(controls["scenario"] == "job.sub");
  CHECK(controls["work"] == Json({"job.sub", "campaign.log"}));
  CHECK_FALSE(controls_answer(jobs, name, "").contains("work"));
}

TEST_CASE(
    "A setting that is not offered cannot be changed, and a key that names a file is not offered") {
  CHECK(refusal(with("campaign.request.gpus", "2")).empty());
  for (char const* path : {"pool", "calibration", "campaign.work.profile", "schema", "title",
                           "campaign.input[0].url", "strategies.published.training.profile",
                           "strategies.other.transfer.resume", "", "pool.sites"}) {
    CAPTURE(path);
    CHECK_THAT(refusal(with(path, "/etc/passwd")), has_text("no control of the page changes"));
  }
  CHECK_THAT(refusal(with("campaign.request.gpus", "")), has_text("its value is none"));
  CHECK_THAT(refusal(with("campaign.request.gpus", "1\npool: x")), has_text("its value is none"));
  CHECK_THAT(refusal(with("campaign.request.gpus", std::string(600, '1').c_str())),
             has_text("its value is none"));
}

TEST_CASE("A malformed question is refused with the fault") {
  CHECK_THAT(refusal(Json::array()), has_text("JSON object"));
  CHECK_THAT(refusal({{"scenario", "../../etc/passwd"}}), has_text("no such scenario here"));
  CHECK_THAT(refusal({{"scenario", 3}}), has_text("no such scenario here"));
  CHECK_THAT(refusal({{"scenario", name}, {"strategy", "publisht"}}), has_text("published"));
  CHECK_THAT(refusal({{"scenario", name}, {"replicas", 1e9}}), has_text("replicas"));
  CHECK_THAT(refusal({{"scenario", name}, {"replicas", -1}}), has_text("replicas"));
  CHECK_THAT(refusal({{"scenario", name}, {"set", "x"}}), has_text("set"));
  CHECK_THAT(refusal({{"scenario", name}, {"replica_s", 2}}),
             has_text("no key is 'replica_s'") && has_text("replicas"));
  CHECK(question_json("{\"replicas\": null}").contains("replicas"));
  CHECK_THROWS_WITH(question_json("{\"replicas\": NaN}"), has_text("NaN"));
  CHECK_THROWS_WITH(question_json("[1]"), has_text("JSON object"));
}

TEST_CASE("A page is of a question and a kind, and a run's of a replica") {
  std::filesystem::current_path(test::source_dir());
  Json json = {
      {"scenario", name}, {"strategy", "published"}, {"kind", "run"}, {"replica", 4294967295}};
  using Words = std::vector<std::string>;
  CHECK(page_command(json, shelf()) ==
        Words{"forecast", name, "--strategy=published", "--once", "--replica=4294967295"});
  json.update({{"kind", "compare"}, {"replicas", 7}, {"seed", 3}});
  CHECK(page_command(json, shelf()) ==
        Words{"compare", name, "--replicas=7", "--quiet", "--seed=3"});
  for (Json const& replica : {Json(-1), Json(4294967296), Json(1.5), Json("1")}) {
    json.update({{"kind", "run"}, {"replica", replica}});
    CHECK_THAT(reported([&] { page_command(json, shelf()); }),
               has_text("replica: it has to be a whole"));
  }
  json.erase("replica");
  for (Json const& kind : {Json(1), Json("rm"), Json(nullptr), Json::array()}) {
    json["kind"] = kind;
    CHECK_THAT(reported([&] { page_command(json, shelf()); }), has_text("kind: it is none of run"));
  }
}

TEST_CASE("Controls have the present value, its source, and bounds") {
  std::filesystem::current_path(test::source_dir());
  auto const about = controls_answer(shelf(), name, "upgrade");
  CHECK(about["strategy"] == "upgrade");
  CHECK(about["baseline"] == "published");
  auto const find = [&](std::string const& path) {
    auto const found = std::find_if(about["controls"].begin(), about["controls"].end(),
                                    [&](Json const& each) { return each["path"] == path; });
    REQUIRE(found != about["controls"].end());
    return *found;
  };
  auto const timeout = find("strategies.upgrade.transfer.stall_timeout");
  CHECK(timeout["form"] == "time");
  CHECK(timeout["source"] == "default");
  CHECK(timeout["above"] == true);
  // HTCondor 25.6.1 cools a job down by itself (FEATURE:PelicanRetryPolicy).
  auto const retry = find("strategies.upgrade.retry.on_transfer_failure");
  CHECK(retry["value"] == "cool_down");
  CHECK(retry["source"] == "software");
  auto const jobs = find("campaign.submit[1].jobs");
  CHECK(jobs["value"] == "50");
  CHECK(jobs["source"] == "scenario");
  CHECK(find("campaign.input[0].size")["value"] == "137 GB");
  for (Json const& control : about["controls"]) {
    CAPTURE(control["path"].get<std::string>());
    CHECK(control["help"].get<std::string>().size() > 3);
    CHECK(control["form"] != "file");
  }
}

TEST_CASE("Lessons are not among the scenarios, since their files contain the answers") {
  auto const names = shelf().scenarios();
  CHECK(std::find(names.begin(), names.end(), name) != names.end());
  for (auto const& each : names) CHECK(each.find("teaching/") == std::string::npos);
}

TEST_CASE("A question about all strategies is one command") {
  std::filesystem::current_path(test::source_dir());
  Json json = {{"scenario", name}, {"strategy", "published"}, {"compare", true}, {"replicas", 7}};
  auto const words = stream_command(read_question(json, shelf()));
  CHECK(words == std::vector<std::string>{"open", name, "--strategy=published", "--stream",
                                          "--compare", "--replicas=7"});
}

TEST_CASE("Controls without an effect have reasons, beside the values of a question") {
  std::filesystem::current_path(test::source_dir());
  char const path[] = "strategies.published.retry.times";
  CHECK(reasons_answer({{"scenario", name}}, shelf())["no_effect"].contains(path));
  auto json = with("strategies.published.retry.on_transfer_failure", "cool_down");
  json["set"].push_back({{"path", "strategies.published.retry.delay"}, {"value", "5 min..10 min"}});
  CHECK_FALSE(reasons_answer(json, shelf())["no_effect"].contains(path));
}

TEST_CASE("Lessons are asked by number, and no file is named") {
  CHECK(lesson_command({{"do", "check"}, {"number", 3}, {"answer", "-1 h"}}, shelf()) ==
        std::vector<std::string>{"lesson", "check", "--json", "--", "3", "-1 h"});
  Json run = {{"do", "run"}, {"number", 1}};
  run["set"] = Json::array({{{"path", "campaign.request.gpus"}, {"value", "2"}}});
  CHECK(lesson_command(run, shelf())[3] == "--set=campaign.request.gpus=2");
  run["guess"] = "--3 h";
  CHECK(lesson_command(run, shelf())[3] == "--guess=--3 h");
  run["do"] = "page";
  CHECK(lesson_command(run, shelf()).front() == "lesson");
  CHECK(lesson_command(run, shelf()).at(1) == "run");
  CHECK(lesson_command(run, shelf()).back() ==
        "1");  // and the name of the page's file may follow it
  for (char const* path :
       {"pool", "calibration", "campaign.work", "campaign.work.profile", "campaign.work.profile ",
        "campaign.work.", "pool=/etc/passwd #.x", " campaign.request.gpus", "study.replicas"}) {
    run["set"] = Json::array({{{"path", path}, {"value", "x"}}});
    CHECK_THAT(reported([&] { lesson_command(run, shelf()); }), has_text("no setting of a lesson"));
  }
  CHECK_THAT(reported([&] {
               lesson_command({{"do", "rm"}, {"number", 1}}, shelf());
             }),
             has_text("do:"));
  CHECK_THAT(reported([&] {
               lesson_command({{"do", "run"}, {"number", "1"}}, shelf());
             }),
             has_text("number"));
}

}  // namespace gridcast::serve

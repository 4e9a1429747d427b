#include "sim/report/data/wfformat_json.hpp"

#include <regex>

#include <nlohmann/json.hpp>

#include "sim/import/wfformat.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using enum history::EventKind;
using test::HistoryBuilder;

using Json = nlohmann::json;

history::JobHistory two_jobs() {
  HistoryBuilder h({{7, 0}, {7, 1}}, {"Site_A", "B"});
  h.add(0, 0, submitted).add(0, 1, submitted);
  h.add(10, 0, matched).on(0, 1).add(20, 0, executing).on(0, 1);
  h.add(120.5, 0, terminated).on(0, 1).add(200, 1, aborted);
  history::JobHistory history = h.get();
  history.start_unix = 1'700'000'000;
  return history;
}

Json written(history::JobHistory const& history,
             std::vector<scenario::InputFile> const& input = {}) {
  return Json::parse(wfformat_json(history, "campaign", input));
}

}  // namespace

TEST_CASE("tasks, files, runs and machines", "[wfformat_report]") {
  Json const json =
      written(two_jobs(), {{"osdf:///a b/ü.tar", Bytes(1000)}, {"osdf:///a_b/ü.tar", Bytes(2000)}});
  CHECK(json.at("schemaVersion") == "1.5");
  Json const& specification = json.at("workflow").at("specification");
  REQUIRE(specification.at("tasks").size() == 2);
  CHECK(specification["tasks"][0]["id"] == "job_7.0");
  CHECK(specification["tasks"][0]["parents"].empty());
  REQUIRE(specification["files"].size() == 2);
  CHECK(specification["files"][0]["id"] != specification["files"][1]["id"]);
  for (Json const& file : specification["files"]) {
    CHECK(std::regex_match(std::string(file["id"]), std::regex("^[0-9a-zA-Z_.-]+$")));
    CHECK(file["sizeInBytes"].is_number_integer());
  }
  Json const& execution = json["workflow"].at("execution");
  REQUIRE(execution["tasks"].size() == 1);
  CHECK(execution["tasks"][0]["runtimeInSeconds"] == 100.5);
  CHECK(execution["tasks"][0]["readBytes"] == 3000);
  CHECK(execution["tasks"][0]["machines"] == Json::array({"Site-A"}));
  CHECK(execution["machines"][0]["nodeName"] == "Site-A");
  CHECK(execution["makespanInSeconds"] == 200);
  CHECK(execution["executedAt"] == "2023-11-14T22:13:20+00:00");
}

TEST_CASE("files of real logs are those of their transfers", "[wfformat_report]") {
  history::JobHistory history = two_jobs();
  history.urls = {"osdf:///x", "osdf:///y"};
  history::UrlTransfer transfer;
  transfer.job = Id<history::Job>(0U);
  transfer.attempt = 1;
  transfer.succeeded = true;
  transfer.size = Bytes(5);
  history.transfers.push_back(transfer);
  transfer.url = 1;
  transfer.upload = true;
  history.transfers.push_back(transfer);
  Json const json = written(history);
  Json const& task = json["workflow"]["specification"]["tasks"][0];
  CHECK(task["inputFiles"].size() == 1);
  CHECK(task["outputFiles"].size() == 1);
}

TEST_CASE("jobs that never executed leave no execution part", "[wfformat_report]") {
  HistoryBuilder h({{7, 0}}, {"A"});
  h.add(0, 0, submitted).add(200, 0, aborted);
  CHECK_FALSE(written(h.get())["workflow"].contains("execution"));
}

TEST_CASE("what is written is read by our own reader", "[wfformat_report]") {
  std::string const text = wfformat_json(two_jobs(), "campaign", {{"osdf:///a", Bytes(1000)}});
  import::WfInstance const instance = import::wf_instance(text, "x.json");
  REQUIRE(instance.tasks.size() == 1);
  CHECK(instance.tasks[0].id == "job_7.0");
  CHECK(instance.tasks[0].runtime == Seconds(100.5));
  CHECK(instance.tasks[0].input == Bytes(1000));
  REQUIRE(instance.notes.size() == 1);
  CHECK(instance.notes[0].what == "task 'job_7.1'");
}

}  // namespace gridcast::report

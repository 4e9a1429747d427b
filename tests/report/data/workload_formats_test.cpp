#include "sim/report/data/workload_formats.hpp"

#include <regex>

#include <nlohmann/json.hpp>

#include "sim/base/files.hpp"
#include "sim/import/wfformat.hpp"
#include "tests/condor/random_history.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using enum history::EventKind;
using test::HistoryBuilder;

history::JobHistory three_jobs() {
  HistoryBuilder h({{7, 0}, {7, 1}, {8, 0}}, {"A", "B"});
  h.add(100, 0, submitted).add(100, 1, submitted).add(130.4, 2, submitted);
  h.add(110, 0, matched).on(0, 1).add(120, 0, executing).on(0, 1);
  h.add(140, 0, evicted, history::Reason::vacated).on(0, 1);
  h.add(150, 0, matched).on(1, 1).add(160, 0, executing).on(1, 1);
  h.add(1160, 0, transfer_output_started).on(1, 1).add(1170, 0, terminated).on(1, 1);
  h.add(1180, 1, aborted);
  history::JobHistory history = h.get();
  history.start_unix = 1'700'000'000;
  return history;
}

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

TEST_CASE("a job is its last execution, and the wait before it", "[swf_report]") {
  import::SwfLog const log = swf_log(three_jobs(), "a\ntitle");
  REQUIRE(log.jobs.size() == 3);
  import::SwfJob const& done = log.jobs[0];
  CHECK(done.number == 1);
  CHECK(done.submit == Seconds(0));
  CHECK(done.wait == Seconds(60));
  CHECK(done.run == Seconds(1000));
  CHECK(done.processors == 1);
  CHECK(done.partition == 2);
  CHECK(done.status == import::SwfStatus::completed);
  CHECK(log.jobs[1].status == import::SwfStatus::cancelled);
  CHECK_FALSE(log.jobs[1].run);
  CHECK(log.jobs[2].status == import::SwfStatus::unknown);
  CHECK(log.jobs[2].submit == Seconds(30));
  CHECK(log.header_number("UnixStartTime") == 1'700'000'100);
  CHECK(log.header_number("MaxJobs") == 3);
  CHECK(to_text(log).find("; Computer: a title\n") != std::string::npos);
  CHECK(to_text(log).find("\n1 0 60 1000 1 -1 -1 1 -1 -1 1 1 1 1 1 2 -1 -1\n") !=
        std::string::npos);
}

// What the import leaves out (jobs that never ran) is left out before.
TEST_CASE("a history that was written, read and written again is the same", "[swf_report]") {
  auto const file = std::filesystem::temp_directory_path() / "gridcast-swf-report-test.swf";
  std::size_t jobs = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    import::SwfLog log =
        swf_log(test::RandomHistory(seed, condor::CondorVersion::v25, 1'700'000'000).get(), "t");
    std::erase_if(log.jobs, [](import::SwfJob const& job) { return !job.run; });
    if (log.jobs.empty()) continue;
    jobs += log.jobs.size();
    std::string const text = to_text(log);
    write_file(file, text);
    import::SwfLog const read = import::read_swf(file);
    REQUIRE(read.notes.empty());
    REQUIRE(read.jobs == log.jobs);
    REQUIRE(read.header == log.header);
    REQUIRE(to_text(read) == text);
  }
  std::filesystem::remove(file);
  CHECK(jobs > 50);
}

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
  import::WfInstance const instance =
      import::wf_instance(import::parse_json_tree(text, "x.json"), "x.json");
  REQUIRE(instance.tasks.size() == 1);
  CHECK(instance.tasks[0].id == "job_7.0");
  CHECK(instance.tasks[0].runtime == Seconds(100.5));
  CHECK(instance.tasks[0].input == Bytes(1000));
  REQUIRE(instance.notes.size() == 1);
  CHECK(instance.notes[0].what == "task 'job_7.1'");
}

}  // namespace gridcast::report

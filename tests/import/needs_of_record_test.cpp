// Needs of memory and disk that a record shows, for jobs that request another amount.
#include "sim/import/needs_of_record.hpp"

#include "tests/test.hpp"

namespace gridcast::import {
namespace {

constexpr double gigabyte = 1073741824;

ledger::JobNeed need(double gb, double limit_gb = 4, std::string program = "") {
  return {std::move(program), gb * gigabyte, false, limit_gb * gigabyte};
}

/// Jobs that requested 4 GB and needed 1 to 3 GB; the last one more, if a limit stopped it.
RecordedNeeds recorded(bool exceeded = true) {
  RecordedNeeds needs;
  for (double const gb : {1.0, 2.0, 3.0, 3.0}) needs.memory.push_back(need(gb));
  needs.memory.push_back(need(exceeded ? 4 : 3.5));
  needs.memory.back().exceeded = exceeded;
  return needs;
}

SubmitImport import_with(double request_gb) {
  SubmitImport import;
  import.campaign.request.memory = Bytes(request_gb * gigabyte);
  import.campaign.work.from = scenario::JobSource::record;
  return import;
}

bool repeats_record(SubmitImport const& import) {
  return import.campaign.work.from == scenario::JobSource::record &&
         import.campaign.work.memory.empty();
}

TEST_CASE("a request as in the record leaves the forecast alone", "[needs_of_record]") {
  for (double const request : {0.0, 3.2, 4.0}) {
    SubmitImport import = import_with(request);
    set_needs(import, recorded(), "job.sub");
    CHECK(repeats_record(import));
    CHECK(import.notes.size() == (request > 0 ? 1 : 0));
  }
  SubmitImport more = import_with(16), unknown = import_with(16);
  set_needs(more, recorded(false), "job.sub");  // no job was stopped, and none would be
  CHECK(repeats_record(more));
  CHECK(more.notes.empty());
  set_needs(unknown, {}, "job.sub");
  CHECK(repeats_record(unknown));
}

TEST_CASE("jobs that were stopped and succeeded with more do so again under the same request",
          "[needs_of_record]") {
  RecordedNeeds raised = recorded(false);
  raised.memory.push_back(need(6));
  raised.memory.back().raised = true;
  SubmitImport same = import_with(4), more = import_with(8);
  set_needs(same, raised, "job.sub");
  CHECK(repeats_record(same));
  REQUIRE(same.notes.size() == 1);
  CHECK_THAT(same.notes[0].what, test::has_text("succeeded with more"));
  set_needs(more, raised, "job.sub");  // it stops none of them
  CHECK_FALSE(repeats_record(more));
}

TEST_CASE("another request is judged by the needs of the record", "[needs_of_record]") {
  for (double const request : {2.0, 16.0}) {
    SubmitImport import = import_with(request);
    set_needs(import, recorded(), "job.sub");
    REQUIRE(import.campaign.work.memory.size() == 21);
    CHECK(import.campaign.work.memory.front() == Bytes(gigabyte));
    CHECK(import.campaign.work.memory[10] == Bytes(3 * gigabyte));
    CHECK(import.campaign.work.memory.back() > Bytes(4 * gigabyte));  // stopped there
    CHECK(import.campaign.work.from == scenario::JobSource::processes);
    REQUIRE(import.notes.size() == 1);
    CHECK_THAT(import.notes[0].what, test::has_text("stops other jobs than the record's") &&
                                         test::has_text("1 of them stopped by a limit"));
  }
}

TEST_CASE("a request that one job of the record had is no usual one", "[needs_of_record]") {
  RecordedNeeds needs;
  for (int i = 0; i < 20; ++i) needs.memory.push_back(need(i < 10 ? 1 : 3, 8));
  needs.memory.push_back(need(0.5, 1));
  SubmitImport import = import_with(2);
  set_needs(import, needs, "job.sub");
  CHECK(import.campaign.work.from == scenario::JobSource::processes);
}

TEST_CASE("where jobs use more than they request and go on, no request stops one",
          "[needs_of_record]") {
  RecordedNeeds needs;
  for (int i = 0; i < 20; ++i) needs.memory.push_back(need(3, 2));
  for (double const request : {1.0, 2.0, 2.5}) {
    SubmitImport import = import_with(request);
    set_needs(import, needs, "job.sub");
    CHECK(import.campaign.work.from == scenario::JobSource::record);
    CHECK(import.campaign.work.memory.empty());
    REQUIRE(import.notes.size() == 1);
    CHECK_THAT(import.notes[0].what, test::has_text("20 of the record's 20 jobs used more"));
  }
}

TEST_CASE("needs are those of the submit file's program", "[needs_of_record]") {
  RecordedNeeds needs;
  for (int i = 0; i < 10; ++i) {
    needs.memory.push_back(need(1, 2, "/home/u/train.sh"));
    needs.memory.push_back(need(30, 32, "/home/u/prep.sh"));
  }
  SubmitImport train = import_with(1.5), prep = import_with(1.5);
  train.executable = "train.sh";
  prep.executable = "/home/u/prep.sh";
  set_needs(train, needs, "job.sub");
  set_needs(prep, needs, "job.sub");
  CHECK(repeats_record(train));
  REQUIRE_FALSE(prep.campaign.work.memory.empty());
  CHECK(prep.campaign.work.memory.front() == Bytes(30 * gigabyte));
}

TEST_CASE("a request that grows is judged by the needs, or its having no effect is noted",
          "[needs_of_record]") {
  SubmitImport import = import_with(4), unknown = import_with(4);
  import.strategy.retry.policy.retry_request_memory = classad::parse("16384");
  unknown.strategy.retry.policy.retry_request_memory = classad::parse("16384");
  set_needs(import, recorded(), "job.sub");
  CHECK(import.campaign.work.memory.size() == 21);
  set_needs(unknown, {}, "job.sub");
  CHECK(unknown.campaign.work.memory.empty());
  REQUIRE(unknown.notes.size() == 1);
  CHECK_THAT(unknown.notes[0].what, test::has_text("only its first value has an effect"));
}

}  // namespace
}  // namespace gridcast::import

// Needs of memory and disk that a record shows, for jobs that request another amount.
#include "sim/import/needs_of_record.hpp"

#include "tests/test.hpp"

namespace gridcast::import {
namespace {

constexpr double gigabyte = 1073741824;

/// Jobs that requested 4 GB and needed 1 to 6.
RecordedNeeds recorded(std::size_t exceeded = 1) {
  RecordedNeeds needs;
  needs.memory = {.jobs = 5,
                  .exceeded = exceeded,
                  .quantiles = {gigabyte, 3 * gigabyte, (exceeded > 0 ? 6 : 3.5) * gigabyte},
                  .least_requested = 4 * gigabyte,
                  .most_requested = 4 * gigabyte};
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
         import.campaign.work.memory.empty() && import.notes.empty();
}

TEST_CASE("a request as in the record leaves the forecast alone", "[needs_of_record]") {
  for (double const request : {0.0, 4.0}) {
    SubmitImport import = import_with(request);
    set_needs(import, recorded(), "job.sub");
    CHECK(repeats_record(import));
  }
  SubmitImport more = import_with(16), unknown = import_with(16);
  set_needs(more, recorded(0), "job.sub");  // no job was stopped, and none would be
  CHECK(repeats_record(more));
  set_needs(unknown, {}, "job.sub");
  CHECK(repeats_record(unknown));
}

TEST_CASE("another request is judged by the needs of the record", "[needs_of_record]") {
  for (double const request : {2.0, 16.0}) {
    SubmitImport import = import_with(request);
    set_needs(import, recorded(), "job.sub");
    CHECK(import.campaign.work.memory.size() == 3);
    CHECK(import.campaign.work.from == scenario::JobSource::processes);
    REQUIRE(import.notes.size() == 1);
    CHECK_THAT(import.notes[0].what, test::has_text("another than the record's") &&
                                         test::has_text("1 of them stopped by a limit"));
  }
}

TEST_CASE("a request that grows is judged by the needs, or its having no effect is noted",
          "[needs_of_record]") {
  SubmitImport import = import_with(4), unknown = import_with(4);
  import.strategy.retry.policy.retry_request_memory = classad::parse("16384");
  unknown.strategy.retry.policy.retry_request_memory = classad::parse("16384");
  set_needs(import, recorded(), "job.sub");
  CHECK(import.campaign.work.memory.size() == 3);
  set_needs(unknown, {}, "job.sub");
  CHECK(unknown.campaign.work.memory.empty());
  REQUIRE(unknown.notes.size() == 1);
  CHECK_THAT(unknown.notes[0].what, test::has_text("no effect"));
}

}  // namespace
}  // namespace gridcast::import

#include "sim/report/data/swf_report.hpp"

#include "sim/base/files.hpp"
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

}  // namespace gridcast::report

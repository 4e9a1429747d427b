// The file of recorded jobs: what is written is read again, and nothing impossible is.
#include <algorithm>
#include <fstream>
#include <unistd.h>

#include "sim/base/error.hpp"
#include "sim/history/recorded_jobs.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

using enum history::EventKind;
namespace fs = std::filesystem;

history::JobHistory rough_record() {
  HistoryBuilder builder({{7, 0}, {7, 1}, {8, 0}, {8, 1}}, {"north", "south"});
  for (std::size_t job = 0; job < 4; ++job) builder.add(static_cast<double>(job), job, submitted);
  builder.add(20.5, 0, matched).on(0);
  builder.add(21, 0, transfer_input_started).on(0);
  builder.add(25.25, 0, transfer_input_finished).on(0);
  builder.add(26, 0, executing).on(0);
  builder.add(40, 0, suspended).on(0);
  builder.add(50, 0, unsuspended).on(0);
  builder.add(60, 0, evicted, history::Reason::vacated).on(0);
  builder.add(90, 0, executing).on(1);
  builder.add(190, 0, terminated).on(1);
  builder.add(30, 1, executing).on(1);
  builder.add(70, 1, held, history::Reason::output_missing).on(1);
  builder.add(170, 1, released);
  builder.add(200, 1, executing).on(0);
  builder.add(260, 1, terminated).on(0).useless();
  builder.add(99, 2, held, history::Reason::manual);
  builder.add(120, 2, aborted, history::Reason::manual);
  auto& history = builder.get();
  std::stable_sort(history.events.begin(), history.events.end(),
                   [](auto const& a, auto const& b) { return a.at < b.at; });
  return history;
}

class ScratchFile {
 public:
  explicit ScratchFile(std::string const& text)
      : path_(fs::temp_directory_path() / ("gridcast-jobs-" + std::to_string(::getpid()))) {
    std::ofstream(path_) << text;
  }
  ~ScratchFile() { fs::remove(path_); }
  fs::path const& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

TEST_CASE("recorded jobs are read as they were written") {
  auto const recorded = history::read_attempts(rough_record());
  std::string const text = history::recorded_jobs_text(recorded);
  ScratchFile const file(text);
  auto const again = history::read_recorded_jobs(file.path());
  CHECK(history::recorded_jobs_text(again) == text);
  REQUIRE(again.jobs.size() == 4);
  CHECK(again.jobs[0].end() == history::RecordedEnd::succeeded);
  CHECK(again.jobs[0].first_wait == Seconds(20.5));
  REQUIRE(again.jobs[0].attempts.size() == 2);
  auto const& evicted = again.jobs[0].attempts[0];
  CHECK(evicted.reason == history::Reason::vacated);
  CHECK(evicted.transfer == Seconds(4.25));
  CHECK(evicted.execution == Seconds(34));
  REQUIRE(evicted.during.size() == 2);
  CHECK(evicted.during[1].at == Seconds(24));
  CHECK(again.jobs[0].attempts[1].wait == Seconds(30));
  CHECK(again.names.sites[again.jobs[0].attempts[1].site.index()] == "south");
  CHECK(again.jobs[1].end() == history::RecordedEnd::wrong_output);
  CHECK(again.jobs[1].attempts[0].held_for == Seconds(100));
  CHECK(again.jobs[2].end() == history::RecordedEnd::removed);
  CHECK(again.jobs[2].attempts[0].in_queue);
  CHECK(again.jobs[3].end() == history::RecordedEnd::unfinished);
}

TEST_CASE("a file with impossible jobs is refused with its name") {
  std::string const good = history::recorded_jobs_text(history::read_attempts(rough_record()));
  auto const with = [&good](std::string const& what, std::string const& instead) {
    std::string text = good;
    auto const at = text.find(what);
    REQUIRE(at != std::string::npos);
    return text.replace(at, what.size(), instead);
  };
  for (std::string const& text :
       {with("gridcast.jobs/1", "gridcast.jobs/9"),
        with("\"execution_s\":34", "\"execution_s\":-4"),
        with("\"execution_s\":34", "\"execution_s\":1e999"), with("\"site\":1", "\"site\":77"),
        with("\"reason\":18", "\"reason\":99"), std::string("{}"), std::string("[1"),
        std::string(500, '[')}) {
    ScratchFile const file(text);
    CAPTURE(text.substr(0, 300));
    CHECK_THROWS_AS(history::read_recorded_jobs(file.path()), InputError);
  }
  CHECK_THROWS_AS(history::read_recorded_jobs("no-such-file.json"), InputError);
}

}  // namespace gridcast::test

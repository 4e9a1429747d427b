// A written log is read again as the same history.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

#include <fmt/format.h>

#include "sim/condor/log/read_log.hpp"
#include "sim/condor/write/event_log_writer.hpp"
#include "tests/condor/random_history.hpp"
#include "tests/test.hpp"

namespace gridcast::condor {
namespace {

constexpr std::int64_t new_year_2025 = 1735689600;

// The compared history in words, so that a failure can be read.
std::vector<std::string> reported(history::JobHistory const& history) {
  std::vector<std::string> lines;
  for (auto const& events : history::events_by_job(history)) {
    for (auto const index : events) {
      history::JobEvent const& event = history.events[index];
      auto const site = event.site.valid() ? history.sites[event.site.index()] : "-";
      lines.push_back(fmt::format(
          "{} {} kind {} {} at {} code {}/{} exit {} {}", to_text(history.jobs[event.job.index()]),
          event.at.value(), static_cast<int>(event.kind), history::name(event.reason), site,
          event.code, event.subcode, event.exit_code, event.useful ? "useful" : "useless"));
    }
  }
  return lines;
}

LoggedHistory written_and_read(history::JobHistory const& history, EventLogOptions const& options) {
  auto const file = std::filesystem::temp_directory_path() /
                    fmt::format("gridcast-round-trip-{}.log", ::getpid());
  {
    std::ofstream out(file);
    write_event_log(history, out, options);
  }
  auto logged = read_logs({file});
  std::filesystem::remove(file);
  return logged;
}

void require_same(history::JobHistory const& history, EventLogOptions const& options) {
  LoggedHistory const logged = written_and_read(history, options);
  auto const expected = reported(history), read = reported(logged.history);
  for (std::size_t i = 0; i < std::min(expected.size(), read.size()); ++i) {
    REQUIRE(read[i] == expected[i]);
  }
  REQUIRE(read.size() == expected.size());
  REQUIRE(logged.history.jobs == history.jobs);
  REQUIRE(logged.history.start_unix == history.start_unix);
  REQUIRE(logged.report.lines_not_understood == 0);
  for (auto const& warning : logged.report.warnings) {
    INFO(warning.what);
    // Which zone it took, of a log that does not say.
    REQUIRE(warning.what.find("--tz") != std::string::npos);
  }
}

void require_round_trips(std::uint64_t seeds, EventLogOptions options, std::int64_t start) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    INFO("seed " << seed);
    require_same(test::RandomHistory(seed, options.version, start).get(), options);
  }
}

constexpr std::uint64_t some = 60;

}  // namespace

TEST_CASE("a log as of 23.9 reads back as the history it was written of") {
  require_round_trips(2 * some, {}, new_year_2025);
}

TEST_CASE("a log as of 25 reads back as the history it was written of") {
  EventLogOptions options;
  options.version = CondorVersion::v25;
  require_round_trips(2 * some, options, new_year_2025);
}

TEST_CASE("a log with fractions of seconds reads back") {
  EventLogOptions options;
  options.sub_second = true;
  require_round_trips(some, options, new_year_2025);
}

TEST_CASE("a log of jobs that nothing is known of reads back") {
  require_round_trips(some, options_of_unknown_jobs(), new_year_2025);
}

TEST_CASE("many histories, all forms", "[slow]") {
  for (auto const version : {CondorVersion::v23_9, CondorVersion::v25}) {
    EventLogOptions options;
    options.version = version;
    require_round_trips(2000, options, new_year_2025);
  }
}

// Whatever the writer adds to the history of a real pool's log is nothing new to a reader of it.
TEST_CASE("the history of a real pool's log is the same when written and read again") {
  auto const campaign = GENERATE("c1-sweep", "c3-ckpt");
  auto const log = test::source_dir() / "calibration/data/htcondor-pool" / campaign /
                   (std::string(campaign) + ".log");
  history::JobHistory const history = read_logs({log}).history;
  auto const again = written_and_read(history, options_of_unknown_jobs()).history;
  REQUIRE(reported(again) == reported(history));
  REQUIRE(again.slots.size() == history.slots.size());
}

TEST_CASE("the nodes of METL's DAG are the same when their log is written and read again") {
  auto const log = test::source_dir() / "calibration/data/metl-campaign/aws-jobs-1-57.log";
  history::JobHistory const history = read_logs({log}).history;
  auto const again = written_and_read(history, options_of_unknown_jobs()).history;
  REQUIRE(history.labels.size() == history.jobs.size());
  CHECK(history.labels[0].node == "run0-train_epoch0");  // the log's second line
  CHECK(again.jobs == history.jobs);
  CHECK(again.labels == history.labels);
}

TEST_CASE("the GPUs of METL's executions are the same when written and read again") {
  auto const of_executions = [](history::JobHistory const& history) {
    std::vector<history::GpuShare> gpus;
    for (auto const& events : history::events_by_job(history)) {
      for (auto const index : events) {
        if (history.events[index].kind != history::EventKind::executing) continue;
        REQUIRE(history.gpus_of(history.events[index]) != nullptr);
        gpus.push_back(*history.gpus_of(history.events[index]));
      }
    }
    return gpus;
  };
  auto const log =
      test::source_dir() / "calibration/data/metl-campaign/pretraining-jobs-1-25.nodes.log";
  history::JobHistory const history = read_logs({log}).history;
  auto const had = of_executions(history);
  CHECK(had.size() > 50);
  CHECK(of_executions(written_and_read(history, options_of_unknown_jobs()).history) == had);
}

}  // namespace gridcast::condor

// Forms, dates and damage of logs, and several logs.
#include "sim/condor/log/read_log.hpp"

#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <zlib.h>

#include "tests/condor/log_files.hpp"
#include "tests/test.hpp"

using namespace std::string_literals;

namespace gridcast::test {
namespace {

std::string content(std::filesystem::path const& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

std::string gzip(std::string const& text) {
  TemporaryFile const file("");
  gzFile const out = gzopen(file.path().c_str(), "wb");
  gzwrite(out, text.data(), static_cast<unsigned>(text.size()));
  gzclose(out);
  return content(file.path());
}

std::string replaced(std::string text, std::string const& from, std::string const& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string submission_of(std::string_view job = "001.000.000", int at = 0) {
  return event(0, at, "Job submitted from host: <192.0.2.9:9618>", "", job);
}
std::string end(int at, std::string_view job = "001.000.000") {
  return event(5, at, "Job terminated.", "\t(1) Normal termination (return value 0)\n", job);
}

std::string refusal(std::string_view bytes) {
  try {
    read_text(bytes);
  } catch (InputError const& error) {
    return error.what();
  }
  return "none";
}

// "DATE " before each event's time.
std::string dated(std::string const& date, int number, std::string_view first) {
  return std::string(number < 10 ? "00" : "0") + std::to_string(number) + " (001.000.000) " + date +
         " " + std::string(first) + "\n...\n";
}
constexpr std::string_view submit_event = "Job submitted from host: <192.0.2.9:9618>";
constexpr std::string_view running = "Job executing on host: <192.0.2.1:9618>";

}  // namespace

TEST_CASE("A termination that zero bytes cut has no known result, and the next event is read") {
  std::string const start =
      submission_of() + event(1, 10, "Job executing on host: <192.0.2.2:9618>");
  std::string const end = event(5, 100, "Job terminated.",
                                "\t(1) Normal termination (return value 0)\n"
                                "\t\tUsr 0 00:00:01, Sys 0 00:00:00  -  Run Remote Usage\n");
  std::size_t const cut = GENERATE(40u, 55u, 75u);  // in its date, at its line's end, in its words
  std::string const second =
      submission_of("002.000.000", 120) + event(9, 130, "Job was aborted.", "", "002.000.000");
  auto const read = read_text(start + end.substr(0, cut) + std::string(4096, '\0') + second);
  CHECK(read.history.jobs.size() == 2);
  for (history::JobEvent const& each : read.history.events) {
    CHECK(each.kind != history::EventKind::terminated);
    bool const ends = each.kind == history::EventKind::shadow_exception;
    if (ends) CHECK(each.reason == history::Reason::end_not_recorded);
  }
  CHECK(read.history.events.back().kind == history::EventKind::aborted);
  CHECK(read.report.warnings.size() == 2);  // the other one is that of the time zone
}

TEST_CASE("Blanks at the ends of lines change nothing") {
  std::string const text = submission_of() + event(40, 10, "Started transferring input files") +
                           event(40, 20, "Finished transferring input files") +
                           event(1, 30, "Job executing on host: <192.0.2.1:9618>",
                                 "\tSlotName: slot1@n1.example.org\n") +
                           event(4, 40, "Job was evicted.", "\tCode 4 Subcode 0\n") + end(50);
  auto const plain = read_text(text);
  auto const blanks = read_text(replaced(text, "\n", " \t\n"));
  CHECK(plain.report.lines_not_understood == 0);
  CHECK(blanks.report.lines_not_understood == 0);
  CHECK(story(blanks.history) == story(plain.history));
  CHECK(blanks.history.slots == plain.history.slots);
}

TEST_CASE("Carriage returns, compression and a cut in two change nothing") {
  std::string const log = content(pool_campaign("c3-ckpt/c3-ckpt.log"));
  std::string const expected = story(read_text(log).history);
  CHECK(story(read_text(replaced(log, "\n", "\r\n")).history) == expected);
  CHECK(story(read_text(gzip(log)).history) == expected);
  for (std::string const& marked : {"\xEF\xBB\xBF" + log, gzip("\xEF\xBB\xBF" + log)}) {
    auto const read = read_text(marked);
    CHECK(story(read.history) == expected);
    CHECK(read.report.warnings.size() == read_text(log).report.warnings.size());
  }
  for (std::size_t const part : {5, 3, 2}) {
    auto const cut = log.find("\n...\n", log.size() / part) + 5;
    std::string const mark = "\xEF\xBB\xBF";
    auto const read = read_text(mark + log.substr(0, cut) + mark + mark + log.substr(cut) + mark);
    CHECK(story(read.history) == expected);
    CHECK(read.report.warnings.size() == read_text(log).report.warnings.size());
  }
  for (std::size_t part : {3, 2}) {
    auto const cut = log.find("\n...\n", log.size() / part) + 5;
    TemporaryFile const first(log.substr(0, cut)), second(log.substr(cut));
    CHECK(story(condor::read_logs({first.path(), second.path()}).history) == expected);
    // By the dates of their beginnings, in whatever order they are named.
    CHECK(story(condor::read_logs({second.path(), first.path()}).history) == expected);
  }
}

TEST_CASE("Interleaved clusters are as each by itself") {
  std::string const one = submission_of("001.000.000") + end(9, "001.000.000");
  std::string const two = submission_of("002.000.000") + end(7, "002.000.000");
  TemporaryFile const first(one), second(two);
  std::string const mixed = submission_of("002.000.000") + submission_of("001.000.000") +
                            end(7, "002.000.000") + end(9, "001.000.000");
  CHECK(story(read_text(mixed).history) ==
        story(condor::read_logs({first.path(), second.path()}).history));
}

TEST_CASE("The same jobs in two files count once") {
  auto const log = pool_campaign("c1-sweep/c1-sweep.log");
  auto const once = condor::read_logs({log});
  auto const twice = condor::read_logs({log, log});
  CHECK(story(twice.history) == story(once.history));
  CHECK(warned(twice.report, "as much of it; its events here are left out"));
}

TEST_CASE("A stream has the same events") {
  auto const log = pool_campaign("c1-sweep/c1-sweep.log");
  auto const kept = condor::read_logs({log});
  std::size_t events = 0;
  std::vector<Seconds> last(kept.history.jobs.size());
  auto const streamed = condor::stream_logs({log}, [&](history::JobEvent const& event) {
    ++events;
    CHECK(event.at >= last[event.job.index()]);
    last[event.job.index()] = event.at;
  });
  CHECK(events == kept.history.events.size());
  CHECK(streamed.history.events.empty());
  // A place has a site of its own until its name is known.
  std::set<std::string> sites(streamed.history.sites.begin(), streamed.history.sites.end());
  sites.erase("");
  CHECK(sites == std::set(kept.history.sites.begin(), kept.history.sites.end()));
  CHECK(streamed.report.events == kept.report.events);
}

TEST_CASE("A number of bytes that no file has is reported, and the event counts") {
  auto const ended = [](std::string const& bytes) {
    return read_text(event(5, 5, "Job terminated.",
                           "\t(1) Normal termination (return value 0)\n\t" + bytes +
                               "  -  Run Bytes Received By Job\n"));
  };
  std::string const digits(26, '9');
  CHECK(warned(ended(digits).report, "a line that does not belong to its event"));
  CHECK(ended(digits).report.events == 1);
  CHECK_FALSE(warned(ended("99").report, "does not belong"));
  auto const used = [](std::string const& memory) {
    return read_text(event(5, 5, "Job terminated.",
                           "\t(1) Normal termination (return value 0)\n"
                           "\tPartitionable Resources :    Usage  Request Allocated\n"
                           "\t   Memory (MB)          : " +
                               memory + " 3000 3072\n"));
  };
  CHECK(warned(used(digits).report, "a line that does not belong to its event"));
  CHECK_FALSE(warned(used("503").report, "does not belong"));
  auto const json = [](std::string const& bytes) {
    return read_text(
        "{\"EventTypeNumber\": 5, \"EventTime\": \"2026-01-01T00:00:00\", "
        "\"Cluster\": 1, \"Proc\": 0, \"ReceivedBytes\": " +
        bytes + "}\n");
  };
  CHECK(warned(json(digits).report, "larger than any can be"));
  CHECK_FALSE(warned(json("5.2E+01").report, "larger than any"));
  for (std::string const& more :
       {", \"MemoryUsage\": " + digits, std::string(", \"DiskUsage\": -5"),
        std::string(", \"ResidentSetSize\": 1e40"), std::string(", \"RequestCpus\": -1")}) {
    CAPTURE(more);
    CHECK(warned(json("1" + more).report, "negative, or larger than any can be"));
  }
  CHECK_FALSE(warned(json("1, \"MemoryUsage\": 700, \"Memory\": \"x\"").report, "larger than"));
  CHECK(warned(read_text(event(6, 5, "Image size of job updated: 100",
                               "\t" + digits + "  -  MemoryUsage of job (MB)\n"))
                   .report,
               "a line that does not belong to its event"));
}

TEST_CASE("The latest POST script of a node is kept, until the node is tried again") {
  auto const submitted = [](std::string const& node, std::string const& job) {
    return event(0, 1, "Job submitted from host: <192.0.2.1:9618>", "    DAG Node: " + node + "\n",
                 job);
  };
  auto const script = [](std::string const& node, std::string const& end, std::string const& job) {
    return event(16, 5, "POST Script terminated.", "\t" + end + "\n    DAG Node: " + node + "\n",
                 job);
  };
  std::string const good = "(1) Normal termination (return value 0)";
  std::string const log = submitted("A", "001.000.000") + submitted("B", "002.000.000") +
                          submitted("C", "003.000.000") + submitted("D", "004.000.000") +
                          script("A", good, "001.000.000") +
                          script("B", "(1) Normal termination (return value 1)", "002.000.000") +
                          script("C", "(0) Abnormal termination (signal 9)", "003.000.000") +
                          script("D", good, "004.000.000") + submitted("D", "005.000.000");
  auto const read = read_text(log);
  CHECK(read.history.post_scripts ==
        std::map<std::string, bool>{{"A", true}, {"B", false}, {"C", false}});
  CHECK(read.report.lines_not_understood == 0);
  auto const json = read_text(
      "{\"EventTypeNumber\": 16, \"EventTime\": \"2026-01-01T00:00:00\", \"Cluster\": 1, "
      "\"Proc\": 0, \"TerminatedNormally\": true, \"ReturnValue\": 1, \"DAGNodeName\": \"A\"}\n");
  CHECK(json.history.post_scripts == std::map<std::string, bool>{{"A", false}});
}

TEST_CASE("UTC, parts of seconds, zones") {
  auto const utc = read_text(dated("2026-07-01 12:00:00.250Z", 0, submit_event) +
                             dated("2026-07-01 12:00:01.500Z", 1, running));
  CHECK(story(utc.history) == "0.25 submitted\n1.5 matched (unknown)\n1.5 executing (unknown)\n");
  CHECK(utc.history.start_unix == 1782907200);
  CHECK_FALSE(warned(utc.report, "time zone"));

  std::string const log = dated("2026-07-01 12:00:00", 0, submit_event);
  CHECK(warned(read_text(log).report, "time zone"));
  CHECK(read_text(log, {{}, "America/Chicago"}).history.start_unix == 1782907200 + 5 * 3600);
  REQUIRE_THROWS_AS(read_text(log, {{}, "Mars/Olympus"}), InputError);

  // The end of summer time, with a zone and without.
  std::string const autumn =
      dated("2025-11-02 01:50:00", 0, submit_event) + dated("2025-11-02 01:10:00", 1, running);
  CHECK(story(read_text(autumn, {{}, "America/Chicago"}).history) ==
        "0 submitted\n1200 matched (unknown)\n1200 executing (unknown)\n");
  auto const without = read_text(autumn);
  CHECK(story(without.history) ==
        "0 submitted\n1200 matched (unknown)\n1200 executing (unknown)\n");
  CHECK(warned(without.report, "set back by an hour"));
  CHECK_FALSE(warned(without.report, "clock went back"));
}

// In Europe from 03:00 to 02:00 on 26 October, until 29 March: 20 min, then 1 h and 40 min later
// than the dates say, and in April as they say. A day later, or over two hours, nothing is known.
TEST_CASE("A clock that was set back by an hour where daylight saving time ends is put right") {
  auto const end = [](std::string const& local) {
    return "005 (001.000.000) " + local +
           " Job terminated.\n\t(1) Normal termination (return value 0)\n...\n";
  };
  std::string const before = dated("2025-10-26 02:50:00", 0, submit_event);
  auto const read = [&](std::string const& later) {
    return read_text(before + dated("2025-10-26 02:10:00", 1, running) + end(later));
  };
  CHECK(
      story(read("2025-10-26 03:30:00").history) ==
      "0 submitted\n1200 matched (unknown)\n1200 executing (unknown)\n6000 terminated (unknown)\n");
  constexpr double to_april = 6 * 86400 + 30 * 86400 + 31 * 86400 + 31 * 86400 + 28 * 86400 +
                              31 * 86400 - (2 * 3600 + 50 * 60);
  CHECK(read("2026-04-01 00:00:00").history.events.back().at == Seconds(to_april));
  std::string const other_day =
      dated("2025-10-27 02:50:00", 0, submit_event) + dated("2025-10-27 02:10:00", 1, running);
  CHECK(warned(read_text(other_day).report, "clock went back"));
  std::string const other_hour = before + dated("2025-10-26 01:10:00", 1, running);
  CHECK(warned(read_text(other_hour).report, "clock went back"));
}

// The end of the job is 08:20 UTC, with which 02:20 is six hours behind, as 01:50 was five.
TEST_CASE("Jobs' ends do not show another zone where the clock is known to have been set back") {
  auto const ended = [](std::string const& local, std::string const& utc) {
    return "005 (001.000.000) " + local +
           " Job terminated.\n\t(1) Normal termination (return value 0)\n\n\tJob terminated of its "
           "own accord at " +
           utc + " with exit-code 0.\n...\n";
  };
  auto const read = read_text(dated("2025-11-02 01:50:00", 0, submit_event) +
                              dated("2025-11-02 01:10:00", 1, running) +
                              ended("2025-11-02 02:20:00", "2025-11-02T08:20:00Z"));
  CHECK(read.history.events.back().at == Seconds(90 * 60));
  CHECK_FALSE(warned(read.report, "was UTC"));
  CHECK(warned(read.report, "UTC-05:00"));
}

TEST_CASE("A job's end, logged in local time and in UTC, shows the zone") {
  auto const read = read_text(
      dated("2025-04-18 00:00:00", 0, submit_event) +
      "005 (001.000.000) 2025-04-18 01:02:24 Job terminated.\n\t(1) Normal termination (return "
      "value 0)\n\n\tJob terminated of its own accord at 2025-04-18T06:01:50Z with exit-code "
      "0.\n...\n");
  CHECK(read.history.start_unix == 1744952400);  // 2025-04-18 05:00:00 UTC
  CHECK(read.history.local_ahead_s == -5 * 3600);
  CHECK(warned(read.report, "UTC-05:00"));
}

TEST_CASE("Jobs' ends over a change of the clock: said where they differ first") {
  auto const ended = [](std::string const& local, std::string const& utc) {
    return "005 (001.000.000) " + local +
           " Job terminated.\n\t(1) Normal termination (return value 0)\n\n\tJob terminated of its "
           "own "
           "accord at " +
           utc + " with exit-code 0.\n...\n";
  };
  std::string const winter = dated("2025-03-09 00:30:00", 0, submit_event) +
                             dated("2025-03-09 00:31:00", 1, running) +
                             ended("2025-03-09 01:34:35", "2025-03-09T07:34:35Z");
  std::string const summer = ended("2025-03-09 03:32:58", "2025-03-09T08:32:58Z");
  auto const both = read_text(winter + summer);
  CHECK_THAT(condor::problems_text(both.report),
             has_text("UTC-05:00 here and was UTC-06:00 before"));
  CHECK(condor::problems_text(read_text(winter).report).empty());
  // By the zone's own rules, the summer's at the end.
  CHECK(read_text(winter, {{}, "America/Chicago"}).history.local_ahead_s == -6 * 3600);
  CHECK(read_text(winter + summer, {{}, "America/Chicago"}).history.local_ahead_s == -5 * 3600);
  CHECK_FALSE(warned(read_text(winter + summer, {{}, "America/Chicago"}).report, "jobs' ends"));
}

TEST_CASE("Dates without a year that have a 29 February are of a leap year") {
  auto const read_in_2025 = [](std::string const& log) {
    TemporaryFile const file(log);
    // 2025-06-01 00:00:00 UTC
    std::filesystem::last_write_time(
        file.path(), std::chrono::file_clock::from_sys(
                         std::chrono::sys_seconds(std::chrono::seconds(1748736000))));
    return condor::read_logs({file.path()}, {{}, "UTC"});
  };
  std::string const leap = dated("02/29 22:00:00", 1, running);
  std::string const end = "005 (001.000.000) 03/01 08:00:00 Job terminated.\n...\n";
  auto const same_year = read_in_2025(dated("02/28 20:00:00", 0, submit_event) + leap + end);
  CHECK(same_year.history.start_unix == 1709150400);  // 2024-02-28 20:00:00
  CHECK(same_year.history.events.back().at == Seconds(36 * 3600));
  CHECK_FALSE(warned(same_year.report, "clock went back"));
  auto const next_year = read_in_2025(dated("12/31 20:00:00", 0, submit_event) + leap + end);
  CHECK(next_year.history.start_unix == 1704052800);  // 2023-12-31 20:00:00
  std::string const log = dated("02/28 20:00:00", 0, submit_event) + leap;
  CHECK(warned(read_text(log, {2025, "UTC"}).report, "1 March 2025"));
}

TEST_CASE("Dates without a year") {
  std::string const log =
      dated("12/31 23:59:50", 0, submit_event) + dated("01/01 00:00:10", 1, running);
  auto const given = read_text(log, {2025, "UTC"});
  CHECK(story(given.history) == "0 submitted\n20 matched (unknown)\n20 executing (unknown)\n");
  CHECK(given.history.start_unix == 1767225590);  // 2025-12-31 23:59:50
  // A job's end is logged with a year.
  auto const with_end = read_text(
      log +
      "005 (001.000.000) 01/01 00:00:30 Job terminated.\n\t(1) Normal termination (return "
      "value 0)\n\n\tJob terminated of its own accord at 2024-01-01T00:00:30Z.\n...\n");
  CHECK(with_end.history.start_unix == 1704067190);  // 2023-12-31 23:59:50
  CHECK(warned(with_end.report, "2023"));
  // The end settles the year, so that nobody has to act; without one the year is a guess.
  CHECK(condor::actions_text(with_end.report).empty());
  auto const guessed = read_text(log, {{}, "UTC"});
  CHECK(condor::actions_text(guessed.report).find("dates without a year") != std::string::npos);
  // So does an event 028, which is written behind another event with the same time.
  auto const with_ad = read_text(
      "000 (001.000.000) 11/15 17:05:55 Job submitted from host: <1.2.3.4:9618>\n...\n"
      "028 (001.000.000) 11/15 17:05:55 Job ad information event triggered.\n"
      "EventTime = \"2013-11-15T17:05:55\"\nCluster = 1\n...\n",
      {{}, "UTC"});
  CHECK(with_ad.history.start_unix == 1384535155);  // 2013-11-15 17:05:55
  CHECK(condor::actions_text(with_ad.report).empty());
  // Parts of a record, in either order.
  auto const both = [](std::string const& before, std::string const& after) {
    TemporaryFile const one(before), other(after);
    condor::ReadLogOptions const options{{}, "UTC"};
    std::string const in_order =
        story(condor::read_logs({one.path(), other.path()}, options).history);
    CHECK(in_order == story(condor::read_logs({other.path(), one.path()}, options).history));
    return in_order;
  };
  CHECK(both(dated("12/31 23:59:50", 0, submit_event), dated("01/01 00:00:10", 1, running)) ==
        story(given.history));
  CHECK(both(dated("06/01 00:00:00", 0, submit_event), dated("06/01 00:00:20", 1, running)) ==
        story(given.history));
}

TEST_CASE("Events of every number are known, others are counted") {
  std::string log = submission_of();
  for (int number = 0; number <= 47; ++number) {
    if (number == 0 || number == 39) continue;
    log += event(number, 5, "?", "", "002.000.000");
  }
  auto const known = read_text(log);
  CHECK(known.report.events == 47);
  CHECK_FALSE(warned(known.report, "a number"));
  auto const unknown = read_text(submission_of() + event(99, 5, "?", "\tWhatever = 3\n") + end(9));
  CHECK(unknown.report.events_by_number.at(99) == 1);
  CHECK(unknown.report.lines_not_understood == 2);
  CHECK(unknown.report.warnings.front().where.line == 3);
  CHECK(unknown.history.events.back().kind == history::EventKind::terminated);
}

TEST_CASE("Events that speak of clusters are no job's") {
  std::string const log =
      event(35, 0, "Cluster submitted from host: <192.0.2.9:9618>", "", "005.-01.-01") +
      submission_of("005.000.000") +
      event(36, 9, "Cluster removed", "\tMaterialized 1 jobs from 1 items.\n\tComplete\n",
            "005.-01.-01");
  auto const read = read_text(log);
  CHECK(read.report.jobs == 1);
  CHECK(read.report.events == 3);
  CHECK(read.report.lines_not_understood == 0);
}

TEST_CASE("An unfinished last event is left out and said") {
  auto const read = read_text(submission_of() +
                              "005 (001.000.000) 2026-01-01 00:00:09 Job terminated.\n\t(1) Nor");
  CHECK(read.report.events == 1);
  CHECK(warned(read.report, "being written"));
  CHECK(read.report.warnings.front().where.line == 3);
  // A last "..." without a line end is a whole event.
  std::string log = submission_of() + end(9);
  log.pop_back();
  CHECK(read_text(log).report.events == 2);
}

TEST_CASE("An event without its end mark costs no other") {
  std::string log = submission_of() + end(9);
  log.erase(log.find("...\n"), 4);
  auto const read = read_text(log);
  CHECK(read.report.events == 2);
  CHECK(warned(read.report, "without \"...\""));
}

TEST_CASE("A log that begins within an event") {
  auto const read = read_text("\tReason = half\n...\n" + submission_of() + end(9));
  CHECK(read.report.events == 2);
  CHECK(read.report.lines_not_understood == 1);
}

TEST_CASE("A line of 40 MB, NUL bytes and broken UTF-8") {
  std::string const odd = "\tbad \xff\xfe\x80 bytes and \0 too\n"s;
  std::string const large(40'000'000, 'x');
  std::string const log = submission_of() +
                          event(12, 3, "Job was held.", odd + "\tCode 1 Subcode 0\n") +
                          event(8, 4, "note", "\t" + large + "\n") + end(9);
  auto const read = read_text(log);
  CHECK(read.report.events_by_number.at(12) == 1);
  CHECK(read.report.events_by_number.at(5) == 1);
  CHECK(warned(read.report, "longer than 8 MB"));
}

TEST_CASE("A file that is no event log is refused in one line that names its kind") {
  CHECK_THAT(refusal("{\"ClusterId\": 5, \"ProcId\": 0}"), has_text("condor_history -json"));
  CHECK_THAT(refusal("MyType = \"Job\"\nClusterId = 5\nProcId = 0\n"), has_text("-long"));
  CHECK_THAT(refusal("executable = train\nqueue 60\n"), has_text("submit file"));
  CHECK_THAT(refusal("cluster,proc,outcome\n1,0,success\n"), has_text("job table"));
  CHECK_THAT(refusal(std::string("\x7f"
                                 "ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0",
                                 18)),
             has_text("binary"));
  CHECK_THAT(refusal("2026-01-01 INFO something else\n"), has_text("no job event log"));
  CHECK_THAT(refusal(""), has_text("empty"));
  CHECK_THAT(refusal("005 (001.000.000) 2026-01-01 00:00:09 Job"), has_text("no event"));
  REQUIRE_THROWS_AS(condor::read_logs({std::filesystem::temp_directory_path()}), InputError);
  REQUIRE_THROWS_AS(condor::read_logs({"/no/such/file"}), InputError);
  REQUIRE_THROWS_AS(condor::read_logs({}), InputError);
}

TEST_CASE("The readable part of a damaged compressed log counts") {
  std::string const log = gzip(content(pool_campaign("c7-hang/c7-hang.log")));
  auto const read = read_text(log.substr(0, log.size() / 2));
  CHECK(read.report.events > 0);
  CHECK(warned(read.report, "compressed"));
}

TEST_CASE("JSON and XML that break off cost no other event") {
  for (std::string const file : {"c5-json/c5-json.log", "c6-xml/c6-xml.log"}) {
    std::string log = content(pool_campaign(file));
    auto const whole = read_text(log);
    auto const second = log.find(file[1] == '5' ? "\n{" : "\n<c>") + 1;
    log.erase(second + 40, 60);  // somewhere in the second event
    auto const broken = read_text(log);
    CHECK(broken.report.events == whole.report.events - 1);
    CHECK(broken.report.lines_not_understood > 0);
    auto const cut = read_text(log.substr(0, log.size() - 20));
    CHECK(warned(cut.report, "being written"));
  }
}

TEST_CASE("JSON escapes and arrays") {
  auto const read = read_text(
      "[{\"EventTypeNumber\": 0, \"Cluster\": 1, \"Proc\": 0, \"EventTime\": "
      "\"2026-01-01T00:00:00\"},\n{\"EventTypeNumber\": 12, \"Cluster\": 1, \"Proc\": 0, "
      "\"EventTime\": \"2026-01-01T00:00:05\", \"HoldReason\": \"\\u00e4 \\\"404\\\" \\n\", "
      "\"HoldReasonCode\": 13, \"HoldReasonSubCode\": 256, \"List\": [1, \"]\", [2]]}]\n");
  CHECK(story(read.history) == "0 submitted\n5 held not_found 13/256\n");
  CHECK(read.report.lines_not_understood == 0);
}

TEST_CASE("The events before a log breaks off count") {
  std::mt19937 random(1);
  for (std::string const file :
       {"c4-retry/c4-retry.log", "c5-json/c5-json.log", "c6-xml/c6-xml.log"}) {
    std::string const log = content(pool_campaign(file));
    for (int i = 0; i < 10; ++i) {
      auto const read = read_text(log.substr(0, 2000 + random() % (log.size() - 2000)));
      CHECK(read.report.events > 0);
      CHECK(read.report.lines_not_understood == 0);
    }
  }
}

}  // namespace gridcast::test

// The order of a table's rows is nobody's business.

#include <algorithm>
#include <random>
#include <sstream>

#include <fmt/ranges.h>

#include "sim/import/table/attempt_table.hpp"
#include "tests/import/made_table.hpp"
#include "tests/test.hpp"

namespace gridcast::import {
namespace {

std::vector<std::string> const rows = {
    "10.0,1,NodeB,p2,2025-06-03T08:00:00.100Z,2025-06-03T08:10:00Z,2025-06-03T09:00:00.600Z,"
    "evicted,"
    "SITE-B,h2,7",
    "10.0,2,NodeB,p2,2025-06-03T08:00:00.100Z,2025-06-03T10:10:00Z,2025-06-03T11:00:00Z,succeeded,"
    "SITE-A,h1,9",
    "9.0,1,NodeA,p1,2025-06-03T08:00:00.100Z,2025-06-03T08:10:00Z,2025-06-03T09:00:00Z,succeeded,"
    "SITE-C,h3,",
    "task-b,,,p1,2025-06-03T08:00:00Z,2025-06-03T08:10:00Z,2025-06-03T09:00:00Z,evicted,SITE-A,h1,",
    "task-b,,,p1,2025-06-03T08:00:00Z,2025-06-03T09:10:00Z,2025-06-03T10:00:00Z,failed,SITE-B,h2,3",
    "task-a,,,p3,2025-06-03T08:00:00Z,2025-06-03T08:10:00Z,2025-06-03T09:00:00Z,succeeded,SITE-B,,",
    // Two rows that describe one attempt differently.
    "12,1,,p3,2025-06-03T08:00:00Z,2025-06-03T08:10:00Z,2025-06-03T09:00:00Z,succeeded,SITE-D,,",
    "12,1,,p3,2025-06-03T08:00:00Z,2025-06-03T08:10:00Z,2025-06-03T09:30:00Z,failed,SITE-C,,",
    "12.0,1,,p3,2025-06-03T08:00:00Z,2025-06-03T08:10:00Z,2025-06-03T09:00:00Z,succeeded,SITE-A,,"};

/// All that a history has of a table.
std::string reported(AttemptTable& table) {
  auto const history = history_of(table);
  std::ostringstream text;
  text << attempts_csv(history, runs_of(table, history)) << *history.start_unix;
  for (history::JobName const& job : history.jobs) text << ' ' << to_text(job);
  text << fmt::format("{} {} {}\n", history.own_names, history.sites, history.slots);
  for (history::JobEvent const& event : history.events) {
    text << event.at.value() << ' ' << event.job.index() << ' ' << static_cast<int>(event.kind)
         << ' ' << (event.site.valid() ? history.sites[event.site.index()] : "") << ' '
         << event.slot << '\n';
  }
  for (auto const& run : runs_of(table, history)) text << run.at.value() << '\n';
  for (auto const& [site, moved] : bytes_of(table)) text << site << ' ' << moved.received.value();
  return text.str();
}

std::string reported(std::vector<std::string> const& in_order) {
  AttemptTable table = read(fmt::format(
      "job,attempt,name,program,submitted,started,ended,outcome,site,host,bytes_in\n{}\n",
      fmt::join(in_order, "\n")));
  return reported(table);
}

TEST_CASE("Any order of a table's rows gives one history") {
  std::string const once = reported(rows);
  std::mt19937 generator(44);
  std::vector<std::string> shuffled = rows;
  for (int i = 0; i < 50; ++i) {
    std::shuffle(shuffled.begin(), shuffled.end(), generator);
    REQUIRE(reported(shuffled) == once);
  }
}

TEST_CASE("Jobs and sites of a table are numbered as in a log") {
  AttemptTable table = read(
      "job,started,ended,outcome,site\n10.0,0,9,succeeded,SITE-B\n9.1,0,9,succeeded,SITE-A\n"
      "9.0,0,9,succeeded,SITE-B\n");
  auto const history = history_of(table);
  CHECK(history.jobs == std::vector<history::JobName>{{9, 0}, {9, 1}, {10, 0}});
  CHECK(history.sites == std::vector<std::string>{"SITE-A", "SITE-B"});
  for (history::JobEvent const& event : history.events) {
    if (event.site.valid()) CHECK(event.site.index() == (event.job.index() == 1 ? 0 : 1));
  }
}

}  // namespace
}  // namespace gridcast::import

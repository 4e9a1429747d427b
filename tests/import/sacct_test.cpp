// The shipped map reads sacct's tables.
#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/history/attempts.hpp"
#include "sim/ledger/ledger.hpp"
#include "tests/import/made_table.hpp"
#include "tests/test.hpp"

namespace gridcast::import {
namespace {

TEST_CASE("The map of sacct: steps are no attempts, requeues are, GPUs come from AllocTRES") {
  auto const map = read_column_map(test::source_dir() / "calibration" / "maps" / "sacct.yaml");
  AttemptTable table = read(
      "JobID|JobName|User|Cluster|Submit|Start|End|State|ExitCode|NodeList|AllocTRES\n"
      "12|train|ann|c|2025-01-01T00:00:00|2025-01-01T00:01:00|2025-01-01T00:31:00|NODE_FAIL|1:0|"
      "gpu01|billing=4,cpu=4,gres/gpu:a100=2,gres/gpu=2,mem=8G,node=1\n"
      "12|train|ann|c|2025-01-01T00:31:00|2025-01-01T01:00:00|2025-01-01T02:00:00|COMPLETED|0:0|"
      "gpu02|billing=4,cpu=4,gres/gpu:a100=2,gres/gpu=2,mem=8G,node=1\n"
      "12.batch|batch||c|2025-01-01T01:00:00|2025-01-01T01:00:00|2025-01-01T02:00:00|COMPLETED|0:0|"
      "gpu02|cpu=4\n"
      "13_4|train|ann|c|2025-01-01T00:00:00|2025-01-01T00:01:00|2025-01-01T00:02:00|"
      "CANCELLED by 1000|0:15|gpu01|cpu=1\n",
      map);
  CHECK(table.report.rows_skipped == 1);
  auto const history = history_of(table);
  CHECK(history.jobs == std::vector<history::JobName>{{12, 0}, {13, 4}});
  auto const attempts = history::attempts_of(history);
  REQUIRE(attempts.size() == 3);
  REQUIRE(history.gpus.size() == 2);
  CHECK(history.gpus[0].model == "a100");
  CHECK(history.gpus[0].count == 2);
  CHECK(history.gpus[1].is_none());  // 13_4 has no gres/gpu
}

// sacct -P quotes nothing. In --format=ALL, SubmitLine and Comment are as users wrote them.
TEST_CASE("A command or a comment of several lines is one cell of sacct") {
  auto const map = read_column_map(test::source_dir() / "calibration" / "maps" / "sacct.yaml");
  std::string const times = "|2025-01-01T00:00:00|2025-01-01T00:01:00|2025-01-01T00:31:00|";
  for (std::string const& end : {std::string("\n"), std::string("\r\n")}) {
    std::string text = "JobID|Submit|Start|End|State|Comment|SubmitLine|User\n";
    text += "1" + times + "COMPLETED||sbatch --wrap=a\n  --epochs 3\n|ann\n";
    text += "2" + times + "FAILED|one\n\ntwo | three\nfour|sbatch b|ann\n";
    text += "3" + times + "COMPLETED||sbatch c|ann\n";
    text += "4" + times + "COMPL\n";  // cut off
    text += "5" + times + "COMPLETED||sbatch e|ann\n";
    for (auto at = text.find('\n'); end.size() > 1 && at != text.npos; at = text.find('\n', at + 2))
      text.replace(at, 1, end);
    AttemptTable const table = read(text, map);
    std::vector<std::uint32_t> lines;
    for (auto const& row : table.rows) {
      lines.push_back(row.line);
      CHECK(table.names.at(row.user) == "ann");
    }
    CHECK(lines == std::vector<std::uint32_t>{2, 5, 9, 11});
  }
}

TEST_CASE("The map of sacct reads sacct --json of old and new versions") {
  auto const map = read_column_map(test::source_dir() / "calibration" / "maps" / "sacct.yaml");
  // As Slurm 23.11 writes numbers that may be absent, states in lists, and steps in their jobs.
  std::string const after = R"({"jobs": [
    {"account": "lab", "array": {"job_id": 0, "task_id": {"set": false, "number": 0}},
     "cluster": "c", "exit_code": {"status": ["SUCCESS"],
       "return_code": {"set": true, "infinite": false, "number": 0}},
     "job_id": 12, "name": "train", "nodes": "gpu01", "partition": "p",
     "state": {"current": ["COMPLETED"], "reason": "None"},
     "steps": [{"time": {"start": {"set": true, "number": 1735689660}}, "job_id": 99,
                "state": "COMPLETED", "step": {"id": "12.batch"}}],
     "time": {"elapsed": 1800, "end": 1735691460, "start": 1735689660, "submission": 1735689600},
     "tres": {"allocated": [{"type": "cpu", "name": "", "id": 1, "count": 4},
                            {"type": "node", "name": "", "id": 4, "count": 1},
                            {"type": "gres", "name": "gpu:a100", "id": 1002, "count": 2}]},
     "user": "ann"},
    {"cluster": "c", "exit_code": {"return_code": {"set": true, "infinite": false, "number": 3}},
     "job_id": 13, "name": "train", "nodes": "gpu02", "state": {"current": ["FAILED"]},
     "time": {"end": 1735689720, "start": 1735689660, "submission": 1735689600},
     "tres": {"allocated": []}, "user": "ann"},
    {"cluster": "c", "exit_code": {"return_code": {"set": false, "infinite": false, "number": 0}},
     "job_id": 14, "name": "train", "nodes": "None assigned", "state": {"current": ["PENDING"]},
     "time": {"end": 0, "start": 0, "submission": 1735689600},
     "tres": {"allocated": []}, "user": "ann"}],
    "meta": {"slurm": {"release": "23.11.1"}}, "errors": []})";
  // The same as Slurm 21.08 wrote it, with plain numbers.
  std::string before = after;
  for (char const* const number : {"0", "3"}) {
    std::string const settable =
        fmt::format(R"({{"set": true, "infinite": false, "number": {}}})", number);
    std::size_t const at = before.find(settable);
    before.replace(at, settable.size(), number);
  }
  for (std::string const state : {"COMPLETED", "FAILED", "PENDING"}) {
    std::string const list = "[\"" + state + "\"]";
    before.replace(before.find(list), list.size(), "\"" + state + "\"");
  }
  for (std::string const& text : {after, before}) {
    AttemptTable table = read(text, map);
    auto const history = history_of(table);
    CHECK(history.jobs == std::vector<history::JobName>{{12, 0}, {13, 0}, {14, 0}});
    auto const attempts = history::attempts_of(history);
    REQUIRE(attempts.size() == 2);
    CHECK(attempts[0].execution() == Seconds(1800));
    REQUIRE(!history.gpus.empty());
    CHECK(history.gpus[0].count == 2);
    CHECK(history.gpus[0].model == "a100");
    auto const account = ledger::account(history);
    CHECK(account.total.succeeded == 1);
    CHECK(account.total.wrong_output == 1);
    CHECK(account.total.unfinished == 1);
  }
}

TEST_CASE("sacct --json has tasks of arrays and signals as its text has them") {
  auto const map = read_column_map(test::source_dir() / "calibration" / "maps" / "sacct.yaml");
  std::string const times =
      R"("name": "scan", "nodes": "n1", "cluster": "c", "time": )"
      R"({"end": 1735689720, "start": 1735689660, "submission": 1735689600},)";
  auto const waits = [](std::string const& tasks) {
    return R"({"job_id": 20, "name": "scan", "nodes": "None assigned", "cluster": "c", "time": )"
           R"({"end": 0, "start": 0, "submission": 1735689600}, "state": {"current": ["PENDING"]},)"
           R"("exit_code": {"signal": {"id": {"set": false, "number": 0}}},)"
           R"("array": {"job_id": 20, "task_id": {"set": false, "infinite": false, "number": 0},)" +
           tasks + "}}";
  };
  auto const killed = [&](std::string const& signal) {
    return R"({"job_id": 21, )" + times + R"("state": {"current": ["FAILED"]}, "exit_code": )" +
           R"({"status": ["SIGNALED"], "return_code": {"set": false, "number": 0}, "signal": {)" +
           signal + R"(}}, "array": {"job_id": 20, "task_id": {"set": true, "number": 1}}})";
  };
  // Slurm names both in one way or the other, by version.
  for (auto const& [tasks, signal] :
       {std::pair(R"("task": "2-4,7%2")", R"("id": {"set": true, "number": 9}, "name": "KILL")"),
        std::pair(R"("task_string": "2-4,7")", R"("signal_id": 9, "name": "Killed")")}) {
    AttemptTable table = read(R"({"jobs": [)" + killed(signal) + "," + waits(tasks) + "]}", map);
    REQUIRE(!table.rows.empty());
    CHECK(table.rows.front().exit_code == -9);
    auto const history = history_of(table);
    CHECK(history.jobs ==
          std::vector<history::JobName>{{20, 1}, {20, 2}, {20, 3}, {20, 4}, {20, 7}});
    auto const account = ledger::account(history);
    CHECK(account.total.wrong_output == 1);
    CHECK(account.total.unfinished == 4);
  }
}

TEST_CASE("A job of sacct --json without an end lasted as long as its record says") {
  auto const map = read_column_map(test::source_dir() / "calibration" / "maps" / "sacct.yaml");
  AttemptTable table = read(R"({"jobs": [{"job_id": 5, "cluster": "c", "nodes": "n1",
      "state": {"current": "NODE_FAIL"}, "time": {"elapsed": 900, "end": 0, "start": 1735689660,
      "submission": 1735689600}}]})",
                            map);
  auto const attempts = history::attempts_of(history_of(table));
  REQUIRE(attempts.size() == 1);
  CHECK(attempts[0].execution() == Seconds(900));
}

TEST_CASE("A job's number that sacct uses anew denotes two jobs") {
  auto const map = read_column_map(test::source_dir() / "calibration" / "maps" / "sacct.yaml");
  std::string const head = "JobID|User|Submit|Start|End|State|NodeList\n";
  AttemptTable table =
      read(head +
               "7|ann|2017-10-03T10:00:00|2017-10-03T11:00:00|2017-10-03T12:00:00|COMPLETED|n1\n"
               "7|bob|2026-08-20T10:00:00|2026-08-20T10:05:00|Unknown|RUNNING|n2\n"
               "8|ann|2017-10-03T10:00:00|2017-10-03T11:00:00|2017-10-03T12:00:00|COMPLETED|n1\n"
               "8|ann|2017-10-04T10:00:00|2017-10-04T11:00:00|2017-10-04T12:00:00|COMPLETED|n1\n"
               "9|ann|2017-10-03T10:00:00|2017-10-03T11:00:00|2017-10-03T12:00:00|NODE_FAIL|n1\n"
               "9|ann|2017-10-03T12:00:01|2017-10-03T13:00:00|2017-10-03T14:00:00|COMPLETED|n1\n",
           map);
  CHECK_THAT(to_text(table.report), test::has_text("2 rows of a job number that denotes another"));
  auto const account = ledger::account(history_of(table));
  CHECK(account.total.succeeded == 4);
  CHECK(account.total.unfinished == 1);
}

TEST_CASE("A job that succeeded is over, also where no submission is given") {
  auto const jobs = [](std::string const& first, std::string const& second) {
    AttemptTable table = read("job,attempt,started,ended,outcome\n1," + first + "\n1," + second);
    auto const total = ledger::account(history_of(table)).total;
    return std::pair(total.jobs, total.succeeded);
  };
  std::string const early = "2025-10-03T10:00:00Z,2025-10-03T11:00:00Z,",
                    late = "2025-10-04T10:00:00Z,2025-10-04T11:00:00Z,";
  CHECK(jobs("1," + early + "succeeded", "1," + late + "succeeded") == std::pair(2UL, 2UL));
  CHECK(jobs("," + late + "succeeded", "," + early + "succeeded") == std::pair(2UL, 2UL));
  CHECK(jobs("1," + early + "failed", "2," + late + "succeeded") == std::pair(1UL, 1UL));
  CHECK(jobs("1," + early + "succeeded", "2," + late + "succeeded") == std::pair(1UL, 1UL));
  CHECK(jobs("," + early + "evicted", "," + late + "succeeded") == std::pair(1UL, 1UL));
}

TEST_CASE("A job that was cancelled in the queue did not execute, though sacct dates its start") {
  auto const map = read_column_map(test::source_dir() / "calibration" / "maps" / "sacct.yaml");
  AttemptTable table = read(
      "JobID|Submit|Start|End|State|NodeList\n"
      "7|2024-07-24T09:30:44|2024-07-24T09:31:44|2024-07-24T09:31:44|CANCELLED by 0|None assigned\n",
      map);
  auto const history = history_of(table);
  CHECK(history::attempts_of(history).empty());
  CHECK(ledger::account(history).total.removed == 1);
}

TEST_CASE("A job that was cancelled without a node did not execute, at any end") {
  auto const map = read_column_map(test::source_dir() / "calibration" / "maps" / "sacct.yaml");
  std::string const row =
      "7|2024-07-24T09:30:44|2024-07-24T09:30:44|2024-07-24T09:40:44|CANCELLED by 0|";
  auto const attempts = [&](std::string const& nodes) {
    AttemptTable table = read("JobID|Submit|Start|End|State|NodeList\n" + row + nodes + "\n", map);
    return history::attempts_of(history_of(table)).size();
  };
  CHECK(attempts("None assigned") == 0);
  CHECK(attempts("n1") == 1);
}

TEST_CASE("A row of sacct's without End ends after its Elapsed") {
  auto const map = read_column_map(test::source_dir() / "calibration" / "maps" / "sacct.yaml");
  auto const end = [&map](std::string const& elapsed, std::string const& state = "COMPLETED") {
    auto const table = read(
        "JobID|Submit|Start|Elapsed|State\n"
        "7|2024-01-01T00:00:00|2024-01-01T00:10:00|" +
            elapsed + "|" + state + "\n",
        map);
    return table.rows.front().ended.value_or(Seconds());
  };
  CHECK(end("00:30:00") == Seconds(2400));
  CHECK(end("1-01:00:01") == Seconds(600 + 86400 + 3601));
  CHECK(end("02:03") == Seconds(600 + 123));
  CHECK(end("90") == Seconds(690));
  CHECK(end("00:30:00", "RUNNING") == Seconds());
  for (char const* bad : {"", "soon", "1:2:3:4", "-1-00:00:00", "1-"})
    CHECK_THROWS_AS(end(bad), InputError);
}

TEST_CASE("A job of sacct's that runs has run for its Elapsed") {
  auto const map = read_column_map(test::source_dir() / "calibration" / "maps" / "sacct.yaml");
  AttemptTable table = read(
      "JobID|Submit|Start|End|Elapsed|State|NodeList\n"
      "7|2026-01-01T00:00:00|2026-01-01T00:10:00|2026-01-01T01:10:00|01:00:00|COMPLETED|n1\n"
      "8|2026-01-01T00:00:00|2026-01-01T00:20:00|Unknown|02:40:00|RUNNING|n2\n"
      "9|2026-01-01T00:00:00|Unknown|Unknown|00:00:00|PENDING|None assigned\n"
      "10|2026-01-01T00:00:00|2026-01-01T01:00:00|Unknown|00:30:00|SUSPENDED|n3\n",
      map);
  auto const history = history_of(table);
  CHECK(history.end() == hours(3));
  auto const account = ledger::account(history);
  CHECK(account.total.compute_success == hours(1));
  // The suspended job has computed for half an hour, and has stood still since.
  CHECK(account.total.compute_unfinished == minutes(160 + 30));
  CHECK(account.total.suspended == minutes(90));
  CHECK(account.total.wallclock() == hours(1) + minutes(160 + 120));
}

TEST_CASE("The map of sacct is for tables with other separators, too") {
  auto const map = read_column_map(test::source_dir() / "calibration" / "maps" / "sacct.yaml");
  for (char const separator : {';', '\t', ',', '^', '~', '@', '!'}) {
    std::string text =
        "JobID|Submit|Start|End|State\n"
        "7|2024-07-24T09:30:44|2024-07-24T09:31:44|2024-07-24T09:41:44|COMPLETED\n";
    std::replace(text.begin(), text.end(), '|', separator);
    CHECK(read(text, map).rows.size() == 1);
  }
}

// 1 was preempted for good, 2 runs again, 3 waits again, 4 lost its node for good; 5 was requeued,
// and what came of it is in no row.
TEST_CASE("A job of sacct's whose last row says that it lost its nodes is over") {
  auto const map = read_column_map(test::source_dir() / "calibration" / "maps" / "sacct.yaml");
  std::string const lost = "|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T01:00:00|";
  AttemptTable table =
      read("JobID|Submit|Start|End|State|NodeList\n1" + lost + "PREEMPTED|n1\n2" + lost +
               "PREEMPTED|n1\n2|2025-01-01T01:00:01|2025-01-01T02:00:00|2025-01-01T03:00:00|" +
               "COMPLETED|n1\n3" + lost + "NODE_FAIL|n1\n3|2025-01-01T01:00:01|Unknown|Unknown|" +
               "PENDING|None assigned\n4" + lost + "NODE_FAIL|n1\n5" + lost + "REQUEUED|n1\n",
           map);
  auto const history = history_of(table);
  auto const account = ledger::account(history);
  CHECK(account.total.succeeded == 1);
  CHECK(account.total.removed == 2);
  CHECK(account.total.unfinished == 2);
  CHECK(account.total.evictions == 5);
  CHECK(account.total.compute_evicted == hours(5));
  auto const decided_by_hand = [](history::JobEvent const& event) {
    return event.kind == history::EventKind::aborted && event.reason == history::Reason::manual;
  };
  CHECK(std::none_of(history.events.begin(), history.events.end(), decided_by_hand));
  std::string const written = attempts_csv(history);
  AttemptTable again = read(written);
  CHECK(attempts_csv(history_of(again)) == written);
  CHECK(ledger::account(history_of(again)).total.removed == 2);
}

// 1 and 4 are over; 2 was run again, 3 waits to be.
TEST_CASE("A job of sacct's that a limit stopped is over unless another row of it follows") {
  auto const map = read_column_map(test::source_dir() / "calibration" / "maps" / "sacct.yaml");
  std::string const ran = "|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T01:00:00|";
  AttemptTable table =
      read("JobID|Submit|Start|End|State|NodeList\n1" + ran + "OUT_OF_MEMORY|n1\n2" + ran +
               "OUT_OF_MEMORY|n1\n2|2025-01-01T01:00:01|2025-01-01T02:00:00|2025-01-01T03:00:00|" +
               "COMPLETED|n1\n3" + ran + "TIMEOUT|n1\n3|2025-01-01T01:00:01|Unknown|Unknown|" +
               "PENDING|None assigned\n4" + ran + "TIMEOUT|n1\n",
           map);
  auto const history = history_of(table);
  auto const account = ledger::account(history);
  CHECK(account.total.succeeded == 1);
  CHECK(account.total.removed == 2);
  CHECK(account.total.unfinished == 1);
  std::vector<std::pair<history::EventKind, history::Reason>> ends;
  for (history::JobEvent const& event : history.events) {
    bool const stopped =
        event.kind == history::EventKind::aborted || event.kind == history::EventKind::evicted;
    if (stopped) ends.emplace_back(event.kind, event.reason);
  }
  CHECK(ends == std::vector<std::pair<history::EventKind, history::Reason>>{
                    {history::EventKind::aborted, history::Reason::out_of_resources},
                    {history::EventKind::evicted, history::Reason::out_of_resources},
                    {history::EventKind::evicted, history::Reason::execution_too_long},
                    {history::EventKind::aborted, history::Reason::execution_too_long}});
  AttemptTable again = read(attempts_csv(history));
  CHECK(history_of(again).batch_system == history::BatchSystem::other);
}

TEST_CASE("GPUs of sacct are the whole job's, of all kinds") {
  auto const map = read_column_map(test::source_dir() / "calibration" / "maps" / "sacct.yaml");
  std::string text = "JobID|Submit|Start|End|State|AllocTRES\n";
  int job = 0;
  for (auto const* resources :
       {"cpu=4,gres/gpu=128,node=16", "cpu=4,gres/gpu=128,node=1",
        "gres/gpu:a100=2,gres/gpu:v100=1", "gres/gpu:a100=2,gres/gpu:v100=1,gres/gpu=3"}) {
    text +=
        fmt::format("{}|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T01:00:00|COMPLETED|{}\n",
                    ++job, resources);
  }
  AttemptTable const table = read(text, map);
  REQUIRE(table.rows.size() == 4);
  CHECK(table.rows[0].gpus == 128);
  CHECK(!table.rows[1].gpus);
  CHECK(table.rows[2].gpus == 3);
  CHECK(table.rows[3].gpus == 3);
  CHECK(to_text(table.report).find(":3: gpus: 128 GPUs are more than a host has") !=
        std::string::npos);
}

TEST_CASE("A resized job continues as another row, and nothing is lost") {
  auto const map = read_column_map(test::source_dir() / "calibration" / "maps" / "sacct.yaml");
  AttemptTable table = read(
      "JobID|Submit|Start|End|State|AllocTRES\n"
      "1|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T02:00:00|RESIZING|gres/gpu=1\n"
      "1|2025-01-01T00:00:00|2025-01-01T02:00:00|2025-01-01T03:00:00|COMPLETED|gres/gpu=2\n",
      map);
  auto const account = ledger::account(history_of(table));
  CHECK(account.total.wallclock() == hours(3));
  CHECK(account.total.compute_success == hours(3));
  CHECK(account.gpu_time == hours(4));
  // One execution, which goes on: nobody took the slot, and nothing was stored.
  CHECK(account.total.executions == 1);
  CHECK(account.total.evictions == 0);
  CHECK(account.total.checkpoints == 0);
}

TEST_CASE("A resized job that is then preempted has lost all of its execution") {
  auto const map = read_column_map(test::source_dir() / "calibration" / "maps" / "sacct.yaml");
  AttemptTable table = read(
      "JobID|Submit|Start|End|State|AllocTRES\n"
      "1|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T02:00:00|RESIZING|gres/gpu=1\n"
      "1|2025-01-01T00:00:00|2025-01-01T02:00:00|2025-01-01T03:00:00|RESIZING|gres/gpu=2\n"
      "1|2025-01-01T00:00:00|2025-01-01T03:00:00|2025-01-01T04:00:00|REQUEUED|gres/gpu=4\n"
      "1|2025-01-01T00:00:00|2025-01-01T05:00:00|2025-01-01T06:00:00|COMPLETED|gres/gpu=1\n",
      map);
  auto const account = ledger::account(history_of(table));
  CHECK(account.total.attempts == 2);
  CHECK(account.total.evictions == 1);
  CHECK(account.total.compute_evicted == hours(4));
  CHECK(account.total.compute_success == hours(1));
  CHECK(account.gpu_time == hours(2 + 2 + 4 + 1));
}

TEST_CASE("Clusters of one table each have jobs of their own, though numbered alike") {
  auto const map = read_column_map(test::source_dir() / "calibration" / "maps" / "sacct.yaml");
  std::string const end = "|2026-10-03T10:00:00|2026-10-03T11:00:00|2026-10-03T12:00:00|";
  AttemptTable table = read(
      "JobID|JobName|User|Cluster|Submit|Start|End|State|ExitCode\n"
      "9|a|u1|c1" +
          end +
          "COMPLETED|0:0\n"
          "9|a|u1|c2" +
          end +
          "COMPLETED|0:0\n"
          "11|a|u1|c1" +
          end +
          "FAILED|1:0\n"
          "11|a|u1|c2|2026-10-03T14:00:00|2026-10-03T14:30:00|"
          "2026-10-03T15:30:00|COMPLETED|0:0\n",
      map);
  auto const history = history_of(table);
  CHECK(history.jobs.size() == 4);
  auto const account = ledger::account(history);
  CHECK(account.total.succeeded == 3);
  CHECK(account.total.compute_success == hours(3));
  CHECK(table.report.rows_left_out == 0);
}

TEST_CASE("An array's tasks that wait are one row of sacct, and jobs of their own") {
  auto const map = read_column_map(test::source_dir() / "calibration" / "maps" / "sacct.yaml");
  std::string const row = "|2025-01-01T00:00:00|Unknown|Unknown|PENDING|\n";
  AttemptTable table = read(
      "JobID|Submit|Start|End|State|AllocTRES\n"
      "101_3|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T01:00:00|COMPLETED|cpu=1\n"
      "101_[4,6-10:2%3]" +
          row + "102_[1-3,..." + "]" + row + "103_[x]" + row + "104_[0-99999,7]" + row,
      map);
  auto const history = history_of(table);
  std::vector<history::JobName> const expected{{101, 3},  {101, 4}, {101, 6}, {101, 8},
                                               {101, 10}, {102, 1}, {102, 2}, {102, 3}};
  REQUIRE(history.jobs.size() == expected.size() + 100000);
  CHECK(std::equal(expected.begin(), expected.end(), history.jobs.begin()));
  CHECK(ledger::account(history).total.unfinished == 7 + 100000);
  // 102's list is cut, 103's is none, and of 104's tasks one is beyond what is read.
  CHECK(table.report.notes.size() == 3);
  std::string const notes = to_text(table.report);
  CHECK_THAT(notes, test::has_text("'102_[1-3,...]' does not list all tasks of the array"));
  CHECK_THAT(notes, test::has_text("'104_[0-99999,7]' lists more than 100000 tasks"));
}

TEST_CASE("sacct lists no GPUs: of a job without them, or of any") {
  auto const map = read_column_map(test::source_dir() / "calibration" / "maps" / "sacct.yaml");
  std::string const head_of_sacct = "JobID|Submit|Start|End|State|AllocTRES\n";
  auto const row = [](std::string const& job, std::string const& resources) {
    return job + "|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T01:00:00|COMPLETED|" +
           resources + "\n";
  };
  auto const gpu_hours = [&](std::string const& rows) {
    AttemptTable table = read(head_of_sacct + rows, map);
    return ledger::account(history_of(table)).gpu_time.value() / 3600;
  };
  std::string const without = row("1", "cpu=4,mem=8G") + row("2", "cpu=4");
  CHECK(gpu_hours(without) == 2);
  CHECK(gpu_hours(without + row("3", "cpu=4,gres/gpu=3")) == 3);
  CHECK(gpu_hours(without + row("3", "cpu=4,gres/gpu=3") + row("4", "")) == 4);
}

// The dashes show the columns; wide cells are cut off, with '+' at their ends.
TEST_CASE("A listing of sacct is read by its columns") {
  auto const map = read_column_map(test::source_dir() / "calibration" / "maps" / "sacct.yaml");
  AttemptTable table = read(
      "       JobID    JobName      State               Start    Elapsed ExitCode \n"
      "------------ ---------- ---------- ------------------- ---------- -------- \n"
      "5121         a long na+  COMPLETED 2021-01-05T13:00:00   00:10:00      0:0 \n"
      "5121.batch        batch  COMPLETED 2021-01-05T13:00:00   00:10:00      0:0 \n"
      "10754529_1.+      batch  COMPLETED 2021-01-05T13:00:00   00:10:00      0:0 \n"
      "5122                  b OUT_OF_ME+ 2021-01-05T13:00:00   00:20:00    0:125 \n"
      "5123                  c CANCELLED+ 2021-01-05T13:00:00   00:40:00      0:0 \n"
      "10754529_10+          d  COMPLETED 2021-01-05T13:00:00   00:10:00      0:0 \n"
      "5124 wider_than_its_col  COMPLETED 2021-01-05T13:00:00   00:10:00      0:0 \n",
      map);
  CHECK(table.report.rows_skipped == 2);
  CHECK(table.report.rows_left_out == 2);  // an unknown job, and a row out of its columns
  auto const ledger = ledger::account(history_of(table));
  CHECK(ledger.total.jobs == 3);
  CHECK(ledger.total.succeeded == 1);
  CHECK(ledger.total.removed == 2);
  CHECK(ledger.gpu_time == Seconds(70 * 60));
}

TEST_CASE("Bars in a job's name or the command of its submission are no separators of sacct") {
  auto const map = read_column_map(test::source_dir() / "calibration" / "maps" / "sacct.yaml");
  std::string const times = "2026-07-11T12:00:00|2026-07-11T12:01:00|2026-07-11T12:02:00";
  AttemptTable table = read(
      "JobID|JobName|Submit|Start|End|State|ExitCode|SubmitLine|NodeList\n"
      "1|a|" +
          times +
          "|COMPLETED|0:0|sbatch a|n1\n"
          "2|a|b||c|" +
          times +
          "|FAILED|3:0|sbatch a|n2\n"
          "3|a|" +
          times +
          "|CANCELLED by 504|0:0|sbatch a | tee log|n3\n"
          "4|x|" +
          times + "|COMPLETED|0:0|sbatch a|n4|5\n",
      map);
  CHECK(table.report.rows_left_out == 0);
  auto const history = history_of(table);
  auto const ledger = ledger::account(history);
  CHECK(ledger.total.succeeded == 2);
  CHECK(ledger.total.wrong_output == 1);
  CHECK(ledger.total.removed == 1);
  // Without such a column, the row has a cell too many.
  CHECK(read("JobID|Submit|Start|End|State|NodeList\n5|" + times + "|COMPLETED|n|1\n" + "6|" +
                 times + "|COMPLETED|n\n",
             map)
            .report.rows_left_out == 1);
}

TEST_CASE("Names of columns in lower case, as other programs save them, are sacct's too") {
  auto const map = read_column_map(test::source_dir() / "calibration" / "maps" / "sacct.yaml");
  AttemptTable table = read(
      "\"\",jobid,jobname,submit,START,end,state,nodelist\n"
      "\"1\",7,a,2026-07-11T12:00:00,2026-07-11T12:01:00,2026-07-11T12:02:00,COMPLETED,n1\n",
      map);
  CHECK(ledger::account(history_of(table)).total.succeeded == 1);
}

// tests/slurm/run made it: train 5 s, train2 4 s, crash 2 s, requeued 3 s and then 10 s, cancelled
// 1 s, two of an array 3 s and 4 s, late stopped by its limit after 65 s.
TEST_CASE("A real sacct of Slurm 22.05") {
  auto const map = read_column_map(test::source_dir() / "calibration" / "maps" / "sacct.yaml");
  AttemptTable table =
      read_attempt_tables({test::source_dir() / "tests" / "slurm" / "sacct.txt"}, map);
  CHECK(table.report.rows == 18);
  CHECK(table.report.rows_skipped == 9);
  CHECK(table.report.rows_left_out == 0);
  auto const history = history_of(table);
  CHECK(history.jobs.size() == 8);
  Seconds executed;
  int evicted = 0, removed = 0, useful = 0;
  for (history::Attempt const& attempt : history::attempts_of(history)) {
    executed += *attempt.execution();
    evicted += attempt.end == history::EventKind::evicted;
    removed += attempt.end == history::EventKind::aborted;
    useful += attempt.end == history::EventKind::terminated && attempt.useful;
  }
  CHECK(executed == Seconds(5 + 4 + 2 + 3 + 10 + 1 + 3 + 4 + 65));
  CHECK(evicted == 1);
  CHECK(removed == 2);
  CHECK(useful == 5);
}

}  // namespace
}  // namespace gridcast::import

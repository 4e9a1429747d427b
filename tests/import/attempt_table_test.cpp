// Tables of attempts: gridcast.attempts/1 and what column maps make of others.
#include "sim/import/table/attempt_table.hpp"

#include <map>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/history/attempts.hpp"
#include "sim/import/table/recognised_columns.hpp"
#include "sim/import/table/table_times.hpp"
#include "sim/ledger/black_holes.hpp"
#include "sim/ledger/ledger.hpp"
#include "tests/import/made_table.hpp"
#include "tests/test.hpp"

namespace gridcast::import {
namespace {

std::string problems_of(std::string const& text) {
  try {
    read(text);
  } catch (InputError const& error) {
    return error.what();
  }
  return "";
}

constexpr char const* head =
    "job,attempt,submitted,transfer_started,transfer_ended,started,ended,outcome,site,gpus\n";

TEST_CASE("One moment in every ISO form is one moment") {
  auto const expected = std::int64_t{1756292060000};  // date -u -d 2025-08-27T10:54:20 +%s
  for (auto const* text :
       {"2025-08-27T10:54:20Z", "2025-08-27 10:54:20+00:00", "20250827T105420Z",
        "2025-08-27T12:54:20+02:00", "2025-08-27T05:54:20-0500", "1756292060", "1756292060000",
        "2025-08-27T10:54:20.000Z", "2025-08-27T10:54:20 UTC", "2025/08/27 10:54:20 UTC"}) {
    auto const time = parse_table_time(text);
    CAPTURE(text);
    REQUIRE(time);
    CHECK(time->ms == expected);
    CHECK(time->kind == WrittenTime::Kind::zoned);
  }
  CHECK(parse_table_time("2025-08-27T10:54")->ms == expected - 20000);
  CHECK(parse_table_time("2025-08-27T10:54:20")->kind == WrittenTime::Kind::local);
  CHECK(parse_table_time("812.5")->since_start == Seconds(812.5));
  CHECK(iso_time(expected) == "2025-08-27T10:54:20Z");
  CHECK(iso_time(expected + 7) == "2025-08-27T10:54:20.007Z");
}

TEST_CASE("Dates of other forms: month/day/year by itself, any other by strptime's format") {
  auto const expected = std::int64_t{1737946260000};  // date -u -d '2025-01-27 02:51' +%s
  for (auto const* text : {"1/27/2025 2:51", "01/27/2025 02:51:00", "1/27/2025 2:51 AM"}) {
    CAPTURE(text);
    REQUIRE(parse_table_time(text));
    CHECK(parse_table_time(text)->ms == expected);
    CHECK(parse_table_time(text)->order_assumed);
  }
  CHECK(parse_table_time("1/27/2025 2:51 PM")->ms == expected + 12 * 3'600'000);
  CHECK(parse_table_time("1/27/2025 12:51 AM")->ms == expected - 2 * 3'600'000);
  for (auto const* text :
       {"27/1/2025 2:51", "2/30/2025 1:00", "1/27/2025 2:51 x", "1/27/25 2:51"}) {
    CHECK_FALSE(parse_table_time(text));
  }
  CHECK(parse_table_time("27.01.2025 02:51", "%d.%m.%Y %H:%M")->ms == expected);
  CHECK(parse_table_time("27/1/2025 4:51 +0200", "%d/%m/%Y %H:%M %z")->ms == expected);
  CHECK_FALSE(parse_table_time("27.01.2025", "%d.%m.%Y %H:%M"));
  AttemptTable const table =
      read("job;started;ended;outcome\n1;1/27/2025 2:51;1/27/2025 3:51;succeeded\n");
  CHECK_THAT(to_text(table.report), test::has_text("are read as month/day/year"));
}

TEST_CASE("A table without a row of names takes the names of its map") {
  TestFile const map("map.yaml",
                     "schema: gridcast.columns/1\nheader: [id, from, to, state]\n"
                     "time_format: '%d.%m.%Y %H:%M'\n"
                     "columns: {job: id, started: from, ended: to, outcome: state}\n");
  AttemptTable table =
      read("1,27.01.2025 02:51,27.01.2025 03:51,succeeded\n", read_column_map(map.path()));
  auto const attempts = history::attempts_of(history_of(table));
  REQUIRE(attempts.size() == 1);
  CHECK(attempts[0].execution() == hours(1));
}

TEST_CASE("A form of times that strptime does not take is refused") {
  for (std::string const form : {"%Q", "%d.%m.%Y %", "%H:%Q"}) {
    INFO(form);
    TestFile const map("bad.yaml", "schema: gridcast.columns/1\ntime_format: '" + form +
                                       "'\ncolumns: {job: a, started: b, ended: c, outcome: d}\n");
    CHECK_THROWS_AS(read_column_map(map.path()), InputError);
  }
  for (std::string const form : {"%d/%m/%Y %H:%M", "%s", "%FT%T%z", "%b %e, %Y %I:%M %p"}) {
    INFO(form);
    CHECK(is_time_format(form));
  }
}

TEST_CASE("A text that is no time counts as missing") {
  for (auto const* text : {"", "yesterday", "2025-13-01T00:00:00", "2025-02-30T00:00:00", "-5",
                           "10:54:20", "2025-08-27T25:00:00", "2025-08-27T10:54:20+99:00",
                           "2025-08-27T10:54:20Zx", "nan", "inf", "1e300"}) {
    CAPTURE(text);
    CHECK(!parse_table_time(text));
  }
}

TEST_CASE("Rows are attempts; the clock begins with the first submission") {
  AttemptTable table = read(std::string(head) +
                            "7.1,1,2025-01-01T00:00:00Z,2025-01-01T00:01:00Z,2025-01-01T00:02:00Z,"
                            "2025-01-01T00:02:00Z,2025-01-01T01:02:00Z,evicted,A,2\n"
                            "7.1,2,2025-01-01T00:00:00Z,,,2025-01-01T02:00:00Z,"
                            "2025-01-01T03:00:00Z,succeeded,B,4\n");
  auto const history = history_of(table);
  CHECK(to_text(table.report) == "2 rows\n");
  REQUIRE(history.jobs == std::vector<history::JobName>{{7, 1}});
  CHECK(history.start_unix == 1735689600);  // date -u -d 2025-01-01 +%s
  auto const attempts = history::attempts_of(history);
  REQUIRE(attempts.size() == 2);
  CHECK(attempts[0].matched == Seconds(60));
  CHECK(*attempts[0].transfer_ended - *attempts[0].transfer_started == Seconds(60));
  CHECK(attempts[0].execution() == Seconds(3600));
  CHECK(attempts[0].end == history::EventKind::evicted);
  CHECK(attempts[1].execution() == Seconds(3600));
  CHECK(attempts[1].useful);
  REQUIRE(history.gpus.size() == 2);
  CHECK(history.gpus[0].count == 2);
  CHECK(history.gpus[1].count == 4);
}

TEST_CASE("attempts that run at the end of a table count until its end, with any other table") {
  std::string const columns = "job,submitted,started,ended,outcome,site\n";
  TestFile const one("one.csv", columns +
                                    "1,2026-03-01T00:00:00Z,2026-03-01T01:00:00Z,"
                                    "2026-03-01T02:00:00Z,succeeded,A\n"
                                    "2,2026-03-01T00:00:00Z,2026-03-01T01:30:00Z,,running,A\n");
  TestFile const two("two.csv", columns +
                                    "11,2026-06-01T00:00:00Z,2026-06-01T01:00:00Z,"
                                    "2026-06-01T02:00:00Z,succeeded,B\n");
  for (auto const& files : {std::vector{one.path(), two.path()}, {two.path(), one.path()}}) {
    AttemptTable table = read_attempt_tables(files, std::nullopt);
    // An hour each of jobs 1 and 11, half an hour of job 2.
    CHECK(ledger::account(history_of(table)).total.wallclock() == Seconds(2.5 * 3600));
  }
}

TEST_CASE("A column map is for those tables of a command that are not in gridcast's own form") {
  ColumnMap map;
  map.separator = '|';
  map.time_zone = "America/Chicago";
  map.batch_system = "Slurm";
  for (auto const& [column, theirs] :
       {std::pair{AttemptColumn::job, "Id"}, std::pair{AttemptColumn::started, "Begin"},
        std::pair{AttemptColumn::ended, "End"}, std::pair{AttemptColumn::outcome, "State"}}) {
    map.sources[static_cast<std::size_t>(column)].push_back({.column = theirs});
  }
  TestFile const own("own.csv",
                     "job,started,ended,outcome,program\n"
                     "1,2026-03-01T00:00:00,2026-03-01T01:00:00,succeeded,/a/train\n");
  TestFile const theirs("theirs.csv",
                        "Id|Begin|End|State\n"
                        "2|2026-03-01T00:00:00|2026-03-01T01:00:00|succeeded\n");
  for (auto const& files : {std::vector{own.path(), theirs.path()}, {theirs.path(), own.path()}}) {
    AttemptTable const table = read_attempt_tables(files, map);
    REQUIRE(table.rows.size() == 2);
    bool const own_first = table.jobs[table.rows[0].job] == "1";
    AttemptRow const& of_own = table.rows[own_first ? 0 : 1];
    AttemptRow const& of_theirs = table.rows[own_first ? 1 : 0];
    CHECK(table.names[of_own.program] == "/a/train");
    // Midnight in Chicago is 06:00 UTC then; the map does not say what zone the other table is of.
    CHECK(*of_theirs.started - *of_own.started == Seconds(6 * 3600));
    CHECK(table.batch_system == "Slurm");
  }
  CHECK(read_attempt_tables({own.path()}, map).batch_system.empty());
  TestFile const none("none.csv", "Id|Start\n1|2\n");
  CHECK_THROWS_WITH(read_attempt_tables({none.path()}, map),
                    test::has_text("no column for started"));
  // One message, whatever is between the cells.
  std::string const columns[] = {"4711", "train", "COMPLETED", "2026-05-22T07:01:00"};
  for (std::string const between : {",", ";", "\t", "^", "|"}) {
    std::string row;
    for (std::string const& cell : columns) row += (row.empty() ? "" : between) + cell;
    TestFile const headless("headless.txt", row + between + "x\n" + row + between + "y\n");
    CAPTURE(between);
    CHECK_THROWS_WITH(read_attempt_tables({headless.path()}, shipped_map("sacct")),
                      test::has_text("its first row holds values"));
  }
  TestFile const slashes("slashes.txt", "JobID/Start/End/State\n1/2/3/COMPLETED\n");
  try {
    read_attempt_tables({slashes.path()}, shipped_map("sacct"));
    FAIL("a table whose cells nothing parts");
  } catch (InputError const& error) {
    CHECK(error.problems().size() == 1);
    CHECK(error.problems().front().hint.find("separator: '/'") != std::string::npos);
  }
}

TEST_CASE("There and back: the same table, and columns in any order") {
  std::string const text =
      "outcome,ended,started,job,site,released,hold_code,reason,checkpoints,suspended,submitted\n"
      "held,400,100,1.0,A,500,47,execution_too_long,200|250/260,300/320,0\n"
      "requeued,900,600,1.0,A,,,exit_code,,,0\n"
      "succeeded,2000,1000,1.0,B,,,,,,0\n"
      "waiting,,,2.0,,,,,,,5\n";
  AttemptTable table = read(text);
  std::string const once = attempts_csv(history_of(table));
  AttemptTable again = read(once);
  CHECK(attempts_csv(history_of(again)) == once);
  CHECK(again.report.rows == 4);
  CHECK(again.report.rows_left_out == 0);
}

TEST_CASE("Epochs: as the table counts them, or by its checkpoints, and so they are written") {
  AttemptTable table = read(
      "job,attempt,started,ended,outcome,epochs,checkpoints\n"
      "1.0,1,100,400,evicted,3,\n"
      "1.0,2,500,2500,succeeded,20,\n"
      "2.0,1,100,400,evicted,,150|250\n"
      "2.0,2,500,900,succeeded,,\n"
      "3.0,1,100,400,succeeded,,\n"
      "4.0,1,100,,running,70000,\n");
  auto const history = history_of(table);
  AttemptTable again = read(attempts_csv(history));
  std::vector<std::uint32_t> epochs;
  for (AttemptRow const& row : again.rows) epochs.push_back(row.epochs);
  CHECK(epochs == std::vector<std::uint32_t>{3, 20, 2, 1, 0, 65535});
  CHECK(attempts_csv(history_of(again)) == attempts_csv(history));
}

TEST_CASE(
    "What ends an attempt is a list of columns with an outcome each, as the refusal shows it") {
  std::string const map =
      "schema: gridcast.columns/1\ncolumns: {job: Id, started: Begin, ended: End, outcome: State}\n"
      "outcomes: {DONE: succeeded}\nends: ";
  TestFile const good("good.yaml", map + "[{column: Held, outcome: held}]\n");
  auto const read = read_column_map(good.path());
  REQUIRE(read.ends.size() == 1);
  CHECK(read.ends[0].column == "Held");
  CHECK(read.ends[0].outcome == AttemptOutcome::held);
  for (std::string const value : {"Held", "[Held]", "{Held: held}"}) {
    TestFile const bad("bad.yaml", map + value + "\n");
    CHECK_THROWS_WITH(read_column_map(bad.path()),
                      test::has_text("Write [{column: COLUMN, outcome: held}]."));
  }
}

TEST_CASE("Lines that are no JSON objects are rows that are left out, each of them") {
  std::string const row = R"({"job": "1", "started": 10, "ended": 20, "outcome": "succeeded"})";
  AttemptTable const table = read(row + "\nnothing\n[]\n{\"job\": \n");
  CHECK(to_text(table.report).starts_with("4 rows, 3 rows left out"));
  CHECK_THAT(to_text(table.report),
             test::has_text("3 objects are no JSON (the rows are left out)"));
}

TEST_CASE("A row that cannot be used is left out, and said with its place") {
  AttemptTable const table = read(std::string(head) +
                                  "1,1,0,,,10,20,succeeded,A,1\n"
                                  "2,1,0,,,10,20,exploded,A,1\n"     // line 3
                                  "3,1,0,,,50,20,succeeded,A,1\n"    // backwards
                                  "4,1,0,,,soon,20,succeeded,A,1\n"  // no time
                                  "1,1,0,,,30,40,succeeded,A,1\n"    // there twice
                                  "5,1,0,,,10,20,succeeded,A,500\n"  // more GPUs than a host has
                                  "6,1,0,,,10,20\n");                // too few cells
  CHECK(table.rows.size() == 2);
  CHECK(table.report.rows_left_out == 5);
  CHECK(table.report.cells_left_out == 1);
  std::string const text = to_text(table.report);
  CHECK(text.starts_with("7 rows, 5 rows and 1 cell left out"));
  for (auto const* part :
       {":3: outcome: unknown value 'exploded'", ":4: ended: 30 s before started",
        ":5: started: 'soon' is no time", ":6: attempt 1 of job 1 is repeated",
        ":7: gpus: 500 GPUs are more than a host has", ":8: the row has 7 cells"}) {
    CAPTURE(part, text);
    CHECK(text.find(part) != std::string::npos);
  }
}

TEST_CASE("At most ten problems are reported, and how many more there are") {
  std::string text = std::string(head) + "1,1,0,,,10,20,succeeded,A,1\n";
  for (int i = 0; i < 25; ++i) text += fmt::format("{},1,0,,,10,20,what,A,1\n", i + 2);
  AttemptTable const table = read(text);
  CHECK(table.report.notes.size() == 10);
  CHECK(table.report.more_notes == 15);
}

TEST_CASE("Nothing of use, and missing columns, are refused") {
  CHECK(problems_of(std::string(head)).find("there is no attempt in it") != std::string::npos);
  CHECK(problems_of("").find("empty") != std::string::npos);
  std::string const text = problems_of("Job ID,State,Begin\n1,ok,2025-01-01T00:00:00Z\n");
  CHECK(text.find("3 of its 3 columns are recognised") != std::string::npos);
  CHECK(text.find("missing: ended") != std::string::npos);
}

TEST_CASE("A table cut at any byte is read or refused, never more than it says") {
  std::string const whole = std::string(head) +
                            "1,1,0,,,10,20,succeeded,A,1\n2,1,0,,,10,20,\"evicted\",\"A, B\",1\n"
                            "3,1,0,,,10,20,succeeded,A,1\n";
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    CAPTURE(size);
    try {
      AttemptTable table = read(whole.substr(0, size));
      CHECK(table.rows.size() <= 3);
      CHECK(table.rows.size() + table.report.rows_left_out == table.report.rows);
      history_of(table);
    } catch (InputError const&) {
      CHECK(size < whole.size());
    }
  }
}

TEST_CASE("The map of the METL table: the earliest end counts") {
  auto const map = read_column_map(test::source_dir() / "calibration" / "maps" / "metl.yaml");
  AttemptTable table = read(
      "Job Name,DAG Source,HTCondor Cluster ID,Attempt Sequence,Final Status,Submit Time,Start "
      "Time,"
      "End Time,Number of GPUs,GPU Memory MB,Held Time,Released Time,Evicted Time,Aborted Time\n"
      "run7-train_epoch9,d,12704342,1,RESCUED,2025-09-16T08:11:40,2025-09-19T13:14:07,"
      "2025-09-22T14:40:04,1,81156,2025-09-19T18:25:02,,,2025-09-22T14:40:04\n"
      "run7-train_epoch9,d,12704343,1,completed,2025-09-16T08:11:40,2025-09-19T13:14:07,"
      "2025-09-22T14:40:04,4,181612,,,,\n",
      map);
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0].outcome == AttemptOutcome::held);
  // 13:14:07 to 18:25:02
  CHECK(*table.rows[0].ended - *table.rows[0].started == Seconds(18655));
  CHECK(table.rows[0].gpu_memory == Bytes(81156.0 * 1048576));
  // Its owners noted the memory of all GPUs of a slot: an A40 has 45,403 MiB.
  CHECK(table.rows[1].gpu_memory == Bytes(45403.0 * 1048576));
}

TEST_CASE("A failure that another attempt follows is not the job's") {
  std::string const rows = "1.0,1,0,,,0,3600,failed,A,1\n1.0,2,0,,,4000,7600,succeeded,A,1\n";
  AttemptTable table = read(head + rows);
  AttemptTable requeued =
      read(head + std::string(rows).replace(rows.find("failed"), 6, "requeued"));
  auto const history = history_of(table);
  CHECK(attempts_csv(history) == attempts_csv(history_of(requeued)));
  CHECK(ledger::account(history).total.evictions == 0);
  AttemptTable last = read(std::string(head) + "1.0,1,0,,,0,3600,failed,A,1\n");
  CHECK(ledger::account(history_of(last)).total.wrong_output == 1);
}

TEST_CASE("An attempt may begin within a stamp before the one before it ended") {
  AttemptTable table = read(std::string(head) +
                            "1.0,1,0,,,0,100,evicted,A,1\n1.0,2,0,,,99,200,evicted,A,1\n"
                            "1.0,3,0,,,198,300,succeeded,A,1\n");  // 2 s: of another attempt
  auto const attempts = history::attempts_of(history_of(table));
  REQUIRE(attempts.size() == 2);
  CHECK(attempts[1].execution() == Seconds(100));
  CHECK(table.report.rows_left_out == 1);
}

TEST_CASE("Among Unix seconds 0 is no time, wherever it stands") {
  AttemptTable table = read(
      "job,submitted,started,ended,outcome\n"
      "1,0,1756292060,1756292160,succeeded\n2,1756292000,1756292060,1756292260,succeeded\n"
      "3,1756292000,1756292060,0,running\n");
  CHECK(table.rows.size() == 3);
  auto const attempts = history::attempts_of(history_of(table));
  REQUIRE(attempts.size() == 3);
  CHECK(attempts[0].execution() == Seconds(100));
  CHECK(attempts[1].execution() == Seconds(200));
}

TEST_CASE(
    "zero GPUs are none, an empty cell is unknown, and the end of an attempt counts as well") {
  std::string const rows =
      "1.0,1,0,0,10,10,3600,succeeded,A,4\n"
      "2.0,1,0,0,10,10,3600,succeeded,A,0\n"
      "3.0,1,0,0,10,10,3600,succeeded,A,\n"
      "4.0,1,0,0,,,1800,held,A,2\n"
      "5.0,1,0,0,,,1800,held,A,0\n";
  AttemptTable table = read(head + rows);
  auto const history = history_of(table);
  CHECK(ledger::account(history).gpu_time == Seconds(4 * 3600 + 3600 + 2 * 1800));
  AttemptTable again = read(attempts_csv(history));
  CHECK(ledger::account(history_of(again)).gpu_time == Seconds(4 * 3600 + 3600 + 2 * 1800));
  AttemptTable none = read(std::string(head) + "1.0,1,0,0,10,10,3600,succeeded,A,0\n");
  CHECK(ledger::account(history_of(none)).gpu_time == Seconds(0));
}

// PanDA: a job in three attempts, in both forms of its dumps. JEDI's name ends with the PandaID of
// the first attempt; a retry by the server has the attempt before it in parentID.
constexpr char const* panda_rows[][9] = {
    {"7000000001", "task.a.7000000001", "", "1", "00:00", "00:10", "01:00", "failed", "A"},
    {"7000000002", "task.a.7000000002", "", "1", "00:00", "00:20", "02:00", "finished", "A"},
    {"7000000003", "task.a.7000000001", "", "2", "01:01", "01:10", "01:40", "failed", "B"},
    {"7000000004", "task.a.7000000001", "", "3", "01:41", "", "", "activated", "B"},
    {"7000000005", "task.a.7000000002", "", "1", "00:00", "00:30", "03:00", "transferring", "A"},
    {"7000000006", "user.x.1/", "", "1", "00:00", "", "00:20", "closed", "A"},
    {"7000000007", "user.x.1/", "7000000006", "2", "00:21", "00:40", "00:50", "failed", "C"},
    {"7000000008", "user.x.1/", "7000000007", "3", "00:51", "01:00", "02:00", "finished", "C"},
    {"7000000009", "user.x.1/", "", "1", "00:51", "01:00", "02:00", "finished", "C"}};
constexpr char const* panda_columns[] = {"pandaid",   "jobname",      "parentid",
                                         "attemptnr", "creationtime", "starttime",
                                         "endtime",   "jobstatus",    "computingsite"};

std::string panda_cell(std::size_t column, std::string_view text) {
  bool const time = column >= 4 && column <= 6;
  return time && !text.empty() ? fmt::format("2025-01-01T{}:00", text) : std::string(text);
}

std::string panda_csv() {
  std::string text = fmt::format("{}\n", fmt::join(panda_columns, ","));
  for (auto const& row : panda_rows) {
    for (std::size_t i = 0; i < std::size(row); ++i) {
      text += (i > 0 ? "," : "") + panda_cell(i, row[i]);
    }
    text += "\n";
  }
  return text;
}

std::string panda_json() {
  std::string text = "{\"selectionsummary\": [{\"field\": \"cloud\"}], \"jobs\": [\n";
  for (auto const& row : panda_rows) {
    text += text.ends_with("[\n") ? "{" : ",\n{";
    for (std::size_t i = 0; i < std::size(row); ++i) {
      std::string const cell = panda_cell(i, row[i]);
      bool const number = i == 0 || i == 2 || i == 3;
      text += fmt::format("{}\"{}\": {}{}{}", i > 0 ? ", " : "", panda_columns[i],
                          number || cell.empty() ? "" : "\"", cell.empty() ? "null" : cell,
                          number || cell.empty() ? "" : "\"");
    }
    text += "}";
  }
  return text + "]}";
}

TEST_CASE("Retries of PanDA's, which are jobs of their own there, are attempts of one job") {
  auto const map = shipped_map("panda");
  REQUIRE(map);
  for (std::string const& text : {panda_csv(), panda_json()}) {
    AttemptTable table = read(text, map);
    CHECK_THAT(to_text(table.report),
               test::has_text("4 rows are retries, joined with the retried jobs"));
    CHECK_THAT(to_text(table.report),
               test::has_text("1 row names a job that it cannot have retried"));
    history::JobHistory const history = history_of(table);
    CHECK(history.jobs.size() == 5);
    auto const attempts = history::attempts_of(history);
    std::map<std::size_t, std::vector<history::EventKind>> ends;
    for (auto const& attempt : attempts) ends[attempt.job.index()].push_back(attempt.end);
    using enum history::EventKind;
    CHECK(ends[0] == std::vector{requeued, requeued});  // the third waits
    CHECK(ends[1] == std::vector{terminated});
    CHECK(ends[2] ==
          std::vector{terminated});  // named 7000000002, which succeeded: none of its retries
    CHECK(ends[3] == std::vector{requeued, terminated});
    CHECK(ends[4] == std::vector{terminated});
  }
}

TEST_CASE("PanDA's attempts that are numbered from 0 are joined too") {
  std::string const row = "2025-01-01T00:00:00,2025-01-01T0";
  AttemptTable table = read(
      "pandaid,parentid,attemptnr,creationtime,starttime,endtime,jobstatus\n"
      "5001,,0," +
          row + "1:00:00,2025-01-01T02:00:00,failed\n" + "5002,5001,1," + row +
          "3:00:00,2025-01-01T04:00:00,failed\n" + "5003,5002,2," + row +
          "5:00:00,2025-01-01T06:00:00,finished\n" + "5004,,0," + row +
          "5:00:00,2025-01-01T06:00:00,finished\n" + "5004,,0," + row +
          "5:00:00,2025-01-01T06:00:00,finished\n",  // of a second dump
      shipped_map("panda"));
  CHECK_THAT(to_text(table.report), test::has_text("an attempt of job 5004 is repeated"));
  auto const history = history_of(table);
  CHECK(history.jobs == std::vector<history::JobName>{{5001, 0}, {5004, 0}});
  auto const attempts = history::attempts_of(history);
  REQUIRE(attempts.size() == 4);
  CHECK(attempts[0].end == history::EventKind::requeued);
  CHECK(attempts[1].end == history::EventKind::requeued);
  CHECK(attempts[2].end == history::EventKind::terminated);
}

/// Twelve jobs that are evicted on h1: six try again there and fail, six on h2 and succeed.
std::string retries_on_hosts(std::string const& column) {
  std::string text = "job,started,ended,outcome,site," + column + "\n";
  for (int job = 1; job <= 12; ++job) {
    bool const moves = job % 2 == 0;
    text += fmt::format("{},0,100,evicted,S,h1\n{},200,300,{},S,{}\n", job, job,
                        moves ? "succeeded" : "failed", moves ? "h2" : "h1");
  }
  return text;
}

TEST_CASE("Attempts have hosts, whether a table calls them hosts or slots") {
  for (auto const* column : {"host", "slot"}) {
    CAPTURE(column);
    AttemptTable table = read(retries_on_hosts(column));
    auto const holes = ledger::find_black_holes(history_of(table));
    REQUIRE(holes.hosts.size() == 1);
    CHECK(holes.hosts[0].host == "h1");
    CHECK(holes.hosts[0].failed == 18);
    CHECK(holes.all.ended == 24);
    CHECK(holes.all.failed == 18);
  }
}

TEST_CASE("Slots and hosts, together and alone, there and back") {
  AttemptTable table = read(
      "job,started,ended,outcome,site,slot,host\n"
      "1,0,9,succeeded,S,slot1,h1\n"
      "2,0,9,succeeded,S,slot1,h2\n"
      "3,0,9,succeeded,S,,h1\n"
      "4,0,9,succeeded,S,slot1,\n"
      "5,0,9,succeeded,S,slot1@h1,h1\n"
      "6,0,9,succeeded,S,,\n");
  auto const history = history_of(table);
  CHECK(history.slots ==
        std::vector<std::string>{"unknown", "slot1@h1", "slot1@h2", "@h1", "slot1"});
  CHECK(history::slot_name(history, 3) == "h1");
  std::vector<std::string> hosts;
  for (std::uint32_t slot = 0; slot < 5; ++slot) hosts.push_back(host_name(history, slot));
  CHECK(hosts == std::vector<std::string>{"", "h1", "h2", "h1", "slot1"});
  std::string const once = attempts_csv(history);
  AttemptTable again = read(once);
  CHECK(again.names[again.rows[2].host] == "h1");
  CHECK(again.rows[2].slot == 0);
  CHECK(again.names[again.rows[3].slot] == "slot1");
  CHECK(again.rows[3].host == 0);
  auto const back = history_of(again);
  CHECK(back.slots == history.slots);
  CHECK(attempts_csv(back) == once);
}

TEST_CASE("Jobs keep their numbers, or their names if they have none") {
  AttemptTable table = read(
      "job,started,ended,outcome\n"
      "1,0,9,succeeded\n"
      "102_1,0,9,succeeded\n"
      "102_last,,,waiting\n"
      "107+1,0,9,succeeded\n"  // of a heterogeneous job
      "107.1,0,9,succeeded\n"  // called like the one before
      "5012345678,0,9,succeeded\n");
  auto const history = history_of(table);
  CHECK(history.jobs ==
        std::vector<history::JobName>{{1, 0}, {102, 1}, {2, 0}, {107, 1}, {3, 0}, {4, 0}});
  CHECK(history.own_names ==
        std::vector<std::string>{"", "", "102_last", "", "107.1", "5012345678"});
  CHECK(name_of_job(history, Id<history::Job>(1)) == "102.1");
  CHECK(name_of_job(history, Id<history::Job>(2)) == "102_last");
  AttemptTable again = read(attempts_csv(history));
  CHECK(again.jobs == std::vector<std::string>{"1.0", "102.1", "102_last", "107.1", "5012345678"});
}

TEST_CASE("Whose jobs a table has: the map says it, else codes of holds and evictions do") {
  auto const system = [](std::string const& text, Columns const& columns = std::nullopt) {
    AttemptTable table = read(text, columns);
    return history_of(table).batch_system;
  };
  std::string const coded = "job,started,ended,outcome,hold_code\n";
  CHECK(system(coded + "1,0,9,held,34\n") == history::BatchSystem::htcondor);
  CHECK(system(coded + "1,0,9,removed,47\n") == history::BatchSystem::other);
  CHECK(system(coded + "1,0,9,succeeded,\n") == history::BatchSystem::other);
  ColumnMap map = own_columns();
  map.batch_system = "htcondor";
  CHECK(system(coded + "1,0,9,succeeded,\n", map) == history::BatchSystem::htcondor);
  map.batch_system = "Slurm";
  CHECK(system(coded + "1,0,9,held,34\n", map) == history::BatchSystem::other);
}

TEST_CASE("A column of times is recognised as a time") {
  std::vector<std::string> const header = {"job_id", "start_time", "end_time", "end"};
  ColumnMap const map = recognised_columns(header, {"end"});
  CHECK(map.of(AttemptColumn::ended).front().column == "end_time");
  CHECK(map.of(AttemptColumn::outcome).front().column == "end");
  CHECK(recognised_columns({"start", "end"}).of(AttemptColumn::ended).front().column == "end");
  CHECK(recognised_columns({"start", "end"}, {"end"}).of(AttemptColumn::ended).empty());
  ColumnMap const simulated =
      recognised_columns({"job", "matched_s", "transfer_started_s", "transfer_ended_s",
                          "execute_started_s", "execute_ended_s", "ended_s", "end"});
  CHECK(simulated.of(AttemptColumn::matched).front().column == "matched_s");
  CHECK(simulated.of(AttemptColumn::transfer_ended).front().column == "transfer_ended_s");
  CHECK(simulated.of(AttemptColumn::started).front().column == "execute_started_s");
  CHECK(simulated.of(AttemptColumn::ended).front().column == "ended_s");
  CHECK(simulated.of(AttemptColumn::outcome).front().column == "end");
  ColumnMap const own = recognised_columns({"Task ID", "Queue time", "Begin", "Finish", "Status"});
  CHECK(own.of(AttemptColumn::submitted).front().column == "Queue time");
  CHECK(own.of(AttemptColumn::ended).front().column == "Finish");
  for (char const* const name : {"starting_time", "time_start"}) {
    CHECK(recognised_columns({"id_job", name}).of(AttemptColumn::started).size() == 1);
  }
}

TEST_CASE("Bars and tabs part columns, however many commas there are in a list of nodes") {
  CHECK(separator_of("1|2|3|n[1,2,3,5],m1,m2") == '|');
  CHECK(separator_of("1\t2\t3\tn[1,2,3,5],m1,m2") == '\t');
  CHECK(separator_of("job,a|b,state,host") == ',');
}

}  // namespace
}  // namespace gridcast::import

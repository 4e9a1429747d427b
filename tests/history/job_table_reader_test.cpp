// Mistakes in a job table are reported all at once.
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "sim/base/error.hpp"
#include "sim/history/job_table.hpp"
#include "tests/history/job_table_text.hpp"
#include "tests/test.hpp"

namespace gridcast::history {
namespace {

using test::has_text;

std::string const header =
    "cluster,proc,sites,outcome,execute_s,slot_busy_s,input_transfer_total_s,"
    "input_transfer_last_s,stalls,holds_released,evictions,note\n";

// A file that is gone at the end of its scope.
class TemporaryTable {
 public:
  explicit TemporaryTable(std::string const& text, std::string const& name = "table.csv")
      : path_(std::filesystem::temp_directory_path() /
              ("gridcast-" + std::to_string(getpid()) + "-" + std::to_string(++count_) + "-" +
               name)) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  TemporaryTable(TemporaryTable const&) = delete;
  TemporaryTable& operator=(TemporaryTable const&) = delete;
  ~TemporaryTable() { std::filesystem::remove(path_); }

  std::filesystem::path const& path() const { return path_; }

 private:
  static inline int count_ = 0;
  std::filesystem::path path_;
};

std::string problems_of_files(std::vector<std::filesystem::path> const& files) {
  try {
    read_job_tables(files);
  } catch (InputError const& error) {
    return error.what();
  }
  return "";
}

std::string problems_of(std::string const& text) {
  TemporaryTable const table(text);
  return problems_of_files({table.path()});
}

TEST_CASE("names of sites with the sign between names are read as they were written") {
  JobRow row;
  row.sites = {"a|b", "c", "|", "d"};
  row.outcome = Outcome::unfinished;
  TemporaryTable const file(to_csv({{row}}));
  CHECK(read_job_table(file.path()).rows.at(0).sites == row.sites);
}

TEST_CASE("a row is read, columns in any order, the note left out") {
  TemporaryTable const table(
      "outcome,proc,cluster,evictions,holds_released,stalls,input_transfer_last_s,"
      "input_transfer_total_s,slot_busy_s,execute_s,sites\r\n"
      "success,14,794569,1,2,3,784,21642,20691|50091,19746|49304.5,A|B\r\n");
  auto const rows = read_job_table(table.path()).rows;
  REQUIRE(rows.size() == 1);
  auto const& row = rows[0];
  REQUIRE(row.name == JobName{794569, 14});
  REQUIRE(row.sites == std::vector<std::string>{"A", "B"});
  REQUIRE(row.outcome == Outcome::success);
  REQUIRE(row.execute == std::vector<Seconds>{Seconds(19746), Seconds(49304.5)});
  REQUIRE(row.slot_busy == std::vector<Seconds>{Seconds(20691), Seconds(50091)});
  REQUIRE(row.transfer_total == Seconds(21642));
  REQUIRE(row.transfer_last == Seconds(784));
  REQUIRE(row.evictions == 1);
  REQUIRE(row.holds_released == 2);
  REQUIRE(row.stalls == 3);
  REQUIRE(row.last_site() == "B");
}

TEST_CASE("files without jobs are refused") {
  REQUIRE_THAT(problems_of(""), has_text("the file is empty"));
  REQUIRE_THAT(problems_of("\n\n"), has_text("the file is empty"));
  REQUIRE_THAT(problems_of(header), has_text("no jobs"));
  REQUIRE_THAT(problems_of_files({std::filesystem::path("there-is-no-such.csv")}),
               has_text("there-is-no-such.csv"));
  REQUIRE_THAT(problems_of(std::string("cluster\0,proc\n", 14)), has_text("binary"));
}

TEST_CASE("the header names the columns") {
  auto const problems = problems_of(
      "cluster,proc,sites,outcome,execute_s,slot_busy_s,input_transfer_total_s,"
      "input_transfer_last_s,stals,holds_released,holds_released,note\n"
      "1,0,,success,1,1,0,0,0,0,0,\n");
  REQUIRE_THAT(problems, has_text(":1:95: unknown column 'stals'. Did you mean 'stalls'?"));
  REQUIRE_THAT(problems, has_text("column 'holds_released' twice"));
  REQUIRE_THAT(problems, has_text("column 'stalls' is missing"));
  REQUIRE_THAT(problems, has_text("column 'evictions' is missing"));
}

TEST_CASE("a broken header is the only problem reported") {
  auto const problems = problems_of("cluster,\"proc\"x,sites\n1,0,A\n");
  REQUIRE_THAT(problems, has_text(":1:15: text after a closing quote"));
  REQUIRE(problems.find("missing") == std::string::npos);
}

TEST_CASE("a row with too few cells is broken") {
  REQUIRE_THAT(problems_of(header + "1,0,A,success,1,1\n"),
               has_text(":2:1: 6 cells where the header has 12"));
}

TEST_CASE("cells that are no numbers, or negative, or not finite, or too many events") {
  REQUIRE_THAT(problems_of(header + "1,0,A,success,12s,20,0,0,0,0,0,\n"),
               has_text(":2:15: execute_s: '12s' is not a number of seconds"));
  REQUIRE_THAT(problems_of(header + "1,0,A,success,inf,20,0,0,0,0,0,\n"),
               has_text("'inf' is not a number of seconds"));
  REQUIRE_THAT(problems_of(header + "1,0,A,success,12|,20,0,0,0,0,0,\n"),
               has_text("'' is not a number of seconds"));
  REQUIRE_THAT(problems_of(header + "1,0,A,success,-12,20,0,0,0,0,0,\n"),
               has_text("execute_s: -12 s is negative"));
  REQUIRE_THAT(problems_of(header + "1,0,A,success,12,20,0,0,-1,0,0,\n"),
               has_text("stalls: -1 is negative"));
  REQUIRE_THAT(problems_of(header + "1,0,A,success,12,20,0,0,1.5,0,0,\n"),
               has_text("stalls: '1.5' is not a whole number"));
  REQUIRE_THAT(problems_of(header + "1,,A,success,12,20,0,0,1,0,0,\n"),
               has_text("proc: '' is not a whole number"));
  REQUIRE_THAT(problems_of(header + "1,0,A,success,12,20,0,0,2000000000,0,0,\n"),
               has_text("stalls: 2000000000 is more than 1000000"));
  REQUIRE_THAT(problems_of(header + "1,0,A||B,success,12,20,0,0,0,0,0,\n"),
               has_text("sites: a name is missing"));
}

TEST_CASE("an unknown outcome comes with the nearest known one") {
  REQUIRE_THAT(problems_of(header + "1,0,A,sucess,12,20,0,0,0,0,0,\n"),
               has_text(":2:7: unknown outcome 'sucess'. Did you mean 'success'?"));
}

TEST_CASE("figures that contradict each other") {
  REQUIRE_THAT(problems_of(header + "1,0,A,success,12,20,100,101,0,0,0,\n"),
               has_text(":2:25: last transfer of 101 s in a total of 100 s"));
  REQUIRE_THAT(problems_of(header + "1,0,A,success,12,20,,101,0,0,0,\n"),
               has_text("a last transfer without a total"));
  REQUIRE_THAT(problems_of(header + "1,0,A,success,,,100,100,0,0,0,\n"),
               has_text(":2:15: no execution"));
  REQUIRE_THAT(problems_of(header + "1,0,A,success,12,11,5,5,0,0,0,\n"),
               has_text("slot busy for 11 s, execution of 12 s"));
  REQUIRE_THAT(problems_of(header + "1,0,A,success,12,20|30,5,5,0,0,0,\n"),
               has_text("2 slot-busy times for 1 executions"));
}

TEST_CASE("the same job twice, in one file or in two") {
  std::string const row = "1,0,A,success,12,20,5,5,0,0,0,\n";
  REQUIRE_THAT(problems_of(header + row + row), has_text(":3:1: job 1.0 twice"));
  TemporaryTable const one(header + row, "one.csv"), two(header + row, "two.csv");
  auto const problems = problems_of_files({one.path(), two.path()});
  REQUIRE_THAT(problems, has_text("two.csv:2:1: job 1.0 twice"));
  REQUIRE_THAT(problems, has_text("one.csv, line 2, too"));
}

TEST_CASE("all problems of all files come at once") {
  TemporaryTable const one(header + "1,0,A,success,x,20,5,5,y,0,0,\n1,0\n", "one.csv");
  TemporaryTable const two("", "two.csv");
  try {
    read_job_tables({one.path(), two.path()});
    FAIL("no problem found");
  } catch (InputError const& error) {
    REQUIRE(error.problems().size() == 4);
    REQUIRE(error.problems()[0].where.column == 15);
    REQUIRE(error.problems()[1].where.column == 24);
    REQUIRE(error.problems()[2].where.line == 3);
    REQUIRE_THAT(error.problems()[3].where.file, has_text("two.csv"));
  }
}

}  // namespace
}  // namespace gridcast::history

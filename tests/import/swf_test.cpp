#include "sim/import/swf.hpp"

#include "sim/base/files.hpp"
#include "tests/test.hpp"

namespace gridcast::import {
namespace {

class SwfFile {
 public:
  explicit SwfFile(std::string const& text)
      : path_(std::filesystem::temp_directory_path() / "gridcast-swf-test.swf") {
    write_file(path_, text);
  }
  ~SwfFile() { std::filesystem::remove(path_); }
  std::filesystem::path const& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

SwfLog swf_of(std::string const& text) { return read_swf(SwfFile(text).path()); }

std::string const good = "1 0 10 100 4 90.5 -1 5 200 -1 1 7 8 9 2 3 -1 -1\n";

}  // namespace

TEST_CASE("the fields of a row stand where the format has them", "[swf]") {
  SwfLog const log = swf_of("; Version: 2.2\n;MaxProcs:  64 \n; words\n\n" + good);
  REQUIRE(log.jobs.size() == 1);
  SwfJob const& job = log.jobs[0];
  CHECK(job.number == 1);
  CHECK(job.submit == Seconds(0));
  CHECK(job.wait == Seconds(10));
  CHECK(job.run == Seconds(100));
  CHECK(job.processors == 4);
  CHECK(job.requested_processors == 5);
  CHECK(job.status == SwfStatus::completed);
  CHECK(log.header_number("MaxProcs") == 64);
  CHECK(swf_of("; MaxNodes: 1,024 (430 in batch)\n" + good).header_number("MaxNodes") == 1024);
  CHECK_FALSE(log.header_number("MaxJobs"));
  CHECK(log.notes.empty());
}

TEST_CASE("a log without a usable row is refused with each reason once", "[swf]") {
  std::string text;
  for (int i = 0; i < 200; ++i) text += good.substr(0, good.size() - 4) + "\n";
  try {
    swf_of(text + "1 0 10 -1 4 90.5 -1 5 200 -1 1 7 8 9 2 3 -1 -1\n");
    FAIL("it is read");
  } catch (InputError const& error) {
    REQUIRE(error.problems().size() == 3);
    CHECK(error.problems()[0].where.line == 1);
    CHECK(error.problems()[0].hint == "This holds for 200 rows.");
    CHECK(error.problems()[1].where.line == 201);
    CHECK(error.problems()[1].hint == "This holds for 1 row.");
    CHECK(error.problems()[2].what == "no job is left of its 201 rows");
    CHECK_THAT(error.problems()[2].hint, test::has_text("`gridcast init FILE`"));
  }
}

TEST_CASE("rows that make no sense are left out, counted and named", "[swf]") {
  SwfLog const log = swf_of(good +
                            "2 5 0 -7 4 -1 -1 4 -1 -1 0 1 1 1 1 -1 -1 -1\n"    // line 2
                            "3 6 0 50 0 -1 -1 0 -1 -1 1 1 1 1 1 -1 -1 -1\r\n"  // 3
                            "4 7 0 50 -1 -1 -1 0 -1 -1 1 1 1 1 1 -1 -1 -1\n"   // 4
                            "5 8 0 50\n"                                       // 5
                            "6 9 0 50 1 1 1 1 1 1 1 1 1 1 1 1 1\n"             // 6
                            "7 9 0 5x 1 -1 -1 1 -1 -1 1 1 1 1 1 -1 -1 -1\n"    // 7
                            "8 9 0 -1 1 -1 -1 1 -1 -1 5 1 1 1 1 -1 -1 -1\n"    // 8
                            "9 -9 0 5 1 -1 -1 1 -1 -1 1 1 1 1 1 -1 -1 -1\n"    // 9
                            "10 9 0 5 1 -1 -1 1 -1 -1 3 1 1 1 1 -1 -1 -1\n"    // 10
                            "11 9 0 nan 1 -1 -1 1 -1 -1 1 1 1 1 1 -1 -1 -1\n"
                            "12 9 0 4e9 1 -1 -1 1 -1 -1 1 1 1 1 1 -1 -1 -1\n");  // 12
  CHECK(log.jobs.size() == 1);
  CHECK(log.rows == 12);
  REQUIRE(log.notes.size() == 11);
  for (std::size_t i = 0; i < log.notes.size(); ++i) {
    CHECK(log.notes[i].where.line == static_cast<int>(i) + 2);
  }
  auto const why = [&log](std::size_t line) { return log.notes[line - 2].why; };
  CHECK(why(2) == "left out: the run time is negative");
  CHECK(why(3) == "left out: no processors");
  CHECK(why(4) == "left out: no processors");
  CHECK(why(5) == "left out: a row has 18 fields");
  CHECK(why(6) == "left out: a row has 18 fields");
  CHECK(log.notes[5].what == "'5x' in field 4");
  CHECK(why(8) == "left out: the run time is not known (-1)");
  CHECK(why(9) == "left out: the submit time is negative");
  CHECK(why(10).find("status 2 to 4") != std::string::npos);
  CHECK(why(11) == "left out: a field is no number");
  CHECK(why(12) == "left out: a time of more than a hundred years");
}

TEST_CASE("the first 18 fields of a longer row count", "[swf]") {
  SwfLog const log = swf_of(good.substr(0, good.size() - 1) + " 0 3.5\n" +
                            "2 5 0 -7 4 -1 -1 4 -1 -1 0 1 1 1 1 -1 -1 -1 8\n");
  REQUIRE(log.jobs.size() == 1);
  CHECK(log.jobs[0].requested_processors == 5);
  REQUIRE(log.notes.size() == 2);
  CHECK(log.notes[0].what == "20 fields");
  CHECK(log.notes[0].why.starts_with("kept"));
  CHECK(log.notes[1].why == "left out: the run time is negative");
}

TEST_CASE("a row out of the order of submission is put in its place, and named", "[swf]") {
  SwfLog const log = swf_of(
      "1 100 0 5 1 -1 -1 1 -1 -1 1 1 1 1 1 -1 -1 -1\n"
      "2 40 0 6 1 -1 -1 1 -1 -1 1 1 1 1 1 -1 -1 -1\n");
  REQUIRE(log.jobs.size() == 2);
  CHECK(log.jobs[0].number == 2);
  REQUIRE(log.notes.size() == 1);
  CHECK(log.notes[0].where.line == 2);
  CHECK(log.notes[0].what == "job 2");
}

TEST_CASE("a log without jobs is refused with the problems of its rows", "[swf]") {
  CHECK_THROWS_AS(swf_of(""), InputError);
  CHECK_THROWS_AS(swf_of("; Version: 2.2\n"), InputError);
  try {
    swf_of("1 2 3\n1 0 0 -5 1 -1 -1 1 -1 -1 1 1 1 1 1 -1 -1 -1\n");
    FAIL("it was read");
  } catch (InputError const& error) {
    REQUIRE(error.problems().size() == 3);
    CHECK(error.problems()[0].where.line == 1);
    CHECK(error.problems()[1].where.line == 2);
  }
}

TEST_CASE("a log becomes jobs with the slots of their processors", "[swf]") {
  SwfLog const log = swf_of(
      "; MaxProcs: 64\n"
      "1 1000 0 100 4 -1 -1 4 -1 -1 1 1 1 1 1 -1 -1 -1\n"
      "2 1010 50 100 1 -1 -1 1 -1 -1 1 1 1 1 1 -1 -1 -1\n"
      "3 1020 80 0 1 -1 -1 1 -1 -1 1 1 1 1 1 -1 -1 -1\n");
  TraceCampaign const campaign = import_swf(log, "a/b.swf", {});
  REQUIRE(campaign.jobs.size() == 3);
  CHECK(campaign.jobs[0].at == Seconds(0));
  CHECK(campaign.jobs[1].at == Seconds(10));
  CHECK(campaign.jobs[1].runtime == Seconds(100));
  CHECK(campaign.jobs[2].runtime > Seconds(0));
  CHECK(campaign.jobs[0].slots == 4);
  CHECK(campaign.jobs[1].slots == 1);
  CHECK(campaign.slots == 5);  // 1000-1100, 1060-1160
  CHECK(import_swf(log, "a/b.swf", {7}).slots == 7);
  CHECK_THROWS_WITH(import_swf(log, "a/b.swf", {3}),
                    Catch::Matchers::Contains("a job has 4 processors, the machine 3"));
  CHECK(campaign.title == "3 jobs of b.swf");
}

TEST_CASE("the processors of a slot divide the processors of all jobs", "[swf]") {
  SwfLog const log = swf_of(
      "; MaxProcs: 1024\n"
      "1 0 -1 100 256 -1 -1 4 -1 -1 1 1 1 1 1 -1 -1 -1\n"
      "2 10 -1 100 -1 -1 -1 640 -1 -1 1 1 1 1 1 -1 -1 -1\n");
  TraceCampaign const campaign = import_swf(log, "x.swf", {});
  CHECK(campaign.slots == 8);
  CHECK(campaign.jobs[0].slots == 2);
  CHECK(campaign.jobs[1].slots == 5);
}

TEST_CASE("a log that does not show the slots needs --slots", "[swf]") {
  std::string const row = "1 0 -1 100 1 -1 -1 1 -1 -1 1 1 1 1 1 -1 -1 -1\n";
  CHECK_THROWS_AS(import_swf(swf_of(row), "x.swf", {}), InputError);
  CHECK(import_swf(swf_of("; MaxNodes: 12\n" + row), "x.swf", {}).slots == 12);
}

}  // namespace gridcast::import

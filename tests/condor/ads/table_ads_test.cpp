// Ads as a table, as condor_history -af:h and -af:ht print them and pandas writes them.
#include <string>
#include <vector>

#include "sim/condor/ads/ad_text.hpp"
#include "sim/condor/ads/job_ads.hpp"
#include "tests/test.hpp"

namespace gridcast::condor {
namespace {

JobAds ads_of_table(std::string_view text) {
  JobAds ads;
  add_job_ads(text, "ads", ads);
  settle_job_ads(ads);
  return ads;
}

constexpr char const* names_of_table =
    "ClusterId ProcId QDate JobCurrentStartDate CompletionDate JobStatus ExitCode MemoryUsage "
    "RequestMemory LastRemoteHost HoldReason HoldReasonCode";

std::vector<std::string> const rows_of_table[] = {
    {"5", "62", "1795238249", "1795238440", "1795238456", "4", "0",
     "/Expr(((ResidentSetSize + 1023) / 1024))/", "128", "slot1_1@glidein_4001_1@127-0-0-1",
     "undefined", "undefined"},
    {"5", "63", "1795238249", "1795238369", "0", "5", "undefined", "120", "128",
     "slot1_1@glidein_1001_1@127-0-0-1", "memory usage exceeded request_memory", "34"}};

/// The table with this text between two cells.
std::string table_with(std::string const& between) {
  std::string text = names_of_table;
  for (auto at = text.find(' '); at != std::string::npos;
       at = text.find(' ', at + between.size())) {
    text.replace(at, 1, between);
  }
  for (auto const& row : rows_of_table) {
    text += '\n';
    for (std::size_t i = 0; i < row.size(); ++i) text += (i > 0 ? between : "") + row[i];
  }
  return text + "\n";
}

void check_table(std::string const& text) {
  INFO(text);
  CHECK(is_table_of_ads(text));
  JobAds const ads = ads_of_table(text);
  REQUIRE(ads.jobs.size() == 2);
  CHECK(ads.report.values_not_understood == 0);
  CHECK(ads.report.reading.lines_not_understood == 0);
  JobAdFacts const& done = ads.jobs.at({5, 62}).facts;
  CHECK(done.q_date == 1795238249);
  CHECK(done.completion_date == 1795238456);
  CHECK(done.job_status == 4);
  CHECK(done.last_remote_host == "slot1_1@glidein_4001_1@127-0-0-1");
  CHECK(done.hold_reason.empty());
  auto const& memory = done.last.use.amounts[history::Resource::memory];
  CHECK_FALSE(memory.used);
  CHECK(memory.requested == 128 * 1048576.0);
  JobAdFacts const& held = ads.jobs.at({5, 63}).facts;
  CHECK(held.hold_reason_code == 34);
  CHECK(held.hold_reason == "memory usage exceeded request_memory");
  CHECK(held.last.use.amounts[history::Resource::memory].exceeded);
}

}  // namespace

TEST_CASE("A row of a table is an ad, whatever stands between two cells") {
  for (std::string const between : {",", ", ", "\t", " ", ";", "|"})
    check_table(table_with(between));
  std::string windows;
  for (char const c : table_with(","))
    windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  check_table(windows);
  check_table("# kept by ada\n" + table_with(","));
}

TEST_CASE("Quoted cells and numbers of pandas are read, and gaps are undefined") {
  JobAds const ads = ads_of_table(
      "ClusterId,ProcId,QDate,JobStatus,ExitCode,HoldReason,Args\n"
      "5,0,1795238249.0,4.0,0.0,,\"--name \"\"a, b\"\"\"\n"
      "5,1,1795238249.0,5.0,nan,\"two\nlines, one reason\",\n");
  JobAdFacts const& first = ads.jobs.at({5, 0}).facts;
  CHECK(first.job_status == 4);
  CHECK(first.exit_code == 0);
  CHECK(first.arguments == "--name \"a, b\"");
  JobAdFacts const& second = ads.jobs.at({5, 1}).facts;
  CHECK_FALSE(second.exit_code);
  CHECK(second.hold_reason == "two\nlines, one reason");
  CHECK(ads.report.values_not_understood == 0);
}

TEST_CASE("A row with too few cells, or with surplus ones of unknown origin, is counted") {
  std::string const head = "ClusterId,ProcId,QDate,JobStatus,Owner\n5,0,1795238249,4,ada\n";
  JobAds const ads =
      ads_of_table(head + "5,1,1795238249\n5,2,1795238249,4,ada,x\n5,3,1795238249,1,ada\n");
  CHECK(ads.jobs.size() == 2);
  CHECK(ads.report.reading.lines_not_understood == 2);
  CHECK_THAT(to_text(ads.report), test::has_text("ads:3: a row has not one value for each name"));
}

TEST_CASE("Other tables are none of ads") {
  for (char const* const text : {"JobID|State|Submit|Start|End\n", "job,started,ended,outcome\n",
                                 "ClusterId,Owner\n5,ada\n", "ClusterId ProcId Owner\n12 0 alice\n",
                                 "ClusterId,ProcId,QDate,JobStatus\n5,0,2026-11-21 05:17:29,4\n",
                                 "cluster,proc,outcome\n5,0,succeeded\n", ""}) {
    CAPTURE(text);
    CHECK_FALSE(is_table_of_ads(text));
  }
  CHECK(is_table_of_ads("clusterid,procid,qdate\n"));
}

}  // namespace gridcast::condor

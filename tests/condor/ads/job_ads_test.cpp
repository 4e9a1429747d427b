#include "sim/condor/ads/job_ads.hpp"

#include <fstream>
#include <map>
#include <sstream>
#include <zlib.h>

#include "sim/base/error.hpp"
#include "tests/condor/log_files.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

condor::JobAds ads_in(std::string_view text) {
  condor::JobAds ads;
  condor::add_job_ads(text, "ads", ads);
  condor::settle_job_ads(ads);
  return ads;
}

TEST_CASE("The lease of most jobs is the usual one, and a record without jobs has none") {
  CHECK_FALSE(condor::usual_lease(ads_in("ClusterId = 5\nProcId = 0\n")));
  CHECK(condor::usual_lease(ads_in("ClusterId = 5\nProcId = 0\nJobLeaseDuration = 2400\n\n"
                                   "ClusterId = 5\nProcId = 1\nJobLeaseDuration = 60\n\n"
                                   "ClusterId = 5\nProcId = 2\nJobLeaseDuration = 60\n")) ==
        Seconds(60));
}

// Seen in a document of CMS: transfers of a year after the job.
TEST_CASE("Dates outside of a job's last attempt are not its own") {
  condor::JobAds const ads = ads_in(
      "ClusterId = 5\nProcId = 0\nJobStatus = 4\nQDate = 1547528922\n"
      "JobCurrentStartDate = 1547542366\nJobCurrentStartExecutingDate = 1547542381\n"
      "JobCurrentStartTransferInputDate = 1590904134\n"
      "JobCurrentFinishTransferInputDate = 1590690205\n"
      "JobCurrentStartTransferOutputDate = 1547546975\nCompletionDate = 1547546983\n"
      "EnteredCurrentStatus = 1547546983\nRemoteWallClockTime = 4617\n");
  condor::AttemptAdFacts const& last = ads.jobs.begin()->second.facts.last;
  CHECK_FALSE(last.input_started);
  CHECK_FALSE(last.input_finished);
  CHECK(last.executing == 1547542381);
  CHECK(last.output_started == 1547546975);
  CHECK(ads.report.dates_of_others == 2);
}

TEST_CASE("Most jobs show whether they list their output files") {
  auto const ad = [](int process, std::string const& more) {
    return "ClusterId = 5\nProcId = " + std::to_string(process) + "\n" + more + "\n";
  };
  std::string const moves = "ShouldTransferFiles = \"YES\"\n";
  CHECK_FALSE(condor::usually_unlisted(ads_in(ad(0, ""))).has_value());
  CHECK(condor::usually_unlisted(ads_in(ad(0, moves))) == true);
  CHECK(condor::usually_unlisted(ads_in(ad(0, moves + "TransferOutput = \"\"\n"))) == false);
  CHECK(condor::usually_unlisted(ads_in(ad(0, "ShouldTransferFiles = \"NO\"\n"))) == false);
  std::string const listed = moves + "TransferOutput = \"model.pt\"\n";
  CHECK(condor::usually_unlisted(ads_in(ad(0, moves) + ad(1, listed) + ad(2, moves))) == true);
  CHECK(condor::usually_unlisted(ads_in(ad(0, moves) + ad(1, listed) + ad(2, listed))) == false);
}

TEST_CASE("The reader takes the facts of a job's ad, whatever the case of names") {
  condor::JobAds const ads = ads_in(
      "clusterid = 5\nPROCID = 7\nQDate = 1767225600\nJobStatus = 4\nCompletionDate = 1767225700\n"
      "ExitBySignal = false\nExitCode = 3\nRemoteWallClockTime = 90.0\nCommittedTime = 60\n"
      "NumShadowStarts = 3\nNumJobStarts = 2\nNumHolds = 1\n"
      "NumHoldsByReason = [ TransferInputError = 1 ]\nRequestMemory = 128\nRequestDisk = 10240\n"
      "MachineAttrGLIDEIN_ResourceName1 = \"SITE-B\"\n"
      "MachineAttrGLIDEIN_ResourceName0 = \"SITE-A\"\n"
      "LastRemoteHost = \"slot1_2@glidein_1001_1@host\"\nArgs = \"16 4\"\n");
  REQUIRE(ads.jobs.size() == 1);
  CHECK(ads.jobs.begin()->first == history::JobName{5, 7});
  condor::JobAdFacts const& facts = ads.jobs.begin()->second.facts;
  CHECK(facts.q_date == 1767225600);
  CHECK(facts.completion_date == 1767225700);
  CHECK(facts.exit_code == 3);
  CHECK_FALSE(facts.exit_signal);
  CHECK(facts.remote_wall_clock_time == Seconds(90));
  CHECK(facts.num_shadow_starts == 3U);
  CHECK(facts.num_holds_by_reason.at("TransferInputError") == 1);
  CHECK(facts.sites == std::vector<std::string>{"SITE-A", "SITE-B"});
  CHECK(facts.arguments == "16 4");
  CHECK(condor::startd_of(facts.last_remote_host) == "glidein_1001_1");
}

TEST_CASE("A job without a state is completed if it has the date of its completion") {
  auto const status = [](std::string const& more) {
    return ads_in("ClusterId = 5\nProcId = 0\nQDate = 1767225600\n" + more)
        .jobs.begin()
        ->second.facts.job_status;
  };
  CHECK(status("CompletionDate = 1767225700\nExitStatus = 0\n") ==
        static_cast<int>(condor::JobStatus::completed));
  CHECK_FALSE(status("JobCurrentStartDate = 1767225650\n"));
  CHECK_FALSE(status("CompletionDate = 0\n"));  // in the queue
  CHECK(status("CompletionDate = 1767225700\nJobStatus = 3\n") == 3);
}

TEST_CASE("An attempt keeps its own dates only") {
  condor::JobAds const ads = ads_in(R"([
{ "ClusterId": 5, "ProcId": 1, "NumShadowStarts": 2, "JobCurrentStartDate": 1000,
  "ShadowBday": 1000, "EpochWriteDate": 1020, "JobCurrentStartTransferInputDate": 900,
  "TransferInStarted": 1001, "TransferInFinished": 1005, "JobCurrentStartExecutingDate": 950,
  "JobCurrentStartTransferOutputDate": 1015, "JobCurrentFinishTransferOutputDate": -1,
  "ActivationDuration": -8388327447959444494, "ActivationSetupDuration": 500,
  "ActivationExecutionDuration": 7, "VacateReasonCode": 1004,
  "ToE": { "When": 950, "HowCode": 0, "ExitCode": 1, "ExitBySignal": false } } ])");
  condor::AttemptAdFacts const& attempt = ads.jobs.at({5, 1}).attempts.at(0);
  CHECK(attempt.number == 2);
  CHECK(attempt.input_started == 1001);
  CHECK(attempt.input_finished == 1005);
  CHECK_FALSE(attempt.executing);
  CHECK(attempt.output_started == 1015);
  CHECK_FALSE(attempt.output_finished);
  CHECK_FALSE(attempt.activation);
  CHECK_FALSE(attempt.setup);
  CHECK(attempt.execution == Seconds(7));
  CHECK_FALSE(attempt.exit_code);
  CHECK(ads.report.values_not_understood == 1);
  CHECK(ads.report.dates_of_others == 2);  // the execution's start and the setup
}

constexpr char const* transfer = R"("PluginResultList": [ { "TransferUrl": "osdf:///a",
  "TransferType": "download", "TransferSuccess": false, "TransferStartTime": 1000,
  "TransferEndTime": 1002, "ConnectionTimeSeconds": 1.564, "TransferFileBytes": 200 } ] })";

TEST_CASE("A failed download is reported among inputs and outputs, and is one transfer") {
  std::string const ids = R"({ "ProcID": 1, "ClusterID": 5, "NumShadowStarts": 4, )";
  condor::JobAds const ads = ads_in(ids + "\"Input" + std::string(transfer).substr(1) + ids +
                                    "\"Output" + std::string(transfer).substr(1));
  CHECK(ads.report.ads_by_type == std::map<std::string, std::size_t>{{"INPUT", 1}, {"OUTPUT", 1}});
  auto const& transfers = ads.jobs.at({5, 1}).transfers;
  REQUIRE(transfers.size() == 1);
  CHECK(transfers[0].attempt == 4);
  CHECK_FALSE(transfers[0].upload);
  CHECK_FALSE(transfers[0].succeeded);
  CHECK(transfers[0].duration == Seconds(1.564));
  CHECK(transfers[0].size == Bytes(200));
}

TEST_CASE("The later of two ads of a job counts, and the job's own ad counts before an attempt's") {
  std::string const head = "ClusterId = 5\nProcId = 1\n";
  condor::JobAds const ads =
      ads_in(head + "QDate = 10\nEnteredCurrentStatus = 90\nJobStatus = 4\n\n" +  //
             head + "QDate = 10\nEnteredCurrentStatus = 50\nJobStatus = 2\n\n" +  //
             head + "QDate = 10\nEpochWriteDate = 95\nJobStatus = 2\n");
  CHECK(ads.jobs.at({5, 1}).facts.job_status == 4);
  CHECK(ads.report.duplicates == 1);
}

TEST_CASE("Ads without ids are counted; a file of nothing else is none of job ads") {
  condor::JobAds const ads = ads_in("A = 1\n\nClusterId = 5\nProcId = 1\n");
  CHECK(ads.report.ads_without_ids == 1);
  CHECK(ads.jobs.size() == 1);
  CHECK_THAT(to_text(ads.report), has_text("1 ad without ids"));
  CHECK_THAT(to_text(ads.report), has_text("ads:1: an ad without ClusterId and ProcId"));
  CHECK_THROWS_AS(ads_in("{\"name\": \"x\", \"version\": 2}"), InputError);
  CHECK(warned(ads_in("").report.reading, "holds no ads"));
}

TEST_CASE("Dates that contradict the submission do not count") {
  condor::JobAds const ads =
      ads_in("ClusterId = 5\nProcId = 1\nQDate = 2000\nCompletionDate = 1000\nJobStatus = 4\n");
  CHECK_FALSE(ads.jobs.at({5, 1}).facts.completion_date);
  CHECK(warned(ads.report.reading, "CompletionDate is before QDate"));
}

TEST_CASE("Dates of Elasticsearch are milliseconds, in numbers and in texts") {
  condor::JobAds const ads = ads_in(
      R"({"_source": {"ClusterId": 5, "ProcId": 1, "QDate": 1767340000000,
          "CompletionDate": "1767348000500", "JobStartDate": 1767341000}})");
  auto const& facts = ads.jobs.at({5, 1}).facts;
  CHECK(facts.q_date == 1767340000);
  CHECK(facts.completion_date == 1767348000);
  CHECK(facts.job_start_date == 1767341000);
}

TEST_CASE("Files are plain or gzip; all that is wrong with them is reported at once") {
  TemporaryFile const zipped("");
  gzFile file = gzopen(zipped.path().c_str(), "wb");
  gzputs(file, "{\"ClusterId\": 5, \"ProcId\": 1}\n");
  gzclose(file);
  CHECK(condor::read_job_ads({zipped.path()}).jobs.size() == 1);
  try {
    condor::read_job_ads({"missing.json", zipped.path(), std::filesystem::temp_directory_path()});
    FAIL("no error");
  } catch (InputError const& error) {
    CHECK(error.problems().size() == 2);
  }
}

TEST_CASE("Ads of several access points in one file are of as many jobs, though numbered alike") {
  auto const ad = [](std::string const& schedd, std::string const& number,
                     std::string const& owner) {
    return R"({"GlobalJobId": ")" + schedd + "#" + number + R"(#10", "ClusterId": )" +
           number.substr(0, number.find('.')) + R"(, "ProcId": )" +
           number.substr(number.find('.') + 1) + R"(, "QDate": 10, "Owner": ")" + owner + "\"}\n";
  };
  condor::JobAds const ads =
      ads_in(ad("ap1", "5.0", "a") + ad("ap2", "5.0", "b") + ad("ap2", "5.1", "b") +
             ad("ap3", "5.1", "c") + ad("ap2", "5.0", "b") + ad("ap1", "5.1", "a"));
  std::map<std::uint32_t, std::string> owners;  // by cluster
  for (auto const& [name, job] : ads.jobs) owners[name.cluster] += job.facts.owner;
  CHECK(owners == std::map<std::uint32_t, std::string>{
                      {5, "ab"}, {100000000, "b"}, {100000001, "c"}, {100000002, "a"}});
  CHECK(ads.report.duplicates == 1);
  CHECK_THAT(to_text(ads.report), has_text("ads:2: a job's number is that of another"));
  // A queue that began anew.
  CHECK(ads_in("ClusterId = 5\nProcId = 0\nQDate = 10\n\nClusterId = 5\nProcId = 0\nQDate = 99\n")
            .jobs.size() == 2);
}

TEST_CASE("An ad with a GlobalJobId alone has its numbers") {
  condor::JobAds const ads =
      ads_in(R"({"GlobalJobId": "crab3@vocms01.cern.ch#58.7#1795238249", "QDate": 1795238249})");
  CHECK(ads.jobs.contains({58, 7}));
  CHECK_THROWS_AS(ads_in(R"({"GlobalJobId": "crab3@vocms01.cern.ch", "QDate": 1})"), InputError);
}

TEST_CASE("Jobs of the scheduler and local universe had no slot") {
  condor::JobAds const ads = ads_in(
      "ClusterId = 4\nProcId = 0\nJobUniverse = 7\nCmd = \"/usr/bin/condor_dagman\"\n\n"
      "ClusterId = 5\nProcId = 0\nJobUniverse = 12\n\nClusterId = 6\nProcId = 0\nJobUniverse = 5\n");
  CHECK(ads.jobs.size() == 1);
  CHECK(ads.jobs.contains({6, 0}));
  CHECK_THAT(to_text(ads.report), has_text("ads:1: an ad of the scheduler or local universe"));
}

TEST_CASE("Old syntax and JSON of the same ads read the same") {
  condor::JobAds const json = ads_in(
      R"([{"ClusterId": 5, "ProcId": 1, "QDate": 10, "NumHoldsByReason": {"UserRequest": 2}}])");
  condor::JobAds const text =
      ads_in("ClusterId = 5\nProcId = 1\nQDate = 10\nNumHoldsByReason = [ UserRequest = 2 ]\n\n");
  condor::JobAdFacts const &a = json.jobs.at({5, 1}).facts, &b = text.jobs.at({5, 1}).facts;
  CHECK(a.q_date == b.q_date);
  CHECK(a.num_holds_by_reason == b.num_holds_by_reason);
}

}  // namespace
}  // namespace gridcast::test

// merge_ads.hpp, history_from_ads: histories without a log.
#include "sim/condor/ads/ad_history.hpp"

#include "sim/base/error.hpp"
#include "sim/condor/ads/merge_ads.hpp"
#include "sim/history/job_history.hpp"
#include "tests/condor/log_files.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

history::JobHistory read(std::string const& text, condor::MergeReport& report) {
  condor::JobAds ads;
  condor::add_job_ads(text, "ads", ads);
  condor::settle_job_ads(ads);
  return condor::history_from_ads(ads, report);
}

constexpr char const* attempts =
    "ClusterId = 1\nProcId = 0\nQDate = 1000\nNumShadowStarts = 1\nJobCurrentStartDate = 1010\n"
    "EpochWriteDate = 1020\nJobCurrentStartTransferInputDate = 1011\nVacateReasonCode = 13\n"
    "VacateReasonSubCode = 256\nMachineAttrGLIDEIN_ResourceName0 = \"SITE-A\"\n"
    "\n"
    "ClusterId = 1\nProcId = 0\nQDate = 1000\nNumShadowStarts = 2\nJobCurrentStartDate = 1050\n"
    "EpochWriteDate = 1090\nJobCurrentStartTransferInputDate = 1051\n"
    "JobCurrentFinishTransferInputDate = 1055\nJobCurrentStartExecutingDate = 1056\n"
    "MachineAttrGLIDEIN_ResourceName0 = \"SITE-B\"\n"
    "ToE = [ When = 1089; HowCode = 0; ExitCode = 1; ExitBySignal = false ]\n"
    "\n"
    "ClusterId = 1\nProcId = 0\nQDate = 1000\nNumShadowStarts = 3\nJobCurrentStartDate = 1100\n"
    "EpochWriteDate = 1130\nVacateReasonCode = 1008\nJobDisconnectedDate = 1110\n"
    "\n";

TEST_CASE("A completed job has ended, also in an ad with few attributes") {
  condor::MergeReport report;
  std::string const few =
      "ClusterId = 1\nProcId = 0\nQDate = 1000\nJobStatus = 4\nEnteredCurrentStatus = 1090\n";
  CHECK(story(read(few, report)) == "0 submitted\n90 terminated\n");
  CHECK(story(read(few + "CompletionDate = 1090\nRemoteWallClockTime = 60\n", report)) ==
        "0 submitted\n30 matched\n30 executing\n90 terminated\n");
}

TEST_CASE("A job has its own exit code of success") {
  std::string const ad =
      "ClusterId = 1\nProcId = 0\nQDate = 1000\nJobStatus = 4\nCompletionDate = 1090\n"
      "RemoteWallClockTime = 60\nJobSuccessExitCode = 3\nExitCode = ";
  auto const useful = [&](std::string const& code) {
    condor::MergeReport report;
    return read(ad + code + "\n", report).events.back().useful;
  };
  CHECK(useful("3"));
  CHECK_FALSE(useful("0"));
  CHECK_FALSE(useful("1"));
}

TEST_CASE("A global id has a job's numbers and its submission") {
  condor::MergeReport report;
  std::string const ad =
      "GlobalJobId = \"ap.example#7.3#1000\"\nNumJobStarts = 1\nJobStartDate = 1010\nCompletionDate = 1090\n";
  auto const history = read(ad, report);
  CHECK(history.jobs.front() == history::JobName{7, 3});
  CHECK(story(history) == "0 submitted\n10 matched\n10 executing\n90 terminated\n");
}

TEST_CASE("A job's state is known from JobStatus, whichever other attributes its ad has") {
  std::vector<std::string> const others = {
      "JobStartDate = 1010\n",       "CompletionDate = 1090\n",       "NumJobStarts = 1\n",
      "NumShadowStarts = 1\n",       "EnteredCurrentStatus = 1090\n", "ExitCode = 0\n",
      "RemoteWallClockTime = 80.0\n"};
  for (auto const& [status, end] : {std::pair(4, "terminated"), {3, "aborted"}, {5, "held"}}) {
    for (std::size_t subset = 0; subset < 1U << others.size(); ++subset) {
      std::string ad =
          "ClusterId = 1\nProcId = 0\nQDate = 1000\nJobStatus = " + std::to_string(status) + "\n";
      for (std::size_t i = 0; i < others.size(); ++i) ad += subset >> i & 1U ? others[i] : "";
      condor::MergeReport report;
      std::string const events = story(read(ad, report));
      CAPTURE(ad, events);
      CHECK(events.find(end) != std::string::npos);
    }
  }
}

TEST_CASE("The one start of a job is that of its attempt") {
  condor::MergeReport report;
  auto const of = [&](std::string const& state) {
    return story(
        read("ClusterId = 1\nProcId = 0\nQDate = 1000\nNumShadowStarts = 1\n"
             "JobStartDate = 1010\n" +
                 state,
             report));
  };
  CHECK(of("JobStatus = 4\nExitCode = 0\nCompletionDate = 1090\n") ==
        "0 submitted\n10 matched\n10 executing\n90 terminated\n");
  CHECK(of("JobStatus = 3\nEnteredCurrentStatus = 1090\n") ==
        "0 submitted\n10 matched\n90 aborted unknown\n");
}

TEST_CASE("The history file of an access point has banners behind its ads") {
  condor::MergeReport report;
  CHECK(story(read("ClusterId = 1\nProcId = 0\nQDate = 1000\nJobStatus = 4\nExitCode = 2\n"
                   "EnteredCurrentStatus = 1090\n*** Offset = 0 ClusterId = 1 ProcId = 0 Owner = "
                   "\"a b\" CompletionDate = 1090 CurrentTime = 1091\n",
                   report)) == "0 submitted\n90 terminated exit_code exit 2\n");
}

TEST_CASE("The numbers of starts show an execution that the ads do not date") {
  condor::MergeReport report;
  auto const removed = [&](char const* starts) {
    return story(read(std::string("ClusterId = 1\nProcId = 0\nQDate = 1000\nNumShadowStarts = 2\n"
                                  "JobCurrentStartDate = 1010\nLastRemoteHost = \"slot1@h.a.b\"\n"
                                  "JobStatus = 3\nEnteredCurrentStatus = 1090\nRemoveReason = "
                                  "\"via condor_rm (by user a)\"\n") +
                          starts,
                      report));
  };
  std::string const all = removed("NumJobStarts = 2\n"), one = removed("NumJobStarts = 1\n");
  CHECK(all == "0 submitted\n10 matched a.b\n10 executing a.b\n90 aborted manual a.b\n");
  CHECK(one == "0 submitted\n10 matched a.b\n90 aborted manual a.b\n");

  // The last one executed, as the job completed: it is the one start of two.
  CHECK(
      story(read("ClusterId = 1\nProcId = 0\nQDate = 1000\nNumShadowStarts = 2\n"
                 "NumJobStarts = 1\nJobStatus = 4\nExitCode = 0\nJobStartDate = 1010\n"
                 "RemoteWallClockTime = 80.0\nJobCurrentStartDate = 1100\nCompletionDate = 1150\n",
                 report)) ==
      "0 submitted\n10 matched\n40 evicted not_begun\n100 matched\n100 executing\n"
      "150 terminated\n");
}

TEST_CASE("Each attempt's ad is an attempt; the release is dated when it was over at the latest") {
  condor::MergeReport report;
  history::JobHistory const history =
      read(std::string(attempts) +
               "ClusterId = 1\nProcId = 0\nQDate = 1000\nNumShadowStarts = 3\nJobStatus = 3\n"
               "EnteredCurrentStatus = 1200\nRemoveReason = \"via condor_rm (by user alice)\"\n",
           report);
  CHECK(history.start_unix == 1000);
  CHECK(story(history) ==
        "0 submitted\n10 matched SITE-A\n11 input_started SITE-A\n"
        "20 held transfer_failed 13/256 SITE-A\n50 released unknown\n50 matched SITE-B\n"
        "51 input_started SITE-B\n55 input_finished SITE-B\n56 executing SITE-B\n"
        "90 requeued exit_code exit 1 SITE-B\n100 matched\n110 disconnected\n"
        "130 reconnect_failed lost_contact 1008/0\n200 aborted manual\n");
  CHECK(report.releases_not_dated == 1);
  CHECK(report.attempts_from_ads == 3);
  CHECK(report.attempts_of_no_ad == 0);
}

/// Ads of three attempts, each of ten seconds and ended with the code of a failed transfer, and the
/// job's own. `counts` are what each of the four counts.
std::string failed_thrice(std::vector<std::string> const& counts) {
  std::string text;
  for (std::size_t i = 0; i < 3; ++i) {
    std::string const start = std::to_string(1100 + 100 * i), end = std::to_string(1110 + 100 * i);
    text += "ClusterId = 1\nProcId = 0\nQDate = 1000\nNumShadowStarts = " + std::to_string(i + 1) +
            "\nJobCurrentStartDate = " + start + "\nEpochWriteDate = " + end +
            "\nVacateReasonCode = 13\nVacateReasonSubCode = 2816\n" + counts[i] + "\n";
  }
  return text + "ClusterId = 1\nProcId = 0\nQDate = 1000\nNumShadowStarts = 3\nJobStatus = 3\n" +
         "EnteredCurrentStatus = 1400\n" + counts[3] + "\n";
}

std::string const all_evicted =
    "0 submitted\n100 matched\n110 evicted transfer_failed 13/2816\n"
    "200 matched\n210 evicted transfer_failed 13/2816\n"
    "300 matched\n310 evicted transfer_failed 13/2816\n400 aborted unknown\n";
std::string const second_held =
    "0 submitted\n100 matched\n110 evicted transfer_failed 13/2816\n"
    "200 matched\n210 held transfer_failed 13/2816\n300 released unknown\n"
    "300 matched\n310 evicted transfer_failed 13/2816\n400 aborted unknown\n";

TEST_CASE("A hold's code without one more hold is a job that cooled down") {
  auto const reported = [](std::vector<std::string> const& counts) {
    condor::MergeReport report;
    return story(read(failed_thrice(counts), report));
  };
  std::string const by_input = "NumHoldsByReason = [ TransferInputError = 1 ]\n";
  std::string const by_user = "NumHoldsByReason = [ UserRequest = 1 ]\n";
  CHECK(reported({"", "", "", "NumHolds = 0\n"}) == all_evicted);
  CHECK(reported({"", "NumJobCoolDowns = 1\n", "NumJobCoolDowns = 2\n", "NumJobCoolDowns = 3\n"}) ==
        all_evicted);
  CHECK(reported({"", "", "NumHolds = 1\n", "NumHolds = 1\n"}) == second_held);
  CHECK(reported({"", "", "NumHolds = 1\n" + by_input, "NumHolds = 1\n" + by_input}) ==
        second_held);
  // Attempts' ads of which a few attributes were printed.
  std::string const all_held = reported({"", "", "", "NumHolds = 3\n"});
  CHECK_THAT(all_held, has_text("110 held"));
  CHECK_THAT(all_held, has_text("210 held"));
  CHECK_THAT(all_held, has_text("310 held"));
  // By its owner, in the queue.
  CHECK(reported({"", "", "NumHolds = 1\n" + by_user, "NumHolds = 1\n" + by_user}) == all_evicted);
}

TEST_CASE("A job without epoch ads shows its last attempt and the number of attempts") {
  condor::MergeReport report;
  history::JobHistory const history = read(
      "ClusterId = 1\nProcId = 0\nQDate = 1000\nNumShadowStarts = 4\nJobStatus = 4\n"
      "ExitCode = 0\nJobCurrentStartDate = 1100\nCompletionDate = 1150\n"
      "MachineAttrGLIDEIN_ResourceName0 = \"SITE-A\"\n",
      report);
  // It does not date the execution (HTCondor 7), which it had: at most from its match on.
  CHECK(story(history) ==
        "0 submitted\n100 matched SITE-A\n100 executing SITE-A\n150 terminated SITE-A\n");
  CHECK(report.attempts_of_no_ad == 3);
  CHECK(history.unrecorded == std::vector<std::uint32_t>{3});
}

TEST_CASE("The reader reports attempts that an ad counts but neither dates nor sums up") {
  auto const missing = [](std::string const& counts) {
    condor::MergeReport report;
    return read(
               "ClusterId = 1\nProcId = 0\nQDate = 1000\nJobStatus = 4\nExitCode = 0\n"
               "JobCurrentStartDate = 1100\nCompletionDate = 1150\n" +
                   counts,
               report)
        .unrecorded;
  };
  using Counts = std::vector<std::uint32_t>;
  CHECK(missing("").empty());
  CHECK(missing("NumShadowStarts = 1\nNumJobStarts = 1\n").empty());
  CHECK(missing("NumJobStarts = 3\n") == Counts{2});
  CHECK(missing("NumJobStarts = 2\nNumShadowStarts = 5\n") == Counts{4});
  // Each reconnection starts a shadow for an attempt that goes on.
  CHECK(missing("NumShadowStarts = 3\nNumJobReconnects = 2\n").empty());
  // The sums date the attempts before.
  CHECK(missing("NumShadowStarts = 2\nJobStartDate = 1010\nRemoteWallClockTime = 80\n").empty());
}

TEST_CASE(
    "A job's own ad dates its last attempt and sums up the others, which share what is left") {
  condor::MergeReport report;
  history::JobHistory const history = read(
      "ClusterId = 1\nProcId = 0\nQDate = 1000\nNumShadowStarts = 4\nNumJobStarts = 3\n"
      "JobStatus = 4\nExitCode = 0\nJobStartDate = 1010\nRemoteWallClockTime = 80.0\n"
      "LastRemoteWallClockTime = 50.0\nJobCurrentStartDate = 1100\nCompletionDate = 1150\n"
      "JobCurrentStartTransferInputDate = 1101\nJobCurrentFinishTransferInputDate = 1110\n"
      "JobCurrentStartExecutingDate = 1111\n"
      "MachineAttrGLIDEIN_ResourceName0 = \"SITE-A\"\n"
      "MachineAttrGLIDEIN_ResourceName1 = \"SITE-B\"\n",
      report);
  // 80 s less the last one's 50 s: 15 s each to the two that executed, none to the third.
  CHECK(
      story(history) ==
      "0 submitted\n10 matched\n10 executing end_not_recorded\n25 evicted end_not_recorded\n25 matched\n"
      "25 executing end_not_recorded\n"
      "40 evicted end_not_recorded\n40 matched SITE-B\n40 evicted not_begun SITE-B\n100 matched SITE-A\n"
      "101 input_started SITE-A\n110 input_finished SITE-A\n111 executing SITE-A\n"
      "150 terminated SITE-A\n");
  CHECK(report.attempts_of_no_ad == 0);
}

TEST_CASE("Without LastRemoteWallClockTime the last attempt's own dates are taken from the sum") {
  std::string const sums =
      "ClusterId = 1\nProcId = 0\nQDate = 1000\nNumShadowStarts = 2\nNumJobStarts = 2\n"
      "JobStartDate = 1010\nRemoteWallClockTime = 80.0\nJobCurrentStartDate = 1100\n"
      "JobCurrentStartExecutingDate = 1100\n";
  condor::MergeReport report;
  // The last one had 50 s of 80 s.
  CHECK(story(read(sums + "JobStatus = 4\nExitCode = 0\nCompletionDate = 1150\n", report)) ==
        "0 submitted\n10 matched\n10 executing end_not_recorded\n40 evicted end_not_recorded\n"
        "100 matched\n100 executing\n150 terminated\n");
  CHECK(story(read(sums + "JobStatus = 3\nEnteredCurrentStatus = 1170\n", report)) ==
        "0 submitted\n10 matched\n10 executing end_not_recorded\n20 evicted end_not_recorded\n"
        "100 matched\n100 executing\n170 aborted unknown\n");
  // One that runs is not in the sum yet.
  CHECK(story(read(sums + "JobStatus = 2\n", report)) ==
        "0 submitted\n10 matched\n10 executing end_not_recorded\n90 evicted end_not_recorded\n"
        "100 matched\n100 executing\n");
}

TEST_CASE("A job that was held and is idle is released, since when its status shows") {
  condor::MergeReport report;
  history::JobHistory const history = read(
      "ClusterId = 1\nProcId = 0\nQDate = 1000\nJobStatus = 1\nEnteredCurrentStatus = 1051\n"
      "NumHolds = 1\nLastHoldReasonCode = 1\nNumShadowStarts = 0\n",
      report);
  CHECK(story(history) == "0 submitted\n0 held manual 1/0\n51 released unknown\n");
  CHECK(report.releases_not_dated == 0);
}

TEST_CASE("The record of condor_q goes until its ads were printed") {
  condor::MergeReport report;
  history::JobHistory const history = read(
      "ClusterId = 1\nProcId = 0\nQDate = 1000\nJobStatus = 2\nEnteredCurrentStatus = 1151\n"
      "JobStartDate = 1151\nJobCurrentStartDate = 1151\nJobCurrentStartExecutingDate = 1151\n"
      "NumShadowStarts = 1\nNumJobStarts = 1\nServerTime = 2000\n",
      report);
  CHECK(history.end() == Seconds(1000));
  CHECK(history.events.back().kind == history::EventKind::executing);
  CHECK(history.end() - history.events.back().at == Seconds(849));
}

TEST_CASE("Ads that date nothing make no history") {
  condor::MergeReport report;
  CHECK_THROWS_AS(read("ClusterId = 1\nProcId = 0\nJobStatus = 1\n", report), InputError);
}

/// A job of one attempt, of a schedd that keeps no epoch history.
std::string ad_of_job(int cluster, std::string const& more) {
  return "ClusterId = " + std::to_string(cluster) +
         "\nProcId = 0\nQDate = 1000\nNumShadowStarts = 1\nNumJobStarts = 1\nJobStatus = 4\n"
         "JobCurrentStartDate = 1100\nJobCurrentStartExecutingDate = 1110\nCompletionDate = 1200\n"
         "ExitCode = 0\n" +
         more + "\n";
}

/// Host and site of each job's last event.
std::vector<std::pair<std::string, std::string>> places(std::string const& ads) {
  condor::MergeReport report;
  history::JobHistory const history = read(ads, report);
  std::vector<std::pair<std::string, std::string>> places(history.jobs.size());
  for (history::JobEvent const& event : history.events) {
    places[event.job.index()] = {
        history::machine_of(history, event.slot),
        event.site.valid() ? history.sites[event.site.index()] : std::string()};
  }
  return places;
}

using Places = std::vector<std::pair<std::string, std::string>>;

TEST_CASE("A job's own ad names its host in one of several attributes") {
  CHECK(places(ad_of_job(1, "LastRemoteHost = \"slot1_2@glidein_7@n1.pool.example.org\"\n") +
               ad_of_job(2, "RemoteHost = \"slot1@n2.pool.example.org\"\n") +
               ad_of_job(3, "StartdName = \"n3.pool.example.org\"\n") +
               ad_of_job(4, "MachineAttrMachine0 = \"n4.lab.example.org\"\n") +
               ad_of_job(5, "StartdIpAddr = \"<192.0.2.7:9618?addrs=192.0.2.7-9618>\"\n") +
               ad_of_job(6, "StartdIpAddr = \"<192.0.2.8:9618?alias=n6.lab.example.org>\"\n") +
               ad_of_job(7, "")) == Places{{"n1.pool.example.org", "pool.example.org"},
                                           {"n2.pool.example.org", "pool.example.org"},
                                           {"n3.pool.example.org", "pool.example.org"},
                                           {"n4.lab.example.org", "lab.example.org"},
                                           {"192.0.2.7", "(unknown)"},
                                           {"n6.lab.example.org", "lab.example.org"},
                                           {"", ""}});
}

TEST_CASE("A host's domain is no site if an ad names a site") {
  CHECK(places(ad_of_job(1,
                         "LastRemoteHost = \"slot1@g1@n1.pool.example.org\"\n"
                         "MATCH_EXP_JOB_GLIDEIN_Site = \"Here\"\n") +
               ad_of_job(2, "LastRemoteHost = \"slot2@g1@n1.pool.example.org\"\n") +
               ad_of_job(3, "LastRemoteHost = \"slot1@g2@n2.pool.example.org\"\n")) ==
        Places{{"n1.pool.example.org", "Here"},
               {"n1.pool.example.org", "Here"},
               {"n2.pool.example.org", ""}});
}

TEST_CASE("Site is a site in documents of CMS, which have a time of their own") {
  CHECK(places(ad_of_job(1,
                         "LastRemoteHost = \"slot1@g1@n1.pool.example.org\"\n"
                         "Site = \"T2_XX_Example\"\nRecordTime = 1500\n") +
               ad_of_job(2,
                         "LastRemoteHost = \"slot1@g2@n2.pool.example.org\"\n"
                         "Site = \"Unknown\"\nRecordTime = 1500\n") +
               ad_of_job(3,
                         "LastRemoteHost = \"slot1@g3@n3.pool.example.org\"\n"
                         "Site = \"mine\"\n")) == Places{{"n1.pool.example.org", "T2_XX_Example"},
                                                         {"n2.pool.example.org", ""},
                                                         {"n3.pool.example.org", ""}});
}

TEST_CASE("LastRemoteHost of a running job names the host of the attempt before") {
  std::string const ad =
      "ClusterId = 1\nProcId = 0\nQDate = 1000\nNumShadowStarts = 2\nNumJobStarts = 2\n"
      "JobStatus = 2\nJobStartDate = 1050\nJobCurrentStartDate = 1100\n"
      "JobCurrentStartExecutingDate = 1110\nRemoteWallClockTime = 20\n"
      "LastRemoteHost = \"slot1@n1.example.org\"\n";
  CHECK(places(ad + "RemoteHost = \"slot1@n2.example.org\"\n")[0].first == "n2.example.org");
  CHECK(places(ad)[0].first.empty());
}

}  // namespace
}  // namespace gridcast::test

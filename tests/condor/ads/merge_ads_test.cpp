
#include "sim/condor/ads/merge_ads.hpp"

#include <algorithm>

#include "tests/condor/ads/log_and_ads.hpp"
#include "tests/condor/log_files.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

constexpr std::int64_t midnight = 1767225600;  // 2026-01-01 00:00:00 UTC

// An ad of job 1.0 with dates in seconds since then.
std::string ad(std::string const& attributes, std::initializer_list<std::pair<char const*, int>> at,
               std::int64_t zero = midnight) {
  std::string text = "ClusterId = 1\nProcId = 0\n" + attributes;
  for (auto const& [name, seconds] : at) {
    text += std::string(name) + " = " + std::to_string(zero + seconds) + "\n";
  }
  return text + "\n";
}

condor::JobAds settled_ads(std::string const& text) {
  condor::JobAds ads;
  condor::add_job_ads(text, "ads", ads);
  condor::settle_job_ads(ads);
  return ads;
}

// Starts at 10, runs from 15 to 40.
std::string one_run() {
  return event(0, 0, "Job submitted from host: <192.0.2.1:9618>") +
         event(40, 10, "Started transferring input files") +
         event(40, 15, "Finished transferring input files") +
         event(1, 15, "Job executing on host: <192.0.2.2:9618>",
               "\tSlotName: slot1_1@glidein_1@h\n\tGLIDEIN_ResourceName = \"SITE-A\"\n") +
         event(5, 40, "Job terminated.", "\t(1) Normal termination (return value 0)\n");
}

constexpr char const* done = "JobStatus = 4\nNumShadowStarts = 1\nExitCode = 0\n";

TEST_CASE("A claim is activated before the log shows it") {
  condor::MergeReport report;
  auto const merged = condor::merge(read_text(one_run()),
                                    settled_ads(ad(done, {{"QDate", 0},
                                                          {"JobCurrentStartDate", 8},
                                                          {"CompletionDate", 40},
                                                          {"EnteredCurrentStatus", 40}})),
                                    report);
  CHECK(story(merged.history) ==
        "0 submitted\n8 matched SITE-A\n10 input_started SITE-A\n15 input_finished SITE-A\n"
        "15 executing SITE-A\n40 terminated SITE-A\n");
  CHECK(report.starts_moved == 1);
  CHECK(report.conflicts.empty());
  CHECK(report.clock_offset == Seconds(0));
  CHECK(merged.history.start_unix == midnight);
}

TEST_CASE("QDate shows the log's time zone, to a quarter of an hour") {
  for (int const minutes_west : {300, -345, 0}) {
    std::int64_t const zero = midnight + minutes_west * 60;
    condor::MergeReport report;
    auto const merged = condor::merge(
        read_text(one_run()),
        settled_ads(
            ad(done, {{"QDate", 1}, {"JobCurrentStartDate", 9}, {"CompletionDate", 41}}, zero)),
        report);
    CHECK(report.clock_offset == Seconds(60.0 * minutes_west));
    CHECK(merged.history.start_unix == zero);
    CHECK(report.conflicts.empty());
    CHECK(merged.history.events[1].at == Seconds(9));
  }
  condor::MergeReport report;
  condor::merge(read_text(one_run()), settled_ads(ad(done, {{"QDate", 0}}, midnight + 18000)),
                report);
  CHECK_THAT(to_text(report), has_text("the log's clock is UTC-05:00"));
}

TEST_CASE("QDate shows the year of a log without one before its time zone") {
  std::int64_t const zero = midnight - 4748 * 86400LL + 8 * 3600;  // thirteen years before, UTC-8
  condor::MergeReport report;
  auto const merged =
      condor::merge(read_text(one_run()), settled_ads(ad(done, {{"QDate", 0}}, zero)), report);
  CHECK(merged.history.start_unix == zero);
  CHECK(report.clock_offset == Seconds(8 * 3600));
  CHECK_THAT(to_text(report), has_text("moved by -4748 days"));
  CHECK_THAT(to_text(report), has_text("the log's clock is UTC-08:00"));
}

TEST_CASE("Ads alone know the site of an attempt that never executed") {
  std::string const log = event(0, 0, "Job submitted from host: <192.0.2.1:9618>") +
                          event(40, 10, "Started transferring input files") +
                          event(4, 20, "Job was evicted.", "\t(0) CPU times\n") +
                          event(40, 30, "Started transferring input files");
  condor::MergeReport report;
  auto const merged = condor::merge(
      read_text(log),
      settled_ads(ad("NumShadowStarts = 1\nMachineAttrGLIDEIN_ResourceName0 = \"SITE-B\"\n"
                     "RemoteHost = \"slot1_1@glidein_7@h\"\nVacateReasonCode = 1004\n",
                     {{"QDate", 0}, {"JobCurrentStartDate", 10}, {"EpochWriteDate", 20}}) +
                  ad("NumShadowStarts = 2\nRemoteHost = \"slot1_3@glidein_7@h\"\n",
                     {{"QDate", 0}, {"JobCurrentStartDate", 29}, {"EpochWriteDate", 40}})),
      report);
  CHECK_THAT(story(merged.history), has_text("10 input_started SITE-B"));
  CHECK_THAT(story(merged.history), has_text("29 matched SITE-B"));
  CHECK(report.sites_from_ads == 2);
}

// Two attempts, the first on a host of which the log has only the name.
TEST_CASE("A host's name is no site where the ads show the site of all attempts there") {
  std::string const log =
      event(0, 0, "Job submitted from host: <192.0.2.1:9618>") +
      event(
          40, 2, "Started transferring input files",
          "\tTransferring to host: <192.0.2.9:9618?addrs=192.0.2.9-9618&alias=n1.example.org&noUDP&"
          "sock=slot1_1_99_583d_1>\n") +
      event(4, 5, "Job was evicted.", "\t(0) CPU times\n") +
      one_run().substr(event(0, 0, "Job submitted from host: <192.0.2.1:9618>").size());
  CHECK(read_text(log).history.sites == std::vector<std::string>{"SITE-A", "example.org"});
  std::string const first =
      ad("NumShadowStarts = 1\nMachineAttrGLIDEIN_ResourceName0 = \"SITE-B\"\n"
         "RemoteHost = \"slot1_1@glidein_7@n1.example.org\"\nVacateReasonCode = 1004\n",
         {{"QDate", 0}, {"JobCurrentStartDate", 2}, {"EpochWriteDate", 5}});
  condor::MergeReport report;
  auto const merged = condor::merge(read_text(log), settled_ads(first), report);
  CHECK(merged.history.sites == std::vector<std::string>{"SITE-A", "SITE-B"});
  CHECK_THAT(story(merged.history), has_text("2 input_started SITE-B"));
  CHECK_THAT(story(merged.history), has_text("40 terminated SITE-A"));
}

TEST_CASE("An attempt that the log does not show is added where the job was idle") {
  condor::MergeReport report;
  auto const merged = condor::merge(
      read_text(one_run()),
      settled_ads(ad("NumShadowStarts = 1\nVacateReasonCode = 1006\n"
                     "MachineAttrGLIDEIN_ResourceName0 = \"SITE-B\"\n",
                     {{"QDate", 0}, {"JobCurrentStartDate", 5}, {"EpochWriteDate", 6}}) +
                  ad("NumShadowStarts = 2\n",
                     {{"QDate", 0}, {"JobCurrentStartDate", 10}, {"EpochWriteDate", 40}})),
      report);
  CHECK_THAT(story(merged.history),
             has_text("0 submitted\n5 matched SITE-B\n6 evicted unknown 1006/0 SITE-B\n"
                      "10 matched SITE-A\n"));
  CHECK(report.attempts_from_ads == 1);
}

TEST_CASE("A log copied before the end gets the end from the ads") {
  std::string log = one_run();
  log.resize(log.find("005 ("));
  condor::MergeReport report;
  auto const merged =
      condor::merge(read_text(log),
                    settled_ads(ad("JobStatus = 4\nExitCode = 3\nNumShadowStarts = 1\n",
                                   {{"QDate", 0},
                                    {"JobCurrentStartDate", 10},
                                    {"CompletionDate", 50},
                                    {"EnteredCurrentStatus", 50}})),
                    report);
  CHECK_THAT(story(merged.history), has_text("50 terminated exit_code exit 3 SITE-A\n"));
  CHECK(report.ends_from_ads == 1);
}

TEST_CASE("The log counts where it differs from the ads, and a note reports both") {
  std::string log = one_run();
  condor::MergeReport report;
  auto const merged = condor::merge(
      read_text(log),
      settled_ads(ad("JobStatus = 5\nNumShadowStarts = 1\nHoldReasonCode = 1\n"
                     "MachineAttrGLIDEIN_ResourceName0 = \"SITE-C\"\n",
                     {{"QDate", 0}, {"JobCurrentStartDate", 10}, {"EnteredCurrentStatus", 60}}) +
                  ad("NumShadowStarts = 1\nMachineAttrGLIDEIN_ResourceName0 = \"SITE-C\"\n",
                     {{"QDate", 0}, {"JobCurrentStartDate", 10}, {"EpochWriteDate", 40}})),
      report);
  // No ad calls anything SITE-A, so the log's is taken for a host's name.
  CHECK_THAT(story(merged.history), has_text("40 terminated SITE-C"));
  CHECK(report.sites_from_ads == 1);
  std::string const text = to_text(report);
  CHECK_THAT(text, has_text("1.0: the log has completed, the ads have JobStatus 5"));
  CHECK_THAT(text, has_text("1.0: the log does not have held, the ads do"));
}

TEST_CASE("The site of the execution counts if the ads know two") {
  std::string const elsewhere =
      "ClusterId = 9\nProcId = 0\nEpochWriteDate = 1767225600\n"
      "MachineAttrGLIDEIN_ResourceName0 = \"SITE-A\"\n";
  condor::MergeReport report;
  auto const merged = condor::merge(
      read_text(one_run()),
      settled_ads(ad("NumShadowStarts = 1\nMachineAttrGLIDEIN_ResourceName0 = \"SITE-C\"\n",
                     {{"QDate", 0}, {"JobCurrentStartDate", 10}, {"EpochWriteDate", 40}}) +
                  elsewhere),
      report);
  CHECK_THAT(story(merged.history), has_text("40 terminated SITE-A"));
  CHECK_THAT(to_text(report),
             has_text("1.0: the log has an attempt at SITE-A, the ads have it at SITE-C"));
}

TEST_CASE("Ads older than the log's end contradict nothing") {
  condor::MergeReport report;
  condor::merge(
      read_text(one_run()),
      settled_ads(ad("JobStatus = 2\nNumShadowStarts = 1\n",
                     {{"QDate", 0}, {"JobCurrentStartDate", 10}, {"EnteredCurrentStatus", 10}})),
      report);
  CHECK(report.conflicts.empty());
}

TEST_CASE("URLs are transferred in attempts of the history") {
  std::string const list =
      "InputPluginResultList = { [ TransferUrl = \"osdf:///a\"; TransferSuccess = true; "
      "TransferFileBytes = 5; ConnectionTimeSeconds = 3.5; TransferStartTime = " +
      std::to_string(midnight + 11) + "; TransferEndTime = " + std::to_string(midnight + 15) +
      " ] }\n";
  condor::MergeReport report;
  auto const merged =
      condor::merge(read_text(one_run()),
                    settled_ads(ad("NumShadowStarts = 7\n" + list, {{"QDate", 0}})), report);
  REQUIRE(merged.history.transfers.size() == 1);
  history::UrlTransfer const& transfer = merged.history.transfers[0];
  CHECK(transfer.attempt == 1);  // by its time, since no attempt has number 7
  CHECK(transfer.start == Seconds(11));
  CHECK(transfer.end == Seconds(15));
  CHECK(transfer.duration == Seconds(3.5));
  CHECK(merged.history.urls.at(transfer.url) == "osdf:///a");

  condor::MergeReport elsewhere;
  std::string log = event(0, 0, "Job submitted from host: <192.0.2.1:9618>");
  CHECK(
      condor::merge(read_text(log), settled_ads(ad("NumShadowStarts = 7\n" + list, {})), elsewhere)
          .history.transfers.empty());
  CHECK(elsewhere.transfers_of_no_attempt == 1);
}

TEST_CASE("Jobs that only one of the two knows are counted") {
  condor::MergeReport report;
  auto const merged = condor::merge(
      read_text(one_run()), settled_ads("ClusterId = 2\nProcId = 0\nQDate = 1767225600\n"), report);
  CHECK(merged.history.jobs.size() == 1);
  CHECK(report.jobs_only_in_log == 1);
  CHECK(report.jobs_only_in_ads == 1);
  CHECK_THAT(to_text(report), has_text("taken for UTC"));
}

struct Campaign {
  condor::LoggedHistory log;
  condor::JobAds ads;
  condor::MergeReport report;
};

Campaign merged(std::string const& name) {
  std::vector<std::filesystem::path> files;
  for (char const* file : {"history", "epochs", "epochs.INPUT", "epochs.OUTPUT"}) {
    auto const path = pool_campaign(name + "/" + file + ".json");
    if (std::filesystem::exists(path)) files.push_back(path);
  }
  Campaign campaign;
  campaign.ads = condor::read_job_ads(files);
  campaign.log = condor::merge(condor::read_logs({pool_campaign(name + "/" + name + ".log")}),
                               campaign.ads, campaign.report);
  return campaign;
}

TEST_CASE("A real pool's logs and ads come to the same totals") {
  for (char const* name : {"c1-sweep", "c3-ckpt", "c4-retry", "c5-json", "c6-xml", "c7-hang"}) {
    INFO(name);
    Campaign const campaign = merged(name);
    CHECK(campaign.report.conflicts.empty());
    CHECK(campaign.report.clock_offset == Seconds(0));
    CHECK(campaign.report.jobs_only_in_log + campaign.report.jobs_only_in_ads == 0);
    auto const rows = condor::compare_with_ads(campaign.log.history, campaign.ads);
    CHECK(rows.size() == 4 * campaign.ads.jobs.size());
    for (condor::ConsistencyRow const& row : rows) {
      INFO(to_text(row.job) << " " << row.fact << " " << row.in_ads << " " << row.in_history);
      CHECK((row.agrees() || !row.because.empty()));
      // Only in c3 an access point died.
      if (std::string_view(name) != "c3-ckpt") CHECK(row.agrees());
    }
  }
}

TEST_CASE("Every attempt of the sweep has its transfers") {
  Campaign const campaign = merged("c1-sweep");
  history::JobHistory const& history = campaign.log.history;
  CHECK(campaign.report.transfers == 238);
  CHECK(campaign.report.transfers_of_no_attempt == 0);
  CHECK(history.urls.size() == 2);
  // Each within its attempt, which the log dates.
  auto const inputs = std::count_if(history.events.begin(), history.events.end(), [](auto& event) {
    return event.kind == history::EventKind::transfer_input_started;
  });
  CHECK(inputs >= 119);
  CHECK(std::is_sorted(history.transfers.begin(), history.transfers.end(),
                       [](history::UrlTransfer const& a, history::UrlTransfer const& b) {
                         return std::tie(a.job, a.attempt, a.start) <
                                std::tie(b.job, b.attempt, b.start);
                       }));
}

TEST_CASE("A total that is not the same is found") {
  condor::JobAds ads;
  condor::add_job_ads(
      "ClusterId = 1\nProcId = 0\nQDate = 1767225600\nJobStatus = 4\nNumShadowStarts = 2\n"
      "NumJobStarts = 0\nNumHolds = 0\nRemoteWallClockTime = 50.0\n",
      "ads", ads);
  settle_job_ads(ads);
  auto const log = read_text(event(0, 0, "Job submitted from host: <192.0.2.1:9618>") +
                             event(40, 10, "Started transferring input files") +
                             event(4, 20, "Job was evicted.", "\t(0) CPU times\n"));
  auto const rows = condor::compare_with_ads(log.history, ads);
  REQUIRE(rows.size() == 4);
  CHECK_FALSE(rows[0].agrees());
  CHECK(rows[1].agrees());
  CHECK_FALSE(rows[3].agrees());
  CHECK(rows[0].fact == "NumShadowStarts");
  CHECK(rows[0].in_ads == 2);
  CHECK(rows[0].in_history == 1);
}

}  // namespace

}  // namespace gridcast::test

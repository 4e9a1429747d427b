#include "sim/condor/ads_consistency.hpp"

#include <algorithm>

#include "sim/condor/merge_ads.hpp"
#include "tests/condor/log_files.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

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

TEST_CASE("A total that is not the same is told with what may explain it") {
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
  CHECK_THAT(to_text(rows), has_text("4 totals of 1 jobs in history and ads, 2 the same"));
  CHECK_THAT(to_text(rows), has_text("1.0: NumShadowStarts 2 in the ads, 1 in the history"));
}

}  // namespace
}  // namespace gridcast::test

#include "sim/condor/write/history_ads_writer.hpp"

#include <sstream>

#include "sim/base/error.hpp"
#include "sim/condor/ads/job_ads.hpp"
#include "sim/condor/ads/merge_ads.hpp"
#include "tests/condor/log_files.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

std::string written(history::JobHistory const& history, condor::AdsForm form) {
  std::ostringstream out;
  condor::HistoryAdsOptions options;
  options.form = form;
  condor::write_history_ads(history, out, options);
  return out.str();
}

condor::JobAds read(std::string const& text) {
  condor::JobAds ads;
  condor::add_job_ads(text, "ads", ads);
  condor::settle_job_ads(ads);
  return ads;
}

history::JobHistory two_attempts() {
  return read_text(event(0, 0, "Job submitted from host: <192.0.2.1:9618>") +
                   event(40, 10, "Started transferring input files") +
                   event(12, 30, "Job was held.",
                         "\tTransfer input files failure\n\tCode 13 "
                         "Subcode 256\n") +
                   event(13, 100, "Job was released.", "\tvia condor_release (by user alice)\n") +
                   event(40, 110, "Started transferring input files") +
                   event(40, 120, "Finished transferring input files") +
                   event(1, 120, "Job executing on host: <192.0.2.2:9618>",
                         "\tSlotName: slot1_1@glidein_1@h\n"
                         "\tGLIDEIN_ResourceName = \"SITE-A\"\n") +
                   event(5, 200, "Job terminated.", "\t(1) Normal termination (return value 3)\n"))
      .history;
}

TEST_CASE("What the ads of a history say") {
  for (condor::AdsForm const form : {condor::AdsForm::json, condor::AdsForm::long_form}) {
    condor::JobAds const ads = read(written(two_attempts(), form));
    condor::JobAdFacts const& facts = ads.jobs.at({1, 0}).facts;
    std::int64_t const start = 1767225600;
    CHECK(facts.q_date == start);
    CHECK(facts.job_start_date == start + 10);
    CHECK(facts.job_current_start_date == start + 110);
    CHECK(facts.completion_date == start + 200);
    CHECK(facts.job_status == 4);
    CHECK(facts.exit_code == 3);
    CHECK(facts.num_shadow_starts == 2U);
    CHECK(facts.num_job_starts == 1U);
    CHECK(facts.num_holds == 1U);
    CHECK(facts.num_holds_by_reason.at("TransferInputError") == 1);
    CHECK(facts.remote_wall_clock_time == Seconds(20 + 90));
    CHECK(facts.committed_time == Seconds(90));
    CHECK(facts.sites.at(0) == "SITE-A");
    CHECK(ads.report.values_not_understood == 0);
    CHECK(ads.report.reading.warnings.empty());
  }
}

TEST_CASE("GPUs of the last attempt come back from its ad, and none from one that tells none") {
  history::GpuShare const two{
      .model = "NVIDIA L40S", .count = 2, .memory = Bytes(45589. * 1024 * 1024), .capability = 8.9};
  history::GpuShare const none{.count = 0};
  for (condor::AdsForm const form : {condor::AdsForm::json, condor::AdsForm::long_form}) {
    for (history::GpuShare const& gpus : {two, none, history::GpuShare()}) {
      history::JobHistory history = two_attempts();
      for (history::JobEvent& event : history.events) {
        if (event.kind == history::EventKind::executing) event.gpus = history.gpus_like(gpus);
      }
      CHECK(read(written(history, form)).jobs.at({1, 0}).facts.last.gpus == gpus);
    }
  }
}

TEST_CASE("A job that was removed while held is so in its ad") {
  history::JobHistory const held =
      read_text(event(0, 0, "Job submitted from host: <192.0.2.1:9618>") +
                event(1, 20, "Job executing on host: <192.0.2.2:9618>",
                      "\tSlotName: slot1_1@glidein_1@h\n\tGLIDEIN_ResourceName = \"SITE-A\"\n") +
                event(12, 30, "Job was held.", "\tmemory\n\tCode 34 Subcode 102\n") +
                event(9, 500, "Job was aborted.", "\tvia condor_rm (by user alice)\n"))
          .history;
  for (condor::AdsForm const form : {condor::AdsForm::json, condor::AdsForm::long_form}) {
    condor::JobAds const ads = read(written(held, form));
    CHECK(ads.jobs.at({1, 0}).facts.removed_from_hold());
    condor::MergeReport report;
    CHECK_THAT(story(condor::history_from_ads(ads, report)),
               has_text("30 held out_of_resources 34/102 SITE-A\n500 aborted"));
  }
}

TEST_CASE("The old syntax is one attribute a line and an empty line behind each ad") {
  std::string const text = written(two_attempts(), condor::AdsForm::long_form);
  CHECK(text.rfind("ClusterId = 1\nProcId = 0\nMyType = \"Job\"\n", 0) == 0);
  CHECK_THAT(text, has_text("\nNumHoldsByReason = [ TransferInputError = 1 ]\n"));
  CHECK_THAT(text, has_text("\nRemoteWallClockTime = 110.0\n"));
  CHECK(text.substr(text.size() - 2) == "\n\n");
}

TEST_CASE("Written and read again, the ads of a real campaign agree with its history") {
  for (char const* name : {"c1-sweep/c1-sweep.log", "c3-ckpt/c3-ckpt.log"}) {
    history::JobHistory const history = condor::read_logs({pool_campaign(name)}).history;
    condor::JobAds const json = read(written(history, condor::AdsForm::json));
    condor::JobAds const text = read(written(history, condor::AdsForm::long_form));
    for (condor::JobAds const* ads : {&json, &text}) {
      auto const rows = condor::compare_with_ads(history, *ads);
      CHECK(rows.size() == 4 * history.jobs.size());
      for (condor::ConsistencyRow const& row : rows) CHECK(row.agrees());
    }
  }
}

TEST_CASE("A history without dates has no ads, one without jobs an empty list") {
  history::JobHistory history;
  CHECK(written(history, condor::AdsForm::json) == "[\n]\n");
  CHECK(written(history, condor::AdsForm::long_form).empty());
  history.dated = false;
  CHECK_THROWS_AS(written(history, condor::AdsForm::json), InputError);
}

}  // namespace
}  // namespace gridcast::test

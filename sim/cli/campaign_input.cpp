#include "sim/cli/campaign_input.hpp"

#include <algorithm>
#include <utility>

#include "sim/cli/ledger_source.hpp"
#include "sim/condor/ads/job_ads.hpp"
#include "sim/condor/ads/merge_ads.hpp"

namespace gridcast::cli {

namespace {

void add_program(condor::JobAds const& ads, CampaignInput& input) {
  for (auto const& [name, ad] : ads.jobs) {
    if (ad.facts.cmd.empty()) continue;
    input.executable = ad.facts.cmd;
    input.arguments = ad.facts.arguments;
    return;
  }
}

// Of the attempt that fetched most of them.
void add_urls(CampaignInput& input) {
  history::JobHistory const& history = input.history;
  std::vector<std::string> urls;
  history::UrlTransfer const* last = nullptr;
  for (history::UrlTransfer const& transfer : history.transfers) {
    if (transfer.upload || !transfer.succeeded) continue;
    bool const same = last && last->job == transfer.job && last->attempt == transfer.attempt;
    if (!same) urls.clear();
    last = &transfer;
    urls.push_back(transfer.url < history.urls.size() ? history.urls[transfer.url] : "");
    if (urls.size() > input.urls.size()) input.urls = urls;
  }
}

}  // namespace

CampaignInput read_campaign_input(std::vector<std::filesystem::path> const& files,
                                  condor::ReadLogOptions const& options) {
  LedgerSources const sources = sort_by_kind(files);
  CampaignInput input;
  condor::JobAds ads;
  if (!sources.ads.empty()) ads = condor::read_job_ads(sources.ads);
  add_program(ads, input);
  condor::MergeReport merged;
  if (sources.logs.empty()) {
    input.history = condor::history_from_ads(ads, merged);
    input.remarks = to_text(ads.report);
  } else {
    condor::LoggedHistory log = condor::read_logs(sources.logs, options);
    input.remarks = to_text(log.report);
    if (!sources.ads.empty()) log = condor::merge(std::move(log), ads, merged);
    input.history = std::move(log.history);
  }
  add_urls(input);
  return input;
}

}  // namespace gridcast::cli

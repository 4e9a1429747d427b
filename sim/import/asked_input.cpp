#include "sim/import/asked_input.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "sim/base/statistics.hpp"
#include "sim/base/text.hpp"
#include "sim/import/submit_commands.hpp"

namespace gridcast::import {
namespace {

std::vector<std::string> of_transfers(history::JobHistory const& history) {
  std::vector<std::string> most, urls;
  history::UrlTransfer const* last = nullptr;
  for (history::UrlTransfer const& transfer : history.transfers) {
    if (transfer.upload || !transfer.succeeded) continue;
    bool const same = last && last->job == transfer.job && last->attempt == transfer.attempt;
    if (!same) urls.clear();
    last = &transfer;
    urls.push_back(transfer.url < history.urls.size() ? history.urls[transfer.url] : "");
    if (urls.size() > most.size()) most = urls;
  }
  return most;
}

std::vector<std::string> of_ads(condor::JobAds const& ads) {
  std::map<std::string, std::size_t> lists;
  for (auto const& [name, ad] : ads.jobs) {
    if (!ad.facts.transfer_input.empty()) ++lists[ad.facts.transfer_input];
  }
  auto const most = std::max_element(
      lists.begin(), lists.end(), [](auto const& a, auto const& b) { return a.second < b.second; });
  std::vector<std::string> urls;
  if (most == lists.end()) return urls;
  for (std::string const& name : split(most->first, ',')) {
    std::string const file(trim(name));
    if (is_url(file)) urls.push_back(file);
  }
  return urls;
}

std::optional<Bytes> size_of(std::string const& url, KnownSizes const& known) {
  for (std::string const& key : {url, url.substr(0, url.find('?'))}) {
    auto const found = known.find(key);
    if (found != known.end()) return found->second;
  }
  return size_in_url(url);
}

Bytes median_of(std::vector<double> const& bytes) {
  return bytes.empty() ? Bytes() : Bytes(median(bytes));
}

}  // namespace

std::vector<std::string> fetched_urls(RecordedCampaign const& campaign,
                                      history::JobHistory const& history) {
  auto urls = of_transfers(history);
  return urls.empty() ? of_ads(campaign.ads) : urls;
}

Bytes usual_input(RecordedCampaign const& campaign) {
  std::vector<double> fetched, received;
  for (auto const& [name, ad] : campaign.ads.jobs) {
    if (ad.facts.fetched.value_or(Bytes()) > Bytes()) fetched.push_back(ad.facts.fetched->value());
  }
  for (condor::LoggedRun const& run : campaign.runs) {
    if (run.received.value_or(Bytes()) > Bytes()) received.push_back(run.received->value());
  }
  return median_of(fetched.empty() ? received : fetched);
}

KnownSizes known_sizes(RecordedCampaign const& campaign, history::JobHistory const& history) {
  KnownSizes sizes;
  for (history::UrlTransfer const& transfer : history.transfers) {
    if (transfer.upload || !transfer.succeeded || transfer.url >= history.urls.size()) continue;
    Bytes& size = sizes[history.urls[transfer.url]];
    size = std::max(size, transfer.size);
  }
  std::erase_if(sizes, [](auto const& each) { return each.second <= Bytes(); });
  Bytes const together = usual_input(campaign);
  if (together > Bytes()) sizes.emplace(all_other_urls, together);
  return sizes;
}

std::vector<Bytes> sizes_of(std::vector<std::string> const& urls, KnownSizes const& known) {
  std::vector<Bytes> sizes;
  Bytes told;
  double others = 0;
  for (std::string const& url : urls) {
    sizes.push_back(size_of(url, known).value_or(Bytes()));
    told += sizes.back();
    others += sizes.back() > Bytes() ? 0 : 1;
  }
  auto const together = known.find(all_other_urls);
  if (together == known.end() || others == 0) return sizes;
  Bytes const share = std::max(Bytes(), together->second - told) / others;
  for (Bytes& size : sizes) {
    if (size <= Bytes()) size = share;
  }
  return sizes;
}

}  // namespace gridcast::import

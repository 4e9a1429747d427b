// The site, host and slot of an attempt, by its ad and by other ads of the same startd.
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/text.hpp"
#include "sim/condor/ads/ad_history.hpp"
#include "sim/condor/ads/ad_text.hpp"
#include "sim/condor/log/event_reader.hpp"
#include "sim/condor/log/log_note.hpp"

namespace gridcast::condor {

std::vector<std::string> machine_attributes(TextAd const& ad, std::string_view prefix) {
  constexpr std::size_t most = 1000;
  std::vector<std::string> values;
  for (auto const& [name, value] : ad.attributes) {
    if (name.size() <= prefix.size() ||
        !same_ignoring_case(std::string_view(name).substr(0, prefix.size()), prefix)) {
      continue;
    }
    std::size_t index = most;
    char const* end = name.data() + name.size();
    auto const parsed = std::from_chars(name.data() + prefix.size(), end, index);
    auto const* text = value.as<std::string>();
    if (parsed.ptr != end || index >= most || text == nullptr) continue;
    if (values.size() <= index) values.resize(index + 1);
    values[index] = *text;
  }
  return values;
}

std::string host_in(TextAd const& ad) {
  std::string host;
  for (char const* const name :
       {"StartdName", "MachineAttrName0", "MachineAttrMachine0", "StartdIpAddr", "StarterIpAddr"}) {
    if (take_from(ad, name, host) && !host.empty()) break;
  }
  return host;
}

std::string site_in(TextAd const& ad) {
  std::string best;
  for (int rank = 0; auto const& [name, value] : ad.attributes) {
    auto const* site = value.as<std::string>();
    if (name.starts_with("MachineAttr") || site == nullptr || !is_site_name(*site)) continue;
    if (site_rank(name) <= rank) continue;
    best = *site;
    rank = site_rank(name);
  }
  // The documents of CMS have a time of their own, and the site by this name.
  bool const of_cms = best.empty() && find(ad, "RecordTime") != nullptr;
  if (of_cms && take_from(ad, "Site", best) && !is_site_name(best)) best.clear();
  return best;
}

std::string slot_of(std::string_view remote_host) {
  std::string_view host = remote_host.substr(0, remote_host.find(','));  // the first of several
  if (host.starts_with('<')) {
    std::string_view const alias = host_of_address(host);
    host.remove_prefix(1);
    host = alias.empty() ? host.substr(0, host.find_first_of(":?>")) : alias;
  }
  if (host.empty() || host.find('@') != std::string_view::npos) return std::string(host);
  return "@" + std::string(host);
}

std::string startd_of(std::string_view remote_host) {
  auto const first = remote_host.find('@');
  if (first == std::string_view::npos) return {};
  std::string_view const rest = remote_host.substr(first + 1);
  return std::string(rest.substr(0, rest.find('@')));
}

AdSites::AdSites(JobAds const& ads) {
  for (auto const& [name, job] : ads.jobs) {
    for (AttemptAdFacts const& attempt : job.attempts) add(attempt.site, attempt.host);
    add(job.facts.last.site, job.facts.last_remote_host);
    names_.insert(job.facts.sites.begin(), job.facts.sites.end());
  }
}

void AdSites::add(std::string const& site, std::string const& host) {
  if (site.empty()) return;
  names_.insert(site);
  std::string const startd = startd_of(host);
  if (!startd.empty()) by_startd_.try_emplace(startd, site);
}

std::string AdSites::of(AttemptAdFacts const& attempt) const {
  if (!attempt.site.empty()) return attempt.site;
  auto const found = by_startd_.find(startd_of(attempt.host));
  return found == by_startd_.end() ? std::string() : found->second;
}

std::uint32_t AdSlots::operator()(std::string const& remote_host) {
  std::string const slot = slot_of(remote_host);
  if (slot.empty()) return 0;
  if (slots_.empty()) slots_.emplace_back("unknown");
  return names_(slot);
}

}  // namespace gridcast::condor

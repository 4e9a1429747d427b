// Checks of the requests of a campaign: each has a site that can meet it.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/scenario/tables.hpp"

namespace gridcast::scenario {
namespace {

void check_sites(YamlDocument& document, Request const& request, Pool const& pool,
                 std::string const& path) {
  auto const wanted = sites_named(request);
  auto const there = names_of(pool.sites);
  for (std::string const& name : wanted) {
    bool const known = std::any_of(
        pool.sites.begin(), pool.sites.end(),
        [&name](SiteSpec const& site) { return name == site.name || name == resource_name(site); });
    if (known || wanted.size() == 1) continue;
    document.add(document.at(path + ".site"),
                 fmt::format("{}.site: the pool has no site '{}'", path, name), "",
                 suggestion(name, there));
  }
}

/// At least one site has to be able to run the jobs; for each that cannot, why.
void check_request(YamlDocument& document, Request const& request, Pool const& pool,
                   std::string const& path) {
  if (request.nodes > std::max(1, request.gpus)) {
    return document.complain(path + ".nodes",
                             fmt::format("{} nodes for {} GPUs", request.nodes, request.gpus),
                             "a node without a GPU has nothing to do");
  }
  check_sites(document, request, pool, path);
  if (pool.sites.empty() || !matching_sites(pool, request).empty()) return;
  std::string reasons;
  for (SiteSpec const& site : pool.sites) {
    reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", site.name,
                           why_no_match(site, request));
  }
  std::string const near = closest(request.site, names_of(pool.sites));
  bool const misspelt = !near.empty() && near != request.site;
  document.add(
      document.at(misspelt ? path + ".site" : path),
      path + ": no site of the pool can ever run these jobs", reasons,
      misspelt ? fmt::format("Did you mean '{}'?", near) : "Request less, or name another pool.");
}

void check_use(YamlDocument& document, Campaign const& campaign, NamedRequest const& request) {
  bool const used =
      std::any_of(campaign.submit.begin(), campaign.submit.end(),
                  [&](Submission const& each) { return each.request == request.name; });
  if (used) return;
  document.complain("campaign.requests." + request.name, "no submission has this request", "",
                    "Name it in the 'request' of a submission, or remove it.");
}

}  // namespace

void check_requests(YamlDocument& document, Scenario const& scenario) {
  Campaign const& campaign = scenario.campaign;
  bool const has_own = std::any_of(campaign.submit.begin(), campaign.submit.end(),
                                   [](Submission const& each) { return each.request.empty(); });
  if (has_own || campaign.submit.empty()) {
    check_request(document, campaign.request, scenario.pool, "campaign.request");
  }
  for (NamedRequest const& each : campaign.requests) {
    check_request(document, each, scenario.pool, "campaign.requests." + each.name);
    check_use(document, campaign, each);
  }
  if (campaign.work.catalogue && !campaign.requests.empty()) {
    document.complain("campaign.requests", "a workload of the catalogue has one request",
                      "its training is timed for one number of GPUs",
                      "Leave `requests` out, or name a calibrated workload.");
  }
}

}  // namespace gridcast::scenario

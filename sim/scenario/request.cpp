#include "sim/scenario/request.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/text.hpp"
#include "sim/history/recorded_jobs.hpp"
#include "sim/scenario/tables.hpp"

namespace gridcast::scenario {
namespace {

// Checks of the requests of a campaign: each has a site that can meet it.

// Slots that no site has, and needs of memory and disk that have no effect.

void check_slots(YamlDocument& document, Campaign const& campaign, Pool const& pool) {
  int most = 0;
  for (SiteSpec const& site : pool.sites) most = std::max({most, site.slots, site.gpus});
  for (std::size_t i = 0; i < campaign.submit.size(); ++i) {
    if (campaign.submit[i].slots <= most || most == 0) continue;
    document.complain(fmt::format("campaign.submit[{}].slots", i),
                      fmt::format("no site has {} slots", campaign.submit[i].slots),
                      fmt::format("the largest has {}", most));
  }
}

void check_needs(YamlDocument& document, Campaign const& campaign) {
  constexpr char why[] = "jobs end as recorded; with 'from: processes' it has one";
  if (campaign.work.from != JobSource::record) return;
  complain_of_no_effect(document, "campaign.work.memory", why);
  complain_of_no_effect(document, "campaign.work.disk", why);
}

/// The sites that a request names; none: any.
std::vector<std::string> sites_named(Request const& request) {
  std::vector<std::string> names;
  for (std::string const& name : split(request.site, ',')) {
    if (!trim(name).empty()) names.emplace_back(trim(name));
  }
  return names;
}

void check_sites(YamlDocument& document, Request const& request, Pool const& pool,
                 std::string const& path) {
  auto const wanted = sites_named(request);
  auto const there = names_of(pool.sites);
  for (std::string const& name : wanted) {
    bool const known = std::ranges::any_of(pool.sites, [&name](SiteSpec const& site) {
      return name == site.name || name == resource_name(site);
    });
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
  if (std::ranges::count(campaign.submit, request.name, &Submission::request) > 0) return;
  document.complain("campaign.requests." + request.name, "no submission has this request", "",
                    "Name it in the 'request' of a submission, or remove it.");
}

constexpr double most_nodes = 1e7;

Request& request_part(NamedRequest& named) { return named; }
Request const& request_part(NamedRequest const& named) { return named; }

/// Why a slot of the site has too few GPUs; empty if one has enough.
std::string too_few_gpus(SiteSpec const& site, Request const& request) {
  bool const own = site.gpus_per_slot > 0;  // a slot with more takes the job too
  int const offered = own ? site.gpus_per_slot : std::min(site.gpus, site.gpus_per_node);
  if (request.gpus_per_node() > offered) {
    return fmt::format("{} GPU a node of the {} wanted", offered, request.gpus_per_node());
  }
  if (own) return "";  // that number, for any request of a job
  if (request.nodes > 1 && !site.cluster) {
    return fmt::format("no cluster, a job gets one node of the {} wanted", request.nodes);
  }
  if (request.gpus <= site.gpus) return "";
  return fmt::format("{} GPUs of the {} wanted", site.gpus, request.gpus);
}

}  // namespace

void check_sizes_of_jobs(YamlDocument& document, Campaign const& campaign, Pool const& pool) {
  check_needs(document, campaign);
  check_slots(document, campaign, pool);
}

// Hosts that strategies avoid (match.avoid_hosts).

void check_avoided_hosts(YamlDocument& document, Scenario const& scenario) {
  for (Strategy const& strategy : scenario.strategies) {
    auto const& hosts = strategy.match.avoid_hosts;
    if (hosts.empty()) continue;
    std::string const key = fmt::format("strategies.{}.match.avoid_hosts", strategy.name);
    if (!scenario.calibration.recorded) {
      document.add(
          document.at(key), key + ": no host has a name here",
          "only campaigns that repeat recorded jobs have hosts (campaign.work.from: record)",
          "Use avoid_site, or a calibration of the record of these jobs.");
      continue;
    }
    auto const& jobs = scenario.calibration.recorded->jobs;
    for (std::string const& host : hosts) {
      if (is_one_of(host, jobs.hosts)) continue;
      document.add(document.at(key), fmt::format("{}: no host '{}' in the record", key, host), "",
                   suggestion(host, jobs.hosts));
    }
    if (!has_other_hosts(jobs, hosts)) {
      document.add(document.at(key), key + ": no host is left",
                   "all recorded attempts are on these hosts", "Avoid fewer hosts.");
    }
  }
}

void check_requests(YamlDocument& document, Scenario const& scenario) {
  Campaign const& campaign = scenario.campaign;
  bool const has_own = std::ranges::any_of(
      campaign.submit, [](Submission const& each) { return each.request.empty(); });
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

Table<Request> const& request_table() {
  static Table<Request> const table =
      Table<Request>("A job's requests; sites that offer less are never matched")
          .optional("gpus", &Request::gpus, "request_gpus; 0: slots without GPUs do")
          .labelled("GPUs of a job")
          .optional("disk", &Request::disk, "request_disk")
          .labelled("Disk that a job requests")
          .optional("gpu_memory", &Request::gpu_memory, "gpus_minimum_memory")
          .labelled("GPU memory that a job requests")
          .optional("gpu_capability", &Request::gpu_capability, "gpus_minimum_capability")
          .labelled("Least CUDA capability of the GPU")
          .optional("gpu", &Request::gpu, "Only this device; any without it")
          .optional("site", &Request::site,
                    "Only this site, or these with commas between; any without it")
          .optional("nodes", &Request::nodes,
                    "Nodes that share the GPUs evenly; more than one only at a site with `cluster`",
                    between(1, most_nodes))
          .labelled("Nodes that share the GPUs")
          .optional("memory", &Request::memory, "request_memory; zero: any slot has enough")
          .labelled("Memory that a job requests")
          .optional("concurrency_limits", &Request::concurrency_limits,
                    "Limits of the pool's negotiator that each job counts towards, as NAME or "
                    "NAME:NUMBER with commas between");
  return table;
}

Table<NamedRequest> const& named_request_table() {
  static Table<NamedRequest> const table =
      Table<NamedRequest>("Other requests of some submissions, by name; each in place of `request`")
          .include(
              [](auto& named) -> auto& { return request_part(named); }, request_table())
          .optional("requirements", &NamedRequest::requirements,
                    "Only slots for which this holds, in place of the strategy's")
          .labelled("Only slots where");
  return table;
}

JobRequests::JobRequests(Campaign const& campaign)
    : campaign_(campaign), requests_(requests_of(campaign)) {
  std::map<std::string, Id<JobClass>> by_name;
  for (std::size_t i = 0; i < campaign.requests.size(); ++i) {
    by_name.emplace(campaign.requests[i].name, Id<JobClass>(i + 1));
  }
  for (Request const* const request : requests_) {
    auto const place = std::ranges::find(gpu_numbers_, request->gpus);
    gpu_number_.push_back(static_cast<std::size_t>(place - gpu_numbers_.begin()));
    if (place == gpu_numbers_.end()) gpu_numbers_.push_back(request->gpus);
  }
  std::size_t first = 0;
  for (Submission const& submission : campaign.submit) {
    auto const found = by_name.find(submission.request);
    Id<JobClass> const of = found == by_name.end() ? Id<JobClass>(0) : found->second;
    if (from_.empty() || from_.back().second != of) from_.emplace_back(first, of);
    first += static_cast<std::size_t>(submission.jobs);
  }
}

classad::Expression const* JobRequests::requirements(Id<JobClass> of) const {
  if (of.index() == 0) return nullptr;
  auto const& own = campaign_.requests[of.index() - 1].requirements;
  return own ? &*own : nullptr;
}

Id<JobClass> JobRequests::of_several(std::size_t job) const {
  auto const after = std::upper_bound(from_.begin(), from_.end(), job,
                                      [](std::size_t j, auto const& run) { return j < run.first; });
  return std::prev(after)->second;
}

std::vector<Request const*> requests_of(Campaign const& campaign) {
  std::vector<Request const*> all = {&campaign.request};
  for (NamedRequest const& each : campaign.requests) all.push_back(&each);
  return all;
}

bool without_gpus(Campaign const& campaign) {
  auto const all = requests_of(campaign);
  return std::ranges::all_of(all, [](auto const* each) { return each->gpus == 0; });
}

std::string why_no_match(SiteSpec const& site, Request const& request) {
  std::string text;
  auto const add = [&text](std::string const& reason) {
    text += (text.empty() ? "" : ", ") + reason;
  };
  auto const named = sites_named(request);
  bool const wanted = std::ranges::any_of(named, [&site](std::string const& name) {
    return name == site.name || name == resource_name(site);
  });
  if (!named.empty() && !wanted) add(fmt::format("not the site {}", fmt::join(named, " or ")));
  if (!request.gpu.empty() && request.gpu != site.gpu) {
    add(fmt::format("GPU {} instead of {}", site.gpu, request.gpu));
  }
  if (auto const too_few = too_few_gpus(site, request); !too_few.empty()) add(too_few);
  // Only pools of slots, as a record shows them, may leave these out: then nobody knows.
  bool const known = site.slots == 0;
  if (request.gpu_capability > site.gpu_capability && (known || site.gpu_capability > 0)) {
    add(fmt::format("GPU capability {} of the {} wanted", site.gpu_capability,
                    request.gpu_capability));
  }
  if (request.gpu_memory > site.gpu_memory && (known || site.gpu_memory > Bytes())) {
    add(fmt::format("GPU memory {} of the {} wanted", to_text(site.gpu_memory),
                    to_text(request.gpu_memory)));
  }
  if (request.disk > site.disk && (known || site.disk > Bytes())) {
    add(fmt::format("disk {} of the {} wanted", to_text(site.disk), to_text(request.disk)));
  }
  Bytes const memory = memory_of_slot(site, request.gpus_per_node());
  if (request.memory > memory && memory > Bytes()) {
    add(fmt::format("memory {} of the {} wanted", to_text(memory), to_text(request.memory)));
  }
  return text;
}

std::string why_no_match(SiteSpec const& site, Campaign const& campaign) {
  for (NamedRequest const& each : campaign.requests) {
    if (why_no_match(site, each).empty()) return "";
  }
  return why_no_match(site, campaign.request);
}

int slots_of_gpus(SiteSpec const& site, Request const& request, int gpus) {
  bool const own = site.gpus_per_slot > 0;
  int const on_node = own ? site.gpus_per_slot : request.gpus_per_node();
  if (on_node <= 1) return gpus;
  int const of_node = own ? std::max(site.gpus_per_node, on_node) : site.gpus_per_node;
  int const parts = gpus / of_node * (of_node / on_node) + gpus % of_node / on_node;
  return own ? parts : parts / request.nodes;
}

namespace {

template <class Wanted>
std::vector<Id<PoolSite>> matching(Pool const& pool, Wanted const& wanted) {
  std::vector<Id<PoolSite>> sites;
  for (std::size_t i = 0; i < pool.sites.size(); ++i) {
    if (why_no_match(pool.sites[i], wanted).empty()) sites.emplace_back(i);
  }
  return sites;
}

}  // namespace

std::vector<Id<PoolSite>> matching_sites(Pool const& pool, Request const& request) {
  return matching(pool, request);
}

std::vector<Id<PoolSite>> matching_sites(Pool const& pool, Campaign const& campaign) {
  return matching(pool, campaign);
}

}  // namespace gridcast::scenario

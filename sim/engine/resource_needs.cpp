#include "sim/engine/resource_needs.hpp"

#include <algorithm>
#include <cmath>

namespace gridcast::engine {
namespace {

using history::Resource;

constexpr std::uint32_t need_draw = 0x30000, moment_draw = 0x40000;  // apart from other stops
constexpr Seconds first_steps = minutes(10);

/// RequestMemory is in MB, RequestDisk in KB.
Bytes unit_of(Resource resource) { return Bytes(resource == Resource::memory ? 1048576 : 1024); }

std::size_t place(Resource resource) { return resource == Resource::memory ? 0 : 1; }

constexpr Resource sized[] = {Resource::memory, Resource::disk};

Bytes request_of(JobFacts const& facts, JobAd const& ad, Resource resource) {
  Bytes const own = ad.requested[place(resource)];
  if (own > Bytes()) return own;
  return resource == Resource::memory ? facts.request.memory : facts.request.disk;
}

}  // namespace

bool requests_vary(scenario::JobPolicy const& policy) {
  return policy.request_memory || policy.request_disk || policy.retry_request_memory ||
         policy.retry_request_disk;
}

// A retry sets the attribute, whatever its expression was.
void update_requests(JobFacts const& facts, JobAd& ad, JobScope const& my) {
  for (Resource const resource : sized) {
    auto const& rule =
        resource == Resource::memory ? facts.policy.request_memory : facts.policy.request_disk;
    if (!rule || ad.request_retries[place(resource)] > 0) continue;
    double const amount = classad::evaluate(*rule, {my, nullptr, my.unix_now()}).number();
    ad.requested[place(resource)] = std::max(0.0, amount) * unit_of(resource);
  }
}

bool offers_enough(JobFacts const& facts, JobAd const& ad, scenario::SiteSpec const& site) {
  Bytes const memory = scenario::memory_of_slot(site, facts.request.gpus_per_node());
  bool const enough = memory == Bytes() || request_of(facts, ad, Resource::memory) <= memory;
  return enough && (site.disk == Bytes() || request_of(facts, ad, Resource::disk) <= site.disk);
}

bool raise_request(JobFacts const& facts, JobAd& ad, Resource resource, JobScope const& my) {
  auto const& rule = resource == Resource::memory ? facts.policy.retry_request_memory
                                                  : facts.policy.retry_request_disk;
  if (!rule) return false;
  classad::Value value = classad::evaluate(*rule, {my, nullptr, my.unix_now()});
  int& retries = ad.request_retries[place(resource)];
  if (classad::List const* const list = value.as_list()) {
    if (list->empty()) return false;
    auto const next = std::min(static_cast<std::size_t>(retries), list->size() - 1);
    value = classad::Value((*list)[next]);
  }
  Bytes const amount = value.number() * unit_of(resource);
  if (amount <= request_of(facts, ad, resource)) return false;
  ++retries;
  ad.requested[place(resource)] = amount;
  return true;
}

int subcode_of(Resource resource) { return resource == Resource::memory ? 102 : 104; }

ResourceNeeds::ResourceNeeds(ReplicaInput const& in)
    : work_(in.campaign.work),
      first_jobs_(scenario::first_jobs(in.campaign)),
      streams_(in.streams),
      known_(!in.record && (!work_.memory.empty() || !work_.disk.empty())) {}

Bytes ResourceNeeds::need(Id<history::Job> job, Resource resource) const {
  auto const& quantiles = resource == Resource::memory ? work_.memory : work_.disk;
  if (quantiles.empty()) return {};
  auto const number = need_draw | static_cast<std::uint32_t>(place(resource));
  auto const first = static_cast<std::uint32_t>(job.index() % first_jobs_);  // of a copy, its job
  double const u = streams_.stream(Purpose::stop, first, number).uniform();
  double const at = u * static_cast<double>(quantiles.size() - 1);
  auto const below = static_cast<std::size_t>(at);
  auto const above = std::min(below + 1, quantiles.size() - 1);
  return quantiles[below] + (quantiles[above] - quantiles[below]) * (at - std::floor(at));
}

// Jobs get as much as they need of a resource that they do not request.
std::optional<Resource> ResourceNeeds::exceeded(Id<history::Job> job, JobFacts const& facts,
                                                JobAd& ad) const {
  std::optional<Resource> over;
  for (Resource const resource : sized) {
    Bytes const request = request_of(facts, ad, resource), needs = need(job, resource);
    bool const more = request > Bytes() && needs > request;
    ad.used[place(resource)] = more ? request : needs;
    if (more && !over) over = resource;
  }
  return over;
}

Seconds ResourceNeeds::stopped_after(Id<history::Job> job, std::optional<Seconds> execution) const {
  double const u = streams_.stream(Purpose::stop, job.number(), moment_draw).uniform();
  return execution.value_or(first_steps) * u;
}

}  // namespace gridcast::engine

// The activity of caches and links, in the names of the pool.
#include "sim/engine/transfer/input_transfer.hpp"

namespace gridcast::engine {

void InputTransfer::trace_to(ResourceTrace& trace) {
  trace_ = &trace;
  bad_periods_.remember();
  for (std::size_t i = 0; i < caches_.size(); ++i) {
    std::string const& name = in_.pool.caches[i].name;
    caches_[i].on_filled([this, &name](Seconds start, Bytes size) {
      trace_->transfers.push_back({name, "", start, clock_.now(), size, true});
    });
  }
}

void InputTransfer::finish_trace() const {
  if (!trace_) return;
  for (std::size_t i = 0; i < caches_.size(); ++i) {
    trace_->caches.push_back(
        {in_.pool.caches[i].name, caches_[i].hits(), caches_[i].misses(), caches_[i].fetched()});
  }
  for (auto const& period : bad_periods_.remembered()) {
    trace_->bad.push_back({name_of(period.entity), period.start, period.end});
  }
}

std::string InputTransfer::name_of(OutageEntity const& entity) const {
  auto const site_at = [this](std::uint32_t thing, std::uint32_t SiteSlots::*first) {
    std::size_t site = 0;
    while (site + 1 < pool_network_.sites.size() && pool_network_.sites[site + 1].*first <= thing)
      ++site;
    return in_.pool.sites[site].name;
  };
  switch (in_.draw.outages.scope) {
    case scenario::OutageScope::cache:
      return entity.thing < caches_.size()
                 ? in_.pool.caches[entity.thing].name
                 : "the cache of " +
                       in_.pool.sites[(entity.thing - caches_.size()) % in_.pool.sites.size()].name;
    case scenario::OutageScope::path:
      return "a slot's path at " + site_at(entity.thing, &SiteSlots::first_slot);
    case scenario::OutageScope::node:
      return "a node at " + site_at(entity.thing, &SiteSlots::first_node);
    case scenario::OutageScope::uplink:
      return "the uplink of " + in_.pool.sites[entity.thing].name;
    case scenario::OutageScope::origin:
    case scenario::OutageScope::none:
      break;
  }
  return "origin";
}

std::string InputTransfer::source(Run const& run, Id<scenario::Cache> cache) const {
  if (cache.valid()) return in_.pool.caches[cache.index()].name;
  switch (in_.strategy.transfer.protocol) {
    case scenario::Protocol::http:
      return "origin";
    case scenario::Protocol::htcondor:
      return "access point";
    case scenario::Protocol::osdf:
      break;
  }
  return "the cache of " + in_.pool.sites[run.attempt.slot.site.index()].name;
}

}  // namespace gridcast::engine

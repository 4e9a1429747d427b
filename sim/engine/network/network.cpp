#include "sim/engine/network/network.hpp"

#include "sim/engine/network/maxmin_flows.hpp"

namespace gridcast::engine {

void Transfer::await_suspend(std::coroutine_handle<> waiter) {
  waiter_ = waiter;
  if (interrupt_) interrupt_->begin(*this);
  if (network_.maxmin_) {
    maxmin_flow_ = network_.maxmin_->start(route_, work_, *this);
  } else {
    link_ = &network_.tightest(route_);
    flow_ = link_->start(work_, *this, limit_);
  }
}

void Transfer::cancel() {
  left_ = link_ ? link_->stop(flow_) : network_.maxmin_->stop(maxmin_flow_);
}

void Transfer::flow_ended() {
  if (interrupt_) interrupt_->end();
  waiter_.resume();
}

Network::Network(Clock& clock, std::vector<LinkSpec> const& links, std::vector<Route> const& routes,
                 bool maxmin) {
  if (maxmin) {
    maxmin_ = std::make_unique<MaxminFlows>(links, routes);
    return;
  }
  for (LinkSpec const& link : links) {
    fast_.push_back(std::make_unique<SharedLink>(clock, link.capacity, link.stream_limit));
  }
}

Network::~Network() = default;

std::uint64_t Network::link_timers() const {
  std::uint64_t timers = 0;
  for (auto const& link : fast_) timers += link->timers();
  return timers;
}

SharedLink& Network::tightest(Route route) const {
  SharedLink& first = *fast_[route.first.index()];
  if (!route.second.valid()) return first;
  SharedLink& second = *fast_[route.second.index()];
  return first.next_rate() < second.next_rate() ? first : second;
}

namespace {
constexpr std::size_t origin_link = 0;
constexpr std::size_t access_point_link = 1;
constexpr std::size_t first_site_link = 2;

Route route_to_slot(std::size_t site, scenario::Protocol protocol) {
  Id<Link> const site_link(first_site_link + site);
  switch (protocol) {
    case scenario::Protocol::http:
      return {Id<Link>(origin_link), site_link};
    case scenario::Protocol::htcondor:
      return {Id<Link>(access_point_link), site_link};
    case scenario::Protocol::osdf:
      break;
  }
  return {site_link, {}};
}
}  // namespace

Platform make_platform(ReplicaInput const& in, NetworkModel model) {
  scenario::Pool const& pool = in.pool;
  Platform platform;
  platform.links.push_back({pool.origin.bandwidth, pool.origin.stream_limit});
  platform.links.push_back({pool.access_point.bandwidth, pool.access_point.bandwidth});
  platform.origin_to_cache = {Id<Link>(origin_link), {}};
  platform.routes.push_back(platform.origin_to_cache);
  bool coupled = false;
  for (std::size_t i = 0; i < pool.sites.size(); ++i) {
    scenario::SiteParameters const& site = in.draw.sites.at(pool.sites[i].name);
    platform.links.push_back({site.link_capacity, site.stream_limit});
    Route const route = route_to_slot(i, in.strategy.transfer.protocol);
    platform.to_slot.push_back(route);
    platform.routes.push_back(route);
    coupled = coupled || route.second.valid();
  }
  platform.maxmin = model == NetworkModel::maxmin || (model == NetworkModel::automatic && coupled);
  return platform;
}

}  // namespace gridcast::engine

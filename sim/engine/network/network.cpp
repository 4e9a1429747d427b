#include "sim/engine/network/network.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/engine/network/maxmin_flows.hpp"

namespace gridcast::engine {

namespace {
// Ends this close together (bytes) are one event: far below what a second of any link carries.
constexpr double same_end_bytes = 1e-3;
}  // namespace

Bytes SharedLink::Group::first_left() const {
  return Bytes(std::max(0.0, flows.begin()->at - virtual_bytes));
}

SharedLink::Group& SharedLink::group(BytesPerSecond limit) {
  auto const place =
      std::lower_bound(groups_.begin(), groups_.end(), limit,
                       [](Group const& g, BytesPerSecond wanted) { return g.limit < wanted; });
  if (place != groups_.end() && place->limit == limit) return *place;
  return *groups_.insert(place, Group{limit, {}, 0, {}});
}

SharedLink::Flow SharedLink::start(Bytes work, FlowEnd& end, BytesPerSecond limit) {
  advance();
  Group& own = group(limit > BytesPerSecond() ? limit : stream_limit_);
  Flow const flow{own.limit, {own.virtual_bytes + work.value(), ++started_, &end}};
  own.flows.insert(flow.end);
  reschedule();
  return flow;
}

Bytes SharedLink::stop(Flow const& flow) {
  advance();
  Group& own = group(flow.limit);
  own.flows.erase(flow.end);
  Bytes const left(std::max(0.0, flow.end.at - own.virtual_bytes));
  drop_empty_groups();
  reschedule();
  return left;
}

BytesPerSecond SharedLink::next_share() const {
  std::size_t flows = 1;
  for (Group const& group : groups_) flows += group.flows.size();
  return capacity_ / static_cast<double>(flows);
}

void SharedLink::drop_empty_groups() {
  std::erase_if(groups_, [](Group const& group) { return group.flows.empty(); });
}

// Those that want less than an equal share of what is left get what they want; the others share
// the rest.
void SharedLink::share() {
  std::size_t flows = 0;
  for (Group const& group : groups_) flows += group.flows.size();
  BytesPerSecond left = capacity_;
  for (Group& group : groups_) {
    auto const own = static_cast<double>(group.flows.size());
    group.rate = std::min(group.limit, left / static_cast<double>(flows));
    flows -= group.flows.size();
    left = left - group.rate * own;
  }
}

void SharedLink::advance() {
  Seconds const now = clock_.now();
  for (Group& group : groups_) group.virtual_bytes += (group.rate * (now - updated_)).value();
  updated_ = now;
}

void SharedLink::reschedule() {
  if (std::exchange(set_, false)) remove();
  if (groups_.empty()) return;
  share();
  Seconds soonest;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    Seconds const ends = groups_[i].first_left() / groups_[i].rate;
    if (i > 0 && ends >= soonest) continue;
    soonest = ends;
    next_ = i;
  }
  ++timers_;
  set_ = true;
  clock_.set(*this, clock_.now() + soonest, groups_[next_].flows.begin()->whom);
}

void SharedLink::fire() {
  set_ = false;
  advance();
  std::vector<FlowEnd*> ended = std::exchange(ended_, {});
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    Group& group = groups_[i];
    double due = group.virtual_bytes;
    // The first is due by construction, whatever rounding says.
    if (i == next_) due = std::max(due, group.flows.begin()->at);
    due += same_end_bytes;
    while (!group.flows.empty() && group.flows.begin()->at <= due) {
      ended.push_back(group.flows.begin()->whom);
      group.flows.erase(group.flows.begin());
    }
  }
  drop_empty_groups();
  reschedule();
  for (FlowEnd* end : ended) end->flow_ended();
  ended.clear();
  ended_ = std::move(ended);
}

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
    clock.follow_simgrid();
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
  SharedLink* tightest = fast_[route.first.index()].get();
  for (Id<Link> const link : {route.second, route.third}) {
    if (!link.valid()) continue;
    SharedLink& other = *fast_[link.index()];
    // Where a stream's limit is all that binds on both, the one that will bind first.
    auto const tightness = [](SharedLink const& of) {
      return std::pair(of.next_rate(), of.next_share());
    };
    if (tightness(other) <= tightness(*tightest)) tightest = &other;
  }
  return *tightest;
}

namespace {

constexpr std::size_t origin_link = 0;
constexpr std::size_t access_point_link = 1;

bool known(BytesPerSecond capacity) { return capacity < scenario::unlimited_rate; }

/// Of a pool that says nothing of its origin, none.
Route over(std::size_t link, LinkSpec const& spec) {
  return spec.capacity > BytesPerSecond() ? Route{Id<Link>(link), {}, {}} : Route{};
}

Route route_from_source(scenario::Protocol protocol, std::vector<LinkSpec> const& links) {
  switch (protocol) {
    case scenario::Protocol::http:
      return over(origin_link, links[origin_link]);
    case scenario::Protocol::htcondor:
      return over(access_point_link, links[access_point_link]);
    case scenario::Protocol::osdf:
      break;
  }
  return {};
}

/// Adds the links of a site to the platform, and its routes.
void add_site(Platform& platform, scenario::SiteSpec const& spec,
              scenario::SiteParameters const& site, Route route, std::uint32_t nodes) {
  auto const add = [&platform](BytesPerSecond capacity, BytesPerSecond stream_limit) {
    platform.links.push_back({capacity, stream_limit});
    return Id<Link>(platform.links.size() - 1);
  };
  constexpr BytesPerSecond wide(1e15);
  // What binds each stream at the site binds it on the way from the origin as well.
  bool const only_limits = !route.free() && known(site.stream_limit);
  BytesPerSecond const stated =
      spec.uplink > BytesPerSecond() ? spec.uplink : scenario::unlimited_rate;
  BytesPerSecond const capacity = site.link_capacity.value_or(stated);
  if (known(capacity) || only_limits) {
    route.add(add(std::min(capacity, wide), site.stream_limit));
  }
  auto& routes = platform.to_node.emplace_back();
  if (!known(site.node_capacity)) {
    routes.push_back(route);
    return;
  }
  for (std::uint32_t node = 0; node < std::max(nodes, 1U); ++node) {
    Route& to_node = routes.emplace_back(route);
    to_node.add(add(site.node_capacity, site.stream_limit));
  }
}

}  // namespace

std::vector<Route> Platform::routes() const {
  std::vector<Route> all = {origin_to_cache};
  for (auto const& nodes : to_node) all.insert(all.end(), nodes.begin(), nodes.end());
  return all;
}

Platform make_platform(ReplicaInput const& in, std::vector<std::uint32_t> const& slots,
                       NetworkModel model) {
  scenario::Pool const& pool = in.pool;
  Platform platform;
  platform.links.push_back({pool.origin.bandwidth, pool.origin.stream_limit});
  platform.links.push_back({pool.access_point.bandwidth, pool.access_point.bandwidth});
  platform.origin_to_cache = over(origin_link, platform.links[origin_link]);
  Route const from_source = route_from_source(in.strategy.transfer.protocol, platform.links);
  bool coupled = false;
  SiteSlots next;
  for (std::size_t i = 0; i < pool.sites.size(); ++i) {
    scenario::SiteParameters const& site = in.draw.sites.at(pool.sites[i].name);
    int const per_node =
        site.slots_per_node > 0 ? site.slots_per_node : pool.sites[i].slots_per_pilot;
    next.slots = slots[i];
    next.slots_per_node = static_cast<std::uint32_t>(std::max(per_node, 1));
    platform.sites.push_back(next);
    add_site(platform, pool.sites[i], site, from_source, next.nodes());
    coupled = coupled || platform.to_node.back().front().coupled();
    next.first_slot += next.slots;
    next.first_node += next.nodes();
  }
  platform.maxmin = model == NetworkModel::maxmin || (model == NetworkModel::automatic && coupled);
  return platform;
}

}  // namespace gridcast::engine

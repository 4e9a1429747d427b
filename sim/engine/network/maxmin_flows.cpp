#include "sim/engine/network/maxmin_flows.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <xbt/log.h>

#include "sim/base/error.hpp"

namespace gridcast::engine {

namespace sg4 = simgrid::s4u;

namespace {
constexpr double unlimited = 1e18;  // B/s

}  // namespace

// Asked where there is no engine, SimGrid would make one.
bool MaxminFlows::set_up() {
  return sg4::Engine::is_initialized() && sg4::Link::by_name_or_null("link0") != nullptr;
}

MaxminFlows::Links MaxminFlows::links_of(Route route) {
  Links links;
  for (Id<Link> const link : {route.first, route.second, route.third}) {
    if (link.valid()) links.insert(link.number());
  }
  return links;
}

MaxminFlows::MaxminFlows(std::vector<LinkSpec> const& links, std::vector<Route> const& routes) {
  auto* const zone = grid_zone();
  if (sg4::Engine::get_clock() > 0) throw NeedsNewProcess();
  check(!set_up(), "max-min flows are set up once a process");
  std::vector<sg4::Link*> shared, limits;
  for (std::size_t i = 0; i < links.size(); ++i) {
    std::string const n = std::to_string(i);
    auto* const link = zone->create_link("link" + n, links[i].capacity.value());
    shared.push_back(link->set_latency(0.0)->seal());
    auto* const limit =
        zone->create_link("limit" + n, std::min(links[i].stream_limit.value(), unlimited));
    limit->set_sharing_policy(sg4::Link::SharingPolicy::FATPIPE);
    limits.push_back(limit->set_latency(0.0)->seal());
  }
  for (Route const& route : routes) {
    Links const crossed = links_of(route);
    if (crossed.empty() || hosts_.contains(crossed)) continue;
    std::string name;
    std::vector<sg4::LinkInRoute> path;
    for (std::uint32_t const i : crossed) {
      name += "-" + std::to_string(i);
      path.emplace_back(shared[i]);
      path.emplace_back(limits[i]);
    }
    auto* from = zone->create_host("from" + name, 1e9)->seal();
    auto* to = zone->create_host("to" + name, 1e9)->seal();
    zone->add_route(from->get_netpoint(), to->get_netpoint(), nullptr, nullptr, path);
    hosts_[crossed] = {from, to};
  }
  alive_ = std::make_shared<MaxminFlows*>(this);
  // SimGrid 3 calls back with any activity, SimGrid 4 with communications alone.
  sg4::Comm::on_completion_cb([alive = std::weak_ptr(alive_)](auto const& activity) {
    if (auto const flows = alive.lock()) (*flows)->ended(activity);
  });
}

std::uint32_t MaxminFlows::start(Route route, Bytes work, FlowEnd& end) {
  auto const [from, to] = hosts_.at(links_of(route));
  auto comm = sg4::Comm::sendto_init();
  std::uint32_t const flow = next_++;
  by_activity_[comm.get()] = flow;
  running_[flow] = {comm, &end};
  comm->set_payload_size(static_cast<std::uint64_t>(std::llround(work.value())));
  comm->set_source(from);
  comm->set_destination(to);
  return flow;
}

Bytes MaxminFlows::stop(std::uint32_t flow) {
  auto const running = running_.extract(flow);
  auto const& comm = running.mapped().comm;
  by_activity_.erase(comm.get());
  retire(comm);
  Bytes const left(comm->get_remaining());
  comm->cancel();
  return left;
}

void MaxminFlows::ended(sg4::Activity const& activity) {
  auto const known = by_activity_.find(&activity);
  if (known == by_activity_.end()) return;  // cancelled
  auto const running = running_.extract(known->second);
  by_activity_.erase(known);
  retire(running.mapped().comm);
  running.mapped().end->flow_ended();
}

void MaxminFlows::retire(sg4::CommPtr comm) {
  double const now = sg4::Engine::get_clock();
  if (now > retired_at_) retired_.clear();
  retired_at_ = now;
  retired_.push_back(std::move(comm));
}

sg4::NetZone* grid_zone() {
  xbt_log_control_set("xbt_cfg.thresh:warning");  // or it reports each setting on stderr
  auto* const engine = sg4::Engine::get_instance();
  if (engine->host_by_name_or_null("access-point")) return engine->get_netzone_root();
  sg4::Engine::set_config("network/model:CM02");
  sg4::Engine::set_config("network/crosstraffic:no");
  // SimGrid 4 makes a root zone where it is first asked for, and takes no settings after it.
  auto* const root = engine->get_netzone_root();
  auto* const zone = root ? root : sg4::create_full_zone("grid");
  zone->create_host("access-point", 1e9)->seal();
  return zone;
}

}  // namespace gridcast::engine

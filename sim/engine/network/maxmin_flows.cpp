#include "sim/engine/network/maxmin_flows.hpp"

#include <cmath>
#include <utility>

#include "sim/engine/simgrid_engine.hpp"

namespace gridcast::engine {

namespace sg4 = simgrid::s4u;

namespace {

/// The flows of the replica that runs. SimGrid's signal has no way to disconnect: connected once,
/// it calls them as long as they exist.
std::weak_ptr<MaxminFlows*>& flows_of_replica() {
  static std::weak_ptr<MaxminFlows*> flows;
  return flows;
}

}  // namespace

MaxminFlows::MaxminFlows(Clock& clock, NetworkPlan const& plan)
    : clock_(clock),
      platform_(SimgridEngine::of_process().platform(plan.platform)),
      alive_(std::make_shared<MaxminFlows*>(this)) {
  platform_.lift_limits();
  for (LinkSpec const& link : plan.links) {
    platform_.set_link(link.place, link.capacity, link.stream_limit);
  }
  flows_of_replica() = alive_;
  // SimGrid 3 calls back with any activity, SimGrid 4 with communications alone.
  [[maybe_unused]] static bool const connected = [] {
    sg4::Comm::on_completion_cb([](auto const& activity) {
      if (auto const flows = flows_of_replica().lock()) (*flows)->ended(activity);
    });
    return true;
  }();
}

std::uint32_t MaxminFlows::start(Route const& route, Bytes work, FlowEnd& end) {
  auto comm = sg4::Comm::sendto_init();
  std::uint32_t const flow = next_++;
  by_activity_[comm.get()] = flow;
  running_[flow] = {comm, &end};
  clock_.flow_started();
  comm->set_payload_size(static_cast<std::uint64_t>(std::llround(work.value())));
  comm->set_source(platform_.host(route.from));
  comm->set_destination(platform_.host(route.to));
  return flow;
}

Bytes MaxminFlows::stop(std::uint32_t flow) {
  auto const running = running_.extract(flow);
  auto const& comm = running.mapped().comm;
  by_activity_.erase(comm.get());
  clock_.flow_ended();
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
  clock_.flow_ended();
  retire(running.mapped().comm);
  running.mapped().end->flow_ended();
}

void MaxminFlows::retire(sg4::CommPtr comm) {
  double const now = sg4::Engine::get_clock();
  if (now > retired_at_) retired_.clear();
  retired_at_ = now;
  retired_.push_back(std::move(comm));
}

}  // namespace gridcast::engine

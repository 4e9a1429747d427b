#include "sim/engine/network/network.hpp"

#include <cmath>
#include <unordered_map>
#include <utility>

#include <simgrid/kernel/resource/Action.hpp>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/s4u.hpp>

#include "sim/base/error.hpp"
#include "sim/base/lists.hpp"
#include "sim/engine/simgrid_engine.hpp"

namespace gridcast::engine {

namespace sg4 = simgrid::s4u;

// Transfers as SimGrid communications between two hosts of the platform, over the links of their
// route.
//
// In SimGrid 3.32 (Debian 12) a Comm from sendto_init() starts once its source, destination and
// size are set; so the size comes first and the destination last. A Comm of no byte never starts.
// Such a Comm ignores Comm::set_rate(). So a stream limit is a link of its own (platform.hpp), and
// a flow's own limit bounds the action that SimGrid's network model runs for the Comm.
class MaxminFlows {
 public:
  /// Sets the bandwidths of the plan's links on the platform of this process.
  MaxminFlows(Clock& clock, NetworkPlan const& plan);

  using Flow = simgrid::s4u::Activity const*;

  /// `limit` zero: none of its own.
  Flow start(Route const& route, Bytes work, FlowEnd& end, BytesPerSecond limit);
  Bytes stop(Flow flow);  // bytes left

 private:
  struct Running {
    simgrid::s4u::CommPtr comm;
    FlowEnd* end;
  };

  void ended(simgrid::s4u::Activity const& activity);
  /// Keeps an ended Comm until time has passed: SimGrid still writes to it.
  void retire(simgrid::s4u::CommPtr comm);

  Clock& clock_;
  Platform& platform_;
  std::unordered_map<Flow, Running> running_;
  std::vector<simgrid::s4u::CommPtr> retired_;
  double retired_at_ = 0;
  std::shared_ptr<MaxminFlows*> alive_;  // for SimGrid's signal, which outlives this object
};

namespace {

// Ends this close together (bytes) are one event: far below a second's bytes of any link.
constexpr double same_end_bytes = 1e-3;

/// The flows of the replica that runs. SimGrid's signal has no way to disconnect: connected once,
/// it calls them as long as they exist.
std::weak_ptr<MaxminFlows*>& flows_of_replica() {
  static std::weak_ptr<MaxminFlows*> flows;
  return flows;
}

/// Bounds the rate of an activity that has just started: the last action of its model.
void bound_rate(sg4::Activity const& activity, BytesPerSecond limit) {
  bool bounded = false;
  for (auto* const model : sg4::Engine::get_instance()->get_all_models()) {
    auto& started = *model->get_started_action_set();
    if (started.empty() || started.back().get_activity() != activity.get_impl()) continue;
    started.back().set_bound(limit.value());
    bounded = true;
  }
  check(bounded, "SimGrid starts a communication at once");
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

MaxminFlows::Flow MaxminFlows::start(Route const& route, Bytes work, FlowEnd& end,
                                     BytesPerSecond limit) {
  auto comm = sg4::Comm::sendto_init();
  Flow const flow = comm.get();
  comm->set_payload_size(
      std::max(std::uint64_t{1}, static_cast<std::uint64_t>(std::llround(work.value()))));
  comm->set_source(platform_.host(route.from));
  comm->set_destination(platform_.host(route.to));
  if (limit > BytesPerSecond()) bound_rate(*flow, limit);
  running_[flow] = {std::move(comm), &end};
  clock_.flow_started();
  return flow;
}

Bytes MaxminFlows::stop(Flow flow) {
  auto const comm = running_.extract(flow).mapped().comm;
  clock_.flow_ended();
  retire(comm);
  Bytes const left(comm->get_remaining());
  comm->cancel();
  return left;
}

void MaxminFlows::ended(sg4::Activity const& activity) {
  auto running = running_.extract(&activity);
  if (running.empty()) return;  // cancelled
  clock_.flow_ended();
  retire(std::move(running.mapped().comm));
  running.mapped().end->flow_ended();
}

void MaxminFlows::retire(sg4::CommPtr comm) {
  double const now = sg4::Engine::get_clock();
  if (now > retired_at_) retired_.clear();
  retired_at_ = now;
  retired_.push_back(std::move(comm));
}
Bytes SharedLink::Group::first_left() const {
  return Bytes(std::max(0.0, flows.begin()->at - virtual_bytes));
}

SharedLink::Group& SharedLink::group(BytesPerSecond limit) {
  auto const place = std::ranges::lower_bound(groups_, limit, {}, &Group::limit);
  if (place != groups_.end() && place->limit == limit) return *place;
  return *groups_.insert(place, Group{limit, {}, 0, {}});
}

SharedLink::Flow SharedLink::start(Bytes work, FlowEnd& end, BytesPerSecond limit) {
  advance();
  Group& own = group(limit > BytesPerSecond() ? std::min(limit, stream_limit_) : stream_limit_);
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

// Flows that want less than an equal share of the rest get their limit; the others share the
// rest.
void SharedLink::share() {
  auto flows = sum_of<std::size_t>(groups_, [](Group const& group) { return group.flows.size(); });
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
    // The first is due by construction, even after rounding.
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
    maxmin_flow_ = network_.maxmin_->start(route_, work_, *this, limit_);
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

Network::Network(Clock& clock, NetworkPlan const& plan) {
  if (plan.maxmin) {
    maxmin_ = std::make_unique<MaxminFlows>(clock, plan);
    return;
  }
  for (LinkSpec const& link : plan.links) {
    fast_.push_back(std::make_unique<SharedLink>(clock, link.capacity, link.stream_limit));
  }
}

Network::~Network() = default;

std::uint64_t Network::link_timers() const {
  return sum_of<std::uint64_t>(fast_, [](auto const& link) { return link->timers(); });
}

SharedLink& Network::tightest(Route route) const {
  SharedLink* tightest = fast_[route.first.index()].get();
  for (Id<Link> const link : {route.second, route.third}) {
    if (!link.valid()) continue;
    SharedLink& other = *fast_[link.index()];
    // If only a stream's limit binds on both, the one that will bind first.
    auto const tightness = [](SharedLink const& of) {
      return std::pair(of.next_rate(), of.next_share());
    };
    if (tightness(other) <= tightness(*tightest)) tightest = &other;
  }
  return *tightest;
}

}  // namespace gridcast::engine

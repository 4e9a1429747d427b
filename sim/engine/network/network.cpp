#include "sim/engine/network/network.hpp"

#include <utility>

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
  std::uint64_t timers = 0;
  for (auto const& link : fast_) timers += link->timers();
  return timers;
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

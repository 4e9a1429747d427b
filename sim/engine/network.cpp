#include "sim/engine/network.hpp"

#include "sim/engine/maxmin_flows.hpp"

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

}  // namespace gridcast::engine

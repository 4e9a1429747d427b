#include "sim/engine/network.hpp"

#include "sim/base/error.hpp"
#include "sim/engine/maxmin_flows.hpp"

namespace gridcast {

void Transfer::await_suspend(std::coroutine_handle<> waiter) {
  waiter_ = waiter;
  if (interrupt_) interrupt_->begin(*this);
  if (network_.maxmin_) {
    maxmin_flow_ = network_.maxmin_->start(route_, work_, *this);
  } else {
    flow_ = network_.fast_[route_.first.index()]->start(work_, *this, limit_);
  }
}

void Transfer::cancel() {
  left_ = network_.maxmin_ ? network_.maxmin_->stop(maxmin_flow_)
                           : network_.fast_[route_.first.index()]->stop(flow_);
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
  for (Route const& route : routes) {
    check(!route.second.valid(), "a route over two shared links needs the max-min network");
  }
  for (LinkSpec const& link : links) {
    fast_.push_back(std::make_unique<SharedLink>(clock, link.capacity, link.stream_limit));
  }
}

Network::~Network() = default;

}  // namespace gridcast

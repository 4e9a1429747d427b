#include "sim/engine/shared_link.hpp"

#include <algorithm>
#include <vector>

namespace gridcast {

namespace {
// Ends this close together (bytes) are one event: far below what a second of any link carries.
constexpr double same_end_bytes = 1e-3;
}  // namespace

SharedLink::Flow SharedLink::start(Bytes work, FlowEnd& end) {
  advance();
  Flow const flow{virtual_bytes_ + work.value(), &end};
  flows_.insert(flow);
  reschedule();
  return flow;
}

Bytes SharedLink::stop(Flow const& flow) {
  advance();
  flows_.erase(flow);
  Bytes const left(std::max(0.0, flow.first - virtual_bytes_));
  reschedule();
  return left;
}

BytesPerSecond SharedLink::rate(std::size_t flows) const {
  return std::min(stream_limit_, capacity_ / static_cast<double>(flows));
}

void SharedLink::advance() {
  Seconds const now = clock_.now();
  if (!flows_.empty()) virtual_bytes_ += (rate(flows_.size()) * (now - updated_)).value();
  updated_ = now;
}

void SharedLink::reschedule() {
  if (timer_) timer_->remove();
  timer_ = nullptr;
  if (flows_.empty()) {
    virtual_bytes_ = 0;  // keeps the virtual clock's resolution over a long campaign
    return;
  }
  Bytes const left(std::max(0.0, flows_.begin()->first - virtual_bytes_));
  ++timers_;
  timer_ = clock_.at(clock_.now() + left / rate(flows_.size()), [this] { fire(); });
}

void SharedLink::fire() {
  timer_ = nullptr;
  advance();
  // The first is due by construction, whatever rounding says.
  double const due = std::max(virtual_bytes_, flows_.begin()->first) + same_end_bytes;
  std::vector<FlowEnd*> ended;
  while (!flows_.empty() && flows_.begin()->first <= due) {
    ended.push_back(flows_.begin()->second);
    flows_.erase(flows_.begin());
  }
  reschedule();
  for (FlowEnd* end : ended) end->flow_ended();
}

}  // namespace gridcast

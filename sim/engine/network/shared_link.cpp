#include "sim/engine/network/shared_link.hpp"

#include <algorithm>
#include <utility>

namespace gridcast::engine {

namespace {
// Ends this close together (bytes) are one event: far below a second's bytes of any link.
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

// Flows that want less than an equal share of the rest get their limit; the others share the
// rest.
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

}  // namespace gridcast::engine

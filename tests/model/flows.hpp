// Plain flows over a network, without a grid around it.
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "sim/engine/network/network.hpp"
#include "sim/engine/replica.hpp"
#include "tests/model/closed_form.hpp"

namespace gridcast::test {

struct Flow {
  double start = 0;
  engine::Route route;
  double work = 0;
  double interrupted = std::numeric_limits<double>::infinity();
  double limit = 0;  // of its own
};

inline engine::Route over(std::size_t link) { return {Id<engine::Link>(link), {}}; }
inline engine::Route over(std::size_t first, std::size_t second) {
  return {Id<engine::Link>(first), Id<engine::Link>(second)};
}
inline engine::LinkSpec link(double capacity, double stream_limit) {
  return {BytesPerSecond(capacity), BytesPerSecond(stream_limit)};
}

inline engine::Process run_all(engine::Clock& clock, engine::Network& network, Flow flow,
                               double& end, double& bytes) {
  engine::Interrupt interrupt;
  co_await clock.sleep_until(Seconds(flow.start));
  engine::Timer* timer = nullptr;
  if (flow.interrupted < std::numeric_limits<double>::infinity()) {
    timer = clock.at(Seconds(flow.interrupted), [&] {
      timer = nullptr;
      interrupt.raise();
    });
  }
  Bytes const sent = co_await network.transfer(flow.route, Bytes(flow.work), &interrupt,
                                               BytesPerSecond(flow.limit));
  if (timer) timer->remove();
  end = clock.now().value();
  bytes = sent.value();
}

/// A zone with one host for each link, and a last one whose host shares nothing: so a route over
/// one or two links has its ends.
inline engine::NetworkPlan plan_of(std::vector<engine::LinkSpec> links, bool maxmin) {
  engine::NetworkPlan plan{std::move(links), {}, maxmin};
  std::uint32_t zone = 0;
  for (engine::LinkSpec& link : plan.links) {
    link.place = {zone, engine::PlatformPlace::uplink};
    plan.platform.push_back({.name = "zone" + std::to_string(zone++)});
  }
  plan.platform.push_back({.name = "free"});
  return plan;
}

inline engine::Route with_ends(engine::Route route, std::size_t links) {
  auto const free = static_cast<std::uint32_t>(links);
  route.from = {route.first.number(), 0};
  route.to = {route.second.valid() ? route.second.number() : free, 0};
  return route;
}

struct Ends {
  std::vector<double> at, bytes;  // one of each flow
};

/// When each flow ended, and the bytes that it carried.
inline Ends flow_ends(std::vector<engine::LinkSpec> const& links, std::vector<Flow> const& flows,
                      bool maxmin) {
  std::size_t const n = flows.size();
  engine::Clock clock;
  engine::Network network(clock, plan_of(links, maxmin));
  Ends ends{std::vector<double>(n, -1), std::vector<double>(n, -1)};
  for (std::size_t i = 0; i < n; ++i) {
    Flow flow = flows[i];
    flow.route = with_ends(flow.route, links.size());
    run_all(clock, network, flow, ends.at[i], ends.bytes[i]);
  }
  clock.run();
  return ends;
}

}  // namespace gridcast::test

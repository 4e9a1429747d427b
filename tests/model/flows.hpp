// Plain flows over a network, without a grid around it.
#pragma once

#include <limits>
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
};

inline engine::Route over(std::size_t link) { return {Id<engine::Link>(link), {}}; }
inline engine::Route over(std::size_t first, std::size_t second) {
  return {Id<engine::Link>(first), Id<engine::Link>(second)};
}
inline engine::LinkSpec link(double capacity, double stream_limit) {
  return {BytesPerSecond(capacity), BytesPerSecond(stream_limit)};
}

inline engine::Process play(engine::Clock& clock, engine::Network& network, Flow const& flow,
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
  Bytes const sent = co_await network.transfer(flow.route, Bytes(flow.work), &interrupt);
  if (timer) timer->remove();
  end = clock.now().value();
  bytes = sent.value();
}

struct Ends {
  std::vector<double> at, bytes;  // one of each flow
};

/// When each flow ended and what it carried, in a process of its own.
inline Ends flow_ends(std::vector<engine::LinkSpec> const& links, std::vector<Flow> const& flows,
                      bool maxmin) {
  std::size_t const n = flows.size();
  auto const record = in_child([&] {
    std::vector<engine::Route> routes;
    for (Flow const& flow : flows) routes.push_back(flow.route);
    engine::Clock clock;
    engine::Network network(clock, links, routes, maxmin);
    std::vector<double> ends(2 * n, -1);
    for (std::size_t i = 0; i < n; ++i) play(clock, network, flows[i], ends[i], ends[n + i]);
    clock.run();
    return ends;
  });
  auto const middle = record.begin() + static_cast<std::ptrdiff_t>(n);
  return {{record.begin(), middle}, {middle, record.end()}};
}

}  // namespace gridcast::test

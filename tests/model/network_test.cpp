// Sharing of links: closed forms, and the fast path against SimGrid's max-min flows.
#include <algorithm>
#include <cmath>
#include <iostream>

#include "sim/base/random.hpp"
#include "tests/model/flows.hpp"

namespace gridcast::test {

namespace {

constexpr bool both_models[] = {false, true};

// 5 to 84 flows over one to eight links, half of the flows cut short; alone, all at once or
// between.
struct RandomLoad {
  std::vector<engine::LinkSpec> links;
  std::vector<Flow> flows;
};

enum class Paths { one_link, two_links };

RandomLoad random_load(std::uint32_t number, Paths paths) {
  RandomStream random = RandomStreams(1, 0).stream(Purpose::test, number);
  RandomLoad load;
  std::uint32_t const links = (paths == Paths::two_links ? 2 : 1) + random.below(7);
  for (std::uint32_t i = 0; i < links; ++i) {
    double const capacity = 1e8 + 9e8 * random.uniform();
    load.links.push_back(link(capacity, capacity * (0.05 + random.uniform())));
  }
  std::uint32_t const flows = 5 + random.below(80);
  double const spread = std::pow(10, 4 * random.uniform());
  for (std::uint32_t i = 0; i < flows; ++i) {
    std::uint32_t const first = random.below(links);
    Flow flow{.start = spread * random.uniform(), .route = over(first)};
    if (paths == Paths::two_links) {
      flow.route = over(first, (first + 1 + random.below(links - 1)) % links);
    }
    flow.work = 2e10 * random.uniform();
    double const cut = flow.start + 400 * random.uniform();
    if (random.chance(0.5)) flow.interrupted = cut;
    if (random.chance(0.3)) flow.limit = 1e8 * (0.05 + random.uniform());
    load.flows.push_back(flow);
  }
  return load;
}

}  // namespace

TEST_CASE("one flow takes size / min(limit, capacity)") {
  for (bool const maxmin : both_models) {
    CHECK(flow_ends({link(1e9, 1e8)}, {{.route = over(0), .work = 5e9}}, maxmin).at[0] == near(50));
    CHECK(flow_ends({link(1e8, 1e9)}, {{.route = over(0), .work = 5e9}}, maxmin).at[0] == near(50));
  }
}

// The first has the link alone until the second starts at s, then each has half; the second needs
// another s for the bytes that the first had sent alone.
TEST_CASE("two flows on one link, one after the other") {
  constexpr double c = 1e8, w = 5e9, s = 20;
  for (bool const maxmin : both_models) {
    auto const ends =
        flow_ends({link(c, c)}, {{.route = over(0), .work = w}, {s, over(0), w}}, maxmin);
    CHECK(ends.at[0] == near(s + 2 * (w - c * s) / c));
    CHECK(ends.at[1] == near(2 * w / c));
  }
}

TEST_CASE("n equal flows each get min(limit, capacity / n)") {
  constexpr double capacity = 1e9, limit = 1.2e8, work = 6e9;
  for (std::size_t const n : {1u, 5u, 8u, 9u, 40u}) {
    std::vector<Flow> const flows(n, {.route = over(0), .work = work});
    for (bool const maxmin : both_models) {
      auto const ends = flow_ends({link(capacity, limit)}, flows, maxmin);
      double const rate = std::min(limit, capacity / static_cast<double>(n));
      for (double const end : ends.at) CHECK(end == near(work / rate));
    }
  }
}

// The other flows share the rate of an interrupted one at once.
TEST_CASE("an interrupted flow has sent the bytes of its share") {
  for (bool const maxmin : both_models) {
    auto const ends = flow_ends(
        {link(1e8, 1e8)},
        {{.route = over(0), .work = 5e9}, {.route = over(0), .work = 5e9, .interrupted = 40}},
        maxmin);
    CHECK(ends.at[1] == near(40));
    CHECK(ends.bytes[1] == near(2e9));
    CHECK(ends.at[0] == near(40 + 3e9 / 1e8));
  }
}

// Max-min fairness over two links: the flow that crosses both gets the smaller of its two shares,
// the others what is left.
TEST_CASE("coupled bottlenecks are max-min fair") {
  std::vector<Flow> flows{{.route = over(0, 1), .work = 1e9},
                          {.route = over(0), .work = 1e10},
                          {.route = over(1), .work = 1e10},
                          {.route = over(1), .work = 1e10}};
  auto const ends = flow_ends({link(1e8, 1e8), link(1.2e8, 1.2e8)}, flows, true);
  // Link 1 gives each of its three 40 MB/s; the flow alone on link 0 beside it gets 60.
  double const first = 1e9 / 4e7;
  CHECK(ends.at[0] == near(first));
  CHECK(ends.at[1] == near(first + (1e10 - 6e7 * first) / 1e8));
  CHECK(ends.at[2] == near(first + (1e10 - 4e7 * first) / 6e7));
}

TEST_CASE("a flow has a limit of its own, and the others share the rest") {
  for (bool const maxmin : both_models) {
    std::vector<Flow> const flows{{.route = over(0), .work = 2e9, .limit = 2e7},
                                  {.route = over(0), .work = 8e9},
                                  {.start = 200, .route = over(0), .work = 1e9, .limit = 1e9}};
    auto const ends = flow_ends({link(1e8, 9e7)}, flows, maxmin);
    CHECK(ends.at[0] == near(100));
    CHECK(ends.at[1] == near(100));
    CHECK(ends.at[2] == near(200 + 1e9 / 9e7));  // the link's limit holds for it too
  }
}

TEST_CASE("the fast path ends flows when SimGrid's max-min does") {
  for (std::uint32_t number = 0; number < 100; ++number) {
    RandomLoad const load = random_load(number, Paths::one_link);
    auto const fast = flow_ends(load.links, load.flows, false);
    auto const oracle = flow_ends(load.links, load.flows, true);
    for (std::size_t i = 0; i < load.flows.size(); ++i) {
      INFO("load " << number << ", flow " << i);
      CHECK(fast.at[i] == near(oracle.at[i]));
      CHECK(fast.bytes[i] == Approx(oracle.bytes[i]).epsilon(1e-6).margin(1e3));
    }
  }
}

// docs/model.md states the error that this prints.
TEST_CASE("on two links the fast path is close to SimGrid's max-min") {
  std::vector<double> errors;
  double carried = 0, by_oracle = 0;
  for (std::uint32_t number = 0; number < 100; ++number) {
    RandomLoad const load = random_load(number, Paths::two_links);
    auto const fast = flow_ends(load.links, load.flows, false);
    auto const oracle = flow_ends(load.links, load.flows, true);
    for (std::size_t i = 0; i < load.flows.size(); ++i) {
      carried += fast.bytes[i];
      by_oracle += oracle.bytes[i];
      Flow const& flow = load.flows[i];
      if (oracle.at[i] >= flow.interrupted) continue;
      errors.push_back(std::abs((fast.at[i] - flow.start) / (oracle.at[i] - flow.start) - 1));
    }
  }
  std::sort(errors.begin(), errors.end());
  double const median = errors[errors.size() / 2], most = errors[errors.size() * 9 / 10];
  std::cout << "flows over two links, fast against max-min: duration off by " << 100 * median
            << " % in the median, " << 100 * most << " % in one of ten; "
            << 100 * (carried / by_oracle - 1) << " % more bytes before interruptions\n";
  CHECK(median < 0.1);
  CHECK(most < 0.5);
  CHECK(carried / by_oracle == Approx(1).epsilon(0.1));
}

}  // namespace gridcast::test

// Input transfers of whole campaigns against closed forms.
#include <algorithm>

#include "tests/engine/events.hpp"
#include "tests/engine/quiet_grid.hpp"
#include "tests/model/closed_form.hpp"

namespace gridcast::test {

namespace {

/// Seconds that each transfer took, in the order in which they ended.
std::vector<double> transfers(Grid const& grid,
                              engine::NetworkModel network = engine::NetworkModel::automatic) {
  return in_child([&] {
    std::vector<double> seconds;
    for (Seconds const time : transfer_times(grid.run(0, {.network = network}).history)) {
      seconds.push_back(time.value());
    }
    return seconds;
  });
}

}  // namespace

TEST_CASE("a single transfer takes size / min(stream limit, link capacity)") {
  for (engine::NetworkModel const network :
       {engine::NetworkModel::fast, engine::NetworkModel::maxmin}) {
    Grid grid = quiet_grid(1, 1);
    are_near(transfers(grid, network), {10});
    grid.site().link_capacity = BytesPerSecond(5e7);
    are_near(transfers(grid, network), {20});
    // The pool's uplink is the link of a site that no calibration gives a capacity.
    grid.pool.sites.front().uplink = BytesPerSecond(2.5e7);
    are_near(transfers(grid, network), {20});
    grid.site().link_capacity.reset();
    are_near(transfers(grid, network), {40});
  }
}

// The client's bytes arrive while the cache's own do, so the slower of the two flows decides.
TEST_CASE("the first transfer through a cache waits for the fill, later ones do not") {
  for (double const origin : {2e7, 4e7, 5e8}) {
    Grid grid = quiet_grid(1, 3);
    grid.pool.origin.stream_limit = BytesPerSecond(origin);
    double const fill = input_size.value() / origin;
    are_near(transfers(grid), {std::max(fill, 10.0), 10, 10});
  }
}

TEST_CASE("jobs that miss together wait for one fill") {
  Grid grid = quiet_grid(8, 8);
  grid.pool.origin.bandwidth = BytesPerSecond(1e7);
  grid.pool.origin.stream_limit = BytesPerSecond(1e7);
  are_near(transfers(grid), std::vector<double>(8, 100));
}

// A file that does not fit below the high watermark passes through and is not kept.
TEST_CASE("an input larger than the cache is fetched for each job") {
  Grid grid = quiet_grid(1, 3);
  grid.pool.origin.stream_limit = BytesPerSecond(2e7);
  grid.pool.caches[0].disk = Bytes(9e8);
  are_near(transfers(grid), std::vector<double>(3, 50));
}

// A job of 1,000 s asks for the file each 1,010 s or so. The cache forgets what is older than the
// bytes between its watermarks that have come since.
TEST_CASE("a cache that others use forgets a file for which they bring enough in between") {
  Grid grid = quiet_grid(1, 3);
  grid.pool.origin.stream_limit = BytesPerSecond(2e7);
  scenario::CacheSpec& cache = grid.pool.caches[0];
  cache.disk = Bytes(1e12);
  double const between = execution.value() + 20;
  cache.neighbours = BytesPerSecond(0.85 * 1e12 / between);  // below the low watermark: it is kept
  are_near(transfers(grid), {50, 10, 10});
  cache.neighbours = BytesPerSecond(1e12 / between);  // above the high one: it is gone
  are_near(transfers(grid), {50, 50, 50});
}

// Its own limit binds a stream from a cold cache, or its share of the link, or what any stream
// reaches.
TEST_CASE("a try at a cold cache takes size / min(cold limit, share of the link)") {
  for (engine::NetworkModel const network :
       {engine::NetworkModel::fast, engine::NetworkModel::maxmin}) {
    Grid grid = quiet_grid(2, 2);
    grid.site().cold_share = 1;
    grid.site().cold_limit = BytesPerSecond(4e7);
    are_near(transfers(grid, network), {25, 25});
    grid.site().link_capacity = BytesPerSecond(5e7);
    are_near(transfers(grid, network), {40, 40});
  }
  Grid grid = quiet_grid(1, 1);
  grid.site().cold_share = 1;
  grid.site().cold_limit = BytesPerSecond(1e12);
  are_near(transfers(grid), {10});
  grid.site().cold_limit = BytesPerSecond(4e7);
  grid.site().link_capacity = scenario::unlimited_rate;
  grid.site().node_capacity = scenario::unlimited_rate;
  are_near(transfers(grid), {25});  // nothing is shared: a timer
}

TEST_CASE("downloads that ask no cache meet no cold one") {
  Grid grid = quiet_grid(1, 1);
  grid.strategy.transfer.protocol = scenario::Protocol::http;
  grid.site().cold_share = 1;
  grid.site().cold_limit = BytesPerSecond(4e7);
  are_near(transfers(grid), {10});
}

// Both the origin's egress and the site's link are shared: max-min flows of SimGrid.
TEST_CASE("direct downloads share the origin") {
  Grid grid = quiet_grid(20, 20);
  grid.strategy.transfer.protocol = scenario::Protocol::http;
  grid.pool.origin = {"origin", BytesPerSecond(2e8), BytesPerSecond(1e8)};
  are_near(transfers(grid), std::vector<double>(20, 20e9 / 2e8));
}

TEST_CASE("direct downloads are held to the site's link where that is narrower") {
  Grid grid = quiet_grid(20, 20);
  grid.strategy.transfer.protocol = scenario::Protocol::http;
  grid.pool.origin = {"origin", BytesPerSecond(2e9), BytesPerSecond(1e8)};
  grid.site().link_capacity = BytesPerSecond(5e8);
  are_near(transfers(grid), std::vector<double>(20, 20e9 / 5e8));
}

TEST_CASE("a site's limit for each stream holds for direct downloads over any link") {
  Grid grid = quiet_grid(4, 4);
  grid.strategy.transfer.protocol = scenario::Protocol::http;
  grid.site().link_capacity = scenario::unlimited_rate;
  grid.site().stream_limit = BytesPerSecond(5e7);
  are_near(transfers(grid), std::vector<double>(4, 20));
}

// Two sites, one with a narrow link: its jobs get the link, the others what the origin has left.
TEST_CASE("direct downloads of two sites are max-min fair") {
  Grid grid = quiet_grid(10, 20);
  grid.strategy.transfer.protocol = scenario::Protocol::http;
  grid.pool.origin = {"origin", BytesPerSecond(1e9), BytesPerSecond(1e9)};
  grid.pool.sites.push_back(grid.pool.sites[0]);
  grid.pool.sites[1].name = "narrow";
  grid.draw.sites["narrow"] = grid.site();
  grid.draw.sites["narrow"].link_capacity = BytesPerSecond(2e8);
  auto const seconds = transfers(grid);
  REQUIRE(seconds.size() == 20);
  for (std::size_t i = 0; i < 10; ++i) CHECK(seconds[i] == near(1e9 / 8e7));
  for (std::size_t i = 10; i < 20; ++i) CHECK(seconds[i] == near(1e9 / 2e7));
}

// Three nodes of four slots behind one link: whichever is narrower for each transfer binds, and
// where that is the same one for all the fast network is exact as well.
TEST_CASE("transfers share their node's link and their site's") {
  for (engine::NetworkModel const network :
       {engine::NetworkModel::fast, engine::NetworkModel::maxmin}) {
    Grid grid = quiet_grid(12, 12);
    grid.site().slots_per_node = 4;
    grid.site().node_capacity = BytesPerSecond(1e8);
    grid.site().link_capacity = BytesPerSecond(1e9);
    are_near(transfers(grid, network), std::vector<double>(12, 40));
    grid.site().node_capacity = BytesPerSecond(1e9);
    grid.site().link_capacity = BytesPerSecond(2e8);
    are_near(transfers(grid, network), std::vector<double>(12, 60));
    grid.site().link_capacity = scenario::unlimited_rate;
    grid.site().node_capacity = BytesPerSecond(2e8);
    are_near(transfers(grid, network), std::vector<double>(12, 20));
  }
}

// A full node and one with a single job: max-min gives that one what the site's link has left.
TEST_CASE("a job that is alone on its node gets the rest of the site's link") {
  Grid grid = quiet_grid(5, 5);
  grid.site().slots_per_node = 4;
  grid.site().node_capacity = BytesPerSecond(8e7);
  grid.site().link_capacity = BytesPerSecond(1.3e8);
  // 20 MB/s each on the full node, 50 MB/s alone.
  are_near(transfers(grid), {20, 50, 50, 50, 50});
}

// Ten jobs held to their nodes, eight to their site's link, four to what the origin has left.
TEST_CASE("direct downloads are max-min fair over origin, site and node") {
  Grid grid = quiet_grid(10, 22);
  grid.strategy.transfer.protocol = scenario::Protocol::http;
  grid.pool.origin = {"origin", BytesPerSecond(1e9), BytesPerSecond(1e9)};
  grid.site().stream_limit = BytesPerSecond(1e9);
  grid.site().link_capacity = BytesPerSecond(1e9);
  for (auto const& [name, gpus] : {std::pair{"narrow", 8}, {"wide", 4}}) {
    grid.pool.sites.push_back(grid.pool.sites[0]);
    grid.pool.sites.back().name = name;
    grid.pool.sites.back().gpus = gpus;
    grid.draw.sites[name] = grid.site();
    grid.draw.sites[name].gpus = gpus;
  }
  grid.site().slots_per_node = 5;
  grid.site().node_capacity = BytesPerSecond(1e8);
  grid.draw.sites["narrow"].link_capacity = BytesPerSecond(4e8);
  grid.draw.sites["wide"].link_capacity = scenario::unlimited_rate;
  grid.draw.sites["wide"].stream_limit = scenario::unlimited_rate;
  std::vector<double> expected(4, 10);
  expected.insert(expected.end(), 8, 20);
  expected.insert(expected.end(), 10, 50);
  are_near(transfers(grid), expected);
}

// MAX_CONCURRENT_UPLOADS at a time; the others wait their turn with their slot claimed.
TEST_CASE("transfers through the access point take turns") {
  Grid grid = quiet_grid(10, 10);
  grid.strategy.transfer.protocol = scenario::Protocol::htcondor;
  grid.pool.access_point.max_transfer_input = Bytes(1e10);
  grid.pool.access_point.transfer_slots = 5;
  grid.pool.access_point.bandwidth = BytesPerSecond(1e8);
  auto seconds = transfers(grid);
  std::sort(seconds.begin(), seconds.end());
  REQUIRE(seconds.size() == 10);
  for (std::size_t i = 0; i < 5; ++i) CHECK(seconds[i] == near(5e9 / 1e8));
  for (std::size_t i = 5; i < 10; ++i) CHECK(seconds[i] == near(2 * 5e9 / 1e8));
}

TEST_CASE("input above the access point's limit is held at submit with code 32") {
  Grid grid = quiet_grid(10, 10);
  grid.strategy.transfer.protocol = scenario::Protocol::htcondor;
  grid.pool.access_point.max_transfer_input = Bytes(1e9 - 1);
  auto const counts = in_child([&] {
    history::JobHistory const history = grid.run().history;
    std::size_t const held =
        count(history, history::EventKind::held, history::Reason::input_too_large);
    return std::vector{static_cast<double>(held), static_cast<double>(history.events.size()),
                       history.events.back().at.value()};
  });
  CHECK(counts == std::vector{10.0, 20.0, 0.0});  // submitted and held, nothing else, at once
  CHECK(hold_code(history::Reason::input_too_large).code == 32);
}

}  // namespace gridcast::test

// Sites, links and bandwidths from SimGrid platform files. No replica runs in this process: SimGrid
// loads a file only where it has no platform yet.
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include "sim/base/error.hpp"
#include "sim/scenario/pool.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

constexpr char head[] = R"(<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">)";

scenario::PlatformFile loaded(std::string const& zones) {
  auto const file = std::filesystem::temp_directory_path() /
                    ("gridcast-platform-" + std::to_string(getpid()) + ".xml");
  std::ofstream(file) << head << zones << "</platform>\n";
  try {
    auto platform = scenario::load_platform(file);
    std::filesystem::remove(file);
    return platform;
  } catch (...) {
    std::filesystem::remove(file);
    throw;
  }
}

// Two clusters behind one backbone, without a property of ours: the hosts' own links differ.
constexpr char two_clusters[] = R"(
  <zone id="world" routing="Full">
    <cluster id="lyon" prefix="lyon-" suffix="" radical="0-9" speed="1Gf" core="4"
      bw="1GBps" lat="0s" bb_bw="5GBps" bb_lat="0s"/>
    <cluster id="nancy" prefix="nancy-" suffix="" radical="0-4" speed="1Gf" core="2"
      bw="3GBps" lat="0s"/>
    <link id="backbone" bandwidth="2GBps" latency="0s"/>
    <zoneRoute src="lyon" dst="nancy" gw_src="lyon-lyon_router" gw_dst="nancy-nancy_router">
      <link_ctn id="backbone"/>
    </zoneRoute>
  </zone>)";

// A site and an origin with an egress that limits streams to 100 MB/s; a cache; an access point.
constexpr char with_roles[] = R"(
  <zone id="grid" routing="Full">
    <zone id="data" routing="Full">
      <host id="store" speed="1Gf"><prop id="role" value="origin"/></host>
    </zone>
    <zone id="osdf" routing="Full">
      <host id="cache-1" speed="1Gf">
        <disk id="d" read_bw="1GBps" write_bw="1GBps"><prop id="size" value="5000B"/></disk>
        <prop id="role" value="cache"/>
      </host>
    </zone>
    <zone id="submit" routing="Full">
      <host id="ap" speed="1Gf"><prop id="role" value="access-point"/></host>
    </zone>
    <zone id="A" routing="Full">
      <prop id="slots" value="5"/>
      <host id="a0" speed="1Gf"><prop id="slots" value="3"/><prop id="gpus" value="6"/>
        <prop id="gpu" value="A100"/></host>
      <host id="a1" speed="1Gf"><prop id="slots" value="3"/><prop id="gpus" value="6"/>
        <prop id="gpu" value="A100"/></host>
      <router id="a"/>
      <link id="l0" bandwidth="400MBps" latency="0s"/>
      <link id="l1" bandwidth="400MBps" latency="0s"/>
      <route src="a" dst="a0"><link_ctn id="l0"/></route>
      <route src="a" dst="a1"><link_ctn id="l1"/></route>
    </zone>
    <zone id="B" routing="Full">
      <host id="b0" speed="1Gf" core="7"/>
    </zone>
    <link id="egress" bandwidth="2GBps" latency="0s"/>
    <link id="stream" bandwidth="100MBps" latency="0s" sharing_policy="FATPIPE"/>
    <link id="up" bandwidth="900MBps" latency="0s"/>
    <link id="b-up" bandwidth="300MBps" latency="0s"/>
    <link id="ap-link" bandwidth="700MBps" latency="0s"/>
    <zoneRoute src="data" dst="A" gw_src="store" gw_dst="a">
      <link_ctn id="egress"/><link_ctn id="stream"/><link_ctn id="up"/>
    </zoneRoute>
    <zoneRoute src="data" dst="B" gw_src="store" gw_dst="b0">
      <link_ctn id="egress"/><link_ctn id="stream"/><link_ctn id="b-up"/>
    </zoneRoute>
    <zoneRoute src="submit" dst="A" gw_src="ap" gw_dst="a">
      <link_ctn id="ap-link"/><link_ctn id="up"/>
    </zoneRoute>
    <zoneRoute src="submit" dst="B" gw_src="ap" gw_dst="b0">
      <link_ctn id="ap-link"/><link_ctn id="b-up"/>
    </zoneRoute>
  </zone>)";

}  // namespace

TEST_CASE("each zone with hosts is a site, a host's cores are its slots") {
  auto const platform = loaded(two_clusters);
  REQUIRE(platform.sites.size() == 2);
  auto const& lyon = platform.sites[platform.sites[0].name == "lyon" ? 0 : 1];
  auto const& nancy = platform.sites[platform.sites[0].name == "lyon" ? 1 : 0];
  CHECK(lyon.slots == 40);
  CHECK(lyon.slots_per_node == 4);
  CHECK(nancy.slots == 10);
  CHECK(lyon.node_link == BytesPerSecond(1e9));
  CHECK(nancy.node_link == BytesPerSecond(3e9));
  // From hosts of the other site, whose own links do not count: its backbone, and the one between.
  CHECK(nancy.uplink == BytesPerSecond(2e9));
  CHECK(lyon.uplink == BytesPerSecond(2e9));
  CHECK(platform.origin.empty());
  CHECK(platform.caches.empty());
}

TEST_CASE("origin, caches and access point of a platform have properties") {
  auto const platform = loaded(with_roles);
  REQUIRE(platform.sites.size() == 2);
  auto const& a = platform.sites[platform.sites[0].name == "A" ? 0 : 1];
  auto const& b = platform.sites[platform.sites[0].name == "A" ? 1 : 0];
  CHECK(a.slots == 5);
  CHECK(a.slots_per_node == 3);
  CHECK(a.gpus_per_slot == 2);
  CHECK(a.gpu == "A100");
  CHECK(a.uplink == BytesPerSecond(9e8));
  CHECK(a.node_link == BytesPerSecond(4e8));
  CHECK(b.slots == 7);
  CHECK(b.uplink == BytesPerSecond(3e8));
  CHECK(b.node_link == BytesPerSecond());
  CHECK(platform.origin == "store");
  CHECK(platform.egress == BytesPerSecond(2e9));
  CHECK(platform.egress_stream_limit == BytesPerSecond(1e8));
  REQUIRE(platform.caches.size() == 1);
  CHECK(platform.caches[0].name == "cache-1");
  CHECK(platform.caches[0].disk == Bytes(5000));
  CHECK(platform.access_point == BytesPerSecond(7e8));
}

TEST_CASE("a platform that SimGrid refuses, or one without a site, is one problem") {
  for (std::string const zones :
       {"<zone id=\"w\" routing=\"Nonsense\"/>", "<zone id=\"w\" routing=\"Full\"/>", "<zone"}) {
    INFO(zones);
    try {
      loaded(zones);
      FAIL("loaded");
    } catch (InputError const& error) {
      CHECK(error.problems().size() == 1);
    }
  }
}

}  // namespace gridcast::test

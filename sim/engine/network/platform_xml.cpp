#include "sim/engine/network/platform_xml.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "sim/engine/network/pool_network.hpp"
#include "sim/engine/site_slots.hpp"

namespace gridcast::engine {

namespace {

std::string escaped(std::string const& text) {
  std::string out;
  for (char const c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

class XmlPlatform {
 public:
  explicit XmlPlatform(PoolNetwork const& network) : network_(network) {
    for (LinkSpec const& link : network.plan.links) {
      specs_[{link.place.zone, link.place.host}] = &link;
    }
  }

  std::string text() {
    line("<?xml version='1.0'?>");
    line("<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">");
    line("<platform version=\"4.1\">");
    line("  <zone id=\"grid\" routing=\"Full\">");
    PlatformPlan const& zones = network_.plan.platform;
    for (std::uint32_t i = 0; i < zones.size(); ++i) add_zone(zones[i], i);
    for (std::uint32_t i = 0; i < zones.size(); ++i) add_uplink(zones[i], i);
    add_route(PoolNetwork::origin_zone, PoolNetwork::cache_zone);
    for (std::uint32_t i = PoolNetwork::first_site_zone; i < zones.size(); ++i) {
      for (auto const from :
           {PoolNetwork::origin_zone, PoolNetwork::access_point_zone, PoolNetwork::cache_zone}) {
        add_route(from, i);
      }
    }
    line("  </zone>");
    line("</platform>");
    return std::move(text_);
  }

 private:
  void line(std::string const& text) { text_ += text + '\n'; }

  /// Bytes per second; a link without a known capacity limits nothing.
  std::string bandwidth(BytesPerSecond rate) const {
    bool const limits = rate > BytesPerSecond() && rate.value() < Platform::unlimited;
    return fmt::format("{}Bps", limits ? rate.value() : Platform::unlimited);
  }
  BytesPerSecond capacity(std::uint32_t zone, std::uint32_t host) const {
    auto const found = specs_.find({zone, host});
    return found == specs_.end() ? BytesPerSecond() : found->second->capacity;
  }

  void property(char const* indent, char const* name, std::string const& value) {
    line(fmt::format("{}<prop id=\"{}\" value=\"{}\"/>", indent, name, escaped(value)));
  }

  void add_zone(ZonePlan const& zone, std::uint32_t number) {
    std::string const name = escaped(zone.name);
    // A full zone computes its routes when it is loaded, in a table of hosts times hosts.
    constexpr std::uint32_t most_in_table = 500;
    line(fmt::format("    <zone id=\"{}\" routing=\"{}\">", name,
                     zone.hosts > most_in_table ? "Dijkstra" : "Full"));
    if (number >= PoolNetwork::first_site_zone) {
      SiteSlots const& slots = network_.sites[number - PoolNetwork::first_site_zone];
      property("      ", "slots", std::to_string(slots.slots));
    }
    for (std::uint32_t i = 0; i < zone.hosts; ++i) add_host(zone, number, i);
    line(fmt::format("      <router id=\"{}.router\"/>", name));
    for (std::uint32_t i = 0; i < zone.hosts; ++i) {
      line(fmt::format("      <link id=\"{}.link\" bandwidth=\"{}\" latency=\"0s\"/>",
                       escaped(zone.host_name(i)), bandwidth(capacity(number, i))));
    }
    for (std::uint32_t i = 0; i < zone.hosts; ++i) {
      line(fmt::format(
          "      <route src=\"{0}.router\" dst=\"{1}\"><link_ctn id=\"{1}.link\"/></route>", name,
          escaped(zone.host_name(i))));
    }
    line("    </zone>");
  }

  void add_host(ZonePlan const& zone, std::uint32_t number, std::uint32_t i) {
    line(fmt::format("      <host id=\"{}\" speed=\"1Gf\" core=\"{}\">", escaped(zone.host_name(i)),
                     std::max(zone.gpus, 1U)));
    if (i < zone.disks.size()) {
      line(fmt::format("        <disk id=\"{}.disk\" read_bw=\"{}\" write_bw=\"{}\">",
                       escaped(zone.host_name(i)), bandwidth({}), bandwidth({})));
      property("          ", "size", fmt::format("{:.0f}B", zone.disks[i].value()));
      line("        </disk>");
    }
    static constexpr std::array roles = {"origin", "access-point", "cache"};
    if (number < roles.size()) {
      property("        ", "role", roles[number]);
    } else {
      property("        ", "slots", std::to_string(zone.slots));
      property("        ", "gpus", std::to_string(zone.gpus));
      if (!zone.gpu.empty()) property("        ", "gpu", zone.gpu);
    }
    line("      </host>");
  }

  void add_uplink(ZonePlan const& zone, std::uint32_t number) {
    if (!zone.uplink) return;
    auto const found = specs_.find({number, PlatformPlace::uplink});
    auto const limit = found == specs_.end() ? BytesPerSecond() : found->second->stream_limit;
    std::string const name = escaped(zone.name);
    line(fmt::format("    <link id=\"{}.uplink\" bandwidth=\"{}\" latency=\"0s\"/>", name,
                     bandwidth(capacity(number, PlatformPlace::uplink))));
    line(
        fmt::format("    <link id=\"{}.stream-limit\" bandwidth=\"{}\" latency=\"0s\" "
                    "sharing_policy=\"FATPIPE\"/>",
                    name, bandwidth(limit)));
  }

  void add_route(std::uint32_t from, std::uint32_t to) {
    PlatformPlan const& zones = network_.plan.platform;
    auto const name = [&](std::uint32_t zone) { return escaped(zones[zone].name); };
    line(
        fmt::format("    <zoneRoute src=\"{0}\" dst=\"{1}\" gw_src=\"{0}.router\" "
                    "gw_dst=\"{1}.router\">",
                    name(from), name(to)));
    for (std::uint32_t const zone : {from, to}) {
      if (!zones[zone].uplink) continue;
      line(fmt::format("      <link_ctn id=\"{}.uplink\"/>", name(zone)));
      line(fmt::format("      <link_ctn id=\"{}.stream-limit\"/>", name(zone)));
    }
    line("    </zoneRoute>");
  }

  PoolNetwork const& network_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, LinkSpec const*> specs_;
  std::string text_;
};

}  // namespace

std::string platform_xml(scenario::Pool const& pool, scenario::Campaign const& campaign,
                         scenario::Strategy const& strategy, scenario::ParameterDraw const& draw) {
  RandomStreams const streams(0, 0);  // no link depends on them
  ReplicaInput const in{pool, campaign, strategy, draw, streams};
  PoolNetwork const network =
      make_pool_network(in, slots_by_site(pool, campaign, draw), NetworkModel::maxmin);
  return XmlPlatform(network).text();
}

}  // namespace gridcast::engine

#include "sim/engine/network/platform_xml.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/engine/network/platform.hpp"
#include "sim/engine/network/platform_names.hpp"
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

/// Names of a zone's parts, as XML. Sites keep theirs, as SimGrid users look for them.
struct ZoneNames {
  std::string zone, router, uplink, stream_limit;
  std::vector<std::string> hosts, links;  // by host
};

std::vector<ZoneNames> names_of(PlatformPlan const& zones, std::string& root) {
  PlatformNames names;
  std::vector<ZoneNames> all(zones.size());
  auto const unique = [&](std::string const& name) { return escaped(names.unique(name)); };
  for (std::size_t i = zones.size(); i-- > 0;) all[i].zone = unique(zones[i].name);
  root = unique("grid");
  for (std::size_t i = 0; i < zones.size(); ++i) {
    std::string const& zone = zones[i].name;
    all[i].router = unique(zone + ".router");
    all[i].uplink = unique(zone + ".uplink");
    all[i].stream_limit = unique(zone + ".stream-limit");
    for (std::uint32_t host = 0; host < zones[i].hosts; ++host) {
      all[i].hosts.push_back(unique(zones[i].host_name(host)));
      all[i].links.push_back(unique(zones[i].host_name(host) + ".link"));
    }
  }
  return all;
}

class XmlPlatform {
 public:
  explicit XmlPlatform(PoolNetwork const& network)
      : network_(network), zones_(network.plan.platform), names_(names_of(zones_, root_)) {
    for (LinkSpec const& link : network.plan.links) {
      specs_[{link.place.zone, link.place.host}] = &link;
    }
  }

  std::string text() {
    line("<?xml version='1.0'?>");
    line("<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">");
    line("<platform version=\"4.1\">");
    line(fmt::format("  <zone id=\"{}\" routing=\"Full\">", root_));
    for (std::uint32_t i = 0; i < zones_.size(); ++i) add_zone(i);
    for (std::uint32_t i = 0; i < zones_.size(); ++i) add_uplink(i);
    for (std::uint32_t from = 0; from < PoolNetwork::first_site_zone; ++from) {
      for (std::uint32_t to = from + 1; to < zones_.size(); ++to) add_route(from, to);
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

  void add_zone(std::uint32_t number) {
    ZonePlan const& zone = zones_[number];
    ZoneNames const& names = names_[number];
    // A full zone computes its routes when it is loaded, in a table of hosts times hosts.
    constexpr std::uint32_t most_in_table = 500;
    line(fmt::format("    <zone id=\"{}\" routing=\"{}\">", names.zone,
                     zone.hosts > most_in_table ? "Dijkstra" : "Full"));
    if (number >= PoolNetwork::first_site_zone) {
      SiteSlots const& slots = network_.sites[number - PoolNetwork::first_site_zone];
      property("      ", "slots", std::to_string(slots.slots));
    }
    for (std::uint32_t i = 0; i < zone.hosts; ++i) add_host(number, i);
    line(fmt::format("      <router id=\"{}\"/>", names.router));
    for (std::uint32_t i = 0; i < zone.hosts; ++i) {
      line(fmt::format("      <link id=\"{}\" bandwidth=\"{}\" latency=\"0s\"/>", names.links[i],
                       bandwidth(capacity(number, i))));
    }
    for (std::uint32_t i = 0; i < zone.hosts; ++i) {
      line(fmt::format("      <route src=\"{}\" dst=\"{}\"><link_ctn id=\"{}\"/></route>",
                       names.router, names.hosts[i], names.links[i]));
    }
    line("    </zone>");
  }

  void add_host(std::uint32_t number, std::uint32_t i) {
    ZonePlan const& zone = zones_[number];
    std::string const& name = names_[number].hosts[i];
    line(fmt::format("      <host id=\"{}\" speed=\"1Gf\" core=\"{}\">", name,
                     std::max(zone.gpus, 1U)));
    if (i < zone.disks.size()) {
      line(fmt::format("        <disk id=\"{}.disk\" read_bw=\"{}\" write_bw=\"{}\">", name,
                       bandwidth({}), bandwidth({})));
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

  void add_uplink(std::uint32_t number) {
    if (!zones_[number].uplink) return;
    auto const found = specs_.find({number, PlatformPlace::uplink});
    auto const limit = found == specs_.end() ? BytesPerSecond() : found->second->stream_limit;
    line(fmt::format("    <link id=\"{}\" bandwidth=\"{}\" latency=\"0s\"/>", names_[number].uplink,
                     bandwidth(capacity(number, PlatformPlace::uplink))));
    line(
        fmt::format("    <link id=\"{}\" bandwidth=\"{}\" latency=\"0s\" "
                    "sharing_policy=\"FATPIPE\"/>",
                    names_[number].stream_limit, bandwidth(limit)));
  }

  void add_route(std::uint32_t from, std::uint32_t to) {
    line(fmt::format("    <zoneRoute src=\"{}\" dst=\"{}\" gw_src=\"{}\" gw_dst=\"{}\">",
                     names_[from].zone, names_[to].zone, names_[from].router, names_[to].router));
    for (std::uint32_t const zone : {from, to}) {
      if (!zones_[zone].uplink) continue;
      line(fmt::format("      <link_ctn id=\"{}\"/>", names_[zone].uplink));
      line(fmt::format("      <link_ctn id=\"{}\"/>", names_[zone].stream_limit));
    }
    line("    </zoneRoute>");
  }

  PoolNetwork const& network_;
  PlatformPlan const& zones_;
  std::string root_;
  std::vector<ZoneNames> names_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, LinkSpec const*> specs_;
  std::string text_;
};

}  // namespace

std::string platform_xml(scenario::Pool const& pool, scenario::Campaign const& campaign,
                         scenario::Strategy const& strategy, scenario::ParameterDraw const& draw) {
  RandomStreams const streams(0, 0);  // no link depends on them
  ReplicaInput const in{pool, campaign, strategy, draw, streams};
  PoolNetwork const network =
      make_pool_network(in, slots_by_site(pool, campaign, strategy, draw), NetworkModel::maxmin);
  return XmlPlatform(network).text();
}

}  // namespace gridcast::engine

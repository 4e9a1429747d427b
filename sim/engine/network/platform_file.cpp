// SimGrid loads a platform file in a process of its own: a file that breaks SimGrid's invariants
// ends that process, and the loaded platform goes with it.
#include "sim/engine/network/platform_file.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <simgrid/s4u.hpp>
#include <xbt/log.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/engine/network/platform.hpp"
#include "sim/engine/network/pool_network.hpp"
#include "sim/engine/site_slots.hpp"
#include "sim/scenario/pool.hpp"

namespace gridcast::engine {

namespace sg4 = simgrid::s4u;

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

using Links = std::vector<sg4::Link*>;
constexpr char between_fields = '\t';

std::string property(sg4::Host const& host, std::string const& name) {
  char const* const value = host.get_property(name);
  return value ? value : "";
}

int number(std::string const& text, int fallback) {
  char* end = nullptr;
  long const value = std::strtol(text.c_str(), &end, 10);
  bool const whole = !text.empty() && *end == '\0';
  return whole && value > 0 && value <= std::numeric_limits<int>::max() ? static_cast<int>(value)
                                                                        : fallback;
}

/// Zones that directly contain hosts, with those that are nodes.
struct ZoneHosts {
  std::string name;
  int slots = 0;  // stated; 0: the sum of the hosts'
  std::vector<sg4::Host*> nodes = {};
};

int slots_of_node(sg4::Host const& host) {
  return number(property(host, "slots"), host.get_core_count());
}

void collect_zones(sg4::NetZone const& zone, std::vector<ZoneHosts>& zones) {
  char const* const slots = zone.get_property("slots");
  ZoneHosts own{zone.get_name(), number(slots ? slots : "", 0)};
  for (sg4::Host* const host : zone.get_all_hosts()) {
    bool const direct = host->get_englobing_zone()->get_name() == zone.get_name();
    if (direct && property(*host, "role").empty()) own.nodes.push_back(host);
  }
  if (!own.nodes.empty()) zones.push_back(std::move(own));
  for (sg4::NetZone const* const child : zone.get_children()) collect_zones(*child, zones);
}

sg4::Host* host_with_role(std::string const& role) {
  for (sg4::Host* const host : sg4::Engine::get_instance()->get_all_hosts()) {
    if (property(*host, "role") == role) return host;
  }
  return nullptr;
}

Links route(sg4::Host const* from, sg4::Host const* to) {
  Links links;
  double latency = 0;
  if (from && from != to) from->route_to(to, links, &latency);
  return links;
}

void keep_common(std::set<sg4::Link*>& common, Links const& links) {
  std::erase_if(common, [&](auto* link) { return std::ranges::find(links, link) == links.end(); });
}

enum class Kind { shared, fat_pipe };

/// Bandwidth of the slowest link of a kind, in bytes/s; zero where none limits.
template <class Range>
double slowest(Range const& links, Kind kind) {
  double least = Platform::unlimited;
  for (sg4::Link const* const link : links) {
    bool const fat = link->get_sharing_policy() == sg4::Link::SharingPolicy::FATPIPE;
    if (fat == (kind == Kind::fat_pipe)) least = std::min(least, link->get_bandwidth());
  }
  return least < Platform::unlimited ? least : 0;
}

/// The links from the source to all nodes of a zone, and the slowest link of any one node.
struct WayIn {
  std::set<sg4::Link*> common;
  double node = 0;
};

WayIn way_in(ZoneHosts const& zone, sg4::Host const* source) {
  WayIn way;
  std::vector<Links> routes;
  for (sg4::Host const* const node : zone.nodes) routes.push_back(route(source, node));
  way.common.insert(routes.front().begin(), routes.front().end());
  for (Links const& links : routes) keep_common(way.common, links);
  Links own = routes.front();
  std::erase_if(own, [&](auto* link) { return way.common.contains(link); });
  way.node = slowest(own, Kind::shared);
  return way;
}

std::string lines_of_sites(std::vector<ZoneHosts> const& zones, sg4::Host const* origin,
                           std::set<sg4::Link*>& of_all) {
  std::vector<WayIn> ways;
  for (std::size_t i = 0; i < zones.size(); ++i) {
    sg4::Host const* const other = zones.size() > 1 ? zones[i == 0 ? 1 : 0].nodes.front() : nullptr;
    ways.push_back(way_in(zones[i], origin ? origin : other));
  }
  if (origin) {
    of_all = ways.front().common;
    for (WayIn const& way : ways) keep_common(of_all, Links(way.common.begin(), way.common.end()));
    // For one site, the uplink and the egress are the same: it has both.
    if (zones.size() > 1) {
      for (WayIn& way : ways) {
        std::erase_if(way.common, [&](auto* link) { return of_all.contains(link); });
      }
    }
  }
  std::string lines;
  for (std::size_t i = 0; i < zones.size(); ++i) {
    sg4::Host const& node = *zones[i].nodes.front();
    int slots = 0;
    for (sg4::Host const* const host : zones[i].nodes) slots += slots_of_node(*host);
    int const per_node = slots_of_node(node);
    int const gpus = number(property(node, "gpus"), per_node);
    lines +=
        fmt::format("site\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", zones[i].name,
                    zones[i].slots > 0 ? zones[i].slots : slots, per_node, gpus / per_node,
                    property(node, "gpu"), slowest(ways[i].common, Kind::shared), ways[i].node);
  }
  return lines;
}

/// The platform that SimGrid has loaded, a line each for sites, caches, origin and access point.
std::string lines_of_platform() {
  auto* const engine = sg4::Engine::get_instance();
  std::vector<ZoneHosts> zones;
  collect_zones(*engine->get_netzone_root(), zones);
  std::string lines;
  sg4::Host const* const origin = host_with_role("origin");
  std::set<sg4::Link*> egress;
  if (!zones.empty()) lines += lines_of_sites(zones, origin, egress);
  for (sg4::Host const* const host : engine->get_all_hosts()) {
    if (property(*host, "role") != "cache") continue;
    auto const disks = host->get_disks();
    char const* const size = disks.empty() ? nullptr : disks.front()->get_property("size");
    lines +=
        fmt::format("cache\t{}\t{}\n", host->get_name(), size ? std::strtod(size, nullptr) : 0);
  }
  if (origin) {
    lines += fmt::format("origin\t{}\t{}\t{}\n", origin->get_name(), slowest(egress, Kind::shared),
                         slowest(egress, Kind::fat_pipe));
  }
  if (sg4::Host const* const point = host_with_role("access-point"); point && !zones.empty()) {
    std::set<sg4::Link*> common;
    for (std::size_t i = 0; i < zones.size(); ++i) {
      auto const links = route(point, zones[i].nodes.front());
      if (i == 0) common.insert(links.begin(), links.end());
      keep_common(common, links);
    }
    lines += fmt::format("access-point\t{}\n", slowest(common, Kind::shared));
  }
  return lines;
}

[[noreturn]] void load_as_child(std::string const& file, int out) {
  std::signal(SIGABRT, SIG_DFL);  // SimGrid's way to end; the parent reports it
  ::dup2(out, STDERR_FILENO);
  xbt_log_control_set("root.fmt:%m%n xbt_cfg.thresh:warning");
  std::string text;
  int status = EXIT_FAILURE;
  try {
    sg4::Engine::get_instance()->load_platform(file);
    sg4::Engine::get_instance()->get_netzone_root()->seal();  // adds the routes that zones imply
    text = lines_of_platform();
    status = EXIT_SUCCESS;
  } catch (std::exception const& error) {
    text = error.what();
  }
  write_all(out, text);
  ::_exit(status);
}

struct Loaded {
  std::string text;
  bool succeeded = false;
};

Loaded load_in_child(std::string const& file) {
  int ends[2];
  if (::pipe(ends) != 0)
    throw ResourceError(Problem{{}, "a platform file cannot be loaded", "no pipe is left", ""});
  pid_t const child = ::fork();
  if (child < 0)
    throw ResourceError(Problem{{}, "a platform file cannot be loaded", "no process is left", ""});
  if (child == 0) {
    ::close(ends[0]);
    load_as_child(file, ends[1]);
  }
  ::close(ends[1]);
  Loaded loaded;
  char piece[4096];
  for (ssize_t got = 0; (got = ::read(ends[0], piece, sizeof piece)) > 0;) {
    loaded.text.append(piece, static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  loaded.succeeded = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
  return loaded;
}

/// The first line of SimGrid's message that contains words.
std::string reason(std::string const& text) {
  for (std::string const& line : split(text, '\n')) {
    if (std::ranges::count(line, ' ') > 1) return line;
  }
  return "SimGrid ends without a message";
}

BytesPerSecond rate(std::string const& text) {
  return BytesPerSecond(std::strtod(text.c_str(), nullptr));
}

void add_line(scenario::PlatformFile& platform, std::vector<std::string> const& fields) {
  if (fields.size() == 8 && fields[0] == "site") {
    platform.sites.push_back({.name = fields[1],
                              .slots = std::atoi(fields[2].c_str()),
                              .slots_per_node = std::atoi(fields[3].c_str()),
                              .gpus_per_slot = std::atoi(fields[4].c_str()),
                              .gpu = fields[5],
                              .uplink = rate(fields[6]),
                              .node_link = rate(fields[7])});
  } else if (fields.size() == 3 && fields[0] == "cache") {
    platform.caches.push_back({fields[1], Bytes(std::strtod(fields[2].c_str(), nullptr))});
  } else if (fields.size() == 4 && fields[0] == "origin") {
    platform.origin = fields[1];
    platform.egress = rate(fields[2]);
    platform.egress_stream_limit = rate(fields[3]);
  } else if (fields.size() == 2 && fields[0] == "access-point") {
    platform.access_point = rate(fields[1]);
  }
}

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

gridcast::scenario::PlatformFile gridcast::scenario::load_platform(
    std::filesystem::path const& file) {
  read_text_file(file);  // its message for a file that cannot be read is the usual one
  engine::Loaded const loaded = engine::load_in_child(file.string());
  if (!loaded.succeeded) {
    refuse({file.string()}, "SimGrid cannot load the platform", engine::reason(loaded.text),
           "Write a platform of version 4.1 (simgrid.org/doc), such as "
           "'gridcast export platform' writes.");
  }
  PlatformFile platform;
  for (std::string const& line : split(loaded.text, '\n')) {
    engine::add_line(platform, split(line, engine::between_fields));
  }
  if (platform.sites.empty()) {
    refuse({file.string()}, "the platform contains no site",
           "a site is a zone with hosts that have no property 'role'",
           "Add a zone with a host for each node.");
  }
  return platform;
}

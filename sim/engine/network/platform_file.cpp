// SimGrid loads a platform file in a process of its own: a file that breaks SimGrid's invariants
// ends that process, and the loaded platform goes with it.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <tuple>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <simgrid/s4u.hpp>
#include <xbt/log.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/statistics.hpp"
#include "sim/base/text.hpp"
#include "sim/engine/network/platform.hpp"
#include "sim/engine/network/platform_names.hpp"
#include "sim/scenario/pool.hpp"

namespace gridcast::engine {

namespace sg4 = simgrid::s4u;

namespace {

using Links = std::vector<sg4::Link*>;
using LinkSet = std::set<sg4::Link*>;
constexpr char between_fields = '\t';

/// Names are fields of lines.
std::string field(std::string text) {
  auto const breaks = [](char c) { return c == between_fields || c == '\n'; };
  std::ranges::replace_if(text, breaks, ' ');
  return text;
}

/// A property that is no number.
class BadProperty : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Nothing if the property is not there.
template <class Of>
std::optional<int> number(Of const& of, std::string const& name) {
  char const* const text = of.get_property(name);
  if (!text) return std::nullopt;
  auto const value = text_as<int>(text);
  if (value && *value >= 0) return value;
  throw BadProperty(fmt::format("the property '{}' of '{}' is '{}', and no whole number from 0 on",
                                name, of.get_name(), text));
}

std::string property(sg4::Host const& host, std::string const& name) {
  char const* const value = host.get_property(name);
  return value ? value : "";
}

/// A host of a site. Nodes of one kind are equal in all but their links.
struct Node {
  sg4::Host* host = nullptr;
  int slots = 0, gpus_per_slot = 0;
  std::string gpu = {};
  double link = 0;  // bytes/s; 0: nothing is known

  auto kind() const { return std::tie(slots, gpus_per_slot, gpu); }
};

/// None for a host without slots.
std::optional<Node> node_of(sg4::Host& host) {
  int const slots = number(host, "slots").value_or(host.get_core_count());
  if (slots == 0) return std::nullopt;
  int const gpus = number(host, "gpus").value_or(slots);
  return Node{&host, slots, gpus / slots, field(property(host, "gpu"))};
}

/// Zones that directly contain hosts, with those that are nodes.
struct ZoneHosts {
  std::string name;
  std::optional<int> slots = {};  // stated; else the sum of the nodes'
  std::vector<Node> nodes = {};
};

void collect_zones(sg4::NetZone const& zone, std::vector<ZoneHosts>& zones) {
  ZoneHosts own{field(zone.get_name()), number(zone, "slots")};
  for (sg4::Host* const host : zone.get_all_hosts()) {
    bool const direct = host->get_englobing_zone()->get_name() == zone.get_name();
    if (!direct || !property(*host, "role").empty()) continue;
    if (auto node = node_of(*host)) own.nodes.push_back(std::move(*node));
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

/// The routes of the loaded platform. SimGrid ends the process where some kinds of zones lack a
/// route.
class Routes {
 public:
  /// `tried`: a process of its own finds out whether SimGrid has the routes between two zones.
  explicit Routes(bool tried) : tried_(tried) {}

  /// Empty if there is no route.
  Links between(sg4::Host const* from, sg4::Host const* to) {
    if (tried_ && !exists(from, to)) return {};
    return asked(from, to);
  }

 private:
  static Links asked(sg4::Host const* from, sg4::Host const* to) {
    Links links;
    double latency = 0;
    try {
      from->route_to(to, links, &latency);
    } catch (std::exception const&) {
      links.clear();
    }
    return links;
  }

  bool exists(sg4::Host const* from, sg4::Host const* to) {
    auto const [known, is_new] =
        known_.try_emplace({from->get_englobing_zone(), to->get_englobing_zone()}, false);
    if (is_new) known->second = ends_well(from, to);
    return known->second;
  }

  static bool ends_well(sg4::Host const* from, sg4::Host const* to) {
    pid_t const child = ::fork();
    if (child == 0) {
      ::close(STDERR_FILENO);
      asked(from, to);
      ::_exit(EXIT_SUCCESS);
    }
    int status = 0;
    return child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status);
  }

  bool tried_;
  std::map<std::pair<sg4::NetZone const*, sg4::NetZone const*>, bool> known_;
};

void keep_common(LinkSet& common, Links const& links) {
  std::erase_if(common, [&](auto* link) { return !contains(links, link); });
}

enum class Kind { shared, fat_pipe };

/// Bandwidth of the slowest link of a kind, in bytes/s; zero where none limits. SimGrid has no
/// bandwidth of a wireless link: it depends on the stations.
template <class Range>
double slowest(Range const& links, Kind kind) {
  double least = Platform::unlimited;
  for (sg4::Link const* const link : links) {
    auto const policy = link->get_sharing_policy();
    bool const fat = policy == sg4::Link::SharingPolicy::FATPIPE;
    bool const wireless = policy == sg4::Link::SharingPolicy::WIFI;
    if (!wireless && fat == (kind == Kind::fat_pipe)) {
      least = std::min(least, link->get_bandwidth());
    }
  }
  return least < Platform::unlimited ? least : 0;
}

/// At most three of them, the first and the last included.
template <class T>
std::vector<T> spread(std::vector<T> const& all) {
  if (all.size() <= 3) return all;
  return {all.front(), all[all.size() / 2], all.back()};
}

/// Hosts that the flows into a zone come from: the origin; or some of other zones, or of this one,
/// if there is no other. A link that is on the routes from all of them is not a source's own.
std::vector<sg4::Host*> sources(std::vector<ZoneHosts> const& zones, std::size_t zone,
                                sg4::Host* origin) {
  if (origin) return {origin};
  auto const hosts = [](ZoneHosts const& of) {
    std::vector<sg4::Host*> all;
    for (Node const& node : of.nodes) all.push_back(node.host);
    return all;
  };
  std::vector<sg4::Host*> first;  // of each other zone
  for (std::size_t i = 0; i < zones.size(); ++i) {
    if (i != zone) first.push_back(zones[i].nodes.front().host);
  }
  if (first.empty()) return spread(hosts(zones[zone]));
  if (first.size() > 1) return spread(first);
  return spread(hosts(zones[zone == 0 ? 1 : 0]));
}

/// The links that all routes into a zone share. Nodes get the slowest of their other ones.
LinkSet links_in(std::vector<Node>& nodes, std::vector<sg4::Host*> const& from, Routes& routes) {
  std::vector<LinkSet> ways;  // by node: the links of its routes from all sources
  for (Node const& node : nodes) {
    std::optional<LinkSet> way;
    for (sg4::Host const* const source : from) {
      if (source == node.host) continue;
      Links const links = routes.between(source, node.host);
      if (links.empty()) continue;
      if (way) {
        keep_common(*way, links);
      } else {
        way.emplace(links.begin(), links.end());
      }
    }
    ways.push_back(way.value_or(LinkSet()));
  }
  LinkSet common = ways.front();
  for (LinkSet const& way : ways) keep_common(common, Links(way.begin(), way.end()));
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    std::erase_if(ways[i], [&](auto* link) { return common.contains(link); });
    nodes[i].link = slowest(ways[i], Kind::shared);
  }
  return common;
}

/// The links on the way to all zones, which belong to the origin. For one site, its uplink and the
/// origin's are the same: it has both.
LinkSet take_common(std::vector<LinkSet>& uplinks) {
  LinkSet all = uplinks.front();
  for (LinkSet const& links : uplinks) keep_common(all, Links(links.begin(), links.end()));
  if (uplinks.size() == 1) return all;
  for (LinkSet& links : uplinks) {
    std::erase_if(links, [&](auto* link) { return all.contains(link); });
  }
  return all;
}

/// A line for each kind of node: a site has nodes of one kind.
std::string lines_of_zone(ZoneHosts const& zone, double uplink, PlatformNames& names) {
  std::vector<std::vector<Node>> kinds;
  int all = 0;
  for (Node const& node : zone.nodes) {
    auto known = std::ranges::find_if(
        kinds, [&](auto const& others) { return others.front().kind() == node.kind(); });
    if (known == kinds.end()) known = kinds.insert(kinds.end(), std::vector<Node>());
    known->push_back(node);
    all += node.slots;
  }
  std::string lines;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    Node const& kind = kinds[i].front();
    int const slots = static_cast<int>(kinds[i].size()) * kind.slots;
    bool const stated = kinds.size() == 1 && zone.slots.value_or(0) > 0;
    std::vector<double> links;
    for (Node const& node : kinds[i]) links.push_back(node.link);
    lines += fmt::format("site\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n",
                         i == 0 ? zone.name : names.unique(fmt::format("{}-{}", zone.name, i + 1)),
                         stated ? *zone.slots : slots, kind.slots, kind.gpus_per_slot, kind.gpu,
                         uplink * slots / all, median(std::move(links)));
  }
  if (kinds.size() > 1) {
    lines += fmt::format(
        "note\tthe hosts of zone '{}' are of {} kinds: each is a site with a share of its uplink\n",
        zone.name, kinds.size());
  }
  return lines;
}

std::string lines_of_sites(std::vector<ZoneHosts>& zones, sg4::Host* origin, Routes& routes,
                           LinkSet& egress) {
  std::vector<LinkSet> uplinks;
  PlatformNames names;
  std::string lines;
  for (std::size_t i = 0; i < zones.size(); ++i) {
    uplinks.push_back(links_in(zones[i].nodes, sources(zones, i, origin), routes));
    names.unique(zones[i].name);
    bool const on_a_route = !uplinks[i].empty() || std::ranges::any_of(zones[i].nodes, &Node::link);
    if (on_a_route) continue;
    lines += fmt::format("note\tno link leads to the hosts of zone '{}': nothing limits them\n",
                         zones[i].name);
  }
  if (origin) egress = take_common(uplinks);
  for (std::size_t i = 0; i < zones.size(); ++i) {
    lines += lines_of_zone(zones[i], slowest(uplinks[i], Kind::shared), names);
  }
  return lines;
}

/// A part of the file that has no effect and may be expected to have one.
std::string note_of_speeds(std::vector<ZoneHosts> const& zones) {
  std::set<double> speeds;
  for (ZoneHosts const& zone : zones) {
    for (Node const& node : zone.nodes) speeds.insert(node.host->get_speed());
  }
  if (speeds.size() <= 1) return "";
  return "note\tspeeds of hosts have no effect: the property 'gpu' names the GPU model\n";
}

/// The platform that SimGrid has loaded, a line each for sites, caches, origin and access point.
std::string lines_of_platform(Routes routes) {
  auto* const engine = sg4::Engine::get_instance();
  std::vector<ZoneHosts> zones;
  collect_zones(*engine->get_netzone_root(), zones);
  if (zones.empty()) return "";
  sg4::Host* const origin = host_with_role("origin");
  LinkSet egress;
  std::string lines = lines_of_sites(zones, origin, routes, egress) + note_of_speeds(zones);
  for (sg4::Host const* const host : engine->get_all_hosts()) {
    if (property(*host, "role") != "cache") continue;
    auto const disks = host->get_disks();
    char const* const size = disks.empty() ? nullptr : disks.front()->get_property("size");
    lines += fmt::format("cache\t{}\t{}\n", field(host->get_name()),
                         size ? std::strtod(size, nullptr) : 0);
  }
  if (origin) {
    lines += fmt::format("origin\t{}\t{}\t{}\n", field(origin->get_name()),
                         slowest(egress, Kind::shared), slowest(egress, Kind::fat_pipe));
  }
  if (sg4::Host const* const point = host_with_role("access-point")) {
    std::optional<LinkSet> common;
    for (ZoneHosts const& zone : zones) {
      auto const links = routes.between(point, zone.nodes.front().host);
      if (!common) common.emplace(links.begin(), links.end());
      keep_common(*common, links);
    }
    lines += fmt::format("access-point\t{}\n", slowest(*common, Kind::shared));
  }
  return lines;
}

[[noreturn]] void load_as_child(std::string const& file, Routes const& routes, int out) {
  std::signal(SIGABRT, SIG_DFL);  // SimGrid's way to end; the parent reports it
  ::dup2(out, STDERR_FILENO);
  xbt_log_control_set("root.fmt:%m%n xbt_cfg.thresh:warning");
  std::string text;
  int status = EXIT_FAILURE;
  try {
    sg4::Engine::get_instance()->load_platform(file);
    sg4::Engine::get_instance()->get_netzone_root()->seal();  // adds the routes that zones imply
    text = lines_of_platform(routes);
    status = EXIT_SUCCESS;
  } catch (BadProperty const& error) {
    text = fmt::format("problem\t{}\n", error.what());
    status = EXIT_SUCCESS;
  } catch (std::exception const& error) {
    text = error.what();
  }
  write_all(out, text);
  ::_exit(status);
}

struct Loaded {
  std::string text;
  bool succeeded = false, aborted = false;
};

Loaded load_in_child(std::string const& file, Routes const& routes) {
  int ends[2];
  if (::pipe(ends) != 0)
    throw ResourceError(Problem{{}, "a platform file cannot be loaded", "no pipe is left", ""});
  pid_t const child = ::fork();
  if (child < 0)
    throw ResourceError(Problem{{}, "a platform file cannot be loaded", "no process is left", ""});
  if (child == 0) {
    ::close(ends[0]);
    load_as_child(file, routes, ends[1]);
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
  loaded.aborted = WIFSIGNALED(status);
  return loaded;
}

/// The first line of SimGrid's message that contains words, without addresses in memory.
std::string reason(std::string const& text) {
  static std::regex const address(" ?\\(?0x[0-9a-f]+\\)?");
  for (std::string const& line : split(text, '\n')) {
    if (std::ranges::count(line, ' ') > 1) return std::regex_replace(line, address, "");
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
  } else if (fields.size() == 2 && fields[0] == "note") {
    platform.notes.push_back(fields[1]);
  }
}

}  // namespace
}  // namespace gridcast::engine

gridcast::scenario::PlatformFile gridcast::scenario::load_platform(
    std::filesystem::path const& file) {
  read_text_file(file);  // its message for a file that cannot be read is the usual one
  engine::Loaded loaded = engine::load_in_child(file.string(), engine::Routes(false));
  if (loaded.aborted) loaded = engine::load_in_child(file.string(), engine::Routes(true));
  if (!loaded.succeeded) {
    refuse({file.string()}, "SimGrid cannot load the platform", engine::reason(loaded.text),
           "Write a platform of version 4.1 (simgrid.org/doc), such as "
           "'gridcast export platform' writes.");
  }
  PlatformFile platform;
  for (std::string const& line : split(loaded.text, '\n')) {
    auto const fields = split(line, engine::between_fields);
    if (fields.front() == "problem") refuse({file.string()}, fields.back(), "", "Correct it.");
    engine::add_line(platform, fields);
  }
  if (platform.sites.empty()) {
    refuse({file.string()}, "the platform contains no site",
           "a site is a zone with hosts that have no property 'role'",
           "Add a zone with a host for each node.");
  }
  return platform;
}

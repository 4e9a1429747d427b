#include "sim/scenario/pool.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/scenario/tables.hpp"

namespace gridcast::scenario {

namespace {

template <std::optional<Version> Software::*member>
void read_version(YamlValue const& value, Software& software) {
  std::string text;
  read_value(value, {}, text);
  if (text.empty()) return;
  Software stated;
  stated.*member = parse_version(text);
  if (!(stated.*member)) {
    value.complain(fmt::format("'{}' is no version", text), "it has to be two or three numbers",
                   member == &Software::pelican ? "Write '7.10'." : "Write '23.9.6'.");
  } else if (auto const too_old = older_than_known(stated); !too_old.empty()) {
    value.complain(too_old, "", "");
  } else {
    software.*member = stated.*member;
  }
}

template <std::optional<Version> Software::*member>
void write_version(YamlWriter& out, Key const& key, Software const& software) {
  if (software.*member) out.word(key.name, false, to_text(*(software.*member)), false);
}

void add_gpus_and_memory(Table<SiteEntry>& table) {
  table
      .required("gpus", &SiteSpec::gpus,
                "Most GPUs that pilots hold at once. The number at a time is the "
                "calibration's, or stated as gpus under the scenario's parameters. With slots, "
                "which are the most then: jobs of several GPUs have no more of them than these "
                "GPUs fill; for other jobs, or with gpus_per_slot, slots alone count",
                between(1, most_slots))
      .unless("slots")
      .required("gpu", &SiteSpec::gpu, "Device name, e.g. A100")
      .unless("slots")
      .required("gpu_capability", &SiteSpec::gpu_capability, "CUDA compute capability, e.g. 8.0")
      .unless("slots")
      .required("gpu_memory", &SiteSpec::gpu_memory, "Memory of each GPU")
      .unless("slots")
      .required("disk", &SiteSpec::disk, "Scratch space that a slot offers")
      .unless("slots")
      .optional("memory", &SiteSpec::memory,
                "Memory that a slot offers, for each of its GPUs; zero: enough for any job");
}

Table<SiteEntry> const& site_table() {
  static Table<SiteEntry> const table =
      Table<SiteEntry>("Sites where pilots run")
          .required("name", &SiteSpec::name,
                    "The name in GLIDEIN_ResourceName and in the calibration's parameters")
          .optional("like", &SiteSpec::like,
                    "For a site without a record: a calibrated site with the same parameters, "
                    "or any: one of them, drawn anew for each site and draw")
          .with(add_gpus_and_memory)
          .required("uplink", &SiteSpec::uplink,
                    "The site's link, where the calibration has no capacity of it", positive())
          .unless("slots")
          .optional("slots", &SiteSpec::slots,
                    "Slots that pilots hold at once, where the calibration does not count GPUs; 0: "
                    "one for each GPU. The number that the calibration's record had in use at most "
                    "stands for those of its draws",
                    between(0, most_slots))
          .optional("slots_per_pilot", &SiteSpec::slots_per_pilot,
                    "Slots that a pilot's death takes with it", positive())
          .optional("pilot_walltime", &SiteSpec::pilot_walltime,
                    "The walltime of this site's factory entry; 0 s: `pilots.walltime`")
          .required("caches", &SiteEntry::cache_names,
                    "Names of caches, in the order in which the director offers them")
          .unless("slots")
          .optional("gpus_per_node", &SiteSpec::gpus_per_node,
                    "GPUs of a node: the most that a job on one node can get", positive())
          .optional("cluster", &SiteSpec::cluster,
                    "Jobs may have several nodes (Slurm-like); elsewhere each has one")
          .optional("machine", &SiteSpec::machine,
                    "Machine of the catalogue (hardware.yaml) whose links and memory the nodes "
                    "have; without it `pool-slot`")
          .optional("resource", &SiteSpec::resource,
                    "GLIDEIN_ResourceName of an entry that is a part of a site, the slots with one "
                    "of its GPU models; without it the name")
          .optional("gpus_per_slot", &SiteSpec::gpus_per_slot,
                    "GPUs of each slot, for jobs that request so many or fewer (if the request "
                    "depends on the slot); 0: as many as a job requests");
  return table;
}

Table<CacheSpec> const& cache_table() {
  static Table<CacheSpec> const table =
      Table<CacheSpec>("OSDF caches; whole files, least recently used ones go first")
          .required("name", &CacheSpec::name, "By which sites refer to it")
          .required("disk", &CacheSpec::disk, "Space for files", positive())
          .optional("high_watermark", &CacheSpec::high_watermark,
                    "A fill above this share of the disk starts a purge", share())
          .optional("low_watermark", &CacheSpec::low_watermark,
                    "... which goes on down to this share", share())
          .optional("neighbours", &CacheSpec::neighbours,
                    "Bytes fetched for others: files that are not requested again, and that drive "
                    "out those that were used longer ago");
  return table;
}

Table<OriginSpec> const& origin_table() {
  static Table<OriginSpec> const table =
      Table<OriginSpec>("The source of the input")
          .required("name", &OriginSpec::name, "For reports")
          .required("bandwidth", &OriginSpec::bandwidth,
                    "Egress, shared by cache fills and direct reads", positive())
          .required("stream_limit", &OriginSpec::stream_limit, "Rate of one stream", positive());
  return table;
}

Table<AccessPointSpec> const& access_point_table() {
  static Table<AccessPointSpec> const table =
      Table<AccessPointSpec>("The schedd and its limits")
          .optional("max_transfer_input", &AccessPointSpec::max_transfer_input,
                    "MAX_TRANSFER_INPUT_MB: more than this through the access point is held "
                    "(code 32). Without it no limit",
                    positive())
          .optional("transfer_slots", &AccessPointSpec::transfer_slots,
                    "MAX_CONCURRENT_UPLOADS: input transfers at a time", positive())
          .optional("bandwidth", &AccessPointSpec::bandwidth, "The access point's own link",
                    positive())
          .optional("shadow_start_interval", &AccessPointSpec::shadow_start_interval,
                    "From the start of one shadow to the next; no effect if the calibration has "
                    "match_delay")
          .optional("max_execution", &AccessPointSpec::max_execution,
                    "allowed_execute_duration: a longer execution is held (code 47)", positive())
          .optional("policy_interval", &AccessPointSpec::policy_interval,
                    "How often periodic expressions are evaluated", positive());
  return table;
}

Table<ConcurrencyLimit> const& concurrency_limit_table() {
  static Table<ConcurrencyLimit> const table =
      Table<ConcurrencyLimit>("Limits that jobs count towards (concurrency_limits)")
          .required("name", &ConcurrencyLimit::name, "As jobs name it; case makes no difference")
          .required("limit", &ConcurrencyLimit::limit,
                    "At most so much in use by running jobs (NAME_LIMIT)", positive());
  return table;
}

Table<NegotiatorSpec> const& negotiator_table() {
  static Table<NegotiatorSpec> const table =
      Table<NegotiatorSpec>("Matchmaking")
          .optional("interval", &NegotiatorSpec::interval,
                    "NEGOTIATOR_INTERVAL; if the calibration has match_delay, only how "
                    "often strategies with requirements or avoid_site look again",
                    positive())
          .optional("priority_halflife", &NegotiatorSpec::priority_halflife,
                    "PRIORITY_HALFLIFE: how fast users' priorities follow their use", positive())
          .list("concurrency_limits", &NegotiatorSpec::concurrency_limits,
                concurrency_limit_table(), false);
  return table;
}

Table<PilotSpec> const& pilot_table() {
  static Table<PilotSpec> const table =
      Table<PilotSpec>("Pilots (glideins): their life and the jobs that they accept")
          .optional("walltime", &PilotSpec::walltime,
                    "GLIDEIN_Max_Walltime of entries that give none of their own", positive())
          .optional("min_remaining", &PilotSpec::min_remaining,
                    "Jobs start only on pilots with this much life left")
          .optional("replacement", &PilotSpec::replacement,
                    "Mean wait for the next pilot after one has ended; no effect if the "
                    "calibration has pilot_replacement_s",
                    positive());
  return table;
}

/// Names of a list's entries, to their positions; complains of repeated ones. An entry whose name
/// could not be read has been complained of already.
template <class Spec>
std::map<std::string, std::size_t> unique_names(YamlDocument& document, std::string const& list,
                                                std::vector<Spec> const& specs) {
  std::map<std::string, std::size_t> names;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (specs[i].name.empty() || names.emplace(specs[i].name, i).second) continue;
    document.complain(fmt::format("{}[{}].name", list, i),
                      fmt::format("'{}' is given twice", specs[i].name),
                      "each needs a name of its own");
  }
  return names;
}

std::vector<std::string> keys_of(std::map<std::string, std::size_t> const& names) {
  return each_of(names, [](auto const& each) { return each.first; });
}

/// Which caches the site's names mean.
void find_caches(YamlDocument& document, std::string const& path, SiteEntry& site,
                 std::map<std::string, std::size_t> const& caches) {
  for (std::size_t i = 0; i < site.cache_names.size(); ++i) {
    std::string const& name = site.cache_names[i];
    if (name.empty()) continue;
    auto const found = caches.find(name);
    if (found == caches.end()) {
      document.complain(fmt::format("{}.caches[{}]", path, i),
                        fmt::format("unknown cache '{}'", name), "",
                        suggestion(name, keys_of(caches)));
    } else {
      site.caches.emplace_back(found->second);
    }
  }
}

void check_watermarks(YamlDocument& document, std::vector<CacheSpec> const& caches) {
  for (std::size_t i = 0; i < caches.size(); ++i) {
    std::string const path = fmt::format("caches[{}]", i);
    std::string const low = path + ".low_watermark";
    if (document.is_bad(low) || document.is_bad(path + ".high_watermark")) continue;
    if (caches[i].low_watermark < caches[i].high_watermark) continue;
    document.complain(low,
                      fmt::format("{} is not below the high watermark, {}", caches[i].low_watermark,
                                  caches[i].high_watermark),
                      "a purge goes from the high one down to the low one");
  }
}

void check_walltime(YamlDocument& document, std::string const& path, Seconds walltime,
                    Seconds min_remaining) {
  if (document.is_bad(path) || document.is_bad("pilots.min_remaining")) return;
  if (walltime > min_remaining + shortest_acceptance) return;
  document.complain(
      path, fmt::format("'{}' is too short", to_text(walltime)),
      fmt::format("no job would ever start: pilots accept jobs while they have {} left "
                  "(pilots.min_remaining), and need {} to begin",
                  to_text(min_remaining), to_text(shortest_acceptance)));
}

void check_pilots(YamlDocument& document, PoolEntries const& pool) {
  Seconds const min_remaining = pool.pilots.min_remaining;
  check_walltime(document, "pilots.walltime", pool.pilots.walltime, min_remaining);
  for (std::size_t i = 0; i < pool.entries.size(); ++i) {
    Seconds const walltime = pool.entries[i].pilot_walltime;
    if (walltime == Seconds(0)) continue;
    check_walltime(document, fmt::format("sites[{}].pilot_walltime", i), walltime, min_remaining);
  }
}

void check_nodes(YamlDocument& document, std::vector<SiteEntry> const& sites) {
  for (std::size_t i = 0; i < sites.size(); ++i) {
    SiteSpec const& site = sites[i];
    for (auto const& [key, count] :
         {std::pair{"gpus_per_node", site.gpus_per_node}, {"gpus_per_slot", site.gpus_per_slot}}) {
      std::string const path = fmt::format("sites[{}].{}", i, key);
      if (document.is_bad(path) || site.gpus == 0 || count <= site.gpus) continue;
      document.complain(path, fmt::format("{} is more than the site has", count),
                        fmt::format("its GPUs are {}", site.gpus));
    }
  }
}

// A pool that is known from event logs has nothing but slots: its transfers do not share links.
bool only_slots(std::vector<SiteEntry> const& sites) {
  return !sites.empty() &&
         std::ranges::all_of(sites, [](SiteSpec const& site) { return site.slots > 0; });
}

void check_data_path(YamlDocument& document, std::vector<SiteEntry> const& sites) {
  if (only_slots(sites)) return;
  for (char const* key : {"caches", "origin"}) {
    if (document.has(key)) continue;
    document.add(document.at(""), fmt::format("key '{}' is missing", key),
                 "only pools whose sites all have 'slots' go without it", "");
  }
}

SiteSpec site_of(PlatformSite const& platform, std::size_t caches) {
  SiteSpec site;
  site.name = platform.name;
  site.slots = platform.slots;
  site.slots_per_pilot = platform.slots_per_node;
  site.gpu = platform.gpu;
  site.gpus_per_slot = platform.gpus_per_slot;
  site.gpus_per_node = std::max(1, platform.gpus_per_slot * platform.slots_per_node);
  site.uplink = platform.uplink;
  site.node_link = platform.node_link;
  site.like = like_any;  // without effect where the calibration knows the site
  site.of_platform = true;
  for (std::size_t i = 0; i < caches; ++i) site.caches.emplace_back(i);
  return site;
}

/// The parts of the pool that its platform file describes and that have no key of their own.
void add_platform(YamlDocument& document, PlatformFile const& platform, PoolEntries& pool) {
  if (!document.has("caches")) {
    constexpr Bytes never_full(1e18);
    for (PlatformCache const& cache : platform.caches) {
      pool.caches.push_back({cache.name, cache.disk > Bytes() ? cache.disk : never_full});
    }
  }
  if (!document.has("origin")) {
    pool.origin = {platform.origin, platform.egress, platform.egress_stream_limit};
    // A bandwidth of zero is no origin; without a limit of its own a stream takes all of it.
    if (pool.origin.stream_limit == BytesPerSecond()) pool.origin.stream_limit = platform.egress;
  }
  if (!document.has("access_point.bandwidth") && platform.access_point > BytesPerSecond()) {
    pool.access_point.bandwidth = platform.access_point;
  }
  for (PlatformSite const& site : platform.sites) {
    SiteEntry& entry = pool.entries.emplace_back();
    static_cast<SiteSpec&>(entry) = site_of(site, pool.caches.size());
  }
}

/// Adds it to the pool. Notes on parts of it that have no effect.
std::vector<Problem> read_platform(YamlDocument& document, std::filesystem::path const& pool_file,
                                   PoolEntries& pool) {
  if (document.has("sites")) {
    document.complain("platform", "has no place beside 'sites'", "the sites are from one of them",
                      "Remove one.");
    return {};
  }
  std::vector<Problem> notes;
  try {
    auto const platform = load_platform(pool_file.parent_path() / pool.platform);
    add_platform(document, platform, pool);
    for (std::string const& note : platform.notes) {
      notes.push_back({document.at("platform"), "platform: " + note, "", ""});
    }
  } catch (InputError const& error) {
    for (Problem const& problem : error.problems()) {
      std::string const file = problem.where.file.empty() ? "" : problem.where.file + ": ";
      document.complain("platform", file + problem.what, problem.why, problem.hint);
    }
  }
  return notes;
}

}  // namespace

std::optional<Version> parse_version(std::string_view text) {
  Version version;
  auto const* at = text.data();
  auto const* const end = at + text.size();
  for (std::size_t part = 0; part < version.parts.size(); ++part) {
    auto const [stop, error] = std::from_chars(at, end, version.parts[part]);
    if (error != std::errc() || version.parts[part] < 0) return std::nullopt;
    if (stop == end) return part > 0 ? std::optional(version) : std::nullopt;
    if (*stop != '.') return std::nullopt;
    at = stop + 1;
  }
  return std::nullopt;
}

std::string to_text(Version const& version) {
  auto const& [major, minor, patch] = version.parts;
  return fmt::format("{}.{}.{}", major, minor, patch);
}

std::string older_than_known(Software const& software) {
  constexpr Version first_known{{7, 10, 0}};
  if (!software.pelican || *software.pelican >= first_known) return "";
  return fmt::format("the rules of Pelican {} are not known, only those from 7.10 on",
                     to_text(*software.pelican));
}

Software software_of(Software const& own, Software const& usual) {
  return {own.htcondor ? own.htcondor : usual.htcondor, own.pelican ? own.pelican : usual.pelican};
}

Table<Software> const& software_table() {
  static Table<Software> const table =
      Table<Software>("Versions, which set the open keys of transfers and retries")
          .add({"htcondor", Form::text, "Version of access and execution points, such as 23.9.6"},
               read_version<&Software::htcondor>, write_version<&Software::htcondor>)
          .labelled("Version of HTCondor")
          .add({"pelican", Form::text, "Version of the client in the pilots, such as 7.10"},
               read_version<&Software::pelican>, write_version<&Software::pelican>)
          .labelled("Version of Pelican");
  return table;
}

Table<PoolEntries> const& pool_table() {
  static Table<PoolEntries> const table =
      Table<PoolEntries>("A pool: where jobs can run, and the path to their data")
          .schema(pool_schema_name)
          .optional("platform", &Pool::platform,
                    "A SimGrid platform file, in place of sites: SimGrid loads it, and sites, "
                    "hosts, links and bandwidths are from it, as are caches, origin and access "
                    "point without keys of their own (docs/simgrid.md)")
          .list("sites", &PoolEntries::entries, site_table(), false)
          .list("caches", &Pool::caches, cache_table(), false)
          .group("origin", false, &Pool::origin, origin_table())
          .group("access_point", false, &Pool::access_point, access_point_table())
          .group("negotiator", false, &Pool::negotiator, negotiator_table())
          .group("pilots", false, &Pool::pilots, pilot_table())
          .group("software", false, &Pool::software, software_table());
  return table;
}

PoolFile read_pool_file(std::filesystem::path const& file, std::string const& text,
                        std::vector<Override> const& overrides) {
  PoolFile read{YamlDocument(file, text)};
  YamlDocument& document = read.document;
  apply_overrides(overrides, document);
  if (!check_schema(document, pool_schema_name)) return read;

  PoolEntries entries;
  pool_table().read({document, document.root(), ""}, entries);
  if (!entries.platform.empty()) {
    read.notes = read_platform(document, file, entries);
  } else if (!document.has("sites")) {
    document.add(document.at(""), "key 'sites' is missing",
                 "a pool has sites, or a SimGrid 'platform' that contains them", "");
  }
  unique_names(document, "sites", entries.entries);
  auto const caches = unique_names(document, "caches", entries.caches);
  for (std::size_t i = 0; i < entries.entries.size(); ++i) {
    find_caches(document, fmt::format("sites[{}]", i), entries.entries[i], caches);
  }
  check_watermarks(document, entries.caches);
  check_pilots(document, entries);
  if (entries.platform.empty()) check_data_path(document, entries.entries);
  check_nodes(document, entries.entries);

  read.pool = entries;
  read.pool.sites.assign(entries.entries.begin(), entries.entries.end());
  return read;
}

Pool read_pool(std::filesystem::path const& file) {
  PoolFile read = read_pool_file(file, read_text_file(file));
  if (read.document.has_problems()) throw InputError(read.document.problems());
  return std::move(read.pool);
}

}  // namespace gridcast::scenario

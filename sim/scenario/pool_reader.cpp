#include "sim/scenario/pool_reader.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "sim/base/closest.hpp"
#include "sim/base/files.hpp"
#include "sim/scenario/tables.hpp"

namespace gridcast::scenario {
namespace {

void complain(YamlDocument& document, std::string const& path, std::string const& what,
              std::string why, std::string hint = "") {
  document.add(document.at(path), path + ": " + what, std::move(why), std::move(hint));
}

/// Names of a list's entries, to their positions; complains of repeated ones. An entry whose name
/// could not be read has been complained of already.
template <class Spec>
std::map<std::string, std::size_t> unique_names(YamlDocument& document, std::string const& list,
                                                std::vector<Spec> const& specs) {
  std::map<std::string, std::size_t> names;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (specs[i].name.empty() || names.emplace(specs[i].name, i).second) continue;
    complain(document, fmt::format("{}[{}].name", list, i),
             fmt::format("'{}' is given twice", specs[i].name), "names are what tells them apart");
  }
  return names;
}

std::vector<std::string> keys_of(std::map<std::string, std::size_t> const& names) {
  std::vector<std::string> keys;
  for (auto const& [name, index] : names) keys.push_back(name);
  return keys;
}

/// Which caches the site's names mean.
void find_caches(YamlDocument& document, std::string const& path, SiteEntry& site,
                 std::map<std::string, std::size_t> const& caches) {
  for (std::size_t i = 0; i < site.cache_names.size(); ++i) {
    std::string const& name = site.cache_names[i];
    if (name.empty()) continue;
    auto const found = caches.find(name);
    if (found == caches.end()) {
      complain(document, fmt::format("{}.caches[{}]", path, i),
               fmt::format("unknown cache '{}'", name), "", suggestion(name, keys_of(caches)));
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
    complain(document, low,
             fmt::format("{} is not below the high watermark, {}", caches[i].low_watermark,
                         caches[i].high_watermark),
             "a purge goes from the high one down to the low one");
  }
}

void check_walltime(YamlDocument& document, std::string const& path, Seconds walltime,
                    Seconds min_remaining) {
  if (document.is_bad(path) || document.is_bad("pilots.min_remaining")) return;
  if (walltime > min_remaining + shortest_acceptance) return;
  complain(document, path, fmt::format("'{}' is too short", to_text(walltime)),
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
    std::string const path = fmt::format("sites[{}].gpus_per_node", i);
    if (document.is_bad(path) || site.gpus == 0 || site.gpus_per_node <= site.gpus) continue;
    complain(document, path, fmt::format("{} is more than the site has", site.gpus_per_node),
             fmt::format("its GPUs are {}", site.gpus));
  }
}

// A pool that is known from dated logs has nothing but slots: its transfers do not share links.
bool only_slots(std::vector<SiteEntry> const& sites) {
  return !sites.empty() && std::all_of(sites.begin(), sites.end(),
                                       [](SiteSpec const& site) { return site.slots > 0; });
}

void check_data_path(YamlDocument& document, std::vector<SiteEntry> const& sites) {
  if (only_slots(sites)) return;
  for (char const* key : {"caches", "origin"}) {
    if (document.has(key)) continue;
    document.add(document.at(""), fmt::format("key '{}' is missing", key),
                 "only pools whose sites all have 'slots' go without it", "");
  }
}

}  // namespace

PoolFile read_pool_file(std::filesystem::path const& file, std::string const& text,
                        std::vector<Override> const& overrides) {
  PoolFile read{YamlDocument(file, text), {}};
  YamlDocument& document = read.document;
  apply_overrides(overrides, document);
  if (!check_schema(document, pool_schema_name)) return read;

  PoolEntries entries;
  pool_table().read({document, document.root(), ""}, entries);
  unique_names(document, "sites", entries.entries);
  auto const caches = unique_names(document, "caches", entries.caches);
  for (std::size_t i = 0; i < entries.entries.size(); ++i) {
    find_caches(document, fmt::format("sites[{}]", i), entries.entries[i], caches);
  }
  check_watermarks(document, entries.caches);
  check_pilots(document, entries);
  check_data_path(document, entries.entries);
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

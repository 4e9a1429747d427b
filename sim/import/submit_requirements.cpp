#include "sim/import/submit_requirements.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/text.hpp"
#include "sim/scenario/campaign.hpp"

namespace gridcast::import {
namespace {

using Parts = std::vector<std::string>;

constexpr Bytes gpu_memory_unit = Bytes(1048576);  // GlobalMemoryMb

bool names(Parts const& attributes, std::string_view name) {
  return std::ranges::any_of(attributes,
                             [name](auto const& each) { return same_ignoring_case(each, name); });
}

/// The text in the parentheses around all of it; nothing if there are none.
std::optional<std::string> in_parentheses(std::string const& condition) {
  if (!condition.starts_with('(') || !condition.ends_with(')')) return std::nullopt;
  std::string inner(trim(std::string_view(condition).substr(1, condition.size() - 2)));
  try {
    classad::parse(inner);
  } catch (InputError const&) {
    return std::nullopt;  // (a) && (b)
  }
  return inner;
}

/// Conditions that all have to hold.
Parts parts_of(std::string const& condition) {
  auto const inner = in_parentheses(condition);
  Parts parts = inner ? parts_of(*inner) : classad::conjuncts(condition);
  if (parts.size() < 2) return {condition};
  if (inner) return parts;
  Parts all;
  for (std::string const& part : parts) {
    Parts const own = parts_of(part);
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

std::string conjunction(Parts parts) {
  if (parts.size() > 1) {
    for (std::string& part : parts) {
      bool const loose = classad::conjuncts(part + " && true").size() < 2;
      if (loose) part = fmt::format("({})", part);
    }
  }
  return fmt::format("{}", fmt::join(parts, " && "));
}

/// The condition with the slot's name of a GPU's device. Slots have GPUs_DeviceName (before
/// HTCondor 9.8 CUDADeviceName); DeviceName alone is an attribute of a GPU, for require_gpus.
std::string on_device_of_slot(SubmitReading& reading, condor::SubmitValue const& value,
                              std::string const& condition) {
  static constexpr std::string_view of_slot = "GPUs_DeviceName";
  std::string other;
  auto text =
      classad::with_references(condition, [&other](std::string_view scope, std::string_view name) {
        bool const device =
            same_ignoring_case(name, "DeviceName") || same_ignoring_case(name, "CUDADeviceName");
        if (device) other = name;
        return fmt::format("{}{}{}", scope, scope.empty() ? "" : ".", device ? of_slot : name);
      });
  if (other.empty()) return condition;
  reading.recommend(value.where, fmt::format("requirements: {} is taken as {}, which slots have "
                                             "since HTCondor 9.8. Write that name",
                                             other, of_slot));
  return text;
}

/// The host of `Machine != "HOST"`, the clause that ledger --black-holes prints.
std::optional<std::string> excluded_host(std::string const& part) {
  std::string const clause = in_parentheses(part).value_or(part);
  auto const quote = clause.find('"');
  if (quote == clause.npos || !clause.ends_with('"') || quote + 1 == clause.size()) return {};
  std::string before;
  for (char const letter : clause.substr(0, quote)) {
    if (letter != ' ') before += lower(letter);
  }
  if (before.starts_with("target.")) before.erase(0, std::string_view("target.").size());
  if (before != "machine!=" && before != "machine=!=") return {};
  std::string const host = clause.substr(quote + 1, clause.size() - quote - 2);
  if (host.find('"') != host.npos) return {};
  return host;
}

/// The parts of an expression that mean something to simulated slots; the others are noted.
void keep_known(SubmitReading& reading, Parts& kept) {
  condor::SubmitValue const* const value = reading.find("requirements");
  if (!value) return;
  Rule const whole = parsed(reading, "requirements", *value);
  if (!whole) return;
  for (std::string const& part : parts_of(whole->text())) {
    std::string const on_slot = on_device_of_slot(reading, *value, part);
    auto const unknown = scenario::unknown_names(classad::parse(on_slot), true);
    if (unknown.empty()) {
      kept.push_back(on_slot);
    } else {
      auto const note = fmt::format("requirements: {} left out: simulated slots have no {}", part,
                                    fmt::join(unknown, ", "));
      reading.note(value->where, note);
      if (auto host = excluded_host(part))
        reading.result.excluded_hosts.push_back({std::move(*host), note});
    }
  }
}

/// An attribute of a GPU's ad as the slot has it; empty if it does not.
std::string_view gpu_property_of_slot(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> properties = {
      {{"Capability", "GPUs_Capability"},
       {"DeviceName", "GPUs_DeviceName"},
       {"GlobalMemoryMb", "GPUs_GlobalMemoryMb"}}};
  for (auto const& [of_gpu, of_slot] : properties) {
    if (same_ignoring_case(name, of_gpu)) return of_slot;
  }
  return {};
}

/// A condition on a GPU as one on the slot. Other names than the GPU's are the job's.
std::string condition_on_slot(std::string const& condition, Parts& unknown) {
  return classad::with_references(
      condition, [&unknown](std::string_view scope, std::string_view name) {
        auto const of_slot = gpu_property_of_slot(name);
        bool const of_gpu = scope.empty() || same_ignoring_case(scope, "MY");
        if (of_gpu && !of_slot.empty()) return std::string(of_slot);
        if (scope.empty() && scenario::is_job_attribute(name)) return std::string(name);
        if (!names(unknown, name)) unknown.emplace_back(name);
        return std::string(name);
      });
}

/// Returns the attributes of the GPU that it refers to: condor_submit adds no limits on these.
Parts keep_require_gpus(SubmitReading& reading, Parts& kept) {
  condor::SubmitValue const* const value = reading.find("require_gpus");
  if (!value) return {};
  Rule const whole = parsed(reading, "require_gpus", *value);
  if (!whole) return {};
  for (std::string const& part : parts_of(whole->text())) {
    Parts unknown;
    std::string condition = condition_on_slot(part, unknown);
    if (unknown.empty()) unknown = scenario::unknown_names(classad::parse(condition), true);
    if (unknown.empty()) {
      kept.push_back(std::move(condition));
    } else {
      reading.note(value->where,
                   fmt::format("require_gpus: {} left out: the GPUs of simulated slots have no {}",
                               part, fmt::join(unknown, ", ")));
    }
  }
  return whole->attributes();
}

/// A command that limits a property of GPUs.
struct GpuLimit {
  std::string command;
  std::string_view property;
};

/// Its number, in MiB if it is a size.
std::optional<double> limit_in(GpuLimit const& limit, condor::SubmitValue const& value) {
  if (limit.property != "GlobalMemoryMb") return submit_number(value.text);
  auto const size = submit_size(value.text, gpu_memory_unit);
  if (!size) return std::nullopt;
  return std::ceil(*size / gpu_memory_unit);
}

/// A limit if it is given, has a value and is not in require_gpus already.
std::optional<double> read_limit(SubmitReading& reading, GpuLimit const& limit,
                                 Parts const& required) {
  condor::SubmitValue const* const value = reading.find(limit.command);
  if (!value) return std::nullopt;
  auto const number = limit_in(limit, *value);
  if (!number || *number < 0) {
    reading.not_understood(limit.command, *value);
    return std::nullopt;
  }
  if (!names(required, limit.property)) return number;
  reading.note(value->where,
               fmt::format("{} = {} left out: require_gpus names {}, and condor_submit then adds "
                           "no limit of it",
                           limit.command, value->text, limit.property));
  return std::nullopt;
}

/// Limits of properties that simulated GPUs do not have.
void note_runtimes(SubmitReading& reading) {
  for (auto const& [command, attribute] : {std::pair("gpus_minimum_runtime", "MaxSupportedVersion"),
                                           std::pair("cuda_version", "CUDAMaxSupportedVersion")}) {
    condor::SubmitValue const* const value = reading.find(command);
    if (!value) continue;
    reading.note(value->where, fmt::format("{} = {} left out: the GPUs of simulated slots have no "
                                           "{}",
                                           command, value->text, attribute));
  }
}

/// condor_submit ignores requests on GPUs where no GPU is requested.
void note_without_gpus(SubmitReading& reading) {
  for (char const* const command :
       {"require_gpus", "gpus_minimum_capability", "gpus_maximum_capability", "gpus_minimum_memory",
        "gpus_maximum_memory", "gpus_minimum_runtime"}) {
    condor::SubmitValue const* const value = reading.find(command);
    if (!value) continue;
    reading.note(value->where, fmt::format("{} = {}: condor_submit ignores it without request_gpus",
                                           command, value->text));
  }
}

void keep_of_gpus(SubmitReading& reading, Parts& kept) {
  scenario::Request& request = reading.result.campaign.request;
  if (request.gpus == 0) return note_without_gpus(reading);
  Parts const required = keep_require_gpus(reading, kept);
  GpuLimit const least{"gpus_minimum_capability", "Capability"};
  GpuLimit const most{"gpus_maximum_capability", "Capability"};
  GpuLimit const least_memory{"gpus_minimum_memory", "GlobalMemoryMb"};
  GpuLimit const most_memory{"gpus_maximum_memory", "GlobalMemoryMb"};
  request.gpu_capability = read_limit(reading, least, required).value_or(0);
  request.gpu_memory = read_limit(reading, least_memory, required).value_or(0) * gpu_memory_unit;
  if (auto const number = read_limit(reading, most, required)) {
    kept.push_back(fmt::format("GPUs_Capability <= {}", *number));
  }
  if (auto const number = read_limit(reading, most_memory, required)) {
    kept.push_back(fmt::format("GPUs_GlobalMemoryMb <= {:.0f}", *number));
  }
  note_runtimes(reading);
}

/// The names in an attribute's text, or in a command's, which has its quotes or not. Nothing if it
/// is no text, which pilots take as if it were not given.
std::optional<Parts> site_names(std::string const& text, bool is_attribute) {
  bool const quoted = text.size() >= 2 && text.starts_with('"') && text.ends_with('"');
  std::string const list = unquoted(text);
  bool const plain = list.find_first_of("\"\\") == std::string::npos;
  if (!plain || (is_attribute && !quoted)) return std::nullopt;
  Parts sites;
  for (std::string const& name : split(list, ',')) {
    if (!trim(name).empty()) sites.emplace_back(trim(name));
  }
  if (sites.empty()) return std::nullopt;
  return sites;
}

std::string condition_on(std::string const& attribute, Parts const& sites) {
  return fmt::format("{}stringListMember(GLIDEIN_Site, \"{}\", \",\")",
                     attribute.starts_with("UN") ? "!" : "", fmt::join(sites, ","));
}

void keep_sites(SubmitReading& reading, std::string const& attribute, Parts& kept) {
  for (std::string const& command : {"+" + attribute, attribute}) {
    condor::SubmitValue const* const value = reading.find(command);
    if (!value) continue;
    auto const sites = site_names(std::string(trim(value->text)), command.starts_with('+'));
    if (!sites) return reading.not_understood(command, *value);
    kept.push_back(condition_on(attribute, *sites));
    reading.result.listed_sites.push_back({value->where, attribute, *sites});
    return;
  }
}

/// True if the pool's entry, of slots that a record shows, does not have the slot's
/// attribute.
bool is_unknown(scenario::SiteSpec const& site, std::string_view attribute) {
  if (site.slots == 0) return false;
  if (same_ignoring_case(attribute, "GPUs_DeviceName")) return site.gpu.empty();
  bool const memory = same_ignoring_case(attribute, "GPUs_GlobalMemoryMb") ||
                      same_ignoring_case(attribute, "CUDAGlobalMemoryMb");
  if (memory) return site.gpu_memory == Bytes();
  bool const capability = same_ignoring_case(attribute, "GPUs_Capability") ||
                          same_ignoring_case(attribute, "CUDACapability");
  return capability && site.gpu_capability == 0;
}

/// The condition, which also holds where the requested property is unknown.
std::string where_known(std::string const& condition, Parts const& attributes) {
  std::string text;
  for (std::string const& each : attributes) text += fmt::format("{} =?= undefined || ", each);
  return fmt::format("{}({})", text, in_parentheses(condition).value_or(condition));
}

Parts resources_of(scenario::Pool const& pool) {
  std::set<std::string> names;
  for (auto const& site : pool.sites) names.insert(scenario::resource_name(site));
  return Parts(names.begin(), names.end());
}

/// A list of GLIDEIN_Site by the pool's names, which are those of resources. A name that the pool
/// lacks stands for the resources that begin with it: those of the site CHTC are called
/// CHTC-Spark-CE1 and the like.
struct FittedSites {
  Parts sites = {};    // resources of the pool
  Parts taken = {};    // "CHTC is taken for CHTC-Spark-CE1"
  Parts missing = {};  // no resource of the pool
};

FittedSites fitted(Parts const& listed, Parts const& resources) {
  FittedSites fitted;
  for (std::string const& name : listed) {
    Parts found;
    for (std::string const& resource : resources) {
      if (resource == name) found = {resource};
      if (names(found, name)) break;
      bool const begins = resource.size() > name.size() &&
                          same_ignoring_case(resource.substr(0, name.size()), name) &&
                          std::isalnum(static_cast<unsigned char>(resource[name.size()])) == 0;
      if (begins || same_ignoring_case(resource, name)) found.push_back(resource);
    }
    bool const exact = found == Parts{name};
    if (found.empty()) fitted.missing.push_back(name);
    if (!exact && !found.empty()) {
      fitted.taken.push_back(fmt::format("{} is taken for {}", name, fmt::join(found, ", ")));
    }
    fitted.sites.insert(fitted.sites.end(), found.begin(), found.end());
  }
  return fitted;
}

/// Puts another condition in the place of one; none if it is empty.
void replace_part(Rule& requirements, std::string const& part, std::string const& other) {
  if (!requirements) return;
  Parts parts = parts_of(requirements->text());
  auto const found = std::ranges::find(parts, part);
  if (found == parts.end()) return;
  *found = other;
  std::erase(parts, "");
  requirements = parts.empty() ? Rule() : Rule(classad::parse(conjunction(parts)));
}

/// A list of a hundred sites is one of CMS's.
std::string first_of(Parts const& names) {
  constexpr std::size_t most = 6;
  if (names.size() <= most + 1) return fmt::format("{}", fmt::join(names, ", "));
  Parts const first(names.begin(), names.begin() + most);
  return fmt::format("{} and {} others", fmt::join(first, ", "), names.size() - most);
}

/// The condition of a list of sites, with the pool's names. If no entry of the pool is of a desired
/// site, the jobs may run at all: nothing else can be forecast.
void fit_sites(SubmitImport& import, ListedSites const& list, Parts const& resources) {
  FittedSites const fit = fitted(list.sites, resources);
  auto const note = [&](std::string what) {
    import.notes.push_back({list.where, list.attribute + ": " + std::move(what),
                            condor::SubmitTopic::other, condor::SubmitAction::recommended});
  };
  if (!fit.taken.empty()) note(fmt::format("{}", fmt::join(fit.taken, "; ")));
  bool const none = fit.sites.empty();
  if (!fit.missing.empty()) {
    bool const ignored = none && list.attribute == "DESIRED_Sites";
    note(fmt::format("no site of the pool is called {}{}", first_of(fit.missing),
                     ignored ? fmt::format("; ignored: the jobs may run at all of its sites ({})",
                                           first_of(resources))
                             : std::string()));
  }
  std::string const before = condition_on(list.attribute, list.sites);
  std::string const after = none ? "" : condition_on(list.attribute, fit.sites);
  replace_part(import.strategy.retry.policy.requirements, before, after);
  for (auto& each : import.campaign.requests) replace_part(each.requirements, before, after);
}

void fit_rule(SubmitImport& import, scenario::Request const& request, Rule& requirements,
              scenario::Pool const& pool, std::filesystem::path const& submit_file) {
  bool const some_have_none =
      request.gpus == 0 &&
      std::ranges::any_of(pool.sites, [](scenario::SiteSpec const& s) { return s.gpus > 0; });
  if (!requirements || some_have_none) return;
  auto const matching = scenario::matching_sites(pool, request);
  Parts parts = parts_of(requirements->text());
  bool changed = false;
  for (std::string& part : parts) {
    Parts attributes;
    auto const count = std::ranges::count_if(matching, [&](auto id) {
      bool any = false;
      for (std::string const& name : classad::parse(part).attributes()) {
        if (!is_unknown(pool.sites[id.index()], name)) continue;
        any = true;
        if (!names(attributes, name)) attributes.push_back(name);
      }
      return any;
    });
    if (count == 0) continue;
    import.notes.push_back(
        {{submit_file.string()},
         fmt::format(
             "requirements: {}: the pool does not list it for {} of the {} entries that the "
             "jobs match, so it is taken for met there",
             part, count, matching.size())});
    part = where_known(part, attributes);
    changed = true;
  }
  if (changed) requirements = classad::parse(conjunction(parts));
}

}  // namespace

void read_requirements(SubmitReading& reading, scenario::JobPolicy& policy) {
  Parts kept;
  keep_known(reading, kept);
  keep_of_gpus(reading, kept);
  keep_sites(reading, "DESIRED_Sites", kept);
  keep_sites(reading, "UNDESIRED_Sites", kept);
  if (!kept.empty()) policy.requirements = classad::parse(conjunction(kept));
}

void read_rank(SubmitReading& reading, scenario::JobPolicy& policy) {
  condor::SubmitValue const* const value = reading.find("rank");
  if (!value) return;
  Rule const rank = parsed(reading, "rank", *value);
  if (!rank) return;
  auto const unknown = scenario::unknown_names(*rank, true);
  if (unknown.empty()) {
    policy.rank = rank;
  } else {
    reading.note(value->where, fmt::format("rank = {} left out: simulated slots have no {}",
                                           value->text, fmt::join(unknown, ", ")));
  }
}

void avoid_excluded_hosts(SubmitImport& import, std::vector<std::string> const& recorded) {
  auto& avoided = import.strategy.match.avoid_hosts;
  for (ExcludedHost const& each : import.excluded_hosts) {
    if (!is_one_of(each.host, recorded)) continue;
    avoided.push_back(each.host);
    std::erase_if(import.notes, [&](auto const& note) { return note.what == each.note; });
  }
}

void fit_requirements(SubmitImport& import, scenario::Pool const& pool,
                      std::filesystem::path const& submit_file) {
  Parts const resources = resources_of(pool);
  for (ListedSites const& list : import.listed_sites) fit_sites(import, list, resources);
  scenario::Campaign& campaign = import.campaign;
  fit_rule(import, campaign.request, import.strategy.retry.policy.requirements, pool, submit_file);
  for (scenario::NamedRequest& each : campaign.requests) {
    fit_rule(import, each, each.requirements, pool, submit_file);
  }
}

}  // namespace gridcast::import

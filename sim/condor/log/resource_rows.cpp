#include "sim/condor/log/resource_rows.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "sim/base/text.hpp"
#include "sim/condor/log/scan.hpp"
#include "sim/condor/write/event_log_writer.hpp"

namespace gridcast::condor {
namespace {

using history::Resource;

constexpr int resources_code = 34;

bool has(std::string_view text, std::string_view words) {
  return text.find(words) != std::string_view::npos;
}

/// "peak usage: 4099 megabytes" behind "peak usage: ".
std::optional<double> number_behind(std::string_view text, std::string_view words) {
  auto const at = text.find(words);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + words.size());
  text = text.substr(0, text.find_first_not_of("0123456789."));
  auto const number = text_as<double>(text);
  return number && *number < 1e12 ? number : std::nullopt;
}

/// The resource that the text names first.
std::optional<Resource> first_resource(std::string_view text) {
  std::optional<Resource> first;
  auto least = std::string_view::npos;
  for (auto const& [word, resource] :
       {std::pair("disk", Resource::disk), std::pair("memory", Resource::memory),
        std::pair("cpu", Resource::cpus)}) {
    auto const at = text.find(word);
    if (at >= least) continue;
    least = at;
    first = resource;
  }
  return first;
}

using history::Resource;

/// True if it is a 004, 005 or 006 with a use.
bool says_something(RawEvent const& event) {
  if (event.number != 4 && event.number != 5 && event.number != 6) return false;
  return event.cpu_time || event.resources != history::ResourceAmounts();
}

constexpr double kib_bytes = 1024, mib_bytes = 1048576;

/// A resource as the log names it, and its unit there.
struct LoggedResource {
  std::string_view name;
  Resource resource;
  double unit;
};

constexpr LoggedResource logged[] = {{"Memory", Resource::memory, mib_bytes},
                                     {"Disk", Resource::disk, kib_bytes},
                                     {"Cpus", Resource::cpus, 1},
                                     {"GPUs", Resource::gpus, 1}};

LoggedResource const* resource_named(std::string_view name) {
  for (LoggedResource const& known : logged) {
    if (same_ignoring_case(known.name, name)) return &known;
  }
  return nullptr;
}

/// A number that an amount can be.
std::optional<double> amount_in(std::string_view text) {
  auto const number = text_as<double>(text);
  return number && *number >= 0 && *number < 1e15 ? number : std::nullopt;
}

/// The same of an attribute of an event, which counts others.
std::optional<double> amount_in(RawEvent& event, std::string_view text) {
  auto const amount = amount_in(text);
  bool const is_number = !text.empty() && text.find_first_not_of("0123456789.+-eE") == npos;
  if (!amount && is_number) ++event.amounts_not_understood;
  return amount;
}

void raise_to(std::optional<double>& known, double value) {
  known = std::max(known.value_or(value), value);
}

bool drop_ending(std::string_view& name, std::string_view ending) {
  if (name.size() < ending.size()) return false;
  std::size_t const rest = name.size() - ending.size();
  if (!same_ignoring_case(name.substr(rest), ending)) return false;
  name.remove_suffix(ending.size());
  return true;
}

/// Where each word of the table's first line ends: "Usage", "Request", "Allocated".
std::array<std::size_t, 3> column_ends(std::string_view header) {
  std::array<std::size_t, 3> ends = {0, 0, 0};
  std::string_view const words[] = {"Usage", "Request", "Allocated"};
  for (std::size_t i = 0; i < ends.size(); ++i) {
    auto const at = header.find(words[i]);
    if (at != npos) ends[i] = at + words[i].size();
  }
  return ends;
}

std::size_t nearest_column(std::array<std::size_t, 3> const& ends, std::size_t end) {
  std::size_t best = 0;
  auto const distance = [&](std::size_t i) {
    return ends[i] > end ? ends[i] - end : end - ends[i];
  };
  for (std::size_t i = 1; i < ends.size(); ++i) {
    if (ends[i] != 0 && distance(i) < distance(best)) best = i;
  }
  return best;
}

/// Seconds of "Usr 0 01:02:03": days, then hours, minutes, seconds.
std::optional<double> cpu_seconds(std::string_view text, std::string_view before) {
  auto const at = text.find(before);
  if (at == npos) return std::nullopt;
  text.remove_prefix(at + before.size());
  double seconds = 0;
  constexpr std::pair<double, std::string_view> parts[] = {
      {86400, " "}, {3600, ":"}, {60, ":"}, {1, ""}};
  for (auto const& [unit, behind] : parts) {
    auto const number = scan::integer(text);
    if (!number || *number < 0 || !scan::eat(text, behind)) return std::nullopt;
    seconds += unit * static_cast<double>(*number);
  }
  return seconds;
}

void take_cpu_time(RawEvent& event, std::string_view usage) {
  auto const user = cpu_seconds(usage, "Usr "), system = cpu_seconds(usage, "Sys ");
  if (user && system) event.cpu_time = Seconds(*user + *system);
}

}  // namespace

std::optional<ExceededRequest> exceeded_request(std::optional<int> code, std::string_view reason) {
  std::string const text = lower(reason);
  bool const by_rule = (has(text, "exceed") || has(text, "excessive")) &&
                       (has(text, "request_") || has(text, "requested "));
  // The owner's: "The job attribute PeriodicHold expression 'ResidentSetSize/1024.0 >
  // RequestMemory' evaluated to TRUE".
  bool const by_expression =
      has(text, "evaluated to true") && (has(text, "requestmemory") || has(text, "requestdisk"));
  if (code != resources_code && !by_rule && !by_expression) return std::nullopt;
  auto const resource = first_resource(text);
  if (!resource) return std::nullopt;
  ExceededRequest exceeded{*resource};
  constexpr double mebibyte = 1048576;
  bool const is_cpus = *resource == Resource::cpus;
  if (!is_cpus && !has(text, "megabytes")) return exceeded;
  auto const numbers =
      is_cpus
          ? std::pair(number_behind(text, "used "), number_behind(text, "usage "))
          : std::pair(number_behind(text, "peak usage: "), number_behind(text, "memory limit of "));
  for (auto const& number : {numbers.first, numbers.second}) {
    if (number) exceeded.used = std::max(exceeded.used.value_or(0), *number);
  }
  if (exceeded.used && !is_cpus) *exceeded.used *= mebibyte;
  return exceeded;
}

void mark_exceeded(history::ResourceAmounts& amounts, ExceededRequest const& exceeded) {
  history::ResourceAmount& amount = amounts[exceeded.resource];
  amount.exceeded = true;
  for (auto const& least : {exceeded.used, amount.requested}) {
    if (least) amount.used = std::max(amount.used.value_or(*least), *least);
  }
}

void ResourceUses::add(RawEvent const& event, Seconds at) {
  bool const simulated = event.number == 0 && event.reason == simulated_note;
  if ((event.number == 0 && !simulated) || event.of_cluster) return;
  OfJob& job = jobs_[std::uint64_t{event.job.cluster} << 32U | event.job.proc];
  job.simulated = job.simulated || simulated;
  job.open.job = event.job;
  if (event.number == 1) {
    close(job);
    job.slot = event.resources;
    job.last = no_use;
  }
  if (says_something(event)) {
    job.is_open = true;
    job.open.at = at;
    job.open.amounts.merge(event.resources);
    if (event.cpu_time && !job.simulated) job.open.cpu_time = event.cpu_time;
  }
  // retry_request_memory makes the schedd evict such a job instead of holding it.
  if (event.number == 12 || event.number == 4) return note_limit(job, event, at);
  bool const ends =
      event.number == 5 || event.number == 7 || event.number == 9 || event.number == 24;
  if (ends) close(job);
}

void ResourceUses::note_limit(OfJob& job, RawEvent const& event, Seconds at) {
  if (job.is_open) job.open.at = at;
  close(job);
  auto const exceeded = exceeded_request(event.code, event.reason);
  if (!exceeded) return;
  if (job.last == no_use) {
    job.last = uses_.size();
    uses_.push_back({.job = event.job, .at = at, .amounts = job.slot});
  }
  mark_exceeded(uses_[job.last].amounts, *exceeded);
}

void ResourceUses::close(OfJob& job) {
  if (!job.is_open) return;
  JobName const name = job.open.job;
  job.open.amounts.merge(job.slot);
  job.last = uses_.size();
  uses_.push_back(std::exchange(job.open, {.job = name}));
  job.is_open = false;
}

std::vector<history::ResourceUse> ResourceUses::take() {
  for (auto& [name, job] : jobs_) close(job);
  std::ranges::stable_sort(uses_, [](auto const& a, auto const& b) {
    return std::pair(a.job, a.at) < std::pair(b.job, b.at);
  });
  return std::move(uses_);
}

bool read_resource_row(RawEvent& event, std::string_view row, std::string_view header) {
  auto const colon = row.find(" :");
  std::string_view name = trim(row.substr(0, colon));
  name = trim(name.substr(0, name.find('(')));
  LoggedResource const* const known = resource_named(name);
  if (known == nullptr || colon == npos) return true;
  history::ResourceAmount& amounts = event.resources[known->resource];
  std::optional<double>* const columns[] = {&amounts.used, &amounts.requested, &amounts.allocated};
  auto const ends = column_ends(header);
  row = row.substr(0, row.find('"'));
  bool possible = true;
  for (std::size_t at = row.find_first_not_of(" \t", colon + 2); at != npos;
       at = row.find_first_not_of(" \t", at)) {
    std::size_t const end = std::min(row.size(), row.find_first_of(" \t", at));
    std::string_view const cell = row.substr(at, end - at);
    auto const number = amount_in(cell);
    if (number) *columns[nearest_column(ends, end)] = *number * known->unit;
    possible = possible && (number || !text_as<double>(cell));
    at = end;
  }
  return possible;
}

void read_usage_figure(RawEvent& event, std::string_view figure) {
  auto const dash = figure.find("  -  ");
  if (dash == npos) return;
  std::string_view const what = figure.substr(dash + 5);
  std::string_view const value = figure.substr(0, dash);
  if (what.starts_with("Run Remote Usage")) return take_cpu_time(event, value);
  if (event.number != 6) return;
  if (what.starts_with("MemoryUsage")) read_resource_attribute(event, "MemoryUsage", value);
  if (what.starts_with("ResidentSetSize")) read_resource_attribute(event, "ResidentSetSize", value);
}

void read_resource_attribute(RawEvent& event, std::string_view name, std::string_view value) {
  if (same_ignoring_case(name, "RunRemoteUsage")) return take_cpu_time(event, value);
  if (same_ignoring_case(name, "ResidentSetSize")) {
    auto const number = amount_in(event, value);
    if (number) raise_to(event.resources[Resource::memory].used, *number * kib_bytes);
    return;
  }
  bool const requested = scan::eat_name(name, "Request");
  bool const used = !requested && drop_ending(name, "Usage");
  if (used) drop_ending(name, "Average");
  LoggedResource const* const known = resource_named(name);
  auto const number = known != nullptr ? amount_in(event, value) : std::nullopt;
  if (!number) return;
  history::ResourceAmount& amounts = event.resources[known->resource];
  if (used) return raise_to(amounts.used, *number * known->unit);
  (requested ? amounts.requested : amounts.allocated) = *number * known->unit;
}

}  // namespace gridcast::condor

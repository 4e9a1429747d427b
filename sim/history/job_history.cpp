#include "sim/history/job_history.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/text.hpp"

namespace gridcast::history {
namespace {

struct ReasonRow {
  std::string_view name;
  HoldCode hold;
};

constexpr int time_expired = 62;  // ETIME: a plugin that ran out of time
constexpr int failed = permanent_failure;
constexpr int no_such_file = 2;  // ENOENT

// In the order of Reason.
constexpr std::array<ReasonRow, reason_count> reason_rows = {{
    {"none", {}},
    {"transfer_stalled", {13, time_expired}},
    {"transfer_failed", {13, failed}},
    {"not_found", {13, failed}},
    {"no_progress", {13, failed}},
    {"input_too_large", {32, 0}},
    {"execution_too_long", {47, 0}},
    {"pilot_ended", {}},
    {"site_network_down", {}},
    {"corrupt_input", {}},
    {"manual", {1, 0}},
    {"policy", {3, 0}},
    {"transfer_timeout", {13, time_expired}},
    {"output_missing", {12, no_such_file}},
    {"output_failed", {12, failed}},
    {"checkpoint_failed", {36, 0}},
    {"exit_code", {}},
    {"killed_by_signal", {}},
    {"vacated", {}},
    {"lost_contact", {}},
    {"out_of_resources", {34, 0}},
    {"job_too_long", {46, 0}},
    {"system", {}},
    {"unknown", {}},
    {"not_begun", {}},
    {"end_not_recorded", {}},
    {"node_failed", {}},
}};

ReasonRow const& row_of(Reason reason) { return reason_rows[static_cast<std::size_t>(reason)]; }

/// Of "192.0.2.7:9618", "node7.example:9618" and "[2001:db8::7]:9618"; an address of IPv6 has
/// several colons.
std::string without_port(std::string const& host) {
  if (host.starts_with('[')) return host.substr(1, host.find(']') - 1);
  bool const has_port = std::ranges::count(host, ':') == 1;
  return has_port ? host.substr(0, host.find(':')) : host;
}

// The first stands for those that the source does not name.
bool has_name(JobHistory const& history, std::uint32_t slot) {
  return slot > 0 && slot < history.slots.size() && !history.slots[slot].empty();
}

constexpr std::size_t fewest = 3;
constexpr double same_share = 0.005;
constexpr Seconds same_time = minutes(1), shortest = minutes(10);

struct Execution {
  Seconds began, length;
  Id<Site> site;
  std::uint32_t end = 0;  // its event
  bool cut_off = false;   // without a result, and without another reason
};

bool may_be_limit(JobEvent const& event) {
  using enum Reason;
  if (!is_one_of(event.reason, {none, unknown, manual})) return false;
  // A program that fails by itself says so by its exit code.
  bool const stopped = event.kind == EventKind::terminated && !event.useful && event.exit_code == 0;
  bool const held = event.kind == EventKind::held && event.code == 0;
  return stopped || held || event.kind == EventKind::aborted;
}

std::vector<Execution> executions_of(JobHistory const& history) {
  std::vector<Execution> found;
  for (auto const& events : events_by_job(history)) {
    JobEvent const* began = nullptr;
    for (std::uint32_t const index : events) {
      JobEvent const& event = history.events[index];
      if (event.kind == EventKind::executing) began = &event;
      if (!ends_attempt(event.kind) || began == nullptr) continue;
      found.push_back({began->at, event.at - began->at, began->site, index, may_be_limit(event)});
      began = nullptr;
    }
  }
  return found;
}

/// Those at the longest length of all that were cut off.
std::vector<Execution> at_one_length(std::vector<Execution> const& all) {
  Seconds longest;
  for (Execution const& each : all) {
    if (each.cut_off) longest = std::max(longest, each.length);
  }
  Seconds const near = std::max(same_time, same_share * longest);
  std::vector<Execution> found;
  for (Execution const& each : all) {
    if (each.cut_off && each.length >= longest - near) found.push_back(each);
  }
  std::set<Id<Site>> sites;
  for (Execution const& each : found) sites.insert(each.site);
  bool const outlived = std::ranges::any_of(all, [&](Execution const& each) {
    return sites.contains(each.site) && each.length > longest + near;
  });
  if (outlived || longest < shortest) found.clear();
  return found;
}

/// Those that began together count once: one shutdown may have ended them.
std::size_t apart(std::vector<Execution> executions) {
  std::ranges::sort(executions, {}, &Execution::began);
  std::size_t count = 0;
  Seconds last;
  for (Execution const& each : executions) {
    if (count > 0 && each.began - last < same_time) continue;
    ++count;
    last = each.began;
  }
  return count;
}

}  // namespace

std::string_view without_uuid(std::string_view node) {
  constexpr std::string_view form = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx_";
  if (node.size() <= form.size()) return node;
  for (std::size_t i = 0; i < form.size(); ++i) {
    bool const fits = form[i] == 'x' ? std::isxdigit(static_cast<unsigned char>(node[i])) != 0
                                     : node[i] == form[i];
    if (!fits) return node;
  }
  return node.substr(form.size());
}

std::string_view name(Resource resource) {
  constexpr std::array<std::string_view, resource_count> names = {"memory", "disk", "cpus", "gpus",
                                                                  "time"};
  return names[static_cast<std::size_t>(resource)];
}

void ResourceAmounts::merge(ResourceAmounts const& later) {
  auto const keep_higher = [](std::optional<double>& known, std::optional<double> const& value) {
    if (value) known = std::max(known.value_or(*value), *value);
  };
  for (Resource const resource : all_resources) {
    ResourceAmount& known = (*this)[resource];
    ResourceAmount const& more = later[resource];
    keep_higher(known.used, more.used);
    keep_higher(known.allocated, more.allocated);
    if (more.requested) known.requested = more.requested;
    known.exceeded = known.exceeded || more.exceeded;
  }
}

std::vector<RanProgram> ran_programs(JobHistory const& history, bool arguments_known) {
  constexpr std::size_t most = 100;
  auto const& labels = history.labels;
  bool const known = arguments_known || std::ranges::any_of(labels, [](auto& label) {
                       return !label.arguments.empty();
                     });
  std::vector<RanProgram> programs;
  std::vector<std::size_t> jobs;  // of each
  std::map<RanProgram, std::size_t> index;
  for (JobLabel const& label : labels) {
    if (label.executable.empty()) continue;
    RanProgram program{label.executable};
    if (known) program.arguments = label.arguments;
    auto const [at, first] = index.emplace(program, programs.size());
    if (first) {
      programs.push_back(std::move(program));
      jobs.push_back(0);
    }
    ++jobs[at->second];
  }
  std::ranges::stable_sort(programs, [&](auto const& a, auto const& b) {
    return jobs[index.at(a)] > jobs[index.at(b)];
  });
  if (programs.size() > most) programs.resize(most);
  return programs;
}

std::string program_of_node(std::string const& node) {
  std::string_view const name = without_uuid(node);
  return std::string(name.substr(0, name.find_last_not_of("0123456789_-.") + 1));
}

std::string program_of(JobHistory const& history, std::size_t job) {
  if (job >= history.labels.size()) return {};
  JobLabel const& label = history.labels[job];
  if (!label.executable.empty()) return label.executable;
  return program_of_node(label.node);
}

std::string machine_of(JobHistory const& history, std::uint32_t slot) {
  if (slot == 0 && !history.slots.empty()) return {};
  std::string const name = host_name(history, slot);
  std::string host = name.substr(0, name.find(' '));
  if (host == "unknown") return {};
  return without_port(host);
}

std::string_view name(Reason reason) { return row_of(reason).name; }

HeldFor held_for(Reason reason) {
  using enum Reason;
  if (is_one_of(reason, {transfer_stalled, transfer_failed})) return HeldFor::failed_transfer;
  if (is_one_of(reason, {execution_too_long, job_too_long})) return HeldFor::time_limit;
  return reason == out_of_resources ? HeldFor::resources : HeldFor::other;
}

HoldCode hold_code(Reason reason) { return row_of(reason).hold; }

bool ended_by_stall_timer(JobEvent const& event) {
  return event.reason == Reason::transfer_stalled &&
         is_one_of(event.kind, {EventKind::evicted, EventKind::shadow_exception});
}

Ending ending_of(JobEvent const& event) {
  Ending ending{.kind = event.kind, .reason = event.reason};
  if (is_one_of(event.kind, {EventKind::requeued, EventKind::terminated})) {
    ending.exit_code = event.exit_code;
  } else {
    ending.code = event.code;
    ending.subcode = event.subcode;
  }
  return ending;
}

std::string to_text(JobName name) { return fmt::format("{}.{}", name.cluster, name.proc); }

std::string name_of_job(std::vector<JobName> const& jobs, std::vector<std::string> const& own_names,
                        std::size_t job) {
  bool const own = job < own_names.size() && !own_names[job].empty();
  return own ? own_names[job] : to_text(jobs[job]);
}

std::string name_of_job(JobHistory const& history, Id<Job> job) {
  return name_of_job(history.jobs, history.own_names, job.index());
}

Id<Site> JobHistory::site_named(std::string const& name) {
  auto const found = std::ranges::find(sites, name);
  auto const index = static_cast<std::size_t>(found - sites.begin());
  if (found == sites.end()) sites.push_back(name);
  return Id<Site>(index);
}

void JobHistory::settle_sites() {
  std::vector<Id<Site>> settled(sites.size());
  std::vector<std::string> kept;
  for (JobEvent const& event : events) {
    if (event.site.valid()) settled[event.site.index()] = event.site;
  }
  for (Id<Site>& site : settled) {
    if (!site.valid()) continue;
    kept.push_back(std::move(sites[site.index()]));
    site = Id<Site>(kept.size() - 1);
  }
  for (JobEvent& event : events) {
    if (event.site.valid()) event.site = settled[event.site.index()];
  }
  sites = std::move(kept);
}

std::uint16_t JobHistory::gpus_like(GpuShare const& share) {
  if (share == GpuShare()) return 0;
  auto const found = std::ranges::find(gpus, share);
  auto const index = static_cast<std::size_t>(found - gpus.begin());
  constexpr std::size_t most = 0xffff;
  if (index + 1 > most) return 0;
  if (found == gpus.end()) gpus.push_back(share);
  return static_cast<std::uint16_t>(index + 1);
}

void OccupiedSlots::add(std::size_t jobs, int slots) {
  std::size_t const first = until_.empty() ? 0 : until_.back().first;
  if (until_.empty() || until_.back().second != slots) until_.emplace_back(first, slots);
  until_.back().first = first + jobs;
}

int OccupiedSlots::of_several(Id<Job> job) const {
  auto const run = std::upper_bound(until_.begin(), until_.end(), job.index(),
                                    [](std::size_t j, auto const& r) { return j < r.first; });
  return run == until_.end() ? 1 : run->second;
}

GpuShare const* JobHistory::gpus_of(JobEvent const& event) const {
  GpuShare const* const share =
      event.gpus > 0 && event.gpus <= gpus.size() ? &gpus[event.gpus - 1U] : nullptr;
  return share != nullptr && (share->count || !share->model.empty()) ? share : nullptr;
}

int JobHistory::gpus_in_slot(std::size_t of) const {
  if (of == 0 || of > gpus.size()) return gpus_per_job;
  GpuShare const& share = gpus[of - 1];
  return share.count.value_or(share.usual > 0 ? share.usual : gpus_per_job);
}

void JobHistory::settle_gpus() {
  if (std::ranges::any_of(gpus, [](GpuShare const& share) { return share.count > 0; })) return;
  for (JobEvent& event : events) {
    if (event.gpus > 0 && event.gpus <= gpus.size() && gpus[event.gpus - 1U].is_none())
      event.gpus = 0;
  }
  for (GpuShare& share : gpus) {
    if (share.is_none()) share.count.reset();
  }
}

Seconds JobHistory::end() const {
  Seconds last = seen_until.value_or(Seconds());
  for (JobEvent const& event : events) last = std::max(last, event.at);
  return last;
}

std::vector<std::vector<std::uint32_t>> events_by_job(JobHistory const& history) {
  std::vector<std::vector<std::uint32_t>> lists(history.jobs.size());
  for (std::uint32_t i = 0; i < history.events.size(); ++i) {
    lists[history.events[i].job.index()].push_back(i);
  }
  return lists;
}

std::string slot_name(JobHistory const& history, std::uint32_t slot) {
  if (history.slots.empty()) return fmt::format("slot {}", slot);
  if (!has_name(history, slot)) return "unknown slot";
  std::string const& name = history.slots[slot];
  return name.front() == '@' ? name.substr(1) : name;
}

std::string host_name(JobHistory const& history, std::uint32_t slot) {
  if (!has_name(history, slot)) return "";
  std::string const name = slot_name(history, slot);
  auto const at = name.rfind('@');
  return at == std::string::npos ? name : name.substr(at + 1);
}

std::vector<std::vector<JobEvent>> events_of_jobs(JobHistory const& history) {
  std::vector<std::vector<JobEvent>> jobs(history.jobs.size());
  for (JobEvent const& event : history.events) jobs[event.job.index()].push_back(event);
  return jobs;
}

JobHistory only(JobHistory all, std::vector<bool> const& kept) {
  std::vector<std::uint32_t> number(kept.size());
  JobHistory some = all;
  some.events.clear();
  some.transfers.clear();
  for (std::size_t job = 1; job < kept.size(); ++job) number[job] = number[job - 1] + kept[job - 1];
  auto const keep = [&kept](auto& of_jobs) {
    std::size_t job = 0;
    std::erase_if(of_jobs, [&](auto const&) { return !kept[job++]; });
  };
  keep(some.jobs);
  keep(some.labels);
  keep(some.own_names);
  keep(some.users);
  keep(some.unrecorded);
  keep(some.ends);
  for (JobEvent event : all.events) {
    if (!kept[event.job.index()]) continue;
    event.job = Id<Job>(number[event.job.index()]);
    some.events.push_back(event);
  }
  for (UrlTransfer& transfer : all.transfers) {
    if (!kept[transfer.job.index()]) continue;
    transfer.job = Id<Job>(number[transfer.job.index()]);
    some.transfers.push_back(std::move(transfer));
  }
  return some;
}

std::string mark_time_limits(JobHistory& history) {
  if (!history.dated) return "";
  auto const cut_off = at_one_length(executions_of(history));
  if (apart(cut_off) < fewest) return "";
  std::set<std::string> sites;
  Seconds longest;
  for (Execution const& each : cut_off) {
    history.events[each.end].reason = Reason::execution_too_long;
    longest = std::max(longest, each.length);
    if (each.site.valid()) sites.insert(history.sites[each.site.index()]);
  }
  constexpr std::size_t most_named = 3;
  std::string const where = sites.empty() || sites.size() > most_named
                                ? ""
                                : fmt::format(" at {}", fmt::join(sites, ", "));
  return fmt::format(
      "{} ended after {}{} without a result, and none was longer: a time limit of {}\n",
      counted(cut_off.size(), "execution"), to_text(longest), where, to_text(longest));
}

}  // namespace gridcast::history

#include "sim/condor/log/log_history.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/units.hpp"
#include "sim/history/job_table.hpp"

namespace gridcast::condor {
namespace {

// How long after a job's end something more of it is waited for.
constexpr std::int64_t rest_after_ms = 120'000;

constexpr std::int64_t second = 1000;

std::optional<Bytes> bytes_of(std::optional<std::int64_t> const& n) {
  return n && *n >= 0 ? std::optional(Bytes(static_cast<double>(*n))) : std::nullopt;
}

std::uint64_t key_of(JobName name) { return std::uint64_t{name.cluster} << 32U | name.proc; }

}  // namespace

LogHistory::LogHistory(LogWarnings& warnings, Sink sink)
    : warnings_(warnings),
      sink_(std::move(sink)),
      keeps_(false),
      context_{execution_points_,
               [this](JobEvent event, std::int64_t at_ms, AttemptPlace const* place) {
                 emit(event, at_ms, place);
               },
               [this](history::MovedBytes const& moved, AttemptPlace const* place) {
                 count_bytes(moved, place);
               },
               [this](std::string_view what, LogNote const& note) {
                 warnings_.add(what, note.line, note.file);
               }},
      places_{{}} {
  history_.slots.emplace_back("unknown");
}

LogHistory::LogHistory(LogWarnings& warnings)
    : LogHistory(warnings, [this](JobEvent const& event) { history_.events.push_back(event); }) {
  keeps_ = true;
}

std::uint32_t LogHistory::job_named(JobName name) {
  if (!jobs_.empty() && name == last_name_) return last_job_;
  auto const found = job_index_.find(key_of(name));
  if (found == job_index_.end()) return new_job(name);
  last_name_ = name;
  return last_job_ = found->second;
}

std::uint32_t LogHistory::new_job(JobName name) {
  auto const index = static_cast<std::uint32_t>(jobs_.size());
  job_index_[key_of(name)] = index;
  jobs_.emplace_back(Id<history::Job>(index));
  repeated_.emplace_back();
  history_.jobs.push_back(name);
  last_name_ = name;
  return last_job_ = index;
}

Id<history::Site> LogHistory::new_site(std::string_view name) {
  Id<history::Site> const site(history_.sites.size());
  history_.sites.emplace_back(name);
  site_index_.emplace(name, site);
  return site;
}

void LogHistory::place_note(LogNote& note, RawEvent const& event) {
  if (!event.site.empty()) {
    auto const found = site_index_.find(event.site);
    note.site = found != site_index_.end() ? found->second : new_site(event.site);
  }
  std::string_view slot = event.slot_name;
  if (slot.empty() && (event.number == 4 || event.number == 7 || event.number == 12)) {
    slot = slot_in_words(event.reason);
  }
  if (event.transfer == TransferStep::input_started) {
    note.place.starter = execution_points_.by_starter(event.host);
    if (!note.place.starter.valid()) note.place.address = execution_points_.by_address(event.host);
    note.place.slot_of_starter = slot_named_(slot_of_starter(event.host));
  } else if (event.number != 0 && !event.host.empty()) {
    note.place.address = execution_points_.by_address(event.host);
    execution_points_.on_host(note.place.address, host_of_slot(slot));
    constexpr int executing = 1;
    std::string_view const alias = host_of_address(event.host);
    bool const named = !host_of_slot(slot).empty() || (!alias.empty() && !is_address(alias));
    if (event.number == executing) ++(named ? on_named_hosts_ : on_addresses_);
  }
  if (slot.empty()) return;
  note.place.in_words = execution_points_.by_words(slot);
  note.place.slot = slot_named_(slot);
}

void LogHistory::add(RawEvent const& event, std::int64_t at_ms) {
  // Whole seconds put the dates of job ads on the same clock.
  if (!origin_ms_) origin_ms_ = at_ms - ((at_ms % second) + second) % second;
  if (event.of_cluster) return;
  note_post_script(event);
  auto note = note_of(event, at_ms);
  if (!note) return;
  note->file = warnings_.file();
  std::uint32_t index = job_named(event.job);
  if (jobs_[index].is_of_later_job(*note, context_)) {
    warnings_.add("a job's number was that of an earlier job; they count as two", note->line,
                  note->file);
    jobs_[index].abandon(context_);
    index = new_job(event.job);
  }
  if (repeated_[index].repeats(event, at_ms, last_ms_.value_or(at_ms))) {
    return warnings_.add("a job's events are in the log a second time; they are left out",
                         note->line, note->file);
  }
  at_ms = note->at_ms = on_steady_clock(*note, index);
  place_note(*note, event);
  note->gpus = gpus_of(event);
  note->without_gpus = note->gpus > 0 && history_.gpus[note->gpus - 1U].is_none();
  if (event.number == 4 || event.number == 5) {
    note->moved = {bytes_of(event.received).value_or(Bytes()),
                   bytes_of(event.sent).value_or(Bytes())};
  }
  add_names(event, index);
  warn_of_gap(*note);
  last_ms_ = std::max(last_ms_.value_or(at_ms), at_ms);
  if (keeps_) {
    keep_words(event, at_ms);
    keep_run(event, at_ms);
    uses_.add(event, Seconds(static_cast<double>(at_ms - *origin_ms_) / second));
  }
  if (jobs_[index].add(*note, context_)) resting_.push_back({at_ms, index});
  let_rest(at_ms);
}

// The time of a job's event if its file's clock was never set back.
std::int64_t LogHistory::on_steady_clock(LogNote const& note, std::uint32_t job) {
  if (note.file != stepped_file_) steps_ = {};
  stepped_file_ = note.file;
  ClockSteps::Time const time = steps_.next(note.at_ms, jobs_[job].latest_in(note.file));
  if (time.step_ms > 0) {
    warnings_.add(
        fmt::format("the clock was set back by {}: events from here on count as so much later, in "
                    "the order of the log",
                    to_text(Seconds(static_cast<double>(time.step_ms) / second))),
        note.line, note.file);
  }
  return time.at_ms;
}

// 001's; or how many the table of resources of 004 and 005 has: allocated, else requested. None
// where the slot's resources are listed without.
std::uint16_t LogHistory::gpus_of(RawEvent const& event) {
  constexpr double mebibyte = 1048576;
  if (event.number != 1 && event.number != 4 && event.number != 5) return 0;
  history::ResourceAmount const& row = event.resources[history::Resource::gpus];
  auto const whole = [](std::optional<double> const& number) {
    return static_cast<int>(std::min(number.value_or(0), 1e6));
  };
  int const requested = whole(row.requested);
  if (requested > 0) ++gpus_requested_[requested];
  int const in_slot = event.number == 1 ? event.gpus : whole(row.allocated);
  int const count = in_slot > 0 ? in_slot : requested;
  if (count == 0) return event.lists_resources ? history_.gpus_like({.count = 0}) : 0;
  return history_.gpus_like({std::string(event.gpu_model), count,
                             Bytes(event.gpu_memory_mb * mebibyte), event.gpu_capability});
}

// The table at the end of an attempt has its execution's GPUs; kept events get them
// there.
void LogHistory::set_executions_gpus() {
  std::vector<JobEvent*> executing(jobs_.size(), nullptr);
  for (JobEvent& event : history_.events) {
    JobEvent*& execution = executing[event.job.index()];
    if (event.kind == EventKind::executing) execution = &event;
    if (!history::ends_attempt(event.kind)) continue;
    if (execution != nullptr && event.gpus > 0) execution->gpus = std::exchange(event.gpus, 0);
    execution = nullptr;
  }
}

void LogHistory::note_post_script(RawEvent const& event) {
  constexpr int post_script_terminated = 16;
  if (event.node.empty()) return;
  std::string const node(event.node);
  // Another try of the node.
  if (event.number == 0) history_.post_scripts.erase(node);
  if (event.number == post_script_terminated) history_.post_scripts[node] = event.return_value == 0;
}

void LogHistory::add_names(RawEvent const& event, std::uint32_t job) {
  if (!event.node.empty()) label(job).node = event.node;
  if (!event.program.empty()) label(job).executable = event.program;
  if (event.user.empty()) return;
  if (history_.users.size() <= job) history_.users.resize(job + 1);
  history_.users[job] = event.user;
}

history::JobLabel& LogHistory::label(std::uint32_t job) {
  if (history_.labels.size() <= job) history_.labels.resize(job + 1);
  return history_.labels[job];
}

// The ends and holds that a person wants to know the reason of.
void LogHistory::keep_words(RawEvent const& event, std::int64_t at_ms) {
  constexpr std::size_t longest = 300, most = 100000;
  static std::map<int, EventKind> const with_details = {
      {4, EventKind::evicted}, {7, EventKind::shadow_exception}, {9, EventKind::aborted},
      {12, EventKind::held},   {22, EventKind::disconnected},    {24, EventKind::reconnect_failed}};
  auto const kind = with_details.find(event.number);
  if (kind == with_details.end() || event.reason.empty() || words_.size() == most) return;
  words_.push_back({event.job, kind->second,
                    Seconds(static_cast<double>(at_ms - *origin_ms_) / second),
                    std::string(event.reason.substr(0, longest))});
}

void LogHistory::keep_run(RawEvent const& event, std::int64_t at_ms) {
  if (event.number != 4 && event.number != 5) return;
  LoggedRun run{event.job, Seconds(static_cast<double>(at_ms - *origin_ms_) / second),
                bytes_of(event.sent), bytes_of(event.received)};
  if (run.sent || run.received) runs_.push_back(run);
}

void LogHistory::let_rest(std::int64_t now_ms) {
  while (!resting_.empty() && resting_.front().at_ms + rest_after_ms < now_ms) {
    jobs_[resting_.front().job].finish(now_ms, context_);
    resting_.pop_front();
  }
}

std::uint32_t LogHistory::place_index(SlotPlace const& place) {
  if (!place.known()) return 0;
  auto const index = static_cast<std::uint32_t>(places_.size());
  auto const [found, fresh] = place_index_.try_emplace(place, index);
  if (fresh) places_.push_back(place);
  return found->second;
}

void LogHistory::emit(JobEvent event, std::int64_t at_ms, AttemptPlace const* attempt) {
  event.at = Seconds(static_cast<double>(at_ms - *origin_ms_) / second);
  if (attempt != nullptr) {
    event.slot = place_index(attempt->slot);
    event.site = attempt->site;
    if (!event.site.valid() && !keeps_) event.site = site_to_come(event.slot);
  }
  sink_(event);
}

// If the log does not name the site of an attempt, its other attempts do, later ones too.
Id<history::Site> LogHistory::site_to_come(std::uint32_t slot) {
  if (slot == 0) return {};
  if (slot >= sites_to_come_.size()) sites_to_come_.resize(slot + 1);
  if (!sites_to_come_[slot].valid()) {
    sites_to_come_[slot] = Id<history::Site>(history_.sites.size());
    history_.sites.emplace_back();
  }
  return sites_to_come_[slot];
}

void LogHistory::count_bytes(history::MovedBytes const& moved, AttemptPlace const* attempt) {
  bool const named = attempt != nullptr && attempt->site.valid();
  auto const site = named ? static_cast<std::uint32_t>(attempt->site.index() + 1) : 0;
  bytes_[{site, attempt != nullptr ? place_index(attempt->slot) : 0}] += moved;
}

// Before names are sorted and after the sites of places are known.
history::BytesBySite LogHistory::name_bytes() const {
  history::BytesBySite named;
  for (auto const& [where, moved] : bytes_) {
    Id<history::Site> const site =
        where.first > 0 ? Id<history::Site>(where.first - 1) : sites_of_places_[where.second];
    named[site.valid() ? history_.sites[site.index()] : ""] += moved;
  }
  return named;
}

Id<history::Site> LogHistory::site_by_host(SlotPlace const& place) {
  std::string_view host = execution_points_.host(place);
  if (host.empty()) host = host_of_slot(slot_names_[place.slot]);
  // If others around name a site, an attempt that never executed was there. Words alone (024) name
  // no site.
  if (!site_index_.empty()) {
    bool const in_words_alone = !place.address.valid() && !place.starter.valid();
    auto const near = execution_points_.site_near(host);
    if (near.valid() || in_words_alone) return near;
  }
  // Logs of HTCondor 7 and 8 execute on addresses, and name a host when contact with it is lost: a
  // site of named hosts would be one of failures.
  if (on_addresses_ > on_named_hosts_) host = {};
  if (host.empty()) {
    if (!site_index_.empty() && !place.address.valid()) return {};
    host = history::unknown_site;
  }
  // Hosts without names in the DNS have their address as alias.
  if (is_address(host)) host = history::unknown_site;
  std::string const domain = site_of_host(host);
  if (auto const* named = find_in(site_index_, domain)) return *named;
  auto const [found, fresh] =
      host_sites_.try_emplace(domain, Id<history::Site>(history_.sites.size()));
  if (fresh) history_.sites.push_back(domain);
  return found->second;
}

// Uses all places and all log entries: the order of reading does not matter.
void LogHistory::find_sites() {
  sites_of_places_.resize(places_.size());
  for (std::size_t i = 1; i < places_.size(); ++i) {
    sites_of_places_[i] = execution_points_.site(places_[i]);
    if (!sites_of_places_[i].valid()) sites_of_places_[i] = site_by_host(places_[i]);
  }
  for (std::size_t i = 0; i < sites_to_come_.size(); ++i) {
    if (!sites_to_come_[i].valid() || !sites_of_places_[i].valid()) continue;
    history_.sites[sites_to_come_[i].index()] = history_.sites[sites_of_places_[i].index()];
  }
}

std::string LogHistory::place_name(SlotPlace const& place) {
  std::string const& slot = slot_names_[place.slot != 0 ? place.slot : place.slot_of_starter];
  auto const at = slot.find('@');
  bool const names_startd = at != std::string::npos && slot.find('@', at + 1) != std::string::npos;
  std::string const startd = execution_points_.name(place);
  if (names_startd || startd.empty()) return slot.empty() ? "unknown" : slot;
  return (slot.empty() ? "slot" : slot.substr(0, at)) + "@" + startd;
}

// By the end of the logs more is known of the places than when their events were written.
void LogHistory::name_places() {
  std::map<std::string, std::vector<std::size_t>> by_name;
  for (std::size_t i = 1; i < places_.size(); ++i) by_name[place_name(places_[i])].push_back(i);
  history_.slots.resize(places_.size());
  if (!keeps_) {
    for (auto const& [name, indices] : by_name) {
      for (std::size_t i : indices) history_.slots[i] = name;
    }
    return;
  }
  std::vector<std::uint32_t> renumbered(places_.size(), 0);
  history_.slots = {"unknown"};
  for (auto const& [name, indices] : by_name) {
    for (std::size_t i : indices) renumbered[i] = static_cast<std::uint32_t>(history_.slots.size());
    history_.slots.push_back(name);
  }
  for (JobEvent& event : history_.events) {
    if (!event.site.valid()) event.site = sites_of_places_[event.slot];
    event.slot = renumbered[event.slot];
  }
}

// Jobs and sites by name, events by time: the same for each order of the files. Returns by how much
// the clock's zero is earlier than when events came.
Seconds LogHistory::settle_order() {
  auto const order = [](auto const& names) {
    std::vector<std::uint32_t> by_name(names.size()), rank(names.size());
    for (std::uint32_t i = 0; i < by_name.size(); ++i) by_name[i] = i;
    std::ranges::stable_sort(by_name, [&](auto a, auto b) { return names[a] < names[b]; });
    for (std::uint32_t i = 0; i < by_name.size(); ++i) rank[by_name[i]] = i;
    return rank;
  };
  auto const jobs = order(history_.jobs), sites = order(history_.sites);
  auto const reorder = [&jobs](auto& of_jobs) {
    if (of_jobs.empty()) return;
    std::remove_reference_t<decltype(of_jobs)> ordered(jobs.size());
    for (std::size_t i = 0; i < of_jobs.size(); ++i) ordered[jobs[i]] = std::move(of_jobs[i]);
    of_jobs = std::move(ordered);
  };
  reorder(history_.labels);
  reorder(history_.users);
  std::ranges::sort(history_.jobs);
  std::ranges::sort(history_.sites);
  Seconds first{};
  for (JobEvent& event : history_.events) {
    event.job = Id<history::Job>(jobs[event.job.index()]);
    if (event.site.valid()) event.site = Id<history::Site>(sites[event.site.index()]);
    first = std::min(first, event.at);
  }
  if (first < Seconds{}) {  // a second file began earlier
    first = Seconds(std::floor(first.value()));
    for (JobEvent& event : history_.events) event.at -= first;
    for (LoggedWords& words : words_) words.at -= first;
    for (LoggedRun& run : runs_) run.at -= first;
    *origin_ms_ += static_cast<std::int64_t>(first.value()) * second;
  }
  std::ranges::stable_sort(history_.events, [](JobEvent const& a, JobEvent const& b) {
    return a.at != b.at ? a.at < b.at : a.job < b.job;
  });
  return first;
}

// Jobs of a campaign that was recorded before others look as if they computed until the end of all
// logs.
void LogHistory::warn_of_silence(JobLife::LastWord const& word) {
  constexpr std::int64_t long_ms = 7LL * 86400 * second;
  if (word.file == warnings_.file() || *last_ms_ - word.at_ms < long_ms) return;
  warnings_.add(
      "a job is in its slot where the log ends, a week or more before another log's end, until "
      "which its slot counts; if they are of several campaigns, --prefix keeps them apart",
      0, word.file);
}

// A clock that is set forward looks like a long silence in which jobs keep their slots.
void LogHistory::warn_of_gap(LogNote const& note) {
  constexpr std::int64_t long_ms = 30LL * 86400 * second;
  std::int64_t const gap = last_ms_ ? note.at_ms - *last_ms_ : 0;
  bool const in_slot = gap > long_ms && std::ranges::any_of(jobs_, [](JobLife const& life) {
                         return life.last_word_in_slot().has_value();
                       });
  if (!in_slot) return;
  warnings_.add(fmt::format("no event for {} while jobs are in slots, which count as used: was the "
                            "clock set forward?",
                            to_text(Seconds(static_cast<double>(gap) / second))),
                note.line, note.file);
}

LoggedHistory LogHistory::finish() {
  for (JobLife& life : jobs_) {
    life.finish(last_ms_.value_or(0), context_);
    if (auto const word = life.last_word_in_slot()) warn_of_silence(*word);
  }
  find_sites();
  name_places();
  LoggedHistory done{.bytes = name_bytes()};
  if (keeps_) {
    set_executions_gpus();
    Seconds const moved_back = settle_order();
    done.uses = uses_.take();
    for (history::ResourceUse& use : done.uses) use.at -= moved_back;
  }
  history_.settle_gpus();
  auto const usual =
      std::ranges::max_element(gpus_requested_, {}, [](auto const& of) { return of.second; });
  if (usual != gpus_requested_.end()) history_.gpus_per_job = usual->first;
  if (!history_.labels.empty()) history_.labels.resize(history_.jobs.size());
  if (!history_.users.empty()) history_.users.resize(history_.jobs.size());
  if (origin_ms_) history_.start_unix = *origin_ms_ / second;
  if (origin_ms_ && last_ms_) {
    history_.seen_until = Seconds(static_cast<double>(*last_ms_ - *origin_ms_) / second);
  }
  done.history = std::move(history_);
  done.words = std::move(words_);
  done.runs = std::move(runs_);
  return done;
}

}  // namespace gridcast::condor

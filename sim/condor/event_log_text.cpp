#include "sim/condor/event_log_text.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace gridcast {
namespace {

constexpr std::size_t flush_at = 65536;
constexpr std::int64_t day = 86400;

struct Clock {
  std::int64_t days, hours, minutes, seconds;
};

Clock clock_of(std::int64_t seconds) {
  return {seconds / day, seconds % day / 3600, seconds % 3600 / 60, seconds % 60};
}

bool fits_host(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
         c == '.' || c == '_';
}

// As much of a name as can be part of a host's name and of an address.
std::string host_like(std::string_view name) {
  std::string host(name);
  std::replace_if(
      host.begin(), host.end(), [](char c) { return !fits_host(c); }, '-');
  return host.empty() ? "unnamed" : host;
}

// A slot's name has "@" between its parts, and begins with "slot".
std::string slot_like(std::string_view name) {
  if (name.empty() || name == "unknown") return {};
  std::string slot(name);
  std::replace_if(
      slot.begin(), slot.end(), [](char c) { return c != '@' && !fits_host(c); }, '-');
  return slot.starts_with("slot") ? slot : "slot1_1@" + slot;
}

std::int64_t site_number(ExecutionPoint const& point) {
  return point.site.valid() ? static_cast<std::int64_t>(point.site.index()) + 1 : 0;
}

std::chrono::sys_seconds start_of(JobHistory const& history, EventLogOptions const& options) {
  if (options.start) return *options.start;
  if (history.start_unix) {
    return std::chrono::sys_seconds(std::chrono::seconds(*history.start_unix));
  }
  return usual_log_start;
}

}  // namespace

EventLogText::EventLogText(JobHistory const& history, std::ostream& out,
                           EventLogOptions const& options)
    : history_(history),
      out_(out),
      options_(options),
      start_(start_of(history, options)),
      disk_kb_(std::llround(options.disk.value() / 1024)) {
  for (auto const& site : history.sites) hosts_.push_back(host_like(site));
  for (auto const& slot : history.slots) slots_.push_back(slot_like(slot));
  // Columns as wide as HTCondor has them, and wider where a number needs it.
  auto const digits = static_cast<int>(
      std::max(fmt::formatted_size("{}", disk_kb_), fmt::formatted_size("{}", options.memory_mb)));
  request_width_ = std::max(8, digits);
  allocated_width_ = std::max(9, digits);
}

// The least part of a millisecond that is added makes up for what binary fractions lack.
LogStamp EventLogText::stamp(Seconds at) {
  auto const ms = static_cast<std::int64_t>(std::floor(at.value() * 1000 + 1e-6));
  auto const rest = ((ms % 1000) + 1000) % 1000;
  return {(ms - rest) / 1000, static_cast<int>(rest)};
}

void EventLogText::begin(int number, Id<Job> job, LogStamp at) {
  JobName const name = history_.jobs[job.index()];
  add("{:03} ({:03}.{:03}.000) ", number, name.cluster, name.proc);
  if (options_.dates == DateForm::legacy) {
    add_legacy_date(at.seconds);
  } else {
    add_date(at.seconds, ' ');
  }
  add_date_end(at);
  buffer_.push_back(' ');
}

void EventLogText::end() {
  add_raw("...\n");
  if (buffer_.size() >= flush_at) flush();
}

void EventLogText::flush() {
  out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  buffer_.clear();
}

void EventLogText::add_date(std::int64_t at, char separator) {
  auto const time = start_ + std::chrono::seconds(at);
  auto const midnight = std::chrono::floor<std::chrono::days>(time);
  if (auto const number = midnight.time_since_epoch().count(); number != day_) {
    std::chrono::year_month_day const date(midnight);
    fmt::format_to_n(day_text_.data(), day_text_.size(), "{:04}-{:02}-{:02}",
                     static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
    day_ = number;
  }
  auto const clock = clock_of((time - midnight).count());
  add_raw({day_text_.data(), 10});
  add("{}{:02}:{:02}:{:02}", separator, clock.hours, clock.minutes, clock.seconds);
}

void EventLogText::add_legacy_date(std::int64_t at) {
  auto const time = start_ + std::chrono::seconds(at);
  auto const midnight = std::chrono::floor<std::chrono::days>(time);
  std::chrono::year_month_day const date(midnight);
  auto const clock = clock_of((time - midnight).count());
  add("{:02}/{:02} {:02}:{:02}:{:02}", static_cast<unsigned>(date.month()),
      static_cast<unsigned>(date.day()), clock.hours, clock.minutes, clock.seconds);
}

void EventLogText::add_date_end(LogStamp at) {
  if (options_.sub_second) add(".{:03}", at.milliseconds);
  if (options_.utc) buffer_.push_back('Z');
}

void EventLogText::add_duration(Seconds time) {
  auto const clock = clock_of(stamp(time).seconds);
  if (clock.days > 0) add("{}+", clock.days);
  add("{:02}:{:02}:{:02}", clock.hours, clock.minutes, clock.seconds);
}

void EventLogText::add_host(ExecutionPoint const& point) {
  bool const known = point.site.valid() && point.site.index() < hosts_.size();
  add_raw(known ? std::string_view(hosts_[point.site.index()]) : "unknown");
}

void EventLogText::add_slot(ExecutionPoint const& point) {
  if (point.slot < slots_.size() && !slots_[point.slot].empty()) {
    return add_raw(slots_[point.slot]);
  }
  add("slot1_1@glidein_{}_{}@", site_number(point), point.slot);
  add_host(point);
}

// Addresses out of the private 10.0.0.0/8: the second number is the site, the others the slot.
void EventLogText::add_endpoint(ExecutionPoint const& point) {
  auto const a = site_number(point) & 255;
  auto const b = point.slot >> 8U & 255U, c = point.slot & 255U;
  add("<10.{}.{}.{}:9618?addrs=10.{}.{}.{}-9618&alias=", a, b, c, a, b, c);
  add_host(point);
}

void EventLogText::add_schedd() {
  add_raw("<10.255.0.1:9618?addrs=10.255.0.1-9618&noUDP&sock=schedd>");
}

void EventLogText::add_startd(ExecutionPoint const& point) {
  add_endpoint(point);
  add("&noUDP&sock=startd_{}_{:04x}>", 1000 + site_number(point), point.slot);
}

void EventLogText::add_starter(ExecutionPoint const& point, int attempt) {
  add_endpoint(point);
  add("&noUDP&sock=slot1_1_{}_{:04x}_{}>", 1000 + site_number(point), point.slot, attempt);
}

void EventLogText::add_quoted(std::string_view text) {
  buffer_.push_back('"');
  for (char const c : text) {
    if (c == '"' || c == '\\') buffer_.push_back('\\');
    buffer_.push_back(static_cast<unsigned char>(c) < ' ' ? ' ' : c);
  }
  buffer_.push_back('"');
}

void EventLogText::add_slot_attributes(ExecutionPoint const& point) {
  add_raw("\tSlotName: ");
  add_slot(point);
  add("\n\tCpus = {}\n", options_.cpus);
  if (disk_kb_ > 0) add("\tDisk = {}\n", disk_kb_);
  if (point.site.valid()) {
    add_raw("\tGLIDEIN_ResourceName = ");
    add_quoted(history_.sites[point.site.index()]);
    add_raw("\n");
  }
  add("\tGPUs = {}\n", options_.gpus);
  if (options_.memory_mb > 0) add("\tMemory = {}\n", options_.memory_mb);
}

void EventLogText::add_usage(std::int64_t seconds, std::string_view what) {
  auto const clock = clock_of(seconds);
  add("\t\tUsr {} {:02}:{:02}:{:02}, Sys 0 00:00:00  -  {} Usage\n", clock.days, clock.hours,
      clock.minutes, clock.seconds, what);
}

void EventLogText::add_bytes(std::int64_t received, std::string_view what) {
  add("\t0  -  {} Bytes Sent By Job\n\t{}  -  {} Bytes Received By Job\n", what, received, what);
}

void EventLogText::add_resources(ExecutionPoint const& point) {
  add("\tPartitionable Resources : {:>8} {:>{}} {:>{}} {}\n", "Usage", "Request", request_width_,
      "Allocated", allocated_width_, options_.gpus > 0 ? "Assigned" : "");
  add_resource_row("Cpus", options_.cpus);
  add_raw("\n");
  if (disk_kb_ > 0) {
    add_resource_row("Disk (KB)", disk_kb_);
    add_raw("\n");
  }
  if (options_.gpus > 0) {
    add_resource_row("GPUs", options_.gpus);
    add("\"GPU-{:04x}{:04x}\"\n", site_number(point), point.slot);
  }
  if (options_.memory_mb > 0) {
    add_resource_row("Memory (MB)", options_.memory_mb);
    add_raw("\n");
  }
}

void EventLogText::add_resource_row(std::string_view name, std::int64_t amount) {
  add("\t   {:<20} : {:>8} {:>{}} {:>{}} ", name, "", amount, request_width_, amount,
      allocated_width_);
}

void EventLogText::add_time_row(std::string_view name, std::int64_t seconds) {
  add("\t   {:<20} : {:>8} {:>{}} {:>{}} \n", name, seconds, "", request_width_, "",
      allocated_width_);
}

}  // namespace gridcast

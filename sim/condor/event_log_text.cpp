#include "sim/condor/event_log_text.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace gridcast::condor {
namespace {

constexpr std::size_t flush_at = 65536;
constexpr std::int64_t day = 86400;

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

std::chrono::sys_seconds start_of(history::JobHistory const& history,
                                  EventLogOptions const& options) {
  if (options.start) return *options.start;
  if (history.start_unix) {
    return std::chrono::sys_seconds(std::chrono::seconds(*history.start_unix));
  }
  return usual_log_start;
}

}  // namespace

EventLogText::EventLogText(history::JobHistory const& history, std::ostream& out,
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
  resources_to_gpu_ = fmt::format("\tPartitionable Resources : {:>8} {:>{}} {:>{}} {}\n", "Usage",
                                  "Request", request_width_, "Allocated", allocated_width_,
                                  options_.gpus > 0 ? "Assigned" : "");
  resources_to_gpu_ += resource_row("Cpus", options_.cpus) + "\n";
  if (disk_kb_ > 0) resources_to_gpu_ += resource_row("Disk (KB)", disk_kb_) + "\n";
  if (options_.gpus > 0) resources_to_gpu_ += resource_row("GPUs", options_.gpus) + "\"GPU-";
  if (options_.memory_mb > 0) {
    resources_behind_gpu_ = resource_row("Memory (MB)", options_.memory_mb) + "\n";
  }
}

// The least part of a millisecond that is added makes up for what binary fractions lack.
LogStamp EventLogText::stamp(Seconds at) {
  auto const ms = static_cast<std::int64_t>(std::floor(at.value() * 1000 + 1e-6));
  auto const rest = ((ms % 1000) + 1000) % 1000;
  return {(ms - rest) / 1000, static_cast<int>(rest)};
}

void EventLogText::add_digits(std::uint64_t number, std::size_t least) {
  fmt::format_int const text(number);
  for (std::size_t size = text.size(); size < least; ++size) buffer_.push_back('0');
  buffer_.append(text.data(), text.data() + text.size());
}

void EventLogText::add_right(std::string_view text, std::size_t width) {
  for (std::size_t size = text.size(); size < width; ++size) buffer_.push_back(' ');
  add_text(text);
}

void EventLogText::add_hex(std::uint32_t number) {
  constexpr std::string_view digits = "0123456789abcdef";
  int shift = 12;
  while (shift < 28 && (number >> (shift + 4)) != 0) shift += 4;
  for (; shift >= 0; shift -= 4) buffer_.push_back(digits[number >> shift & 15U]);
}

void EventLogText::add_clock(std::int64_t seconds_of_day) {
  auto const pair = [this](std::int64_t number, char behind) {
    buffer_.push_back(static_cast<char>('0' + number / 10));
    buffer_.push_back(static_cast<char>('0' + number % 10));
    if (behind != 0) buffer_.push_back(behind);
  };
  pair(seconds_of_day / 3600, ':');
  pair(seconds_of_day % 3600 / 60, ':');
  pair(seconds_of_day % 60, 0);
}

void EventLogText::begin(int number, Id<history::Job> job, LogStamp at) {
  history::JobName const name = history_.jobs[job.index()];
  add_digits(static_cast<std::uint64_t>(number), 3);
  add_text(" (");
  add_digits(name.cluster, 3);
  add_text(".");
  add_digits(name.proc, 3);
  add_text(".000) ");
  if (options_.dates == DateForm::legacy) {
    add_legacy_date(at.seconds);
  } else {
    add_date(at.seconds, ' ');
  }
  add_date_end(at);
  buffer_.push_back(' ');
}

void EventLogText::end() {
  add_text("...\n");
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
  add_text({day_text_.data(), 10});
  buffer_.push_back(separator);
  add_clock((time - midnight).count());
}

void EventLogText::add_legacy_date(std::int64_t at) {
  auto const time = start_ + std::chrono::seconds(at);
  auto const midnight = std::chrono::floor<std::chrono::days>(time);
  std::chrono::year_month_day const date(midnight);
  add("{:02}/{:02} ", static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  add_clock((time - midnight).count());
}

void EventLogText::add_date_end(LogStamp at) {
  if (options_.sub_second) add(".{:03}", at.milliseconds);
  if (options_.utc) buffer_.push_back('Z');
}

void EventLogText::add_duration(Seconds time) {
  std::int64_t const seconds = stamp(time).seconds;
  if (seconds >= day) add("{}+", seconds / day);
  add_clock(seconds % day);
}

void EventLogText::add_host(ExecutionPoint const& point) {
  bool const known = point.site.valid() && point.site.index() < hosts_.size();
  add_text(known ? std::string_view(hosts_[point.site.index()]) : "unknown");
}

void EventLogText::add_slot(ExecutionPoint const& point) {
  if (point.slot < slots_.size() && !slots_[point.slot].empty()) {
    return add_text(slots_[point.slot]);
  }
  add_text("slot1_1@glidein_");
  add_number(site_number(point));
  add_text("_");
  add_number(point.slot);
  add_text("@");
  add_host(point);
}

// Addresses out of the private 10.0.0.0/8: the second number is the site, the others the slot.
void EventLogText::add_endpoint(ExecutionPoint const& point) {
  auto const a = site_number(point) & 255;
  auto const b = point.slot >> 8U & 255U, c = point.slot & 255U;
  auto const address = [&] {
    add_text("10.");
    add_number(a);
    add_text(".");
    add_number(b);
    add_text(".");
    add_number(c);
  };
  add_text("<");
  address();
  add_text(":9618?addrs=");
  address();
  add_text("-9618&alias=");
  add_host(point);
}

void EventLogText::add_schedd() {
  add_text("<10.255.0.1:9618?addrs=10.255.0.1-9618&noUDP&sock=schedd>");
}

void EventLogText::add_startd(ExecutionPoint const& point) {
  add_endpoint(point);
  add_text("&noUDP&sock=startd_");
  add_number(1000 + site_number(point));
  add_text("_");
  add_hex(point.slot);
  add_text(">");
}

void EventLogText::add_starter(ExecutionPoint const& point, int attempt) {
  add_endpoint(point);
  add_text("&noUDP&sock=slot1_1_");
  add_number(1000 + site_number(point));
  add_text("_");
  add_hex(point.slot);
  add_text("_");
  add_number(attempt);
  add_text(">");
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
  add_text("\tSlotName: ");
  add_slot(point);
  auto const attribute = [this](std::string_view name, std::int64_t value) {
    add_text(name);
    add_number(value);
    add_text("\n");
  };
  attribute("\n\tCpus = ", options_.cpus);
  if (disk_kb_ > 0) attribute("\tDisk = ", disk_kb_);
  if (point.site.valid()) {
    add_text("\tGLIDEIN_ResourceName = ");
    add_quoted(history_.sites[point.site.index()]);
    add_text("\n");
  }
  attribute("\tGPUs = ", options_.gpus);
  if (options_.memory_mb > 0) attribute("\tMemory = ", options_.memory_mb);
}

void EventLogText::add_usage(std::int64_t time, std::string_view what) {
  std::int64_t const seconds = std::max<std::int64_t>(time, 0);
  add_text("\t\tUsr ");
  add_number(seconds / day);
  add_text(" ");
  add_clock(seconds % day);
  add_text(", Sys 0 00:00:00  -  ");
  add_text(what);
  add_text(" Usage\n");
}

void EventLogText::add_bytes(std::int64_t received, std::string_view what) {
  add_text("\t0  -  ");
  add_text(what);
  add_text(" Bytes Sent By Job\n\t");
  add_number(received);
  add_text("  -  ");
  add_text(what);
  add_text(" Bytes Received By Job\n");
}

void EventLogText::add_resources(ExecutionPoint const& point) {
  add_text(resources_to_gpu_);
  if (options_.gpus > 0) {
    add_hex(static_cast<std::uint32_t>(site_number(point)));
    add_hex(point.slot);
    add_text("\"\n");
  }
  add_text(resources_behind_gpu_);
}

std::string EventLogText::resource_row(std::string_view name, std::int64_t amount) const {
  return fmt::format("\t   {:<20} : {:>8} {:>{}} {:>{}} ", name, "", amount, request_width_, amount,
                     allocated_width_);
}

void EventLogText::add_time_row(std::string_view name, std::int64_t seconds) {
  constexpr std::size_t name_width = 20, usage_width = 8;
  add_text("\t   ");
  add_text(name);
  add_right(" : ", 3 + (name.size() < name_width ? name_width - name.size() : 0));
  fmt::format_int const number(seconds);
  add_right({number.data(), number.size()}, usage_width);
  add_right(" \n", static_cast<std::size_t>(request_width_ + allocated_width_) + 4);
}

}  // namespace gridcast::condor

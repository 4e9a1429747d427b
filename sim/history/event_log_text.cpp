#include "sim/history/event_log_text.hpp"

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

}  // namespace

EventLogText::EventLogText(JobHistory const& history, std::ostream& out,
                           EventLogOptions const& options)
    : history_(history),
      out_(out),
      options_(options),
      protocol_(std::string_view(options.url).substr(0, options.url.find(':'))),
      disk_kb_(std::llround(options.disk.value() / 1024)) {
  // Columns as wide as HTCondor has them, and wider where a number needs it.
  auto const digits = static_cast<int>(
      std::max(fmt::formatted_size("{}", disk_kb_), fmt::formatted_size("{}", options.memory_mb)));
  request_width_ = std::max(8, digits);
  allocated_width_ = std::max(9, digits);
}

std::int64_t EventLogText::stamp(Seconds at) {
  return static_cast<std::int64_t>(std::floor(at.value()));
}

void EventLogText::begin(int number, Id<Job> job, std::int64_t at) {
  JobName const name = history_.jobs[job.index()];
  add("{:03} ({:03}.{:03}.000) ", number, name.cluster, name.proc);
  add_date(at, ' ');
  add(" ");
}

void EventLogText::end() {
  add("...\n");
  if (buffer_.size() >= flush_at) flush();
}

void EventLogText::flush() {
  out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  buffer_.clear();
}

void EventLogText::add_date(std::int64_t at, char separator) {
  auto const time = options_.start + std::chrono::seconds(at);
  auto const midnight = std::chrono::floor<std::chrono::days>(time);
  std::chrono::year_month_day const date(midnight);
  auto const clock = clock_of((time - midnight).count());
  add("{:04}-{:02}-{:02}{}{:02}:{:02}:{:02}", static_cast<int>(date.year()),
      static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), separator,
      clock.hours, clock.minutes, clock.seconds);
}

void EventLogText::add_slot(ExecutionPoint const& point) {
  if (point.site.valid()) {
    add("slot1_1@glidein_{}_{}@{}", point.site.index() + 1, point.slot,
        history_.sites[point.site.index()]);
  } else {
    add("slot1_1@glidein_0_{}@unknown", point.slot);
  }
}

// Addresses out of the private 10.0.0.0/8: the second number is the site, the others the slot.
void EventLogText::add_address(ExecutionPoint const& point) {
  std::size_t const site = point.site.valid() ? point.site.index() + 1 : 0;
  std::size_t const a = site & 255U, b = point.slot >> 8U & 255U, c = point.slot & 255U;
  add("<10.{}.{}.{}:9618?addrs=10.{}.{}.{}-9618&noUDP&sock=startd_{}_{}>\n", a, b, c, a, b, c, site,
      point.slot);
}

void EventLogText::add_slot_attributes(ExecutionPoint const& point) {
  add("\tSlotName: ");
  add_slot(point);
  add("\n\tCpus = {}\n\tDisk = {}\n", options_.cpus, disk_kb_);
  if (point.site.valid()) {
    add("\tGLIDEIN_ResourceName = \"{}\"\n", history_.sites[point.site.index()]);
  }
  add("\tGPUs = {}\n\tMemory = {}\n", options_.gpus, options_.memory_mb);
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
  add("\tPartitionable Resources : {:>8} {:>{}} {:>{}} Assigned\n", "Usage", "Request",
      request_width_, "Allocated", allocated_width_);
  add_resource_row("Cpus", options_.cpus);
  add("\n");
  add_resource_row("Disk (KB)", disk_kb_);
  add("\n");
  add_resource_row("GPUs", options_.gpus);
  std::size_t const site = point.site.valid() ? point.site.index() + 1 : 0;
  add("\"GPU-{:04x}{:04x}\"\n", site, point.slot);
  add_resource_row("Memory (MB)", options_.memory_mb);
  add("\n");
}

void EventLogText::add_resource_row(std::string_view name, std::int64_t amount) {
  add("\t   {:<20} : {:>8} {:>{}} {:>{}} ", name, "", amount, request_width_, amount,
      allocated_width_);
}

void EventLogText::add_time_row(std::string_view name, std::int64_t seconds) {
  add("\t   {:<20} : {:>8} {:>{}} {:>{}} \n", name, seconds, "", request_width_, "",
      allocated_width_);
}

void EventLogText::add_duration(Seconds time) {
  auto const clock = clock_of(stamp(time));
  if (clock.days > 0) add("{}+", clock.days);
  add("{:02}:{:02}:{:02}", clock.hours, clock.minutes, clock.seconds);
}

void EventLogText::add_transfer_failure(ExecutionPoint const& point, std::string_view protocol) {
  add("Transfer input files failure at execution point ");
  add_slot(point);
  add(" using protocol {}. Details: ", protocol);
}

void EventLogText::add_starter_error(ExecutionPoint const& point) {
  add("Error from ");
  add_slot(point);
  add(": ");
}

// The words of the transfer plugin and of the starter, which fetch and unpack the input.
void EventLogText::add_transfer_reason(Reason reason, ExecutionPoint const& point,
                                       std::int64_t elapsed) {
  switch (reason) {
    case Reason::transfer_stalled:
      add_starter_error(point);
      add("Input File transfer stalled for {} seconds\n", elapsed);
      break;
    case Reason::transfer_failed:
      add_transfer_failure(point, protocol_);
      add("Pelican Client Error: failed download ( URL file = {} )|\n", options_.url);
      break;
    case Reason::not_found:
      add_transfer_failure(point, protocol_);
      add("Pelican Client Error: 404 page not found ( URL file = {} )|\n", options_.url);
      break;
    case Reason::no_progress:
      add_transfer_failure(point, "https");
      add("Aborted due to lack of progress\n");
      break;
    case Reason::site_network_down:
      add_starter_error(point);
      add("Network is unreachable\n");
      break;
    case Reason::corrupt_input:
      add_starter_error(point);
      add("This does not look like a tar archive\n");
      break;
    default:
      add("Reason unspecified\n");
      break;
  }
}

void EventLogText::add_decision(Reason reason, std::string_view command,
                                std::string_view expression) {
  if (reason == Reason::policy) {
    add("The job attribute {} expression evaluated to TRUE\n", expression);
  } else {
    add("via {} (by user gridcast)\n", command);
  }
}

void EventLogText::add_reason(Reason reason, ExecutionPoint const& point, std::int64_t elapsed) {
  switch (reason) {
    case Reason::input_too_large:
      add("TransferInputSizeMB ({}) is greater than MAX_TRANSFER_INPUT_MB ({}) at submit time\n",
          std::llround(std::ceil(options_.input.value() / (1024 * 1024))),
          options_.max_transfer_input_mb);
      break;
    case Reason::execution_too_long:
      add("The job exceeded allowed execute duration of ");
      add_duration(options_.allowed_execute);
      add("\n");
      break;
    case Reason::pilot_ended:
      add("The startd is shutting down\n");
      break;
    case Reason::manual:
    case Reason::policy:
      add_decision(reason, "condor_hold", "PeriodicHold");
      break;
    default:
      add_transfer_reason(reason, point, elapsed);
      break;
  }
}

}  // namespace gridcast

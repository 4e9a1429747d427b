#include "sim/condor/write/event_log_text.hpp"

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

// The part of a name that can be part of a host's name and of an address.
std::string host_like(std::string_view name) {
  std::string host(name);
  std::replace_if(
      host.begin(), host.end(), [](char c) { return !fits_host(c); }, '-');
  return host.empty() ? "unnamed" : host;
}

// A slot's name has "@" between its parts, and begins with "slot".
std::string slot_like(std::string_view name) {
  if (name.empty() || name == "unknown") return {};
  std::string slot(name.substr(name.front() == '@' ? 1 : 0));
  std::replace_if(
      slot.begin(), slot.end(), [](char c) { return c != '@' && !fits_host(c); }, '-');
  return slot.starts_with("slot") ? slot : "slot1_1@" + slot;
}

std::int64_t site_number(SiteSlot const& point) {
  return point.site.valid() ? static_cast<std::int64_t>(point.site.index()) + 1 : 0;
}

std::chrono::sys_seconds start_of(JobHistory const& history, EventLogOptions const& options) {
  if (options.start) return *options.start;
  if (history.start_unix) {
    return std::chrono::sys_seconds(std::chrono::seconds(*history.start_unix));
  }
  return usual_log_start;
}

constexpr int download_failed = 12, upload_failed = 13;  // as the starter counts
constexpr int input_hold = 13, output_hold = 12;         // as the schedd does

// "Transfer input files failure at execution point SLOT using protocol osdf. Details: "
void add_input_failure(EventLogText& log, SiteSlot const& point, std::string_view protocol) {
  log.put("Transfer input files failure at execution point ", SlotName{point}, " using protocol ",
          protocol, ". Details: ");
}

void add_output_failure(EventLogText& log, SiteSlot const& point, std::string_view what) {
  log.put("Transfer output files failure at execution point ", SlotName{point},
          " while sending files to access point 10.255.0.1. Details: ", what);
}

// The plugin is called by the URL's scheme.
std::string_view protocol_of(EventLogOptions const& options) {
  std::string_view const url = options.url;
  return url.empty() ? "osdf" : url.substr(0, url.find(':'));
}

void add_plugin_error(EventLogText& log, SiteSlot const& point, std::string_view what) {
  add_input_failure(log, point, protocol_of(log.options()));
  log.put("Pelican Client Error: ", what);
  if (!log.options().url.empty()) log.put(" ( URL file = ", log.options().url, " )");
  log.put("|");
}

// The words of the transfer plugins and of the starter, which fetches and unpacks the input.
void add_transfer_reason(EventLogText& log, Reason reason, ReasonContext const& context) {
  SiteSlot const& point = context.point;
  switch (reason) {
    case Reason::transfer_stalled:
      return log.put("Error from ", SlotName{point}, ": Input File transfer stalled for ",
                     context.elapsed, " seconds");
    case Reason::transfer_failed:
      return add_plugin_error(log, point, "failed download");
    case Reason::not_found:
      return add_plugin_error(log, point, "404 page not found");
    case Reason::transfer_timeout:
      add_input_failure(log, point, protocol_of(log.options()));
      return log.put("File transfer plugin killed after ", context.elapsed, " seconds");
    case Reason::no_progress:
      add_input_failure(log, point, "https");
      return log.put("Aborted due to lack of progress");
    case Reason::output_missing:
      return add_output_failure(log, point,
                                "reading from file result: (errno 2) No such file or directory");
    default:
      return add_output_failure(log, point, "sending file result: connection reset by peer");
  }
}

// The words of the starter about the job itself.
void add_starter_reason(EventLogText& log, Reason reason, SiteSlot const& point) {
  log.put("Error from ", SlotName{point}, ": ");
  switch (reason) {
    case Reason::site_network_down:
      return log.put("Network is unreachable");
    case Reason::corrupt_input:
      return log.put("This does not look like a tar archive");
    case Reason::checkpoint_failed:
      return log.put("Starter failed to upload checkpoint");
    default: {
      log.put("Job has gone over cgroup memory limit");
      auto const memory_mb = log.options().memory_mb;
      if (memory_mb != 0) log.put(" of ", memory_mb, " megabytes");
    }
  }
}

// The words of the schedd, the shadow and the startd.
void add_daemon_reason(EventLogText& log, Reason reason) {
  EventLogOptions const& options = log.options();
  switch (reason) {
    case Reason::input_too_large:
      return log.put("TransferInputSizeMB (",
                     std::llround(std::ceil(options.input.value() / (1024 * 1024))),
                     ") is greater than MAX_TRANSFER_INPUT_MB (", options.max_transfer_input_mb,
                     ") at submit time");
    case Reason::execution_too_long:
      return log.put("The job exceeded allowed execute duration of ",
                     LogDuration{options.allowed_execute});
    case Reason::job_too_long:
      return log.put("The job exceeded allowed job duration of ", LogDuration{options.allowed_job});
    case Reason::pilot_ended:
      return log.put("The startd is shutting down");
    case Reason::manual:
      return log.put("via condor_hold (by user gridcast)");
    case Reason::policy:
      return log.put("The job attribute PeriodicHold expression evaluated to TRUE");
    case Reason::exit_code:
    case Reason::killed_by_signal:
      return log.put("The job attribute OnExitHold expression evaluated to TRUE");
    case Reason::vacated:
      return log.put("User requested the job to vacate");
    case Reason::lost_contact:
      return log.put("Job disconnected too long: JobLeaseDuration (",
                     EventLogText::stamp(options.job_lease).seconds, " seconds) expired");
    case Reason::system:
      return log.put("The access point's system policy");
    default:
      return;
  }
}

}  // namespace

EventLogText::EventLogText(JobHistory const& history, std::ostream& out,
                           EventLogOptions const& options)
    : history_(history),
      out_(out),
      options_(options),
      start_(start_of(history, options)),
      requested_gpus_{.count = options.gpus},
      disk_kb_(std::llround(options.disk.value() / 1024)) {
  for (std::size_t site = 0; site < history.sites.size(); ++site) {
    hosts_.push_back(host_like(resource(Id<history::Site>(site))));
  }
  for (auto const& slot : history.slots) slots_.push_back(slot_like(slot));
  // Columns as wide as HTCondor has them, and wider where a number needs it.
  auto const digits = static_cast<int>(
      std::max(fmt::formatted_size("{}", disk_kb_), fmt::formatted_size("{}", options.memory_mb)));
  request_width_ = std::max(8, digits);
  allocated_width_ = std::max(9, digits);
  if (options_.memory_mb > 0) {
    resources_behind_gpu_ = resource_row("Memory (MB)", options_.memory_mb) + "\n";
  }
}

// The least part of a millisecond that is added makes up for the gap of binary fractions.
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
  add(text);
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
  JobName const name = name_of(job);
  add_digits(static_cast<std::uint64_t>(number), 3);
  add(" (");
  add_digits(name.cluster, 3);
  add(".");
  add_digits(name.proc, 3);
  add(".000) ");
  add_date(at.seconds, " ");
  if (options_.sub_second) {
    add(".");
    add_digits(static_cast<std::uint64_t>(at.milliseconds), 3);
  }
  buffer_.push_back(' ');
}

void EventLogText::submitted_again(Id<history::Job> job) {
  if (most_cluster_ == 0) {
    for (JobName const& name : history_.jobs) most_cluster_ = std::max(most_cluster_, name.cluster);
  }
  ++retries_[job.index()];
}

JobName EventLogText::name_of(Id<history::Job> job) const {
  JobName name = history_.jobs[job.index()];
  if (auto const* retries = find_in(retries_, job.index()))
    name.cluster += *retries * most_cluster_;
  return name;
}

void EventLogText::end() {
  add("...\n");
  if (buffer_.size() >= flush_at) flush();
}

void EventLogText::flush() {
  out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  buffer_.clear();
}

void EventLogText::add_date(std::int64_t at, std::string_view separator) {
  auto const time = start_ + std::chrono::seconds(at);
  auto const midnight = std::chrono::floor<std::chrono::days>(time);
  if (auto const number = midnight.time_since_epoch().count(); number != day_) {
    std::chrono::year_month_day const date(midnight);
    fmt::format_to_n(day_text_.data(), day_text_.size(), "{:04}-{:02}-{:02}",
                     static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
    day_ = number;
  }
  add(std::string_view(day_text_.data(), 10));
  add(separator);
  add_clock((time - midnight).count());
}

void EventLogText::add(LogDuration const& duration) {
  std::int64_t const seconds = stamp(duration.time).seconds;
  if (seconds >= day) put(seconds / day, "+");
  add_clock(seconds % day);
}

std::string_view EventLogText::host(SiteSlot const& point) const {
  bool const known = point.site.valid() && point.site.index() < hosts_.size();
  return known ? std::string_view(hosts_[point.site.index()]) : "unknown";
}

void EventLogText::add(SlotName const& name) {
  SiteSlot const& point = name.of;
  if (point.slot < slots_.size() && !slots_[point.slot].empty()) return add(slots_[point.slot]);
  put("slot1_", number_in_pilot(point), "@glidein_", site_number(point), "_", pilot_place(point));
  if (point.pilot > 0) put("_", point.pilot);
  put("@", host(point));
}

// Names of slots from the history do not show which of them are of one pilot.
std::uint32_t EventLogText::slots_of_pilot(SiteSlot const& point) const {
  std::size_t const site =
      point.site.valid() ? point.site.index() : options_.slots_per_pilot.size();
  bool const known = slots_.empty() && site < options_.slots_per_pilot.size();
  return known ? std::max(1U, options_.slots_per_pilot[site]) : 1;
}

std::uint32_t EventLogText::pilot_place(SiteSlot const& point) const {
  return point.slot / slots_of_pilot(point);
}

std::uint32_t EventLogText::number_in_pilot(SiteSlot const& point) const {
  return point.slot % slots_of_pilot(point) + 1;
}

// Addresses out of the private 10.0.0.0/8: the second number is the site, the others the pilot's
// place.
void EventLogText::add_endpoint(SiteSlot const& point) {
  std::uint32_t const place = pilot_place(point);
  auto const address = [&] {
    put("10.", site_number(point) & 255, ".", place >> 8U & 255U, ".", place & 255U);
  };
  put("<", address, ":9618?addrs=", address, "-9618&alias=", host(point));
}

void EventLogText::add(ScheddAddress) {
  add("<10.255.0.1:9618?addrs=10.255.0.1-9618&noUDP&sock=schedd>");
}

void EventLogText::add(StartdAddress const& address) {
  add_endpoint(address.of);
  put("&noUDP&sock=startd_", 1000 + site_number(address.of), "_");
  add_pilot(address.of);
  add(">");
}

void EventLogText::add(StarterAddress const& address) {
  add_endpoint(address.of);
  bool const named = address.of.slot < slots_.size() && !slots_[address.of.slot].empty();
  put("&noUDP&sock=");
  if (named) {
    std::string_view const slot = slots_[address.of.slot];
    put(slot.substr(0, slot.find('@')));
  } else {
    put("slot1_", number_in_pilot(address.of));
  }
  put("_", 1000 + site_number(address.of), "_");
  add_pilot(address.of);
  put("_", address.attempt, ">");
}

void EventLogText::add_pilot(SiteSlot const& point) {
  add_hex(pilot_place(point));
  if (point.pilot > 0) add_hex(point.pilot);
}

void EventLogText::add(OneLine const& line) {
  for (char const c : line.text) buffer_.push_back(static_cast<unsigned char>(c) < ' ' ? ' ' : c);
}

void EventLogText::add(Quoted const& quoted) {
  buffer_.push_back('"');
  for (char const c : quoted.text) {
    if (c == '"' || c == '\\') buffer_.push_back('\\');
    buffer_.push_back(static_cast<unsigned char>(c) < ' ' ? ' ' : c);
  }
  buffer_.push_back('"');
}

std::string_view EventLogText::resource(Id<history::Site> site) const {
  bool const has_own = site.index() < options_.resources.size();
  return has_own ? options_.resources[site.index()] : history_.sites[site.index()];
}

history::GpuShare const& EventLogText::gpus_of(std::uint16_t gpus) const {
  return gpus > 0 && gpus <= history_.gpus.size() ? history_.gpus[gpus - 1U] : requested_gpus_;
}

// The first one's has the site and the slot in it, further ones' their number as well.
void EventLogText::add_gpu(SiteSlot const& point, int gpu) {
  add_hex(static_cast<std::uint32_t>(site_number(point)));
  add_hex(point.slot);
  if (gpu > 0) add_hex(static_cast<std::uint32_t>(gpu));
}

void EventLogText::add_gpu_names(SiteSlot const& point, int count, std::string_view before) {
  for (int gpu = 0; gpu < count; ++gpu) {
    put(gpu > 0 ? "," : "", before);
    add_gpu(point, gpu);
  }
}

// The attributes of a GPU's ad that the history knows; nothing that is 0 or empty.
void EventLogText::add_gpu_ads(SiteSlot const& point, history::GpuShare const& gpus) {
  constexpr double mebibyte = 1048576;
  for (int gpu = 0; gpu < gpus.count.value_or(0); ++gpu) {
    auto const id = [&] { add_gpu(point, gpu); };
    put("\tGPUs_GPU_", id, " = [ Id = \"GPU-", id, "\"");
    if (gpus.capability > 0) add(fmt::format("; Capability = {:#}", gpus.capability));
    if (!gpus.model.empty()) put("; DeviceName = ", Quoted{gpus.model});
    if (gpus.memory > Bytes()) {
      put("; GlobalMemoryMb = ", std::llround(std::ceil(gpus.memory.value() / mebibyte - 1e-6)));
    }
    add(" ]\n");
  }
}

void EventLogText::add(SlotAttributes const& attributes) {
  SiteSlot const& point = attributes.of;
  history::GpuShare const& gpus = gpus_of(attributes.gpus);
  history::GpuShare const nothing_but_count{.count = gpus.count};
  int const count = gpus.count.value_or(0);
  bool const described = gpus != nothing_but_count && count > 0;
  put("\tSlotName: ", SlotName{point}, "\n");
  if (described) {
    add("\tAvailableGPUs = { ");
    add_gpu_names(point, count, "GPUs_GPU_");
    add(" }\n");
  }
  put("\tCpus = ", options_.cpus, "\n");
  if (disk_kb_ > 0) put("\tDisk = ", disk_kb_, "\n");
  if (point.site.valid()) {
    put("\tGLIDEIN_ResourceName = ", Quoted{resource(point.site)}, "\n");
  }
  put("\tGPUs = ", count, "\n");
  if (described) add_gpu_ads(point, gpus);
  if (options_.memory_mb > 0) put("\tMemory = ", options_.memory_mb, "\n");
}

void EventLogText::add(Usage const& usage) {
  std::int64_t const seconds = std::max<std::int64_t>(usage.seconds, 0);
  put("\t\tUsr ", seconds / day, " ");
  add_clock(seconds % day);
  put(", Sys 0 00:00:00  -  ", usage.what, " Usage\n");
}

void EventLogText::add(BytesMoved const& bytes) {
  put("\t", bytes.sent, "  -  ", bytes.what, " Bytes Sent By Job\n\t", bytes.received, "  -  ",
      bytes.what, " Bytes Received By Job\n");
}

void EventLogText::add(ResourceTable const& table) {
  int const gpus = gpus_of(table.gpus).count.value_or(0);
  add(resources_to_gpu(gpus));
  if (gpus > 0) {
    add("\"");
    add_gpu_names(table.of, gpus, "GPU-");
    add("\"\n");
  }
  add(resources_behind_gpu_);
}

std::string const& EventLogText::resources_to_gpu(int gpus) {
  std::string& text = resources_to_gpu_[gpus];
  if (!text.empty()) return text;
  text = fmt::format("\tPartitionable Resources : {:>8} {:>{}} {:>{}} {}\n", "Usage", "Request",
                     request_width_, "Allocated", allocated_width_, gpus > 0 ? "Assigned" : "");
  text += resource_row("Cpus", options_.cpus) + "\n";
  if (disk_kb_ > 0) text += resource_row("Disk (KB)", disk_kb_) + "\n";
  if (gpus > 0) text += resource_row("GPUs", gpus);
  return text;
}

std::string EventLogText::resource_row(std::string_view name, std::int64_t amount) const {
  return fmt::format("\t   {:<20} : {:>8} {:>{}} {:>{}} ", name, "", amount, request_width_, amount,
                     allocated_width_);
}

void EventLogText::add(TimeRow const& row) {
  constexpr std::size_t name_width = 20, usage_width = 8;
  put("\t   ", row.name);
  add_right(" : ", 3 + (row.name.size() < name_width ? name_width - row.name.size() : 0));
  fmt::format_int const number(row.seconds);
  add_right({number.data(), number.size()}, usage_width);
  add_right(" \n", static_cast<std::size_t>(request_width_ + allocated_width_) + 4);
}

history::HoldCode vacate_code(JobEvent const& event) {
  using enum Reason;
  using history::is_one_of;
  if (event.code != 0) return {event.code, event.subcode};
  if (event.reason == policy) return {1000, 0};                      // periodic_vacate
  if (is_one_of(event.reason, {manual, vacated})) return {1004, 0};  // condor_vacate_job
  if (event.reason == lost_contact || event.kind == history::EventKind::reconnect_failed) {
    return {1008, 0};
  }
  if (event.reason == pilot_ended) return {1013, 0};  // the startd shuts down
  bool const deactivated = is_one_of(event.reason, {none, unknown, not_begun, end_not_recorded});
  return {deactivated ? 1009 : 1007, 0};  // the claim was deactivated; an error of the starter
}

history::HoldCode logged_hold_code(JobEvent const& event) {
  return event.code != 0 ? history::HoldCode{event.code, event.subcode}
                         : history::hold_code(event.reason);
}

history::HoldCode starter_code(history::HoldCode hold) {
  if (hold.code == input_hold) return {download_failed, hold.subcode};
  if (hold.code == output_hold) return {upload_failed, hold.subcode};
  return {};
}

bool reported_by_starter(JobEvent const& event) {
  if (event.kind == EventKind::held) return starter_code(logged_hold_code(event)).code != 0;
  return event.kind == EventKind::evicted &&
         history::is_one_of(event.reason, {Reason::transfer_stalled, Reason::output_failed});
}

bool has_words(Reason reason) {
  return reason != Reason::none && reason != Reason::unknown && history::end_is_recorded(reason);
}

void add_reason(EventLogText& log, Reason reason, ReasonContext const& context) {
  using enum Reason;
  using history::is_one_of;
  if (is_one_of(reason, {transfer_stalled, transfer_failed, not_found, transfer_timeout,
                         no_progress, output_missing, output_failed})) {
    return add_transfer_reason(log, reason, context);
  }
  bool const of_starter =
      is_one_of(reason, {site_network_down, corrupt_input, checkpoint_failed, out_of_resources});
  return of_starter ? add_starter_reason(log, reason, context.point)
                    : add_daemon_reason(log, reason);
}

void add_decision(EventLogText& log, Reason reason, std::string_view command,
                  std::string_view expression) {
  if (reason == Reason::policy) {
    log.put("The job attribute ", expression, " expression evaluated to TRUE");
  } else if (has_words(reason)) {
    log.put("via ", command, " (by user gridcast)");
  }
}

}  // namespace gridcast::condor

#include "sim/condor/write/history_ads_writer.hpp"

#include <cmath>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/error.hpp"
#include "sim/classad/value.hpp"
#include "sim/condor/ads/code_names.hpp"
#include "sim/condor/ads/job_ads.hpp"
#include "sim/history/attempts.hpp"

namespace gridcast::condor {
namespace {

using classad::Value;
using Counts = std::map<std::string, std::int64_t>;
using Attributes = std::vector<std::pair<std::string, std::variant<Value, Counts>>>;

history::JobStatus status_after(history::JobEvent const& last) {
  switch (last.kind) {
    case history::EventKind::terminated:
      return history::JobStatus::completed;
    case history::EventKind::aborted:
      return history::JobStatus::removed;
    case history::EventKind::held:
      return history::JobStatus::held;
    case history::EventKind::suspended:
      return history::JobStatus::suspended;
    case history::EventKind::submitted:
    case history::EventKind::released:
      return history::JobStatus::idle;
    default:
      return history::ends_attempt(last.kind) ? history::JobStatus::idle
                                              : history::JobStatus::running;
  }
}

class JobAdWriter {
 public:
  JobAdWriter(history::JobHistory const& history, HistoryAdsOptions const& options,
              std::vector<history::JobEvent> const& events)
      : history_(history),
        options_(options),
        events_(events),
        spans_(history::attempt_spans(events)),
        start_(history.start_unix.value_or(options.start.time_since_epoch().count())) {}

  Attributes attributes() {
    history::JobEvent const& last = events_.back();
    history::JobStatus const status = status_after(last);
    history::JobName const name = history_.jobs[last.job.index()];
    add("ClusterId", std::int64_t{name.cluster});
    add("ProcId", std::int64_t{name.proc});
    add("MyType", "Job");
    if (last.job.index() < history_.own_names.size()) {
      std::string const& own = history_.own_names[last.job.index()];
      if (!own.empty()) add("GlobalJobId", own);
    }
    add_label(last.job);
    add("QDate", date(events_.front().at));
    add("JobStatus", static_cast<int>(status));
    if (status == history::JobStatus::removed && events_.size() > 1) {
      add("LastJobStatus", static_cast<int>(status_after(events_[events_.size() - 2])));
    }
    add("EnteredCurrentStatus", date(entered(last, status)));
    add("CompletionDate",
        status == history::JobStatus::completed ? date(last.at) : std::int64_t{0});
    add_exit(last, status);
    add_attempts();
    add_times();
    add_holds(last, status);
    return std::move(attributes_);
  }

 private:
  void add(std::string name, Value value) {
    attributes_.emplace_back(std::move(name), std::move(value));
  }

  void add_label(Id<history::Job> job) {
    if (job.index() >= history_.labels.size()) return;
    history::JobLabel const& label = history_.labels[job.index()];
    if (!label.node.empty()) add("DAGNodeName", label.node);
    if (!label.batch.empty()) add("JobBatchName", label.batch);
    if (!label.executable.empty()) add("Cmd", label.executable);
    if (!label.arguments.empty()) add("Arguments", label.arguments);
  }

  std::int64_t date(Seconds at) const {
    return start_ + static_cast<std::int64_t>(std::floor(at.value()));
  }

  // A job runs since it was matched, even if events followed.
  Seconds entered(history::JobEvent const& last, history::JobStatus status) const {
    bool const in_slot = status == history::JobStatus::running && !spans_.empty();
    return in_slot ? spans_.back().begin : last.at;
  }

  void add_exit(history::JobEvent const& last, history::JobStatus status) {
    if (status != history::JobStatus::completed) return;
    // A history of a simulated run has `useful` in place of a program's exit.
    int const code = last.exit_code;
    add("ExitBySignal", code < 0);
    add(code < 0 ? "ExitSignal" : "ExitCode", std::abs(code));
  }

  void add_attempts() {
    std::int64_t executed = 0, reconnects = 0, checkpoints = 0;
    for (history::JobEvent const& event : events_) {
      if (event.kind == history::EventKind::reconnected) ++reconnects;
      if (event.kind == history::EventKind::checkpointed) ++checkpoints;
    }
    for (history::AttemptSpan const& span : spans_) executed += span.executed ? 1 : 0;
    auto const starts = static_cast<std::int64_t>(spans_.size());
    add("NumShadowStarts", starts);
    add("JobRunCount", starts);
    add("NumJobMatches", starts);
    add("NumJobStarts", executed);
    if (reconnects > 0) add("NumJobReconnects", reconnects);
    if (checkpoints > 0) add("CheckpointNumber", checkpoints - 1);  // counted from 0
    if (spans_.empty()) return;
    add("JobStartDate", date(spans_.front().begin));
    if (spans_.size() > 1) add("JobLastStartDate", date(spans_[spans_.size() - 2].begin));
    add("JobCurrentStartDate", date(spans_.back().begin));
    add_last_execution(spans_.back());
    add_gpus();
    add_places();
  }

  void add_last_execution(history::AttemptSpan const& span) {
    for (std::size_t i = span.first; i <= span.last; ++i) {
      if (events_[i].kind == history::EventKind::executing) {
        add("JobCurrentStartExecutingDate", date(events_[i].at));
      } else if (events_[i].kind == history::EventKind::transfer_input_started) {
        add("JobCurrentStartTransferInputDate", date(events_[i].at));
      } else if (events_[i].kind == history::EventKind::transfer_input_finished) {
        add("JobCurrentFinishTransferInputDate", date(events_[i].at));
      }
    }
  }

  // In the form of the last attempt's slot, and as job_machine_attrs keeps the attributes of a
  // slot.
  void add_gpus() {
    constexpr double mebibyte = 1048576;
    history::GpuShare const* gpus = nullptr;
    for (std::size_t i = spans_.back().first; i <= spans_.back().last; ++i) {
      if (auto const* known = history_.gpus_of(events_[i])) gpus = known;
    }
    if (gpus == nullptr) return;
    if (gpus->count) add("GPUsProvisioned", *gpus->count);
    if (!gpus->model.empty()) add("MachineAttrGPUs_DeviceName0", gpus->model);
    if (gpus->capability > 0) add("MachineAttrGPUs_Capability0", gpus->capability);
    if (gpus->memory > Bytes()) {
      add("MachineAttrGPUs_GlobalMemoryMb0",
          std::int64_t{std::llround(gpus->memory.value() / mebibyte)});
    }
  }

  void add_places() {
    history::AttemptSpan const& span = spans_.back();
    std::uint32_t const slot = events_[span.last].slot;
    if (slot > 0 && slot < history_.slots.size()) {
      add("LastRemoteHost", slot_name(history_, slot));
    }
    int index = 0;
    for (auto past = spans_.rbegin(); past != spans_.rend() && index < options_.max_sites;
         ++past, ++index) {
      if (!past->site.valid()) continue;
      add(fmt::format("MachineAttrGLIDEIN_ResourceName{}", index),
          history_.sites[past->site.index()]);
    }
  }

  // Seconds between whole dates, as a shadow's life is measured.
  std::int64_t seconds(history::AttemptSpan const& span) const {
    return date(span.end) - date(span.begin);
  }

  void add_times() {
    std::int64_t all = 0, last = 0, committed = 0;
    for (history::AttemptSpan const& span : spans_) {
      if (span.open) continue;
      last = seconds(span);
      all += last;
      if (events_[span.last].kind == history::EventKind::terminated) committed += last;
    }
    add("RemoteWallClockTime", static_cast<double>(all));
    add("LastRemoteWallClockTime", static_cast<double>(last));
    add("CumulativeSlotTime", static_cast<double>(all));
    add("CommittedTime", committed);
    add("CumulativeSuspensionTime", suspended());
    UnixDate vacated;
    for (history::JobEvent const& event : events_) {
      if (history::ends_attempt(event.kind) && event.kind != history::EventKind::terminated)
        vacated = date(event.at);
    }
    if (vacated && !spans_.empty()) add("LastVacateTime", *vacated);
  }

  std::int64_t suspended() const {
    std::int64_t sum = 0;
    std::optional<std::int64_t> since;
    for (history::JobEvent const& event : events_) {
      bool const over =
          event.kind == history::EventKind::unsuspended || history::ends_attempt(event.kind);
      if (over && since) {
        sum += date(event.at) - *since;
        since.reset();
      }
      if (event.kind == history::EventKind::suspended) since = date(event.at);
    }
    return sum;
  }

  void add_holds(history::JobEvent const& last, history::JobStatus status) {
    Counts by_reason;
    std::int64_t holds = 0;
    history::HoldCode latest;
    for (history::JobEvent const& event : events_) {
      if (event.kind != history::EventKind::held) continue;
      ++holds;
      latest = event.code != 0 ? history::HoldCode{event.code, event.subcode}
                               : history::hold_code(event.reason);
      ++by_reason[code_name(latest.code)];
    }
    if (holds == 0) return;
    add("NumHolds", holds);
    attributes_.emplace_back("NumHoldsByReason", by_reason);
    // A job that is held no more keeps them under another name.
    std::string const prefix = status == history::JobStatus::held ? "" : "Last";
    add(prefix + "HoldReasonCode", latest.code);
    add(prefix + "HoldReasonSubCode", latest.subcode);
    if (status == history::JobStatus::held) add("HoldReason", std::string(name(last.reason)));
  }

  history::JobHistory const& history_;
  HistoryAdsOptions const& options_;
  std::vector<history::JobEvent> const& events_;
  std::vector<history::AttemptSpan> spans_;
  std::int64_t start_;
  Attributes attributes_;
};

nlohmann::ordered_json to_json(Value const& value) {
  if (auto const* truth = value.as<bool>()) return *truth;
  if (auto const* whole = value.as<std::int64_t>()) return *whole;
  if (auto const* real = value.as<double>()) return *real;
  if (auto const* text = value.as<std::string>()) return *text;
  return nullptr;
}

std::string json_ad(Attributes const& attributes) {
  nlohmann::ordered_json ad = nlohmann::ordered_json::object();
  for (auto const& [name, value] : attributes) {
    if (auto const* counts = std::get_if<Counts>(&value)) {
      ad[name] = *counts;
    } else {
      ad[name] = to_json(std::get<Value>(value));
    }
  }
  // Bytes that are no UTF-8 (names of sites are the user's) are replaced, not fatal.
  return ad.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string long_ad(Attributes const& attributes) {
  std::string text;
  for (auto const& [name, value] : attributes) {
    if (auto const* counts = std::get_if<Counts>(&value)) {
      text += name + " = [ ";
      std::string separator;
      for (auto const& [reason, count] : *counts) {
        text += fmt::format("{}{} = {}", std::exchange(separator, "; "), reason, count);
      }
      text += " ]\n";
    } else {
      text += name + " = " + std::get<Value>(value).to_text() + "\n";
    }
  }
  return text + "\n";
}

}  // namespace

void write_history_ads(history::JobHistory const& history, std::ostream& out,
                       HistoryAdsOptions const& options) {
  if (!history.dated) {
    throw InputError({{},
                      "a history without dates cannot be written as ads",
                      "ads contain dates of events, and the source does not",
                      ""});
  }
  bool const json = options.form == AdsForm::json;
  std::string_view separator = "[\n";
  bool any = false;
  for (auto const& events : history::events_of_jobs(history)) {
    if (events.empty()) continue;
    any = true;
    Attributes const attributes = JobAdWriter(history, options, events).attributes();
    if (json) out << std::exchange(separator, ",\n");
    out << (json ? json_ad(attributes) : long_ad(attributes));
  }
  if (json) out << (any ? "\n]\n" : "[\n]\n");
}

}  // namespace gridcast::condor

#include "sim/report/phases.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "sim/report/text/reason_words.hpp"

namespace gridcast::report {
namespace {

struct PhaseRow {
  std::string_view name;
  ledger::TimeClass time_class;
};

// In the order of Phase.
constexpr std::array<PhaseRow, phase_count> rows = {{
    {"waiting", ledger::TimeClass::idle},
    {"matched", ledger::TimeClass::matched},
    {"transfer", ledger::TimeClass::transfer_input},
    {"stalled", ledger::TimeClass::transfer_input},
    {"executing", ledger::TimeClass::execute},
    {"checkpoint", ledger::TimeClass::checkpoint},
    {"output", ledger::TimeClass::transfer_output},
    {"suspended", ledger::TimeClass::suspended},
    {"disconnected", ledger::TimeClass::disconnected},
    {"held", ledger::TimeClass::held},
    {"cool_down", ledger::TimeClass::cool_down},
}};

/// A vacate for a failed transfer that leads to no hold (HTCondor 25.6; see the accountant).
bool begins_cool_down(history::JobEvent const& event) {
  return event.kind == history::EventKind::evicted && (event.code == 12 || event.code == 13);
}

Phase phase_after(history::JobEvent const& event) {
  if (event.kind == history::EventKind::held) return Phase::held;
  return begins_cool_down(event) ? Phase::cool_down : Phase::waiting;
}

bool is_of_execution(history::EventKind kind) {
  return kind == history::EventKind::checkpointed || kind == history::EventKind::suspended ||
         kind == history::EventKind::unsuspended || kind == history::EventKind::reconnected;
}

bool shows_slot(history::EventKind kind) {
  switch (kind) {
    case history::EventKind::transfer_input_queued:
    case history::EventKind::transfer_input_started:
    case history::EventKind::transfer_input_finished:
    case history::EventKind::executing:
    case history::EventKind::transfer_output_queued:
    case history::EventKind::transfer_output_started:
    case history::EventKind::transfer_output_finished:
    case history::EventKind::disconnected:
      return true;
    default:
      return is_of_execution(kind);
  }
}

/// Follows the events of one job.
class Walk {
 public:
  Walk(Id<history::Job> job, std::vector<PhaseSpan>& spans) : job_(job), spans_(spans) {}

  void add(history::JobEvent const& event) {
    if (!seen_) since_ = event.at;
    seen_ = true;
    spend(event.at);
    before_step(event);
    step(event);
    note_place(event);
    over_ =
        event.kind == history::EventKind::terminated || event.kind == history::EventKind::aborted;
  }

  /// The record ends.
  void finish(Seconds at) {
    if (!seen_ || over_) return;
    std::size_t const before = spans_.size();
    spend(at);
    if (spans_.size() > before) spans_.back().open = true;
  }

 private:
  void spend(Seconds until) {
    if (!(since_ < until)) return;
    bool const slot = has_slot(doing_);
    spans_.push_back({job_, doing_, since_, until, slot ? site_ : Id<history::Site>(),
                      slot ? slot_ : 0, slot ? attempt_ : 0, false, slot ? std::nullopt : cause_});
    since_ = until;
  }

  void begin_attempt() {
    ++attempt_;
    first_span_ = output_since_ = spans_.size();
    site_ = {};
    slot_ = 0;
    doing_ = Phase::matched;
  }

  /// What an event says of the time before it that no event of its own says.
  void before_step(history::JobEvent const& event) {
    if (doing_ == Phase::disconnected && event.kind != history::EventKind::disconnected &&
        !history::ends_attempt(event.kind)) {
      doing_ = before_disconnection_;
    }
    if (has_slot(doing_) || !shows_slot(event.kind)) return;
    begin_attempt();
    if (is_of_execution(event.kind)) doing_ = Phase::executing;
  }

  void step(history::JobEvent const& event);

  void begin_output() {
    if (doing_ != Phase::output) output_since_ = spans_.size();
    doing_ = Phase::output;
  }

  void save_checkpoint() {
    if (doing_ != Phase::output) return;
    rename(output_since_, Phase::output, Phase::checkpoint);
    doing_ = Phase::executing;
  }

  void rename(std::size_t from, Phase was, Phase is) {
    for (std::size_t i = from; i < spans_.size(); ++i) {
      if (spans_[i].phase == was) spans_[i].phase = is;
    }
  }

  void end_attempt(history::JobEvent const& event) {
    if (has_slot(doing_) && spans_.size() > first_span_) {
      PhaseSpan& last = spans_.back();
      last.cause = ledger::ending_of(event);
      bool const stalled = event.reason == history::Reason::transfer_stalled;
      if (stalled && last.phase == Phase::transfer) last.phase = Phase::stalled;
    }
    doing_ = phase_after(event);
    cause_ = ledger::ending_of(event);
  }

  /// Where an attempt was is sometimes told in the middle of it only.
  void note_place(history::JobEvent const& event) {
    bool const in_attempt = has_slot(doing_) || history::ends_attempt(event.kind);
    if (!in_attempt || attempt_ == 0) return;
    if (!site_.valid() && event.site.valid()) {
      site_ = event.site;
      for (std::size_t i = first_span_; i < spans_.size(); ++i) spans_[i].site = site_;
    }
    if (slot_ == 0 && event.slot != 0) {
      slot_ = event.slot;
      for (std::size_t i = first_span_; i < spans_.size(); ++i) spans_[i].slot = slot_;
    }
  }

  Id<history::Job> job_;
  std::vector<PhaseSpan>& spans_;
  Seconds since_;
  Phase doing_ = Phase::waiting;
  Phase before_suspension_ = Phase::executing, before_disconnection_ = Phase::executing;
  Id<history::Site> site_;
  std::uint32_t slot_ = 0, attempt_ = 0;
  std::size_t first_span_ = 0, output_since_ = 0;  // of the attempt; of its output transfer
  std::optional<ledger::Ending> cause_;
  bool seen_ = false, over_ = false;
};

void Walk::step(history::JobEvent const& event) {
  switch (event.kind) {
    case history::EventKind::matched:
      begin_attempt();
      break;
    case history::EventKind::released:
      if (doing_ != Phase::held) break;
      doing_ = Phase::waiting;
      cause_.reset();
      break;
    case history::EventKind::transfer_input_queued:
    case history::EventKind::transfer_input_finished:
      doing_ = Phase::matched;
      break;
    case history::EventKind::transfer_input_started:
      doing_ = Phase::transfer;
      break;
    case history::EventKind::executing:
      doing_ = Phase::executing;
      break;
    case history::EventKind::transfer_output_queued:
    case history::EventKind::transfer_output_started:
    case history::EventKind::transfer_output_finished:
      begin_output();
      break;
    case history::EventKind::checkpointed:
      save_checkpoint();
      break;
    case history::EventKind::suspended:
      if (doing_ != Phase::suspended) before_suspension_ = doing_;
      doing_ = Phase::suspended;
      break;
    case history::EventKind::unsuspended:
      if (doing_ == Phase::suspended) doing_ = before_suspension_;
      break;
    case history::EventKind::disconnected:
      if (doing_ == Phase::disconnected) break;
      before_disconnection_ = doing_;
      doing_ = Phase::disconnected;
      break;
    default:
      if (history::ends_attempt(event.kind)) end_attempt(event);
      break;
  }
}

}  // namespace

std::string_view name(Phase phase) { return rows[static_cast<std::size_t>(phase)].name; }

ledger::TimeClass time_class_of(Phase phase) {
  return rows[static_cast<std::size_t>(phase)].time_class;
}

std::vector<Phase> all_phases() {
  std::vector<Phase> all(phase_count);
  for (std::size_t i = 0; i < phase_count; ++i) all[i] = static_cast<Phase>(i);
  return all;
}

std::vector<PhaseSpan> phases_of(history::JobHistory const& history) {
  std::vector<PhaseSpan> spans;
  Seconds last{};
  for (history::JobEvent const& event : history.events) last = std::max(last, event.at);
  auto const events = history::events_by_job(history);
  for (std::size_t job = 0; job < events.size(); ++job) {
    Walk walk(Id<history::Job>(job), spans);
    for (std::uint32_t const index : events[job]) walk.add(history.events[index]);
    if (history.dated) walk.finish(last);
  }
  return spans;
}

std::string cause_in_words(PhaseSpan const& span) {
  return span.cause ? words_of(*span.cause).what : std::string();
}

std::string slot_name(history::JobHistory const& history, std::uint32_t slot) {
  if (history.slots.empty()) return fmt::format("slot {}", slot);
  bool const named = slot > 0 && slot < history.slots.size() && !history.slots[slot].empty();
  return named ? history.slots[slot] : "unknown slot";
}

}  // namespace gridcast::report

#include "sim/report/page/gantt_bars.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "sim/ledger/ledger.hpp"
#include "sim/report/text/reason_words.hpp"

namespace gridcast::report {
namespace {

// How long the mark of a lost attempt is drawn, as a share of the whole.
constexpr double mark_share = 1.0 / 400;

// Beyond so many different ones, the log's own words are left out.
constexpr std::size_t most_reasons = 2000;

/// What a job was doing since when.
struct Open {
  GanttPhase phase = GanttPhase::waiting;
  GanttPhase before = GanttPhase::executing;  // a suspension or a loss of contact
  Seconds since;
  std::int32_t lane = -1;
  bool any = false;
  std::int32_t reason = -1;  // of what began it: why a job is held
};

// In the order of Phase. The picture has one colour for all transfers, and none for a cool-down.
constexpr std::array<GanttPhase, history::phase_count> phases = {
    GanttPhase::waiting,      GanttPhase::matched,    GanttPhase::transfer, GanttPhase::stalled,
    GanttPhase::executing,    GanttPhase::checkpoint, GanttPhase::transfer, GanttPhase::suspended,
    GanttPhase::disconnected, GanttPhase::held,       GanttPhase::waiting};

/// The bar that begins with a step. The picture follows the log's lines more closely than the
/// accounts do: an output transfer that waits for a slot, or is over, is not one.
GanttPhase shown_after(history::AttemptStep const& step) {
  switch (step.event.kind) {
    case history::EventKind::submitted:
    case history::EventKind::released:
      return GanttPhase::waiting;
    case history::EventKind::checkpointed:
      return GanttPhase::executing;
    case history::EventKind::transfer_output_queued:
    case history::EventKind::transfer_output_finished:
      return GanttPhase::matched;
    default:
      return phases[static_cast<std::size_t>(step.now)];
  }
}

bool lost(history::JobEvent const& event) {
  bool const succeeded = event.kind == history::EventKind::terminated && event.useful;
  return history::ends_attempt(event.kind) && !succeeded;
}

bool stalled(history::JobEvent const& event) {
  return event.reason == history::Reason::transfer_stalled ||
         event.reason == history::Reason::no_progress ||
         event.reason == history::Reason::transfer_timeout;
}

class Bars {
 public:
  Bars(history::JobHistory const& history, std::vector<bool> const& shown,
       std::vector<condor::LoggedWords> const& words)
      : history_(history), shown_(shown), open_(history.jobs.size()), number_(history.jobs.size()) {
    for (auto const& each : words) words_[{each.job, second_of(each.at)}] = each.text;
    for (std::size_t j = 0; j < history.jobs.size(); ++j) {
      if (!shown[j]) continue;
      number_[j] = static_cast<std::uint32_t>(gantt_.jobs.size());
      gantt_.jobs.push_back(to_text(history.jobs[j]));
    }
  }

  Gantt draw() {
    for (auto const& event : history_.events) end_ = std::max(end_, event.at);
    history::each_step(history_.events, [this](history::AttemptStep const& step) {
      std::size_t const job = step.event.job.index();
      if (job < shown_.size() && shown_[job]) add(step);
    });
    for (std::size_t j = 0; j < open_.size(); ++j) {
      if (shown_[j] && open_[j].any) close(j, end_, -1);
    }
    sort_lanes();
    return std::move(gantt_);
  }

 private:
  void add(history::AttemptStep const& step) {
    history::JobEvent const& event = step.event;
    std::size_t const job = event.job.index();
    Open& open = open_[job];
    bool const marks = lost(event);
    std::int32_t const reason = marks ? reason_of(event) : -1;
    if (open.any) {
      if (marks && open.phase == GanttPhase::transfer && stalled(event)) {
        open.phase = GanttPhase::stalled;
      }
      if (event.kind == history::EventKind::checkpointed && open.phase == GanttPhase::transfer) {
        open.phase = GanttPhase::checkpoint;
      }
      close(job, event.at, reason);
    }
    begin(open, step);
    open.reason = event.kind == history::EventKind::held ? reason : -1;
    if (marks && event.kind != history::EventKind::held) mark(job, event, reason);
  }

  void begin(Open& open, history::AttemptStep const& step) {
    history::JobEvent const& event = step.event;
    auto const is = [&event](history::EventKind a, history::EventKind b) {
      return event.kind == a || event.kind == b;
    };
    // A bar remembers one interruption: of one within another, the bar goes on as the inner one.
    if (is(history::EventKind::suspended, history::EventKind::disconnected)) {
      open.before = open.phase;
    }
    open.any = !is(history::EventKind::terminated, history::EventKind::aborted);
    if (is(history::EventKind::unsuspended, history::EventKind::reconnected)) {
      open.phase = open.before;
    } else if (open.any) {
      open.phase = shown_after(step);
    }
    open.since = event.at;
    bool const no_slot = open.phase == GanttPhase::waiting || open.phase == GanttPhase::held;
    open.lane = no_slot ? -1 : event.site.valid() ? lane_of(event) : open.lane;
  }

  void close(std::size_t job, Seconds at, std::int32_t reason) {
    Open const& open = open_[job];
    if (!(at > open.since)) return;
    gantt_.bars.push_back({open.since, at, static_cast<std::uint8_t>(open.phase), number_[job],
                           open.lane, open.reason >= 0 ? open.reason : reason});
  }

  /// A short bar at the end of a lost attempt, on the slot that it had.
  void mark(std::size_t job, history::JobEvent const& event, std::int32_t reason) {
    if (!event.site.valid()) return;
    Seconds const width = end_ * mark_share;
    gantt_.bars.push_back({event.at > width ? event.at - width : Seconds(), event.at,
                           static_cast<std::uint8_t>(GanttPhase::evicted), number_[job],
                           lane_of(event), reason});
  }

  /// By site and slot; they were met in the order of time.
  void sort_lanes() {
    std::vector<std::pair<std::pair<std::string, std::uint32_t>, std::int32_t>> order;
    for (auto const& [place, lane] : lanes_) {
      order.push_back({{history_.sites[place.first], place.second}, lane});
    }
    std::sort(order.begin(), order.end());
    std::vector<std::int32_t> rank(order.size());
    std::vector<GanttLane> sorted;
    for (auto const& [place, lane] : order) {
      rank[static_cast<std::size_t>(lane)] = static_cast<std::int32_t>(sorted.size());
      sorted.push_back(gantt_.lanes[static_cast<std::size_t>(lane)]);
    }
    gantt_.lanes = std::move(sorted);
    for (auto& bar : gantt_.bars) {
      if (bar.lane >= 0) bar.lane = rank[static_cast<std::size_t>(bar.lane)];
    }
  }

  std::int32_t lane_of(history::JobEvent const& event) {
    auto const [found, is_new] = lanes_.try_emplace(std::pair(event.site.index(), event.slot),
                                                    static_cast<std::int32_t>(gantt_.lanes.size()));
    if (is_new) {
      std::string const site = history_.sites[event.site.index()];
      bool const named = event.slot < history_.slots.size();
      std::string const slot = named ? history_.slots[event.slot] : std::to_string(event.slot);
      gantt_.lanes.push_back({site.empty() ? slot : site + " " + slot, site});
    }
    return found->second;
  }

  /// What the log said then, in quotation marks.
  std::string said(history::JobEvent const& event) const {
    auto const found = words_.find({history_.jobs[event.job.index()], second_of(event.at)});
    if (found == words_.end() || reasons_.size() >= most_reasons) return "";
    return fmt::format(" (\u201c{}\u201d)", found->second);
  }

  static std::int64_t second_of(Seconds at) { return static_cast<std::int64_t>(at.value()); }

  std::int32_t reason_of(history::JobEvent const& event) {
    auto const words = words_of(history::ending_of(event));
    std::string text(ending_word(event.kind));
    if (!words.what.empty()) text += ": " + words.what;
    text += said(event);
    auto const [found, is_new] =
        reasons_.try_emplace(text, static_cast<std::int32_t>(gantt_.reasons.size()));
    if (is_new) gantt_.reasons.push_back(text);
    return found->second;
  }

  history::JobHistory const& history_;
  std::vector<bool> const& shown_;
  Gantt gantt_;
  Seconds end_;
  std::vector<Open> open_;
  std::vector<std::uint32_t> number_;
  std::map<std::pair<std::size_t, std::uint32_t>, std::int32_t> lanes_;
  std::map<std::string, std::int32_t> reasons_;
  std::map<std::pair<history::JobName, std::int64_t>, std::string> words_;
};

}  // namespace

Gantt gantt_bars(history::JobHistory const& history, std::vector<bool> const& shown,
                 std::vector<condor::LoggedWords> const& words) {
  Gantt gantt = Bars(history, shown, words).draw();
  gantt.epoch_unix = history.start_unix;
  return gantt;
}

}  // namespace gridcast::report

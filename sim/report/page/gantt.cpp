#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/report/page/report_page.hpp"
#include "sim/report/text/reason_words.hpp"

namespace gridcast::report {
namespace {

// How long the mark of a lost attempt is drawn, as a share of the whole.
constexpr double mark_share = 1.0 / 400;

// Beyond so many different ones, the log's own words are left out.
constexpr std::size_t most_reasons = 2000;

/// Activity of a job, and its start.
struct Open {
  GanttPhase phase = GanttPhase::waiting;
  GanttPhase before = GanttPhase::executing;  // a suspension or a loss of contact
  Seconds since;
  std::int32_t lane = -1;
  bool any = false;
  std::int32_t reason = -1;  // of its first event: why a job is held
};

// In the order of Phase. The picture has one colour for all transfers, and none for a cool-down.
constexpr std::array<GanttPhase, history::phase_count> shown_as = {
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
      return shown_as[static_cast<std::size_t>(step.now)];
  }
}

bool lost(history::JobEvent const& event) {
  bool const succeeded = event.kind == history::EventKind::terminated && event.useful;
  return history::ends_attempt(event.kind) && !succeeded;
}

/// As the ledger counts them: an attempt that ends by itself, as after a stall, is no eviction.
bool is_eviction(history::JobEvent const& event) {
  return event.kind == history::EventKind::evicted ||
         event.kind == history::EventKind::reconnect_failed;
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
    for (auto const& each : words) words_[key_of(each.job, each.at, each.kind)] = each.text;
    for (std::size_t j = 0; j < history.jobs.size(); ++j) {
      if (!shown[j]) continue;
      number_[j] = static_cast<std::uint32_t>(gantt_.jobs.size());
      gantt_.jobs.push_back(name_of_job(history, Id<history::Job>(j)));
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
    if (is_eviction(event)) mark(job, event, reason);
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

  /// A short bar at an eviction, on the slot that was lost.
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
      std::string const slot = named ? slot_name(history_, event.slot) : std::to_string(event.slot);
      gantt_.lanes.push_back({site.empty() ? slot : site + " " + slot, site});
    }
    return found->second;
  }

  /// The log's text at that time, in quotation marks.
  std::string quoted_log_text(history::JobEvent const& event) const {
    auto const found = words_.find(key_of(history_.jobs[event.job.index()], event.at, event.kind));
    if (found == words_.end() || reasons_.size() >= most_reasons) return "";
    return fmt::format(" (\u201c{}\u201d)", found->second);
  }

  /// An attempt that fails and the hold that follows often have one second. 004 is the eviction,
  /// a retry of the program, and follows 024.
  using WordsKey = std::tuple<history::JobName, std::int64_t, history::EventKind>;

  static WordsKey key_of(history::JobName job, Seconds at, history::EventKind kind) {
    using enum history::EventKind;
    bool const by_004 = kind == requeued || kind == reconnect_failed;
    return {job, static_cast<std::int64_t>(at.value()), by_004 ? evicted : kind};
  }

  std::int32_t reason_of(history::JobEvent const& event) {
    auto const words = words_of(history::ending_of(event), history_.batch_system);
    std::string text(ending_word(event.kind));
    if (!words.what.empty()) text += ": " + words.what;
    text += quoted_log_text(event);
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
  std::map<WordsKey, std::string> words_;
};

constexpr std::size_t most_worst = 10;
constexpr std::size_t most_events = 5000;
/// The charts of all strategies share these bars: the page is to stay small.
constexpr std::size_t most_bars_in_all = 16000;
/// A job has at least so many phases: waiting, matched, transfer, execution, output.
constexpr std::size_t bars_of_a_job = 5;
/// Least slot time lost by a job that is named; less is rounding.
constexpr Seconds worth_naming(0.5);

/// The bars of a job within a bin. Each phase keeps its time: a transfer never becomes part of an
/// execution.
class Bin {
 public:
  void add(GanttBar const& bar) {
    start_ = parts_.empty() && !mark_ ? bar.start : std::min(start_, bar.start);
    // The mark of an eviction lies over the bar that it ends.
    if (bar.phase == static_cast<std::uint8_t>(GanttPhase::evicted)) {
      mark_ = bar;
      return;
    }
    auto part =
        std::ranges::find(parts_, bar.phase, [](Part const& each) { return each.bar.phase; });
    if (part == parts_.end()) part = parts_.insert(parts_.end(), {bar, {}, {}});
    Seconds const length = bar.end - bar.start;
    part->time += length;
    if (length < part->longest) return;
    part->longest = length;
    part->bar.lane = bar.lane;
    if (bar.reason >= 0 || part->bar.reason < 0) part->bar.reason = bar.reason;
  }

  /// One bar a phase, one after the other.
  void put(std::vector<GanttBar>& bars) const {
    Seconds at = start_;
    for (Part const& part : parts_) {
      bars.push_back(part.bar);
      bars.back().start = at;
      bars.back().end = at += part.time;
    }
    if (mark_) bars.push_back(*mark_);
  }

 private:
  struct Part {
    GanttBar bar;
    Seconds time, longest;
  };
  Seconds start_;
  std::vector<Part> parts_;
  std::optional<GanttBar> mark_;
};

std::vector<GanttBar> merged(std::vector<GanttBar> bars, Seconds width) {
  std::stable_sort(bars.begin(), bars.end(), [](GanttBar const& a, GanttBar const& b) {
    return std::tie(a.job, a.start) < std::tie(b.job, b.start);
  });
  std::vector<GanttBar> result;
  for (std::size_t i = 0; i < bars.size();) {
    Bin bin;
    auto const number = static_cast<long>(bars[i].start / width);
    std::size_t j = i;
    for (; j < bars.size() && bars[j].job == bars[i].job &&
           static_cast<long>(bars[j].start / width) == number;
         ++j) {
      bin.add(bars[j]);
    }
    bin.put(result);
    i = j;
  }
  return result;
}

/// Slot time of each job less the execution and the input transfer that gave its result.
std::vector<Seconds> lost_by_job(ledger::Ledger const& ledger) {
  std::vector<Seconds> lost;
  for (auto const& job : ledger.jobs) {
    Seconds of_job = job.classes.slot_time();
    if (job.succeeded()) {
      of_job -= job.final_execution.value_or(Seconds()) + job.last_transfer.value_or(Seconds());
    }
    lost.push_back(of_job);
  }
  return lost;
}

std::string worst_words(ledger::JobAccount const& job, Seconds lost) {
  std::string text = to_text(lost) + " lost: " + counted(job.attempts, "attempt");
  if (job.stalls > 0) text += ", " + counted(job.stalls, "stall");
  if (job.holds > 0) text += ", " + counted(job.holds, "hold");
  return text + "; " +
         (job.standing == ledger::Standing::wrong_output ? "wrong output"
                                                         : std::string(name(job.standing)));
}

std::vector<std::size_t> by_loss(std::vector<Seconds> const& lost) {
  std::vector<std::size_t> order(lost.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return lost[a] > lost[b]; });
  return order;
}

std::string event_words(history::JobHistory const& history, history::JobEvent const& event) {
  static auto const words = split(
      "submitted|matched|input transfer starts|input transfer ends|"
      "executing|output transfer starts|output transfer ends|ended|"
      "evicted|attempt failed|held|released|removed|requeued|"
      "checkpoint saved|suspended|unsuspended|contact lost|"
      "reconnected|contact given up|input transfer queued|"
      "output transfer queued",
      '|');
  std::string text = words[static_cast<std::size_t>(event.kind)];
  if (event.site.valid()) text += " at " + history.sites[event.site.index()];
  bool const why = event.kind != history::EventKind::executing;  // its reason: when is not recorded
  if (why && event.reason != history::Reason::none)
    text += ": " + words_of(history::ending_of(event), history.batch_system).what;
  return text;
}

/// The jobs shown, by their number in the chart: jobs of a history, in its order.
std::vector<std::size_t> numbers(std::vector<bool> const& shown) {
  std::vector<std::size_t> number(shown.size(), 0);
  std::size_t next = 0;
  for (std::size_t j = 0; j < shown.size(); ++j) {
    if (shown[j]) number[j] = next++;
  }
  return number;
}

void add_worst(Gantt& gantt, ledger::Ledger const& ledger, std::vector<Seconds> const& lost,
               std::vector<std::size_t> const& number) {
  auto order = by_loss(lost);
  order.resize(std::min(order.size(), most_worst));
  for (std::size_t const job : order) {
    if (lost[job] < worth_naming) break;
    gantt.worst.emplace_back(static_cast<std::uint32_t>(number[job]),
                             worst_words(ledger.jobs[job], lost[job]));
  }
}

void add_events(Gantt& gantt, history::JobHistory const& history,
                std::vector<std::size_t> const& number) {
  if (history.events.size() > most_events || gantt.jobs.size() < history.jobs.size()) return;
  for (auto const& event : history.events) {
    gantt.events.emplace_back(event.at, static_cast<std::uint32_t>(number[event.job.index()]),
                              event_words(history, event));
  }
}

/// "60 jobs on 52 slots"; a row shows the first slot alone of a job that occupies several.
std::string jobs_and_slots(Gantt const& gantt, history::JobHistory const& history) {
  std::string const jobs = counted(history.jobs.size(), "job");
  int least = std::numeric_limits<int>::max(), most = 0;
  for (std::size_t job = 0; job < history.jobs.size(); ++job) {
    int const slots = history.occupied.of(Id<history::Job>(job));
    least = std::min(least, slots);
    most = std::max(most, slots);
  }
  if (most <= 1) return jobs + " on " + counted(gantt.lanes.size(), "slot");
  std::string const each =
      least == most ? std::to_string(most) : fmt::format("{} to {}", least, most);
  return fmt::format("{} of {} slots each, in the rows of their first slots,", jobs, each);
}

std::string says(Gantt const& gantt, history::JobHistory const& history,
                 std::vector<Seconds> const& lost) {
  Seconds end;
  for (auto const& bar : gantt.bars) end = std::max(end, bar.end);
  Seconds const all = std::accumulate(lost.begin(), lost.end(), Seconds());
  std::string text = jobs_and_slots(gantt, history) + " over " + to_text(end);
  if (gantt.jobs.size() < history.jobs.size()) {
    text += fmt::format(" (drawn: the {} jobs that lost most)", gantt.jobs.size());
  }
  auto const order = by_loss(lost);
  if (order.empty() || lost[order.front()] < worth_naming) {
    return text + "; next to no slot time was lost.";
  }
  return text + fmt::format("; job {} lost the most: {} of the {} lost.",
                            name_of_job(history, Id<history::Job>(order.front())),
                            to_text(lost[order.front()]), to_text(all));
}

/// The jobs that lost most, where there are too many to draw.
std::vector<bool> drawn_jobs(std::vector<Seconds> const& lost, std::size_t most) {
  std::vector<bool> drawn(lost.size(), lost.size() <= most);
  auto const order = by_loss(lost);
  for (std::size_t i = 0; i < std::min(order.size(), most); ++i) drawn[order[i]] = true;
  return drawn;
}

/// The chart of one campaign.
Gantt gantt_of(OneCampaign const& campaign, std::size_t most_jobs) {
  history::JobHistory const& history = campaign.history;
  auto const lost = lost_by_job(campaign.accounts);
  auto const shown = drawn_jobs(lost, most_jobs);
  Gantt gantt = gantt_bars(history, shown, campaign.words);
  gantt.id = "gantt";
  gantt.title = "Activity of each job: " + campaign.what;
  gantt.strategy = campaign.strategy;
  if (!gantt.strategy.empty()) gantt.title += ", strategy " + gantt.strategy;
  gantt.says = says(gantt, history, lost);
  add_worst(gantt, campaign.accounts, lost, numbers(shown));
  return gantt;
}

}  // namespace

Gantt gantt_bars(history::JobHistory const& history, std::vector<bool> const& shown,
                 std::vector<condor::LoggedWords> const& words) {
  Gantt gantt = Bars(history, shown, words).draw();
  gantt.epoch_unix = history.start_unix;
  return gantt;
}

void make_comparable(std::vector<Gantt*> const& gantts, std::size_t most) {
  Seconds end;
  std::size_t largest = 0;
  for (Gantt const* gantt : gantts) {
    largest = std::max(largest, gantt->bars.size());
    for (auto const& bar : gantt->bars) end = std::max(end, bar.end);
  }
  end = Seconds(std::ceil(end.value()));
  for (Gantt* gantt : gantts) gantt->end = end;
  std::vector<std::vector<GanttBar>> all;
  for (Gantt const* gantt : gantts) all.push_back(gantt->bars);
  constexpr std::size_t finest = 2048;
  for (std::size_t bins = finest; largest > most && bins > 0; bins /= 2) {
    largest = 0;
    for (std::size_t i = 0; i < gantts.size(); ++i) {
      gantts[i]->aggregated = true;
      gantts[i]->bars = merged(all[i], end / static_cast<double>(bins) + Seconds(1e-6));
      largest = std::max(largest, gantts[i]->bars.size());
    }
  }
}

ReportPart gantt_section(OneCampaign const& campaign, std::vector<OneCampaign> const& others) {
  history::JobHistory const& history = campaign.history;
  if (!history.dated) {
    return {std::nullopt,
            "Gantt chart: the source has no dates, so the times of the jobs are not known."};
  }
  if (history.events.empty()) return {std::nullopt, "Gantt chart: there are no events."};
  std::size_t const budget = std::min(most_gantt_bars, most_bars_in_all / (1 + others.size()));
  std::size_t const most_jobs = std::min(most_gantt_jobs, budget / bars_of_a_job);
  ReportSection section{"gantt", "Jobs and slots over time"};
  section.gantt = gantt_of(campaign, most_jobs);
  add_events(*section.gantt, history, numbers(std::vector<bool>(history.jobs.size(), true)));
  for (auto const& other : others) section.other_gantts.push_back(gantt_of(other, most_jobs));
  std::vector<Gantt*> all = {&*section.gantt};
  for (Gantt& other : section.other_gantts) all.push_back(&other);
  make_comparable(all, budget);
  return {std::move(section), ""};
}

}  // namespace gridcast::report

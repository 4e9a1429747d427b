#include "sim/report/page/gantt.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include "sim/ledger/ledger.hpp"
#include "sim/report/page/gantt_bars.hpp"
#include "sim/report/text/reason_words.hpp"

namespace gridcast::report {
namespace {

constexpr std::size_t most_worst = 10;
constexpr std::size_t most_events = 5000;
constexpr std::size_t phases = 10;
/// Of slot time that a job lost; less is rounding.
constexpr Seconds worth_a_word(0.5);

/// One bar for those of a job within a bin.
struct Merged {
  GanttBar bar;
  Seconds longest;
  std::array<Seconds, phases> time{};

  void add(GanttBar const& other) {
    Seconds const length = other.end - other.start;
    time[other.phase] += length;
    bar.start = std::min(bar.start, other.start);
    bar.end = std::max(bar.end, other.end);
    if (length < longest) return;
    longest = length;
    bar.lane = other.lane;
    if (other.reason >= 0 || bar.reason < 0) bar.reason = other.reason;
  }
  GanttBar finished() const {
    GanttBar result = bar;
    auto const most = std::max_element(time.begin(), time.end());
    result.phase = static_cast<std::uint8_t>(most - time.begin());
    return result;
  }
};

std::vector<GanttBar> merged(std::vector<GanttBar> bars, Seconds bin) {
  std::stable_sort(bars.begin(), bars.end(), [](GanttBar const& a, GanttBar const& b) {
    return std::tie(a.job, a.start) < std::tie(b.job, b.start);
  });
  std::vector<GanttBar> result;
  for (std::size_t i = 0; i < bars.size();) {
    Merged one{bars[i], {}, {}};
    auto const number = static_cast<long>(bars[i].start / bin);
    std::size_t j = i;
    for (; j < bars.size() && bars[j].job == bars[i].job &&
           static_cast<long>(bars[j].start / bin) == number;
         ++j) {
      one.add(bars[j]);
    }
    result.push_back(one.finished());
    i = j;
  }
  return result;
}

/// Slot time of each job less the execution and the input transfer that gave its result.
std::vector<Seconds> lost_by_job(ledger::Ledger const& ledger) {
  std::vector<Seconds> lost;
  for (auto const& job : ledger.jobs) {
    Seconds of_job = job.classes.slot_time();
    if (job.succeeded) {
      of_job -= job.final_execution.value_or(Seconds()) + job.last_transfer.value_or(Seconds());
    }
    lost.push_back(of_job);
  }
  return lost;
}

std::string counted(std::size_t n, std::string_view noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
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
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return lost[a] > lost[b]; });
  return order;
}

std::string event_words(history::JobHistory const& history, history::JobEvent const& event) {
  static constexpr std::string_view words[] = {"submitted",
                                               "matched",
                                               "input transfer starts",
                                               "input transfer ends",
                                               "executing",
                                               "output transfer starts",
                                               "output transfer ends",
                                               "ended",
                                               "evicted",
                                               "attempt failed",
                                               "held",
                                               "released",
                                               "removed",
                                               "requeued",
                                               "checkpoint saved",
                                               "suspended",
                                               "unsuspended",
                                               "contact lost",
                                               "reconnected",
                                               "contact given up",
                                               "input transfer queued",
                                               "output transfer queued"};
  std::string text(words[static_cast<std::size_t>(event.kind)]);
  if (event.site.valid()) text += " at " + history.sites[event.site.index()];
  if (event.reason != history::Reason::none)
    text += ": " + words_of(history::ending_of(event)).what;
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
    if (lost[job] < worth_a_word) break;
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

std::string says(Gantt const& gantt, history::JobHistory const& history,
                 std::vector<Seconds> const& lost) {
  Seconds end;
  for (auto const& bar : gantt.bars) end = std::max(end, bar.end);
  Seconds const all = std::accumulate(lost.begin(), lost.end(), Seconds());
  std::string text = counted(history.jobs.size(), "job") + " on " +
                     counted(gantt.lanes.size(), "slot") + " over " + to_text(end);
  if (gantt.jobs.size() < history.jobs.size()) {
    text += fmt::format(" (drawn: the {} jobs that lost most)", gantt.jobs.size());
  }
  auto const order = by_loss(lost);
  if (order.empty() || lost[order.front()] < worth_a_word) {
    return text + "; next to no slot time was lost.";
  }
  return text + fmt::format("; job {} lost the most: {} of the {} lost.",
                            to_text(history.jobs[order.front()]), to_text(lost[order.front()]),
                            to_text(all));
}

}  // namespace

void aggregate(Gantt& gantt, std::size_t most) {
  Seconds end;
  for (auto const& bar : gantt.bars) end = std::max(end, bar.end);
  auto const all = gantt.bars;
  constexpr std::size_t finest = 2048;
  for (std::size_t bins = finest; gantt.bars.size() > most && bins > 0; bins /= 2) {
    gantt.aggregated = true;
    gantt.bars = merged(all, end / static_cast<double>(bins) + Seconds(1e-6));
  }
}

ReportPart gantt_section(OneCampaign const& campaign) {
  history::JobHistory const& history = campaign.history;
  if (!history.dated) {
    return {std::nullopt,
            "Gantt chart: the source has no dates, so when jobs did what is not known."};
  }
  if (history.events.empty()) return {std::nullopt, "Gantt chart: there are no events."};
  auto const ledger = ledger::account(history);
  auto const lost = lost_by_job(ledger);
  std::vector<bool> shown(history.jobs.size(), history.jobs.size() <= most_gantt_jobs);
  auto const order = by_loss(lost);
  for (std::size_t i = 0; i < std::min(order.size(), most_gantt_jobs); ++i) shown[order[i]] = true;

  Gantt gantt = gantt_bars(history, shown, campaign.words);
  gantt.id = "gantt";
  gantt.title = "What each job did: " + campaign.what;
  auto const number = numbers(shown);
  gantt.says = says(gantt, history, lost);
  add_worst(gantt, ledger, lost, number);
  add_events(gantt, history, number);
  aggregate(gantt, most_gantt_bars);
  ReportSection section{"gantt", "Jobs and slots over time"};
  if (gantt.aggregated) {
    section.text.emplace_back(
        "There are too many bars to draw: neighbouring ones of a job are merged, in the colour of "
        "what took most of their time.");
  }
  section.gantt = std::move(gantt);
  return {std::move(section), ""};
}

}  // namespace gridcast::report

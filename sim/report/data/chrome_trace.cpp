#include "sim/report/data/chrome_trace.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <ostream>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/report/text/reason_words.hpp"

namespace gridcast::report {
namespace {

/// The spans of one attempt: [first, last).
struct Stay {
  std::size_t first = 0, last = 0;
  Seconds begin, end;
  std::size_t site = 0;  // behind all sites if it is not known
  std::uint32_t slot = 0;
};

std::vector<Stay> stays_of(std::vector<history::PhaseSpan> const& spans, std::size_t sites) {
  std::vector<Stay> stays;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    history::PhaseSpan const& span = spans[i];
    if (span.attempt == 0) continue;
    bool const goes_on =
        i > 0 && spans[i - 1].job == span.job && spans[i - 1].attempt == span.attempt;
    if (!goes_on) {
      std::size_t const site = span.site.valid() ? span.site.index() : sites;
      stays.push_back({i, i, span.begin, span.end, site, span.slot});
    }
    stays.back().last = i + 1;
    stays.back().end = span.end;
  }
  std::sort(stays.begin(), stays.end(), [](Stay const& a, Stay const& b) {
    return std::tie(a.site, a.slot, a.begin, a.first) < std::tie(b.site, b.slot, b.begin, b.first);
  });
  return stays;
}

using Json = nlohmann::ordered_json;

// Perfetto takes process 0 for the idle task of a machine.
constexpr std::size_t queue_process = 1, cache_process = 2, first_site_process = 3;

std::int64_t microseconds(Seconds time) { return std::llround(time.value() * 1e6); }

class ChromeWriter {
 public:
  ChromeWriter(history::JobHistory const& history, TraceContext const& context, std::ostream& out)
      : history_(history), context_(context), layout_(trace_layout(history)), out_(out) {}

  void write() {
    out_ << "{\"displayTimeUnit\":\"ms\",\"otherData\":" << text(other_data())
         << ",\"traceEvents\":[";
    write_names();
    write_timed();
    out_ << "\n]}\n";
  }

 private:
  static std::string text(Json const& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  Json other_data() const {
    Json data = {{"title", context_.title},
                 {"time", "simulated or logged seconds as microseconds"}};
    if (history_.start_unix) data["start_unix"] = *history_.start_unix;
    return data;
  }

  void put(Json const& event) {
    out_ << (first_ ? "\n" : ",\n") << text(event);
    first_ = false;
  }

  void write_metadata(char const* what, std::size_t process, std::size_t thread, Json const& args) {
    put({{"ph", "M"}, {"name", what}, {"pid", process}, {"tid", thread}, {"args", args}});
  }
  void name_thread(std::size_t process, std::size_t thread, std::string const& name) {
    write_metadata("thread_name", process, thread, {{"name", name}});
  }
  void name_process(std::size_t number, std::string const& name) {
    write_metadata("process_name", number, 0, {{"name", name}});
    write_metadata("process_sort_index", number, 0, {{"sort_index", number}});
  }

  // The number of a thread is unique in the trace and differs from all processes: viewers take
  // equal numbers for the main thread.
  std::size_t thread_of_lane(std::size_t lane) const {
    return first_site_process + history_.sites.size() + 1 + lane;
  }
  std::size_t thread_of_job(std::size_t job) const {
    return thread_of_lane(layout_.lanes.size()) + job;
  }

  std::size_t process_of(Id<history::Site> site) const {
    return first_site_process + (site.valid() ? site.index() : history_.sites.size());
  }

  void write_names() {
    name_process(queue_process, "queue");
    if (!context_.cache_samples.empty()) name_process(cache_process, "caches");
    for (std::size_t i = 0; i < history_.sites.size(); ++i) {
      name_process(first_site_process + i, history_.sites[i]);
    }
    if (layout_.has_unknown_site) name_process(process_of({}), site_name(history_, {}));
    for (std::size_t i = 0; i < layout_.lanes.size(); ++i) {
      name_thread(process_of(layout_.lanes[i].site), thread_of_lane(i), layout_.lanes[i].name);
    }
    std::vector<bool> waits(history_.jobs.size());
    for (std::size_t i = 0; i < layout_.spans.size(); ++i) {
      if (layout_.lane[i] == TraceLayout::in_queue) waits[layout_.spans[i].job.index()] = true;
    }
    for (std::size_t i = 0; i < waits.size(); ++i) {
      if (waits[i])
        name_thread(queue_process, thread_of_job(i), name_of_job(history_, Id<history::Job>(i)));
    }
  }

  Json slice(std::size_t index) const {
    history::PhaseSpan const& span = layout_.spans[index];
    std::int64_t const begin = microseconds(span.begin);
    bool const queued = layout_.lane[index] == TraceLayout::in_queue;
    Json args = {{"job", name_of_job(history_, span.job)}};
    if (!queued) args["attempt"] = span.attempt;
    if (span.cause) args["reason"] = cause_in_words(span, history_.batch_system);
    if (span.open) args["open"] = true;
    return {{"ph", "X"},
            {"name", name(span.phase)},
            {"cat", queued ? "queue" : "slot"},
            {"ts", begin},
            {"dur", microseconds(span.end) - begin},
            {"pid", queued ? queue_process : process_of(span.site)},
            {"tid", queued ? thread_of_job(span.job.index()) : thread_of_lane(layout_.lane[index])},
            {"args", std::move(args)}};
  }

  struct Count {
    std::string name;
    std::size_t process = queue_process;
    double value = 0;
  };

  Json counter(std::int64_t at, Count const& count) const {
    return {{"ph", "C"}, {"name", count.name},
            {"ts", at},  {"pid", count.process},
            {"tid", 0},  {"args", {{"value", count.value}}}};
  }

  void add_counts(std::string const& name, std::vector<history::Phase> const& phases, bool of_all) {
    for (CountStep const& step : counts_of(layout_, phases, of_all)) {
      std::size_t const process = of_all ? queue_process : process_of(step.site);
      times_.push_back({microseconds(step.at), counts_.size(), true});
      counts_.push_back({name, process, static_cast<double>(step.count)});
    }
  }

  // The track of a cache ends with the campaign, although the cache is not empty.
  void add_caches() {
    std::vector<bool> seen(context_.caches.size());
    auto const add = [this](Seconds at, std::uint32_t cache, double used) {
      times_.push_back({microseconds(at), counts_.size(), true});
      counts_.push_back({context_.caches[cache] + " used bytes", cache_process, used});
    };
    Seconds last = layout_.end;
    for (history::CacheSample const& sample : context_.cache_samples) {
      add(sample.at, sample.cache, sample.used.value());
      seen[sample.cache] = true;
      last = std::max(last, sample.at);
    }
    for (std::uint32_t cache = 0; cache < seen.size(); ++cache) {
      if (seen[cache]) add(last, cache, 0);
    }
  }

  void write_timed() {
    for (std::size_t i = 0; i < layout_.spans.size(); ++i) {
      history::PhaseSpan const& span = layout_.spans[i];
      std::int64_t const begin = microseconds(span.begin);
      if (microseconds(span.end) > begin) times_.push_back({begin, i, false});
    }
    add_counts("input transfers", {history::Phase::transfer, history::Phase::stalled}, false);
    add_counts("output transfers", {history::Phase::output, history::Phase::checkpoint}, false);
    add_counts("all input transfers", {history::Phase::transfer, history::Phase::stalled}, true);
    add_counts("waiting", {history::Phase::waiting, history::Phase::cool_down}, true);
    add_counts("held", {history::Phase::held}, true);
    add_caches();
    std::stable_sort(times_.begin(), times_.end(),
                     [](Timed const& a, Timed const& b) { return a.at < b.at; });
    for (Timed const& timed : times_) {
      put(timed.is_count ? counter(timed.at, counts_[timed.index]) : slice(timed.index));
    }
  }

  struct Timed {
    std::int64_t at = 0;
    std::size_t index = 0;  // of a span or a count
    bool is_count = false;
  };

  history::JobHistory const& history_;
  TraceContext const& context_;
  TraceLayout layout_;
  std::ostream& out_;
  std::vector<Timed> times_;
  std::vector<Count> counts_;
  bool first_ = true;
};

}  // namespace

TraceLayout trace_layout(history::JobHistory const& history) {
  TraceLayout layout;
  layout.spans = history::phases_of(history);
  layout.lane.assign(layout.spans.size(), TraceLayout::in_queue);
  for (history::PhaseSpan const& span : layout.spans) layout.end = std::max(layout.end, span.end);
  Stay previous;
  std::vector<Seconds> free_at;  // of the lanes of this slot
  std::size_t first_lane = 0;
  bool begun = false;
  for (Stay const& stay : stays_of(layout.spans, history.sites.size())) {
    if (!begun || stay.site != previous.site || stay.slot != previous.slot) {
      free_at.clear();
      first_lane = layout.lanes.size();
    }
    begun = true;
    previous = stay;
    auto const free = std::find_if(free_at.begin(), free_at.end(),
                                   [&stay](Seconds at) { return at <= stay.begin; });
    auto const number = static_cast<std::size_t>(free - free_at.begin());
    if (free == free_at.end()) {
      bool const known = stay.site < history.sites.size();
      std::string const more = number == 0 ? "" : fmt::format(" ({})", number + 1);
      layout.lanes.push_back({known ? Id<history::Site>(stay.site) : Id<history::Site>(),
                              history::slot_name(history, stay.slot) + more});
      layout.has_unknown_site = layout.has_unknown_site || !known;
      free_at.push_back(stay.end);
    } else {
      *free = stay.end;
    }
    for (std::size_t i = stay.first; i < stay.last; ++i) {
      layout.lane[i] = static_cast<std::uint32_t>(first_lane + number);
    }
  }
  return layout;
}

std::vector<CountStep> counts_of(TraceLayout const& layout,
                                 std::vector<history::Phase> const& phases, bool of_all) {
  constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
  std::map<std::tuple<Seconds, std::size_t>, int> changes;
  for (history::PhaseSpan const& span : layout.spans) {
    if (std::find(phases.begin(), phases.end(), span.phase) == phases.end()) continue;
    std::size_t const site = of_all || !span.site.valid() ? nowhere : span.site.index();
    ++changes[{span.begin, site}];
    --changes[{span.end, site}];
  }
  std::map<std::size_t, int> now;
  std::vector<CountStep> steps;
  for (auto const& [key, change] : changes) {
    auto const& [at, site] = key;
    if (change == 0) continue;
    now[site] += change;
    steps.push_back(
        {at, site == nowhere ? Id<history::Site>() : Id<history::Site>(site), now[site]});
  }
  return steps;
}

std::string site_name(history::JobHistory const& history, Id<history::Site> site) {
  return site.valid() ? history.sites[site.index()] : std::string("unknown site");
}

void write_chrome_trace(history::JobHistory const& history, TraceContext const& context,
                        std::ostream& out) {
  ChromeWriter(history, context, out).write();
}

}  // namespace gridcast::report

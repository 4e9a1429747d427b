#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "sim/report/trace/trace.hpp"

namespace gridcast::report {
namespace {

/// The spans of one attempt: [first, last).
struct Stay {
  std::size_t first = 0, last = 0;
  Seconds begin, end;
  std::size_t site = 0;  // behind all sites where it is not known
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

}  // namespace gridcast::report

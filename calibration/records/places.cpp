#include "calibration/records/places.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace gridcast::calibration {

namespace {

/// A kind of GPUs at a site; no count where the number is the job's own choice, 0 without GPUs.
struct Kind {
  std::string model;
  std::optional<int> count = {};
  auto operator<=>(Kind const&) const = default;
};

Kind const without_gpus{.model = {}, .count = 0};

bool numbers_hang_on_slots(history::JobHistory const& history) {
  std::map<std::size_t, std::set<int>> numbers;
  for (history::JobEvent const& event : history.events) {
    history::GpuShare const* const gpus = history.gpus_of(event);
    if (gpus != nullptr && gpus->count > 0) numbers[event.job.index()].insert(*gpus->count);
  }
  return std::ranges::any_of(numbers, [](auto const& job) { return job.second.size() > 1; });
}

/// "A40", "2xA40".
std::string name_of(Kind const& kind) {
  if (kind == without_gpus) return "no-GPU";
  std::string const number = kind.count > 0 ? fmt::format("{}x", *kind.count) : "";
  return number + (kind.model.empty() ? "GPU" : kind.model);
}

Kind kind_of(history::GpuShare const& gpus, bool slots_decide) {
  if (gpus.is_none()) return without_gpus;
  return {short_model(gpus.model), slots_decide ? gpus.count : std::nullopt};
}

/// Calls with the events of each attempt of a job.
template <class Use>
void each_attempt(history::JobHistory& history, std::vector<std::uint32_t> const& events,
                  Use const& use) {
  std::vector<history::JobEvent*> attempt;
  for (std::uint32_t const index : events) {
    attempt.push_back(&history.events[index]);
    if (!history::ends_attempt(attempt.back()->kind)) continue;
    use(attempt);
    attempt.clear();
  }
  if (!attempt.empty()) use(attempt);
}

/// The first GPUs that the attempt's events name.
history::GpuShare const* gpus_of(history::JobHistory const& history,
                                 std::vector<history::JobEvent*> const& attempt) {
  for (history::JobEvent const* const event : attempt) {
    if (auto const* const gpus = history.gpus_of(*event)) return gpus;
  }
  return nullptr;
}

/// The kinds of GPUs of a site's executions, each with its number of executions.
using KindsOfSite = std::map<Kind, std::size_t>;

class Splitter {
 public:
  explicit Splitter(history::JobHistory history) { places_.history = std::move(history); }

  Places split() {
    places_.slots_decide = numbers_hang_on_slots(places_.history);
    count_kinds();
    name_parts();
    for (auto const& events : history::events_by_job(places_.history)) {
      each_attempt(places_.history, events, [this](auto const& attempt) { move_attempt(attempt); });
    }
    return as_they_are();
  }

  Places as_they_are() {
    resources_.resize(places_.history.sites.size());
    describe();
    return std::move(places_);
  }

 private:
  Kind kind_of(history::GpuShare const& gpus) const {
    return calibration::kind_of(gpus, places_.slots_decide);
  }

  // GPUs without a model (a job's ad gives none for its earlier attempts) are no kind of their own
  // where others have one; no GPUs are.
  void count_kinds() {
    kinds_.resize(places_.history.sites.size());
    for (bool const named : {true, false}) count_kinds(named);
  }

  void count_kinds(bool named) {
    std::vector<bool> const known = each_of(kinds_, [&](KindsOfSite const& kinds) {
      return kinds.size() > (kinds.contains(without_gpus) ? 1U : 0U);
    });
    for (history::JobEvent const& event : places_.history.events) {
      history::GpuShare const* const gpus = places_.history.gpus_of(event);
      if (gpus == nullptr || !event.site.valid()) continue;
      if (gpus->is_none() ? !named : gpus->model.empty() == named) continue;
      if (known[event.site.index()]) continue;
      Kind const kind = kind_of(*gpus);
      ++kinds_[event.site.index()][kind];
      if (event.slot > 0) of_slot_[{event.site.index(), event.slot}] = kind;
    }
  }

  // Sites with several kinds get a part for each; the site's own entry is its commonest kind's.
  void name_parts() {
    std::vector<std::string>& sites = places_.history.sites;
    std::size_t const named = sites.size();
    parts_.resize(named);
    for (std::size_t s = 0; s < named; ++s) {
      std::string const name = sites[s];
      resources_.push_back(name);
      if (kinds_[s].empty()) continue;
      auto const usual =
          std::ranges::max_element(kinds_[s], [](auto& a, auto& b) { return a.second < b.second; });
      usual_.emplace(s, usual->first);
      for (auto const& [kind, executions] : kinds_[s]) {
        std::size_t const part = kind == usual->first ? s : sites.size();
        if (part != s) sites.emplace_back();
        parts_[s][kind] = part;
        if (kinds_[s].size() == 1) continue;
        sites[part] = fmt::format("{}/{}", name, name_of(kind));
      }
    }
    resources_.resize(sites.size());
    for (std::size_t s = 0; s < named; ++s) {
      for (auto const& [kind, part] : parts_[s]) resources_[part] = resources_[s];
    }
  }

  void move_attempt(std::vector<history::JobEvent*> const& attempt) {
    history::GpuShare const* const gpus = gpus_of(places_.history, attempt);
    for (history::JobEvent* const event : attempt) {
      history::JobEvent& one = *event;
      if (!one.site.valid() || parts_[one.site.index()].size() < 2) continue;
      auto const seen = of_slot_.find({one.site.index(), one.slot});
      bool const named = gpus != nullptr && parts_[one.site.index()].contains(kind_of(*gpus));
      Kind const kind = named                    ? kind_of(*gpus)
                        : seen != of_slot_.end() ? seen->second
                                                 : usual_.at(one.site.index());
      if (auto const* part = find_in(parts_[one.site.index()], kind))
        one.site = Id<history::Site>(*part);
    }
  }

  void describe() {
    std::vector<std::map<history::GpuShare, std::size_t>> shares(places_.history.sites.size());
    for (history::JobEvent const& event : places_.history.events) {
      history::GpuShare const* const gpus = places_.history.gpus_of(event);
      if (gpus != nullptr && event.site.valid()) ++shares[event.site.index()][*gpus];
    }
    for (std::size_t s = 0; s < shares.size(); ++s) {
      std::string const& name = places_.history.sites[s];
      Place place{name, resources_[s].empty() ? name : resources_[s], {}};
      auto const usual = std::ranges::max_element(shares[s], [](auto& a, auto& b) {
        bool const fewer_named = a.first.model.empty() && !b.first.model.empty();
        bool const equally_named = a.first.model.empty() == b.first.model.empty();
        return fewer_named || (equally_named && a.second < b.second);
      });
      if (usual != shares[s].end()) place.gpus = usual->first;
      places_.places.push_back(std::move(place));
    }
  }

  Places places_;
  std::vector<KindsOfSite> kinds_;
  std::map<std::pair<std::size_t, std::uint32_t>, Kind> of_slot_;
  std::vector<std::map<Kind, std::size_t>> parts_;  // by site: where each kind is
  std::map<std::size_t, Kind> usual_;
  std::vector<std::string> resources_;
};

/// Moves the executions of a record to the parts that another one's sites were split into.
class LikeSplitter {
 public:
  LikeSplitter(history::JobHistory history, std::vector<Place> const& places, bool slots_decide)
      : history_(std::move(history)), slots_decide_(slots_decide) {
    for (Place const& place : places) {
      names_.insert(place.name);
      first_.emplace(place.resource, place.name);
    }
    find_slots();
  }

  history::JobHistory split() {
    for (auto const& events : history::events_by_job(history_)) {
      each_attempt(history_, events, [this](auto const& attempt) { move_attempt(attempt); });
    }
    return std::move(history_);
  }

 private:
  using SiteName = std::string;

  bool is_split(SiteName const& site) const {
    return !names_.contains(site) && first_.contains(site);
  }

  // A kind without a model matches only where the other record's part has no model either.
  std::optional<std::string> part_of(SiteName const& site, history::GpuShare const* gpus) const {
    if (gpus == nullptr) return std::nullopt;
    Kind const kind = kind_of(*gpus, slots_decide_);
    std::string part = fmt::format("{}/{}", site, name_of(kind));
    bool const named = !kind.model.empty() || kind == without_gpus;
    return named || names_.contains(part) ? std::optional(std::move(part)) : std::nullopt;
  }

  void find_slots() {
    for (history::JobEvent const& event : history_.events) {
      if (!event.site.valid() || event.slot == 0) continue;
      auto part = part_of(history_.sites[event.site.index()], history_.gpus_of(event));
      if (part) of_slot_[{event.site.index(), event.slot}] = std::move(*part);
    }
  }

  void move_attempt(std::vector<history::JobEvent*> const& attempt) {
    history::GpuShare const* const gpus = gpus_of(history_, attempt);
    for (history::JobEvent* const event : attempt) {
      if (!event->site.valid()) continue;
      SiteName const site = history_.sites[event->site.index()];
      if (!is_split(site)) continue;
      auto const seen = of_slot_.find({event->site.index(), event->slot});
      std::string const otherwise = seen != of_slot_.end() ? seen->second : first_.at(site);
      event->site = history_.site_named(part_of(site, gpus).value_or(otherwise));
    }
  }

  history::JobHistory history_;
  bool slots_decide_;
  std::set<std::string> names_;
  std::map<SiteName, std::string> first_;  // part of each site
  std::map<std::pair<std::size_t, std::uint32_t>, std::string> of_slot_;
};

}  // namespace

std::string short_model(std::string const& device) {
  std::string text = device;
  for (std::string const maker : {"NVIDIA ", "Tesla ", "AMD "}) {
    if (text.starts_with(maker)) text.erase(0, maker.size());
  }
  std::ranges::replace(text, ' ', '-');
  return text;
}

Places split_by_gpu(history::JobHistory history) { return Splitter(std::move(history)).split(); }

history::JobHistory split_like(history::JobHistory history, std::vector<Place> const& places,
                               bool slots_decide) {
  return LikeSplitter(std::move(history), places, slots_decide).split();
}

Places as_named(history::JobHistory history) { return Splitter(std::move(history)).as_they_are(); }

}  // namespace gridcast::calibration

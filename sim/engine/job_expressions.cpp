#include "sim/engine/job_expressions.hpp"

#include <utility>

#include "sim/strategy/decisions.hpp"

namespace gridcast::engine {

namespace {
// Beyond what any job may wait (access_point.cpp).
constexpr Seconds horizon = days(90);
}  // namespace

PolicyWatch::PolicyWatch(Clock& clock, QueuedAds const& ads, Seconds interval, Act act)
    : clock_(clock),
      ads_(ads),
      interval_(interval),
      act_(std::move(act)),
      active_(strategy::has_periodic(ads.facts().policy)),
      timers_(active_ ? ads.size() : 0) {}

void PolicyWatch::changed(Id<history::Job> job) {
  if (!active_) return;
  forget(job);
  auto const decision = decide(job);
  if (!decision) return;
  timers_[job.index()] = clock_.at(decision->at, [this, job, decision = *decision] {
    timers_[job.index()] = nullptr;
    act_(job, decision);
  });
}

void PolicyWatch::forget(Id<history::Job> job) {
  if (!active_) return;
  stop(timers_[job.index()]);
}

std::optional<strategy::PolicyDecision> PolicyWatch::decide(Id<history::Job> job) const {
  JobAd const& ad = ads_[job.index()];
  strategy::PolicyView const view{
      .status = ad.status, .by_user = false, .started = ad.started, .executing = ad.executing};
  Seconds const now = clock_.now();
  auto const holds = [&](classad::Expression const& rule, Seconds at) {
    JobScope const scope = ads_.scope(job, at);
    return classad::holds(classad::evaluate(rule, {scope, nullptr, scope.unix_now()}));
  };
  return strategy::next_decision(ads_.facts().policy, view, {now, interval_, now + horizon}, holds);
}

void SlotChoice::stalled(Id<history::Job> job, Id<history::Site> site) {
  if (!avoids()) return;
  Avoided& avoided = avoided_[job];
  avoided.stalls.resize(ads_.facts().sites.size());
  avoided.until.resize(ads_.facts().sites.size());
  int& stalls = avoided.stalls[site.index()];
  ++stalls;
  if (!strategy::avoids_site(strategy_, stalls)) return;
  stalls = 0;
  avoided.until[site.index()] = clock_.now() + strategy_.avoid_site_for;
}

bool SlotChoice::accepts(Id<history::Job> job, std::size_t site) const {
  if (avoids()) {
    Avoided const* const avoided = avoided_.find(job);
    if (avoided && avoided->until[site] > clock_.now()) return false;
  }
  auto const& requirements = policy().requirements;
  return !requirements || classad::holds(evaluate(*requirements, job, site));
}

double SlotChoice::rank(Id<history::Job> job, std::size_t site) const {
  if (!has_rank()) return 0;
  classad::Value const value = evaluate(*policy().rank, job, site);
  if (bool const* const truth = value.as<bool>()) return *truth ? 1 : 0;
  return value.number();
}

classad::Value SlotChoice::evaluate(classad::Expression const& rule, Id<history::Job> job,
                                    std::size_t site) const {
  JobScope const my = ads_.scope(job, clock_.now());
  SlotScope const target(ads_.facts().sites[site]);
  return classad::evaluate(rule, {my, &target, my.unix_now()});
}

}  // namespace gridcast::engine

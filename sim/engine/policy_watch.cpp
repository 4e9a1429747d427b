#include "sim/engine/policy_watch.hpp"

#include <utility>

namespace gridcast::engine {

namespace {
// Beyond what any job may wait (access_point.cpp).
constexpr Seconds horizon = days(90);
}  // namespace

PolicyWatch::PolicyWatch(Clock& clock, JobFacts const& facts, Seconds interval,
                         std::vector<history::JobName> const& names, QueuedAds const& ads, Act act)
    : clock_(clock),
      facts_(facts),
      interval_(interval),
      names_(names),
      ads_(ads),
      act_(std::move(act)),
      active_(strategy::has_periodic(facts.policy)),
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
  if (Timer* const timer = std::exchange(timers_[job.index()], nullptr)) timer->remove();
}

std::optional<strategy::PolicyDecision> PolicyWatch::decide(Id<history::Job> job) const {
  JobAd const& ad = ads_[job.index()];
  strategy::PolicyView const view{
      .status = ad.status, .by_user = false, .started = ad.started, .executing = ad.executing};
  Seconds const now = clock_.now();
  auto const holds = [&](classad::Expression const& rule, Seconds at) {
    JobScope const scope(facts_, names_[job.index()], ad, at);
    return classad::holds(classad::evaluate(rule, {scope, nullptr, scope.unix_now()}));
  };
  return strategy::next_decision(facts_.policy, view, {now, interval_, now + horizon}, holds);
}

}  // namespace gridcast::engine

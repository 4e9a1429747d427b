#include "sim/engine/slot_choice.hpp"

#include "sim/strategy/decisions.hpp"

namespace gridcast::engine {

SlotChoice::SlotChoice(Clock const& clock, JobFacts const& facts,
                       std::vector<history::JobName> const& names, QueuedAds const& ads,
                       scenario::MatchStrategy const& strategy)
    : clock_(clock), facts_(facts), names_(names), ads_(ads), strategy_(strategy) {}

void SlotChoice::stalled(Id<history::Job> job, Id<history::Site> site) {
  if (!avoids()) return;
  Avoided& avoided = avoided_[job];
  avoided.stalls.resize(facts_.sites.size());
  avoided.until.resize(facts_.sites.size());
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
  auto const& requirements = facts_.policy.requirements;
  return !requirements || classad::holds(evaluate(*requirements, job, site));
}

double SlotChoice::rank(Id<history::Job> job, std::size_t site) const {
  if (!has_rank()) return 0;
  classad::Value const value = evaluate(*facts_.policy.rank, job, site);
  if (bool const* const truth = value.as<bool>()) return *truth ? 1 : 0;
  return value.number();
}

classad::Value SlotChoice::evaluate(classad::Expression const& rule, Id<history::Job> job,
                                    std::size_t site) const {
  JobScope const my(facts_, names_[job.index()], ads_[job.index()], clock_.now());
  SlotScope const target(facts_.sites[site]);
  return classad::evaluate(rule, {my, &target, my.unix_now()});
}

}  // namespace gridcast::engine

#include "sim/engine/negotiator.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/text.hpp"

namespace gridcast::engine {
namespace {

constexpr double most_jobs = 1e7;

/// The number that each job counts towards the limit; 0 without it.
double use_of(scenario::Request const& request, scenario::ConcurrencyLimit const& limit) {
  double use = 0;
  for (std::string const& part : split(request.concurrency_limits, ',')) {
    auto const words = split(part, ':');
    if (!same_ignoring_case(limit.name, trim(words[0]))) continue;
    use = std::max(use, words.size() > 1 ? text_as<double>(trim(words[1])).value_or(1) : 1);
  }
  return use;
}

}  // namespace

ConcurrencyLimits::ConcurrencyLimits(scenario::JobRequests const& requests,
                                     scenario::NegotiatorSpec const& spec)
    : running_(requests.size()) {
  for (scenario::ConcurrencyLimit const& each : spec.concurrency_limits) {
    Limit limit{each.limit, {}};
    for (std::size_t i = 0; i < requests.size(); ++i) {
      limit.use.push_back(use_of(requests[Id<scenario::JobClass>(i)], each));
    }
    bool const used = std::ranges::any_of(limit.use, [](double u) { return u > 0; });
    if (used) limits_.push_back(std::move(limit));
  }
}

/// Jobs of the request that may run beside those of the others.
int ConcurrencyLimits::most(Limit const& limit, Id<scenario::JobClass> of) const {
  double left = limit.limit;
  for (std::size_t i = 0; i < running_.size(); ++i) {
    if (i != of.index()) left -= running_[i] * limit.use[i];
  }
  return static_cast<int>(std::min(left / limit.use[of.index()], most_jobs));
}

bool ConcurrencyLimits::allow(Id<scenario::JobClass> of) const {
  return std::all_of(limits_.begin(), limits_.end(), [&](Limit const& limit) {
    return limit.use[of.index()] <= 0 || running_[of.index()] < most(limit, of);
  });
}

bool ConcurrencyLimits::allow_one() const {
  for (std::size_t i = 0; i < running_.size(); ++i) {
    if (allow(Id<scenario::JobClass>(i))) return true;
  }
  return false;
}

bool Advertisement::await_ready() const {
  return interrupt_.raised() || negotiator_.closed_ || accept_until_ <= negotiator_.clock_.now();
}

void Advertisement::await_suspend(std::coroutine_handle<> waiter) {
  waiter_ = waiter;
  interrupt_.begin(*this);
  negotiator_.add(*this);
}

void Advertisement::cancel() {
  beside_ ? negotiator_.free_beside(*this) : negotiator_.remove(*this);
}

Negotiator::Negotiator(Clock& clock, AccessPoint& access_point, ReplicaInput const& in,
                       SlotsOfRequests const& slots)
    : clock_(clock),
      access_point_(access_point),
      spec_(in.pool.negotiator),
      shadow_start_interval_(in.pool.access_point.shadow_start_interval),
      match_delay_(in.draw.match_delay),
      streams_(in.streams),
      free_(in.pool.sites.size()),
      slots_(slots),
      occupied_(occupied_slots(in.campaign)),
      limits_(access_point.requests(), in.pool.negotiator) {}

void Negotiator::add(Advertisement& slot) {
  auto& site = free_[slot.slot_.site.index()];
  slot.place_ = site.size();
  site.push_back(&slot);
  ++free_count_;
  next_expiry_ = std::min(next_expiry_, slot.accept_until_);
  wake();
}

void Negotiator::remove(Advertisement& slot) {
  auto& site = free_[slot.slot_.site.index()];
  site[slot.place_] = site.back();
  site[slot.place_]->place_ = slot.place_;
  site.pop_back();
  --free_count_;
}

void Negotiator::wake() {
  if (cycle_set_ || closed_ || full() || access_point_.idle().empty()) return;
  cycle_set_ = true;
  double const next = std::floor(clock_.now() / spec_.interval) + 1;
  clock_.at(match_delay_ ? clock_.now() : spec_.interval * next, [this] { cycle(); });
}

void Negotiator::cycle() {
  cycle_set_ = false;
  dismiss_expired();
  next_shadow_ = std::max(next_shadow_, clock_.now());
  matches_.clear();
  access_point_.users().several() ? match_by_shares() : match_in_order();
  for (Advertisement* const slot : matches_) slot->waiter_.resume();
  match_delay_ ? wake_later() : wake();
}

void Negotiator::match_in_order() {
  auto& idle = access_point_.idle();
  for (auto next = idle.begin(); next != idle.end() && !full(); ++next) match(*next);
}

void Negotiator::match_by_shares() {
  access_point_.users().negotiate(access_point_.idle(), static_cast<int>(free_count_),
                                  [&](Id<history::Job> job) { return !full() && match(job); });
}

bool Negotiator::match(Id<history::Job> job) {
  Advertisement* const slot = pick(job);
  if (!slot) return false;
  remove(*slot);
  slot->interrupt_.end();
  take_beside(*slot, job);
  limits_.taken(class_of(job));
  slot->match_ = Match{job, next_shadow_start(job)};
  matches_.push_back(slot);
  access_point_.idle().erase(job);
  return true;
}

int Negotiator::slots_of(Id<history::Job> job, std::size_t site) const {
  return occupied_.of(job) * slots_.needed(class_of(job), site);
}

// They wait as before, but are not free.
void Negotiator::take_beside(Advertisement const& slot, Id<history::Job> job) {
  auto const& free = free_[slot.slot_.site.index()];
  for (int left = slots_of(job, slot.slot_.site.index()) - 1; left > 0; --left) {
    Advertisement& other = *free.back();
    remove(other);
    other.beside_ = job;
    beside_[job.number()].push_back(&other);
  }
}

// Its pilot has ended.
void Negotiator::free_beside(Advertisement& slot) {
  std::erase(beside_[slot.beside_->number()], &slot);
}

void Negotiator::released(Id<history::Job> job) {
  bool const was_full = !limits_.allow(class_of(job));
  limits_.released(class_of(job));
  auto const found = beside_.find(job.number());
  if (found != beside_.end()) {
    auto const slots = std::move(found->second);
    beside_.erase(found);
    for (Advertisement* const slot : slots) {
      slot->beside_.reset();
      add(*slot);
    }
  }
  if (was_full) wake();
}

Seconds Negotiator::next_shadow_start(Id<history::Job> job) {
  if (match_delay_) {
    RandomStream stream =
        streams_.stream(Purpose::match_delay, job.number(), access_point_.ad(job).matches);
    return clock_.now() + Seconds(match_delay_->sample(stream));
  }
  Seconds const start = next_shadow_;
  next_shadow_ += shadow_start_interval_;
  return start;
}

// An unmatched job stays so until something happens; or, if jobs are choosy, time passes.
void Negotiator::wake_later() {
  if (!access_point_.choice().changes_with_time() || later_ || closed_) return;
  if (free_count_ == 0 || access_point_.idle().empty()) return;
  later_ = clock_.at(clock_.now() + spec_.interval, [this] {
    later_ = nullptr;
    wake();
  });
}

// Pilots past their last match leave; found here rather than by a timer each.
void Negotiator::dismiss_expired() {
  if (next_expiry_ > clock_.now()) return;
  next_expiry_ = end_of_time;
  std::vector<Advertisement*> expired;
  for (auto const& site : free_) {
    for (Advertisement* slot : site) {
      if (slot->accept_until_ <= clock_.now()) {
        expired.push_back(slot);
      } else {
        next_expiry_ = std::min(next_expiry_, slot->accept_until_);
      }
    }
  }
  for (Advertisement* slot : expired) {
    remove(*slot);
    slot->interrupt_.end();
  }
  for (Advertisement* slot : expired) slot->waiter_.resume();
}

Advertisement* Negotiator::reusable_claim(JobAd const& job) const {
  for (Advertisement* slot : free_[job.claim.site.index()]) {
    if (slot->slot_.number == job.claim.number && slot->slot_.pilot == job.claim.pilot) return slot;
  }
  return nullptr;
}

// Those with free slots where the job may run; if it has a rank, only the best of them.
std::vector<std::size_t> const& Negotiator::sites_for(Id<history::Job> job) {
  SlotChoice const& choice = access_point_.choice();
  auto& sites = eligible_sites_;
  sites.clear();
  Id<scenario::JobClass> const of = class_of(job);
  if (!limits_.allow(of)) return sites;
  int const occupied = occupied_.of(job);
  double best = 0;
  for (std::size_t site = 0; site < free_.size(); ++site) {
    if (free_[site].empty()) continue;
    int const wanted = occupied * slots_.needed(of, site);
    if (wanted == 0 || free_[site].size() < static_cast<std::size_t>(wanted)) continue;
    if (!choice.accepts(job, site)) continue;
    if (choice.has_rank()) {
      double const rank = choice.rank(job, site);
      if (rank < best && !sites.empty()) continue;
      if (rank > best) sites.clear();
      best = rank;
    }
    sites.push_back(site);
  }
  return sites;
}

Advertisement* Negotiator::pick(Id<history::Job> job) {
  JobAd& ad = access_point_.ad(job);
  if (ad.claim_reusable && slots_of(job, ad.claim.site.index()) == 1 &&
      limits_.allow(class_of(job)) && access_point_.choice().accepts(job, ad.claim.site.index())) {
    if (Advertisement* const same = reusable_claim(ad)) return same;
  }
  auto const& sites = sites_for(job);
  std::size_t eligible = 0;
  for (std::size_t const site : sites) eligible += free_[site].size();
  if (eligible == 0) return nullptr;
  if (eligible == 1) return free_[sites.front()].front();
  RandomStream stream = streams_.stream(Purpose::match, job.number(), ad.matches);
  std::size_t chosen = stream.below(static_cast<std::uint32_t>(eligible));
  for (std::size_t const site : sites) {
    if (chosen < free_[site].size()) return free_[site][chosen];
    chosen -= free_[site].size();
  }
  return nullptr;
}

void Negotiator::close() {
  closed_ = true;
  stop(later_);
  std::vector<Advertisement*> waiting;
  for (auto& site : free_) {
    waiting.insert(waiting.end(), site.begin(), site.end());
    site.clear();
  }
  free_count_ = 0;
  for (auto& [job, slots] : beside_) waiting.insert(waiting.end(), slots.begin(), slots.end());
  beside_.clear();
  for (Advertisement* slot : waiting) {
    slot->interrupt_.end();
    slot->waiter_.resume();
  }
}

}  // namespace gridcast::engine

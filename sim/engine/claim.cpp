#include "sim/engine/claim.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gridcast::engine {

namespace {

constexpr Seconds never(std::numeric_limits<double>::infinity());

RandomStream stream(RandomStreams const& streams, Purpose purpose, Attempt const& attempt) {
  return streams.stream(purpose, attempt.job.number(), attempt.number);
}

}  // namespace

Interference::Interference(Clock& clock, Recorder& recorder,
                           scenario::EventLogParameters const& draw,
                           scenario::EventLogSiteParameters const& site, Seconds lease,
                           RandomStreams const& streams, Attempt const& attempt, Claim& claim)
    : clock_(clock),
      recorder_(recorder),
      draw_(draw),
      site_(site),
      lease_(lease),
      attempt_(attempt),
      claim_(claim),
      contact_(stream(streams, Purpose::contact, attempt)),
      suspension_(stream(streams, Purpose::suspension, attempt)) {
  Seconds const now = clock.now();
  RandomStream eviction = stream(streams, Purpose::eviction, attempt);
  vacated_at_ = after(now, site.evict_per_second, eviction);
  suspended_at_ = after(now, site.suspend_per_second, suspension_);
  disconnected_at_ = after(now, site.disconnect_per_second, contact_);
}

Seconds Interference::after(Seconds now, double hazard, RandomStream& stream) {
  double const u = stream.uniform();
  return hazard > 0 ? now + Seconds(-std::log(u) / hazard) : never;
}

Step<AttemptState> Interference::work(Seconds time) {
  Seconds left = time;
  while (end_ == End::none) {
    Seconds const start = clock_.now();
    bool const works = state_ != State::suspended;
    Seconds const done = works ? start + left : never;
    Seconds const event = next_event();
    Waited const waited = co_await sleep_until(std::min(done, event));
    if (waited == Waited::cut_off) break;
    if (done <= event) co_return AttemptState::goes_on;
    if (works) left = std::max(Seconds(), left - (clock_.now() - start));
    happen();
  }
  co_return AttemptState::over;
}

Step<AttemptState> Interference::contact() {
  while (end_ == End::none && state_ == State::disconnected) {
    Waited const waited = co_await sleep_until(next_event());
    if (waited == Waited::done) happen();
  }
  co_return state();
}

Step<Waited> Interference::sleep_until(Seconds time) {
  Waited const waited = co_await clock_.sleep_until(time, &claim_.interrupt());
  if (waited == Waited::cut_off) end_ = End::claim;
  co_return waited;
}

Seconds Interference::next_event() const {
  switch (state_) {
    case State::suspended:
      return std::min(resumed_at_, vacated_at_);
    case State::disconnected:
      return std::min(reconnected_at_, lease_end());
    case State::running:
      break;
  }
  return std::min({vacated_at_, suspended_at_, disconnected_at_});
}

// What is due now.
void Interference::happen() {
  Seconds const now = clock_.now();
  switch (state_) {
    case State::running:
      happen_while_running(now);
      return;
    case State::suspended:
      if (vacated_at_ <= resumed_at_) {
        end_ = End::vacated;
        return;
      }
      recorder_.record(attempt_.job, history::EventKind::unsuspended, attempt_.slot);
      state_ = State::running;
      suspended_at_ = after(now, site_.suspend_per_second, suspension_);
      disconnected_at_ = std::max(disconnected_at_, now);
      return;
    case State::disconnected:
      if (lease_end() <= reconnected_at_) {
        end_ = End::lease_expired;
        return;
      }
      recorder_.record(attempt_.job, history::EventKind::reconnected, attempt_.slot);
      state_ = State::running;
      disconnected_at_ = after(now, site_.disconnect_per_second, contact_);
      vacated_at_ = std::max(vacated_at_, now);
      suspended_at_ = std::max(suspended_at_, now);
  }
}

void Interference::happen_while_running(Seconds now) {
  Seconds const first = next_event();
  if (first == vacated_at_) {
    end_ = End::vacated;
  } else if (first == suspended_at_) {
    recorder_.record(attempt_.job, history::EventKind::suspended, attempt_.slot);
    state_ = State::suspended;
    resumed_at_ = now + draw_.suspension * -std::log(suspension_.uniform());
  } else {
    disconnect(now);
  }
}

void Interference::disconnect(Seconds now) {
  recorder_.record(attempt_.job, history::EventKind::disconnected, attempt_.slot);
  state_ = State::disconnected;
  disconnected_at_ = now;
  bool const found = contact_.chance(site_.reconnect);
  Seconds const delay(draw_.reconnect_delay.sample(contact_));
  reconnected_at_ = found ? now + delay : never;
}

}  // namespace gridcast::engine

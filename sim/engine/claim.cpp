#include "sim/engine/claim.hpp"

#include <algorithm>

namespace gridcast::engine {

namespace {

RandomStream stream(RandomStreams const& streams, Purpose purpose, Attempt const& attempt) {
  return streams.stream(purpose, attempt.job.number(), attempt.number);
}

}  // namespace

Interference::Interference(Clock& clock, Recorder& recorder, scenario::ParameterDraw const& draw,
                           scenario::SiteParameters const& site, Seconds lease,
                           RandomStreams const& streams, Attempt const& attempt, Claim& claim)
    : clock_(clock),
      recorder_(recorder),
      draw_(draw),
      site_(site),
      lease_(lease),
      attempt_(attempt),
      claim_(claim),
      contact_(stream(streams, Purpose::contact, attempt)),
      suspension_(stream(streams, Purpose::suspension, attempt)),
      alarm_(clock) {
  if (quiet()) return;
  Seconds const now = clock.now();
  RandomStream eviction = stream(streams, Purpose::eviction, attempt);
  vacated_at_ = after(now, site.evict_per_second, eviction);
  suspended_at_ = after(now, site.suspend_per_second, suspension_);
  disconnected_at_ = after(now, site.disconnect_per_second, contact_);
  set_alarm();
}

bool Interference::quiet() const {
  return site_.evict_per_second <= 0 && site_.suspend_per_second <= 0 &&
         site_.disconnect_per_second <= 0;
}

Seconds Interference::after(Seconds now, double hazard, RandomStream& stream) {
  double const unit = stream.exponential();
  return hazard > 0 ? now + Seconds(unit / hazard) : end_of_time;
}

bool Interference::Computing::await_ready() { return site_.claim_.ended(); }

void Interference::Computing::await_suspend(std::coroutine_handle<> waiter) {
  waiter_ = waiter;
  site_.awaited_ = true;
  go_on();
}

void Interference::Computing::go_on() {
  site_.claim_.interrupt().begin(*this);
  if (site_.state_ == State::suspended) return;
  since_ = site_.clock_.now();
  set_ = true;
  site_.clock_.set(*this, since_ + left_, waiter_.address());
}

void Interference::Computing::fire() {
  set_ = false;
  site_.claim_.interrupt().end();
  waiter_.resume();
}

void Interference::Computing::interrupt() {
  if (set_) left_ = std::max(Seconds(), left_ - (site_.clock_.now() - since_));
  cancel();
  if (site_.claim_.ended()) return waiter_.resume();
  go_on();
}

Waited Interference::Computing::await_resume() {
  site_.awaited_ = false;
  return site_.claim_.ended() ? Waited::cut_off : Waited::done;
}

Step<Waited> Interference::contact() {
  awaited_ = true;
  while (!claim_.ended() && disconnected()) co_await UntilInterrupted(claim_.interrupt());
  awaited_ = false;
  co_return claim_.ended() ? Waited::cut_off : Waited::done;
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

void Interference::set_alarm() {
  if (next_event() < end_of_time) alarm_.set(next_event(), [this] { happen(); });
}

void Interference::become(State state) {
  state_ = state;
  set_alarm();
  if (awaited_) claim_.interrupt().nudge();
}

// The event that is due now.
void Interference::happen() {
  Seconds const now = clock_.now();
  switch (state_) {
    case State::running:
      happen_while_running(now);
      return;
    case State::suspended:
      if (vacated_at_ <= resumed_at_) return claim_.end(Claim::End::vacated);
      recorder_.record(attempt_.job, history::EventKind::unsuspended, attempt_.slot);
      suspended_at_ = after(now, site_.suspend_per_second, suspension_);
      disconnected_at_ = std::max(disconnected_at_, now);
      return become(State::running);
    case State::disconnected:
      if (lease_end() <= reconnected_at_) return claim_.end(Claim::End::lease_expired);
      recorder_.record(attempt_.job, history::EventKind::reconnected, attempt_.slot);
      found_again_ = true;
      disconnected_at_ = after(now, site_.disconnect_per_second, contact_);
      vacated_at_ = std::max(vacated_at_, now);
      suspended_at_ = std::max(suspended_at_, now);
      become(State::running);
  }
}

void Interference::happen_while_running(Seconds now) {
  Seconds const first = next_event();
  if (first == vacated_at_) {
    claim_.end(Claim::End::vacated);
  } else if (first == suspended_at_) {
    recorder_.record(attempt_.job, history::EventKind::suspended, attempt_.slot);
    resumed_at_ = now + draw_.suspension * suspension_.exponential();
    become(State::suspended);
  } else {
    disconnect(now);
  }
}

void Interference::disconnect(Seconds now) {
  recorder_.record(attempt_.job, history::EventKind::disconnected, attempt_.slot);
  disconnected_at_ = now;
  bool const found = contact_.chance(site_.reconnect);
  Seconds const delay(draw_.reconnect_delay.sample(contact_));
  reconnected_at_ = found ? now + delay : end_of_time;
  become(State::disconnected);
}

}  // namespace gridcast::engine

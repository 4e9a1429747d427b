#include "sim/strategy/people.hpp"

#include "sim/strategy/decisions.hpp"

namespace gridcast::strategy {

namespace {

// Released, a job with too large an input would fail the same check again: people give up.
double release_probability(scenario::ParameterDraw const& draw, history::Reason reason) {
  if (draw.event_log) return draw.event_log->release;
  if (reason == history::Reason::input_too_large) return 0;
  return retryable(reason) ? draw.release_transfer_hold : draw.release_other_hold;
}

}  // namespace

ByHand by_hand(scenario::ParameterDraw const& draw, history::Reason reason, int holds,
               RandomStream stream) {
  using Deed = ByHand::Deed;
  bool const releases = stream.chance(release_probability(draw, reason));
  Distribution const& delay = draw.event_log ? draw.event_log->release_delay : draw.release_delay;
  Seconds const after(delay.sample(stream));
  if (draw.event_log && holds >= draw.event_log->most_holds) return {Deed::remove, after};
  return {releases ? Deed::release : Deed::none, after};
}

}  // namespace gridcast::strategy

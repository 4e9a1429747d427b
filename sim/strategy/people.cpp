#include "sim/strategy/people.hpp"

#include "sim/strategy/decisions.hpp"

namespace gridcast::strategy {

namespace {

// Released, a job with too large an input would fail the same check again: people give up.
double release_probability(scenario::World const& world, history::Reason reason) {
  if (world.dated) return world.dated->release;
  if (reason == history::Reason::input_too_large) return 0;
  return retryable(reason) ? world.release_transfer_hold : world.release_other_hold;
}

}  // namespace

ByHand by_hand(scenario::World const& world, history::Reason reason, int holds,
               RandomStream stream) {
  using Deed = ByHand::Deed;
  bool const releases = stream.chance(release_probability(world, reason));
  Distribution const& delay = world.dated ? world.dated->release_delay : world.release_delay;
  Seconds const after(delay.sample(stream));
  if (world.dated && holds >= world.dated->most_holds) return {Deed::remove, after};
  return {releases ? Deed::release : Deed::none, after};
}

}  // namespace gridcast::strategy

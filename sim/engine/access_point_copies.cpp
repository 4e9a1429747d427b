// The access point's part of second copies (second_copies.hpp).
#include "sim/engine/access_point.hpp"

namespace gridcast::engine {

namespace {

// condor_rm by the owner's script.
constexpr strategy::PolicyDecision removal_of_other{
    {}, strategy::PolicyAction::remove, history::Reason::manual};

}  // namespace

void AccessPoint::await_copy(Id<history::Job> job) {
  SecondCopies::Copy& copy = copies_.of(job);
  Seconds const at = clock_.now() + *in_.strategy.submit.second_copy_after;
  copy.timer = clock_.at(at, [this, job, &copy] {
    copy = {.may_come = false};
    enter_queue(copies_.other(job));
  });
}

// The owner's script acts when it sees the result. A job that is held for good still gets its copy.
void AccessPoint::end_pair(Id<history::Job> job, DagQueue::Left how) {
  if (how == DagQueue::Left::held_for_good) return;
  if (!copies_.is_copy(job)) drop_copy(job);
  if (how != DagQueue::Left::succeeded) return;
  clock_.at(clock_.now(), [this, other = copies_.other(job)] {
    if (ads_.in_queue(other)) act(other, removal_of_other);
  });
}

void AccessPoint::drop_copy(Id<history::Job> job) {
  SecondCopies::Copy& copy = copies_.of(job);
  if (!copy.may_come) return;
  stop(copy.timer);
  copy.may_come = false;
  never_submitted({copies_.other(job)});
}

// Only jobs that are held for good still wait for theirs.
void AccessPoint::drop_copies() {
  bool const was_open = unsettled_ > 0;
  for (std::size_t job = 0; job < copies_.jobs(); ++job) drop_copy(Id<history::Job>(job));
  if (was_open && unsettled_ == 0) all_settled();
}

}  // namespace gridcast::engine

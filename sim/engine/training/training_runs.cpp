#include "sim/engine/training/training_runs.hpp"

#include <algorithm>
#include <cmath>

namespace gridcast::engine {

namespace {

/// Rounding must not make an epoch or a checkpoint of nothing.
constexpr double slack = 1e-9;

}  // namespace

TrainingRuns::TrainingRuns(Clock& clock, Recorder& recorder, AccessPoint& access_point,
                           InputTransfer& input, training::CampaignTraining const& training)
    : clock_(clock),
      recorder_(recorder),
      access_point_(access_point),
      input_(input),
      training_(training) {}

Step<InputResult> TrainingRuns::run(Attempt const& attempt, Pace pace, Claim& claim,
                                    Interference& interference) {
  auto const& [job, number, slot] = attempt;
  if (saved_.size() <= job.index()) saved_.resize(job.index() + 1);
  training::SiteTraining const& site = *training_.sites[slot.site.index()];
  training::TrainingWork const& work = site.work;
  Run run{attempt,   pace, claim, interference,  site,         work.work * saved_[job.index()],
          work.once, 0,    false, Alarm(clock_), Alarm(clock_)};
  // How long it takes is known beforehand where nothing is shared and nothing saved.
  bool const known = site.streamed == Bytes() && work.interval == Seconds();
  if (!known || work.execution(run.done) * run.pace.slower > pace.most) set_limit(run);
  while (true) {
    double const saves = work.checkpoints(run.done);
    Seconds const next = work.interval > Seconds() ? work.first + work.interval * saves : work.work;
    bool const last = next >= work.work * (1 - slack);
    bool const saves_last = last && work.checkpoints(work.work) > saves;
    Seconds const after = last ? work.at_end + (saves_last ? work.save : Seconds()) : Seconds();
    InputResult const worked = co_await work_until(run, std::min(next, work.work), after);
    if (worked.end != InputEnd::arrived || last) co_return worked;
    InputResult const stored = co_await save(run);
    if (stored.end != InputEnd::arrived) co_return stored;
  }
}

// `after`: the invisible part after the work.
Step<InputResult> TrainingRuns::work_until(Run& run, Seconds until, Seconds after) {
  bool const streams = run.site.streamed > Bytes();
  if (!streams) {
    Seconds const time = run.before + (until - run.done) + after;
    run.before = Seconds();
    InputResult const worked = co_await stand_still(run, time);
    run.done = until;
    co_return worked;
  }
  InputResult on = co_await stand_still(run, run.before);
  run.before = Seconds();
  if (on.end == InputEnd::arrived) on = co_await stream_until(run, until);
  if (on.end == InputEnd::arrived) on = co_await stand_still(run, after);
  co_return on;
}

Step<InputResult> TrainingRuns::stand_still(Run& run, Seconds time) {
  if (time <= Seconds()) co_return InputResult{};
  Seconds const slower = time * run.pace.slower;
  Waited const waited = co_await run.interference.compute(slower);
  co_return InputResult{waited == Waited::done ? InputEnd::arrived : InputEnd::interrupted};
}

// Epoch by epoch: each opens the data anew.
Step<InputResult> TrainingRuns::stream_until(Run& run, Seconds until) {
  training::TrainingWork const& work = run.site.work;
  Seconds const epoch = work.work / run.site.setup.profile.train.epochs;
  while (run.done < until) {
    double const epochs = std::floor(run.done / epoch + slack);
    bool const begins = run.done - epoch * epochs < epoch * slack;
    InputAsk ask;
    ask.opens = begins || !run.opened;
    if (ask.opens) run.reading = access_point_.ad(run.attempt.job).input_attempts++;
    run.opened = true;
    Seconds const to = std::min(until, epoch * (epochs + 1));
    ask.size = run.site.streamed * ((to - run.done) / work.work);
    ask.limit = run.site.streamed / (work.work * run.pace.slower);
    InputResult const read = co_await input_.read(run.attempt, run.reading, ask, run.claim);
    if (read.end != InputEnd::arrived) co_return read;
    run.done = to;
  }
  co_return InputResult{};
}

// Training waits for it, or goes on while it is written.
Step<InputResult> TrainingRuns::save(Run& run) {
  training::TrainingWork const& work = run.site.work;
  double const share = run.done / work.work;
  if (!run.site.saves) co_return co_await stand_still(run, work.save);
  bool const waits = work.save >= work.written;
  if (waits)
    recorder_.record(run.attempt.job, history::EventKind::transfer_output_started,
                     run.attempt.slot);
  if (!waits) {
    run.written.set(clock_.now() + work.written * run.pace.slower,
                    [this, &run, share] { saved(run, share); });
  }
  InputResult const stood = co_await stand_still(run, work.save);
  if (waits && stood.end == InputEnd::arrived) saved(run, share);
  co_return stood;
}

void TrainingRuns::saved(Run& run, double share) {
  int const epochs = run.site.setup.profile.train.epochs;
  access_point_.checkpointed(run.attempt.job, run.attempt.slot,
                             static_cast<int>(share * epochs + slack));
  set_limit(run);
  saved_[run.attempt.job.index()] = share;
}

void TrainingRuns::set_limit(Run& run) {
  run.limit.set(clock_.now() + run.pace.most,
                [&claim = run.claim] { claim.end(Claim::End::too_long); });
}

}  // namespace gridcast::engine

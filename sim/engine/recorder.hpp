// The only way out of the engine: the job events of the replica, in the order of simulated time.
#pragma once

#include "sim/engine/clock.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::engine {

/// A GPU slot that a pilot advertises.
struct SlotRef {
  Id<history::Site> site;    // in the history's (and the pool's) order
  std::uint32_t number = 0;  // GPU at the site
  std::uint32_t pilot = 0;   // how many pilots have held that GPU before
};

class Recorder {
 public:
  Recorder(Clock const& clock, history::HistorySink& sink) : clock_(clock), sink_(sink) {}

  void record(Id<history::Job> job, history::EventKind kind,
              history::Reason reason = history::Reason::none) {
    sink_.add({.at = clock_.now(), .job = job, .kind = kind, .reason = reason});
  }
  void record(Id<history::Job> job, history::EventKind kind, SlotRef const& slot,
              history::Reason reason = history::Reason::none, bool useful = true,
              Seconds executed = {}) {
    bool const executes = kind == history::EventKind::executing;
    sink_.add({.at = clock_.now(),
               .job = job,
               .kind = kind,
               .reason = reason,
               .site = slot.site,
               .slot = slot.number,
               .useful = useful,
               .executed = executed,
               .gpus = static_cast<std::uint16_t>(executes ? slot.site.index() + 1 : 0)});
  }
  /// An event that says more: its time is added.
  void record(history::JobEvent event) {
    event.at = clock_.now();
    sink_.add(event);
  }
  void record(history::UrlTransfer const& transfer) { sink_.add_transfer(transfer); }
  void settled(Id<history::Job> job) { sink_.settled(job); }

 private:
  Clock const& clock_;
  history::HistorySink& sink_;
};

}  // namespace gridcast::engine

// Histories that an access point could have seen, at random, in whole seconds: every kind of event,
// attempts that end in every way and at every step.
#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "sim/base/random.hpp"
#include "sim/condor/write/event_log_text.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::test {

class RandomHistory {
 public:
  /// Codes are those that a log of that version can contain.
  RandomHistory(std::uint64_t seed, condor::CondorVersion version, std::int64_t start_unix)
      : random_(RandomStreams(seed, 0).stream(Purpose::test, 0)), version_(version) {
    history_.sites = {"CHTC-Spark-CE1", "PDX-Coeus-CE1", "Site_3"};
    history_.start_unix = start_unix;
    auto const jobs = 1 + random_.below(12);
    for (std::uint32_t i = 0; i < jobs; ++i) history_.jobs.push_back({7 + i / 5, 990 + i % 5 * 7});
    for (std::uint32_t i = 0; i < jobs; ++i) live(i);
    std::stable_sort(history_.events.begin(), history_.events.end(),
                     [](auto const& a, auto const& b) { return a.at < b.at; });
  }

  history::JobHistory const& get() const { return history_; }

 private:
  static constexpr std::array holds_before_execution = {
      history::Reason::transfer_failed, history::Reason::not_found, history::Reason::no_progress,
      history::Reason::transfer_timeout, history::Reason::transfer_stalled};
  static constexpr std::array holds_of_execution = {history::Reason::execution_too_long,
                                                    history::Reason::job_too_long,
                                                    history::Reason::manual,
                                                    history::Reason::policy,
                                                    history::Reason::system,
                                                    history::Reason::out_of_resources,
                                                    history::Reason::output_missing,
                                                    history::Reason::output_failed,
                                                    history::Reason::checkpoint_failed};
  static constexpr std::array evictions = {history::Reason::pilot_ended, history::Reason::vacated,
                                           history::Reason::lost_contact,
                                           history::Reason::transfer_stalled};

  template <class Choices>
  auto one_of(Choices const& choices) {
    return choices[random_.below(static_cast<std::uint32_t>(choices.size()))];
  }

  // So long that stamps of two events differ, or no time at all.
  void pass() { now_ += 3 + random_.below(random_.chance(0.1) ? 40'000 : 400); }
  void maybe_pass() {
    if (random_.chance(0.6)) pass();
  }

  history::JobEvent& put(history::EventKind kind, history::Reason reason = history::Reason::none) {
    history::JobEvent event;
    event.at = Seconds(static_cast<double>(now_));
    event.job = Id<history::Job>(job_);
    event.kind = kind;
    event.reason = reason;
    if (in_slot_) {
      event.site = site_;
      event.slot = slot_;
    }
    history_.events.push_back(event);
    return history_.events.back();
  }

  void live(std::size_t job) {
    job_ = job;
    now_ = job == 0 ? 0 : random_.below(100);
    put(history::EventKind::submitted);
    for (unsigned attempts = random_.below(6); attempts > 0; --attempts) {
      pass();
      if (random_.chance(0.1)) hold_idle();
      if (!attempt()) return;
    }
    pass();
    if (random_.chance(0.2)) put(history::EventKind::aborted, history::Reason::manual);
  }

  void hold_idle() {
    auto const reason =
        random_.chance(0.5) ? history::Reason::manual : history::Reason::input_too_large;
    put_hold(reason);
    release();
    pass();
  }

  void put_hold(history::Reason reason) {
    history::JobEvent& event = put(history::EventKind::held, reason);
    auto const code =
        reason == history::Reason::system ? history::HoldCode{26, 102} : history::hold_code(reason);
    event.code = static_cast<std::int16_t>(code.code);
    event.subcode = code.subcode;
  }

  void release() {
    pass();
    put(history::EventKind::released,
        random_.chance(0.5) ? history::Reason::manual : history::Reason::policy);
  }

  // False: the job is done.
  bool attempt() {
    site_ = Id<history::Site>(random_.below(3));
    slot_ = random_.below(700);
    in_slot_ = true;
    put(history::EventKind::matched);
    maybe_pass();
    bool const goes_on = transfer_input() ? execute() : fail_input();
    in_slot_ = false;
    return goes_on;
  }

  bool transfer_input() {
    if (random_.chance(0.2)) {
      put(history::EventKind::transfer_input_queued);
      pass();
    }
    put(history::EventKind::transfer_input_started);
    pass();
    disturb(false);
    return random_.chance(0.75);
  }

  bool fail_input() {
    if (random_.chance(0.5)) {
      put_hold(one_of(holds_before_execution));
      in_slot_ = false;
      release();
    } else if (random_.chance(0.3)) {
      put(history::EventKind::shadow_exception, history::Reason::transfer_stalled);
    } else {
      evict();
    }
    return true;
  }

  void evict() {
    if (random_.chance(0.3)) {
      put(history::EventKind::disconnected);
      pass();
      put(history::EventKind::reconnect_failed, history::Reason::lost_contact);
      return;
    }
    history::JobEvent& event = put(history::EventKind::evicted, one_of(evictions));
    if (version_ == condor::CondorVersion::v25) {
      event.code = static_cast<std::int16_t>(condor::vacate_code(event).code);
    }
  }

  void disturb(bool suspend) {
    if (random_.chance(0.2)) {
      put(history::EventKind::disconnected);
      pass();
      put(history::EventKind::reconnected);
      pass();
    }
    if (!suspend || !random_.chance(0.2)) return;
    put(history::EventKind::suspended);
    pass();
    put(history::EventKind::unsuspended);
    pass();
  }

  bool execute() {
    put(history::EventKind::transfer_input_finished);
    if (random_.chance(0.3)) pass();
    put(history::EventKind::executing);
    for (unsigned checkpoints = random_.below(4); checkpoints > 0; --checkpoints) {
      pass();
      if (random_.chance(0.8)) {
        put(history::EventKind::transfer_output_started);
        maybe_pass();
      }
      put(history::EventKind::checkpointed);
    }
    pass();
    disturb(true);
    auto const how = random_.uniform();
    if (how < 0.3) return evict(), true;
    if (how < 0.45) return hold_running();
    if (how < 0.5) return put(history::EventKind::aborted, history::Reason::manual), false;
    return exit();
  }

  bool hold_running() {
    history::Reason const reason = one_of(holds_of_execution);
    if (reason == history::Reason::output_missing || reason == history::Reason::output_failed) {
      put(history::EventKind::transfer_output_started);
      pass();
    }
    put_hold(reason);
    in_slot_ = false;
    release();
    return true;
  }

  bool exit() {
    // The log of a job that ends after a checkpoint without a transfer would not separate the
    // apart.
    if (random_.chance(0.9) || history_.events.back().kind == history::EventKind::checkpointed) {
      if (random_.chance(0.3)) {
        put(history::EventKind::transfer_output_queued);
        pass();
      }
      put(history::EventKind::transfer_output_started);
      maybe_pass();
      put(history::EventKind::transfer_output_finished);
    }
    bool const again = random_.chance(0.3);
    int const code = again || random_.chance(0.2) ? static_cast<int>(random_.below(300)) - 20 : 0;
    history::JobEvent& event =
        put(again ? history::EventKind::requeued : history::EventKind::terminated);
    event.exit_code = static_cast<std::int16_t>(again && code == 0 ? 1 : code);
    event.reason = event.exit_code == 0  ? history::Reason::none
                   : event.exit_code > 0 ? history::Reason::exit_code
                                         : history::Reason::killed_by_signal;
    event.useful = again || event.exit_code == 0;
    if (again && version_ == condor::CondorVersion::v25) event.code = 1005;
    return again;
  }

  RandomStream random_;
  condor::CondorVersion version_;
  history::JobHistory history_;
  std::int64_t now_ = 0;
  std::size_t job_ = 0;
  Id<history::Site> site_;
  std::uint32_t slot_ = 0;
  bool in_slot_ = false;
};

}  // namespace gridcast::test

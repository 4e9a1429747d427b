#include "sim/engine/recorded_attempts.hpp"

namespace gridcast::engine {

namespace {

// The table's own history already shares the retried time out and orders the failures: read it off.
class AttemptReader {
 public:
  explicit AttemptReader(RecordedJob& job) : job_(job) {}

  void add(history::JobEvent const& event) {
    switch (event.kind) {
      case history::EventKind::matched:
        job_.attempts.emplace_back().site = event.site;
        start_ = event.at;
        break;
      case history::EventKind::transfer_input_finished:
        job_.attempts.back().transferred = true;
        job_.attempts.back().transfer = event.at - start_;
        start_ = event.at;
        break;
      case history::EventKind::executing:
        job_.attempts.back().transferred = job_.attempts.back().executed = true;
        start_ = event.at;
        break;
      case history::EventKind::transfer_output_started:
        job_.attempts.back().execution = event.at - start_;
        start_ = event.at;
        in_teardown_ = true;
        break;
      case history::EventKind::evicted:
      case history::EventKind::shadow_exception:
      case history::EventKind::held:
      case history::EventKind::terminated:
      case history::EventKind::aborted:
        close(event);
        break;
      case history::EventKind::released:
        if (!job_.attempts.empty()) job_.attempts.back().released = true;
        break;
      default:
        break;
    }
  }

 private:
  void close(history::JobEvent const& event) {
    if (job_.attempts.empty()) {
      job_.ended_by = event.kind;
      job_.reason = event.reason;
      return;
    }
    RecordedAttempt& attempt = job_.attempts.back();
    Seconds& last = in_teardown_          ? attempt.teardown
                    : attempt.executed    ? attempt.execution
                    : attempt.transferred ? attempt.teardown
                                          : attempt.transfer;
    last = event.at - start_;
    attempt.computed = event.executed;
    attempt.ended_by = event.kind;
    attempt.reason = event.reason;
    attempt.useful = event.useful;
    in_teardown_ = false;
  }

  RecordedJob& job_;
  Seconds start_;
  bool in_teardown_ = false;
};

}  // namespace

RecordedJobs read_attempts(history::JobTable const& table) {
  history::JobHistory const history = history::to_history(table);
  RecordedJobs recorded;
  recorded.names.jobs = history.jobs;
  recorded.names.sites = history.sites;
  bool nowhere = false;
  for (auto const& events : history::events_by_job(history)) {
    RecordedJob& job = recorded.jobs.emplace_back();
    AttemptReader reader(job);
    for (std::uint32_t const event : events) reader.add(history.events[event]);
    for (RecordedAttempt& attempt : job.attempts) {
      if (attempt.site.valid()) continue;
      attempt.site = Id<history::Site>(history.sites.size());
      nowhere = true;
    }
  }
  if (nowhere) recorded.names.sites.push_back("site not recorded");
  return recorded;
}

}  // namespace gridcast::engine

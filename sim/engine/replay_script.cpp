#include "sim/engine/replay_script.hpp"

namespace gridcast {

namespace {

// The table's own history already shares the retried time out and orders the failures: read it off.
class ScriptReader {
 public:
  explicit ScriptReader(Script& script) : script_(script) {}

  void add(JobEvent const& event) {
    ScriptedEnd& end = script_.end;
    switch (event.kind) {
      case EventKind::matched:
        script_.started = true;
        start_ = event.at;
        end.site = event.site;
        break;
      case EventKind::transfer_input_finished:
        end.transferred = true;
        end.transfer = event.at - start_;
        break;
      case EventKind::executing:
        end.executed = true;
        start_ = event.at;
        break;
      case EventKind::transfer_output_started:
        end.execution = event.at - start_;
        start_ = event.at;
        in_teardown_ = true;
        break;
      case EventKind::evicted:
      case EventKind::shadow_exception:
      case EventKind::held:
      case EventKind::terminated:
      case EventKind::aborted:
        close(event);
        break;
      case EventKind::released:
        // The hold before was no end.
        script_.failures.push_back(last_);
        end = ScriptedEnd{};
        end.kind = EventKind::submitted;
        break;
      default:
        break;
    }
  }

 private:
  void close(JobEvent const& event) {
    ScriptedEnd& end = script_.end;
    bool const final = event.kind == EventKind::terminated || event.kind == EventKind::aborted ||
                       event.kind == EventKind::held;
    last_ = {event.kind, event.reason, event.site, event.at - start_, event.executed};
    if (!final) {
      script_.failures.push_back(last_);
      return;
    }
    (in_teardown_ ? end.teardown : end.executed ? end.execution : end.transfer) = event.at - start_;
    end.kind = event.kind;
    end.reason = event.reason;
    end.useful = event.useful;
  }

  Script& script_;
  Seconds start_;
  ScriptedAttempt last_;
  bool in_teardown_ = false;
};

}  // namespace

Scripts make_scripts(JobTable const& table) {
  JobHistory const history = to_history(table);
  Scripts scripts;
  scripts.names.jobs = history.jobs;
  scripts.names.sites = history.sites;
  auto const by_job = events_by_job(history);
  for (auto const& events : by_job) {
    Script script;
    script.end.kind = EventKind::submitted;
    ScriptReader reader(script);
    for (std::uint32_t const event : events) reader.add(history.events[event]);
    scripts.jobs.push_back(std::move(script));
  }
  return scripts;
}

ScriptedEnd const* Scripts::donor(Id<Site> not_at, RandomStream& stream) const {
  std::vector<ScriptedEnd const*> elsewhere, anywhere;
  for (Script const& job : jobs) {
    if (job.end.kind != EventKind::terminated || !job.end.useful) continue;
    anywhere.push_back(&job.end);
    if (job.end.site != not_at) elsewhere.push_back(&job.end);
  }
  auto const& donors = elsewhere.empty() ? anywhere : elsewhere;
  double const u = stream.uniform();
  if (donors.empty()) return nullptr;
  return donors[static_cast<std::size_t>(u * static_cast<double>(donors.size()))];
}

}  // namespace gridcast

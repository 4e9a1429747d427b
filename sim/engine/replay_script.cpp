#include "sim/engine/replay_script.hpp"

namespace gridcast::engine {

namespace {

// The table's own history already shares the retried time out and orders the failures: read it off.
class ScriptReader {
 public:
  explicit ScriptReader(Script& script) : script_(script) {}

  void add(history::JobEvent const& event) {
    ScriptedEnd& end = script_.end;
    switch (event.kind) {
      case history::EventKind::matched:
        script_.started = true;
        start_ = event.at;
        end.site = event.site;
        break;
      case history::EventKind::transfer_input_finished:
        end.transferred = true;
        end.transfer = event.at - start_;
        break;
      case history::EventKind::executing:
        end.executed = true;
        start_ = event.at;
        break;
      case history::EventKind::transfer_output_started:
        end.execution = event.at - start_;
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
        // The hold before was no end.
        script_.failures.push_back(last_);
        end = ScriptedEnd{};
        end.kind = history::EventKind::submitted;
        break;
      default:
        break;
    }
  }

 private:
  void close(history::JobEvent const& event) {
    ScriptedEnd& end = script_.end;
    bool const final = event.kind == history::EventKind::terminated ||
                       event.kind == history::EventKind::aborted ||
                       event.kind == history::EventKind::held;
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

Scripts make_scripts(history::JobTable const& table) {
  history::JobHistory const history = history::to_history(table);
  Scripts scripts;
  scripts.names.jobs = history.jobs;
  scripts.names.sites = history.sites;
  auto const by_job = history::events_by_job(history);
  for (auto const& events : by_job) {
    Script script;
    script.end.kind = history::EventKind::submitted;
    ScriptReader reader(script);
    for (std::uint32_t const event : events) reader.add(history.events[event]);
    scripts.jobs.push_back(std::move(script));
  }
  return scripts;
}

ScriptedEnd const* Scripts::success_elsewhere(Id<history::Site> not_at,
                                              RandomStream& stream) const {
  std::vector<ScriptedEnd const*> elsewhere, anywhere;
  for (Script const& job : jobs) {
    if (job.end.kind != history::EventKind::terminated || !job.end.useful) continue;
    anywhere.push_back(&job.end);
    if (job.end.site != not_at) elsewhere.push_back(&job.end);
  }
  auto const& candidates = elsewhere.empty() ? anywhere : elsewhere;
  double const u = stream.uniform();
  if (candidates.empty()) return nullptr;
  return candidates[static_cast<std::size_t>(u * static_cast<double>(candidates.size()))];
}

}  // namespace gridcast::engine

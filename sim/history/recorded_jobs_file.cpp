#include "sim/history/recorded_jobs_file.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/json_fields.hpp"
#include "sim/base/json_text.hpp"

namespace gridcast::history {
namespace {

constexpr char schema[] = "gridcast.jobs/1";
constexpr char remedy[] = "Run `gridcast calibrate` again.";

void add_fields(auto& row, auto& recorded) {
  row("sites", recorded.names.sites);
  row.list("gpus", recorded.names.gpus, [](auto& gpu, auto& share) {
    gpu("model", share.model);
    gpu("count", share.count);
    gpu("usual", share.usual);
  });
  row("gpus_per_job", recorded.names.gpus_per_job);
  row.unless_empty("retries_opaque", recorded.names.retries_opaque);
  row.unless_empty("hosts", recorded.hosts);
  row("usual_wait_s", recorded.usual_wait);
  row("jobs", recorded.jobs);
}

bool is_time(Seconds time) { return std::isfinite(time.value()) && time >= Seconds(); }

bool is_possible(RecordedAttempt const& attempt, RecordedJobs const& recorded) {
  bool possible = is_time(attempt.wait) && is_time(attempt.held_for) && is_time(attempt.computed);
  for (Seconds const time :
       {attempt.lead, attempt.transfer, attempt.setup, attempt.execution, attempt.teardown}) {
    possible = possible && is_time(time);
  }
  for (RecordedMoment const& moment : attempt.during) {
    possible = possible && std::isfinite(moment.at.value()) &&
               moment.step <= RecordedStep::teardown &&
               moment.kind <= EventKind::transfer_output_queued;
  }
  bool const at_site = attempt.site.valid() && attempt.site.index() < recorded.names.sites.size();
  return possible && attempt.host <= recorded.hosts.size() && (at_site || attempt.in_queue) &&
         attempt.gpus <= recorded.names.gpus.size() &&
         attempt.ended_by <= EventKind::transfer_output_queued &&
         static_cast<std::size_t>(attempt.reason) < reason_count &&
         attempt.after_hold <= AfterHold::removed;
}

bool is_possible(RecordedJob const& job, RecordedJobs const& recorded) {
  return is_time(job.submitted) && is_time(job.first_wait) &&
         std::all_of(job.attempts.begin(), job.attempts.end(),
                     [&](RecordedAttempt const& each) { return is_possible(each, recorded); });
}

}  // namespace

std::string recorded_jobs_text(RecordedJobs const& recorded) {
  Json json = Json::object();
  JsonWriter row(json);
  row("schema", std::string(schema));
  add_fields(row, recorded);
  return json.dump() + "\n";
}

RecordedJobs read_recorded_jobs(std::filesystem::path const& file) {
  std::string const name = file.string();
  Json const json = parse_json<Json>(read_text_file(file),
                                     {name, "it holds the recorded jobs of a calibration", remedy});
  std::vector<Problem> problems;
  JsonReader row(json, name, problems);
  if (row.at("schema").value<std::string>() != schema) {
    throw InputError(Problem{{name},
                             "these are no recorded jobs",
                             "their schema is not " + std::string(schema),
                             remedy});
  }
  RecordedJobs recorded;
  add_fields(row, recorded);
  recorded.names.dated = false;
  for (std::size_t i = 0; i < recorded.jobs.size() && problems.empty(); ++i) {
    if (is_possible(recorded.jobs[i], recorded)) continue;
    problems.push_back({{name},
                        "jobs[" + std::to_string(i) + "] has an impossible value",
                        "times are not negative, and sites and kinds are those of the file",
                        remedy});
  }
  if (recorded.jobs.empty() && problems.empty()) {
    problems.push_back({{name}, "there are no jobs", "", remedy});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return recorded;
}

}  // namespace gridcast::history

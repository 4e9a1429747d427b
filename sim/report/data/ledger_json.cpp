#include "sim/report/data/ledger_json.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <nlohmann/json.hpp>

#include "sim/base/statistics.hpp"
#include "sim/report/text/ledger_text.hpp"
#include "sim/report/text/reason_words.hpp"

namespace gridcast::report {

using Json = nlohmann::ordered_json;

Json json_number(double value) {
  if (!std::isfinite(value)) return nullptr;
  constexpr double largest_exact = 9007199254740992.0;  // 2^53
  constexpr double parts = 1e6;
  double const rounded =
      std::abs(value) < largest_exact / parts ? std::round(value * parts) / parts : value;
  if (rounded == std::floor(rounded) && std::abs(rounded) < largest_exact) {
    return static_cast<std::int64_t>(rounded);
  }
  return rounded;
}

Json json_metrics(std::vector<ledger::MetricValue> const& metrics) {
  Json object = Json::object();
  for (auto const& metric : metrics) {
    object[std::string(metric.name)] = metric.available ? json_number(metric.value) : Json(nullptr);
  }
  return object;
}

namespace {

Json json_classes(ledger::TimeClasses const& classes) {
  Json object = Json::object();
  for (auto c : ledger::all_time_classes()) {
    object[std::string(name(c)) + "_s"] = json_number(classes[c].value());
  }
  return object;
}

Json json_reasons(ledger::Ledger const& ledger) {
  Json list = Json::array();
  for (auto const& row : ledger.endings) {
    ReasonWords const words = words_of(row.ending);
    list.push_back({{"ended", ending_word(row.ending.kind)},
                    {"what", words.what},
                    {"advice", words.advice},
                    {"code", row.ending.code},
                    {"subcode", row.ending.subcode},
                    {"exit_code", row.ending.exit_code},
                    {"reason", name(row.ending.reason)},
                    {"times", row.times},
                    {"jobs", row.jobs},
                    {"slot_time_lost_s", json_number(row.slot_time_lost.value())},
                    {"held_s", json_number(row.held.value())}});
  }
  return list;
}

Json json_jobs(ledger::Ledger const& ledger) {
  Json jobs = Json::object();
  for (std::size_t j = 0; j < ledger.jobs.size(); ++j) {
    ledger::JobAccount const& job = ledger.jobs[j];
    Json object = {{"outcome", name(job.standing)},
                   {"site", job.last_site.valid() ? Json(ledger.site_names[job.last_site.index()])
                                                  : Json(nullptr)},
                   {"stalls", job.stalls},
                   {"holds", job.holds}};
    if (!ledger.retries_opaque) {
      object["attempts"] = job.attempts;
      object["executions"] = job.executions;
    }
    auto const put = [&object](std::string_view key, std::optional<Seconds> time) {
      object[std::string(key)] = time ? json_number(time->value()) : Json(nullptr);
    };
    put("transfer_retried_s", job.retried);
    put("transfer_last_s", job.last_transfer);
    put("execute_last_s", job.final_execution);
    put("match_to_done_s", job.match_to_done);
    if (ledger.dated) object["classes"] = json_classes(job.classes);
    jobs[to_text(ledger.job_names[j])] = std::move(object);
  }
  return jobs;
}

/// When how many jobs had succeeded: every success, or of very many, one of each equal share.
Json json_finish(ledger::Ledger const& ledger) {
  std::vector<double> times;
  for (auto const& job : ledger.outcomes) {
    if (job.succeeded() && job.ended_at.known()) times.push_back((*job.ended_at).value());
  }
  if (!ledger.dated || !ledger.makespan) return nullptr;
  std::sort(times.begin(), times.end());
  constexpr std::size_t most = 400;
  Json at = Json::array({0}), succeeded = Json::array({0});
  for (std::size_t i = 1; i <= std::min(most, times.size()); ++i) {
    std::size_t const rank = times.size() <= most ? i : i * times.size() / most;
    at.push_back(json_number(times[rank - 1]));
    succeeded.push_back(rank);
  }
  at.push_back(json_number(ledger.makespan->value()));
  succeeded.push_back(times.size());
  return {{"at_s", std::move(at)}, {"succeeded", std::move(succeeded)}};
}

}  // namespace

Json ledger_object(ledger::Ledger const& ledger, bool with_jobs) {
  Json sites = Json::object();
  auto all_executions = ledger::successful_executions(ledger);
  for (auto const& [site, lines] : ledger.sites) {
    auto const& executions = all_executions[site];
    Json& object = sites[site_label(site)] = json_metrics(metrics(lines, ledger.retries_opaque));
    object["execute_mean_s"] = json_number(mean(executions));
    object["execute_median_s"] = json_number(median(executions));
    auto const classes = ledger.site_classes.find(site);
    if (ledger.dated && classes != ledger.site_classes.end()) {
      object["classes"] = json_classes(classes->second);
    }
  }
  Json object = {{"schema", "gridcast.ledger/1"},
                 {"metrics", json_metrics(metrics(ledger))},
                 {"sites", std::move(sites)},
                 {"classes", ledger.dated ? json_classes(ledger.classes) : Json(nullptr)},
                 {"reasons", ledger.dated ? json_reasons(ledger) : Json(nullptr)}};
  if (with_jobs) object["jobs"] = json_jobs(ledger);
  object["finish"] = json_finish(ledger);
  return object;
}

std::string ledger_json(ledger::Ledger const& ledger, bool with_jobs) {
  Json const object = ledger_object(ledger, with_jobs);
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gridcast::report

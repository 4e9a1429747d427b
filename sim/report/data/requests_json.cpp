#include "sim/report/data/requests_json.hpp"

#include <optional>
#include <string>
#include <utility>

#include "sim/ledger/requests.hpp"

namespace gridcast::report {
namespace {

Json number(std::optional<double> const& value) { return value ? Json(*value) : Json(nullptr); }

Json request_json(ledger::PossibleRequest const& request) {
  return {{"request", request.amount},
          {"held", request.held},
          {"hosts", request.hosts},
          {"slots", request.slots}};
}

Json resource_json(ledger::ResourceRequests const& of) {
  Json possible = Json::array();
  for (ledger::PossibleRequest const& each : of.possible) possible.push_back(request_json(each));
  Json json = {{"jobs", of.jobs},
               {"exceeded", of.exceeded},
               {"slots", of.slots},
               {"requested_least", number(of.least_requested)},
               {"requested_most", number(of.most_requested)},
               {"used", {{"median", of.median}, {"p95", of.p95}, {"most", of.most}}},
               {"recommended", request_json(of.recommended)},
               {"possible", std::move(possible)}};
  if (of.first_try) {
    json["first_try"] = request_json(*of.first_try);
    json["first_try"]["saved"] = of.saved;
  }
  return json;
}

}  // namespace

Json requests_json(ledger::Requests const& found) {
  Json programs = Json::array(), hung = Json::array();
  for (ledger::ProgramRequests const& program : found.programs) {
    Json resources = Json::object();
    for (ledger::ResourceRequests const& of : program.resources) {
      resources[std::string(history::name(of.resource))] = resource_json(of);
    }
    programs.push_back({{"program", program.program},
                        {"jobs", program.jobs},
                        {"executed", program.executed},
                        {"resources", std::move(resources)}});
  }
  for (ledger::HungJob const& job : found.hung) {
    hung.push_back({{"job", job.job},
                    {"execution_s", job.execution.value()},
                    {"cpu_s", job.cpu_time.value()},
                    {"reason", std::string(history::name(job.ending.reason))}});
  }
  return {{"schema", "gridcast.requests/1"},
          {"jobs", found.jobs},
          {"hosts", found.hosts},
          {"programs", std::move(programs)},
          {"hung", std::move(hung)}};
}

}  // namespace gridcast::report

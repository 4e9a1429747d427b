#include "sim/report/text/requests_text.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/text.hpp"
#include "sim/base/units.hpp"
#include "sim/report/text/brief.hpp"

namespace gridcast::report {
namespace {

using history::Resource;
using ledger::ProgramRequests;
using ledger::Requests;
using ledger::ResourceRequests;

/// "1.25 GB", as request_memory and request_disk read it.
std::string binary_size(double bytes) {
  constexpr double kibibyte = 1024;
  constexpr std::string_view units[] = {"KB", "MB", "GB", "TB", "PB"};
  double size = bytes / kibibyte;
  std::size_t unit = 0;
  for (; size >= kibibyte && unit + 1 < std::size(units); ++unit) size /= kibibyte;
  return size >= 1000 ? fmt::format("{:.0f} {}", size, units[unit])
                      : fmt::format("{:.3g} {}", size, units[unit]);
}

std::string amount_text(Resource resource, double amount) {
  switch (resource) {
    case Resource::memory:
    case Resource::disk:
      return binary_size(amount);
    case Resource::time:
      return to_text(Seconds(amount));
    case Resource::cpus:
    case Resource::gpus:
      break;
  }
  return fmt::format("{:.2g}", amount);
}

std::string label_of(Resource resource) {
  if (resource == Resource::cpus) return "CPUs";
  if (resource == Resource::gpus) return "GPUs";
  return std::string(history::name(resource));
}

/// "4 GB", or "2..4 GB" where jobs differ.
std::string requested_text(ResourceRequests const& of) {
  if (!of.least_requested) return "-";
  std::string const least = amount_text(of.resource, *of.least_requested);
  std::string const most = amount_text(of.resource, *of.most_requested);
  if (least == most) return least;
  auto const unit = most.find(' ');
  bool const same = unit != std::string::npos && least.ends_with(most.substr(unit));
  return (same ? least.substr(0, least.find(' ')) : least) + ".." + most;
}

bool is_count(Resource resource) {
  return resource == Resource::cpus || resource == Resource::gpus;
}

/// True if requests hold jobs that need more; others only slow them down.
bool holds_jobs(ResourceRequests const& of) { return !is_count(of.resource) || of.exceeded > 0; }

/// True if a pool states how much its slots have.
bool has_slots(ProgramRequests const& program) {
  return std::any_of(program.resources.begin(), program.resources.end(),
                     [](ResourceRequests const& of) { return of.slots > 0; });
}

std::string slots_text(ResourceRequests const& of, ledger::PossibleRequest const& request) {
  return of.slots > 0 ? fmt::format("{} of {}", request.slots, of.slots) : "-";
}

/// Jobs that a limit cut off may need more than any request above theirs.
std::string held_text(ResourceRequests const& of, ledger::PossibleRequest const& request) {
  bool const at_least =
      of.exceeded > 0 && !is_count(of.resource) && request.amount > of.least_requested.value_or(0);
  return fmt::format("{}{} of {}", request.held, at_least ? "+" : "", of.jobs);
}

/// True if jobs requested memory of which no use was measured.
bool is_not_measured(ResourceRequests const& of) {
  return of.resource == Resource::memory && !(of.most > 0);
}

/// Hosts that a request matches: all that the jobs matched, if it is not above theirs.
std::string hosts_text(ResourceRequests const& of, ledger::PossibleRequest const& request,
                       std::size_t hosts) {
  if (hosts == 0 || of.resource == Resource::time) return "-";
  if (of.least_requested && request.amount <= *of.least_requested) {
    return fmt::format("all {}", hosts);
  }
  return request.hosts == hosts ? fmt::format("all {}", hosts)
                                : fmt::format("{}+ of {}", request.hosts, hosts);
}

/// In brief without the quantile, so that a row fits into 80 columns.
TextTable resource_table(ProgramRequests const& program, std::size_t hosts, bool in_brief) {
  TextTable table(fmt::format("|>requested|>median|{}>most|>recommended|>held|>{}",
                              in_brief ? "" : ">95 %|", has_slots(program) ? "slots" : "hosts"));
  constexpr std::ptrdiff_t quantile_column = 3;
  for (ResourceRequests const& of : program.resources) {
    auto const amount = [&](double value) { return amount_text(of.resource, value); };
    bool const measured = !is_not_measured(of);
    std::vector<std::string> row = {
        label_of(of.resource),
        requested_text(of),
        amount(of.median),
        amount(of.p95),
        (of.exceeded > 0 && !is_count(of.resource) ? "> " : "") + amount(of.most),
        measured ? amount(of.recommended.amount) : "-",
        measured && holds_jobs(of) ? held_text(of, of.recommended) : "-",
        has_slots(program) ? slots_text(of, of.recommended)
                           : hosts_text(of, of.recommended, hosts)};
    if (in_brief) row.erase(row.begin() + quantile_column);
    table.add_row(row);
  }
  return table;
}

std::string submit_command(Resource resource, double amount) {
  bool const is_size = resource == Resource::memory || resource == Resource::disk;
  return fmt::format("request_{} = {}", history::name(resource),
                     is_size ? binary_size(amount) : fmt::format("{:.0f}", amount));
}

std::string submit_lines(ProgramRequests const& program) {
  std::vector<std::string> lines;
  for (ResourceRequests const& of : program.resources) {
    if (of.recommended.amount > 0 && of.resource != Resource::time) {
      lines.push_back(submit_command(of.resource, of.recommended.amount));
    }
  }
  return lines.empty() ? "" : fmt::format("Submit file: {}.", fmt::join(lines, "; "));
}

std::string measured_sentence(ProgramRequests const& program) {
  bool const some = std::ranges::any_of(program.resources, is_not_measured);
  return some ? "The use of memory is not known: these jobs end before HTCondor measures it." : "";
}

std::string retry_sentence(ProgramRequests const& program) {
  for (ResourceRequests const& of : program.resources) {
    if (!of.first_try) continue;
    return fmt::format(
        "Cheaper: request_memory = {} and retry_request_memory = {}. Then {} of {} jobs run "
        "twice, and the campaign claims {:.0f} % less memory x time.",
        binary_size(of.first_try->amount), binary_size(of.recommended.amount), of.first_try->held,
        of.jobs, 100 * of.saved);
  }
  return "";
}

std::string hung_sentence(Requests const& found) {
  if (found.hung.empty()) return "";
  constexpr std::size_t most_named = 4;
  std::vector<std::string> names;
  Seconds together;
  for (ledger::HungJob const& job : found.hung) {
    if (names.size() < most_named) names.push_back(job.job);
    together += job.execution;
  }
  bool const more = found.hung.size() > most_named;
  return fmt::format("{} used no CPU until a limit ended {}, {:.1f} h together: {}{}.",
                     counted(found.hung.size(), "job"), found.hung.size() == 1 ? "it" : "them",
                     together / hours(1), fmt::join(names, ", "), more ? ", ..." : "");
}

/// The time of executions is known of each record.
bool has_use(ProgramRequests const& program) {
  return std::any_of(program.resources.begin(), program.resources.end(),
                     [](auto const& of) { return of.resource != Resource::time; });
}

std::string hosts_sentence(Requests const& found) {
  if (std::any_of(found.programs.begin(), found.programs.end(), has_slots)) {
    return "Slots: those of the pool that offer this much, of all whose size its file states.";
  }
  if (std::none_of(found.programs.begin(), found.programs.end(), has_use)) return "";
  if (found.hosts == 0) return "The record names no hosts, so the matching slots are not known.";
  return "Hosts: those that offered a job this much. They may have more.";
}

std::string executed_text(ProgramRequests const& program) {
  return fmt::format("{} of {}{} executed", program.executed, counted(program.jobs, "job"),
                     program.program.empty() ? "" : " of " + program.program);
}

std::string title_of(Requests const& found, ProgramRequests const& program) {
  std::string const others =
      found.programs.size() == 1
          ? ""
          : fmt::format(" ({}: --details)", counted(found.programs.size() - 1, "other program"));
  return executed_text(program) + others + ".";
}

/// Each possible request and how many jobs it would have held.
std::string possible_text(ProgramRequests const& program, std::size_t hosts, Screen const& screen) {
  TextTable table(
      fmt::format("request|>|>jobs that need more|>{}", has_slots(program) ? "slots" : "hosts"));
  for (ResourceRequests const& of : program.resources) {
    for (ledger::PossibleRequest const& each : of.possible) {
      table.add_row(std::vector<std::string>{
          label_of(of.resource), amount_text(of.resource, each.amount), held_text(of, each),
          has_slots(program) ? slots_text(of, each) : hosts_text(of, each, hosts)});
    }
  }
  return table.str(screen);
}

std::string no_use_text() {
  return "The record does not contain the use of resources: logs have it in events 004 to 006, ads in "
         "ResidentSetSize, DiskUsage and RemoteUserCpu. It is not read from tables, such as MaxRSS of "
         "sacct. Simulated logs have none.";
}

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
               {"requested_least", json_value(of.least_requested)},
               {"requested_most", json_value(of.most_requested)},
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

std::string brief_requests(Requests const& found, Screen const& screen) {
  Brief brief(screen);
  if (found.programs.empty()) return "";
  ProgramRequests const& program = found.programs.front();
  brief.say(title_of(found, program), Brief::needed, 2);
  if (!has_use(program)) brief.say(no_use_text(), Brief::needed, 3);
  if (!program.resources.empty()) {
    brief.add(resource_table(program, found.hosts, true).str(brief.screen()), Brief::needed);
  }
  brief.say(hung_sentence(found), 8, 2);
  brief.say(submit_lines(program), 7, 2);
  brief.say(measured_sentence(program), 6, 2);
  brief.say(retry_sentence(program), 6, 2);
  brief.say(hosts_sentence(found), 4, 2);
  brief.add(next_command(screen), 5);
  return brief.text();
}

std::string requests_text(Requests const& found, Screen const& screen) {
  std::string text;
  for (ProgramRequests const& program : found.programs) {
    text += fitted(executed_text(program) + ".\n", screen);
    if (!has_use(program)) text += fitted(no_use_text() + "\n", screen);
    if (program.resources.empty()) {
      text += "\n";
      continue;
    }
    text += resource_table(program, found.hosts, false).str(screen) + "\n" +
            possible_text(program, found.hosts, screen);
    for (std::string const& sentence :
         {submit_lines(program), measured_sentence(program), retry_sentence(program)}) {
      if (!sentence.empty()) text += fitted(sentence + "\n", screen);
    }
    text += "\n";
  }
  auto const hosts = hosts_sentence(found);
  if (!hosts.empty()) text += fitted(hosts + "\n", screen);
  if (found.hung.empty()) return text;
  TextTable table("job without CPU use|>execution|>CPU time");
  for (ledger::HungJob const& job : found.hung) {
    table.add_row(std::vector<std::string>{job.job, to_text(job.execution), to_text(job.cpu_time)});
  }
  return text + "\n" + table.str(screen);
}

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

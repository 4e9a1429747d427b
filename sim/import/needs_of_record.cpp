#include "sim/import/needs_of_record.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/statistics.hpp"
#include "sim/base/text.hpp"
#include "sim/import/needs_law.hpp"
#include "sim/import/recorded_campaign.hpp"

namespace gridcast::import {
namespace {

/// The request of a resource, whether it depends on the job's attempts, and the place of its needs.
struct Requested {
  char const* command;
  Bytes request;
  bool varies;
  std::vector<Bytes>& into;
};

using Needs = std::vector<ledger::JobNeed>;

std::string program_name(std::string const& path) { return path.substr(path.rfind('/') + 1); }

/// Those of the program; of all if the record does not name it.
Needs of_program(Needs const& all, std::string const& executable) {
  Needs own;
  std::ranges::copy_if(all, std::back_inserter(own), [&](ledger::JobNeed const& need) {
    return !executable.empty() && program_name(need.program) == program_name(executable);
  });
  return own.empty() ? all : own;
}

std::size_t stopped(Needs const& needs) {
  return static_cast<std::size_t>(std::ranges::count_if(needs, &ledger::JobNeed::exceeded));
}

/// How many used more than they had and were not stopped, if that is usual there.
std::size_t tolerated(Needs const& needs) {
  constexpr double rounding = 1.01;  // requests are rounded to whole units
  constexpr std::size_t part = 20;
  auto const over = static_cast<std::size_t>(std::ranges::count_if(needs, [](auto const& need) {
    bool const stopped_once = need.exceeded || need.raised;
    return !stopped_once && need.limit > 0 && need.amount > need.limit * rounding;
  }));
  return over > stopped(needs) && part * over >= needs.size() ? over : 0;
}

/// True if the request stops each job that was stopped, and no other.
bool stops_as_recorded(double request, Needs const& needs) {
  return std::ranges::all_of(needs, [&](ledger::JobNeed const& need) {
    if (need.raised) return request < need.amount;
    return need.exceeded ? request <= need.amount : request >= need.amount;
  });
}

/// Evenly spaced, from the least need to the most.
std::vector<double> need_quantiles(Needs const& needs) {
  constexpr int steps = 20;
  std::vector<double> const amounts = amounts_needed(needs);
  std::vector<double> found;
  for (int i = 0; i <= steps; ++i)
    found.push_back(quantile(amounts, static_cast<double>(i) / steps));
  return found;
}

std::string note_text(Requested const& requested, Needs const& needs) {
  std::string const what = requested.varies
                               ? std::string(requested.command) + " depends on attempts"
                               : fmt::format("{} = {}, which stops other jobs than the record's",
                                             requested.command, to_text(requested.request));
  auto const found = need_quantiles(needs);
  std::size_t const by_limit = stopped(needs);
  return fmt::format(
      "{}: jobs that need more are stopped, by the use of the record's {} jobs (median {}, most "
      "{}{}); all steps are drawn from the fitted processes",
      what, needs.size(), to_text(Bytes(found[found.size() / 2])), to_text(Bytes(found.back())),
      by_limit > 0 ? fmt::format(", {} of them stopped by a limit", by_limit) : "");
}

/// The request stops the same jobs as in the record.
void note_as_recorded(SubmitImport& import, Requested const& requested, Needs const& needs,
                      std::filesystem::path const& submit_file) {
  if (std::size_t const by_limit = stopped(needs)) {
    import.notes.push_back(
        {{submit_file.string()},
         fmt::format("{} stopped {} of the record's {} jobs, and no rule of transfers or retries "
                     "changes that. gridcast ledger --requests recommends a larger one",
                     requested.command, by_limit, needs.size()),
         condor::SubmitTopic::other,
         condor::SubmitAction::recommended});
  }
  if (auto const raised = std::ranges::count_if(needs, &ledger::JobNeed::raised)) {
    import.notes.push_back(
        {{submit_file.string()},
         fmt::format("{} stopped {} of the record's {} jobs, which succeeded with more: they do so "
                     "in the forecast",
                     requested.command, raised, needs.size())});
  }
}

void set(SubmitImport& import, Requested const& requested, Needs const& all,
         std::filesystem::path const& submit_file) {
  auto const note = [&](std::string what) {
    import.notes.push_back({{submit_file.string()}, std::move(what)});
  };
  if (!requested.varies && requested.request <= Bytes()) return;
  if (all.empty()) {
    if (!requested.varies) return;
    return note(
        fmt::format("{} depends on attempts: only its first value has an effect, as the needs of "
                    "the jobs are not known. A record with resource tables shows them, or "
                    "campaign.work states them",
                    requested.command));
  }
  Needs const needs = of_program(all, import.executable);
  bool const stops_others =
      requested.varies || !stops_as_recorded(requested.request.value(), needs);
  if (!stops_others) return note_as_recorded(import, requested, needs, submit_file);
  if (std::size_t const over = tolerated(needs)) {
    return note(
        fmt::format("{}: no job is stopped for it, as {} of the record's {} jobs used more than "
                    "they requested and were not stopped",
                    requested.command, over, needs.size()));
  }
  for (double const each : need_quantiles(needs)) requested.into.emplace_back(each);
  import.campaign.work.from = scenario::JobSource::processes;
  note(note_text(requested, needs));
}

}  // namespace

std::vector<history::ResourceUse> resource_uses(RecordedCampaign const& campaign) {
  auto uses = campaign.uses;
  Seconds const start(static_cast<double>(campaign.history.start_unix.value_or(0)));
  auto const add = [&](history::JobName job, history::ResourceUse use) {
    use.job = job;
    use.at -= start;
    uses.push_back(use);
  };
  for (auto const& [name, ads] : campaign.ads.jobs) {
    for (condor::AttemptAdFacts const& attempt : ads.attempts) add(name, attempt.use);
    if (!ads.facts.from_epoch) add(name, ads.facts.last.use);
  }
  std::ranges::stable_sort(uses, [](auto const& a, auto const& b) {
    return std::pair(a.job, a.at) < std::pair(b.job, b.at);
  });
  return uses;
}

std::vector<int> failed_exit_codes(history::JobHistory const& history) {
  constexpr std::size_t most = 100;
  std::vector<int> all, codes;
  for (history::JobEvent const& event : history.events) {
    bool const exits =
        event.kind == history::EventKind::terminated || event.kind == history::EventKind::requeued;
    if (exits && !event.useful && event.exit_code != 0) all.push_back(event.exit_code);
  }
  std::ranges::sort(all);
  std::size_t const count = std::min(all.size(), most);
  for (std::size_t i = 0; i < count; ++i) {
    codes.push_back(all[(2 * i + 1) * all.size() / (2 * count)]);
  }
  return codes;
}

void set_exit_codes(SubmitImport& import, std::vector<int> codes,
                    std::filesystem::path const& file) {
  std::vector<std::string> without_effect;
  auto const look = [&](char const* command, std::optional<int> code) {
    bool const known = codes.empty() ? code == 1 : std::ranges::count(codes, code) > 0;
    if (!code || *code == 0 || known) return;
    std::string text = fmt::format("{} {}", command, *code);
    auto const end = without_effect.end();
    if (std::find(without_effect.begin(), end, text) == end) without_effect.push_back(text);
  };
  for (scenario::Submission const& each : import.campaign.submit) {
    look("ABORT-DAG-ON", each.abort_on);
    look("UNLESS-EXIT", each.unless_exit);
  }
  if (!without_effect.empty()) {
    import.notes.push_back(
        {{file.string()},
         fmt::format("{}: no effect, as {}. To state the exit codes: campaign.work.exit_codes",
                     fmt::join(without_effect, ", "),
                     codes.empty() ? "programs that fail exit with 1 where no record shows a code"
                                   : "no failed program of the record exited with it")});
  }
  bool const all_one = std::ranges::all_of(codes, [](int code) { return code == 1; });
  if (!all_one) import.campaign.work.exit_codes = std::move(codes);
}

void set_needs(SubmitImport& import, RecordedNeeds const& needs,
               std::filesystem::path const& submit_file) {
  scenario::JobPolicy const& policy = import.strategy.retry.policy;
  scenario::Request const& request = import.campaign.request;
  scenario::Work& work = import.campaign.work;
  set(import,
      {"request_memory", request.memory, policy.request_memory || policy.retry_request_memory,
       work.memory},
      needs.memory, submit_file);
  set(import,
      {"request_disk", request.disk, policy.request_disk || policy.retry_request_disk, work.disk},
      needs.disk, submit_file);
}

}  // namespace gridcast::import

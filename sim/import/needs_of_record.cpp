#include "sim/import/needs_of_record.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

/// Requests are rounded to whole units.
constexpr double as_recorded = 0.01;

bool is_as_recorded(Requested const& requested, ledger::NeededSizes const& needs) {
  // A record without requests: nothing shows that they differ.
  if (!needs.least_requested || !needs.most_requested) return true;
  double const amount = requested.request.value();
  return amount >= *needs.least_requested * (1 - as_recorded) &&
         amount <= *needs.most_requested * (1 + as_recorded);
}

std::string note_text(Requested const& requested, ledger::NeededSizes const& needs) {
  std::string const what = requested.varies
                               ? std::string(requested.command) + " depends on attempts"
                               : fmt::format("{} = {}, another than the record's",
                                             requested.command, to_text(requested.request));
  return fmt::format(
      "{}: jobs that need more are stopped, by the use of the record's {} jobs (median {}, most "
      "{}{}); all steps are drawn from the fitted processes",
      what, needs.jobs, to_text(Bytes(needs.quantiles[needs.quantiles.size() / 2])),
      to_text(Bytes(needs.quantiles.back())),
      needs.exceeded > 0 ? fmt::format(", {} of them stopped by a limit", needs.exceeded) : "");
}

void set(SubmitImport& import, Requested const& requested, ledger::NeededSizes const& needs,
         std::filesystem::path const& submit_file) {
  auto const note = [&](std::string what) {
    import.notes.push_back({{submit_file.string()}, std::move(what)});
  };
  if (!requested.varies && requested.request <= Bytes()) return;
  if (needs.quantiles.empty()) {
    if (!requested.varies) return;
    return note(
        fmt::format("{} depends on attempts: no effect, as the needs of the jobs are not "
                    "known. A record with resource tables shows them, or campaign.work "
                    "states them",
                    requested.command));
  }
  bool const enough_for_all =
      needs.exceeded == 0 && requested.request.value() >= needs.quantiles.back();
  if (!requested.varies && (enough_for_all || is_as_recorded(requested, needs))) return;
  for (double const quantile : needs.quantiles) requested.into.emplace_back(quantile);
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

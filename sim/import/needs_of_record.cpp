#include "sim/import/needs_of_record.hpp"

#include <fmt/format.h>

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

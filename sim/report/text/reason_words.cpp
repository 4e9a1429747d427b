#include "sim/report/text/reason_words.hpp"

#include <fmt/format.h>

namespace gridcast::report {
namespace {

constexpr std::string_view unknown_advice =
    "Logs of HTCondor before 24.3 give no code with an eviction. A pilot that ended, a site that "
    "needed the slot and a person's condor_vacate_job look alike.";

// A reason whose words are those of a code, or its own.
struct ReasonRow {
  history::Reason reason;
  int code, subcode;
  std::string_view what, advice;  // where code is 0
};

constexpr ReasonRow rows[] = {
    {history::Reason::transfer_stalled, 0, 0, "input transfer stalled: no byte for too long",
     "The job was queued again by itself. If one site or cache stands out, keep away from it."},
    {history::Reason::transfer_failed, 13, 256, "", ""},
    {history::Reason::not_found, 0, 0, "input transfer failed: no such object (404)",
     "Is the URL right and the object still there? A namespace that answers 404 for a while mends "
     "itself: release the jobs then."},
    {history::Reason::no_progress, 0, 0, "input transfer failed: no progress",
     "The server sent less than the plugin's least rate. Release the job, or bring the file "
     "through "
     "OSDF."},
    {history::Reason::input_too_large, 32, 0, "", ""},
    {history::Reason::execution_too_long, 47, 0, "", ""},
    {history::Reason::pilot_ended, 1013, 0, "", ""},
    {history::Reason::site_network_down, 0, 0, "the site's network was down",
     "Not the job's fault. If one site stands out, keep away from it (requirements)."},
    {history::Reason::corrupt_input, 0, 0, "the input did not unpack",
     "A transfer that was cut short without an error. Check the archive's size or sum in the job, "
     "and "
     "exit with an error that max_retries repeats."},
    {history::Reason::manual, 0, 0, "a person did it", ""},
    {history::Reason::policy, 0, 0,
     "an expression of the job's policy did it (periodic_*, on_exit_*)",
     "The expression in the submit file became true."},
    {history::Reason::transfer_timeout, 13, 62, "", ""},
    {history::Reason::output_missing, 12, 2, "", ""},
    {history::Reason::output_failed, 12, 0, "", ""},
    {history::Reason::checkpoint_failed, 36, 0, "", ""},
    {history::Reason::vacated, 0, 0, "vacated: by a person, the site or a better claim on the slot",
     "Not the job's fault. Where it costs much, save checkpoints (checkpoint_exit_code)."},
    {history::Reason::lost_contact, 1008, 0, "", ""},
    {history::Reason::out_of_resources, 34, 0, "", ""},
    {history::Reason::job_too_long, 46, 0, "", ""},
};

ReasonWords words_of_reason(history::Reason reason) {
  for (auto const& row : rows) {
    if (row.reason != reason) continue;
    if (row.code != 0) return words_of_code(row.code, row.subcode);
    return {std::string(row.what), std::string(row.advice)};
  }
  return {"the source gives no reason", std::string(unknown_advice)};
}

ReasonWords words_of_exit(history::Ending const& ending) {
  bool const again = ending.kind == history::EventKind::requeued;
  std::string const how =
      ending.exit_code < 0 ? fmt::format("the program died of signal {}", -ending.exit_code)
                           : fmt::format("the program ended with exit code {}", ending.exit_code);
  return {how, again
                   ? "Queued again, as max_retries or on_exit_remove ask. Read its standard error "
                     "if it comes often: a retry repeats a fault of the program."
                   : "No result of use. Read its standard error; max_retries repeats such jobs."};
}

}  // namespace

std::string_view ending_word(history::EventKind kind) {
  switch (kind) {
    case history::EventKind::held:
      return "held";
    case history::EventKind::requeued:
      return "requeued";
    case history::EventKind::shadow_exception:
      return "shadow failed";
    case history::EventKind::reconnect_failed:
      return "contact lost";
    case history::EventKind::aborted:
      return "removed";
    case history::EventKind::terminated:
      return "ended";
    default:
      return "evicted";
  }
}

ReasonWords words_of(history::Ending const& ending) {
  if (ending.others) return {"further kinds, not told apart", ""};
  bool const of_program =
      ending.kind == history::EventKind::requeued || ending.kind == history::EventKind::terminated;
  if (of_program && ending.exit_code != 0) return words_of_exit(ending);
  if (ending.kind == history::EventKind::reconnect_failed) return words_of_code(1008, 0);
  if (of_program && ending.reason == history::Reason::none) return words_of_exit(ending);
  if (ending.code == 0) return words_of_reason(ending.reason);
  ReasonWords words = words_of_code(ending.code, ending.subcode);
  // What the plugin said is more than its exit status.
  bool const said = ending.reason == history::Reason::not_found ||
                    ending.reason == history::Reason::no_progress ||
                    (ending.code > 1000 && ending.reason == history::Reason::transfer_stalled);
  return said ? words_of_reason(ending.reason) : words;
}

std::string cause_in_words(history::PhaseSpan const& span) {
  return span.cause ? words_of(*span.cause).what : std::string();
}

}  // namespace gridcast::report

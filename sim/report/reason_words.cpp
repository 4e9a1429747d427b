#include "sim/report/reason_words.hpp"

#include <fmt/format.h>

namespace gridcast {
namespace {

constexpr std::string_view unknown_advice =
    "Logs of HTCondor before 24.3 give no code with an eviction. A pilot that ended, a site that "
    "needed the slot and a person's condor_vacate_job look alike.";

// A reason whose words are those of a code, or its own.
struct ReasonRow {
  Reason reason;
  int code, subcode;
  std::string_view what, advice;  // where code is 0
};

constexpr ReasonRow rows[] = {
    {Reason::transfer_stalled, 0, 0, "input transfer stalled: no byte for too long",
     "The job was queued again by itself. If one site or cache stands out, keep away from it."},
    {Reason::transfer_failed, 13, 256, "", ""},
    {Reason::not_found, 0, 0, "input transfer failed: no such object (404)",
     "Is the URL right and the object still there? A namespace that answers 404 for a while mends "
     "itself: release the jobs then."},
    {Reason::no_progress, 0, 0, "input transfer failed: no progress",
     "The server sent less than the plugin's least rate. Release the job, or bring the file "
     "through "
     "OSDF."},
    {Reason::input_too_large, 32, 0, "", ""},
    {Reason::execution_too_long, 47, 0, "", ""},
    {Reason::pilot_ended, 1013, 0, "", ""},
    {Reason::site_network_down, 0, 0, "the site's network was down",
     "Not the job's fault. If one site stands out, keep away from it (requirements)."},
    {Reason::corrupt_input, 0, 0, "the input did not unpack",
     "A transfer that was cut short without an error. Check the archive's size or sum in the job, "
     "and "
     "exit with an error that max_retries repeats."},
    {Reason::manual, 0, 0, "a person did it", ""},
    {Reason::policy, 0, 0, "an expression of the job's policy did it (periodic_*, on_exit_*)",
     "The expression in the submit file became true."},
    {Reason::transfer_timeout, 13, 62, "", ""},
    {Reason::output_missing, 12, 2, "", ""},
    {Reason::output_failed, 12, 0, "", ""},
    {Reason::checkpoint_failed, 36, 0, "", ""},
    {Reason::vacated, 0, 0, "vacated: by a person, the site or a better claim on the slot",
     "Not the job's fault. Where it costs much, save checkpoints (checkpoint_exit_code)."},
    {Reason::lost_contact, 1008, 0, "", ""},
    {Reason::out_of_resources, 34, 0, "", ""},
    {Reason::job_too_long, 46, 0, "", ""},
};

ReasonWords words_of_reason(Reason reason) {
  for (auto const& row : rows) {
    if (row.reason != reason) continue;
    if (row.code != 0) return words_of_code(row.code, row.subcode);
    return {std::string(row.what), std::string(row.advice)};
  }
  return {"the source gives no reason", std::string(unknown_advice)};
}

ReasonWords words_of_exit(Ending const& ending) {
  bool const again = ending.kind == EventKind::requeued;
  std::string const how =
      ending.exit_code < 0 ? fmt::format("the program died of signal {}", -ending.exit_code)
                           : fmt::format("the program ended with exit code {}", ending.exit_code);
  return {how, again
                   ? "Queued again, as max_retries or on_exit_remove ask. Read its standard error "
                     "if it comes often: a retry repeats a fault of the program."
                   : "No result of use. Read its standard error; max_retries repeats such jobs."};
}

}  // namespace

std::string_view ending_word(EventKind kind) {
  switch (kind) {
    case EventKind::held:
      return "held";
    case EventKind::requeued:
      return "requeued";
    case EventKind::shadow_exception:
      return "shadow failed";
    case EventKind::reconnect_failed:
      return "contact lost";
    case EventKind::aborted:
      return "removed";
    case EventKind::terminated:
      return "ended";
    default:
      return "evicted";
  }
}

ReasonWords words_of(Ending const& ending) {
  if (ending.others) return {"further kinds, not told apart", ""};
  bool const of_program =
      ending.kind == EventKind::requeued || ending.kind == EventKind::terminated;
  if (of_program && ending.exit_code != 0) return words_of_exit(ending);
  if (ending.kind == EventKind::reconnect_failed) return words_of_code(1008, 0);
  if (of_program && ending.reason == Reason::none) return words_of_exit(ending);
  if (ending.code == 0) return words_of_reason(ending.reason);
  ReasonWords words = words_of_code(ending.code, ending.subcode);
  // What the plugin said is more than its exit status.
  bool const said = ending.reason == Reason::not_found || ending.reason == Reason::no_progress ||
                    (ending.code > 1000 && ending.reason == Reason::transfer_stalled);
  return said ? words_of_reason(ending.reason) : words;
}

}  // namespace gridcast

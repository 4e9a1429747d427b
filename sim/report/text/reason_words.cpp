#include "sim/report/text/reason_words.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <system_error>

#include <fmt/format.h>

namespace gridcast::report {
namespace {

constexpr int lowest = std::numeric_limits<int>::min();
constexpr int highest = std::numeric_limits<int>::max();

// The first row that fits has the words. In `what`, {exit} is the plugin's exit status, {error} the
// errno's text, {subcode} the number.
struct CodeRow {
  int first, last;  // codes
  int from, to;     // subcodes
  std::string_view what;
  std::string_view advice;
};

constexpr std::string_view see_reason = "Read the hold reason in the log; it names the fault.";
constexpr std::string_view ask_admin =
    "A fault of the installation: show the hold reason to the administrators of the access point.";
constexpr std::string_view nothing = "Nothing: the job was queued again.";
constexpr std::string_view checkpoint_more =
    "Not the job's fault. If it costs much, save checkpoints (checkpoint_exit_code) or split the "
    "work into shorter jobs.";
constexpr std::string_view retry_input =
    "The hold reason names the URL and the cache. If one site stands out, keep away from it "
    "(requirements); if it passes, release by policy, as in periodic_release = HoldReasonCode == "
    "13 && NumHolds < 5 && time() - EnteredCurrentStatus > 1200.";
constexpr std::string_view one_site =
    "If one site stands out, keep away from it (requirements); else release the job.";

constexpr CodeRow code_rows[] = {
    {1, 1, lowest, highest, "a person held the job (condor_hold)",
     "condor_release when it may run."},
    {3, 3, lowest, highest, "the job's own policy held it (periodic_hold or on_exit_hold)",
     "The expression in the submit file became true; the subcode is the submit file's."},
    {4, 4, lowest, highest, "the job's credentials are not valid",
     "Renew the proxy or token, then release the job."},
    {5, 5, lowest, highest, "an expression of the job's policy has no value (undefined)",
     "Correct periodic_* or on_exit_* in the submit file: an attribute is missing or misspelt."},
    {6, 6, lowest, highest, "the program could not be started: {error}",
     "Is the executable there, executable, and built for that machine (its #! line too)?"},
    {7, 7, lowest, highest, "the file for standard output could not be opened: {error}",
     "Correct `output` in the submit file; does its folder exist?"},
    {8, 8, lowest, highest, "the file for standard input could not be opened: {error}",
     "Correct `input` in the submit file."},
    {9, 9, lowest, highest, "the stream for standard output could not be opened: {error}",
     see_reason},
    {10, 10, lowest, highest, "the stream for standard input could not be opened: {error}",
     see_reason},
    {11, 11, lowest, highest, "HTCondor's transfer protocol failed", one_site},

    {12, 12, lowest, -1, "output transfer failed: the transfer plugin could not be run", one_site},
    {12, 12, 0, 0, "output transfer failed", see_reason},
    {12, 12, 2, 2, "output transfer failed: an output file does not exist",
     "The program ended before it wrote a file of transfer_output_files: read its standard error. "
     "A crash looks like this too; a file that is written at the very start separates them."},
    {12, 12, 28, 28, "output transfer failed: the access point's disk is full",
     "Make room in the submit folder, then release the jobs."},
    {12, 12, 62, 62, "output transfer failed: the transfer plugin ran out of time",
     "A transfer that hangs, or output too large for the link."},
    {12, 12, 122, 122, "output transfer failed: quota exceeded at the access point",
     "Make room in the submit folder, then release the jobs."},
    {12, 12, 1, 255, "output transfer failed: {error}", see_reason},
    {12, 12, 2816, 2816,
     "output transfer failed: the plugin gave up, and a retry may help (exit 11)",
     "Release the job; since HTCondor 25.6 it is retried by itself."},
    {12, 12, 256, highest, "output transfer failed: the plugin gave up (exit {exit})",
     "The hold reason names the URL: is it writable, and is there room?"},

    {13, 13, lowest, -1, "input transfer failed: the transfer plugin could not be run", one_site},
    {13, 13, 0, 0, "input transfer failed", see_reason},
    {13, 13, 2, 2, "input transfer failed: an input file does not exist",
     "Correct transfer_input_files, or put the file there; no retry will help before."},
    {13, 13, 28, 28, "input transfer failed: no space on the execution point's disk",
     "Raise request_disk to the size of the unpacked input and the job's own files."},
    {13, 13, 62, 62, "input transfer failed: the plugin ran out of time",
     "A transfer that hangs. The time is MAX_FILE_TRANSFER_PLUGIN_LIFETIME (20 hours unless set); "
     "a site that stands out is to be avoided."},
    {13, 13, 1, 255, "input transfer failed: {error}", retry_input},
    {13, 13, 1280, 1280, "input transfer failed: the plugin saw no progress (exit 5)",
     "Since HTCondor 25.6 it is retried by itself; before, release by policy."},
    {13, 13, 2816, 2816,
     "input transfer failed: the plugin gave up, and a retry may help (exit 11)",
     "Since HTCondor 25.6 it is retried by itself, four times; before, release by policy."},
    {13, 13, 256, highest, "input transfer failed: the plugin gave up (exit {exit})", retry_input},

    {14, 14, lowest, highest, "the submit folder cannot be entered: {error}",
     "Does initialdir exist, and may you enter it?"},
    {15, 15, lowest, highest, "submitted on hold", "condor_release when it may run."},
    {16, 16, lowest, highest, "input files are being spooled",
     "Nothing: it is released when they are."},
    {17, 17, lowest, highest, "the job does not fit the access point's HTCondor", ask_admin},
    {18, 18, lowest, highest, "HTCondor's transfer protocol failed", one_site},
    {19, 19, lowest, highest, "the site's hook that prepares jobs failed ({subcode})", one_site},
    {20, 20, lowest, highest, "the job's deferred start time has passed", "Submit it anew."},
    {21, 21, lowest, highest, "the execution point's policy held the job (WANT_HOLD, {subcode})",
     "The hold reason names the limit: memory, disk or time, as a rule. Raise the request."},
    {22, 22, lowest, highest, "the job event log could not be opened",
     "Is `log` in the submit file on a disk that the access point can write to?"},
    {23, 23, lowest, highest, "the user's account could not be used", ask_admin},
    {24, 24, lowest, highest, "no shadow at the access point fits the job", ask_admin},
    {25, 25, lowest, highest, "the cron settings of the job are wrong",
     "Correct cron_* in the file."},
    {26, 26, lowest, highest,
     "the access point's policy held the job (SYSTEM_PERIODIC_HOLD, {subcode})",
     "The administrators chose the limit, and its number; the hold reason names it. Memory or "
     "processors beyond the request, as a rule: raise the request, or use no more threads."},
    {27, 27, lowest, highest, "a policy expression of the access point has no value", ask_admin},
    {32, 32, lowest, highest,
     "the input is larger than the access point allows (MAX_TRANSFER_INPUT_MB)",
     "Bring large files by URL (osdf://), which the limit leaves out; no retry will help."},
    {33, 33, lowest, highest,
     "the output is larger than the access point allows (MAX_TRANSFER_OUTPUT_MB)",
     "Send large files to a URL (output_destination), which the limit leaves out."},
    {34, 34, 102, 102, "out of memory: more than the request", "Raise request_memory."},
    {34, 34, 104, 104, "out of disk: more than the request", "Raise request_disk."},
    {34, 34, lowest, highest, "the job used more memory or disk than it requested",
     "Raise request_memory or request_disk: the hold reason names it and the amount used. "
     "retry_request_memory does it by itself."},
    {35, 35, lowest, highest, "the container image is not valid",
     "Correct container_image: does it exist, and can the site read it?"},
    {36, 36, lowest, highest, "saving a checkpoint failed",
     "Are all of transfer_checkpoint_files written before the program exits with "
     "checkpoint_exit_code?"},
    {37, 42, lowest, highest, "an error of the EC2 service ({subcode})", see_reason},
    {43, 43, lowest, highest, "the pre script failed", see_reason},
    {44, 44, lowest, highest, "the post script failed", see_reason},
    {45, 45, lowest, highest, "the site's container runtime does not work (Singularity test)",
     one_site},
    {46, 46, lowest, highest, "the attempt outlived allowed_job_duration",
     "Longer attempts, a faster GPU (requirements), or checkpoints. The limit counts transfers "
     "too."},
    {47, 47, lowest, highest, "the program outlived allowed_execute_duration",
     "On the OSPool 20 hours for Medium and 40 hours for Long (+JobDurationCategory). Save "
     "checkpoints: the limit counts from the last one; or split the work."},
    {48, 48, lowest, highest, "the access point's hook that prepares jobs failed ({subcode})",
     ask_admin},

    {1000, 1000, lowest, highest, "the job's own policy vacated it (periodic_vacate)",
     "The expression in the submit file became true."},
    {1001, 1001, lowest, highest,
     "the access point's policy vacated the job (SYSTEM_PERIODIC_VACATE)", nothing},
    {1002, 1002, lowest, highest, "the shadow failed", one_site},
    {1003, 1003, lowest, highest, "the program was not started: a step before it failed", one_site},
    {1004, 1004, lowest, highest, "a person vacated the job (condor_vacate_job)", nothing},
    {1005, 1005, lowest, highest, "the attempt was interrupted, and HTCondor gives no cause",
     "The site or the pilot, as a rule. If it costs much, save checkpoints "
     "(checkpoint_exit_code)."},
    {1006, 1006, lowest, highest, "the claimed slot did not take the job", nothing},
    {1007, 1007, lowest, highest,
     "the starter failed (an input transfer that stalled, a disk that broke)", one_site},
    {1008, 1008, lowest, highest, "contact with the slot was lost for longer than the job's lease",
     "The site's network or the pilot died. A longer job_lease_duration survives longer cuts."},
    {1009, 1009, lowest, highest, "the access point took the job off its slot", nothing},
    {1010, 1010, lowest, highest, "the site's administrators vacated the slot", checkpoint_more},
    {1011, 1011, lowest, highest, "the site's policy preempted the job (PREEMPT)", checkpoint_more},
    {1012, 1012, lowest, highest, "the pilot's startd failed", one_site},
    {1013, 1013, lowest, highest,
     "the pilot was shut down: its time was over, or the site killed it", checkpoint_more},
    {1014, 1014, lowest, highest, "the slot was drained", checkpoint_more},
    {1015, 1015, lowest, highest, "the slot was joined with others (condor_now)", nothing},
    {1016, 1016, lowest, highest, "the machine went to sleep", checkpoint_more},
    {1017, 1017, lowest, highest, "the access point gave the slot back", nothing},
    {1018, 1018, lowest, highest, "preempted by a job that the site likes better (rank)",
     checkpoint_more},
    {1019, 1019, lowest, highest, "preempted by a user with a better priority", checkpoint_more},
    {1020, 1020, lowest, highest, "the site's virtual machine software failed", one_site},
    {1021, 1021, lowest, highest, "the site's container software failed", one_site},
    {1022, 1022, lowest, highest, "the access point vacated the job", nothing},
    {1023, 1023, lowest, highest, "the job was removed while it ran", ""},
    {1024, 1024, lowest, highest, "the site's scratch folder failed", one_site},
    {1025, 1025, lowest, highest, "after a checkpoint the slot was no longer to be had",
     "Nothing: the job goes on elsewhere from its checkpoint."},
    {1026, 1036, lowest, highest, "the slot refused the job", nothing},
};

bool fits(CodeRow const& row, int code, int subcode) {
  return code >= row.first && code <= row.last && subcode >= row.from && subcode <= row.to;
}

void replace(std::string& text, std::string_view key, std::string const& value) {
  auto const at = text.find(key);
  if (at != std::string::npos) text.replace(at, key.size(), value);
}

constexpr std::string_view unknown_advice =
    "Logs of HTCondor before 24.3 give no code with an eviction. A pilot that ended, a site that "
    "needed the slot and a person's condor_vacate_job look alike.";

constexpr std::string_view unrecorded_advice =
    "A job's own ad only counts the attempts before its last one. condor_history -epochs, or the "
    "job event log, contains each ending.";

// A reason whose words are those of a code, or its own.
struct ReasonRow {
  history::Reason reason;
  int code, subcode;
  std::string_view what, advice;  // where code is 0
};

constexpr ReasonRow reason_rows[] = {
    {history::Reason::transfer_stalled, 0, 0, "input transfer ended by the stall timer",
     "The job was queued again. The timer (STARTER_FILE_XFER_STALL_TIMEOUT) ends transfers "
     "without a byte and, before HTCondor 25.2.1, any longer run of a plugin, healthy or "
     "not. If one site or cache stands out, keep away from it; if many of one site are ended "
     "together, its link may carry too little for them."},
    {history::Reason::transfer_failed, 13, 0, "", ""},
    {history::Reason::not_found, 0, 0, "input transfer failed: no such object (404)",
     "Is the URL right and the object still there? A namespace that answers 404 for a while mends "
     "itself: release the jobs then."},
    {history::Reason::no_progress, 0, 0, "input transfer failed: no progress",
     "The server sent less than the plugin's least rate. Release the job, or bring the file "
     "through OSDF."},
    {history::Reason::input_too_large, 32, 0, "", ""},
    {history::Reason::execution_too_long, 47, 0, "", ""},
    {history::Reason::pilot_ended, 1013, 0, "", ""},
    {history::Reason::site_network_down, 0, 0, "the site's network was down",
     "Not the job's fault. If one site stands out, keep away from it (requirements)."},
    {history::Reason::corrupt_input, 0, 0, "the input did not unpack",
     "A transfer that was cut short without an error. Check the archive's size or sum in the job, "
     "and exit with an error that max_retries repeats."},
    {history::Reason::manual, 0, 0, "a person did it", ""},
    {history::Reason::policy, 0, 0,
     "an expression of the job's policy did it (periodic_*, on_exit_*)",
     "The expression in the submit file became true."},
    {history::Reason::transfer_timeout, 13, 62, "", ""},
    {history::Reason::output_missing, 12, 2, "", ""},
    {history::Reason::output_failed, 12, 0, "", ""},
    {history::Reason::checkpoint_failed, 36, 0, "", ""},
    {history::Reason::vacated, 0, 0, "vacated: by a person, the site or a better claim on the slot",
     "Not the job's fault. If it costs much, save checkpoints (checkpoint_exit_code)."},
    {history::Reason::lost_contact, 1008, 0, "", ""},
    {history::Reason::system, 0, 0, "HTCondor or the host could not run the job", one_site},
    {history::Reason::out_of_resources, 34, 0, "", ""},
    {history::Reason::job_too_long, 46, 0, "", ""},
    {history::Reason::not_begun, 0, 0, "never began to execute, and its ending is not recorded",
     unrecorded_advice},
    {history::Reason::end_not_recorded, 0, 0, "its ending is not recorded", unrecorded_advice},
    {history::Reason::node_failed, 0, 0,
     "DAGMan removed it, as another job of its node failed or ended the DAG",
     "A node of fewer jobs, or max_retries in the submit file, which tries each job by itself. "
     "ABORT-DAG-ON ends a DAG."},
};

constexpr std::string_view no_reason = "the source gives no reason";

ReasonWords words_of_reason(history::Reason reason) {
  for (auto const& row : reason_rows) {
    if (row.reason != reason) continue;
    if (row.code != 0) return words_of_code(row.code, row.subcode);
    return {std::string(row.what), std::string(row.advice)};
  }
  return {std::string(no_reason), std::string(unknown_advice)};
}

// The same without HTCondor's settings: for the jobs of another batch system in a table.
struct GeneralRow {
  history::Reason reason;
  std::string_view what, advice;
};

constexpr std::string_view save_checkpoints =
    "Not the job's fault. If it costs much, save checkpoints or split the work into shorter "
    "jobs.";

constexpr GeneralRow general_rows[] = {
    {history::Reason::execution_too_long, "the program outlived its time limit",
     "Request more time, or split the work; a program that saves checkpoints can go on in the next "
     "job."},
    {history::Reason::job_too_long, "the job outlived its deadline",
     "Submit it earlier, or request less time; a program that saves checkpoints can go on in the "
     "next job."},
    {history::Reason::out_of_resources, "the job used more memory or disk than it requested",
     "Request more, or have the program use less."},
    {history::Reason::manual, "a person did it", ""},
    {history::Reason::policy, "the batch system's rules did it", ""},
    {history::Reason::vacated, "requeued or preempted: by a person, the site or another job",
     save_checkpoints},
    {history::Reason::pilot_ended, "the pilot ended", save_checkpoints},
    {history::Reason::lost_contact, "the host failed, or contact with it was lost",
     "Not the job's fault. If one host stands out, keep away from it."},
    {history::Reason::system, "a fault of the batch system or of the host",
     "Not the job's fault. If one host stands out, keep away from it."},
    {history::Reason::unknown, no_reason, ""},
};

std::string exit_in_words(int code) {
  return code < 0 ? fmt::format("the program died of signal {}", -code)
                  : fmt::format("the program ended with exit code {}", code);
}

ReasonWords words_of_exit(history::Ending const& ending) {
  bool const again = ending.kind == history::EventKind::requeued;
  std::string how = exit_in_words(ending.exit_code);
  // A table of attempts may show that it failed, without the exit code.
  if (!again && ending.exit_code == 0) how = "the program ended without a result of use";
  // Ads alone contain how often it ended so, without the exit code.
  bool const unrecorded = ending.exit_code == 0 && ending.reason == history::Reason::exit_code;
  if (again && unrecorded) how = "the program ended, and its exit code is not recorded";
  return {how, again ? "Queued again, by max_retries or on_exit_remove. Read its standard error "
                       "if it comes often: a retry repeats a fault of the program."
                     : "No result of use. Read its standard error; max_retries repeats such jobs."};
}

/// The shadow reached the startd again ("Job not found at execution machine").
ReasonWords words_of_gone_job() {
  return {"the slot no longer had the job: it had ended there, or the startd had restarted",
          "A longer job_lease_duration changes nothing. If one host stands out, keep away from it "
          "(requirements)."};
}

bool is_of_program(history::Ending const& ending) {
  return ending.kind == history::EventKind::requeued ||
         ending.kind == history::EventKind::terminated;
}

ReasonWords general_words_of(history::Ending const& ending) {
  if (auto const* row = find_by(general_rows, ending.reason, &GeneralRow::reason))
    return {std::string(row->what), std::string(row->advice)};
  ReasonWords words = words_of(ending);  // an exit, or a transfer as it failed
  // Outside HTCondor's logs 0 is a code that is not recorded.
  if (ending == history::Ending{.kind = history::EventKind::requeued}) {
    words.what = "the program failed, without a recorded exit code";
  }
  bool const again = ending.kind == history::EventKind::requeued;
  words.advice = !is_of_program(ending) ? ""
                 : again
                     ? "Queued again. Read its standard error if it comes often: a retry repeats a "
                       "fault of the program."
                     : "No result of use. Read its standard error.";
  return words;
}

}  // namespace

bool is_remedy(std::string_view advice) {
  return !advice.empty() && !advice.starts_with("Nothing") && advice != unknown_advice &&
         advice != unrecorded_advice;
}

std::string code_text(int code, int subcode) {
  return subcode == 0 ? fmt::to_string(code) : fmt::format("{}/{}", code, subcode);
}

ReasonWords words_of_code(int code, int subcode) {
  auto const* const row =
      find_where(code_rows, [=](CodeRow const& each) { return fits(each, code, subcode); });
  if (row == nullptr) {
    return {fmt::format("code {}, which is not in HTCondor's manual", code_text(code, subcode)),
            "The reason beside it in the log is all there is to go by."};
  }
  ReasonWords words{std::string(row->what), std::string(row->advice)};
  replace(words.what, "{exit}", fmt::to_string(subcode / 256));
  replace(words.what, "{subcode}", fmt::format("subcode {}", subcode));
  replace(words.what, "{error}",
          subcode == 0
              ? "no error given"
              : fmt::format("{} (error {})", std::generic_category().message(subcode), subcode));
  return words;
}

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

ReasonWords words_of(history::Ending const& ending, history::BatchSystem system) {
  if (ending.others) return {"further kinds, not separated", ""};
  if (system == history::BatchSystem::other) return general_words_of(ending);
  bool const of_program = is_of_program(ending);
  bool const cause_known = ending.reason == history::Reason::site_network_down ||
                           ending.reason == history::Reason::corrupt_input;  // of a simulation
  if (of_program && ending.exit_code != 0 && !cause_known) return words_of_exit(ending);
  bool const lost = ending.kind == history::EventKind::reconnect_failed || ending.code == 1008;
  if (lost && ending.reason == history::Reason::system) return words_of_gone_job();
  if (lost) return words_of_code(1008, 0);
  bool const exited =
      history::is_one_of(ending.reason, {history::Reason::none, history::Reason::exit_code});
  if (of_program && exited) return words_of_exit(ending);
  bool const of_time = ending.kind == history::EventKind::aborted &&
                       ending.reason == history::Reason::none && ending.code == 0;
  if (of_time) {
    return {"still in the queue at the campaign's horizon, or for 90 days",
            "See whether a slot ever suited the job (requirements, resources), and whether "
            "there are slots enough."};
  }
  if (ending.code == 0) return words_of_reason(ending.reason);
  ReasonWords words = words_of_code(ending.code, ending.subcode);
  // The plugin's message has more detail than its exit status.
  bool const has_detail =
      ending.reason == history::Reason::not_found ||
      ending.reason == history::Reason::no_progress ||
      (ending.subcode == 2 && ending.reason == history::Reason::output_failed) ||
      (ending.code > 1000 && ending.reason == history::Reason::transfer_stalled);
  return has_detail ? words_of_reason(ending.reason) : words;
}

std::string because(std::string_view what) {
  return what == no_reason ? ", and " + std::string(no_reason) : fmt::format(" because {}", what);
}

std::string cause_in_words(history::PhaseSpan const& span, history::BatchSystem system) {
  if (!span.cause) return "";
  return span.succeeded ? exit_in_words(span.cause->exit_code) : words_of(*span.cause, system).what;
}

std::string cause_words(history::Ending const& ending, Bytes input, Bytes limit) {
  if (ending.reason == history::Reason::input_too_large && input > limit) {
    return fmt::format("{}: input of {} is over the limit of {}", ending_word(ending.kind),
                       to_text(input), to_text(limit));
  }
  return fmt::format("{}: {}", ending_word(ending.kind), words_of(ending).what);
}

std::string never_ran_words(study::NeverRan why, std::optional<history::Ending> const& cause,
                            Bytes input, Bytes limit) {
  std::string const words = cause ? cause_words(*cause, input, limit) : "no recorded reason";
  switch (why) {
    case study::NeverRan::a_job_ran:
      return "";
    case study::NeverRan::attempts_failed:
      return "slots took jobs, and each attempt ended before its job ran, mostly " + words;
    case study::NeverRan::no_slots:
      return "no site had a slot for a job, or none with as many GPUs as it requests";
    case study::NeverRan::not_matched:
      return "no slot met the jobs' requirements";
    case study::NeverRan::not_in_the_queue:
      return words;
  }
  return "";
}

}  // namespace gridcast::report

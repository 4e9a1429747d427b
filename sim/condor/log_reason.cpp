#include "sim/condor/log_reason.hpp"

namespace gridcast::condor {
namespace {

bool has(std::string_view text, std::string_view words) {
  return text.find(words) != std::string_view::npos;
}

// HTTP's 404 as a word of its own: no part of a host's name or of a number.
bool has_404(std::string_view text) {
  auto part_of_word = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '_' || c == '.' || c == '/';
  };
  for (auto at = text.find("404"); at != std::string_view::npos; at = text.find("404", at + 1)) {
    bool const before = at > 0 && part_of_word(text[at - 1]);
    bool const after = at + 3 < text.size() && part_of_word(text[at + 3]);
    if (!before && !after) return true;
  }
  return false;
}

// What the words of an input transfer's failure add to its code.
history::Reason refined(history::Reason coded, std::string_view text) {
  if (has(text, "transfer stalled")) return history::Reason::transfer_stalled;
  if (has(text, "lack of progress")) return history::Reason::no_progress;
  if (coded == history::Reason::transfer_failed && (has(text, "not found") || has_404(text))) {
    return history::Reason::not_found;
  }
  return coded;
}

history::Reason reason_in_words(std::string_view text) {
  if (has(text, "transfer stalled")) return history::Reason::transfer_stalled;
  if (has(text, "lack of progress")) return history::Reason::no_progress;
  if (has(text, "Transfer input files failure"))
    return refined(history::Reason::transfer_failed, text);
  if (has(text, "Transfer output files failure")) return history::Reason::output_failed;
  if (has(text, "does not look like a tar archive")) return history::Reason::corrupt_input;
  if (has(text, "Network is unreachable")) return history::Reason::site_network_down;
  if (has(text, "JobLeaseDuration")) return history::Reason::lost_contact;
  if (has(text, "vacate") || has(text, "preempt") || has(text, "draining"))
    return history::Reason::vacated;
  if (has(text, "shutting down") || has(text, "shutdown")) return history::Reason::pilot_ended;
  if (has(text, "exceeded allowed execute duration")) return history::Reason::execution_too_long;
  if (has(text, "exceeded allowed job duration")) return history::Reason::job_too_long;
  if (has(text, "memory limit") || has(text, "exceeded request_"))
    return history::Reason::out_of_resources;
  return history::Reason::unknown;
}

}  // namespace

history::Reason hold_reason(int code, int subcode, std::string_view text) {
  switch (code) {
    case 0:
      if (has(text, "condor_hold")) return history::Reason::manual;
      return reason_in_words(text);
    case 1:
      return history::Reason::manual;
    case 3:
      return history::Reason::policy;
    case 12:
      return subcode == 2 ? history::Reason::output_missing : history::Reason::output_failed;
    case 13:
      return refined(
          subcode == 62 ? history::Reason::transfer_timeout : history::Reason::transfer_failed,
          text);
    case 32:
      return history::Reason::input_too_large;
    case 34:
      return history::Reason::out_of_resources;
    case 36:
      return history::Reason::checkpoint_failed;
    case 46:
      return history::Reason::job_too_long;
    case 47:
      return history::Reason::execution_too_long;
    default:
      return history::Reason::system;
  }
}

history::Reason vacate_reason(int code, int subcode, std::string_view text) {
  if (code != 0 && code < 1000) return hold_reason(code, subcode, text);
  switch (code) {
    case 1000:
      return history::Reason::policy;
    case 1004:
    case 1010:
    case 1011:
    case 1014:
    case 1018:
    case 1019:
    case 1022:
      return history::Reason::vacated;
    case 1008:
      return history::Reason::lost_contact;
    case 1012:
    case 1013:
      return history::Reason::pilot_ended;
    case 1023:
      return history::Reason::manual;
    default:
      return reason_in_words(text);
  }
}

history::Reason decision_reason(std::string_view text) {
  if (has(text, "via condor_") || has(text, "by user")) return history::Reason::manual;
  if (has(text, "expression") || has(text, "eriodic")) return history::Reason::policy;
  return history::Reason::unknown;
}

bool input_failed(history::Reason reason, int code) {
  return code == 13 || reason == history::Reason::transfer_failed ||
         reason == history::Reason::transfer_stalled ||
         reason == history::Reason::transfer_timeout || reason == history::Reason::not_found ||
         reason == history::Reason::no_progress;
}

bool output_failed(history::Reason reason, int code) {
  return code == 12 || reason == history::Reason::output_missing ||
         reason == history::Reason::output_failed;
}

}  // namespace gridcast::condor

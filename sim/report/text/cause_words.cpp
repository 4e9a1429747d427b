#include "sim/report/text/cause_words.hpp"

#include <fmt/format.h>

#include "sim/report/text/reason_words.hpp"

namespace gridcast::report {

std::string cause_words(history::Ending const& ending, Bytes input, Bytes limit) {
  if (ending.reason == history::Reason::input_too_large && input > limit) {
    return fmt::format("{}: input of {} is over the limit of {}", ending_word(ending.kind),
                       to_text(input), to_text(limit));
  }
  return fmt::format("{}: {}", ending_word(ending.kind), words_of(ending).what);
}

std::string never_ran_words(study::NeverRan why, std::optional<history::Ending> const& cause,
                            Bytes input, Bytes limit) {
  std::string const words = cause ? cause_words(*cause, input, limit) : "no reason is told";
  switch (why) {
    case study::NeverRan::a_job_ran:
      return "";
    case study::NeverRan::attempts_failed:
      return "slots took jobs, and each attempt ended before its job ran, mostly " + words;
    case study::NeverRan::no_slots:
      return "no site had a slot with as many GPUs as a job asks for";
    case study::NeverRan::not_matched:
      return "no slot met the jobs' requirements";
    case study::NeverRan::not_in_the_queue:
      return words;
  }
  return "";
}

}  // namespace gridcast::report

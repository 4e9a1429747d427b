#include "sim/cli/init_questions.hpp"

#include <charconv>
#include <system_error>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"
#include "sim/report/text/first_scenario.hpp"

namespace gridcast::cli {
namespace {

constexpr int most_jobs = 1'000'000;
constexpr int most_epochs = 1'000'000;

template <class Number>
bool is_number(std::string const& text, Number& number) {
  auto const* const end = text.data() + text.size();
  auto const [stop, error] = std::from_chars(text.data(), end, number);
  return stop == end && error == std::errc();
}

std::string whole(std::string const& text, int most) {
  int number = 0;
  if (is_number(text, number) && number >= 1 && number <= most) return "";
  return fmt::format("'{}' is not a whole number from 1 to {}", text, most);
}

std::string check_title(std::string const& text, InitAnswers&) {
  return report::is_plain_line(text) ? "" : "a title is a line of text";
}

std::string check_calibration(std::string const& text, InitAnswers& answers) {
  try {
    answers.program = import::read_calibrated_program(text);
  } catch (InputError const& error) {
    return error.problems().front().to_text();
  }
  std::error_code ignored;
  auto const& pool = answers.program.pool;
  if (pool.empty()) return fmt::format("{} names no pool to run on", text);
  if (std::filesystem::is_regular_file(pool, ignored)) return "";
  return fmt::format("{}: its pool {} is not there", text, pool.string());
}

std::string check_jobs(std::string const& text, InitAnswers&) { return whole(text, most_jobs); }

std::string check_input(std::string const& text, InitAnswers&) {
  auto const size = parse_bytes(text);
  if (size && size->value() > 0) return "";
  return fmt::format("'{}' is not a size: write 137 GB, 500 MB or 16 GiB", text);
}

std::string check_work(std::string const& text, InitAnswers& answers) {
  if (!answers.program.from_event_log) return whole(text, most_epochs);
  double number = 0;
  if (is_number(text, number) && number > 0 && number < 1e6) return "";
  return fmt::format("'{}' is not a number above 0: write 1, 0.5 or 20", text);
}

std::string work_words(InitAnswers const& answers) {
  auto const& profile = answers.program.profile;
  if (answers.program.from_event_log) {
    return fmt::format("How much work is a job, as a multiple of the calibrated '{}'?", profile);
  }
  return fmt::format("How many epochs does each job train, of '{}'?", profile);
}

auto always(std::string words) {
  return [words = std::move(words)](InitAnswers const&) { return words; };
}

}  // namespace

std::vector<InitQuestion> init_questions(std::string const& calibration) {
  return {
      {"--title", &InitAnswers::title, "What the campaign is, in a line", "My campaign",
       always("What is the campaign, in a line?"), check_title},
      {"--calibration", &InitAnswers::calibration,
       "How the grid behaves: a file by gridcast calibrate", calibration,
       always("On which grid? A file that gridcast calibrate has made of logs."),
       check_calibration},
      {"--jobs", &InitAnswers::jobs, "Number of jobs", "100", always("How many jobs?"), check_jobs},
      {"--input", &InitAnswers::input, "What each job fetches, as 137 GB", "137 GB",
       always("How much does each job fetch before it computes?"), check_input},
      {"--work", &InitAnswers::work,
       "Epochs of a job; with a calibration of dated logs, its work as a multiple", "1", work_words,
       check_work},
  };
}

}  // namespace gridcast::cli

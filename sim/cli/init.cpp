#include "sim/cli/init.hpp"

#include <csignal>
#include <iostream>
#include <memory>
#include <optional>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/exit_code.hpp"
#include "sim/cli/init_questions.hpp"
#include "sim/cli/shipped.hpp"
#include "sim/report/text/first_scenario.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::cli {
namespace {

namespace fs = std::filesystem;

struct InitOptions {
  fs::path out = "campaign.yaml";
  InitAnswers given;  // by options; empty: not given
  bool yes = false, force = false;
};

/// As the scenario names it: from its own folder.
std::string from_folder(fs::path const& file, fs::path const& folder) {
  std::error_code error;
  fs::path const relative = fs::proximate(file, folder.empty() ? "." : folder, error);
  return error ? file.string() : relative.generic_string();
}

extern "C" void end_as_interrupted(int) {
  constexpr char message[] = "\ngridcast init: interrupted; nothing was written\n";
  auto const ignored = write(STDERR_FILENO, message, sizeof message - 1);
  (void)ignored;
  std::_Exit(exit_code::interrupted);
}

/// Asks until the answer is good. InputError when there is nobody any more to answer.
std::string ask(InitQuestion const& question, std::string const& number, InitAnswers& answers) {
  while (true) {
    fmt::print(stderr, "{} {} [{}] ", number, question.words(answers), question.fallback);
    std::string answer;
    if (!std::getline(std::cin, answer)) {
      fmt::print(stderr, "\n");
      throw InputError(Problem{{}, "gridcast init: the answers ended", "nothing was written", ""});
    }
    answer = trim(answer);
    if (answer.empty()) answer = question.fallback;
    auto const wrong = question.check(answer, answers);
    if (wrong.empty()) return answer;
    fmt::print(stderr, "    {}\n", wrong);
  }
}

/// All options that are wrong, or that are missing where nobody can be asked, at once.
void check_options(InitOptions const& options, std::vector<InitQuestion> const& questions,
                   bool can_ask) {
  std::vector<std::string> missing;
  std::vector<Problem> problems;
  InitAnswers found;
  for (auto const& question : questions) {
    auto const& given = options.given.*question.answer;
    if (given.empty() && !can_ask && !options.yes) missing.push_back(question.option);
    auto const wrong = question.check(given.empty() ? question.fallback : given, found);
    if (!given.empty() && !wrong.empty()) {
      problems.push_back(
          {{}, fmt::format("gridcast init: {}: {}", question.option, wrong), "", ""});
    }
  }
  if (!missing.empty()) {
    problems.push_back({{},
                        fmt::format("gridcast init: {} not given", fmt::join(missing, ", ")),
                        "there is no terminal to ask at",
                        "Give them, or --yes for what would be proposed."});
  }
  if (!problems.empty()) throw InputError(problems);
}

InitAnswers collect(InitOptions const& options, std::vector<InitQuestion> const& questions) {
  bool const can_ask = isatty(STDIN_FILENO) == 1;
  check_options(options, questions, can_ask);
  InitAnswers answers;
  int number = 0;
  for (auto const& question : questions) {
    ++number;
    auto& answer = answers.*question.answer;
    answer = options.given.*question.answer;
    if (answer.empty() && options.yes) answer = question.fallback;
    if (answer.empty()) {
      answer = ask(question, fmt::format("{}/{}", number, questions.size()), answers);
    } else if (auto const wrong = question.check(answer, answers); !wrong.empty()) {
      throw InputError(
          Problem{{}, fmt::format("gridcast init: {}: {}", question.option, wrong), "", ""});
    }
  }
  return answers;
}

report::FirstScenario scenario_of(InitAnswers const& answers, fs::path const& folder) {
  report::FirstScenario scenario;
  scenario.title = answers.title;
  std::error_code ignored;
  fs::path const schema =
      shipped_scenario().parent_path().parent_path() / "docs" / "scenario.schema.json";
  if (fs::is_regular_file(schema, ignored)) scenario.schema = from_folder(schema, folder);
  scenario.pool = from_folder(answers.program.pool, folder);
  scenario.calibration = from_folder(answers.calibration, folder);
  scenario.profile = answers.program.profile;
  scenario.dated = answers.program.from_event_log;
  scenario.jobs = std::stoi(answers.jobs);
  scenario.input = answers.input;
  scenario.work = answers.work;
  return scenario;
}

/// A file that goes away unless it has been given its final name.
class Draft {
 public:
  explicit Draft(fs::path const& final_name)
      : file_(final_name.parent_path() /
              fmt::format(".{}.{}", final_name.filename().string(), getpid())) {}
  ~Draft() {
    std::error_code ignored;
    fs::remove(file_, ignored);
  }
  Draft(Draft const&) = delete;
  Draft& operator=(Draft const&) = delete;
  fs::path const& file() const { return file_; }

 private:
  fs::path file_;
};

/// Under its name only if it can be simulated as it stands.
void write_if_good(fs::path const& out, std::string const& text) {
  Draft const draft(out);
  write_file(draft.file(), text);
  scenario::read_scenario(draft.file());
  write_file(out, text);
}

int run_init(InitOptions const& options) {
  std::error_code ignored;
  if (fs::exists(options.out, ignored) && !options.force) {
    throw InputError(Problem{
        {options.out.string()}, "is there already", "", "Name another file, or give --force."});
  }
  std::signal(SIGINT, end_as_interrupted);
  fs::path const shipped = shipped_scenario();
  auto const calibration = scenario::read_scenario(shipped).calibration.file;
  auto const questions = init_questions(fs::path(calibration).lexically_normal().string());
  InitAnswers const answers = collect(options, questions);

  // It takes a moment from here on; a Ctrl-C in it must not leave a half.
  std::signal(SIGINT, SIG_IGN);
  fs::path const folder = options.out.parent_path();
  prepare_folder(folder.empty() ? "." : folder);
  write_if_good(options.out, report::first_scenario_text(scenario_of(answers, folder)));
  fmt::print(
      "Written to {}. To play it, and to compare its strategies:\n  gridcast run {}\n  gridcast "
      "compare {}\n",
      options.out.string(), options.out.string(), options.out.string());
  return exit_code::done;
}

}  // namespace

void add_init(CLI::App& app, Select select) {
  auto options = std::make_shared<InitOptions>();
  CLI::App* verb = app.add_subcommand("init", "A first scenario, from five questions");
  verb->add_option("FILE", options->out, "Scenario to write (default: campaign.yaml)")
      ->type_name("");
  for (auto const& question : init_questions("")) {
    auto& answer = options->given.*question.answer;
    verb->add_option(question.option, answer, question.help)
        ->type_name(question.option == "--calibration" ? "CAL"
                    : question.option == "--title"     ? "TEXT"
                    : question.option == "--input"     ? "SIZE"
                                                       : "N");
  }
  verb->add_flag("--yes", options->yes, "No questions: what is not given is as proposed");
  verb->add_flag("--force", options->force, "Replace what is there");
  verb->footer(
      "Examples:\n"
      "  gridcast init my-campaign.yaml\n"
      "  gridcast init my-campaign.yaml --yes --jobs 200 --input '50 GB'\n"
      "Asks at a terminal only; elsewhere all five options are needed, or --yes.");
  verb->callback(
      [options, select = std::move(select)] { select([options] { return run_init(*options); }); });
}

}  // namespace gridcast::cli

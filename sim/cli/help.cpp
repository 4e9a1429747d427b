// The program's information about itself: its version, its libraries and how to cite it. gridcast
// help [VERB... | TOPIC | TERM] shows a verb's help, a topic's page, the meaning of a term, or the
// manual page (--man). Below it are the verbs completion, schema (the keys of scenario and pool
// files) and docs (the documentation of this program, without a network).
#include "sim/report/text/help.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>
#include <zlib.h>

#include <Eigen/Core>
#include <boost/version.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "gridcast_version.hpp"
#include "sim/base/error.hpp"
#include "sim/base/program.hpp"
#include "sim/base/text.hpp"
#include "sim/base/units.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/engine/simgrid_version.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/report/page/document.hpp"
#include "sim/report/text/command.hpp"
#include "sim/report/text/glossary.hpp"
#include "sim/report/text/json_tables.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/scenario/draw_columns.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::cli {

std::string version_text() {
  std::string const revision = version_revision;
  return "gridcast " + std::string(version_number) +
         (revision.empty() ? "" : " (" + revision + ")");
}

std::vector<std::pair<std::string, std::string>> built_with() {
  auto const dotted = [](int a, int b, int c) { return fmt::format("{}.{}.{}", a, b, c); };
#ifdef __clang__
  std::string const compiler = "Clang " __clang_version__;
#else
  std::string const compiler = "GCC " __VERSION__;
#endif
  return {
      {"compiler", compiler},
      {"SimGrid", engine::simgrid_version()},
      {"Boost", dotted(BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
      {"CLI11", parser_version()},
      {"Eigen", dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
      {"fmt", dotted(FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
      {"nlohmann-json", dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                               NLOHMANN_JSON_VERSION_PATCH)},
      {"zlib", zlibVersion()}};
}

std::string citation_text() {
  return fmt::format(
      "The gridcast developers. gridcast, version {}. Software, MIT licence.\n"
      "H. Casanova, A. Giersch, A. Legrand, M. Quinson, F. Suter. Versatile, scalable, and\n"
      "accurate simulation of distributed applications and platforms. Journal of Parallel and\n"
      "Distributed Computing 74(10), 2899-2917, 2014. doi:10.1016/j.jpdc.2014.06.008\n",
      version_number);
}

std::string version_in_full() {
  std::string text = version_text() + "\n\nBuilt with:\n";
  for (auto const& [name, version] : built_with()) {
    text += fmt::format("  {:<14} {}\n", name, version);
  }
  return text + "\nHow to cite (CITATION.cff):\n" + citation_text();
}
namespace {

struct HelpOptions {
  std::vector<std::string> words;
  bool man = false, all = false;
};

report::Command const* verb_named(report::Command const& command, std::string const& name) {
  auto const found = std::ranges::find_if(command.verbs, [&](report::Command const& verb) {
    auto const last = report::last_name(verb);
    return last == name || last == "--" + name;
  });
  return found == command.verbs.end() ? nullptr : &*found;
}

bool is_topic(std::string const& name) {
  return std::ranges::count(report::help_topics(), name, &report::HelpTopic::name) > 0;
}

std::vector<std::string> verbs_and_topics(report::Command const& program) {
  auto words = verbs_of(program);
  for (auto const& topic : report::help_topics()) words.push_back(topic.name);
  return words;
}

/// The words name no verb, topic or term. Of very many without a near one, the remedy is the
/// commands that list them.
[[noreturn]] void refuse_words(report::Command const& program, std::string const& words) {
  auto known = verbs_and_topics(program);
  auto const terms = report::term_names();
  known.insert(known.end(), terms.begin(), terms.end());
  std::string hint = suggestion(words, known);
  if (!hint.starts_with("Did you mean")) {
    hint = "gridcast help lists verbs and topics, gridcast help terms the terms.";
  }
  auto const now = new_name(words);
  if (!now.empty()) hint = fmt::format("It is now {}: gridcast {} --help.", now, now);
  refuse({}, fmt::format("gridcast help: there is no verb, topic or term '{}'", words), "", hint);
}

report::Command const& verb_at(report::Command const& program,
                               std::vector<std::string> const& words) {
  report::Command const* command = &program;
  for (auto const& word : words) {
    report::Command const* const verb = verb_named(*command, word);
    if (verb == nullptr && command == &program) {
      refuse_words(program, fmt::format("{}", fmt::join(words, " ")));
    }
    if (verb == nullptr) {
      refuse({}, fmt::format("{}: there is no verb '{}'", command->path, word), "",
             suggestion(word, verbs_of(*command)));
    }
    command = verb;
  }
  return *command;
}

std::string topic_list() {
  std::string text = "\nTopics (gridcast help TOPIC):\n";
  for (auto const& topic : report::help_topics()) {
    text += fmt::format("  {:<14}{}\n", topic.name, topic.words);
  }
  return text;
}

/// The term that the words name, unless they name a verb.
report::Term const* term_of(report::Command const& program, std::vector<std::string> const& words) {
  if (words.empty() || verb_named(program, words.front()) != nullptr) return nullptr;
  return report::find_term(fmt::format("{}", fmt::join(words, " ")));
}

/// A figure by its name or by its label in tables, of which the part before a comma is enough.
std::string figure_text(std::string const& words) {
  for (ledger::Metric const& each : ledger::all_metrics()) {
    std::string const label = lower(each.label);
    if (words != each.name && words != label && !label.starts_with(words + ",")) continue;
    return fmt::format("{} ({} in JSON and CSV): {}.", each.label, each.name, each.definition);
  }
  return "";
}

/// A column of a calibration's draws, of a site as NAME.SITE.
/// Tables show the mean of a time whose columns are the scale and the shape of its distribution.
std::string parameter_text(std::string const& words) {
  constexpr std::string_view mean = "_mean_s";
  std::string name = words.substr(0, words.find('.'));
  bool const of_scale = name.ends_with(mean);
  if (of_scale) name.replace(name.size() - mean.size(), mean.size(), "_scale_s");
  auto const of = [&](auto const& columns, scenario::Process const& process) -> std::string {
    std::string time;  // whose distribution the columns behind its family describe
    for (auto const& each : columns) {
      std::string const help(each.help);
      if (help.starts_with("Family of the ")) time = help.substr(14, help.find_first_of(":;") - 14);
      if (lower(each.name) != name) continue;
      bool const of_time =
          help.starts_with("Its ") || help.find("added to it") != std::string::npos;
      return fmt::format("{} (parameter of {}): {}{}.", words.substr(0, words.find('.')),
                         process.name, of_time ? "of the " + time + ": " : "",
                         of_scale ? "the mean, s" : help);
    }
    return "";
  };
  for (scenario::Process const& process : scenario::processes()) {
    auto const text = of(process.columns, process) + of(process.site_columns, process);
    if (!text.empty()) return text;
  }
  return "";
}

/// The words are no verb, topic or term: a figure, a setting or a parameter.
std::string figure_or_parameter(report::Command const& program,
                                std::vector<std::string> const& words) {
  if (words.empty() || verb_named(program, words.front()) != nullptr) return "";
  std::string const all = lower(fmt::format("{}", fmt::join(words, " ")));
  std::string const figure = figure_text(all);
  auto const setting = figure.empty() ? report::setting_text(all, screen()) : "";
  if (!setting.empty()) return setting;
  std::string const text = figure.empty() ? parameter_text(all) : figure;
  return text.empty() ? "" : report::paragraph(text, {screen().width});
}

void run_help(report::Command const& program, HelpOptions const& options) {
  if (options.man) {
    std::cout << report::man_page(program, version_number);
  } else if (options.words.size() == 1 && is_topic(options.words.front())) {
    std::cout << report::topic_text(options.words.front(), screen());
  } else if (auto const* const term = term_of(program, options.words)) {
    std::cout << report::term_text(*term, screen());
  } else if (auto const text = figure_or_parameter(program, options.words); !text.empty()) {
    std::cout << text;
  } else {
    std::cout << report::help_text(
        verb_at(program, options.words), screen(),
        options.all ? report::HelpLength::whole : report::HelpLength::one_screen);
    if (options.words.empty()) std::cout << topic_list();
  }
}

void run_completion(report::Command const& program, std::string const& shell) {
  std::cout << (shell == "bash" ? report::bash_completion(program)
                                : report::zsh_completion(program));
}

struct DocsOptions {
  std::string page;
  bool no_browser = false, list = false;
};

/// A folder of pages, all with the same ending.
struct Docs {
  fs::path folder;
  std::string front, ending;
};

bool has(Docs const& docs) { return is_ordinary_file(docs.folder / (docs.front + docs.ending)); }

/// The documents of a build, an installation or a checkout, found from the program's folder
/// upwards: as HTML with the report page, else their sources.
std::optional<Docs> find_docs(fs::path const& program) {
  for (bool const html : {true, false}) {
    for (auto folder = program.parent_path();; folder = folder.parent_path()) {
      for (auto const* place : {"page/docs", "share/doc/gridcast/html"}) {
        if (Docs const docs{folder / place, "index", ".html"}; html && has(docs)) return docs;
      }
      for (auto const* place : {"share/doc/gridcast/docs", "docs"}) {
        if (Docs const docs{folder / place, "README", ".md"}; !html && has(docs)) return docs;
      }
      if (!folder.has_relative_path()) break;
    }
  }
  return std::nullopt;
}

std::vector<std::string> pages_of(Docs const& docs) {
  std::vector<std::string> pages;
  for (auto const& entry : fs::directory_iterator(docs.folder)) {
    auto const& file = entry.path();
    bool const is_page = file.extension() == docs.ending && file.stem() != docs.front;
    if (is_page) pages.push_back(file.stem().string());
  }
  std::ranges::sort(pages);
  return pages;
}

fs::path page_named(Docs const& docs, std::string name) {
  if (name.empty()) return docs.folder / (docs.front + docs.ending);
  if (name.ends_with(".md")) name.resize(name.size() - 3);
  auto const pages = pages_of(docs);
  if (is_one_of(name, pages)) return docs.folder / (name + docs.ending);
  refuse({}, fmt::format("gridcast help docs: there is no page '{}'", name), "",
         suggestion(name, pages));
}

void run_docs(DocsOptions const& options) {
  auto const docs = find_docs(program_file());
  if (!docs) {
    refuse({}, "the documentation is not beside this gridcast",
           "it is docs/ of a checkout, or share/doc/gridcast of an "
           "installation; a program that was copied alone has none",
           "Copy the folder too, or install (cmake --install). gridcast help "
           "has a page on each topic.");
  }
  if (options.list) {
    for (auto const& page : pages_of(*docs)) std::cout << page << '\n';
    return;
  }
  fs::path const page = page_named(*docs, options.page);
  std::cout << page.string() << std::endl;
  if (!options.no_browser) open_in_browser(page);
}

void add_completion(Verb& help, Verb const& program) {
  auto shell = std::make_shared<std::string>();
  Verb verb = help.verb("completion", "Completion of verbs and options for a shell");
  verb.positional("SHELL", shell.get(), "bash or zsh").required().one_of({"bash", "zsh"});
  verb.footer(
      "  eval \"$(gridcast help completion bash)\"\n"
      "  gridcast help completion zsh > gridcast.zsh\n"
      "The first belongs into ~/.bashrc, and 'source gridcast.zsh' into ~/.zshrc below compinit.");
  verb.runs([program, shell] { return run_completion(program.tree(), *shell); });
}

void add_schema(Verb& help) {
  auto markdown = std::make_shared<bool>(false);
  Verb verb = help.verb("schema", "The keys of scenario and pool files, as JSON Schema");
  verb.flag("--markdown", *markdown, "The same keys as a page to read");
  verb.footer(
      "  gridcast help schema > docs/scenario.schema.json\n"
      "  gridcast help schema --markdown > keys.md");
  verb.runs([markdown] {
    std::cout << (*markdown ? scenario::scenario_reference() : scenario::scenario_schema());
  });
}

void add_docs(Verb& help) {
  auto options = std::make_shared<DocsOptions>();
  Verb verb = help.verb("docs", "The documentation, offline");
  verb.positional("PAGE", &options->page, "One of its pages (default: the front page)");
  verb.flag("--list", options->list, "The pages' names");
  verb.flag("--no-browser", options->no_browser, "Print where it is and open nothing");
  verb.footer(
      "Prints where the page is, and opens it where there is a screen.\n"
      "  gridcast help docs\n"
      "  gridcast help docs first-forecast");
  verb.runs([options] { return run_docs(*options); });
}

// gridcast help doctor: the program's libraries and files, and the machine.

using Json = nlohmann::ordered_json;

/// The memory of the machine, or the control group's limit if that is less.
Bytes memory() {
  double most =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  std::ifstream limit("/sys/fs/cgroup/memory.max");
  double allowed = 0;
  if (limit >> allowed) most = std::min(most, allowed);
  return Bytes(most);
}

/// The variable of the locale that counts, and its value; "none set" otherwise.
std::string locale_text() {
  for (char const* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    char const* const value = std::getenv(variable);
    if (value != nullptr && *value != '\0') return fmt::format("{}={}", variable, value);
  }
  return "none set";
}

std::string shipped_files_text() {
  try {
    return shipped_scenario().string();
  } catch (InputError const& error) {
    return error.what();
  }
}

Json machine_json(report::Screen const& shown) {
  return {{"cores", cores()},
          {"memory_bytes", static_cast<std::uint64_t>(memory().value())},
          {"locale", locale_text()},
          {"characters", shown.charset == report::Charset::utf8 ? "UTF-8" : "ASCII"},
          {"stdout_is_terminal", isatty(STDOUT_FILENO) == 1},
          {"stderr_is_terminal", stderr_is_terminal()},
          {"width", shown.width}};
}

Json facts_json(report::Screen const& shown) {
  Json built = Json::object();
  for (auto const& [name, version] : built_with()) built[name] = version;
  return {{"schema", "gridcast.doctor/1"},
          {"version", version_text()},
          {"built_with", std::move(built)},
          {"machine", machine_json(shown)},
          {"files",
           {{"scenario", shipped_files_text()},
            {"report_page", report::page_file("report.html").has_value()}}}};
}

void run_doctor(bool json) {
  report::Screen const shown = screen();
  Json const facts = facts_json(shown);
  print_results(json ? json_text(facts) : report::json_tables(facts, shown));
}

void add_doctor(Verb& help) {
  auto json = std::make_shared<bool>(false);
  Verb verb = help.verb("doctor", "Versions of libraries, shipped files and the machine");
  add_json_option(verb, *json);
  verb.footer(
      "  gridcast help doctor\n"
      "  gridcast help doctor --json");
  verb.runs([json] { return run_doctor(*json); });
}

}  // namespace

void add_help(Verb& program) {
  auto options = std::make_shared<HelpOptions>();
  std::vector<std::string> topics;
  for (auto const& topic : report::help_topics()) topics.push_back(topic.name);
  Verb verb = program.verb("help", "Help on a verb or a topic; schema, completion");
  // Not checked by the parser, so that a nested verb may follow.
  verb.positional(
          "WORD", &options->words,
          fmt::format("A verb, a term of the output, or one of: {}", fmt::join(topics, ", ")))
      .suggests(verbs_and_topics(program.tree()));
  verb.flag("--all", options->all, "All options of a verb, in full");
  verb.flag("--man", options->man, "The manual page, gridcast(1), as roff");
  add_schema(verb);
  add_doctor(verb);
  add_docs(verb);
  add_completion(verb, program);
  verb.footer(
      "  gridcast help strategies\n"
      "  gridcast help badput\n"
      "  gridcast help forecast --all\n"
      "  gridcast help --man | man -l -");
  verb.runs([program, options] { return run_help(program.tree(), *options); });
}

}  // namespace gridcast::cli

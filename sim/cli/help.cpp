// What gridcast tells of itself: gridcast help [VERB... | TOPIC], which is a verb's help, a topic's
// page, or the manual page (--man); gridcast completion SHELL; and gridcast schema, what scenario and
// pool files may contain.
#include "sim/report/text/help.hpp"

#include <algorithm>
#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gridcast_version.hpp"
#include "sim/base/closest.hpp"
#include "sim/base/error.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/report/text/command.hpp"
#include "sim/scenario/schema.hpp"

namespace gridcast::cli {
namespace {

struct HelpOptions {
  std::vector<std::string> words;
  bool man = false;
};

report::Command const* verb_named(report::Command const& command, std::string const& name) {
  auto const found =
      std::find_if(command.verbs.begin(), command.verbs.end(),
                   [&](report::Command const& verb) { return report::last_name(verb) == name; });
  return found == command.verbs.end() ? nullptr : &*found;
}

bool is_topic(std::string const& name) {
  auto const& topics = report::help_topics();
  return std::any_of(topics.begin(), topics.end(),
                     [&](report::HelpTopic const& topic) { return topic.name == name; });
}

/// What may stand after the words before it.
enum class Known { verbs, verbs_and_topics };

std::vector<std::string> known_words(report::Command const& command, Known known) {
  std::vector<std::string> words;
  for (auto const& verb : command.verbs) words.push_back(report::last_name(verb));
  if (known == Known::verbs) return words;
  for (auto const& topic : report::help_topics()) words.push_back(topic.name);
  return words;
}

[[noreturn]] void refuse(std::string const& word, report::Command const& command, Known known) {
  bool const topics = known == Known::verbs_and_topics;
  throw InputError(
      Problem{{},
              fmt::format("{}: there is no {} '{}'", topics ? "gridcast help" : command.path,
                          topics ? "verb or topic" : "verb", word),
              "",
              suggestion(word, known_words(command, known))});
}

report::Command const& verb_at(report::Command const& program,
                               std::vector<std::string> const& words) {
  report::Command const* command = &program;
  for (auto const& word : words) {
    report::Command const* const verb = verb_named(*command, word);
    if (verb == nullptr) {
      refuse(word, *command, command == &program ? Known::verbs_and_topics : Known::verbs);
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

int run_help(report::Command const& program, HelpOptions const& options) {
  if (options.man) {
    std::cout << report::man_page(program, version_number);
  } else if (options.words.size() == 1 && is_topic(options.words.front())) {
    std::cout << report::topic_text(options.words.front(), screen());
  } else {
    std::cout << report::help_text(verb_at(program, options.words), screen());
    if (options.words.empty()) std::cout << topic_list();
  }
  return exit_code::done;
}

int run_completion(report::Command const& program, std::string const& shell) {
  std::cout << (shell == "bash"  ? report::bash_completion(program)
                : shell == "zsh" ? report::zsh_completion(program)
                                 : report::fish_completion(program));
  return exit_code::done;
}

}  // namespace

void add_help(Verb& program) {
  auto options = std::make_shared<HelpOptions>();
  std::vector<std::string> topics;
  for (auto const& topic : report::help_topics()) topics.push_back(topic.name);
  Verb verb = program.verb("help", "Help on a verb or a topic; the manual page");
  // Not checked by the parser, so that a nested verb may follow.
  verb.positional("WORD", &options->words,
                  fmt::format("A verb, or one of: {}", fmt::join(topics, ", ")))
      .suggests(known_words(program.tree(), Known::verbs_and_topics));
  verb.flag("--man", options->man, "The manual page, gridcast(1), as roff");
  verb.footer(
      "Examples:\n"
      "  gridcast help strategies\n"
      "  gridcast help --man | man -l -");
  verb.runs([program, options] { return run_help(program.tree(), *options); });
}

void add_completion(Verb& program) {
  auto shell = std::make_shared<std::string>();
  Verb verb = program.verb("completion", "Completion of verbs and options for a shell");
  verb.positional("SHELL", shell.get(), "bash, zsh or fish")
      .required()
      .one_of({"bash", "zsh", "fish"});
  verb.footer(
      "Examples:\n"
      "  eval \"$(gridcast completion bash)\"\n"
      "  gridcast completion fish > ~/.config/fish/completions/gridcast.fish\n"
      "The first belongs into ~/.bashrc. For zsh, into ~/.zshrc below compinit:\n"
      "source <(gridcast completion zsh)");
  verb.runs([program, shell] { return run_completion(program.tree(), *shell); });
}

void add_schema(Verb& program) {
  auto markdown = std::make_shared<bool>(false);
  Verb verb = program.verb("schema", "The keys of scenario and pool files, as JSON Schema");
  verb.flag("--markdown", *markdown, "The same keys as a page to read");
  verb.footer(
      "Examples:\n"
      "  gridcast schema > docs/scenario.schema.json\n"
      "  gridcast schema --markdown > docs/scenario.md");
  verb.runs([markdown] {
    std::cout << (*markdown ? scenario::scenario_reference() : scenario::scenario_schema());
    return exit_code::done;
  });
}

}  // namespace gridcast::cli

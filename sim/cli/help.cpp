#include "sim/cli/help.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gridcast_version.hpp"
#include "sim/base/closest.hpp"
#include "sim/base/error.hpp"
#include "sim/cli/command_tree.hpp"
#include "sim/cli/exit_code.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/report/text/help_text.hpp"
#include "sim/report/text/help_topics.hpp"
#include "sim/report/text/man_page.hpp"

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

[[noreturn]] void refuse(std::string const& word, report::Command const& command, bool topics_too) {
  std::vector<std::string> known;
  for (auto const& verb : command.verbs) known.push_back(report::last_name(verb));
  if (topics_too) {
    for (auto const& topic : report::help_topics()) known.push_back(topic.name);
  }
  throw InputError(
      Problem{{},
              fmt::format("{}: there is no {} '{}'", topics_too ? "gridcast help" : command.path,
                          topics_too ? "verb or topic" : "verb", word),
              "",
              suggestion(word, known)});
}

report::Command const& verb_at(report::Command const& program,
                               std::vector<std::string> const& words) {
  report::Command const* command = &program;
  for (auto const& word : words) {
    report::Command const* const verb = verb_named(*command, word);
    if (verb == nullptr) refuse(word, *command, command == &program);
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

int run_help(CLI::App& app, HelpOptions const& options) {
  report::Command const program = command_tree(app);
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

std::vector<std::string> known_words(CLI::App& app) {
  std::vector<std::string> words;
  for (auto const& verb : command_tree(app).verbs) words.push_back(report::last_name(verb));
  for (auto const& topic : report::help_topics()) words.push_back(topic.name);
  return words;
}

}  // namespace

void add_help(CLI::App& app, Select select) {
  auto options = std::make_shared<HelpOptions>();
  std::vector<std::string> topics;
  for (auto const& topic : report::help_topics()) topics.push_back(topic.name);
  CLI::App* verb = app.add_subcommand("help", "Help on a verb or a topic; the manual page");
  auto const words = known_words(app);
  // Not checked by the parser, so that a nested verb may follow; the words are for completion.
  verb->add_option("WORD", options->words,
                   fmt::format("A verb, or one of: {}", fmt::join(topics, ", ")))
      ->type_name("")
      ->check(CLI::Validator([](std::string&) { return std::string(); },
                             fmt::format("{}", fmt::join(words, "|")), one_of_name));
  verb->add_flag("--man", options->man, "The manual page, gridcast(1), as roff");
  verb->footer(
      "Examples:\n"
      "  gridcast help strategies\n"
      "  gridcast help --man | man -l -");
  verb->callback([&app, options, select = std::move(select)] {
    select([&app, options] { return run_help(app, *options); });
  });
}

}  // namespace gridcast::cli

#include "sim/cli/command_line.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/program.hpp"
#include "sim/base/text.hpp"
#include "sim/study/shards/study_folder.hpp"

namespace gridcast::cli {
namespace {

/// The name of the validator whose description lists an option's words.
constexpr char words_check[] = "one of";

constexpr char empty_value[] = "is empty";

/// The parser's group of verbs that a flag chooses. The parser takes no dashes in their names.
constexpr char modes[] = "Modes";

// The parser's verbs and options, for the help, the manual page and completion.

std::string in_one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::vector<std::string> choices_of(CLI::Option& option) {
  try {
    return split(option.get_validator(words_check)->get_description(), '|');
  } catch (CLI::OptionNotFound const&) {
    return {};
  }
}

/// The name of an option's value: that of its type, without the additions of validators.
std::string value_of(CLI::Option const& option) {
  bool const is_flag = option.get_items_expected_max() == 0;
  std::string const name = option.get_type_name();
  return is_flag ? "" : name.substr(0, name.find(':'));
}

std::vector<CLI::App*> all_below(CLI::App& app) {
  return app.get_subcommands([](CLI::App*) { return true; });
}

CLI::App* below_named(CLI::App& app, std::string const& name) {
  auto const all = all_below(app);
  auto const found =
      std::ranges::find_if(all, [&](auto* each) { return each->get_name() == name; });
  return name.empty() || found == all.end() ? nullptr : *found;
}

report::CommandOption option_of(CLI::Option& option, std::string const& group) {
  report::CommandOption result;
  if (option.get_positional()) {
    result.names.push_back(option.get_name(true));
  } else {
    for (auto const& name : option.get_snames()) result.names.push_back("-" + name);
    for (auto const& name : option.get_lnames()) result.names.push_back("--" + name);
  }
  result.group = group;
  result.value = value_of(option);
  result.words = in_one_line(option.get_description());
  result.fallback = option.get_default_str();
  result.choices = choices_of(option);
  result.required = option.get_required();
  result.repeated = option.get_items_expected_max() > 1;
  return result;
}

/// Options of the verb itself, then those of its groups, which the parser keeps as nameless verbs.
void add_options(CLI::App& app, std::string const& group, report::Command& command) {
  for (auto* option : app.get_options([](CLI::Option*) { return true; })) {
    // A group inherits the help of its verb, which has it already.
    bool const inherited = !group.empty() && option == app.get_help_ptr();
    bool const hidden = option->get_group().empty() || inherited;
    auto& list = option->get_positional() ? command.positionals : command.options;
    if (!hidden) list.push_back(option_of(*option, group));
  }
  for (auto* sub : all_below(app)) {
    if (sub->get_name().empty()) add_options(*sub, sub->get_group(), command);
  }
}

/// The footer: indented examples, and notes.
void add_footer(std::string const& footer, report::Command& command) {
  bool goes_on = false;
  for (auto const& line : split(footer, '\n')) {
    std::string piece(trim(line));
    bool const broken = piece.ends_with('\\');
    if (broken) piece = std::string(trim(piece.substr(0, piece.size() - 1)));
    if (goes_on) {
      command.examples.back() += " " + piece;
    } else if (line.starts_with("  ")) {
      command.examples.push_back(piece);
    } else if (!piece.empty()) {
      command.notes += (command.notes.empty() ? "" : " ") + piece;
    }
    goes_on = broken;
  }
}

/// A verb that only leads to others shows how they are used: each once, and a single one in full.
std::vector<std::string> examples_below(report::Command const& command) {
  if (command.verbs.size() == 1) return command.verbs.front().examples;
  std::vector<std::string> examples;
  for (auto const& verb : command.verbs) {
    if (!verb.examples.empty()) examples.push_back(verb.examples.front());
  }
  return examples;
}

/// "--check" of a mode.
std::string typed_name(CLI::App const& app) {
  return (app.get_group() == modes ? "--" : "") + app.get_name();
}

/// "gridcast lesson run".
std::string path_of(CLI::App const& app) {
  auto const* above = app.get_parent();
  return above == nullptr ? app.get_name() : path_of(*above) + " " + typed_name(app);
}

report::Command tree_of(CLI::App& app) {
  report::Command command;
  command.path = path_of(app);
  command.words = in_one_line(app.get_description());
  add_footer(app.get_footer(), command);
  add_options(app, "", command);
  for (auto* verb : all_below(app)) {
    if (!verb->get_name().empty()) command.verbs.push_back(tree_of(*verb));
  }
  if (command.examples.empty()) command.examples = examples_below(command);
  return command;
}

/// The innermost verb that the command line has chosen; the program itself without one.
CLI::App& chosen_verb(CLI::App& app) {
  auto const verbs = app.get_subcommands();
  return verbs.empty() ? app : chosen_verb(*verbs.front());
}

// The mistake of a user, in one message.

std::vector<std::string> options_of(report::Command const& command) {
  std::vector<std::string> names;
  for (auto const& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

/// The verbs below that have the option: "gridcast compare".
std::vector<std::string> verbs_with(std::string const& option, report::Command const& command) {
  std::vector<std::string> paths;
  if (is_one_of(option, options_of(command))) paths.push_back(command.path);
  for (auto const& verb : command.verbs) {
    auto const below = verbs_with(option, verb);
    paths.insert(paths.end(), below.begin(), below.end());
  }
  return paths;
}

std::string unknown_option(CLI::App& app, std::string const& name, report::Command const& verb) {
  auto const own = options_of(verb);
  auto const others =
      name.starts_with("--") ? verbs_with(name, tree_of(app)) : std::vector<std::string>();
  if (others.empty()) return fmt::format("unknown option '{}'. {}", name, suggestion(name, own));
  return fmt::format("has no option '{}'. {} {} it.", name, fmt::join(others, ", "),
                     others.size() > 1 ? "have" : "has");
}

std::string leftover_message(CLI::App& app, report::Command const& verb) {
  auto const left = app.remaining(true);
  std::string const first = left.empty() ? "" : left.front();
  if (first.starts_with("-")) {
    std::string const name = first.substr(0, first.find('='));
    return unknown_option(app, name, verb);
  }
  if (!verb.verbs.empty()) {
    return fmt::format("unknown verb '{}'. {}", first, suggestion(first, verbs_of(verb)));
  }
  return fmt::format("'{}' is one argument too many", first);
}

/// "-n/--replicas" for "--replicas".
std::string both_names(CLI::App const& verb, std::string const& name) {
  auto const* option = verb.get_option_no_throw(name);
  if (option == nullptr || option->get_snames().empty()) return name;
  return "-" + option->get_snames().front() + "/" + name;
}

/// CLI11's own message, "--replicas: the error", if it is clear enough.
std::string value_message(CLI::App const& verb, CLI::ParseError const& error) {
  std::string const text = error.what();
  auto const colon = text.find(": ");
  if (colon == std::string::npos) return text;
  std::string const name = both_names(verb, text.substr(0, colon));
  if (text.substr(colon + 2) == empty_value) return name + " " + empty_value;
  if (!text.starts_with("-")) return text;
  if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::ArgumentMismatch)) {
    return name + text.substr(colon);
  }
  bool const missing = text.ends_with("missing");
  return name + (missing ? " needs a value" : " is given more than once");
}

std::string which_verb(report::Command const& command) {
  return fmt::format("{}: which verb? {}. See {} --help.", command.path,
                     fmt::join(verbs_of(command), ", "), command.path);
}

/// CLI11's words end without a stop, ours with one or with a question.
std::string with_stop(std::string text) {
  if (!text.ends_with('.') && !text.ends_with('?')) text += '.';
  return text;
}

/// "gridcast forecast: unknown option '--sead'. Did you mean '--seed'?"
std::string usage_message(CLI::App& app, CLI::ParseError const& error) {
  auto& chosen = chosen_verb(app);
  report::Command const verb = tree_of(chosen);
  bool const unknown = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError);
  bool const missing = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError);
  // An unknown word explains a missing one better than the latter does.
  if (unknown || (missing && app.remaining_size(true) > 0)) {
    return fmt::format("{}: {}", verb.path, leftover_message(app, verb));
  }
  if (missing && chosen.get_require_subcommand_min() > 0) return which_verb(verb);
  return fmt::format("{}: {} See {} --help.", verb.path, with_stop(value_message(chosen, error)),
                     verb.path);
}

/// Puts a mode's name, as the parser has it, behind its verb: "calibrate a.log --check" becomes
/// "calibrate check a.log".
std::vector<std::string> with_mode_first(CLI::App& app, std::vector<std::string> words) {
  auto* const verb = words.empty() ? nullptr : below_named(app, words.front());
  if (verb == nullptr) return words;
  for (auto* const below : all_below(*verb)) {
    auto const flag = std::ranges::find(words, typed_name(*below));
    if (below->get_group() != modes || flag == words.end()) continue;
    words.erase(flag);
    words.insert(words.begin() + 1, below->get_name());
    break;
  }
  return words;
}

/// "--since=" in two words: the parser takes the next word for its value.
std::vector<std::string> with_empty_values(std::vector<std::string> const& words) {
  std::vector<std::string> all;
  bool only_files = false;
  for (std::string const& word : words) {
    only_files |= word == "--";
    bool const empty = !only_files && word.starts_with("--") && word.find('=') + 1 == word.size();
    all.push_back(empty ? word.substr(0, word.size() - 1) : word);
    if (empty) all.emplace_back();
  }
  return all;
}

/// The arguments of a verb are not required where a verb below it is chosen.
void excuse_above(CLI::App& app, std::vector<std::string> const& words) {
  CLI::App* at = &app;
  for (auto const& word : words) {
    auto* const below = below_named(*at, word);
    if (below == nullptr) return;
    for (auto* option : at->get_options([](CLI::Option*) { return true; })) option->required(false);
    at = below;
  }
}

/// For a command line without a verb.
std::string no_verb_message(CLI::App& app) {
  report::Command const program = tree_of(app);
  if (app.remaining(true).empty()) return which_verb(program);
  return fmt::format("{}: {}", program.path, leftover_message(app, program));
}

struct OldVerb {
  std::string_view old, now;  // words with blanks between
};

constexpr std::array old_verbs = {OldVerb{"predict", "forecast"},
                                  OldVerb{"run", "forecast --once"},
                                  OldVerb{"replay", "compare"},
                                  OldVerb{"study", "compare"},
                                  OldVerb{"validate", "calibrate --check"},
                                  OldVerb{"import submit", "init"},
                                  OldVerb{"import dag", "init"},
                                  OldVerb{"import dlio", "init"},
                                  OldVerb{"import swf", "init"},
                                  OldVerb{"import wfformat", "init"},
                                  OldVerb{"import columns", "init"},
                                  OldVerb{"import", "init"},
                                  OldVerb{"report", "export html"},
                                  OldVerb{"train", "profile"},
                                  OldVerb{"schema", "help schema"},
                                  OldVerb{"doctor", "help doctor"},
                                  OldVerb{"docs", "help docs"},
                                  OldVerb{"completion", "help completion"}};

struct OldOption {
  std::string_view verb;  // by its new name, or the old one where only that had the option
  std::string_view old, now;
};

constexpr std::array old_options = {OldOption{"forecast", "--jobs", "--workers"},
                                    OldOption{"compare", "--jobs", "--workers"},
                                    OldOption{"calibrate", "--jobs", "--workers"},
                                    OldOption{"forecast", "--of", "--replicas"},
                                    OldOption{"import submit", "--work", "--profile"},
                                    OldOption{"import dag", "--work", "--profile"},
                                    OldOption{"import dag", "--log", "--record"}};

bool starts_with(std::vector<std::string> const& words, std::vector<std::string> const& first) {
  return words.size() >= first.size() && std::equal(first.begin(), first.end(), words.begin());
}

void rename_option(RenamedWords& renamed, OldOption const& option) {
  for (std::string& word : renamed.words) {
    bool const with_value = word.starts_with(std::string(option.old) + "=");
    if (word != option.old && !with_value) continue;
    word = std::string(option.now) + word.substr(option.old.size());
    renamed.notes.push_back(fmt::format("{} is now {}", option.old, option.now));
  }
}

/// `--on A100` names a GPU, which has a digit, and `--on slurm` a batch system.
void name_gpu_option(std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    bool const with_value = words[i].starts_with("--on=");
    if (!with_value && (words[i] != "--on" || i + 1 == words.size())) continue;
    std::string const value = with_value ? words[i].substr(5) : words[i + 1];
    if (value.find_first_of("0123456789") != value.npos) words[i].insert(4, "-gpu");
  }
}

}  // namespace

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::shows_default() {
  option_->capture_default_str();
  return *this;
}

Option& Option::check(std::function<std::string(std::string const&)> wrong) {
  option_->check(std::move(wrong));
  return *this;
}

Option& Option::whole_number(std::uint64_t least, std::uint64_t most) {
  return check([least, most](std::string const& text) -> std::string {
    auto const value = text_as<std::uint64_t>(text);
    if (value && *value >= least && *value <= most) return "";
    return fmt::format("'{}' is not a whole number from {} to {}", text, least, most);
  });
}

Option& Option::number_within(double least, double most) {
  return check([least, most](std::string const& text) -> std::string {
    auto const value = text_as<double>(text);
    if (value && *value >= least && *value <= most) return "";
    return fmt::format("'{}' is not a number from {} to {}", text, least, most);
  });
}

Option& Option::positive_number() {
  return check([](std::string const& text) -> std::string {
    auto const value = text_as<double>(text);
    if (value && *value > 0 && std::isfinite(*value)) return "";
    return fmt::format("'{}' is not a positive number", text);
  });
}

Option& Option::one_of(std::vector<std::string> const& words) {
  auto const wrong = [words](std::string& text) -> std::string {
    if (is_one_of(text, words)) return "";
    return fmt::format("'{}' is none of its values. {}", text, suggestion(text, words));
  };
  option_->check(CLI::Validator(wrong, fmt::format("{}", fmt::join(words, "|")), words_check));
  return *this;
}

Option& Option::suggests(std::vector<std::string> const& words) {
  option_->check(CLI::Validator([](std::string&) { return std::string(); },
                                fmt::format("{}", fmt::join(words, "|")), words_check));
  return *this;
}

Option& Option::repeatable() {
  option_->expected(1)->take_all()->allow_extra_args(false);
  return *this;
}

Option& Option::excludes(Option const& other) {
  option_->excludes(other.option_);
  return *this;
}

Option& Option::needs(Option const& other) {
  option_->needs(other.option_);
  return *this;
}

Option Verb::option(std::string const& names, Target target, std::string const& help,
                    std::string const& value) {
  auto* const option =
      std::visit([&](auto* variable) { return app_->add_option(names, *variable, help); }, target);
  // A script's variable that is empty is a mistake, and is not the same as no option.
  option->check([](std::string const& text) { return text.empty() ? empty_value : ""; });
  return Option(*option->type_name(value));
}

Option Verb::flag(std::string const& names, bool& target, std::string const& help) {
  return Option(*app_->add_flag(names, target, help));
}

Option Verb::positional(std::string const& name, Target target, std::string const& help) {
  return option(name, target, help, "");
}

Verb Verb::group(std::string const& heading) {
  return {*app_->add_option_group(heading), *chosen_};
}

Verb Verb::verb(std::string const& name, std::string const& help) {
  return {*app_->add_subcommand(name, help), *chosen_};
}

Verb Verb::mode(std::string const& flag, std::string const& help) {
  return {*app_->add_subcommand(flag.substr(2), help)->group(modes), *chosen_};
}

void Verb::needs_verb() { app_->require_subcommand(1); }

void Verb::footer(std::string const& text) { app_->footer(text); }

void Verb::runs(Run run) {
  app_->callback([app = app_, chosen = chosen_, run = std::move(run)] {
    if (app->get_subcommands().empty()) *chosen = run;
  });
}

std::vector<std::string> verbs_of(report::Command const& command) {
  return each_of(command.verbs, report::last_name);
}

bool Verb::given(std::string const& option) const { return app_->count(option) > 0; }

report::Command Verb::tree() const { return tree_of(*app_); }

void refuse_given(Verb const& verb, std::initializer_list<char const*> options,
                  std::string const& where, std::string const& why, std::vector<Problem>& problems,
                  std::string const& hint) {
  for (char const* const option : options) {
    if (verb.given(option)) add_problem(problems, {}, option + where, why, hint);
  }
}

CommandLine::CommandLine(std::string const& description, std::function<std::string()> version,
                         std::function<std::string()> version_in_full)
    : app_(std::make_unique<CLI::App>(description, "gridcast")) {
  app_->set_help_flag("-h,--help", "This help");
  auto const text = [app = app_.get(), version = std::move(version),
                     in_full = std::move(version_in_full)] {
    return app->count("--verbose") > 0 ? in_full() : version();
  };
  app_->set_version_flag("--version", text, "Which gridcast this is");
  app_->add_flag("--verbose")->description("With --version: its libraries, and how to cite it");
  app_->require_subcommand(0, 1);
}

CommandLine::~CommandLine() = default;

Verb CommandLine::program() { return {*app_, chosen_}; }

Request CommandLine::parse(std::vector<std::string> words) {
  words = with_mode_first(*app_, with_empty_values(words));
  excuse_above(*app_, words);
  std::ranges::reverse(words);  // as the parser wants them
  try {
    app_->parse(std::move(words));
  } catch (CLI::CallForHelp const&) {
    return {Request::Kind::help, {}, tree_of(chosen_verb(*app_)), {}};
  } catch (CLI::CallForVersion const& version) {
    return {Request::Kind::version, {}, {}, version.what()};
  } catch (CLI::ParseError const& error) {
    return {Request::Kind::mistake, {}, {}, usage_message(*app_, error)};
  }
  if (chosen_) return {Request::Kind::verb, chosen_, {}, {}};
  return {Request::Kind::mistake, {}, {}, no_verb_message(*app_)};
}

std::string parser_version() { return CLI11_VERSION; }

std::string shell_word(std::string const& word) {
  constexpr std::string_view fine = "_-./:=,+@%";
  bool const plain = !word.empty() && std::ranges::all_of(word, [&](unsigned char c) {
    return std::isalnum(c) != 0 || fine.find(static_cast<char>(c)) != std::string_view::npos;
  });
  return plain ? word : quoted_for_shell(word);
}

std::string typed_again(std::vector<std::string> const& words) {
  std::string text = "gridcast";
  for (std::size_t i = 1; i < words.size(); ++i) text += " " + shell_word(words[i]);
  return text;
}

std::string with_room_for_options(std::vector<std::string> const& words) {
  std::string text = words.empty() ? "gridcast" : shell_word(words.front());
  bool only_files = false, writes = false, forced = false;
  for (std::size_t i = 1; i < words.size(); ++i) {
    std::string const& word = words[i];
    if (!only_files && word == "--") {
      only_files = true;
      continue;
    }
    if (!only_files) {
      forced |= word == "--force";
      for (char const* const option : {"-o", "--out", "--report", "--csv"}) {
        writes |= word.starts_with(option);
      }
    }
    bool const shows = printable(word) == word;
    std::string const dash = only_files && word.starts_with('-') ? "./" : "";
    text += " " + (shows ? shell_word(dash + word) : study::typed(word));
  }
  return text + (writes && !forced ? " --force" : "");
}

// proc(5): the words with a null byte after each.
std::vector<std::string> own_words() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::string const bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  auto words = split(bytes, '\0');
  if (!words.empty() && words.back().empty()) words.pop_back();
  auto const script = start_script();
  if (script.empty()) return words;
  // The loader and its options are before the program.
  auto const program = std::ranges::find(words, program_file().string());
  if (program == words.end()) return words;
  *program = script.string();
  return {program, words.end()};
}

std::string own_command_line() { return typed_again(own_words()); }

RenamedWords with_new_names(std::vector<std::string> words) {
  RenamedWords renamed{std::move(words), {}};
  if (renamed.words.empty()) return renamed;
  std::string verb = renamed.words.front();
  auto const old = std::ranges::find_if(old_verbs, [&](OldVerb const& each) {
    return starts_with(renamed.words, split(each.old, ' '));
  });
  if (old != old_verbs.end()) {
    verb = old->old;
    auto const now = split(old->now, ' ');
    renamed.words.erase(renamed.words.begin(),
                        renamed.words.begin() + std::ranges::count(verb, ' ') + 1);
    renamed.words.insert(renamed.words.begin(), now.begin(), now.end());
    renamed.notes.push_back(fmt::format("{} is now {}", verb, old->now));
  }
  for (OldOption const& option : old_options) {
    bool const has_it = option.verb == verb || option.verb == renamed.words.front();
    if (has_it) rename_option(renamed, option);
  }
  name_gpu_option(renamed.words);
  return renamed;
}

std::string new_name(std::string const& verb) {
  auto const old = std::ranges::find(old_verbs, verb, &OldVerb::old);
  return old == old_verbs.end() ? "" : std::string(old->now);
}

}  // namespace gridcast::cli

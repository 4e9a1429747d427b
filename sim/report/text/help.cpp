#include "sim/report/text/help.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/error.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/glossary.hpp"
#include "sim/scenario/tables.hpp"

namespace gridcast::report {
namespace {

/// Titles on the left, their words beside them; a title too wide for its column has its words
/// below.
class Entries {
 public:
  /// `least`, `most`: the width of the column of titles.
  Entries(Screen const& screen, std::size_t least, std::size_t most)
      : width_(screen.width), most_(most), column_(least) {}

  void measure(std::string const& title) {
    if (title.size() <= most_) column_ = std::max(column_, title.size());
  }

  std::string entry(std::string const& title, std::string const& words) const {
    if (words.empty()) return "  " + title + "\n";
    std::size_t const words_at = column_ + 4;
    std::string text = "  " + title;
    bool const beside = title.size() <= column_;
    text += beside ? std::string(words_at - text.size(), ' ') : "\n" + std::string(words_at, ' ');
    return text + paragraph(words, {width_, words_at, words_at});
  }

 private:
  std::size_t width_, most_, column_;
};

std::string words_of_option(CommandOption const& option) {
  std::string words = option.words;
  if (!option.fallback.empty()) words += " [" + option.fallback + "]";
  return words;
}

/// Options under one heading.
struct OptionGroup {
  std::string heading;
  std::vector<CommandOption> options;
};

std::vector<OptionGroup> option_groups(Command const& command) {
  std::vector<OptionGroup> groups;
  for (auto const& option : command.options) {
    std::string const heading = option.group.empty() ? "Options" : option.group;
    auto group = std::ranges::find(groups, heading, &OptionGroup::heading);
    if (group == groups.end()) group = groups.insert(group, {heading, {}});
    group->options.push_back(option);
  }
  return groups;
}

/// The first groups in full, the names of the others.
std::string options_text(Command const& command, Entries const& entries, std::size_t in_full) {
  std::string text;
  auto const groups = option_groups(command);
  for (std::size_t i = 0; i < std::min(in_full, groups.size()); ++i) {
    text += "\n" + groups[i].heading + ":\n";
    for (auto const& option : groups[i].options) {
      text += entries.entry(option_title(option), words_of_option(option));
    }
  }
  if (in_full >= groups.size()) return text;
  auto const path = command.path.substr(command.path.find(' ') + 1);
  text += fmt::format("\nMore (gridcast help {} --all):\n", path);
  for (std::size_t i = in_full; i < groups.size(); ++i) {
    std::vector<std::string> names;
    for (auto const& option : groups[i].options) names.push_back(option.names.back());
    text += entries.entry(groups[i].heading, fmt::format("{}", fmt::join(names, " ")));
  }
  return text;
}

std::string examples_text(Command const& command, Screen const& screen) {
  if (command.examples.empty()) return "";
  std::string text = command.examples.size() == 1 ? "\nExample:\n" : "\nExamples:\n";
  for (auto const& example : command.examples) text += command_lines(example, screen.width, 2);
  return text;
}

/// A name and its meaning.
struct NamedWords {
  std::string name, words;
};
using Lines = std::vector<NamedWords>;

std::string entries_text(Lines const& lines, Screen const& screen) {
  Entries entries(screen, 8, screen.width / 3);
  for (auto const& line : lines) entries.measure(line.name);
  std::string text;
  for (auto const& [name, words] : lines) text += entries.entry(name, words);
  return text;
}

std::string words_of_key(scenario::Key const& key) {
  std::string text = key.help;
  if (!key.words.empty()) text += fmt::format(" ({})", fmt::join(key.words, ", "));
  if (key.required) return text + " (required)";
  return key.fallback.empty() ? text : text + " [" + key.fallback + "]";
}

/// The keys of a section and of those in it, by their whole names.
void add_keys(scenario::Section const& section, std::string const& above, Lines& lines) {
  for (scenario::Key const& key : section.keys) {
    std::string const name = above + key.name;
    if (key.section == nullptr) {
      lines.push_back({name, words_of_key(key)});
    } else if (key.form != scenario::Form::named_sections) {
      add_keys(*key.section, name + (key.form == scenario::Form::sections ? "[]." : "."), lines);
    } else {
      lines.push_back({name, key.help});
    }
  }
}

std::string keys_text(scenario::Section const& section, Screen const& screen) {
  Lines lines;
  add_keys(section, "", lines);
  return entries_text(lines, screen);
}

std::string units(Screen const& screen) {
  return paragraph(
             "Every quantity in a file or an option has a number and a unit: 90 s, 137 GB, "
             "10 Gbps. A number without one is refused, and case matters.",
             {screen.width}) +
         "\n" +
         entries_text({{"time", "ms, s, min, h, d, w; also sums: 1 h 30 min"},
                       {"size", "B, kB, MB, GB, TB, PB (powers of 1000); KiB to PiB (of 1024)"},
                       {"rate", "a size and /s (400 MB/s), or bits: bps, kbps, Mbps, Gbps, Tbps"},
                       {"range", "5 min..10 min"}},
                      screen) +
         "\n" +
         paragraph(
             "JSON and CSV have plain numbers in seconds, bytes and shares, and a name that "
             "ends in _s is a time. Dates are ISO 8601, in UTC.",
             {screen.width});
}

std::string metrics_topic(Screen const& screen) {
  Lines lines;
  for (auto const& name : ledger::metric_names(ledger::MetricScope::replica)) {
    auto const words = words_of(name);
    auto const unit = unit_text(words.unit);
    std::string const shown = unit.empty() ? "" : fmt::format(" (shown in {})", unit);
    lines.push_back({name, std::string(words.words) + shown});
  }
  return paragraph(
             "The figures of a campaign, recorded or simulated, by their names in JSON and "
             "CSV. Names in _s are seconds there. docs/ledger.md defines each.",
             {screen.width}) +
         "\n" + entries_text(lines, screen);
}

std::string strategies(Screen const& screen) {
  return paragraph(
             "A strategy is an entry of its own name below `strategies:` of a scenario; {} is the "
             "defaults in brackets. Write transfer.stall_timeout as {transfer: {stall_timeout: 5 "
             "min}}. scenarios/osg-imagenet.yaml has fourteen, each with its source.",
             {screen.width}) +
         "\n" + keys_text(scenario::strategy_table().section(), screen);
}

std::string scenario_topic(Screen const& screen) {
  return paragraph(
             "A scenario is a YAML file: a campaign, where it runs, and the strategies to "
             "compare. `gridcast init` writes one. docs/scenario.md describes each key.",
             {screen.width}) +
         "\n" + keys_text(scenario::scenario_table().section(), screen);
}

std::string pool_topic(Screen const& screen) {
  return paragraph(
             "A pool is a YAML file that a scenario names: sites, caches, origin and access "
             "point. `gridcast calibrate` reads one off logs.",
             {screen.width}) +
         "\n" + keys_text(scenario::pool_table().section(), screen);
}

std::string terms(Screen const& screen) {
  Lines lines;
  for (auto const& term : glossary()) {
    lines.push_back({std::string(term.name), std::string(term.words)});
  }
  return entries_text(lines, screen);
}

Lines const& exit_code_words() {
  static Lines const lines = {
      {"0", "done"},
      {"1", "the simulation failed, or gridcast itself"},
      {"2", "bad usage or bad input; nothing was written"},
      {"3", "the study was finished, but some campaigns failed and are not counted"},
      {"4", "a wrong answer to a lesson (gridcast lesson check)"},
      {"130", "interrupted (Ctrl-C); a study shows its results up to then, marked as partial"}};
  return lines;
}

std::string exit_codes(Screen const& screen) {
  return entries_text(exit_code_words(), screen) + "\n" +
         paragraph(
             "Results go to standard output, progress and problems to standard error. Bad "
             "input is reported all at once, a line a problem, and nothing is written.",
             {screen.width});
}

Lines const& environment_words() {
  static Lines const lines = {
      {"COLUMNS", "how wide to draw, from 60 to 200; else as wide as the terminal, or 80"},
      {"LC_ALL, LC_CTYPE, LANG",
       "whether there is more than ASCII to draw with: the first that is set, if it names UTF-8"}};
  return lines;
}

std::string environment(Screen const& screen) { return entries_text(environment_words(), screen); }

struct Page {
  HelpTopic topic;
  std::string (*text)(Screen const&);
};

std::vector<Page> const& pages() {
  static std::vector<Page> const all = {
      {{"units", "How times, sizes and rates are written"}, units},
      {{"metrics", "The figures of a campaign and their names"}, metrics_topic},
      {{"strategies", "The keys of a strategy"}, strategies},
      {{"scenario", "The keys of a scenario file"}, scenario_topic},
      {{"pool", "The keys of a pool file"}, pool_topic},
      {{"terms", "The terms that the output uses"}, terms},
      {{"exit-codes", "Meaning of the exit status"}, exit_codes},
      {{"environment", "Variables that gridcast looks at"}, environment}};
  return all;
}

/// Text that roff prints unchanged: a minus is a minus (people copy it), a backslash a backslash,
/// and no line begins with a request.
std::string escaped(std::string_view text) {
  static std::map<char32_t, std::string_view> const names = {{U'\\', "\\e"},   {U'-', "\\-"},
                                                             {U'\'', "\\(aq"}, {U'`', "\\(ga"},
                                                             {U'~', "\\(ti"},  {U'^', "\\(ha"}};
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    auto const [code, bytes, good] = character_at(text, at);
    at += bytes;
    bool const begins = result.empty() || result.back() == '\n';
    if (begins && (code == U'.' || code == U'\'')) result += "\\&";
    if (auto const named = names.find(code); named != names.end()) {
      result += named->second;
    } else if (code < 0x80) {
      result += static_cast<char>(code);
    } else {
      result += fmt::format("\\[u{:04X}]", static_cast<unsigned>(code));
    }
  }
  return result;
}

std::string item(std::string const& title, std::string const& words) {
  return fmt::format(".TP\n\\fB{}\\fR\n{}\n", escaped(title), escaped(words));
}

std::string option_words(CommandOption const& option) {
  bool const shown = !option.fallback.empty() && !has_default_text(option);
  return shown ? option.words + " [" + option.fallback + "]" : option.words;
}

std::string options_of(Command const& command) {
  std::string text;
  for (auto const& positional : command.positionals) {
    text += item(option_title(positional), option_words(positional));
  }
  for (auto const& option : command.options) {
    text += item(option_title(option), option_words(option));
  }
  return text;
}

std::string examples_of(Command const& command) {
  std::string text;
  for (auto const& example : command.examples) text += escaped(example) + "\n";
  return text.empty() ? text : ".PP\n.EX\n" + text + ".EE\n";
}

std::string verbs_below(Command const& command) {
  std::string text;
  for (auto const& verb : command.verbs) {
    text += fmt::format(".SS {}\n{}.\n.PP\n.B {}\n", escaped(verb.path), escaped(verb.words),
                        escaped(synopsis(verb)));
    if (verb.verbs.empty()) text += options_of(verb) + examples_of(verb);
    text += verbs_below(verb);
  }
  return text;
}

std::string list_of(Lines const& lines) {
  std::string text;
  for (auto const& [name, words] : lines) text += item(name, words);
  return text;
}

std::string topics() {
  std::string text;
  for (auto const& topic : help_topics()) text += item(topic.name, topic.words);
  return text;
}

std::string help_with(Command const& command, Screen const& screen, std::size_t groups_in_full) {
  Entries entries(screen, 12, std::min<std::size_t>(30, screen.width / 3));
  for (auto const& verb : command.verbs) entries.measure(last_name(verb));
  for (auto const& each : command.positionals) entries.measure(option_title(each));
  for (auto const& each : command.options) entries.measure(option_title(each));

  std::string text = paragraph(command.words, {screen.width}) +
                     paragraph("Usage: " + synopsis(command), {screen.width, 7});
  if (!command.positionals.empty()) text += "\n";
  for (auto const& each : command.positionals) {
    text += entries.entry(option_title(each), words_of_option(each));
  }
  if (!command.verbs.empty()) text += "\nVerbs:\n";
  for (auto const& verb : command.verbs) text += entries.entry(last_name(verb), verb.words);
  text += options_text(command, entries, groups_in_full) + examples_text(command, screen);
  if (!command.notes.empty()) text += "\n" + paragraph(command.notes, {screen.width});
  return text;
}

}  // namespace

std::string help_text(Command const& command, Screen const& screen, HelpLength length) {
  constexpr auto most_lines = 64;
  std::size_t in_full = option_groups(command).size();
  auto text = help_with(command, screen, in_full);
  while (length == HelpLength::one_screen && in_full > 1 &&
         std::count(text.begin(), text.end(), '\n') > most_lines) {
    text = help_with(command, screen, --in_full);
  }
  return text;
}

std::vector<HelpTopic> const& help_topics() {
  static auto const topics = each_of(pages(), [](auto const& page) { return page.topic; });
  return topics;
}

std::string setting_text(std::string const& key, Screen const& screen) {
  Lines all, named;
  add_keys(scenario::strategy_table().section(), "", all);
  for (auto const& line : all) {
    if (line.name == key || line.name.ends_with("." + key)) named.push_back(line);
  }
  return named.empty() ? "" : entries_text(named, screen);
}

std::string topic_text(std::string const& name, Screen const& screen) {
  auto const* const page =
      find_where(pages(), [&](Page const& each) { return each.topic.name == name; });
  check(page != nullptr, "a help topic of that name");
  return page->text(screen);
}

std::string man_page(Command const& program, std::string const& version) {
  return fmt::format(
             ".\\\" Made by gridcast help \\-\\-man; not to be edited.\n"
             ".TH GRIDCAST 1 \"\" \"gridcast {}\" \"User Commands\"\n"
             ".SH NAME\ngridcast \\- forecast machine\\-learning campaigns on a grid\n"
             ".SH SYNOPSIS\n.B gridcast\n.I VERB\n[\\fIOPTIONS\\fR]\n"
             ".SH DESCRIPTION\n{}\n",
             escaped(version), escaped(program.words)) +
         ".SH OPTIONS\n" + options_of(program) + ".SH VERBS\n" + verbs_below(program) +
         ".SH TOPICS\nOf\n.BR \"gridcast help\" :\n" + topics() + ".SH EXIT STATUS\n" +
         list_of(exit_code_words()) + ".SH ENVIRONMENT\n" + list_of(environment_words()) +
         ".SH EXAMPLES\n" + examples_of(program) +
         ".SH SEE ALSO\n.BR condor_submit (1),\n.BR condor_history (1)\n";
}

}  // namespace gridcast::report

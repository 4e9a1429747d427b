#include "sim/report/text/help_topics.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/error.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/paragraph.hpp"
#include "sim/report/text/table.hpp"
#include "sim/scenario/tables.hpp"
#include "sim/study/record.hpp"

namespace gridcast::report {
namespace {

using Lines = std::vector<NamedWords>;

/// Each name on the left, its words beside it, or below where the name is long.
std::string list_text(Lines const& lines, Screen const& screen) {
  std::size_t column = 8;
  for (auto const& line : lines) {
    if (line.name.size() <= screen.width / 3) column = std::max(column, line.name.size());
  }
  std::string text;
  for (auto const& [name, words] : lines) {
    text += "  " + name;
    text += name.size() <= column ? std::string(column + 2 - name.size(), ' ')
                                  : "\n" + std::string(column + 4, ' ');
    text += paragraph(words, {screen.width, column + 4, column + 4});
  }
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
  return list_text(lines, screen);
}

std::string units(Screen const& screen) {
  return paragraph(
             "Every quantity in a file or an option has a number and a unit: 90 s, 137 GB, "
             "10 Gbps. A number without one is refused, and case matters.",
             {screen.width}) +
         "\n" +
         list_text({{"time", "ms, s, min, h, d, w; also sums: 1 h 30 min"},
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
  for (auto const& name : ledger::metric_names(ledger::ToldOf::replica)) {
    auto const words = words_of(name);
    auto const unit = unit_text(words.unit);
    std::string const shown = unit.empty() ? "" : fmt::format(" (shown in {})", unit);
    lines.push_back({name, std::string(words.words) + shown});
  }
  return paragraph(
             "The figures of a campaign, recorded or simulated, by their names in JSON and "
             "CSV. Names in _s are seconds there. docs/ledger.md defines each.",
             {screen.width}) +
         "\n" + list_text(lines, screen);
}

std::string strategies(Screen const& screen) {
  return paragraph(
             "A strategy is an entry of its own name below `strategies:` of a scenario; {} is "
             "what the defaults in brackets say. Write transfer.stall_timeout as "
             "{transfer: {stall_timeout: 5 min}}. scenarios/osg-imagenet.yaml has nine, each "
             "with its source.",
             {screen.width}) +
         "\n" + keys_text(scenario::strategy_table().section(), screen);
}

std::string scenario_topic(Screen const& screen) {
  return paragraph(
             "A scenario is a YAML file: a campaign, where it runs, and the strategies to "
             "compare. `gridcast init` writes one. docs/scenario.md says more of each key.",
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

std::string formats(Screen const& screen) {
  return "Read:\n" +
         list_text(
             {{"scenario, pool", "YAML (gridcast help scenario, gridcast help pool)"},
              {"calibration", "YAML, written by gridcast calibrate"},
              {"job event log", "of HTCondor 8.9 to 25: text, JSON or XML, plain or gzip"},
              {"job ads", "of condor_history and condor_history -epochs: -long, -json, -jsonl"},
              {"submit file", "of HTCondor, by gridcast import submit"},
              {"job table", "CSV, a row a job, as run --out writes it"}},
             screen) +
         "\nWritten:\n" +
         list_text({{"--json", "one object with its schema's name and version in `schema`"},
                    {"--csv DIR", "tables of a study: figures, differences, replicas"},
                    {"--out DIR",
                     "of run: events.log (HTCondor's text form), jobs.csv, "
                     "attempts.csv, transfers.csv, ledger.json"}},
                   screen) +
         "\nColumns and keys: docs/formats.md.\n";
}

std::string replicas(Screen const& screen) {
  Margins const margins = {screen.width};
  return paragraph(
             "A study plays a campaign many times. Each replica draws its own grid from the "
             "calibration, because the records do not say exactly how the grid was, and its "
             "own luck from the seed. The spread over replicas (5 % to 95 %) is how "
             "differently a campaign may go; the interval of a mean is how well so many "
             "replicas tell that mean.",
             margins) +
         "\n" +
         paragraph(
             "Replica k has the same grid and the same luck under each strategy, so compare "
             "takes differences replica by replica, and needs few of them.",
             margins) +
         "\n" +
         paragraph(
             "The same seed gives the same bytes, for any number of processes (-j), also "
             "where --resume has taken a study up again. Without --seed it is the "
             "scenario's.",
             margins);
}

std::string exit_codes(Screen const& screen) {
  return list_text(exit_code_words(), screen) + "\n" +
         paragraph(
             "Results go to standard output, progress and problems to standard error. Bad "
             "input is told all at once, a line a problem, and nothing is written.",
             {screen.width});
}

std::string environment(Screen const& screen) { return list_text(environment_words(), screen); }

struct Page {
  HelpTopic topic;
  std::string (*text)(Screen const&);
};

std::vector<Page> const& pages() {
  static std::vector<Page> const all = {
      {{"units", "How times, sizes and rates are written"}, units},
      {{"metrics", "The figures of a campaign and their names"}, metrics_topic},
      {{"strategies", "What a strategy can say, key by key"}, strategies},
      {{"scenario", "The keys of a scenario file"}, scenario_topic},
      {{"pool", "The keys of a pool file"}, pool_topic},
      {{"formats", "Which files are read and written"}, formats},
      {{"replicas", "Replicas, seeds, and what the intervals mean"}, replicas},
      {{"exit-codes", "What the exit status says"}, exit_codes},
      {{"environment", "Variables that gridcast looks at"}, environment}};
  return all;
}

}  // namespace

std::vector<NamedWords> const& exit_code_words() {
  static Lines const lines = {
      {"0", "done"},
      {"1", "the simulation failed, or gridcast itself"},
      {"2", "bad usage or bad input; nothing was written"},
      {"3", "the study was finished, but some replicas failed and are not counted"},
      {"130", "interrupted (Ctrl-C); a study shows what was done till then, marked as partial"}};
  return lines;
}

std::vector<NamedWords> const& environment_words() {
  static Lines const lines = {
      {"NO_COLOR", "set: no colour, unless --color=always"},
      {"CLICOLOR_FORCE", "set and not 0: colour also where standard output is no terminal"},
      {"COLUMNS", "how wide to draw, from 60 to 200; else as wide as the terminal, or 80"},
      {"LC_ALL, LC_CTYPE, LANG",
       "whether there is more than ASCII to draw with: the first that is set, if it names UTF-8"},
      {"TERM", "dumb: no colour"}};
  return lines;
}

std::vector<HelpTopic> const& help_topics() {
  static std::vector<HelpTopic> const topics = [] {
    std::vector<HelpTopic> all;
    for (auto const& page : pages()) all.push_back(page.topic);
    return all;
  }();
  return topics;
}

std::string topic_text(std::string const& name, Screen const& screen) {
  auto const page = std::find_if(pages().begin(), pages().end(),
                                 [&](Page const& each) { return each.topic.name == name; });
  check(page != pages().end(), "a help topic of that name");
  return page->text(screen);
}

}  // namespace gridcast::report

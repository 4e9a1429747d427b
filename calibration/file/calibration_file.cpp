#include "calibration/file/calibration_file.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/scenario/draw_columns.hpp"
#include "sim/scenario/tables.hpp"

namespace gridcast::calibration {
namespace {

using Out = std::back_insert_iterator<std::string>;

/// A double-quoted scalar on one line: safe for every content.
std::string yaml(std::string_view text) {
  std::string out = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string yaml(std::string const& text) { return yaml(std::string_view(text)); }

std::string yaml(double x) {
  if (std::isnan(x)) return ".nan";
  if (std::isinf(x)) return x > 0 ? ".inf" : "-.inf";
  return std::isinf(x) ? ".inf" : fmt::format("{:.6g}", x);
}

std::string yaml(Origin origin) { return std::string(name(origin)); }

std::string yaml(std::size_t n) { return std::to_string(n); }

std::string yaml(Interval const& range) {
  return fmt::format("[{}, {}]", yaml(range.low), yaml(range.high));
}

/// Names of sites and parameters stay bare where no reader can take them for anything else: letters
/// first, then letters, digits and . _ -, and no word that YAML 1.1 reads as a truth value or null.
std::string name_text(std::string_view name) {
  auto const letter = [](char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z'); };
  auto const inner = [&](char c) {
    return letter(c) || ('0' <= c && c <= '9') || c == '.' || c == '_' || c == '-';
  };
  bool bare = name.size() > 5 && letter(name.front());
  for (char const c : name) bare = bare && inner(c);
  return bare ? std::string(name) : yaml(name);
}

/// A key of an entry, and the text of its value. sim/scenario/calibration_file.cpp reads it.
template <class Entry>
struct Key {
  template <class Member>
  Key(char const* name_, Member Entry::*member)
      : name(name_), text([member](Entry const& entry) { return yaml(entry.*member); }) {}

  /// "key: value".
  std::string line(Entry const& entry) const { return fmt::format("{}: {}", name, text(entry)); }

  char const* name;
  std::function<std::string(Entry const&)> text;
};
template <class Entry>
using Keys = std::vector<Key<Entry>>;

Keys<CalibrationInput> const input_keys = {{"file", &CalibrationInput::file},
                                           {"sha256", &CalibrationInput::sha256},
                                           {"rows", &CalibrationInput::rows}};
Keys<ModelTest> const test_keys = {
    {"hypothesis", &ModelTest::hypothesis}, {"statistic", &ModelTest::statistic},
    {"observed", &ModelTest::observed},     {"expected", &ModelTest::expected},
    {"p_value", &ModelTest::p_value},       {"verdict", &ModelTest::verdict}};
Keys<NotIdentified> const gap_keys = {{"what", &NotIdentified::what},
                                      {"why", &NotIdentified::why},
                                      {"taken_from", &NotIdentified::taken_from}};
Keys<HypothesisProbability> const hypothesis_keys = {
    {"name", &HypothesisProbability::name},
    {"prior", &HypothesisProbability::prior},
    {"log_bayes_factor", &HypothesisProbability::log_bayes_factor},
    {"weight", &HypothesisProbability::probability},
    {"interval90", &HypothesisProbability::interval90}};
Keys<Estimate> const parameter_keys = {
    {"estimate", &Estimate::estimate},     {"se", &Estimate::standard_error},
    {"interval90", &Estimate::interval90}, {"unit", &Estimate::unit},
    {"events", &Estimate::events},         {"censored", &Estimate::censored},
    {"method", &Estimate::method},         {"fit", &Estimate::fit},
    {"origin", &Estimate::origin}};

/// The key of a block that follows, or of an empty one.
void write_key(Out out, std::string_view key, std::string_view empty) {
  fmt::format_to(out, "{}:{}{}\n", key, empty.empty() ? "" : " ", empty);
}

/// An entry a line: "  - {a: 1, b: 2}".
template <class Entry>
void write_lines(Out out, std::vector<Entry> const& entries, Keys<Entry> const& keys) {
  for (Entry const& entry : entries) {
    std::string text;
    for (Key<Entry> const& key : keys) text += (text.empty() ? "" : ", ") + key.line(entry);
    fmt::format_to(out, "  - {{{}}}\n", text);
  }
}

/// A key a line.
template <class Entry>
void write_blocks(Out out, std::string_view name, std::vector<Entry> const& entries,
                  Keys<Entry> const& keys) {
  write_key(out, name, entries.empty() ? "[]" : "");
  for (Entry const& entry : entries) {
    std::string_view before = "  - ";
    for (Key<Entry> const& key : keys) {
      fmt::format_to(out, "{}{}: {}\n", before, key.name, key.text(entry));
      before = "    ";
    }
  }
}

void write_header(Out out, CalibrationDocument const& document) {
  fmt::format_to(out,
                 "# Parameters of a grid, estimated from job histories: values with their "
                 "uncertainty, tests of\n"
                 "# the models behind them, the limits of the data, and joint draws that "
                 "simulations use.\n"
                 "# Made, byte for byte, by:\n"
                 "#   {}\n"
                 "schema: gridcast.calibration/1\n"
                 "profile: {}\n"
                 "made_by:\n"
                 "  program: {}\n"
                 "  command: {}\n",
                 document.command, name_text(document.profile),
                 yaml("gridcast " + document.version), yaml(document.command));
}

std::string crash_odds_text(Program const& program) {
  if (!program.crash_odds) return "";
  return fmt::format(", ended: {}, crashed: {}, crash_odds: {}..{}", program.ended, program.crashed,
                     yaml(program.crash_odds->least), yaml(program.crash_odds->most));
}

void write_programs(Out out, std::vector<history::RanProgram> const& ran) {
  auto const text = [](history::RanProgram const& program) {
    return fmt::format("{{executable: {}{}}}\n", yaml(program.executable),
                       program.arguments ? ", arguments: " + yaml(*program.arguments) : "");
  };
  if (ran.empty()) return;
  fmt::format_to(out, "program: {}", text(ran.front()));
  if (ran.size() == 1) return;
  write_key(out, "other_programs", "");
  for (std::size_t i = 1; i < ran.size(); ++i) fmt::format_to(out, "  - {}", text(ran[i]));
}

void write_campaign(Out out, CampaignFacts const& facts, std::uint64_t seed) {
  fmt::format_to(out, "options: {{seed: {}}}\n", seed);
  write_programs(out, facts.ran);
  fmt::format_to(out, "campaign:\n  jobs: {}\n  attempts: {}\n  epochs: {}\n", facts.jobs,
                 facts.attempts, facts.epochs);
  if (facts.programs.several()) {
    fmt::format_to(out, "  programs_grouped_by: {}\n", yaml(facts.programs.grouped_by));
    write_key(out, "  programs", "");
    for (Program const& program : facts.programs.programs) {
      fmt::format_to(out, "    - {{name: {}, jobs: {}, finished: {}, work_scale: {}{}{}}}\n",
                     yaml(program.name), program.jobs, program.finished, yaml(program.scale),
                     crash_odds_text(program), program.newest ? ", newest: true" : "");
    }
    if (auto const& line = facts.programs.trend) {
      fmt::format_to(out, "  work_by_number: [{}, {}]\n", yaml(line->at_zero), yaml(line->by_one));
    }
  }
  if (facts.plugin_lifetime > Seconds()) {
    fmt::format_to(out, "  plugin_lifetime: {} s\n", yaml(facts.plugin_lifetime.value()));
  }
  if (facts.cool_down) {
    fmt::format_to(out, "  cool_down: [{} s, {} s]\n", yaml(facts.cool_down->least.value()),
                   yaml(facts.cool_down->most.value()));
  }
  if (facts.job_lease > Seconds()) {
    fmt::format_to(out, "  job_lease: {} s\n", yaml(facts.job_lease.value()));
  }
  write_key(out, "  input", facts.input_sizes.empty() ? "[]" : "");
  for (std::size_t i = 0; i < facts.input_sizes.size(); ++i) {
    std::string const url = i < facts.input_urls.size() ? facts.input_urls[i] : "";
    fmt::format_to(out, "    - {{url: {}, size: {:.0f} B}}\n", yaml(url),
                   facts.input_sizes[i].value());
  }
}

void write_sources(Out out, CalibrationDocument const& document) {
  fmt::format_to(out, "inputs:\n");
  write_lines(out, document.inputs, input_keys);
  fmt::format_to(out, "pool: {{file: {}, sha256: {}}}\n", yaml(document.pool_file),
                 yaml(document.pool_sha256));
  if (!document.jobs_file.empty()) {
    fmt::format_to(out, "recorded_jobs: {{file: {}, sha256: {}}}\n", yaml(document.jobs_file),
                   yaml(document.jobs_sha256));
  }
  if (document.campaign) {
    write_campaign(out, *document.campaign, document.seed);
    return;
  }
  fmt::format_to(out, "options: {{epochs: {}, input_size: {:.0f} B, seed: {}}}\n", document.epochs,
                 document.input_size.value(), document.seed);
}

void write_parameters(Out out, std::vector<Estimate> const& estimates) {
  write_key(out, "parameters", estimates.empty() ? "{}" : "");
  for (Estimate const& line : estimates) {
    fmt::format_to(out, "  {}:\n", name_text(line.name));
    for (auto const& key : parameter_keys) fmt::format_to(out, "    {}\n", key.line(line));
  }
}

/// A file that its reader refuses would be found out at the next forecast, by someone who cannot
/// mend it.
void require_allowed(DrawTable const& draws) {
  scenario::DrawLayout const layout(draws.columns);
  std::vector<scenario::ColumnProblem> found;
  for (std::vector<double> const& row : draws.rows) layout.draw(row, found);
  check(found.empty(), "the reader of a calibration takes each value of its draws");
}

void write_draws(Out out, DrawTable const& draws) {
  require_allowed(draws);
  fmt::format_to(out, "draws:\n  columns:\n");
  for (std::string const& column : draws.columns) {
    fmt::format_to(out, "    - {}\n", name_text(column));
  }
  fmt::format_to(out, "  rows:\n");
  for (std::vector<double> const& row : draws.rows) {
    std::string text;
    for (double const value : row) text += (text.empty() ? "" : ", ") + yaml(value);
    fmt::format_to(out, "    - [{}]\n", text);
  }
}

/// Caches hold whole files and never fill up, because a log shows nothing of their disks. A fill
/// takes no time: the recorded transfers include it.
void add_caches(scenario::PoolEntries& pool) {
  for (scenario::SiteEntry const& site : pool.entries) {
    for (std::string const& name : site.cache_names) {
      auto const known =
          std::ranges::any_of(pool.caches, [&](auto const& cache) { return cache.name == name; });
      if (!known) pool.caches.push_back({name, Bytes(1e15)});
    }
  }
  if (pool.caches.empty()) return;
  constexpr BytesPerSecond wide(1e12);
  pool.origin = {"origin", wide, wide};
}

/// GPUs that the log names; no GPUs if the log names none.
void add_gpus(scenario::SiteEntry& site, SiteFacts const& facts) {
  history::GpuShare const& gpus = facts.place.gpus;
  if (facts.place.resource != facts.count.site) site.resource = facts.place.resource;
  if (gpus.count.value_or(0) == 0) return;
  site.gpu = gpus.model;
  site.gpu_capability = gpus.capability;
  site.gpu_memory = gpus.memory;
  site.gpus = std::max(facts.count.gpus, *gpus.count);
  site.gpus_per_node = std::max(facts.count.gpus_of_pilot, *gpus.count);
  if (facts.slots_decide) site.gpus_per_slot = *gpus.count;
}

}  // namespace

std::string calibration_yaml(CalibrationDocument const& document) {
  std::string text;
  Out const out = std::back_inserter(text);
  Fit const& fit = document.fit;
  write_header(out, document);
  write_sources(out, document);
  write_blocks(out, "tests", fit.tests, test_keys);
  write_blocks(out, "not_identified", fit.not_identified, gap_keys);
  write_key(out, "model_weights", fit.hypotheses.empty() ? "[]" : "");
  write_lines(out, fit.hypotheses, hypothesis_keys);
  write_parameters(out, fit.estimates);
  write_draws(out, fit.draws);
  return text;
}

std::string pool_yaml(std::vector<SiteFacts> const& sites, std::string const& command,
                      AccessPointFacts const& access_point) {
  scenario::PoolEntries pool;
  scenario::YamlLayout layout;
  for (SiteFacts const& facts : sites) {
    SlotCount const& counted = facts.count;
    layout.above[fmt::format("sites[{}]", pool.entries.size())] = {
        fmt::format("{} attempts on {} pilots{}", counted.attempts, counted.pilots,
                    counted.saturated ? ""
                                      : "; jobs never waited for more: draws have 1 to 20 times "
                                        "these slots, unless another number stands here")};
    scenario::SiteEntry& site = pool.entries.emplace_back();
    site.name = counted.site;
    site.slots = counted.slots;
    site.slots_per_pilot = counted.slots_per_pilot;
    site.cache_names = facts.caches;
    add_gpus(site, facts);
  }
  add_caches(pool);
  pool.access_point.policy_interval = access_point.policy_interval;
  pool.access_point.max_execution = access_point.max_execution;
  layout.shape = [](std::string_view path) {
    return path == "sites" || path == "caches" ? scenario::YamlShape::lines
                                               : scenario::YamlShape::line;
  };
  layout.text = yaml;
  layout.time = [](Seconds time) { return fmt::format("{:.0f} s", time.value()); };
  layout.kept = scenario::among({"sites.slots_per_pilot", "access_point.policy_interval"});
  return fmt::format(
             "# The pool as a campaign's log shows it: sites, the most slots that ran jobs at one "
             "time,\n"
             "# and how many of them share a pilot. Made by:\n"
             "#   {}\n",
             command) +
         scenario::pool_table().text(pool, layout);
}

}  // namespace gridcast::calibration

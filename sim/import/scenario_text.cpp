#include "sim/import/scenario_text.hpp"

#include <array>
#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/scenario/tables.hpp"

namespace gridcast::import {
namespace {

using Out = std::back_insert_iterator<std::string>;

constexpr std::size_t few_submissions = 4;  // in a line

/// Control characters and what is not UTF-8 would make the file one that nobody reads.
std::string clean(std::string_view text) {
  std::string result;
  std::size_t at = 0;
  while (at < text.size()) {
    auto const byte = static_cast<unsigned char>(text[at]);
    std::size_t const length = byte < 0x80 ? 1 : byte >> 5 == 6 ? 2 : byte >> 4 == 14 ? 3 : 0;
    bool good = length > 0 && at + length <= text.size() && byte >= 0x20 && byte != 0x7f;
    for (std::size_t i = 1; i < length && good; ++i) {
      good = (static_cast<unsigned char>(text[at + i]) & 0xc0) == 0x80;
    }
    // Characters beyond these, overlong forms, surrogates and marks of byte order.
    good = good && (length != 2 || byte >= 0xc3) && (length != 3 || (byte > 0xe0 && byte < 0xed));
    if (good) {
      result += text.substr(at, length);
      at += length;
    } else {
      result += byte < 0x80 ? ' ' : '?';
      ++at;
    }
  }
  return result;
}

/// Any text as a YAML scalar: in double quotes, where everything can be escaped.
std::string yaml_text(std::string_view text) {
  std::string result = "\"";
  for (char const c : clean(text)) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

/// An expression: in single quotes, where it can be read as it is.
std::string shown(classad::Expression const& expression) {
  std::string result = "'";
  for (char const c : clean(expression.text()))
    result += c == '\'' ? std::string("''") : std::string(1, c);
  return result + "'";
}

/// Exactly, in the largest unit that divides it.
std::string shown(Bytes size) {
  static constexpr std::array<std::pair<char const*, double>, 8> units = {{{"TB", 1e12},
                                                                           {"TiB", 1099511627776.0},
                                                                           {"GB", 1e9},
                                                                           {"GiB", 1073741824.0},
                                                                           {"MB", 1e6},
                                                                           {"MiB", 1048576.0},
                                                                           {"kB", 1e3},
                                                                           {"KiB", 1024.0}}};
  for (auto const& [unit, bytes] : units) {
    double const number = size.value() / bytes;
    if (number >= 1 && number == std::floor(number)) return fmt::format("{} {}", number, unit);
  }
  return fmt::format("{} B", size.value());
}

std::string shown(Seconds time) {
  double const hours = time.value() / 3600;
  if (hours >= 2 && hours == std::floor(hours)) return fmt::format("{} h", hours);
  return fmt::format("{} s", time.value());
}

std::string shown(scenario::FactorRange const& range) { return to_text(range); }
std::string shown(int number) { return std::to_string(number); }
std::string shown(double number) { return fmt::format("{}", number); }
std::string shown(bool truth) { return truth ? "true" : "false"; }

/// Keys of a group, with those left out that hold what holds without them.
class Group {
 public:
  template <class T>
  Group& add(char const* key, T const& value, T const& usual) {
    if (value != usual) items_.push_back(fmt::format("{}: {}", key, shown(value)));
    return *this;
  }
  template <class T>
  Group& add(char const* key, std::optional<T> const& value) {
    if (value) items_.push_back(fmt::format("{}: {}", key, shown(*value)));
    return *this;
  }
  Group& add_word(char const* key, char const* word) {
    items_.push_back(fmt::format("{}: {}", key, word));
    return *this;
  }
  bool empty() const { return items_.empty(); }
  std::vector<std::string> const& items() const { return items_; }
  std::string in_a_line() const { return fmt::format("{{{}}}", fmt::join(items_, ", ")); }

 private:
  std::vector<std::string> items_;
};

void write_campaign(Out out, scenario::Campaign const& campaign) {
  std::vector<std::string> submit;
  for (scenario::Submission const& s : campaign.submit) {
    std::string const scale = s.scale == 1 ? "" : fmt::format(", scale: {}", s.scale);
    submit.push_back(fmt::format("{{at: {}, jobs: {}{}}}", shown(s.at), s.jobs, scale));
  }
  std::string const between = submit.size() > few_submissions ? ",\n    " : ", ";
  scenario::Request const& request = campaign.request;
  Group asked;
  asked.add("gpus", request.gpus, scenario::Request().gpus)
      .add("disk", request.disk, Bytes())
      .add("gpu_memory", request.gpu_memory, Bytes())
      .add("gpu_capability", request.gpu_capability, 0.0);
  scenario::Work const& work = campaign.work;
  Group rest;
  rest.add("scale", work.scale, 1.0).add("crash_odds", work.crash_odds, scenario::FactorRange());
  fmt::format_to(out, "\ncampaign:\n  submit: [{}]\n", fmt::join(submit, between));
  if (!asked.empty()) fmt::format_to(out, "  request: {}\n", asked.in_a_line());
  if (!campaign.input.empty()) fmt::format_to(out, "  input:\n");
  for (scenario::InputFile const& file : campaign.input) {
    fmt::format_to(out, "    - {{url: {}, size: {}}}\n", yaml_text(file.url), shown(file.size));
  }
  fmt::format_to(out, "  work: {{profile: {}, epochs: {}{}{}}}\n", yaml_text(work.profile),
                 work.epochs, rest.empty() ? "" : ", ", fmt::join(rest.items(), ", "));
  if (campaign.max_idle > 0) fmt::format_to(out, "  max_idle: {}\n", campaign.max_idle);
  if (campaign.max_materialize > 0) {
    fmt::format_to(out, "  max_materialize: {}\n", campaign.max_materialize);
  }
}

Group transfer_group(scenario::Strategy const& strategy) {
  Group group;
  if (strategy.transfer.protocol == scenario::Protocol::http) group.add_word("protocol", "http");
  if (strategy.transfer.protocol == scenario::Protocol::htcondor)
    group.add_word("protocol", "htcondor");
  return group.add("plugin_lifetime", strategy.retry.policy.plugin_lifetime);
}

Group retry_group(scenario::JobPolicy const& policy) {
  Group group;
  group.add("max_retries", policy.max_retries)
      .add("success_exit_code", policy.success_exit_code, 0)
      .add("retry_until", policy.retry_until)
      .add("on_exit_hold", policy.on_exit_hold)
      .add("on_exit_hold_subcode", policy.on_exit_hold_subcode, 0)
      .add("on_exit_remove", policy.on_exit_remove)
      .add("crash_holds", policy.crash_holds, false)
      .add("periodic_hold", policy.periodic_hold)
      .add("periodic_hold_subcode", policy.periodic_hold_subcode, 0)
      .add("periodic_release", policy.periodic_release)
      .add("periodic_remove", policy.periodic_remove)
      .add("periodic_vacate", policy.periodic_vacate);
  return group;
}

Group limits_group(scenario::JobPolicy const& policy) {
  Group group;
  group.add("allowed_execute_duration", policy.allowed_execute_duration)
      .add("allowed_job_duration", policy.allowed_job_duration)
      .add("job_lease_duration", policy.job_lease_duration);
  return group;
}

Group checkpoint_group(scenario::JobPolicy const& policy) {
  Group group;
  group.add("every_epochs", policy.checkpoint_every_epochs, 0)
      .add("exit_code", policy.checkpoint_exit_code, scenario::JobPolicy().checkpoint_exit_code);
  return group;
}

void write_strategy(Out out, ScenarioText const& scenario) {
  scenario::Strategy const& strategy = scenario.strategy;
  scenario::JobPolicy const& policy = strategy.retry.policy;
  Group match;
  match.add("requirements", policy.requirements).add("rank", policy.rank);
  std::vector<std::pair<char const*, Group>> const groups = {
      {"transfer", transfer_group(strategy)},
      {"retry", retry_group(policy)},
      {"match", match},
      {"limits", limits_group(policy)},
      {"checkpoint", checkpoint_group(policy)}};
  std::string text;
  for (auto const& [name, group] : groups) {
    if (group.empty()) continue;
    text += fmt::format("    {}:\n", name);
    for (auto const& item : group.items()) text += fmt::format("      {}\n", item);
  }
  fmt::format_to(out, "\nstrategies:\n  # {}. Add others to compare.\n", scenario.strategy_note);
  fmt::format_to(out, "  {}:{}\n{}", strategy.name, text.empty() ? " {}" : "", text);
}

}  // namespace

std::string scenario_yaml(ScenarioText const& scenario) {
  std::string text;
  Out const out = std::back_inserter(text);
  for (auto const& comment : scenario.comments) {
    fmt::format_to(out, "# {}\n", clean(comment));
  }
  fmt::format_to(out, "schema: {}\ntitle: {}\npool: {}\ncalibration: {}\n",
                 scenario::scenario_schema_name, yaml_text(scenario.title),
                 yaml_text(scenario.pool), yaml_text(scenario.calibration));
  write_campaign(out, scenario.campaign);
  write_strategy(out, scenario);
  fmt::format_to(out, "\nbaseline: {}\nstudy: {{replicas: {}, seed: 1}}\n", scenario.strategy.name,
                 scenario.replicas);
  return text;
}

}  // namespace gridcast::import

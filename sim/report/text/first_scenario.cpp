#include "sim/report/text/first_scenario.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/report/text/characters.hpp"

namespace gridcast::report {
namespace {

std::string quoted(std::string const& text) {
  std::string result = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string head_text(FirstScenario const& s) {
  std::string const modeline =
      s.schema.empty() ? "" : fmt::format("# yaml-language-server: $schema={}\n", s.schema);
  return modeline +
         fmt::format(
             R"(# A first scenario, by gridcast init. Every line may be changed; what the keys mean:
#   gridcast help scenario        gridcast help strategies        gridcast help units
schema: gridcast.scenario/1
title: {}
# What you want to know; reports show it above the answer.
question: How long will it take, and which strategy wastes least?

# Where it runs: sites, caches, origin and access point.
pool: {}
# How that grid behaves: fitted to campaigns that took place. Of your own logs:
#   gridcast calibrate my-campaign.log -o my-campaign.yaml
calibration: {}
)",
             quoted(s.title), quoted(s.pool), quoted(s.calibration));
}

std::string work_text(FirstScenario const& s) {
  if (s.dated) {
    return fmt::format(
        "  # As many times the work of the calibrated jobs.\n"
        "  work: {{profile: {}, epochs: 1, scale: {}}}\n",
        quoted(s.profile), s.work);
  }
  return fmt::format(
      "  # Passes over the data, of the workload that was calibrated.\n"
      "  work: {{profile: {}, epochs: {}}}\n",
      quoted(s.profile), s.work);
}

std::string campaign_text(FirstScenario const& s) {
  return fmt::format(R"(
campaign:
  # When, and how many: [{{at: 0 s, jobs: 50}}, {{at: 2 h, jobs: 50}}] submits in two goes.
  submit: [{{at: 0 s, jobs: {}}}]
  # What each asks for. With a disk (350 GB) or a GPU's memory (16 GB), sites that offer less are
  # never matched.
  request: {{gpus: 1}}
  # What each fetches before it computes.
  input: [{{url: "osdf:///my/input.tar", size: {}}}]
)",
                     s.jobs, s.input) +
         work_text(s);
}

constexpr char strategies_of_table[] = R"(
# Strategies to compare. An empty one is what HTCondor does by default.
strategies:
  published: {}
  # A transfer without a byte for 5 minutes is given up, instead of 60.
  stall-timeout-5min: {transfer: {stall_timeout: 5 min}}
  # The Pelican client's own rule: after 100 s the next cache, with what has arrived kept.
  next-cache:
    transfer: {stall_timeout: 100 s, check_interval: 0.5 s, on_stall: next_cache, resume: true}
  # A job waits 5 to 10 minutes after a failed transfer; the fifth failure holds it.
  cool-down: {retry: {on_transfer_failure: cool_down, delay: 5 min..10 min, times: 4}}
  # Jobs held for a failed transfer are released after 20 minutes, not when somebody looks.
  auto-release: {release: {transfer_holds_after: 20 min}}

# The strategy that the others are held against.
baseline: published
)";

constexpr char strategies_of_logs[] = R"(
# Strategies to compare. An empty one is what the calibrated campaign did.
strategies:
  as-recorded: {}
  # A job that fails runs again, at most three times.
  retries: {retry: {max_retries: 3}}
  # Jobs held for a failed transfer are released after a minute, not when somebody looks.
  auto-release: {release: {transfer_holds_after: 1 min}}

# The strategy that the others are held against.
baseline: as-recorded
)";

constexpr char study_text[] = R"(# How often each is played, and the seed of all luck.
study: {replicas: 200, seed: 1}
)";

}  // namespace

std::string first_scenario_text(FirstScenario const& scenario) {
  return head_text(scenario) + campaign_text(scenario) +
         (scenario.dated ? strategies_of_logs : strategies_of_table) + study_text;
}

bool is_plain_line(std::string const& text) {
  bool const control = std::any_of(text.begin(), text.end(), [](char c) {
    auto const byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
  });
  bool const blank = text.find_first_not_of(' ') == std::string::npos;
  return !control && !blank && is_utf8(text);
}

}  // namespace gridcast::report

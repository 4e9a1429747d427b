#include "sim/cli/predict_gpus.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/recovery_output.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/report/data/json.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::cli {
namespace {

/// Of one replica.
struct Outcome {
  double makespan = 0, succeeded = 0;
};

/// What a campaign with so many GPUs a job came to.
struct Answer {
  int gpus = 1;
  int jobs = 0;
  study::Summary makespan, gpu_hours, succeeded;    // hours, GPU hours
  std::map<std::uint32_t, Outcome> campaigns = {};  // by the number of the replica
  double gpu_hours_a_success = 0;                   // sum over sum; NaN without a success
  std::size_t none_succeeded = 0;                   // campaigns
  std::size_t soonest = 0, compared = 0;            // campaigns
};

std::vector<int> counts_of(std::string const& text) {
  std::vector<int> counts;
  constexpr int most = 1 << 16;
  for (std::string const& part : split(text, ',')) {
    std::string_view const digits = trim(part);
    int count = 0;
    auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    bool const good = error == std::errc() && end == digits.data() + digits.size() && count >= 1;
    if (good && count <= most) {
      counts.push_back(count);
      continue;
    }
    throw InputError(Problem{
        {}, fmt::format("--gpus: '{}' is no list of numbers of GPUs", text), "", "Write 1,2,4."});
  }
  return counts;
}

study::Summary scaled(study::StudySample const& sample, std::string_view name, double factor) {
  std::vector<double> values = study::column(sample, name);
  for (double& value : values) value *= factor;
  return study::summarise(std::move(values));
}

/// Where the slots of a log had numbers of GPUs of their own (gpus_per_slot): the question is what if
/// each job asked for so many, so the site's GPUs are shared out anew.
void share_out_gpus(scenario::Pool const& pool, std::vector<std::string>& overrides) {
  for (std::size_t i = 0; i < pool.sites.size(); ++i) {
    scenario::SiteSpec const& site = pool.sites[i];
    if (site.gpus_per_slot == 0) continue;
    overrides.push_back(fmt::format("pool.sites.{}.gpus_per_slot=0", i));
    if (site.slots > 0) {
      overrides.push_back(
          fmt::format("pool.sites.{}.slots={}", i, std::max(site.slots, site.gpus)));
    }
  }
}

scenario::Scenario with_gpus(GpuQuestion const& question, int gpus) {
  auto overrides = question.overrides;
  share_out_gpus(read_runnable_scenario(question.scenario, overrides).pool, overrides);
  overrides.push_back(fmt::format("campaign.request.gpus={}", gpus));
  scenario::Scenario scenario = read_runnable_scenario(question.scenario, overrides);
  if (scenario.campaign.work.catalogue) return scenario;
  throw InputError(Problem{{question.scenario.string()},
                           "--gpus: how long would the jobs take on more GPUs?",
                           "their work is calibrated, which says nothing of it",
                           "Let campaign.work.profile name a profile of the catalogue or a fitted "
                           "one (gridcast train --fit)."});
}

Answer answer_with(GpuQuestion const& question, scenario::Scenario const& scenario, int gpus) {
  scenario::Strategy const& strategy = chosen_strategy(scenario, question.strategy);
  auto const prediction =
      with_progress(question.study, study_options(question.study, scenario.study),
                    [&](auto const& study) { return study::predict(scenario, strategy, study); });
  constexpr double hour = 3600;
  auto const& sample = prediction.sample;
  Answer answer{gpus, prediction.jobs, scaled(sample, "makespan_s", 1 / hour),
                scaled(sample, "wallclock_s", gpus / hour), scaled(sample, "succeeded", 1)};
  auto const makespan = study::column(sample, "makespan_s");
  auto const succeeded = study::column(sample, "succeeded");
  for (std::size_t i = 0; i < sample.size(); ++i) {
    answer.campaigns[sample.replicas[i]] = {makespan[i], succeeded[i]};
    answer.none_succeeded += succeeded[i] == 0 ? 1 : 0;
  }
  auto const n = static_cast<double>(sample.size());
  answer.gpu_hours_a_success = answer.gpu_hours.mean * n / (answer.succeeded.mean * n);
  if (answer.succeeded.mean == 0) answer.gpu_hours_a_success = study::not_known;
  return answer;
}

/// In each campaign that all have: who is done first of those under whom at least 90 % as many jobs
/// succeed as under the best. Replicas of one number have the same world and luck.
void count_soonest(std::vector<Answer>& answers) {
  for (auto const& [replica, ignored] : answers.front().campaigns) {
    std::vector<Outcome> outcomes;
    for (Answer const& answer : answers) {
      auto const found = answer.campaigns.find(replica);
      if (found != answer.campaigns.end()) outcomes.push_back(found->second);
    }
    if (outcomes.size() < answers.size()) continue;
    double most = 0;
    for (Outcome const& each : outcomes) most = std::max(most, each.succeeded);
    std::size_t first = answers.size();
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      bool const enough = most > 0 && outcomes[i].succeeded >= study::as_many * most;
      bool const known = !std::isnan(outcomes[i].makespan);
      if (!enough || !known) continue;
      if (first == answers.size() || outcomes[i].makespan < outcomes[first].makespan) first = i;
    }
    for (Answer& answer : answers) ++answer.compared;
    if (first < answers.size()) ++answers[first].soonest;
  }
}

std::string short_number(double value) {
  return value < 1000 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
}

std::string range_text(study::Summary const& of) {
  if (of.n == 0) return "-";
  return fmt::format("{} ({} to {})", short_number(of.p50), short_number(of.p05),
                     short_number(of.p95));
}

std::string gpus_text(int gpus) {
  return fmt::format("{} GPU{} a job", gpus, gpus == 1 ? "" : "s");
}

/// Decided where the one that is first most often is so in more than half of the campaigns for sure.
std::string soonest_sentence(std::vector<Answer> const& answers) {
  auto const best = std::max_element(answers.begin(), answers.end(),
                                     [](auto& a, auto& b) { return a.soonest < b.soonest; });
  if (best->soonest == 0) return "No campaign is told to be done sooner than another.\n";
  bool const decided = proportion_interval(best->soonest, best->compared).low > 0.5;
  return fmt::format("{}: {} {} done soonest in {} of {} campaigns{}.\n",
                     decided ? "Soonest" : "Undecided", gpus_text(best->gpus),
                     best->gpus == 1 ? "is" : "are", best->soonest, best->compared,
                     decided ? "" : ", which is no majority for sure");
}

std::string cheapest_sentence(std::vector<Answer> const& answers) {
  Answer const* cheapest = nullptr;
  for (Answer const& answer : answers) {
    if (std::isnan(answer.gpu_hours_a_success)) continue;
    bool const less =
        cheapest == nullptr || answer.gpu_hours_a_success < cheapest->gpu_hours_a_success;
    if (less) cheapest = &answer;
  }
  if (cheapest == nullptr) return "No job succeeded.\n";
  return fmt::format("Fewest GPU hours for each job that succeeds: {} ({}).\n",
                     gpus_text(cheapest->gpus), short_number(cheapest->gpu_hours_a_success));
}

std::string text_of(std::vector<Answer> const& answers) {
  using report::Align;
  report::TextTable table({{"GPUs a job", Align::right},
                           {"makespan, h (90 %)", Align::right},
                           {"GPU hours (90 %)", Align::right},
                           {"GPU hours a success", Align::right},
                           {"jobs done", Align::right},
                           {"soonest in", Align::right}});
  std::string none;
  for (Answer const& answer : answers) {
    table.add_row(
        {fmt::format("{}", answer.gpus), range_text(answer.makespan), range_text(answer.gpu_hours),
         std::isnan(answer.gpu_hours_a_success) ? "-" : short_number(answer.gpu_hours_a_success),
         fmt::format("{:.3g} of {}", answer.succeeded.p50, answer.jobs),
         count_and_percent(answer.soonest, answer.compared)});
    if (answer.none_succeeded == 0) continue;
    none += fmt::format("With {} no job succeeds in {} campaigns.\n", gpus_text(answer.gpus),
                        count_and_percent(answer.none_succeeded, answer.campaigns.size()));
  }
  return table.str(screen()) + "\n" +
         report::fitted(soonest_sentence(answers) + cheapest_sentence(answers) + none, screen());
}

report::Json summary_json(study::Summary const& of) {
  if (of.n == 0) return nullptr;
  return {{"p05", report::json_number(of.p05)},
          {"p50", report::json_number(of.p50)},
          {"p95", report::json_number(of.p95)}};
}

std::string json_of(std::vector<Answer> const& answers) {
  report::Json rows = report::Json::array();
  for (Answer const& answer : answers) {
    rows.push_back({{"gpus", answer.gpus},
                    {"jobs", answer.jobs},
                    {"makespan_h", summary_json(answer.makespan)},
                    {"gpu_hours", summary_json(answer.gpu_hours)},
                    {"gpu_hours_per_success", report::json_number(answer.gpu_hours_a_success)},
                    {"succeeded", summary_json(answer.succeeded)},
                    {"none_succeeded", answer.none_succeeded},
                    {"soonest", answer.soonest},
                    {"compared", answer.compared}});
  }
  return report::json_text({{"schema", "gridcast.gpus/1"}, {"rows", std::move(rows)}});
}

}  // namespace

int answer_gpu_question(GpuQuestion const& question) {
  std::vector<std::pair<int, scenario::Scenario>> scenarios;
  for (int const gpus : counts_of(question.counts)) {
    scenarios.emplace_back(gpus, with_gpus(question, gpus));
  }
  std::vector<Answer> answers;
  for (auto const& [gpus, scenario] : scenarios) {
    answers.push_back(answer_with(question, scenario, gpus));
  }
  count_soonest(answers);
  print_results(question.study.json ? json_of(answers) : text_of(answers));
  return exit_code::done;
}

}  // namespace gridcast::cli

#include "sim/cli/predict_gpus.hpp"

#include <charconv>
#include <cmath>
#include <iostream>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/report/data/json.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::cli {
namespace {

/// What a campaign with so many GPUs a job came to.
struct Answer {
  int gpus = 1;
  int jobs = 0;
  study::Summary makespan, gpu_hours, succeeded;  // hours, GPU hours
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

scenario::Scenario with_gpus(GpuQuestion const& question, int gpus) {
  auto overrides = question.overrides;
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
  return {gpus, prediction.jobs, scaled(prediction.sample, "makespan_s", 1 / hour),
          scaled(prediction.sample, "wallclock_s", gpus / hour),
          scaled(prediction.sample, "succeeded", 1)};
}

std::string range_text(study::Summary const& of) {
  if (of.n == 0) return "-";
  return fmt::format("{:.3g} ({:.3g} to {:.3g})", of.p50, of.p05, of.p95);
}

std::string text_of(std::vector<Answer> const& answers) {
  using report::Align;
  report::TextTable table({{"GPUs a job", Align::right},
                           {"makespan, h (90 %)", Align::right},
                           {"GPU hours (90 %)", Align::right},
                           {"jobs done", Align::right}});
  Answer const* fastest = nullptr;
  Answer const* cheapest = nullptr;
  for (Answer const& answer : answers) {
    table.add_row({fmt::format("{}", answer.gpus), range_text(answer.makespan),
                   range_text(answer.gpu_hours),
                   fmt::format("{:.3g} of {}", answer.succeeded.p50, answer.jobs)});
    if (answer.makespan.n == 0) continue;
    if (!fastest || answer.makespan.p50 < fastest->makespan.p50) fastest = &answer;
    if (!cheapest || answer.gpu_hours.p50 < cheapest->gpu_hours.p50) cheapest = &answer;
  }
  std::string text = table.str();
  if (fastest) {
    text += fmt::format("\nsoonest done: {} GPU{} a job; fewest GPU hours: {} a job\n",
                        fastest->gpus, fastest->gpus == 1 ? "" : "s", cheapest->gpus);
  }
  return text;
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
                    {"succeeded", summary_json(answer.succeeded)}});
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
  std::cout << (question.study.json ? json_of(answers) : text_of(answers));
  return exit_code::done;
}

}  // namespace gridcast::cli

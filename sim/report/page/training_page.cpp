#include "sim/report/page/training_page.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/report/page/report_page.hpp"

namespace gridcast::report {
namespace {

constexpr int most_steps_drawn = 12;
constexpr int most_workers = 200;

struct Line {
  std::string_view words;
  Seconds time;
  bool good = false;
};

std::vector<Line> lines_of(training::TimeParts const& parts) {
  return {{"computing", parts.computing, true},
          {"optimizer", parts.optimizer, true},
          {"waiting for the slowest worker", parts.straggling},
          {"exchange of gradients", parts.exchange},
          {"waiting for data", parts.waiting},
          {"start", parts.start},
          {"copying the data first", parts.staging},
          {"warm-up", parts.warm_up},
          {"reading before training", parts.reading},
          {"epoch overhead", parts.epoch_overhead},
          {"validation", parts.validation},
          {"checkpoints", parts.saving}};
}

std::string percent(Seconds part, Seconds all) {
  return fmt::format("{:.0f} %", 100 * (part / all));
}

/// "Of 16 min, 67 % is computing and 33 % is lost, mostly to waiting for the slowest worker."
std::string where_it_goes(training::TrainingEstimate const& estimate) {
  Seconds good, most;
  std::string_view worst;
  for (auto const& line : lines_of(estimate.parts)) {
    if (line.good) {
      good += line.time;
    } else if (line.time > most) {
      most = line.time;
      worst = line.words;
    }
  }
  auto const& total = estimate.total;
  std::string text = fmt::format("{1} of {0} is computing", to_text(total), percent(good, total));
  if (!worst.empty()) {
    text += fmt::format(" and {} is not, mostly ({}) {}", percent(total - good, total),
                        percent(most, total), worst);
  }
  return text + ".";
}

ReportSection time_section(training::TrainingEstimate const& estimate) {
  ReportFigure figure{"waterfall-1",
                      "Time of the job by its use",
                      "waterfall",
                      {columns(text_column("line", "spent on"), text_column("part"),
                               number_column("seconds", "time", "s"), text_column("source"))},
                      where_it_goes(estimate)};
  for (auto const& line : lines_of(estimate.parts)) {
    if (!(line.time > Seconds())) continue;
    figure.data.rows.push_back(
        {std::string(line.words), line.good ? "good" : "bad", line.time.value(), "predicted"});
  }
  return {"where-the-time-went", "Where the time goes", {}, {std::move(figure)}};
}

/// Bars and events of one step after the other.
class Steps {
 public:
  Steps(Gantt& gantt, training::StepTime const& step, Seconds wait, int workers)
      : gantt_(gantt), step_(step), wait_(wait), workers_(static_cast<std::uint32_t>(workers)) {
    gantt_.reasons = {"waits for the slowest worker: no step begins before all gradients are there",
                      "waits for its batch"};
  }

  void add(int number) {
    gantt_.events.emplace_back(at_, 0, fmt::format("step {} begins on all workers", number));
    Seconds const begun = at_ + wait_;
    Seconds const own = begun + step_.compute();
    Seconds const slowest = own + step_.straggling;
    for (std::uint32_t worker = 0; worker < workers_; ++worker) {
      bar(worker, GanttPhase::transfer, at_, begun, 1);
      bool const last = worker + 1 == workers_;
      bar(worker, GanttPhase::executing, begun, last ? slowest : own, -1);
      if (!last) bar(worker, GanttPhase::waiting, own, slowest, 0);
      bar(worker, GanttPhase::checkpoint, slowest, slowest + step_.exchange, -1);
      bar(worker, GanttPhase::executing, slowest + step_.exchange, slowest + after(), -1);
    }
    for (std::uint32_t worker = 0; worker < workers_; ++worker) {
      bool const last = worker + 1 == workers_;
      gantt_.events.emplace_back(last ? slowest : own, worker,
                                 fmt::format("has its gradient of step {}", number));
    }
    gantt_.events.emplace_back(slowest + step_.exchange, workers_ - 1,
                               "all gradients are exchanged: the step can end");
    at_ = slowest + after();
  }

 private:
  Seconds after() const { return step_.exchange + step_.optimizer; }

  void bar(std::uint32_t worker, GanttPhase phase, Seconds from, Seconds to, std::int32_t reason) {
    if (!(to > from)) return;
    gantt_.bars.push_back({from, to, static_cast<std::uint8_t>(phase), worker,
                           static_cast<std::int32_t>(worker), reason});
  }

  Gantt& gantt_;
  training::StepTime const& step_;
  Seconds wait_;
  std::uint32_t workers_;
  Seconds at_;
};

std::string steps_say(training::TrainingSetup const& setup,
                      training::TrainingEstimate const& estimate) {
  auto const& step = estimate.step;
  if (setup.gpus == 1) return fmt::format("One GPU; a step takes {}.", to_text(step.total()));
  if (!(step.straggling > Seconds())) {
    return fmt::format("{} GPUs, all alike; a step takes {}.", setup.gpus, to_text(step.total()));
  }
  return fmt::format("{} GPUs; in each step of {} all wait {} for the slowest, the last row.",
                     setup.gpus, to_text(step.total()), to_text(step.straggling));
}

}  // namespace

Gantt training_steps(training::TrainingSetup const& setup,
                     training::TrainingEstimate const& estimate) {
  Gantt gantt;
  gantt.id = "gantt";
  gantt.title = "The first steps, worker by worker";
  int const workers = std::min(setup.gpus, most_workers);
  for (int i = 0; i < workers; ++i) {
    bool const last = i + 1 == workers;
    int const gpu = last ? setup.gpus - 1 : i;
    gantt.jobs.push_back(fmt::format("GPU {}", gpu));
    gantt.lanes.push_back({fmt::format("node {} GPU {}", gpu / setup.gpus_per_node(), gpu),
                           fmt::format("node {}", gpu / setup.gpus_per_node())});
  }
  Steps steps(gantt, estimate.step, std::max(Seconds(), estimate.step_mean - estimate.step.total()),
              workers);
  int const shown = std::min(most_steps_drawn, training::epoch_plan(setup).steps());
  for (int i = 1; i <= shown; ++i) steps.add(i);
  gantt.says = steps_say(setup, estimate);
  return gantt;
}

ReportDocument training_page(training::TrainingSetup const& setup,
                             training::TrainingEstimate const& estimate,
                             TrainingPageRequest const& request) {
  ReportDocument document;
  document.kind = request.kind;
  document.title = request.title;
  document.subtitle = fmt::format("One training job: {} GPUs ({}) on {}", setup.gpus, setup.gpu,
                                  counted(setup.nodes, "node"));
  document.created_by = request.created_by;
  document.command = request.command;
  document.answer = {where_it_goes(estimate)};
  if (!request.outcome.empty()) document.answer.push_back(request.outcome);
  document.question = request.question;
  document.assumptions = {
      "Training is synchronous: a step ends when every worker has every gradient.",
      "The times are those of the profile; docs/training.md describes them."};
  document.sections.push_back(time_section(estimate));
  ReportSection steps{"gantt", "Steps over time"};
  steps.gantt = training_steps(setup, estimate);
  auto const& bars = steps.gantt->bars;
  bool const more = std::any_of(bars.begin(), bars.end(), [](GanttBar const& bar) {
    return bar.phase == static_cast<std::uint8_t>(GanttPhase::transfer) ||
           bar.phase == static_cast<std::uint8_t>(GanttPhase::checkpoint);
  });
  if (more)
    steps.text = {"Here transfer is waiting for data, checkpoint the exchange of gradients."};
  document.sections.push_back(std::move(steps));
  document.cite = citation(document, {});
  document.sections.push_back(provenance({}, request.created_by, request.command, request.inputs));
  return document;
}

}  // namespace gridcast::report

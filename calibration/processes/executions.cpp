// Executions: the work of a job, the speed of a site, and their spreads. fits/speed_fit.hpp has the
// fit to event logs, and fits/execution_fit.hpp the fit to job tables.
#include <utility>

#include <fmt/format.h>

#include "calibration/processes/processes.hpp"
#include "sim/scenario/draw_setters.hpp"

namespace gridcast::calibration {

namespace {

template <std::size_t which, auto member>
void in_work_kind(scenario::ParameterDraw& draw, double value) {
  scenario::put(draw.work_kinds[which].*member, value);
}

template <std::size_t which>
void add_work_kind(std::vector<scenario::DrawColumn>& columns) {
  using scenario::WorkKind;
  using enum scenario::Allowed;
  std::string const name = fmt::format("work_kind_{}_", which + 1);
  columns.push_back({name + "share", probability, in_work_kind<which, &WorkKind::share>,
                     fmt::format("Share of the jobs that are of kind {}, whose work is around one "
                                 "value; no shares: ln(work) of all jobs is normal",
                                 which + 1)});
  columns.push_back({name + "center", deviation, in_work_kind<which, &WorkKind::center>,
                     "ln(median of their work / work_s), in units of job_sigma"});
  columns.push_back({name + "sigma", not_negative, in_work_kind<which, &WorkKind::sigma>,
                     "Standard deviation of their ln(work), in units of job_sigma"});
}

std::vector<scenario::DrawColumn> work_kind_columns() {
  std::vector<scenario::DrawColumn> columns;
  [&]<std::size_t... which>(std::index_sequence<which...>) { (add_work_kind<which>(columns), ...); }
  (std::make_index_sequence<scenario::most_work_kinds>());
  return columns;
}

}  // namespace

Process executions() {
  using namespace scenario;
  using enum Allowed;
  using Draw = ParameterDraw;
  using Site = SiteParameters;
  std::vector<DrawColumn> columns = {
      {"work_s", positive, in_draw<&Draw::work>,
       "Computing of the median job at speed 1, all epochs, s"},
      {"job_sigma", not_negative, in_draw<&Draw::job_sigma>,
       "Standard deviation of ln(work) between jobs"},
      {"execution_sigma", not_negative, in_draw<&Draw::execution_sigma>,
       "Standard deviation of ln(work) between executions of a job"},
      {"gpu_scaling", not_negative, in_draw<&Draw::gpu_scaling>,
       "Speed grows as the number of a job's GPUs to this power"}};
  auto const kinds = work_kind_columns();
  columns.insert(columns.end(), kinds.begin(), kinds.end());
  return {
      .described = {
          .name = "executions",
          .meaning = "the time that programs compute",
          .columns = std::move(columns),
          .site_columns = {
              {"unpack_s", not_negative, at_site<&Site::unpack>,
               "Before the work, at each execution, s"},
              {"epoch_family", family, at_site<&Site::epoch, &Distribution::family>,
               "Family of the time of an epoch: 0 exponential, 1 weibull, 2 gamma, 3 lognormal, 4 "
               "loglogistic"},
              {"epoch_shape", positive, at_site<&Site::epoch, &Distribution::shape>, "Its shape"},
              {"epoch_scale_s", positive, at_site<&Site::epoch, &Distribution::scale>,
               "Its scale, s"},
              {"epoch_shift_s", not_negative, at_site<&Site::epoch, &Distribution::shift>,
               "Constant added to it, s"},
              {"speed", positive, at_site<&Site::speed>,
               "Work done in a second, where work_s is given"},
              {"gpus_of_speed", count, at_site<&Site::gpus_of_speed>,
               "GPUs of a job that speed is for; 0: any number"}}}};
}

}  // namespace gridcast::calibration

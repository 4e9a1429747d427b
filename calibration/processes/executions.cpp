// Executions: the work of a job, the speed of a site, and their spreads. fits/speed_fit.hpp has the
// fit to event logs, and fits/execution_fit.hpp the fit to job tables.
#include "calibration/processes/processes.hpp"

namespace gridcast::calibration {

Process executions() {
  using namespace words_of_columns;
  return {
      .described = {
          .name = "executions",
          .meaning = "the time that programs compute",
          .columns = {{"work_s", positive, in_draw<&Draw::work>,
                       "Computing of the median job at speed 1, all epochs, s"},
                      {"job_sigma", not_negative, in_draw<&Draw::job_sigma>,
                       "Standard deviation of ln(work) between jobs"},
                      {"execution_sigma", not_negative, in_draw<&Draw::execution_sigma>,
                       "Standard deviation of ln(work) between executions of a job"},
                      {"gpu_scaling", not_negative, in_draw<&Draw::gpu_scaling>,
                       "Speed grows as the number of a job's GPUs to this power"}},
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

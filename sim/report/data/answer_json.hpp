// What a page that asks gets, as JSON: the controls of a scenario, and answers as they grow.
//   gridcast.controls/1  what can be turned, with what holds now (sim/scenario/controls.hpp)
//   gridcast.answer/1    the figures of the replicas that there are, one by one, so that two answers
//                        can be held against each other campaign by campaign; the last one with the
//                        text that `gridcast predict --json` prints
#pragma once

#include "sim/report/data/json.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/study/prediction.hpp"

namespace gridcast::report {

Json controls_json(scenario::Scenario const& scenario, scenario::Strategy const& strategy);

enum class AnswerPart { growing, last };
Json answer_json(study::Prediction const& prediction, AnswerPart part);

}  // namespace gridcast::report

// The answers to a page, as JSON that grows.
//   gridcast.answer/1      one strategy: its figures, and their values in each replica, by which
//                          two answers are compared campaign by campaign. The last one has the
//                          text that `gridcast forecast --json` prints.
//   gridcast.strategies/1  all strategies of a scenario by rank, with the choice in the words of
//                          `gridcast compare`
// The makespan is the time until the wanted jobs have succeeded, as in every verdict (choice.hpp).
// It is "never" in a replica in which they never do, and null if the replica has no dates.
#pragma once

#include "sim/report/data/json.hpp"
#include "sim/study/comparison.hpp"
#include "sim/study/prediction.hpp"

namespace gridcast::serve {

enum class AnswerPart { growing, last };

report::Json answer_json(study::Prediction const& prediction, AnswerPart part);
report::Json strategies_json(study::Comparison const& comparison, AnswerPart part);

}  // namespace gridcast::serve

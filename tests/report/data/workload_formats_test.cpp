#include "sim/report/data/workload_formats.hpp"

#include <regex>

#include <nlohmann/json.hpp>

#include "sim/base/files.hpp"
#include "sim/import/wfformat.hpp"
#include "tests/condor/random_history.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using enum history::EventKind;
using test::HistoryBuilder;

history::JobHistory three_jobs() {
  HistoryBuilder h({{7, 0}, {7, 1}, {8, 0}}, {"A", "B"});
  h.add(100, 0, submitted).add(100, 1, submitted).add(130.4, 2, submitted);
  h.add(110, 0, matched).on(0, 1).add(120, 0, executing).on(0, 1);
  h.add(140, 0, evicted, history::Reason::vacated).on(0, 1);
  h.add(150, 0, matched).on(1, 1).add(160, 0, executing).on(1, 1);
  h.add(1160, 0, transfer_output_started).on(1, 1).add(1170, 0, terminated).on(1, 1);
  h.add(1180, 1, aborted);
  history::JobHistory history = h.get();
  history.start_unix = 1'700'000'000;
  return history;
}

using Json = nlohmann::json;

history::JobHistory two_jobs() {
  HistoryBuilder h({{7, 0}, {7, 1}}, {"Site_A", "B"});
  h.add(0, 0, submitted).add(0, 1, submitted);
  h.add(10, 0, matched).on(0, 1).add(20, 0, executing).on(0, 1);
  h.add(120.5, 0, terminated).on(0, 1).add(200, 1, aborted);
  history::JobHistory history = h.get();
  history.start_unix = 1'700'000'000;
  return history;
}

Json written(history::JobHistory const& history,
             std::vector<scenario::InputFile> const& input = {}) {
  return Json::parse(wfformat_json(history, "campaign", input));
}

}  // namespace
}  // namespace gridcast::report

#include "sim/report/page/calibration_page.hpp"

#include "sim/report/page/report_page.hpp"
#include "tests/report/results.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using test::has_text;

/// Data at the quantiles of an exponential of mean 100 s, beside a fit of mean `fitted`.
ProcessBeside exponential(double fitted) {
  ProcessBeside process{"waiting", {}, 0, {}};
  Distribution const truth{Family::exponential, 1, 100, 0};
  for (int i = 0; i < 99; ++i) process.data.push_back(truth.quantile((i + 0.5) / 99));
  for (double const factor : {0.95, 1.0, 1.05}) {
    process.draws.emplace_back(Distribution{Family::exponential, 1, fitted * factor, 0});
  }
  return process;
}

TEST_CASE("a fit that is right has the data in its band, one that is wrong has not",
          "[calibration_section]") {
  CalibrationPage page;
  page.file = "c.yaml";
  page.processes = {exponential(100)};
  auto const right = calibration_sections(page).front();
  REQUIRE(right.figures.size() == 2);
  CHECK_THAT(right.figures[0].says,
             has_text("waiting: 99 durations, shares at most 0.00 off the fit (no surprise"));
  CHECK(right.figures[1].data.rows.size() == 99);
  page.processes = {exponential(1000)};
  CHECK_THAT(calibration_sections(page).front().figures[0].says, has_text("beyond chance"));
}

TEST_CASE("what was cut short counts in the shares", "[calibration_section]") {
  CalibrationPage page;
  page.processes = {{"execution", {1, 2}, 2, {Distribution{Family::exponential, 1, 2, 0}}}};
  auto const figure = calibration_sections(page).front().figures[0];
  // Half of the four lasted longer than any that is known.
  CHECK(std::get<double>(figure.data.rows[1][2]) == 0.5);
  CHECK_THAT(figure.says, has_text("2 durations and 2 cut short"));
}

TEST_CASE("the page states what the terminal states of a fit", "[calibration_section]") {
  CalibrationPage page;
  page.file = "c.yaml";
  CHECK_THAT(calibration_sections(page).front().text.back(), has_text("written by hand"));
  page.no_data = "The record is not here.";
  TextTable table(text_columns("parameter|>estimate"));
  table.add_row({"speed.PDX", "2"});
  page.sections = {Section{"parameters", "Parameters"}.show(table),
                   Section{"goodness-of-fit", "Tests of the models"},
                   Section{"not-identified", "Not identified"}.say("speed.KSU: no event.")};
  auto const sections = calibration_sections(page);
  REQUIRE(sections.size() == 2);  // nothing was tested
  CHECK(sections[0].text.back() == "The record is not here.");
  REQUIRE(sections[0].tables.size() == 1);
  CHECK(sections[0].tables[0].table.rows()[0][1].text == "2");
  CHECK(sections[1].text == std::vector<std::string>{"speed.KSU: no event."});
}

TEST_CASE("what lies outside its interval is named", "[observed_section]") {
  auto result = test::prediction_result();
  study::Summary predicted;
  predicted.p05 = 1;
  predicted.p95 = 3;
  result.against = study::RecordComparison();
  result.against->figures = {{"stalls", 2, predicted, 0.5, true},
                             {"holds", 9, predicted, 1, false}};
  result.against->executions.assign(4, {"1.0", "PDX", 100, 100, true});
  result.against->executions.back().within = false;
  result.against->executions.push_back({"1.1", "CHTC", 100, std::nan(""), false});
  auto const section = *observed_section({result}).section;
  CHECK(section.figures[0].says == "1 of 2 observed figures lie in the central 90 %; not holds.");
  CHECK_THAT(section.text.back(), has_text("1 execution at sites where"));
  REQUIRE(section.tables.size() == 2);
  CHECK(section.tables[1].table.rows().size() == 4);
  CHECK(std::get<double>(section.figures[0].data.rows[1][1]) == 9);
}

TEST_CASE("without a record there is nothing to say", "[observed_section]") {
  auto const part = observed_section({test::prediction_result()});
  CHECK_FALSE(part.section);
  CHECK(part.missing.empty());
}

TEST_CASE("true values inside and outside their intervals", "[validation_page]") {
  ValidationRequest request;
  request.title = "c1.yaml";
  request.parameters = {
      {"a", 2, {1, 3}, 5, 2.5, true}, {"b", 2, {1, 3}, 5, 4, false}, {"c", 2, {1, 3}, 0, 2, true}};
  auto const page = validation_page(request);
  CHECK(page.kind == "validation");
  CHECK(page.answer[0].starts_with("1 of 2 true values"));
  CHECK(page.answer[1] == "Outside: b.");
  auto const& rows = page.sections[0].figures[0].data.rows;
  REQUIRE(rows.size() == 3);
  CHECK(std::get<double>(rows[1][1]) == 4);
  CHECK(std::get<std::string>(rows[1][5]) == "no");
}

}  // namespace
}  // namespace gridcast::report

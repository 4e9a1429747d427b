#include <algorithm>

#include "sim/base/files.hpp"
#include "sim/base/statistics.hpp"
#include "sim/report/page/report_page.hpp"
#include "tests/report/results.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using test::has_text;

std::string text_of(ReportCell const& cell) { return std::get<std::string>(cell); }

std::size_t column_of(ReportRows const& rows, std::string const& name) {
  std::size_t at = 0;
  while (at < rows.columns.size() && rows.columns[at].name != name) ++at;
  REQUIRE(at < rows.columns.size());
  return at;
}

/// Under "hopeless" one of two jobs succeeds, and soon.
Result with_hopeless() {
  auto comparison = test::fake_comparison({"published", "better", "hopeless"});
  comparison.samples[2] =
      test::fake_sample({test::figures(100, 600, 1), test::figures(100, 600, 1)});
  auto result = result_of(comparison);
  result.source = "c.json";
  result.strategies[1].about = "A newer client. The sites install it.";
  return result;
}

TEST_CASE("the options have their words, the best first", "[front_page]") {
  auto result = with_hopeless();
  result.choice->state = study::ChoiceState::decided;
  auto const brief = front_page({result}, std::nullopt);
  REQUIRE(brief.options);
  auto const& rows = brief.options->data.rows;
  REQUIRE(rows.size() == 3);
  CHECK(text_of(rows[0][1]) == "better");
  CHECK(text_of(rows[0][2]) == "Recommended. A newer client. The sites install it.");
  CHECK(text_of(rows[1][2]) == "Baseline. No change.");
  CHECK(brief.question == "Which is best?");
  CHECK(brief.recommendation == "better: A newer client. The sites install it.");
}

TEST_CASE("an open choice recommends the best on average until more is known", "[front_page]") {
  auto result = with_hopeless();
  REQUIRE(result.choice->state == study::ChoiceState::undecided);
  auto const brief = front_page({result}, std::nullopt);
  CHECK_THAT(text_of(brief.options->data.rows[0][2]), has_text("Best on average."));
  CHECK_THAT(brief.recommendation, has_text("better, until more is known"));
  result.extrapolation = "input is 47 times larger";
  CHECK_THAT(front_page({result}, std::nullopt).recommendation, has_text("Test: run 2 of these"));
}

TEST_CASE("where the baseline is as good as the best, it is kept", "[front_page]") {
  auto result = with_hopeless();
  result.choice->state = study::ChoiceState::no_material_difference;
  result.choice->alike = {1, 0};
  CHECK(front_page({result}, std::nullopt).recommendation == "keep published.");
}

TEST_CASE("a strategy that loses jobs soon is never done", "[front_page]") {
  auto const brief = front_page({with_hopeless()}, std::nullopt);
  auto const& options = brief.options->data;
  CHECK(text_of(options.rows[2][1]) == "hopeless");
  CHECK(text_of(options.rows[2][column_of(options, "time_p50")]) == "never");
  CHECK(std::get<double>(options.rows[0][column_of(options, "time_p50")]) == Approx(5000));
  auto const& drawn = brief.figure->data;
  CHECK(brief.figure->spec == "trade_off");
  for (auto const& row : drawn.rows)
    CHECK((text_of(row[1]) == "hopeless") == (row[3] == ReportCell("never")));
}

TEST_CASE("the deadline has a share for the best strategy and the baseline", "[front_page]") {
  // "better" is done after 5,000 and 10,000 s, "published" after 10,000 and 20,000 s.
  auto const brief = front_page({with_hopeless()}, Seconds(12000));
  CHECK_THAT(brief.deadline, has_text("2 jobs finish by the deadline of 3.33 h"));
  CHECK_THAT(brief.deadline, has_text("in > ") && has_text("50 % ±49 with published"));
  auto const& options = brief.options->data;
  CHECK(std::get<double>(options.rows[0][column_of(options, "met")]) == 100);
  CHECK(std::get<double>(options.rows[2][column_of(options, "met")]) == 0);
}

/// Zero if the figure has no such parameter.
double parameter(ReportFigure const& figure, std::string const& name) {
  for (auto const& [key, value] : figure.params) {
    if (key == name) return std::get<double>(value);
  }
  return 0;
}

TEST_CASE("a deadline is on the time axis, or far behind all options in words", "[front_page]") {
  auto const near = *front_page({with_hopeless()}, Seconds(45000)).figure;
  CHECK(parameter(near, "deadline_s") == 45000);
  CHECK(parameter(near, "end_s") >= 45000);
  auto const far = *front_page({with_hopeless()}, Seconds(1e6)).figure;
  CHECK(parameter(far, "deadline_s") == 0);
  CHECK(parameter(far, "end_s") < 30000);
  CHECK_THAT(far.says, has_text("The deadline of 11.6 d is beyond the figure."));
  auto never = with_hopeless();
  for (auto& strategy : never.strategies) {
    for (Seconds& time : strategy.finish->reached) time = Seconds(infinity);
  }
  auto const none = *front_page({never}, Seconds(1e6)).figure;
  CHECK(parameter(none, "deadline_s") == 1e6);
  CHECK(parameter(none, "end_s") > 1e6);
}

TEST_CASE("the recommended option is drawn, also where too few jobs finish", "[front_page]") {
  auto result = with_hopeless();
  REQUIRE(result.strategies[2].rank == study::Rank::too_few_succeed);
  result.choice->state = study::ChoiceState::decided;
  for (std::size_t const best : {1, 2}) {
    result.choice->best = best;
    auto const rows = front_page({result}, std::nullopt).figure->data.rows;
    CHECK(std::ranges::count_if(rows, [](auto const& row) {
            return text_of(row[1]) == "hopeless";
          }) == (best == 2 ? 1 : 0));
  }
}

TEST_CASE("strategies that were stopped early have fewer campaigns", "[front_page]") {
  auto result = with_hopeless();
  result.assumed = {"A job is assumed to take 4 h."};
  CHECK(front_page({result}, std::nullopt).assumptions.front() == "A job is assumed to take 4 h.");
  ReportRequest request;
  request.results = {result};
  CHECK_THAT(report_page(request).subtitle, has_text("3 strategies, 2 simulated campaigns each"));
  request.results[0].strategies[2].stopped = true;
  CHECK_THAT(report_page(request).subtitle,
             has_text("3 strategies, up to 2 simulated campaigns each"));
}

TEST_CASE("a share of the campaigns is the same number in sentence and table", "[front_page]") {
  auto result = with_hopeless();
  result.strategies[0].sample = {};  // as one from JSON, which has the quantiles alone
  auto& reached = result.strategies[0].finish->reached;
  // Quantiles in 39 steps, of which nine end in time: 9 of 40 campaigns, 22.5 %.
  reached.assign(10, Seconds(1));
  reached.resize(40, Seconds(1e6));
  result.strategies[0].replicas = 40;
  result.strategies[0].sample = {};  // as read from JSON
  auto const brief = front_page({result}, Seconds(12000));
  CHECK_THAT(brief.deadline, has_text("22 % ±14 with published"));
  auto const& options = brief.options->data;
  CHECK(text_of(options.rows[1][1]) == "published");
  CHECK(std::get<double>(options.rows[1][column_of(options, "met")]) == 22);
}

TEST_CASE("without a deadline the front page shows how long the wanted jobs take", "[front_page]") {
  auto const brief = front_page({with_hopeless()}, std::nullopt);
  CHECK_THAT(brief.deadline, has_text("with better, within 1.4 h in half"));
}

TEST_CASE("results of two scenarios have a brief each and an overview", "[front_page]") {
  auto other = test::comparison_result();
  other.scenario = "t.yaml";
  other.scenario_sha256 = "def";
  other.title = "Four trainings";
  ReportRequest request;
  request.results = {with_hopeless(), other};
  auto const page = report_page(request);
  CHECK(page.title == "Two trainings");
  REQUIRE(page.others.size() == 1);
  CHECK(page.others[0].title == "Four trainings");
  REQUIRE(page.overview);
  CHECK(page.overview->data.rows.size() == 2);
  CHECK(text_of(page.overview->data.rows[0][1]) == "better");
  std::vector<std::string> ids;
  for (auto const& section : page.sections) {
    CHECK(std::find(ids.begin(), ids.end(), section.id) == ids.end());
    ids.push_back(section.id);
  }
  CHECK(page.sections.back().id == "provenance");
}

TEST_CASE("a changed scenario is distinguished by its file", "[front_page]") {
  auto changed = test::comparison_result();
  changed.scenario_sha256 = "def";
  changed.source = "later.json";
  ReportRequest request;
  request.results = {test::comparison_result(), changed};
  CHECK(report_page(request).others[0].title == "Two trainings (later.json)");
}

TEST_CASE("the citation comes from CITATION.cff", "[front_page]") {
  auto const cff = read_text_file(test::source_dir() / "CITATION.cff");
  ReportDocument document;
  document.title = "T";
  document.created_by = "gridcast 1.2 (abc)";
  auto const text = citation(document, {test::comparison_result()});
  for (std::string const part : {"10.1016/j.jpdc.2014.06.008", "The gridcast developers", "2014"}) {
    CHECK_THAT(cff, has_text(part));
    CHECK_THAT(text[0] + text[1], has_text(part));
  }
  CHECK_THAT(text[2], has_text("\"T\". Made by gridcast 1.2 (abc)") && has_text("seed 7"));
}

}  // namespace
}  // namespace gridcast::report

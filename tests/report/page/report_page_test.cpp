#include "sim/report/page/report_page.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "sim/base/json_fields.hpp"
#include "sim/report/page/document.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/report/results.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using test::has_text;

ReportSection const* section(ReportDocument const& document, std::string const& id) {
  for (auto const& each : document.sections) {
    if (each.id == id) return &each;
  }
  return nullptr;
}

ReportDocument page_of(std::vector<Result> results) {
  ReportRequest request;
  request.results = std::move(results);
  request.command = "gridcast export html";
  return report_page(request);
}

Result ledger_result(history::JobHistory const& history) {
  return result_of(ledger::account(history), true);
}

TEST_CASE("a comparison's page has the sections in the order of reading", "[report_page]") {
  auto const page = page_of({test::comparison_result()});
  std::vector<std::string> ids;
  for (auto const& each : page.sections) ids.push_back(each.id);
  CHECK(ids == std::vector<std::string>{"verdict", "finish", "where-the-time-went", "strategies",
                                        "sites", "provenance"});
  CHECK(page.kind == "comparison");
  CHECK(page.question == "Which is best?");
}

TEST_CASE("the page and the JSON have the same numbers", "[report_page]") {
  auto const json = result_json(test::comparison_result());
  auto const page = page_of({test::comparison_result()});
  auto const* strategies = section(page, "strategies");
  auto const& metrics = json["strategies"]["better"]["metrics"];
  auto const& columns = strategies->table->data.columns;
  auto const& row = strategies->table->data.rows[1];
  CHECK(std::get<std::string>(row[0]) == "better");
  for (auto const* name : {"succeeded_p50", "badput_s_p05", "goodput_fraction_p95"}) {
    auto const at = std::find_if(columns.begin(), columns.end(),
                                 [&](auto const& column) { return column.name == name; });
    std::string const column(name);
    auto const& figure = metrics[column.substr(0, column.size() - 4)];
    double const scale = at->unit == "%" ? 100 : 1;
    CHECK(std::get<double>(row[static_cast<std::size_t>(at - columns.begin())]) ==
          Approx(scale * figure[column.substr(column.size() - 3)].get<double>()));
  }
  // The mean of every line of the ledger.
  auto const& waterfall = section(page, "where-the-time-went")->figures.front().data;
  auto const& first = json["strategies"]["published"]["metrics"];
  CHECK(std::get<double>(waterfall.rows[0][2]) == first["compute_success_s"]["mean"].get<double>());
}

TEST_CASE("a result that was written and read makes the same page", "[report_page]") {
  study::StudySample const sample =
      test::fake_sample({test::figures(7200, 10000, 2), test::figures(9000, 20000, 1)});
  study::RecordComparison rows;
  rows.figures.push_back({"badput_s", 8000, study::summarise(sample, "badput_s"), 0.5, true});
  rows.executions.push_back({"1.0", "PDX", 11000, 10900, true});
  rows.sites["PDX"]["badput_s"] = 8000;
  study::Prediction prediction = test::prediction_of_two();
  prediction.failed = {{5, "killed"}};
  auto const history = test::HistoryBuilder({{1, 0}, {1, 1}}, {"PDX"})
                           .add(0, 0, history::EventKind::submitted)
                           .add(0.1234567, 0, history::EventKind::matched)
                           .on(0)
                           .add(20, 0, history::EventKind::executing)
                           .on(0)
                           .add(120, 0, history::EventKind::terminated)
                           .on(0)
                           .get();
  for (auto const& result : {test::comparison_result(), result_of(prediction, rows),
                             replay_result(prediction, rows), ledger_result(history)}) {
    INFO(name(result.kind));
    CHECK(document_json(page_of({result})) == document_json(page_of({test::read_back(result)})));
  }
}

TEST_CASE("every figure says something, and its rows fit its columns", "[report_page]") {
  for (auto const& page :
       {page_of({test::comparison_result()}), page_of({test::prediction_result()}),
        page_of({test::comparison_result(), test::prediction_result()})}) {
    for (auto const& each : page.sections) {
      for (auto const& figure : each.figures) {
        INFO(figure.id);
        CHECK(figure.says.size() > 10);
        CHECK_FALSE(figure.spec.empty());
        for (auto const& row : figure.data.rows) CHECK(row.size() == figure.data.columns.size());
      }
    }
  }
}

TEST_CASE("the answer has its uncertainty and the best strategy", "[report_page]") {
  auto const page = page_of({test::comparison_result()});
  REQUIRE(page.answer.size() >= 3);
  CHECK_THAT(page.answer[0], has_text("better is the fastest of those that finish as many jobs"));
  CHECK_THAT(page.answer[1], has_text("With the better strategy 2 of 2 jobs finish"));
  // The baseline loses 9,000 s of 16,200 s on average: 56 %.
  CHECK_THAT(page.answer[2], has_text("56 % of the slot time is lost"));
  CHECK_THAT(page.answer[2], has_text("to retried transfers"));
  CHECK_THAT(page.answer[2], has_text("2 of 2 jobs finish, in 2.8 h (2.8 to 5.6)"));
}

TEST_CASE("a campaign without jobs, without dates or without a success has a page",
          "[report_page]") {
  auto const none = page_of({ledger_result(history::JobHistory())});
  CHECK_THAT(none.answer[0], has_text("no job"));

  history::JobHistory undated =
      test::HistoryBuilder({{1, 0}}, {"PDX"})
          .add(0, 0, history::EventKind::submitted)
          .add(0, 0, history::EventKind::matched)
          .on(0)
          .add(10, 0, history::EventKind::held, history::Reason::transfer_failed)
          .on(0)
          .get();
  undated.dated = false;
  undated.retries_opaque = true;
  auto const page = page_of({ledger_result(undated)});
  CHECK_THAT(page.answer[0],
             has_text("0 of 1 job succeeded, 1 was held for good; the source has no dates"));
  CHECK(section(page, "finish") == nullptr);
  CHECK(std::any_of(page.notices.begin(), page.notices.end(), [](auto const& notice) {
    return notice.text.find("no dates") != std::string::npos;
  }));
}

TEST_CASE("a study of which every replica failed has a page", "[report_page]") {
  auto prediction = test::fake_prediction({});
  prediction.failed = {{0, "SimGrid says no"}};
  prediction.requested = 1;
  auto const page = page_of({result_of(prediction)});
  CHECK_THAT(page.answer[0], has_text("No campaign was finished"));
  CHECK_THAT(page.notices[0].text, has_text("SimGrid says no"));
}

TEST_CASE("with a thousand strategies the table has all and the figures the best",
          "[report_page]") {
  std::vector<std::string> names;
  for (int i = 0; i < 1000; ++i) names.push_back("s" + std::to_string(i));
  auto const page = page_of({test::comparison_result(names)});
  auto const* strategies = section(page, "strategies");
  CHECK(strategies->table->data.rows.size() == 1000);
  CHECK(strategies->figures.back().data.rows.size() == 9 * 3);
  CHECK(page.options->data.rows.size() == 12);
  CHECK_THAT(strategies->text[0], has_text("10 of 1000"));
  CHECK(html_report(page, "<!--GRIDCAST-DATA-->").size() < 1'000'000);
}

TEST_CASE("names with quotes, line breaks and right-to-left text stay themselves",
          "[report_page]") {
  std::vector<std::string> const names = {"a \"b\" 'c'", "two\nlines", "שלום",
                                          "</script><img onerror=x>"};
  auto const page = html_report(page_of({test::comparison_result(names)}), "<!--GRIDCAST-DATA-->");
  CHECK(page.find("<img") == std::string::npos);
  auto const from = page.find('{');
  auto const json = nlohmann::json::parse(page.substr(from, page.rfind("</script>") - from));
  auto const& sections = json["sections"];
  auto const strategies = std::find_if(sections.begin(), sections.end(),
                                       [](auto const& each) { return each["id"] == "strategies"; });
  auto const rows = (*strategies)["table"]["rows"];
  for (std::size_t i = 0; i < names.size(); ++i) CHECK(rows[i][0] == names[i]);
}

std::string fact(ReportSection const& section, std::string const& name) {
  for (auto const& each : section.facts) {
    if (each.name == name) return each.value;
  }
  return "";
}

TEST_CASE("command, seed, hashes and the scenario's text", "[provenance]") {
  auto const section =
      provenance({test::prediction_result()}, "gridcast 1.2 (abc)", "gridcast forecast s.yaml",
                 {{"scenario", "s.yaml", "12ab", "title: x\n"}, {"pool", "p.yaml", "34cd", ""}});
  CHECK(fact(section, "command") == "gridcast forecast s.yaml");
  CHECK(fact(section, "page made by") == "gridcast 1.2 (abc)");
  CHECK(fact(section, "seed") == "7");
  CHECK(fact(section, "campaigns") == "2 of 2");
  CHECK(fact(section, "SHA-256 of scenario and pool") == "abc");
  CHECK(fact(section, "s.yaml") == "title: x\n");
  REQUIRE(section.table);
  CHECK(section.table->data.rows.size() == 2);
  CHECK(std::get<std::string>(section.table->data.rows[1][2]) == "34cd");
}

TEST_CASE("with several results each fact names its own", "[provenance]") {
  auto const section =
      provenance({test::prediction_result(), test::comparison_result()}, "g", "c", {});
  CHECK(fact(section, "p.json: seed") == "7");
  CHECK(fact(section, "c.json: seed") == "7");
  CHECK_FALSE(section.table);
}

}  // namespace
}  // namespace gridcast::report

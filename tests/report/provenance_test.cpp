#include "sim/report/page/provenance.hpp"

#include <algorithm>

#include "tests/report/results.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

std::string fact(ReportSection const& section, std::string const& name) {
  for (auto const& each : section.facts) {
    if (each.name == name) return each.value;
  }
  return "";
}

TEST_CASE("command, seed, hashes and the scenario's text", "[provenance]") {
  auto const section =
      provenance({test::prediction_result()}, "gridcast 1.2 (abc)", "gridcast predict s.yaml",
                 {{"scenario", "s.yaml", "12ab", "title: x\n"}, {"pool", "p.yaml", "34cd", ""}});
  CHECK(fact(section, "command") == "gridcast predict s.yaml");
  CHECK(fact(section, "page made by") == "gridcast 1.2 (abc)");
  CHECK(fact(section, "seed") == "7");
  CHECK(fact(section, "replicas") == "2 of 2");
  CHECK(fact(section, "SHA-256 of scenario and pool") == "abc");
  CHECK(fact(section, "s.yaml") == "title: x\n");
  REQUIRE(section.table);
  CHECK(section.table->data.rows.size() == 2);
  CHECK(std::get<std::string>(section.table->data.rows[1][2]) == "34cd");
}

TEST_CASE("of several results each fact says whose it is", "[provenance]") {
  auto const section =
      provenance({test::prediction_result(), test::comparison_result()}, "g", "c", {});
  CHECK(fact(section, "p.json: seed") == "7");
  CHECK(fact(section, "c.json: seed") == "7");
  CHECK_FALSE(section.table);
}

}  // namespace
}  // namespace gridcast::report

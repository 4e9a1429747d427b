#include "sim/ledger/metrics.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "tests/test.hpp"

namespace gridcast::ledger {
namespace {

double value(Ledger const& ledger, std::string_view name) {
  for (auto const& metric : metrics(ledger, MetricScope::replica)) {
    if (metric.name == name) return metric.value;
  }
  FAIL("no metric " << name);
  return 0;
}

TEST_CASE("docs/ledger.md defines the metrics as the table does, in its order", "[metrics]") {
  std::string table = "| name | definition |\n|---|---|\n";
  for (auto const& metric : all_metrics()) {
    table += fmt::format("| `{}` | {} |\n", metric.name, metric.definition);
  }
  CHECK_THAT(read_text_file(test::source_dir() / "docs/ledger.md"), test::has_text(table + "\n"));
}

TEST_CASE("every metric has a name of its own, words and a unit that go together", "[metrics]") {
  std::set<std::string_view> names, labels;
  for (auto const& metric : all_metrics()) {
    INFO(metric.name);
    CHECK(names.insert(metric.name).second);
    CHECK(labels.insert(metric.label).second);
    bool const time = metric.unit == Unit::hours || metric.unit == Unit::days;
    CHECK(metric.name.ends_with("_s") == time);
    CHECK(find_metric(metric.name) == &metric);
  }
  CHECK(find_metric("nothing_of_ours") == nullptr);
}

TEST_CASE("every line of slot time is part of the ledger's sums", "[metrics]") {
  LedgerLines lines;
  double size = 1;
  for (auto const& line : slot_time_lines()) lines.*line.time = Seconds(size *= 2);
  double sum = 0, lost = 0;
  for (auto const& line : slot_time_lines()) {
    for (auto const& metric : metrics(lines, false)) {
      if (metric.name != line.name) continue;
      sum += metric.value;
      lost += line.lost ? metric.value : 0;
    }
  }
  CHECK(sum == lines.wallclock().value());
  CHECK(lost == lines.badput().value());
  CHECK(lost == sum - lines.compute_success.value() - lines.transfer_success.value());
}

/// All of `some` are among `more`.
bool among(std::vector<std::string> const& some, std::vector<std::string> const& more) {
  return std::all_of(some.begin(), some.end(), [&](std::string const& name) {
    return std::find(more.begin(), more.end(), name) != more.end();
  });
}

TEST_CASE("campaigns have all figures of sites, and replicas have all figures of campaigns",
          "[metrics]") {
  using enum MetricScope;
  std::vector<std::string> before;
  for (MetricScope const what : {kept_site, open_site, site, campaign, replica}) {
    auto const names = metric_names(what);
    CHECK(names.size() > before.size());
    CHECK(among(before, names));
    before = names;
  }
  CHECK(before.size() == all_metrics().size());
  // Without a job, counts and times are zero, and are known.
  for (auto const& value : metrics(Ledger(), site)) {
    INFO(value.name);
    CHECK(value.available);
  }
}

TEST_CASE("each answer has an order of its own for the metrics that it shows", "[metrics]") {
  for (auto const answer : {ShownIn::explanations, ShownIn::comparison, ShownIn::differences,
                            ShownIn::page, ShownIn::question}) {
    auto const shown = metrics_shown(answer);
    REQUIRE_FALSE(shown.empty());
    CHECK(std::count(shown.begin(), shown.end(), nullptr) == 0);
    CHECK(std::set<Metric const*>(shown.begin(), shown.end()).size() == shown.size());
  }
  for (auto const& metric : all_metrics()) {
    INFO(metric.name);
    bool const is_ratio = !metric.ratio.top.empty();
    CHECK(is_ratio == (find_metric(metric.ratio.top) != nullptr));
    CHECK(is_ratio == (find_metric(metric.ratio.bottom) != nullptr));
  }
  auto const compared = metrics_shown(ShownIn::comparison);
  auto const is_compared = [&](Metric const* metric) {
    return std::count(compared.begin(), compared.end(), metric) == 1;
  };
  // Differences to the baseline are counted for what is compared.
  auto const differences = metrics_shown(ShownIn::differences);
  CHECK(std::all_of(differences.begin(), differences.end(), is_compared));
  CHECK(is_compared(find_metric(deciding_metric)));
}

// Job k ends at second 10 k. The metric is the first of these seconds at which at least 19 of 20
// jobs had ended.
TEST_CASE("95 % of the jobs had ended no sooner and no later than they had", "[metrics]") {
  for (std::size_t jobs = 1; jobs <= 200; ++jobs) {
    INFO(jobs << " jobs");
    Ledger ledger;
    ledger.dated = true;
    ledger.makespan = Seconds(10.0 * static_cast<double>(jobs));
    for (std::size_t job = jobs; job > 0; --job) {  // the order of jobs is not that of their ends
      ledger.outcomes.emplace_back().ended_at = Seconds(10.0 * static_cast<double>(job));
    }
    std::size_t ended = 1;
    while (20 * ended < 19 * jobs) ++ended;
    CHECK(value(ledger, "makespan_95_s") == 10.0 * static_cast<double>(ended));
  }
}

TEST_CASE("shares and dispersion of stalls count jobs", "[metrics]") {
  Ledger ledger;
  for (std::uint32_t const stalls : {0U, 0U, 9U, 10U, 11U}) {
    ledger.outcomes.emplace_back().stalls = stalls;
  }
  CHECK(value(ledger, "stall_free_share") == 2.0 / 5);
  CHECK(value(ledger, "ten_stalls_share") == 2.0 / 5);
  // Mean 6, squares of the deviations 36 + 36 + 9 + 16 + 25.
  CHECK(value(ledger, "stall_dispersion") == Approx(122.0 / 4 / 6).epsilon(1e-12));
}

}  // namespace
}  // namespace gridcast::ledger

// Requirements and rank in the engine, whether matches are simulated or take a known time.
#include "sim/engine/job_ad.hpp"
#include "tests/engine/events.hpp"
#include "tests/engine/timed_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

/// Three sites, a, b and c, with slots for all jobs.
Grid three_sites(bool timed, int jobs) {
  Grid grid = timed ? timed_grid(jobs, jobs) : quiet_grid(jobs, jobs);
  scenario::SiteSpec const spec = grid.pool.sites[0];
  grid.pool.sites.clear();
  for (char const* name : {"a", "b", "c"}) {
    grid.pool.sites.push_back(spec);
    grid.pool.sites.back().name = name;
    grid.draw.sites[name] = grid.site();
  }
  return grid;
}

std::vector<int> matches_by_site(history::JobHistory const& history) {
  std::vector<int> matches(3);
  for (history::JobEvent const& event : history.events) {
    if (event.kind == history::EventKind::matched) ++matches[event.site.index()];
  }
  return matches;
}

}  // namespace

TEST_CASE("requirements leave sites out") {
  Grid grid = three_sites(GENERATE(false, true), 60);
  // The first asks the job as well; the others ask the slot alone, and are evaluated once a site.
  std::string const rule =
      GENERATE(R"(NumJobStarts >= 0 && TARGET.GLIDEIN_Site =!= "b")",
               R"(TARGET.GLIDEIN_ResourceName =!= "b")", R"(GLIDEIN_ResourceName != "b")");
  policy_of(grid).requirements = classad::parse(rule);
  auto const matches = matches_by_site(grid.run().history);
  CHECK(matches[1] == 0);
  CHECK(matches[0] > 10);  // binomial(60, 1/2): fewer once in 10^7
  CHECK(matches[2] > 10);
}

TEST_CASE("a rank prefers sites while they have free slots") {
  bool const is_timed = GENERATE(false, true);
  Grid grid = three_sites(is_timed, 30);
  policy_of(grid).rank = classad::parse(R"(GLIDEIN_ResourceName == "c")");
  CHECK(matches_by_site(grid.run().history) == std::vector{0, 0, 30});
  grid.pool.sites[2].gpus = 7;
  CHECK(matches_by_site(grid.run().history)[2] == 7);
}

// A name without a prefix is looked up in the job's ad first, and in the slot's where the job has
// none: no job has GLIDEIN_ResourceName.
TEST_CASE("requirements without TARGET refer to the slot, after any earlier slots") {
  Grid grid = three_sites(true, 20);
  for (auto& [name, site] : grid.draw.sites) site.evict_per_second = 1 / 1000.0;
  policy_of(grid).requirements = classad::parse(R"(GLIDEIN_ResourceName != "b")");
  history::JobHistory const history = grid.run().history;
  CHECK(matches_by_site(history)[1] == 0);
  CHECK(count(history, history::EventKind::aborted) == 0);
  CHECK(count(history, history::EventKind::evicted) > 5);
}

TEST_CASE("requirements may look at where the job was before") {
  Grid grid = three_sites(true, 20);
  for (auto& [name, site] : grid.draw.sites) site.evict_per_second = 1 / 1000.0;
  policy_of(grid).requirements =
      classad::parse("TARGET.GLIDEIN_ResourceName =!= MY.MachineAttrGLIDEIN_ResourceName0");
  history::JobHistory const history = grid.run().history;
  int rematches = 0;
  for (std::size_t job = 0; job < history.jobs.size(); ++job) {
    Id<history::Site> last;
    for (history::JobEvent const& event : events_of(history, job)) {
      if (event.kind != history::EventKind::matched) continue;
      rematches += last.valid();
      CHECK(event.site != last);
      last = event.site;
    }
  }
  CHECK(rematches > 5);
}

TEST_CASE("jobs that no slot suits are removed after three months") {
  bool const is_timed = GENERATE(false, true);
  Grid grid = three_sites(is_timed, 3);
  grid.pool.negotiator.interval = Seconds(60);
  policy_of(grid).requirements = classad::parse("false");
  for (auto& [name, site] : grid.draw.sites) site.pilot_death_per_second = 1e-4;
  history::JobHistory const history = grid.run().history;
  CHECK(count(history, history::EventKind::aborted) == 3);
  CHECK(history.events.back().at >= days(90));
  CHECK(history.events.back().at < days(181));
}

}  // namespace gridcast::test

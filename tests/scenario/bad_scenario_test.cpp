#include "sim/scenario/scenario.hpp"
#include "tests/scenario/files.hpp"
#include "tests/test.hpp"

namespace gridcast::scenario {

using test::calibration_name;
using test::has_text;
using test::pool_name;
using test::scenario_name;
using test::ScenarioFiles;

namespace {

struct BadLine {
  std::string from, to;
  std::string printed;  // the one problem begins like this
  std::string part;     // and has this in it
};

/// The scenario with one change gives one problem.
void check_bad(std::vector<BadLine> const& lines) {
  for (BadLine const& line : lines) {
    ScenarioFiles files;
    files.edit(scenario_name, line.from, line.to);
    auto const found = files.problems();
    CAPTURE(line.from, line.to, found);
    REQUIRE(found.size() == 1);
    CHECK(found[0].substr(0, line.printed.size()) == line.printed);
    CHECK_THAT(found[0], has_text(line.part));
  }
}

}  // namespace

TEST_CASE("Keys: unknown, repeated, missing") {
  check_bad({
      {"question:", "qestion:", "scenario.yaml:3:1: unknown key 'qestion'",
       "Did you mean 'question'?"},
      {"disk: 350 GB", "dissk: 350 GB", "scenario.yaml:8:22: campaign.request: unknown key 'dissk'",
       "Did you mean 'disk'?"},
      {"resume:", "zebra:", "scenario.yaml:14:65: strategies.next.transfer: unknown key 'zebra'",
       "Known: protocol, stall_timer, stall_timeout, "},
      {"question:", "title:", "scenario.yaml:3:1: key 'title' is given twice (first in line 2)",
       "Remove one."},
      {"next:", "cool:", "scenario.yaml:14:3: strategies: key 'cool' is given twice", "line 13"},
      {"title: A campaign\n", "", "scenario.yaml:1:1: key 'title' is missing", "in a line"},
      {"profile: resnet50-imagenet, ", "",
       "scenario.yaml:10:9: campaign.work: key 'profile' is missing", "workload"},
      {"after_stalls: 2, ", "",
       "scenario.yaml:15:31: strategies.avoid.match.avoid_site: key 'after_stalls' is missing", ""},
      {"match: {avoid_site: {after_stalls: 2, for: 2 h}}", "match: {avoid_hosts: [node7]}",
       "scenario.yaml:15:32: strategies.avoid.match.avoid_hosts: no host has a name here",
       "calibration of the record"},
      {"match: {avoid_site: {after_stalls: 2, for: 2 h}}", "submit: {jobs_in_one: 2}",
       "scenario.yaml:15:33: strategies.avoid.submit.jobs_in_one: jobs cannot be joined",
       "a submission has 3 jobs, which 2 does not divide"},
      {"match: {avoid_site: {after_stalls: 2, for: 2 h}}", "submit: {jobs_at_a_time: 2}",
       "scenario.yaml:15:36: strategies.avoid.submit.jobs_at_a_time: the groups have no distance",
       "every: 1 h"},
      {"[{at: 0 s, jobs: 3}, {at: 1 h, jobs: 2}]", "[]",
       "scenario.yaml:7:11: campaign.submit: an empty list", "at least one entry"},
  });
}

// Five jobs, which fetch osdf:///a of 137 GB and osdf:///b of 1 GB.
TEST_CASE("Input: of a job that is not there, twice, of two sizes") {
  std::string const more = "{url: osdf:///b, size: 1 GB}";
  check_bad({
      {more, "{url: osdf:///b, size: 1 GB, job: 5}",
       "scenario.yaml:9:77: campaign.input[1].job: there is no job 5", "has 5, counted from 0"},
      {more, "{url: osdf:///a, size: 137 GB}",
       "scenario.yaml:9:49: campaign.input[1].url: 'osdf:///a' is there twice", "Remove one."},
      {more, "{url: osdf:///a, size: 137 GB, job: 4}",
       "scenario.yaml:9:49: campaign.input[1].url: 'osdf:///a' is there twice", ""},
      {more, "{url: osdf:///b, size: 1 GB, job: 4}, {url: osdf:///b, size: 1 GB}",
       "scenario.yaml:9:87: campaign.input[2].url: 'osdf:///b' is there twice", ""},
      {more, "{url: osdf:///b, size: 1 GB, job: 4}, {url: osdf:///b, size: 2 GB, job: 3}",
       "scenario.yaml:9:104: campaign.input[2].size: 2 GB here and 1 GB above",
       "'osdf:///b' is one file"},
      {more, "{url: osdf:///a, size: 1 GB}",
       "scenario.yaml:9:66: campaign.input[1].size: 1 GB here and 137 GB above", ""},
  });
  for (char const* fine :
       {"{url: osdf:///b, size: 1 GB, job: 4}, {url: osdf:///b, size: 1 GB, job: 3}",
        "{url: b, size: 1 GB, job: 4}, {url: b, size: 2 GB, job: 3}"}) {
    ScenarioFiles files;
    CHECK(files.edit(scenario_name, more, fine).problems().empty());
  }
}

TEST_CASE("Units: missing, of another kind, misspelt") {
  check_bad({
      {"350 GB", "350 h", "scenario.yaml:8:28: campaign.request.disk: '350 h' is a time",
       "where a size is wanted. Units: B, kB, MB, GB, TB"},
      {"350 GB", "350 gb", "scenario.yaml:8:28: campaign.request.disk: '350 gb' is not a size",
       "Did you mean 'GB'?"},
      {"350 GB", "350", "scenario.yaml:8:28: campaign.request.disk: '350' has no unit", "Units: B"},
      {"100 s", "100 Gbps",
       "scenario.yaml:14:36: strategies.next.transfer.stall_timeout: '100 Gbps' is a rate",
       "where a time is wanted. Units: ms, s, min, h, d, w"},
      {"5 min..10 min", "5..10 min",
       "scenario.yaml:13:57: strategies.cool.retry.delay: '5..10 min'",
       "is not a range of times. Write it like '5 min..10 min'"},
  });
}

TEST_CASE("Values: negative, zero, too large, of the wrong type, impossible") {
  check_bad({
      {"137 GB", "-137 GB", "scenario.yaml:9:34: campaign.input[0].size: '-137 GB' is negative",
       "a size cannot be"},
      {"137 GB", "0 GB", "scenario.yaml:9:34: campaign.input[0].size: '0 GB' is out of range",
       "above 0"},
      {"jobs: 3", "jobs: 0", "scenario.yaml:7:28: campaign.submit[0].jobs: 0 is out of range",
       "from 1 to 1000000"},
      {"jobs: 3", "jobs: 2.5",
       "scenario.yaml:7:28: campaign.submit[0].jobs: '2.5' is not a whole number", ""},
      {"jobs: 3", "jobs: 99999999999999999999",
       "scenario.yaml:7:28: campaign.submit[0].jobs: 99999999999999999999 is out of range", ""},
      {"jobs: 3", "jobs: [3]",
       "scenario.yaml:7:28: campaign.submit[0].jobs: a list where a whole number is wanted", ""},
      {"gpus: 1", "gpus: ~",
       "scenario.yaml:8:19: campaign.request.gpus: nothing where a whole number is wanted", ""},
      {"title: A campaign", "title: ''", "scenario.yaml:2:8: title: an empty text", ""},
      {"seed: 7", "seed: -7", "scenario.yaml:17:29: study.seed: -7 is out of range", ""},
      {"100 s", "0 s",
       "scenario.yaml:14:36: strategies.next.transfer.stall_timeout: '0 s' is out of range",
       "above 0"},
      {"5 min..10 min", "10 min..5 min",
       "scenario.yaml:13:57: strategies.cool.retry.delay: '10 min..5 min' is reversed",
       "Write '5 min..10 min'."},
      {"delay: 5 min..10 min, ", "",
       "scenario.yaml:13:17: strategies.cool.retry: cool_down has no delay", ""},
      {"resume: true", "resume: yes",
       "scenario.yaml:14:73: strategies.next.transfer.resume: 'yes' is none of its values",
       "Known: true, false."},
      {"next_cache", "next_cach",
       "scenario.yaml:14:53: strategies.next.transfer.on_stall: 'next_cach' is none of its values",
       "Did you mean 'next_cache'?"},
      {"on_stall: next_cache", "protocol: http, on_stall: next_cache",
       "scenario.yaml:14:69: strategies.next.transfer.on_stall: there is no next cache", "osdf"},
      {"request: {gpus: 1, disk: 350 GB, site: A}", "request: 350 GB",
       "scenario.yaml:8:12: campaign.request: '350 GB' where keys are wanted", ""},
      {"published: {}", "published: []",
       "scenario.yaml:12:14: strategies.published: a list where keys are wanted", ""},
  });
}

TEST_CASE("Names of strategies, workloads, sites and files") {
  check_bad({
      {"baseline: published", "baseline: publishd",
       "scenario.yaml:16:11: baseline: there is no strategy 'publishd'",
       "Did you mean 'published'?"},
      {"profile: resnet50-imagenet", "profile: resnet50",
       "scenario.yaml:10:19: campaign.work.profile: 'resnet50' is not calibrated, nor in the "
       "catalogue",
       "Did you mean 'resnet50-imagenet'?"},
      {"profile: resnet50-imagenet", "profile: alexnet",
       "scenario.yaml:10:19: campaign.work.profile: 'alexnet' is not calibrated, nor in the "
       "catalogue",
       "gridcast profile --list shows the catalogue."},
      {"pool: pool.yaml", "pool: pol.yaml", "scenario.yaml:4:7: pool: pol.yaml: no such file", ""},
      {"calibration: calibration.yaml", "calibration: nowhere/c.yaml",
       "scenario.yaml:5:14: calibration: nowhere/c.yaml: no such file", ""},
  });
}

TEST_CASE("A request that no site can meet says of each site why") {
  check_bad({
      {"disk: 350 GB, site: A", "disk: 350 PB",
       "scenario.yaml:8:12: campaign.request: no site of the pool can ever run these jobs",
       "(A: disk 500 GB of the 350 PB wanted; B: disk 200 GB of the 350 PB wanted)"},
      {"disk: 350 GB, site: A", "gpu: H100, gpu_capability: 9",
       "scenario.yaml:8:12: campaign.request: no site of the pool can ever run these jobs",
       "(A: GPU V100 instead of H100, GPU capability 7 of the 9 wanted; B: GPU A100"},
      {"site: A", "site: B",
       "scenario.yaml:8:12: campaign.request: no site of the pool can ever run these jobs",
       "(A: not the site B; B: disk 200 GB of the 350 GB wanted)"},
  });
}

TEST_CASE("More GPUs than a site has on a node are refused; more than were measured are noted") {
  ScenarioFiles files;
  files.edit(scenario_name, "gpus: 1", "gpus: 2");
  auto const found = files.problems();
  CAPTURE(found);
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0], has_text("scenario.yaml:8:12: campaign.request: no site of the pool can "
                                "ever run these jobs (A: 1 GPU a node of the 2 wanted; B: "));
  files.edit(pool_name, "{name: A, gpus: 4", "{name: A, gpus_per_node: 2, gpus: 4");
  auto const scenario = scenario::read_scenario(files / scenario_name);
  REQUIRE(scenario.notes.size() == 1);
  CHECK(scenario.notes[0].to_text().find("2 GPUs of a job compute as long as one") !=
        std::string::npos);
}

TEST_CASE("Bad YAML, or another kind of file, is one problem") {
  check_bad({
      {"title: A campaign", "title: [", "scenario.yaml:3:21: this is not YAML", ""},
      {"title: A campaign", "title: 'A campaign", "scenario.yaml:", "this is not YAML"},
      {"title: A campaign", "[title]: A campaign\ntitle: x", "scenario.yaml:2:1: a key has to be",
       ""},
      {"gridcast.scenario/1", "gridcast.scenario/2",
       "scenario.yaml:1:9: schema: 'gridcast.scenario/2' where 'gridcast.scenario/1' is wanted",
       "one version"},
      {"gridcast.scenario/1", "gridcast.pool/1",
       "scenario.yaml:1:9: schema: 'gridcast.pool/1' where 'gridcast.scenario/1' is wanted",
       "another kind of file"},
      {"seed: 7}", "seed: 7}\n---\nmore: 1", "scenario.yaml:18:1: a second YAML document begins",
       ""},
  });
  ScenarioFiles files;
  files.write(scenario_name, "");
  REQUIRE(files.problems().size() == 1);
  CHECK_THAT(files.problems()[0], has_text("scenario.yaml:1:1: nothing where keys are wanted") &&
                                      has_text("schema: gridcast.scenario/1"));
  files.remove(scenario_name);
  REQUIRE(files.problems().size() == 1);
  CHECK_THAT(files.problems()[0], has_text("scenario.yaml: no such file"));
}

TEST_CASE("All problems of all three files are reported at once, each with its own file") {
  ScenarioFiles files;
  files.edit(scenario_name, "350 GB", "350 h");
  files.edit(scenario_name, "137 GB", "-137 GB");
  files.edit(scenario_name, "baseline: published", "baseline: publishd");
  files.edit(scenario_name, "study:", "studdy:");
  files.edit(pool_name, "25 Gbps", "25 GB");
  files.edit(pool_name, "[one, two]", "[on, two]");
  files.edit(calibration_name, "gridcast.calibration/1", "gridcast.calibration/2");
  auto const found = files.problems();
  CAPTURE(found);
  REQUIRE(found.size() == 7);
  CHECK_THAT(found[0], has_text("scenario.yaml:8:28: "));
  CHECK_THAT(found[1], has_text("scenario.yaml:9:34: "));
  CHECK_THAT(found[2], has_text("scenario.yaml:16:11: "));
  CHECK_THAT(found[3], has_text("scenario.yaml:17:1: "));
  CHECK_THAT(found[4], has_text("pool.yaml:4:55: "));
  CHECK_THAT(found[5], has_text("pool.yaml:10:33: "));
  CHECK_THAT(found[6], has_text("calibration.yaml:1:9: "));
}

}  // namespace gridcast::scenario

// A DAG as a campaign: what is done is left out, nodes without jobs are seen through, works are
// each node's own.
#include "sim/import/dag_campaign.hpp"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/error.hpp"
#include "sim/scenario/campaign.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / "gridcast-dag-campaign-test") {
    fs::remove_all(path_);
    fs::create_directories(path_);
    write("t.sub", "executable = t\nrequest_gpus = 1\nqueue\n");
    write("p.sub", "executable = p\nqueue 2\n");
  }
  ~Folder() { fs::remove_all(path_); }

  condor::Dag dag(std::string const& text) const { return condor::read_dag(write("w.dag", text)); }
  fs::path write(std::string const& name, std::string const& text) const {
    std::ofstream(path_ / name) << text;
    return path_ / name;
  }

 private:
  fs::path path_;
};

constexpr char const* chain =
    "JOB p p.sub\nJOB e0 t.sub\nJOB e1 t.sub\nJOB e2 t.sub NOOP\nJOB e3 t.sub\n"
    "PARENT p CHILD e0\nPARENT e0 CHILD e1\nPARENT e1 CHILD e2\nPARENT e2 CHILD e3\n"
    "RETRY e1 4 UNLESS-EXIT 2\n";

TEST_CASE("A long list that several nodes wait for is a join, which changes no order") {
  Folder const folder;
  auto const bipartite = [&](int parents) {
    std::string text, names;
    for (int i = 0; i < parents; ++i) {
      text += fmt::format("JOB a{} t.sub\n", i);
      names += fmt::format(" a{}", i);
    }
    text +=
        "JOB b t.sub\nJOB c t.sub\nJOB d t.sub\nPARENT" + names + " CHILD b c\nPARENT b CHILD d\n";
    return import::import_dag(folder.dag(text), {}, {}, std::nullopt).import.campaign;
  };
  auto const few = bipartite(99);
  CHECK(few.joins.empty());
  CHECK(few.submit[99].after.size() == 99);

  auto many = bipartite(100);
  REQUIRE(many.joins.size() == 1);
  CHECK(many.joins[0].of.size() == 100);
  CHECK(many.submit[100].after == std::vector{many.joins[0].name});
  CHECK(many.submit[101].after == std::vector{many.joins[0].name});
  CHECK(many.submit[102].after == std::vector<std::string>{"b"});
  auto const order = scenario::node_order(many);
  REQUIRE(order.parents[101].size() == 100);
  CHECK(order.parents[101].back() == 99);
  CHECK(order.children[7] == std::vector<std::size_t>{100, 101});
  CHECK(scenario::problems_of_nodes(many).empty());

  many.joins[0].of.push_back("x");
  many.joins.push_back({"b", {"a0"}});
  auto const problems = scenario::problems_of_nodes(many);
  REQUIRE(problems.size() == 2);
  CHECK(problems[0].path == "joins[0].of");
  CHECK(problems[1].path == "joins[1].name");
}

TEST_CASE("more jobs than a campaign can have are a problem, not another number") {
  scenario::Campaign campaign;
  campaign.submit.resize(430);
  for (std::size_t i = 0; i < campaign.submit.size(); ++i) {
    campaign.submit[i].name = "n" + std::to_string(i);
    campaign.submit[i].jobs = 10000000;
  }
  auto const problems = scenario::problems_of_nodes(campaign);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].path == "submit");
  CHECK(problems[0].what == "more than 10000000 jobs in all");
}

TEST_CASE("Each node is a submission that waits for its parents, through nodes that run nothing") {
  Folder const folder;
  auto const dag = folder.dag(chain);
  auto const made = import::import_dag(dag, {}, {}, 3);
  auto const& submit = made.import.campaign.submit;
  REQUIRE(submit.size() == 4);
  CHECK(submit[0].jobs == 2);
  CHECK(submit[1].after == std::vector<std::string>{"p"});
  CHECK(submit[2].retries == 4);
  CHECK(submit[2].unless_exit == 2);
  CHECK(submit[3].name == "e3");
  CHECK(submit[3].after == std::vector<std::string>{"e1"});
  CHECK(made.import.campaign.max_nodes == 3);
  // The request of most jobs counts.
  CHECK(made.import.campaign.request.gpus == 1);
  CHECK(made.read.size() == 3);
}

TEST_CASE("Each node fetches the files of its own submit file, with its VARS") {
  Folder const folder;
  folder.write("a.sub",
               "transfer_input_files = osdf:///x/image.sif, osdf:///x/$(shard).tar\n"
               "queue 2\n");
  folder.write("b.sub",
               "transfer_input_files = osdf:///x/image.sif, osdf:///y/$(Process).bin\n"
               "queue $(copies)\n");
  auto const dag = folder.dag(
      "JOB a0 a.sub\nVARS a0 shard=\"s0\"\nJOB done a.sub DONE\nVARS done shard=\"s9\"\n"
      "JOB a1 a.sub\nVARS a1 shard=\"s1\"\nJOB b b.sub\nVARS b copies=\"2\" for_the_program=\"1\"\n"
      "JOB c b.sub\nVARS c copies=\"1\" for_the_program=\"2\"\nJOB a2 a.sub\nVARS a2 "
      "shard=\"s1\"\n");
  import::KnownSizes const sizes = {{"osdf:///x/image.sif", Bytes(900e6)},
                                    {"osdf:///x/s0.tar", Bytes(5e6)},
                                    { "osdf:///y/0.bin",
                                      Bytes(7e6) }};
  auto const made = import::import_dag(dag, sizes, {}, 0);
  auto const& campaign = made.import.campaign;
  std::vector<int> jobs;
  for (auto const& each : campaign.submit) jobs.push_back(each.jobs);
  CHECK(jobs == std::vector{2, 2, 2, 1, 2});
  std::vector<std::string> files;
  for (auto const& each : campaign.input) {
    files.push_back(
        fmt::format("{} {} {}", each.job.value_or(-1), each.url, each.size.value() / 1e6));
  }
  // An unknown size is the size of the file at the same place of the usual description.
  CHECK(files == std::vector<std::string>{"-1 osdf:///x/image.sif 900", "0 osdf:///x/s0.tar 5",
                                          "1 osdf:///x/s0.tar 5", "2 osdf:///x/s1.tar 5",
                                          "3 osdf:///x/s1.tar 5", "4 osdf:///y/0.bin 7",
                                          "5 osdf:///y/1.bin 5", "6 osdf:///y/0.bin 7",
                                          "7 osdf:///x/s1.tar 5", "8 osdf:///x/s1.tar 5"});
  CHECK(made.import.campaign.requests.empty());
}

TEST_CASE("Nodes with different inputs all get the usual input, with a note") {
  Folder const folder;
  folder.write("a.sub", "transfer_input_files = $(way)://x/1.tar\n");
  auto const dag =
      folder.dag("JOB a a.sub\nVARS a way=\"osdf\"\nJOB b a.sub\nVARS b way=\"http\"\n");
  auto const made =
      import::import_dag(dag, {{"osdf://x/1.tar", Bytes(1)}, {"http://x/1.tar", Bytes(1)}}, {}, 0);
  REQUIRE(made.import.campaign.input.size() == 1);
  CHECK(made.import.campaign.input[0].url == "osdf://x/1.tar");
  REQUIRE(made.import.notes.size() == 1);
  CHECK_THAT(made.import.notes[0].what,
             has_text("nodes fetch 2 lists of files") && has_text("all fetch those of node 'a'"));
}

TEST_CASE("A node whose VARS make no description is refused by name, with others like it") {
  Folder const folder;
  folder.write("a.sub", "transfer_input_files = osdf:///x/1.tar\nqueue x from $(list)\n");
  folder.write("good", "1\n2\n");
  auto const dag = folder.dag(
      "JOB a a.sub\nVARS a list=\"good\"\nJOB b a.sub\nVARS b list=\"bad\"\nJOB c a.sub\n"
      "VARS c list=\"none\"\n");
  try {
    import::import_dag(dag, {{ "osdf:///x/1.tar", Bytes(1) }}, {}, 0);
    FAIL("taken");
  } catch (InputError const& error) {
    CHECK(error.problems().size() == 2);
  }
}

TEST_CASE("Nodes that succeeded, and parents of submitted nodes, are done") {
  Folder const folder;
  auto const dag = folder.dag(chain);
  auto history =
      HistoryBuilder({{1, 0}, {2, 0}}, {"A"}).add(0, 0, history::EventKind::submitted).get();
  history.labels = {{.node = "e1"}, {.node = "nobody"}};
  auto const done = import::nodes_done(dag, history);
  CHECK(done == std::set<std::string>{"p", "e0"});
  auto const made = import::import_dag(dag, {}, done, 0);
  REQUIRE(made.nodes == 2);
  CHECK(made.done_before == 2);
  CHECK(made.import.campaign.submit[0].after.empty());
  CHECK_THROWS_AS(import::import_dag(dag, {}, {"p", "e0", "e1", "e3"}, 0), InputError);
}

TEST_CASE("A node is done when all jobs of its latest cluster succeeded, as many as it queues") {
  using history::EventKind;
  Folder const folder;
  auto const dag = folder.dag(
      "JOB part p.sub\nJOB all p.sub\nJOB again p.sub\nJOB twice p.sub\nJOB removed p.sub\n"
      "JOB few p.sub\nJOB unread none.sub\n");
  std::vector<std::string> const nodes = {"part",  "part",    "all",     "all",   "again",
                                          "again", "again",   "again",   "twice", "twice",
                                          "twice", "removed", "removed", "few",   "unread"};
  HistoryBuilder builder({{1, 0},
                          {1, 1},
                          {2, 0},
                          {2, 1},
                          {3, 0},
                          {3, 1},
                          {4, 0},
                          {4, 1},
                          {5, 0},
                          {5, 1},
                          {6, 0},
                          {7, 0},
                          {7, 1},
                          {8, 0},
                          {9, 0}},
                         {"A"});
  double at = 0;
  for (std::uint32_t job = 0; job < nodes.size(); ++job)
    builder.add(at++, job, EventKind::submitted);
  // A job of "part" is open, one of "again" failed at the first try, "twice" was tried once more.
  for (std::uint32_t const job : {0, 2, 3, 5, 6, 7, 8, 9, 11, 13, 14}) {
    builder.add(at++, job, EventKind::terminated);
  }
  builder.add(at, 12, EventKind::aborted);
  auto history = builder.get();
  history.labels.resize(nodes.size());
  for (std::size_t job = 0; job < nodes.size(); ++job) history.labels[job].node = nodes[job];
  CHECK(import::nodes_done(dag, history) == std::set<std::string>{"again", "all", "unread"});
  // For DAGMan, a POST script decides.
  history.post_scripts = {{"all", false}, {"part", true}, {"unread", true}};
  CHECK(import::nodes_done(dag, history) == std::set<std::string>{"again", "part", "unread"});
}

TEST_CASE("A record names inner nodes by the inner DAG, and has a job of its DAGMan") {
  Folder const folder;
  folder.write("one.dag", "JOB x p.sub\nJOB both p.sub\n");
  folder.write("two.dag", "JOB y p.sub\nJOB both p.sub\n");
  auto const dag = folder.dag(
      "JOB first p.sub\nSUBDAG EXTERNAL s one.dag\nSUBDAG EXTERNAL t two.dag\nPARENT first CHILD s\n");
  HistoryBuilder builder({{1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}}, {"A"});
  for (std::uint32_t job = 0; job < 5; ++job) builder.add(job, job, history::EventKind::submitted);
  auto history = builder.get();
  for (char const* node : {"first", "s", "x", "both", "y"})
    history.labels.push_back({.node = node});
  auto const record = import::record_of(dag, history);
  REQUIRE(record.jobs.size() == 4);
  std::vector<std::string> nodes;
  for (auto const& label : record.labels) nodes.push_back(label.node);
  // Two nodes are called "both".
  CHECK(nodes == std::vector<std::string>{"first", "s+x", "both", "t+y"});
  CHECK(record.events.back().job == Id<history::Job>(3));
}

TEST_CASE("An inner DAG waits for the parents of its node, also when its first nodes are done") {
  auto const after = [](std::string const& outer, std::string const& inner) {
    Folder const folder;
    folder.write("inner.dag", inner);
    auto const dag = folder.dag(
        "JOB prep p.sub\nSUBDAG EXTERNAL in inner.dag\nJOB end p.sub\n"
        "PARENT prep CHILD in\nPARENT in CHILD end\n" +
        outer);
    std::string text;
    for (auto const& node : import::import_dag(dag, {}, {}, std::nullopt).import.campaign.submit) {
      text += fmt::format("{}<{} ", node.name, fmt::join(node.after, ","));
    }
    return text;
  };
  std::string const chain = "JOB a p.sub\nJOB b p.sub\nPARENT a CHILD b\n";
  CHECK(after("", chain) == "prep< in+a<prep in+b<in+a end<in+b ");
  CHECK(after("", chain + "DONE a\n") == "prep< in+b<prep end<in+b ");
  CHECK(after("", chain + "DONE b\n") == "prep< in+a<prep end<prep,in+a ");
  CHECK(after("", chain + "DONE a\nDONE b\n") == "prep< end<prep ");
  // The node of the inner DAG itself is done: DAGMan counts it as succeeded at once.
  CHECK(after("DONE in\n", chain) == "prep< end< ");
  // A plain node that is done cuts the chain.
  CHECK(after("JOB x p.sub\nPARENT prep CHILD x\nPARENT x CHILD end\nDONE x\n", chain) ==
        "prep< in+a<prep in+b<in+a end<in+b ");
}

/// The name of each node's request, and its numbers of GPUs and MB of memory.
std::vector<std::string> requests_by_node(scenario::Campaign const& campaign) {
  scenario::JobRequests const requests(campaign);
  std::vector<std::string> found;
  std::size_t first = 0;
  for (auto const& each : campaign.submit) {
    scenario::Request const& request = requests[requests.of(first)];
    found.push_back(fmt::format("{}: '{}' {} {:.0f}", each.name, each.request, request.gpus,
                                request.memory.value() / 1048576));
    first += static_cast<std::size_t>(each.jobs);
  }
  return found;
}

TEST_CASE("Each node has its own request, with its VARS; a note names other rules") {
  Folder const folder;
  folder.write("v.sub",
               "request_gpus = $(g)\nmax_retries = $(r:0)\nrequirements = GPUs_DeviceName == "
               "\"$(model)\"\ntransfer_output_files = $(JOB).pt\nqueue\n");
  auto const dag = folder.dag(
      "JOB a v.sub\nVARS a g=\"1\" model=\"A\"\nJOB b v.sub\nVARS b g=\"4\" r=\"3\" model=\"A\"\n"
      "JOB c v.sub\nVARS c g=\"4\" r=\"3\" model=\"A\"\nJOB d v.sub\nVARS d g=\"4\" r=\"3\" "
      "model=\"B\"\n");
  auto const made = import::import_dag(dag, {}, {}, 0);
  auto const& campaign = made.import.campaign;
  CHECK(requests_by_node(campaign) ==
        std::vector<std::string>{"a: 'v' 1 0", "b: '' 4 0", "c: '' 4 0", "d: 'v-2' 4 0"});
  CHECK_FALSE(campaign.requests[0].requirements);
  REQUIRE(campaign.requests[1].requirements);
  CHECK_THAT(campaign.requests[1].requirements->text(), has_text("\"B\""));
  CHECK(made.import.strategy.retry.policy.max_retries == 3);
  CHECK(made.simplified ==
        "Simplified: 1 of 4 nodes have another max_retries than node 'b', whose rules all follow.");
}

TEST_CASE("Nodes of several submit files have several requests, also without requirements") {
  Folder const folder;
  folder.write("prepare.sub", "request_memory = 8GB\nqueue\n");
  folder.write("train.sub",
               "request_gpus = 1\nrequest_memory = $(mem:16GB)\nrequirements = GPUs_Capability >= "
               "8.0\ntransfer_input_files = osdf:///x/a.tar\nqueue 15\n");
  auto const dag = folder.dag(
      "JOB a prepare.sub\nJOB b train.sub\nJOB c prepare.sub\nJOB d train.sub\nVARS d mem=\"24GB\"\n"
      "PARENT a CHILD b\nPARENT b CHILD c\n");
  auto const made = import::import_dag(dag, {}, {}, 0);
  auto const& campaign = made.import.campaign;
  CHECK(requests_by_node(campaign) ==
        std::vector<std::string>{"a: 'prepare' 0 8192", "b: '' 1 16384", "c: 'prepare' 0 8192",
                                 "d: 'train' 1 24576"});
  CHECK(campaign.requests[0].requirements->text() == "true");
  CHECK(made.simplified.empty());
  std::string notes;
  for (auto const& note : made.import.notes) {
    if (note.action == condor::SubmitAction::recommended) notes += note.what + "\n";
  }
  CHECK_THAT(notes, has_text("size not known: osdf:///x/a.tar; 1 GB is assumed"));
  CHECK(notes.find("another") == std::string::npos);
}

TEST_CASE("If the record shows all nodes done, the message names the way to run them again") {
  Folder const folder;
  auto const hint_of = [&folder](std::string const& text, std::set<std::string> const& done) {
    try {
      import::import_dag(folder.dag(text), {}, done, 0);
    } catch (InputError const& error) {
      return error.problems().front().hint;
    }
    return std::string("taken");
  };
  CHECK_THAT(hint_of("JOB a t.sub\n", {"a"}), has_text("--all-nodes"));
  CHECK(hint_of("JOB a t.sub DONE\n", {}).starts_with("Take DONE off"));
  CHECK(hint_of("JOB a t.sub NOOP\n", {}).starts_with("Name a DAG"));
}

TEST_CASE("The limit of nodes comes from the caller, else from the DAG's CONFIG") {
  Folder const folder;
  folder.write("my.config", "DAGMAN_MAX_JOBS_SUBMITTED = 2\n");
  auto const dag = folder.dag("CONFIG my.config\nJOB a t.sub\n");
  CHECK(import::import_dag(dag, {}, {}, std::nullopt).import.campaign.max_nodes == 2);
  CHECK(import::import_dag(dag, {}, {}, 0).import.campaign.max_nodes == 0);
}

TEST_CASE("A node has the work of its program, by name, number or submit file") {
  Folder const folder;
  auto const dag = folder.dag(
      "JOB run1-epoch2 t.sub\nJOB run7-epoch3 t.sub\nJOB run7-epoch9 t.sub\n"
      "JOB prepare p.sub\nJOB other t.sub\nJOB run" +
      std::string(400, '9') + "-epoch2 t.sub\nJOB run1-epoch" + std::string(400, '9') + " t.sub\n");
  import::CalibratedProgram program;
  program.variants = {{"run*-epoch2", 2, 5, false, FactorRange{2, 8}},
                      {"run*-epoch3", 3, 5, true, FactorRange{0.1, 1}},
                      {"p", 0.5, 1, false}};
  auto made = import::import_dag(dag, {}, {}, 0);
  CHECK(import::set_node_works(made, dag, program) == import::NodeWorks::known);
  auto const scale = [&](std::size_t i) { return made.import.campaign.submit[i].scale; };
  CHECK(scale(0) == 2);
  CHECK(scale(1) == 3);
  CHECK(scale(2) == 1);  // no line through the numbers: the newest
  CHECK(scale(3) == 0.5);
  CHECK(scale(4) == 1);
  CHECK(scale(5) == 2);
  CHECK(scale(6) == 1);  // a number that no double holds
  auto const odds = [&](std::size_t i) { return made.import.campaign.submit[i].crash_odds; };
  CHECK(odds(0) == FactorRange{2, 8});
  CHECK(odds(2) == FactorRange{0.1, 1});
  CHECK(odds(3) == FactorRange{});  // the record does not show it
  CHECK(odds(4) == FactorRange{0.1, 1});
  program.work_by_number = scenario::WorkByNumber{0, 1};
  import::set_node_works(made, dag, program);
  CHECK(scale(2) == 9);
  CHECK(odds(2) == FactorRange{0.1, 1});
  program.variants.clear();
  CHECK(import::set_node_works(made, dag, program) == import::NodeWorks::unknown);
}

}  // namespace
}  // namespace gridcast::test

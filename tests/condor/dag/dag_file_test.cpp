// DAG files as condor_submit_dag reads them (HTCondor manual, "DAGMan Workflows").
#include "sim/condor/dag/dag_file.hpp"

#include <filesystem>
#include <fstream>
#include <map>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

namespace fs = std::filesystem;

/// A folder with a DAG and what belongs to it, gone with the test.
class DagFolder {
 public:
  DagFolder() : path_(fs::temp_directory_path() / "gridcast-dag-test") {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~DagFolder() { fs::remove_all(path_); }

  fs::path write(std::string const& name, std::string const& text) const {
    std::ofstream(path_ / name) << text;
    return path_ / name;
  }
  condor::Dag read(std::string const& text) const {
    return condor::read_dag(write("work.dag", text));
  }
  std::string problems(std::string const& text) const {
    try {
      read(text);
    } catch (InputError const& error) {
      return error.what();
    }
    return "";
  }

 private:
  fs::path path_;
};

TEST_CASE("Nodes, edges, retries, categories, VARS") {
  DagFolder const folder;
  auto const dag = folder.read(
      "# a comment\n"
      "JOB a train.sub\nJOB b train.sub DIR runs\njob c train.sub NOOP\n"
      "PARENT a CHILD b c\nPARENT b \\\n  CHILD c\n"
      "RETRY ALL_NODES 3\nRETRY b 5 UNLESS-EXIT 2\n"
      "VARS a epoch=\"1\" name=\"say \\\"hi\\\"\"\n"
      "CATEGORY a big\nMAXJOBS big 2\n"
      "SCRIPT DEFER 4 600 PRE b wait.sh\nSCRIPT POST a check.sh\n"
      "PRIORITY a 5\nDOT dag.dot\n");
  REQUIRE(dag.nodes.size() == 3);
  CHECK(dag.nodes[0].parents.empty());
  CHECK(dag.nodes[1].parents == std::vector<std::size_t>{0});
  CHECK(dag.nodes[2].parents == std::vector<std::size_t>{0, 1});
  CHECK(dag.nodes[0].retries == 3);
  CHECK(dag.nodes[1].retries == 5);
  CHECK(dag.nodes[1].unless_exit == 2);
  CHECK(dag.nodes[1].submit.parent_path().filename() == "runs");
  CHECK(dag.nodes[2].noop);
  CHECK(dag.nodes[0].vars[1] == condor::DagVar{"name", "say \"hi\""});
  CHECK(dag.nodes[0].category == "big");
  CHECK(dag.max_jobs.at("big") == 2);
  CHECK(dag.nodes[1].delay == Seconds(600));
  CHECK(dag.notes.size() == 3);  // DEFER, the POST script, priorities
}

TEST_CASE("The script of a node that runs nothing is noted, if it defers") {
  DagFolder const folder;
  auto const dag = folder.read("JOB a t.sub NOOP\nSCRIPT DEFER 4 600 PRE a wait.sh\n");
  REQUIRE(dag.notes.size() == 1);
  CHECK(dag.notes.front().what == "a PRE script of a NOOP node is taken not to defer");
}

TEST_CASE("A splice's nodes carry its name, and its ends are its parents and children") {
  DagFolder const folder;
  folder.write("inner.dag",
               "JOB x t.sub\nJOB y t.sub\nPARENT x CHILD y\nCATEGORY x c\nMAXJOBS c 1\n");
  auto const dag = folder.read(
      "JOB a t.sub\nSPLICE s inner.dag\nJOB z t.sub\nPARENT a CHILD s\nPARENT s CHILD z\n"
      "RETRY s 2\n");
  REQUIRE(dag.nodes.size() == 4);
  CHECK(dag.nodes[1].name == "s+x");
  CHECK(dag.nodes[1].parents == std::vector<std::size_t>{0});
  CHECK(dag.nodes[2].parents == std::vector<std::size_t>{1});
  CHECK(dag.nodes[3].parents == std::vector<std::size_t>{2});
  CHECK(dag.nodes[2].retries == 2);
  CHECK(dag.max_jobs.at("s+c") == 1);
}

TEST_CASE("ALL_NODES means the nodes of the DAG that contains it, not of its splices") {
  DagFolder const folder;
  folder.write("inner.dag",
               "JOB x t.sub\nJOB y t.sub\nSPLICE deep deep.dag\nRETRY ALL_NODES 2\n"
               "VARS ALL_NODES k=\"i\"\n");
  folder.write("deep.dag", "JOB z t.sub\nCATEGORY ALL_NODES c\n");
  auto const dag = folder.read(
      "JOB a t.sub\nSPLICE s inner.dag\nJOB b t.sub\n"
      "RETRY ALL_NODES 5\nCATEGORY ALL_NODES outer\nVARS ALL_NODES k=\"7\"\n");
  std::string printed;
  for (auto const& node : dag.nodes) {
    printed += node.name + " " + std::to_string(node.retries) + " " + node.category;
    for (condor::DagVar const& var : node.vars) printed += " " + var.name + "=" + var.value;
    printed += "; ";
  }
  CHECK(printed == "a 5 outer k=7; s+x 2  k=i; s+y 2  k=i; s+deep+z 0 s+deep+c; b 5 outer k=7; ");
}

TEST_CASE(
    "CONFIG gives the limit of nodes in the queue; other settings that matter are noted once") {
  DagFolder const folder;
  folder.write("my.config",
               "# DAGMAN_MAX_JOBS_SUBMITTED = 9\nDAGMAN_MAX_JOBS_SUBMITTED = 5\n"
               "dagman_max_jobs_submitted = \\\n  3\nDAGMAN_MAX_JOBS_IDLE = 7\n"
               "DAGMAN_LOG_ON_NFS_IS_ERROR = true\nno setting\n");
  auto const dag = folder.read(
      "CONFIG my.config\nJOB a t.sub\nENV SET X=1\nENV GET Y\nSET_JOB_ATTR z = 1\nDOT dag.dot\n");
  CHECK(dag.max_nodes == 3);
  CHECK(dag.read.size() == 2);
  std::string notes;
  for (auto const& note : dag.notes) notes += note.what + "\n";
  CHECK(notes ==
        "ENV, which can hold DAGMan's settings: not simulated\n"
        "SET_JOB_ATTR, attributes of DAGMan's own job: not simulated\n"
        "DAGMAN_MAX_JOBS_IDLE = 7: not simulated\n");
  CHECK(folder.read("JOB a t.sub\n").max_nodes == 0);
  CHECK(folder.problems("JOB a t.sub\nCONFIG none.config\n").find(":2: ") != std::string::npos);
  folder.write("my.config", "\nDAGMAN_MAX_JOBS_SUBMITTED = many\n");
  CHECK(folder.problems("JOB a t.sub\nCONFIG my.config\n")
            .find("my.config:2: 'many' is no number of jobs") != std::string::npos);
}

TEST_CASE("Names of files and folders may stand in quotes") {
  DagFolder const folder;
  auto const dag = folder.read(
      "JOB init \"jobs/my init.sub\"\nJOB \"a\" \"a.sub\" DIR \"jobs/a b\"\n"
      "VARS a name=\"x \\\"y\\\" z\" n=\"3\"\nPARENT init CHILD a\n");
  CHECK(dag.nodes[0].submit.filename() == "my init.sub");
  CHECK(dag.nodes[1].submit.parent_path().filename() == "a b");
  CHECK(dag.nodes[1].vars[0].value == "x \"y\" z");
  CHECK(dag.nodes[1].parents == std::vector<std::size_t>{0});
}

TEST_CASE("The nodes of an inner DAG run inside its node") {
  DagFolder const folder;
  fs::create_directories(folder.write("prep.sub", "").parent_path() / "inner");
  folder.write("inner/inner.dag", "JOB X x.sub\nJOB Y x.sub\nRETRY X 1\nPARENT X CHILD Y\n");
  auto const dag = folder.read(
      "JOB prep prep.sub\nSUBDAG EXTERNAL inner inner.dag DIR inner\nRETRY inner 3\n"
      "CATEGORY inner subwf\nMAXJOBS subwf 2\nSCRIPT POST inner /bin/true\n"
      "PARENT prep CHILD inner\nJOB after prep.sub\nPARENT inner CHILD after\n");
  std::vector<std::string> names;
  for (auto const& node : dag.nodes) names.push_back(node.name);
  CHECK(names == std::vector<std::string>{"prep", "inner+X", "inner+Y", "after"});
  CHECK(dag.nodes[1].parents == std::vector<std::size_t>{0});
  CHECK(dag.nodes[2].parents == std::vector<std::size_t>{1});
  CHECK(dag.nodes[3].parents == std::vector<std::size_t>{2});
  CHECK(dag.nodes[1].submit.parent_path().filename() == "inner");
  CHECK(dag.nodes[1].category.empty());
  CHECK(dag.nodes[1].dag == "inner");
  CHECK(dag.nodes[3].dag.empty());
  REQUIRE(dag.inner.size() == 1);
  CHECK(dag.inner[0].name == "inner");
  CHECK(dag.inner[0].category == "subwf");
  CHECK(dag.max_jobs.at("subwf") == 2);
  CHECK(dag.inner[0].retries == 3);  // of the DAG, beside those of its nodes
  CHECK(dag.nodes[1].retries == 1);
  CHECK(dag.nodes[2].retries == 0);
}

TEST_CASE(
    "A script and VARS of an inner DAG are for its first nodes and its DAGMan, a rescue file too") {
  DagFolder const folder;
  folder.write("inner.dag", "JOB X t.sub\nJOB Y t.sub\nJOB Z t.sub\nPARENT X CHILD Y\n");
  std::string const outer = "SUBDAG EXTERNAL in inner.dag\nVARS in k=\"7\"\n";
  for (char const* name : {"in", "ALL_NODES"}) {
    auto const dag = folder.read(outer + "SCRIPT DEFER 4 600 PRE " + name + " wait.sh\n");
    CHECK(dag.nodes[0].vars.empty());
    CHECK(dag.nodes[0].delay == Seconds(600));
    CHECK(dag.nodes[1].delay == Seconds());
    CHECK(dag.nodes[2].delay == Seconds(600));
  }
  folder.write("inner.dag.rescue001", "DONE X\n");
  auto const again = folder.read(outer);
  CHECK(again.nodes[0].done);
  CHECK(!again.nodes[1].done);
  CHECK(again.notes.size() == 1);
}

TEST_CASE("Inner DAGs have limits and categories of their own; splices share some of theirs") {
  DagFolder const folder;
  folder.write("in.config", "DAGMAN_MAX_JOBS_SUBMITTED = 3\n");
  folder.write("inner.dag",
               "CONFIG in.config\nJOB x t.sub\nCATEGORY x big\nMAXJOBS big 2\nSPLICE s s.dag\n"
               "JOB y t.sub\nCATEGORY y +all\nMAXJOBS +all 1\n");
  folder.write("s.dag", "JOB z t.sub\nCATEGORY z +all\n");
  auto const dag = folder.read(
      "SUBDAG EXTERNAL a inner.dag\nSPLICE s s.dag\nMAXJOBS +all 5\nCATEGORY ALL_NODES sub\n"
      "MAXJOBS sub 4\nJOB b t.sub\n");
  REQUIRE(dag.nodes.size() == 5);
  std::map<std::string, std::string> category;
  for (auto const& node : dag.nodes) category[node.name] = node.category;
  CHECK(category["a+x"] == "a+big");
  CHECK(category["a+y"] == "a+all");
  CHECK(category["a+s+z"] == "a+all");
  CHECK(category["s+z"] == "+all");
  CHECK(category["b"] == "sub");
  CHECK(dag.max_jobs ==
        std::map<std::string, int>{{"a+big", 2}, {"a+all", 1}, {"+all", 5}, {"sub", 4}});
  REQUIRE(dag.inner.size() == 1);
  CHECK(dag.inner[0].max_nodes == 3);
  CHECK(dag.inner[0].category == "sub");
  CHECK(dag.max_nodes == 0);
  CHECK(dag.nodes[2].dag == "a");
}

TEST_CASE("A submit file whose first command a DAG has too is no DAG") {
  DagFolder const folder;
  auto const is_dag = [&](std::string const& text) {
    return condor::is_dag(folder.write("a.txt", text));
  };
  CHECK(!is_dag("include : common.sub\nqueue\n"));
  CHECK(!is_dag("include:common.sub\nqueue\n"));
  CHECK(!is_dag("# x\njob = a\nexecutable = $(job)\nqueue\n"));
  CHECK(!is_dag("config=1\nqueue\n"));
  CHECK(!is_dag("Job ID: 123\nCluster: x\nState: COMPLETED\n"));  // seff
  CHECK(is_dag("INCLUDE other.dag\n"));
  CHECK(is_dag("include \"other.dag\"\n"));
  CHECK(is_dag("job a a.sub\n"));
}

TEST_CASE("A DAG may begin with properties of its nodes, which come later") {
  DagFolder const folder;
  auto const is_dag = [&](std::string const& text) {
    return condor::is_dag(folder.write("a.sub", text));
  };
  for (std::string const first :
       {"VARS ALL_NODES Njobs=\"1\"", "RETRY a 3", "CATEGORY a big", "MAXJOBS big 2", "DOT a.dot",
        "SCRIPT PRE a make.sh", "FINAL f f.sub", "ABORT-DAG-ON a 1", "PIN_IN a 1",
        "SUBMIT-DESCRIPTION x {\n  executable = a\n}", "priority a 5", "DONE a"}) {
    CAPTURE(first);
    CHECK(is_dag("# a comment\n" + first + "\nJOB a a.sub\n"));
    CHECK(!is_dag(first + "\nqueue 3\n"));
  }
  CHECK(!is_dag("retry = 3\njob = a\nqueue\n"));
  CHECK(!is_dag("priority=5\nexecutable = a.sh\nqueue\n"));
}

TEST_CASE("An empty word in quotes is a word") {
  DagFolder const folder;
  for (std::string const text : {"\"\"\"\n", "\"\"\n", "\"\" JOB a t.sub\n"}) {
    CAPTURE(text);
    CHECK(!condor::is_dag(folder.write("a.txt", text)));
    CHECK(folder.problems(text).find("unknown command ''") != std::string::npos);
  }
  CHECK(folder.read("JOB a t.sub DIR \"\" NOOP\n").nodes.at(0).noop);
}

TEST_CASE("An unknown command is reported once, and one of another program by its name") {
  DagFolder const folder;
  std::string const text =
      folder.problems("TASK a /bin/date\nTASK b /bin/date\nEDGE a b\nTASK c x\nEDGE b c\n");
  CHECK(std::count(text.begin(), text.end(), '\n') == 1);
  CHECK(text.find(":1: unknown command 'TASK'") != std::string::npos);
  CHECK(text.find(":3: unknown command 'EDGE'") != std::string::npos);
  CHECK(text.find("pegasus-mpi-cluster") != std::string::npos);
}

TEST_CASE("ABORT-DAG-ON has a code and perhaps the DAG's own") {
  DagFolder const folder;
  auto const dag =
      folder.read("JOB a t.sub\nJOB b t.sub\nABORT-DAG-ON a 1 RETURN 0\nabort-dag-on b 3\n");
  CHECK(dag.nodes[0].abort_on == 1);
  CHECK(dag.nodes[0].abort_return == 0);
  CHECK(dag.nodes[1].abort_on == 3);
  CHECK(!dag.nodes[1].abort_return);
  CHECK(dag.notes.empty());
  for (std::string const line : {"ABORT-DAG-ON a", "ABORT-DAG-ON a x", "ABORT-DAG-ON a 1 RETURNS 0",
                                 "ABORT-DAG-ON a 1 RETURN", "ABORT-DAG-ON c 1"}) {
    INFO(line);
    CHECK(folder.problems("JOB a t.sub\n" + line + "\n").find(":2: ") != std::string::npos);
  }
}

TEST_CASE("An inner DAG keeps its retries and the exit code that ends them") {
  DagFolder const folder;
  folder.write("inner.dag", "JOB x t.sub\nRETRY x 1\nABORT-DAG-ON x 3 RETURN 4\n");
  std::string const outer = "SUBDAG EXTERNAL in inner.dag\n";
  auto const plain = folder.read(outer + "RETRY in 2\n");
  REQUIRE(plain.inner.size() == 1);
  CHECK(plain.inner[0].retries == 2);
  CHECK(!plain.inner[0].unless_exit);
  CHECK(plain.nodes[0].retries == 1);
  CHECK(plain.notes.empty());
  auto const unless_failed = folder.read(outer + "RETRY in 2 UNLESS-EXIT 1\n");
  CHECK(unless_failed.inner[0].unless_exit == 1);
  CHECK(unless_failed.nodes[0].retries == 1);
  auto const unless_aborted = folder.read(outer + "RETRY in 2 UNLESS-EXIT 4\n");
  CHECK(unless_aborted.inner[0].unless_exit == 4);
}

TEST_CASE("An inner DAG keeps the exit code that ends the DAG around it") {
  DagFolder const folder;
  folder.write("inner.dag", "JOB x t.sub\nRETRY x 1\n");
  auto const dag = folder.read(
      "RETRY in 2\nSUBDAG EXTERNAL in inner.dag\nJOB a t.sub\nABORT-DAG-ON in 1 RETURN 0\n");
  REQUIRE(dag.inner.size() == 1);
  CHECK(dag.inner[0].abort_on == 1);
  CHECK(dag.inner[0].abort_return == 0);
  CHECK(dag.inner[0].retries == 2);
  CHECK(dag.nodes[0].retries == 1);
  CHECK(!dag.nodes[0].abort_on);
  CHECK(dag.notes.empty());
  auto const all = folder.read(
      "SUBDAG EXTERNAL in inner.dag\nJOB a t.sub\nRETRY in 2\nABORT-DAG-ON ALL_NODES 3\n");
  CHECK(all.inner[0].abort_on == 3);
  CHECK(all.nodes[0].retries == 1);
  CHECK(all.nodes[1].abort_on == 3);
}

TEST_CASE("All nodes of a DAG wait for its PROVISIONER") {
  DagFolder const folder;
  folder.write("inner.dag", "PROVISIONER p t.sub\nJOB x t.sub\n");
  auto const dag = folder.read(
      "JOB a t.sub\nJOB b t.sub\nPARENT a CHILD b\nPROVISIONER p t.sub\n"
      "SUBDAG EXTERNAL in inner.dag\nPARENT a CHILD in\nRETRY p 2\n");
  std::map<std::string, std::size_t> number;
  for (std::size_t i = 0; i < dag.nodes.size(); ++i) number[dag.nodes[i].name] = i;
  auto const parents = [&](char const* name) { return dag.nodes[number.at(name)].parents; };
  using Numbers = std::vector<std::size_t>;
  CHECK(dag.nodes[number["p"]].provisions);
  CHECK(dag.nodes[number["p"]].retries == 2);
  CHECK(parents("p").empty());
  CHECK(parents("a") == Numbers{number["p"]});
  CHECK(parents("b") == Numbers{number["a"]});
  CHECK(parents("in+p") == Numbers{number["a"]});
  CHECK(folder.problems("PROVISIONER p t.sub\nPROVISIONER q t.sub\n")
            .find(":2: a second PROVISIONER") != std::string::npos);
}

TEST_CASE("The latest rescue file names the finished nodes; a missing inner DAG is reported") {
  DagFolder const folder;
  folder.write("work.dag.rescue001", "DONE a\n");
  folder.write("work.dag.rescue002", "# Rescue DAG\nDONE a\nDONE b\nRETRY c 1\n");
  for (char const* other : {"work.dag.rescue000", "work.dag.rescue99", "work.dag.rescue003.old",
                            "work.dag.rescue0x3", "other.dag.rescue009"}) {
    folder.write(other, "DONE c\n");
  }
  auto const dag = folder.read(
      "JOB a t.sub\nJOB b t.sub\nJOB c t.sub\nRETRY c 4\nSUBDAG EXTERNAL d other.dag\n");
  CHECK(dag.nodes[0].done);
  CHECK(dag.nodes[1].done);
  CHECK(!dag.nodes[2].done);
  CHECK(dag.nodes[2].retries == 1);
  CHECK(dag.nodes[3].noop);
  REQUIRE(dag.notes.size() == 2);
  CHECK(dag.notes[0].what.find("SUBDAG d") == 0);
}

TEST_CASE("Inner DAGs in one folder each have their own rescue file") {
  DagFolder const folder;
  std::string text;
  for (std::string const name : {"a", "b", "b.rescue001", "c"}) {
    folder.write(name + ".dag", "JOB x t.sub\nJOB y t.sub\n");
    text += "SUBDAG EXTERNAL " + name + " " + name + ".dag\n";
  }
  folder.write("a.dag.rescue001", "DONE x\nDONE y\n");
  folder.write("a.dag.rescue002", "DONE y\n");
  folder.write("b.rescue001.dag.rescue010", "DONE x\n");
  auto const dag = folder.read(text);
  std::string done;
  for (auto const& node : dag.nodes) done += node.done ? node.name + " " : "";
  CHECK(done == "a+y b.rescue001+x ");
}

TEST_CASE("The FINAL node of the whole DAG stays its only one beside those of its inner DAGs") {
  DagFolder const folder;
  folder.write("inner.dag", "JOB x t.sub\nFINAL end t.sub\nVARS end k=\"1\"\n");
  for (std::string const inner : {"SUBDAG EXTERNAL s inner.dag\n", "SPLICE s inner.dag\n"}) {
    INFO(inner);
    auto const alone = folder.read("JOB a t.sub\n" + inner);
    REQUIRE(alone.nodes.size() == 2);
    CHECK_FALSE(alone.nodes[1].last);
    CHECK(alone.notes.front().what == "a FINAL node of an inner DAG or a splice: not simulated");
    auto const dag = folder.read("JOB a t.sub\n" + inner + "FINAL end t.sub\n");
    REQUIRE(dag.nodes.size() == 3);
    CHECK(dag.nodes[2].name == "end");
    CHECK(dag.nodes[2].last);
  }
}

// SCRIPT on FINAL is the manual's own example; what DAGMan's parser refuses is refused.
TEST_CASE("A command about a node that is not simulated is a note, as the node itself is") {
  DagFolder const folder;
  std::string const nodes =
      "JOB a t.sub\nVARS clean k=\"1\"\nFINAL clean t.sub\n"
      "SERVICE watch t.sub\n";
  auto const dag = folder.read(nodes +
                               "SCRIPT PRE clean x.sh\nSCRIPT POST clean x.sh $DAG_STATUS\n"
                               "VARS watch k=\"1\"\nRETRY ALL_NODES 3\n");
  REQUIRE(dag.nodes.size() == 2);
  CHECK(dag.nodes[0].retries == 3);
  CHECK(dag.nodes[0].vars.empty());
  CHECK(dag.nodes[1].name == "clean");
  CHECK(dag.nodes[1].last);
  CHECK(dag.nodes[1].retries == 0);
  CHECK(dag.nodes[1].vars.size() == 1);
  std::string notes;
  for (auto const& note : dag.notes) notes += note.what + "\n";
  CHECK(notes ==
        "a SERVICE node runs beside the others: not simulated\n"
        "properties of a FINAL node: not simulated\n"
        "properties of a SERVICE node: not simulated\n");
  CHECK(folder.problems(nodes + "FINAL other t.sub\n").find("a second FINAL node") !=
        std::string::npos);
  for (std::string const line :
       {"RETRY clean 2", "CATEGORY clean c", "PARENT a CHILD clean", "RETRY watch 2"}) {
    INFO(line);
    CHECK(folder.problems(nodes + line + "\n").find(" node, which does not have this property") !=
          std::string::npos);
  }
  CHECK(folder.problems(nodes + "SCRIPT PRE clear x.sh\n").find("there is no node 'clear'") !=
        std::string::npos);
}

TEST_CASE("All that is wrong with a DAG is reported at once") {
  DagFolder const folder;
  std::string const text = folder.problems(
      "JOB a t.sub\nJOB a t.sub\nPARENT a CHILD nobody\nRETRY a often\nJOBB b t.sub\nVARS a x\n"
      "PARENT a\nJOB\n");
  for (auto const* part :
       {":2: node 'a' is there twice", ":3: there is no node 'nobody'",
        ":4: 'often' is no number of retries. Write RETRY NAME TIMES", ":5: unknown command 'JOBB'",
        ":6: the values are not KEY", ":7: there is no CHILD",
        ":8: the line ends early. Write JOB NAME FILE"}) {
    CAPTURE(part, text);
    CHECK(text.find(part) != std::string::npos);
  }
  CHECK(folder.problems("JOB a t\nJOB b t\nPARENT a CHILD b\nPARENT b CHILD a\n")
            .find("waits for itself") != std::string::npos);
  CHECK(folder.problems("SPLICE s work.dag\nJOB a t\n").find("has itself in it") !=
        std::string::npos);
  for (int i = 0; i < 60; ++i) {
    folder.write(fmt::format("s{}.dag", i), fmt::format("# deeper\nSPLICE s s{}.dag\n", i + 1));
  }
  std::string const deep = folder.problems("SPLICE s s0.dag\nJOB a t\n");
  CHECK(deep.find("s49.dag:2: ") != std::string::npos);
  CHECK(deep.find("s50.dag is inside more than 50 files. Put its lines") != std::string::npos);
  CHECK(folder.problems("").find("no node") != std::string::npos);
  CHECK(folder.problems("SERVICE f t\n").find("Forecast the submit file") != std::string::npos);
  CHECK(folder.problems("JOB a t\nCONNECT p q\n")
            .find("there is no splice 'p'. A line SPLICE NAME FILE defines it") !=
        std::string::npos);
  CHECK(folder.problems("JOB a t\nSPLICE s nowhere.dag\n").find(":2: ") != std::string::npos);
  CHECK(folder.problems("JOB a t\nINCLUDE nowhere.dag\n").find(":2: ") != std::string::npos);
  CHECK(folder.problems("JOB a {\n executable = x\n").find(":1: the description") !=
        std::string::npos);
  CHECK(folder.problems("JOB a t\nSCRIPT DEFER 4 soon PRE a p\n").find("'soon' are no seconds") !=
        std::string::npos);
  CHECK(folder.problems("JOB a t DIRR x\n").find("'DIRR' is none of") != std::string::npos);
}

TEST_CASE("A line may name a node of a later one, as DAGMan reads nodes first") {
  DagFolder const folder;
  auto const dag = folder.read(
      "PARENT a CHILD b\nRETRY ALL_NODES 2\nVARS b k=\"1\"\nJOB a t.sub\nJOB b what\n"
      "SUBMIT-DESCRIPTION what {\n  executable = y\n}\n");
  REQUIRE(dag.nodes.size() == 2);
  CHECK(dag.nodes[1].parents == std::vector<std::size_t>{0});
  CHECK(dag.nodes[1].retries == 2);
  CHECK(dag.nodes[1].submit.empty());
  CHECK(condor::read_node_submit(dag.nodes[1], {"executable"})
            .groups[0]
            .commands.at("executable")
            .text == "y");
}

TEST_CASE("Splices are connected by their pins") {
  DagFolder const folder;
  folder.write("one.dag", "JOB x t.sub\nJOB y t.sub\nPIN_OUT x 1\nPIN_OUT y 2\n");
  folder.write("two.dag", "JOB v t.sub\nJOB w t.sub\nPIN_IN v 2\nPIN_IN w 1\n");
  auto const dag = folder.read("SPLICE a one.dag\nSPLICE b two.dag\nCONNECT a b\n");
  REQUIRE(dag.nodes.size() == 4);
  CHECK(dag.nodes[2].parents == std::vector<std::size_t>{1});  // v after y
  CHECK(dag.nodes[3].parents == std::vector<std::size_t>{0});  // w after x
}

TEST_CASE("Expressions follow the retries of their node, and other commands have the first value") {
  DagFolder const folder;
  folder.write("t.sub",
               "executable = x\narguments = $(RETRY)\nrequest_memory = 1000 * ($(RETRY) + 1)\n"
               "request_disk = $(size)\nqueue\n");
  auto const dag = folder.read("JOB a t.sub\nVARS a size=\"1024 * (1 + $(RETRY))\"\n");
  auto const read =
      condor::read_node_submit(dag.nodes[0], {"arguments", "request_memory", "request_disk"});
  for (auto const& commands : {read.commands, read.groups.at(0).commands}) {
    CHECK(commands.at("arguments").text == "0");
    CHECK(commands.at("request_memory").text == "1000 * (DAGNodeRetry + 1)");
    CHECK(commands.at("request_disk").text == "1024 * (1 + DAGNodeRetry)");
  }
  folder.write("t.sub",
               "if $(RETRY)\nrequest_memory = 4000\nelse\nrequest_memory = 2000\nendif\nqueue");
  CHECK(condor::read_node_submit(dag.nodes[0], {"request_memory"})
            .commands.at("request_memory")
            .text == "2000");
}

TEST_CASE("A DAG cut at any byte is read or refused") {
  DagFolder const folder;
  std::string const whole =
      "JOB a {\n  executable = x\n}\nVARS a k=\"v\\\\\"\nRETRY a 3 UNLESS-EXIT 2\nSCRIPT PRE a p\n"
      "JOB b @=end\nexecutable = y\n@end\nPARENT a CHILD b\n";
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    CAPTURE(size);
    folder.problems(whole.substr(0, size));
  }
  auto const dag = folder.read(whole);
  auto const submit = condor::read_node_submit(dag.nodes[0], {"executable"});
  CHECK(submit.jobs() == 1);
  CHECK(submit.groups[0].commands.at("executable").text == "x");
}

}  // namespace
}  // namespace gridcast::test

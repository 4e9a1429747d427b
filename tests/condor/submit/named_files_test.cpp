// Where names in submit files and DAGs are looked for (HTCondor manual, "File Paths in DAGs").
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/condor/dag/dag_file.hpp"
#include "sim/condor/submit/submit_file.hpp"
#include "tests/condor/project_folder.hpp"
#include "tests/test.hpp"

namespace gridcast::condor {
namespace {

namespace fs = std::filesystem;
using test::Project;

template <class Read>
std::string notes_of(Read const& read) {
  std::string all;
  for (SubmitNote const& note : read.notes) all += note.what + "\n";
  return all;
}

bool names(std::vector<fs::path> const& read, fs::path const& file) {
  return std::ranges::find(read, file) != read.end();
}

TEST_CASE("queue from: the list in the current folder, or else beside the submit file") {
  Project const project;
  project.write("scripts/x.sub", "include : more.inc\na = $(s)\nqueue s from list.txt\n");
  project.write("scripts/list.txt", "1\n");
  project.write("scripts/more.inc", "b = 1\n");
  auto const beside = read_submit_file("scripts/x.sub", {"a"});
  CHECK(beside.jobs() == 1);
  CHECK(beside.notes.empty());

  project.write("list.txt", "1\n2\n3\n");
  auto const current = read_submit_file("scripts/x.sub", {"a"});
  CHECK(current.jobs() == 3);
  CHECK_THAT(notes_of(current), test::has_text("list.txt counts"));
  CHECK_THAT(notes_of(current), test::has_text("scripts/list.txt differs"));

  project.write("scripts/list.txt", "1\n2\n3\n");  // the same list twice is no question
  CHECK(read_submit_file("scripts/x.sub", {"a"}).notes.empty());

  project.write("more.inc", "b = 2\n");
  CHECK(text_of(read_submit_file("scripts/x.sub", {"a"}).commands, "b") == "2");
}

TEST_CASE("queue matching: files of the current folder first") {
  Project const project;
  project.write("scripts/x.sub", "a = $(f)\nqueue f matching *.dat\n");
  project.write("scripts/one.dat", "");
  CHECK(read_submit_file("scripts/x.sub", {"a"}).groups.at(0).text("a") == "one.dat");
  project.write("two.dat", "");
  auto const current = read_submit_file("scripts/x.sub", {"a"});
  CHECK(current.groups.at(0).text("a") == "two.dat");
  CHECK_THAT(notes_of(current), test::has_text("those of scripts differ"));
}

TEST_CASE("submit files of nodes: the current folder, DIR in it, or else the DAG's folder") {
  Project const project;
  project.write("flows/x.dag",
                "JOB A a.sub\nJOB B a.sub DIR runs\nSPLICE S inner.dag\nCONFIG x.config\n");
  project.write("flows/inner.dag", "JOB I scripts/i.sub\n");
  project.write("flows/x.config", "DAGMAN_MAX_JOBS_SUBMITTED = 7\n");
  project.write("a.sub", "queue\n");
  project.write("runs/a.sub", "queue n from list.txt\n");
  project.write("runs/list.txt", "1\n2\n");
  project.write("flows/scripts/i.sub", "queue n from of_flow.txt\n");
  project.write("flows/of_flow.txt", "1\n2\n3\n4\n");
  auto const dag = read_dag("flows/x.dag");
  REQUIRE(dag.nodes.size() == 3);
  CHECK(dag.nodes[0].submit == "a.sub");
  CHECK(dag.nodes[1].submit == "runs/a.sub");
  CHECK(read_node_submit(dag.nodes[1], {}).jobs() == 2);
  CHECK(dag.nodes[2].submit == "flows/scripts/i.sub");
  CHECK(read_node_submit(dag.nodes[2], {}).jobs() == 4);
  CHECK(dag.max_nodes == 7);
  CHECK(dag.notes.empty());

  project.write("flows/a.sub", "queue 2\n");
  project.write("inner.dag", "JOB J a.sub\n");
  auto const both = read_dag("flows/x.dag");
  CHECK(both.nodes[2].name == "S+J");
  CHECK(names(both.read, "inner.dag"));
  CHECK_THAT(notes_of(both), test::has_text("a.sub counts"));
  CHECK_THAT(notes_of(both), test::has_text("flows/inner.dag differs"));
}

TEST_CASE("the DAG itself is not offered for a file that it names") {
  Project const project;
  project.write("test_log3.dag", "JOB A a.sub\nCONFIG test_log3.cfg\n");
  std::string message;
  try {
    read_dag("test_log3.dag");
  } catch (InputError const& error) {
    message = error.what();
  }
  CHECK_THAT(message, test::has_text("test_log3.cfg: no such file"));
  CHECK_THAT(message, test::has_text("Check the name and the folder."));
}

TEST_CASE("an inner DAG has its own folder too, as with condor_submit_dag -usedagdir") {
  Project const project;
  project.write("x.dag", "SUBDAG EXTERNAL D deep/inner.dag\n");
  project.write("deep/inner.dag", "JOB I i.sub\n");
  project.write("deep/i.sub", "queue\n");
  auto const dag = read_dag("x.dag");
  REQUIRE(dag.nodes.size() == 1);
  CHECK(dag.nodes[0].submit == "deep/i.sub");
}

}  // namespace
}  // namespace gridcast::condor

// VARS of a DAG (HTCondor manual, "Using VARS").
#include "sim/base/error.hpp"
#include "sim/condor/dag/dag_file.hpp"
#include "tests/condor/project_folder.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

condor::Dag dag_of(Project const& project, std::string const& text) {
  project.write("work.dag", text);
  return condor::read_dag("work.dag");
}

}  // namespace

// DAGMan passes VARS of APPEND as condor_submit -append does: before the queue statement.
TEST_CASE("VARS stand before the submit description, those of APPEND before its queue statement") {
  Project const project;
  project.write("t.sub", "executable = x\nn = 1\nrequest_memory = 1 GB\nqueue $(n)\n");
  auto const dag = dag_of(
      project,
      "JOB a t.sub\nJOB b t.sub\nJOB c t.sub\nVARS a APPEND n=\"3\" request_memory=\"64GB\"\n"
      "VARS b prepend n=\"3\"\nVARS c appendix=\"3\" Append =\"4\"\n");
  auto const first = condor::read_node_submit(dag.nodes[0], {"request_memory"});
  CHECK(first.jobs() == 3);
  CHECK(first.commands.at("request_memory").text == "64GB");
  CHECK(condor::read_node_submit(dag.nodes[1], {}).jobs() == 1);
  CHECK(dag.nodes[2].vars == std::vector<condor::DagVar>{{"appendix", "3"}, {"Append", "4"}});
}

TEST_CASE("A mistake behind the lines of APPEND keeps its place") {
  Project const project;
  project.write("t.sub", "executable = x\nqueue 2 things\n");
  auto const dag = dag_of(project, "JOB a t.sub\nVARS a APPEND p=\"1\" q=\"2\"\n");
  try {
    condor::read_node_submit(dag.nodes[0], {});
    FAIL("accepted");
  } catch (InputError const& error) {
    CHECK(error.problems().front().where.line == 2);
  }
}

TEST_CASE("A mistake in a submit file has its own place, whatever VARS stand before it") {
  Project const project;
  project.write("t.sub", "executable = x\nif oops\nqueue\n");
  auto const dag = dag_of(project, "JOB a t.sub\nVARS a p=\"1\" q=\"2\"\n");
  try {
    condor::read_node_submit(dag.nodes[0], {"executable"});
    FAIL("a condition that is none was read");
  } catch (InputError const& error) {
    CHECK(error.problems().front().where.line == 2);
  }
}

}  // namespace gridcast::test

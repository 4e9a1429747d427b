// Other spellings of DAGMan's commands, and requests that follow a node's tries.
#include <vector>

#include "sim/classad/expression.hpp"
#include "sim/condor/dag/dag_file.hpp"
#include "tests/condor/project_folder.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

condor::Dag read(Project const& folder, std::string const& text) {
  folder.write("work.dag", text);
  return condor::read_dag("work.dag");
}

TEST_CASE("Other spellings: keywords with '_', // comments, quotes, words behind a brace") {
  Project const folder;
  auto const dag = read(folder,
                        "// a comment\nJOB 'a' t.sub\nJOB b { \n  executable = b\n} NOOP\nJOB c d\n"
                        "SUBMIT_DESCRIPTION d {\n  executable = d\n}\n"
                        "PARENT a \\\n# within a line\n\n  CHILD b\nWEAK PARENT a CHILD c\n"
                        "RETRY a 3 UNLESS_EXIT 2\nABORT_DAG_ON a 4\nTOLERANCE a 1\n"
                        "VARS a n=3 m='4 5' k=\"6\"\nCATEGORY a free\nMAXJOBS free 0\n");
  REQUIRE(dag.nodes.size() == 3);
  CHECK(dag.nodes[0].unless_exit == 2);
  CHECK(dag.nodes[0].abort_on == 4);
  REQUIRE(dag.nodes[0].vars.size() == 3);
  CHECK(dag.nodes[0].vars[0].value == "3");
  CHECK(dag.nodes[0].vars[1].value == "4 5");
  CHECK(dag.nodes[0].vars[2].value == "6");
  CHECK(dag.nodes[1].noop);
  CHECK(dag.nodes[1].description == "  executable = b\n");
  CHECK(dag.nodes[1].parents == std::vector<std::size_t>{0});
  CHECK(dag.nodes[2].parents == std::vector<std::size_t>{0});
  CHECK(dag.nodes[2].description == "  executable = d\n");
  CHECK(dag.max_jobs.empty());  // no limit
  std::string notes;
  for (auto const& note : dag.notes) notes += note.what + "\n";
  CHECK_THAT(notes, has_text("TOLERANCE"));
  CHECK_THAT(notes, has_text("after parents that failed"));
}

TEST_CASE("Function macros and conditions of $(RETRY) follow the tries of the node") {
  Project const folder;
  folder.write("choice.sub", "request_memory = $CHOICE(RETRY, 1024, 2048, 4096)\nqueue\n");
  folder.write("int.sub", "m = 1024 * (1 + $(RETRY))\nrequest_memory = $INT(m)\nqueue\n");
  folder.write("if.sub",
               "if $(RETRY)\nrequest_memory = 4096\nelse\nrequest_memory = 1500\nendif\nqueue\n");
  folder.write("plain.sub", "request_memory = 1024 * (1 + $(RETRY))\nqueue\n");
  auto const dag =
      read(folder,
           "JOB a choice.sub\nJOB b int.sub\nJOB c if.sub\nJOB d plain.sub\nRETRY ALL_NODES 2\n");
  auto const requested = [&](std::size_t node, std::string const& retry) {
    std::string text = condor::read_node_submit(dag.nodes[node], {"request_memory"})
                           .groups.at(0)
                           .commands.at("request_memory")
                           .text;
    std::string const number = "DAGNodeRetry";
    for (auto at = text.find(number); at != std::string::npos; at = text.find(number)) {
      text.replace(at, number.size(), retry);
    }
    classad::Ad const nothing;
    return classad::evaluate(classad::parse(text), {nothing}).number();
  };
  std::vector<std::vector<double>> const expected = {
      {1024, 2048, 4096}, {1024, 2048, 3072}, {1500, 4096, 4096}, {1024, 2048, 3072}};
  for (std::size_t node = 0; node < expected.size(); ++node) {
    for (std::size_t retry = 0; retry < 3; ++retry) {
      CAPTURE(node, retry);
      CHECK(requested(node, std::to_string(retry)) == expected[node][retry]);
    }
  }
}

}  // namespace
}  // namespace gridcast::test

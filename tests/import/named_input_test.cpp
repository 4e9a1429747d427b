// Files that jobs name, by the folder that they are looked for in.
#include <optional>
#include <string>

#include "sim/condor/dag/dag_file.hpp"
#include "sim/import/dag_campaign.hpp"
#include "sim/import/submit_campaign.hpp"
#include "sim/import/submit_commands.hpp"
#include "tests/condor/project_folder.hpp"
#include "tests/test.hpp"

namespace gridcast::import {
namespace {

using test::Project;

TEST_CASE("transfer_input_files have the size of the file in the current folder") {
  Project const project;
  project.write("scripts/x.sub", "transfer_input_files = in.dat\nqueue\n");
  project.write("scripts/d.sub", "initialdir = runs\ntransfer_input_files = in.dat\nqueue\n");
  project.write("in.dat", std::string(5000, 'x'));
  project.write("runs/in.dat", std::string(70, 'x'));
  auto const size = [](char const* file) {
    auto const submit = condor::read_submit_file(file, {"transfer_input_files", "initialdir"});
    return import_submit(submit, {}).campaign.input.at(0).size;
  };
  CHECK(size("scripts/x.sub") == Bytes(5000));
  CHECK(size("scripts/d.sub") == Bytes(70));
  project.stand_in("scripts");
  project.write("scripts/in.dat", "x");
  CHECK(size("x.sub") == Bytes(1));
}

TEST_CASE("a folder has the size of all that is in it, and file:/// that of its file") {
  Project const project;
  project.write("x.sub", "transfer_input_files = data/, $(Process).in\nqueue 2\n");
  project.write("data/a", std::string(3000, 'x'));
  project.write("data/deep/b", std::string(500, 'x'));
  project.write("0.in", "xy");
  project.write("1.in", "xyz");
  auto const input_of = [](char const* file) {
    return import_submit(condor::read_submit_file(file, deciding_submit_commands()), {})
        .campaign.input;
  };
  Bytes sum;
  for (scenario::InputFile const& each : input_of("x.sub")) sum += each.size;
  CHECK(sum == Bytes(3500 + 2 + 3));
  auto const path = (std::filesystem::current_path() / "data" / "a").string();
  project.write("u.sub", "transfer_input_files = file://" + path + "\nqueue\n");
  CHECK(input_of("u.sub").at(0).size == Bytes(3000));
}

TEST_CASE("two folders with the same submit file have lists of their own") {
  Project const project;
  project.write("x.dag", "JOB A ../a.sub DIR one\nJOB B ../a.sub DIR two\n");
  project.write("a.sub", "queue n from list.txt\n");
  project.write("one/list.txt", "1\n");
  project.write("two/list.txt", "1\n2\n3\n");
  auto const made = import_dag(condor::read_dag("x.dag"), {}, {}, std::nullopt);
  auto const& submit = made.import.campaign.submit;
  REQUIRE(submit.size() == 2);
  CHECK(submit[0].jobs == 1);
  CHECK(submit[1].jobs == 3);
}

}  // namespace
}  // namespace gridcast::import

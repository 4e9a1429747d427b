#include "sim/import/which_program.hpp"

#include <string>
#include <utility>
#include <vector>

#include "tests/test.hpp"

namespace gridcast::import {
namespace {

using history::RanProgram;
using test::has_text;

std::string names_of(std::vector<ProgramVariant> const& variants) {
  std::string names;
  for (ProgramVariant const& variant : variants) names += variant.name + ";";
  return names;
}

/// The scale of the work and what is noted.
std::pair<double, std::string> work_of(CalibratedProgram const& program,
                                       std::string const& executable) {
  SubmitImport import;
  import.executable = executable;
  import.arguments = "x";
  import.batch_name = "foo";
  set_work(import, program, {}, "job.sub");
  std::string notes;
  for (auto const& note : import.notes) notes += note.what + ";";
  return {import.campaign.work.scale, notes};
}

TEST_CASE("an executable is recorded with the folder that it was submitted from",
          "[which_program]") {
  for (auto const* submitted :
       {"small.sh", "./small.sh", "a/small.sh", "../a/small.sh", "/home/a/small.sh"}) {
    CAPTURE(submitted);
    CHECK(is_recorded_as(submitted, "/home/a/small.sh"));
  }
  CHECK(is_recorded_as("../small.sh", "/home/a/../small.sh"));
  for (auto const* submitted : {"", ".", "mall.sh", "b/small.sh", "/b/small.sh", "/small.sh"}) {
    CAPTURE(submitted);
    CHECK_FALSE(is_recorded_as(submitted, "/home/a/small.sh"));
  }
}

TEST_CASE("which of several programs a submit file may be of", "[which_program]") {
  std::vector<ProgramVariant> const paths = {
      {"/home/a/big.sh"}, {"/home/a/small.sh"}, {"/home/b/small.sh"}};
  CHECK(names_of(fitting_variants(paths, {"big.sh", "x"})) == "/home/a/big.sh;");
  CHECK(names_of(fitting_variants(paths, {"small.sh"})) == "/home/a/small.sh;/home/b/small.sh;");
  CHECK(names_of(fitting_variants(paths, {"b/small.sh"})) == "/home/b/small.sh;");
  CHECK(names_of(fitting_variants(paths, {"/home/b/small.sh"})) == "/home/b/small.sh;");
  CHECK(fitting_variants(paths, {"other.sh"}).empty());
  std::vector<ProgramVariant> const arguments = {{"/home/a/train.sh --big"},
                                                 {"/home/a/train.sh --small"}};
  CHECK(names_of(fitting_variants(arguments, {"train.sh", "--small"})) ==
        "/home/a/train.sh --small;");
  CHECK(fitting_variants(arguments, {"train.sh", "--other"}).empty());
  // A table with arguments and no program.
  CHECK(names_of(fitting_variants({{" --big"}, {" --small"}}, {"train.sh", "--small"})) ==
        " --small;");
  // Jobs without a batch name are none that a file without one is of, where its program is there.
  std::vector<ProgramVariant> const unnamed = {{""}, {"/home/a/small.sh"}};
  CHECK(names_of(fitting_variants(unnamed, {"small.sh"})) == "/home/a/small.sh;");
  CHECK(names_of(fitting_variants({{"big"}, {"small"}}, {"x.sh", "a", "small"})) == "small;");
}

TEST_CASE("the recorded program of a submit file", "[which_program]") {
  std::vector<RanProgram> const ran = {{"/a/train", "1"}, {"/a/train", "2"}, {"/a/debug"}};
  auto const with_2 = recognised(ran, {"train", "2"});
  CHECK(with_2.program == &ran[1]);
  CHECK(with_2.same_arguments);
  auto const with_3 = recognised(ran, {"train", "3"});
  CHECK(with_3.program == &ran[0]);
  CHECK_FALSE(with_3.same_arguments);
  CHECK(recognised(ran, {"debug", "3"}).same_arguments);
  CHECK(recognised(ran, {"other", "1"}).program == nullptr);
}

TEST_CASE("a relative executable has the work of the recorded path", "[which_program]") {
  CalibratedProgram program{"mine", "", {{"/home/a/big.sh"}, {"/home/a/small.sh"}}, 0, true};
  program.variants = {{"/home/a/big.sh", 1, 60, true}, {"/home/a/small.sh", 1. / 12, 60}};
  CHECK(work_of(program, "small.sh") == std::pair{1. / 12, std::string()});
  CHECK(work_of(program, "big.sh") == std::pair{1., std::string()});

  program.ran.push_back({"/home/b/small.sh"});
  program.variants.push_back({"/home/b/small.sh", 1. / 6, 90});
  auto const [scale, notes] = work_of(program, "small.sh");
  CHECK(scale == 1. / 6);
  CHECK(
      notes ==
      "the calibrated jobs ran 3 programs, and 'small.sh' may be any of '/home/a/small.sh', "
      "'/home/b/small.sh': taken for that of most jobs, '/home/b/small.sh'. --program NAME selects "
      "one;");
  auto const [other_scale, other] = work_of(program, "other.sh");
  CHECK(other_scale == 1);
  CHECK_THAT(other, has_text("'other.sh' is none of them: taken for the newest, '/home/a/big.sh'"));
}

TEST_CASE("recorded jobs are repeated of the programs that the next ones may run",
          "[which_program]") {
  CalibratedProgram program{"mine", "", {{"/a/big.sh"}, {"/a/small.sh"}, {"/b/small.sh"}}, 0, true};
  program.variants = {{"/a/big.sh", 1, 60, true}, {"/a/small.sh", 0.1, 9}, {"/b/small.sh", 0.2, 9}};
  program.has_jobs = true;
  using Names = std::vector<std::string>;
  auto const repeated = [&](std::string const& executable, WorkOptions const& options) {
    SubmitImport import;
    import.executable = executable;
    set_work(import, program, options, "job.sub");
    CHECK(import.campaign.work.from == scenario::JobSource::record);
    CHECK(import.campaign.work.scale == 1);  // they have their own work
    std::string notes;
    for (auto const& note : import.notes) notes += note.what + ";";
    return std::pair(import.campaign.work.programs, notes);
  };
  CHECK(repeated("a/small.sh", {}) == std::pair(Names{"/a/small.sh"}, std::string()));
  CHECK(repeated("small.sh", {}).first == Names{"/a/small.sh", "/b/small.sh"});
  CHECK(repeated("other.sh", {.program = "/a/big.sh"}).first == Names{"/a/big.sh"});
  // The next program is not known: all of the record, and so says a note.
  for (auto const* executable : {"other.sh", ""}) {
    // Jobs without a name are a program of their own, and not that of every unknown campaign.
    if (*executable == '\0') program.variants.push_back({""});
    auto const [programs, notes] = repeated(executable, {});
    CHECK(programs.empty());
    CHECK_THAT(notes, has_text("jobs are repeated from all of these"));
  }
}

TEST_CASE("any of the record's programs is known", "[which_program]") {
  CalibratedProgram const program{"mine", "", {{"/a/big.sh", "x"}, {"/a/small.sh", "x"}}, 0, true};
  CHECK(work_of(program, "/a/small.sh").second.empty());
  CHECK(work_of(program, "small.sh").second.empty());
  CHECK_THAT(work_of(program, "/a/none.sh").second, has_text("ran another program"));
}

}  // namespace
}  // namespace gridcast::import

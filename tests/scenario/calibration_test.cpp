#include "sim/scenario/calibration.hpp"

#include "sim/base/files.hpp"
#include "tests/scenario/files.hpp"
#include "tests/test.hpp"

namespace gridcast::scenario {

using test::calibration_name;
using test::has_text;
using test::ScenarioFiles;
using Texts = std::vector<std::string>;

namespace {

Texts problems(ScenarioFiles const& files) {
  return files.problems([&] { read_calibration(files / calibration_name); });
}

/// Where the fixture's columns and rows are.
constexpr int first_column_line = 7;
constexpr int first_row_line = first_column_line + 22 + 2 * 9 + 1;

std::string row_place(int row, int column) {
  return "calibration.yaml:" + std::to_string(first_row_line + row) + ":" + std::to_string(column) +
         ": ";
}

}  // namespace

TEST_CASE("A calibration file is read") {
  ScenarioFiles const files;
  Calibration const calibration = read_calibration(files / calibration_name);
  CHECK(calibration.file == (files / calibration_name).string());
  CHECK(calibration.sha256 == sha256(files.text(calibration_name)));
  CHECK(calibration.profile == "resnet50-imagenet");
  CHECK(calibration.sites == Texts{"A", "B"});
  REQUIRE(calibration.draws.size() == 2);
  CHECK(calibration.draws[1].sites.at("B").stream_limit == BytesPerSecond(3.2e8));
}

TEST_CASE("Comments, empty lines, Windows line ends and later lines do no harm") {
  ScenarioFiles files;
  std::string text = files.text(calibration_name) + "# the end\n\nnotes: none\n";
  std::string windows;
  for (char const c : text) windows += c == '\n' ? std::string(" # note\r\n") : std::string(1, c);
  files.write(calibration_name, windows);
  CHECK(read_calibration(files / calibration_name).draws.size() == 2);
}

TEST_CASE("Another schema version is one clear error") {
  ScenarioFiles files;
  files.edit(calibration_name, "gridcast.calibration/1", "gridcast.calibration/99");
  files.edit(calibration_name, "profile: resnet50-imagenet\n", "");
  CHECK(problems(files) ==
        Texts{"calibration.yaml:1:9: this file is of schema gridcast.calibration/99, and this "
              "gridcast reads gridcast.calibration/1. Run `gridcast calibrate` again."});
  files.write(calibration_name, "profile: x\n");
  CHECK(problems(files) ==
        Texts{"calibration.yaml:1:1: this file names no schema, and this gridcast reads "
              "gridcast.calibration/1. Run `gridcast calibrate` again."});
}

TEST_CASE("A broken row is reported with its line and column") {
  ScenarioFiles files;
  std::string const text = files.text(calibration_name);
  auto const row = text.find("    - [");
  auto const with_row = [&](std::string const& line) {
    files.write(calibration_name, text.substr(0, row) + line + text.substr(text.find('\n', row)));
    auto const found = problems(files);
    REQUIRE(found.size() == 1);
    return found[0];
  };
  CHECK_THAT(with_row("    - [1, 2, 3]"),
             has_text(row_place(0, 8) + "3 numbers for 40 columns (a row has one number a"));
  CHECK_THAT(with_row("    - [1, two, 3]"),
             has_text(row_place(0, 11) + "this row of draws is broken"));
  CHECK_THAT(with_row("    - [1, 2"), has_text(row_place(0, 12) + "this row of draws is broken"));
  CHECK_THAT(with_row("    - 1"), has_text(row_place(0, 7) + "this row of draws is broken"));
  CHECK_THAT(with_row("    - [1] 2"), has_text(row_place(0, 11) + "this row of draws is broken"));
  CHECK_THAT(with_row("    - [nan]"), has_text(row_place(0, 8) + "1 numbers for 40 columns"));
}

TEST_CASE("Values out of range are reported where they stand, in all rows") {
  ScenarioFiles files;
  std::string text = files.text(calibration_name);
  for (auto at = text.find("[1, 0.1, "); at != std::string::npos; at = text.find("[1, 0.1, ")) {
    text.replace(at, 9, "[6, 1.5, ");
  }
  files.write(calibration_name, text);
  CHECK(
      problems(files) ==
      Texts{row_place(0, 8) +
                "outage_scope = 6 is out of range (it has to be 0 (origin), 1 (cache), 2 (path), 3 "
                "(node), 4 (uplink) or 5 (none))",
            row_place(0, 11) +
                "stall_bad_fraction = 1.5 is out of range (it has to be a probability, 0 to 1)",
            row_place(1, 8) +
                "outage_scope = 6 is out of range (it has to be 0 (origin), 1 (cache), 2 (path), 3 "
                "(node), 4 (uplink) or 5 (none))",
            row_place(1, 11) +
                "stall_bad_fraction = 1.5 is out of range (it has to be a probability, 0 to "
                "1)"});
}

TEST_CASE("A long list of broken rows shows the first ones and their number") {
  ScenarioFiles files;
  std::string text = files.text(calibration_name);
  for (int i = 0; i < 100; ++i) text += "    - [1]\n";
  files.write(calibration_name, text);
  auto const found = problems(files);
  REQUIRE(found.size() == 21);
  CHECK_THAT(found.back(), has_text("80 more problems in the rows of draws"));
}

TEST_CASE("Columns that are unknown, repeated or missing are reported at once") {
  ScenarioFiles files;
  files.edit(calibration_name, "- rate_noise\n", "- rate_nose\n");
  files.edit(calibration_name, "- gpus.B\n", "- gpus.A\n");
  auto const found = problems(files);
  REQUIRE(found.size() == 3);
  CHECK_THAT(found[0],
             has_text("calibration.yaml:7:5: parameter 'gpus.B' or 'slots.B' is missing"));
  CHECK_THAT(found[1], has_text("calibration.yaml:14:7: unknown parameter 'rate_nose'") &&
                           has_text("Did you mean 'rate_noise'?"));
  CHECK_THAT(found[2], has_text("calibration.yaml:38:7: parameter 'gpus.A' is given twice"));
}

TEST_CASE("A parameter of an older calibration is one problem, with a way out") {
  ScenarioFiles files;
  files.edit(calibration_name, "- gpus.A\n",
             "- gpus.A\n    - old_rate_per_s.A\n    - old_rate_per_s.B\n");
  auto const found = problems(files);
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0], has_text("calibration.yaml:") &&
                           has_text("unknown parameter 'old_rate_per_s.A'") &&
                           has_text("another version of gridcast may have written this file") &&
                           has_text("Run `gridcast calibrate` again.") &&
                           !has_text("speed"));  // no list of all parameters
}

TEST_CASE("A calibration without draws, rows or profile") {
  ScenarioFiles files;
  files.write(calibration_name, "schema: gridcast.calibration/1\n");
  auto found = problems(files);
  REQUIRE(found.size() == 2);
  CHECK_THAT(found[0], has_text("calibration.yaml:1:1: key 'profile' is missing"));
  CHECK_THAT(found[1], has_text("calibration.yaml:1:1: key 'draws' is missing"));

  files.write(calibration_name, "schema: gridcast.calibration/1\nprofile: p\ndraws:\n");
  found = problems(files);
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0], has_text("calibration.yaml:3:1: key 'draws' has no value"));

  ScenarioFiles none;
  std::string const text = none.text(calibration_name);
  none.write(calibration_name, text.substr(0, text.find("    - [")));
  found = problems(none);
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0], has_text("draws: there are no rows"));
}

TEST_CASE("Bad YAML is reported with its place") {
  ScenarioFiles files;
  files.edit(calibration_name, "profile: resnet50", "profile: 'resnet50");
  auto const found = problems(files);
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0], has_text("this is not YAML"));
}

}  // namespace gridcast::scenario

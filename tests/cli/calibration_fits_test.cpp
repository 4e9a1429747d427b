// Which data a page shows the fits of a calibration beside.
#include <filesystem>
#include <string>
#include <unistd.h>

#include "sim/base/files.hpp"
#include "sim/cli/report.hpp"
#include "tests/test.hpp"

namespace gridcast::cli {
namespace {

using test::has_text;

std::string const fitted = "calibration/fitted/osg-imagenet.yaml";

/// The page of this calibration with other text in it.
report::CalibrationPage page_with(std::string const& text, std::string const& instead) {
  auto const source = test::source_dir();
  std::string all = read_text_file(source / fitted);
  auto const at = all.find(text, all.find("\nmade_by:"));
  REQUIRE(at != std::string::npos);
  all.replace(at, text.size(), instead);
  auto const file = std::filesystem::temp_directory_path() /
                    ("gridcast-fits-" + std::to_string(getpid()) + ".yaml");
  write_file(file, all);
  auto calibration = scenario::read_calibration(source / fitted);
  calibration.file = file.string();
  auto page = calibration_page(calibration);
  std::filesystem::remove(file);
  return page;
}

TEST_CASE("Fits are not shown beside data that the calibration's options left out", "[report]") {
  auto const calibration = scenario::read_calibration(test::source_dir() / fitted);
  CHECK(!calibration_page(calibration).processes.empty());
  for (std::string const option : {"--where 'ProcId < 9'", "--columns=sacct", "--prefix"}) {
    CAPTURE(option);
    auto const page = page_with(" --pool", " " + option + " --pool");
    CHECK(page.processes.empty());
    CHECK_THAT(page.no_data,
               has_text("was read with " + option.substr(0, option.find_first_of(" ="))));
  }
  // An option that begins alike is another.
  auto const other = page_with(" --pool", " --prefixes --pool").no_data;
  CHECK(other.find("was read with") == std::string::npos);
}

}  // namespace
}  // namespace gridcast::cli

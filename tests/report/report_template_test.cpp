#include "sim/report/report_template.hpp"

#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "tests/test.hpp"

namespace fs = std::filesystem;
using gridcast::report::report_template;

namespace {

/// A new empty folder that is gone at the end.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("gridcast-template-" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path / "build" / "release" / "tests"); }
  ~Folder() { fs::remove_all(path); }
  void put(fs::path const& file, std::string const& text) const {
    fs::create_directories((path / file).parent_path());
    std::ofstream(path / file) << text;
  }
};

}  // namespace

TEST_CASE("the report page is that of the program's own build or installation") {
  Folder const folder;
  auto const programs = folder.path / "build" / "release";
  REQUIRE(report_template(programs / "tests") == std::nullopt);

  folder.put("build/release/page/report.html", "");
  CHECK(report_template(programs) == std::nullopt);  // an empty file is no page

  folder.put("build/release/page/report.html", "<html>built</html>");
  CHECK(report_template(programs) == "<html>built</html>");
  CHECK(report_template(programs / "tests") == "<html>built</html>");
  CHECK(report_template(folder.path / "build") == std::nullopt);

  folder.put("usr/share/gridcast/report.html", "<html>installed</html>");
  CHECK(report_template(folder.path / "usr" / "bin") == "<html>installed</html>");
}

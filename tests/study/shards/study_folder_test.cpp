#include "sim/study/shards/study_folder.hpp"

#include <cstdlib>

#include "tests/test.hpp"

namespace gridcast::study {
namespace {

namespace fs = std::filesystem;

TEST_CASE("a folder with any name can be typed", "[study_folder]") {
  CHECK(typed("osg-imagenet.study") == "osg-imagenet.study");
  CHECK(typed("a b/$(c)") == "'a b/$(c)'");
  CHECK(typed("-x") == "./-x");
  CHECK(typed("-x y") == "'./-x y'");
  CHECK(typed("\u00fc") == "'\u00fc'");
  // No escape sequence and no line's end reaches the terminal.
  CHECK(typed("a\x1b[31m'b\\c\n\xff") == "$'a\\x1b[31m\\x27b\\x5cc\\x0a\\xff'");
}

TEST_CASE("one at a time has a study's lock, and others can see it", "[study_folder]") {
  std::string name = (fs::temp_directory_path() / "gridcast-test-XXXXXX").string();
  fs::path const folder = ::mkdtemp(name.data());
  CHECK_FALSE(is_in_use(folder));
  {
    FolderLock const lock(folder);
    CHECK(is_in_use(folder));
    CHECK_THROWS_AS(FolderLock(folder), InputError);
  }
  CHECK_FALSE(is_in_use(folder));
  fs::remove_all(folder);
}

}  // namespace
}  // namespace gridcast::study

// The main of every test program. Catch2 2 compiles its runner here, which takes a while; once.
#define CATCH_CONFIG_RUNNER
#include <cstdlib>
#include <system_error>

#include "tests/test.hpp"

std::filesystem::path gridcast::test::source_dir() { return GRIDCAST_SOURCE_DIR; }

int main(int argc, char** argv) {
  // The program removes the tests' temporary files at its end.
  namespace fs = std::filesystem;
  std::string folder = (fs::temp_directory_path() / "gridcast-tests-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return EXIT_FAILURE;
  setenv("TMPDIR", folder.c_str(), 1);
  int const failed = Catch::Session().run(argc, argv);
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return failed;
}

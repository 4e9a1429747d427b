#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "tests/test.hpp"

namespace gridcast::inline base {
namespace {

namespace fs = std::filesystem;

/// Whether it is true of a process of its own, which keeps its inputs.
bool holds_there(std::function<bool()> const& claim) {
  pid_t const child = ::fork();
  if (child == 0) {
    protect_input_files();
    _exit(claim() ? EXIT_SUCCESS : EXIT_FAILURE);
  }
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool is_refused(fs::path const& file) {
  try {
    write_file(file, "new");
    return false;
  } catch (InputError const& error) {
    return std::string(error.what()).find("is one of the inputs") != std::string::npos;
  }
}

TEST_CASE("An input is not overwritten under any name; an output may be") {
  std::string name = (fs::temp_directory_path() / "gridcast-test-XXXXXX").string();
  fs::path const folder = ::mkdtemp(name.data());
  write_file(folder / "in", "old");
  fs::create_hard_link(folder / "in", folder / "hard");
  fs::create_symlink("in", folder / "soft");
  CHECK(holds_there([&] {
    read_text_file(folder / "soft");
    return is_refused(folder / "in") && is_refused(folder / "hard") && is_refused(folder / "soft");
  }));
  CHECK(holds_there([&] {
    write_file(folder / "out", "1");
    read_text_file(folder / "out");
    return !is_refused(folder / "out") && !is_refused(folder / "in");
  }));
  CHECK(holds_there([&] {
    read_text_file(folder / "hard");
    note_own_file(folder / "hard");
    return !is_refused(folder / "hard");
  }));
  fs::remove_all(folder);
}

}  // namespace
}  // namespace gridcast::inline base

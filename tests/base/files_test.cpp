#include "sim/base/files.hpp"

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "tests/test.hpp"

namespace gridcast::inline base {
namespace {

namespace fs = std::filesystem;
using test::has_text;

/// A folder that is gone when the test is over.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "gridcast-test-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(Folder const&) = delete;
  Folder& operator=(Folder const&) = delete;
  fs::path operator/(char const* name) const { return path_ / name; }
  std::ptrdiff_t entries() const {
    return std::distance(fs::directory_iterator(path_), fs::directory_iterator());
  }

 private:
  fs::path path_;
};

/// The message of the error that `action` throws; it must name `path`.
template <class Error = InputError, class Action>
std::string message(fs::path const& path, Action action) {
  try {
    action();
  } catch (Error const& error) {
    REQUIRE(error.problems().size() == 1);
    CHECK(error.problems()[0].where.file == path.string());
    CHECK_FALSE(error.problems()[0].hint.empty());
    return error.what();
  }
  return "no error";
}

TEST_CASE("a pipe is no ordinary file, and a missing file may be named", "[files]") {
  Folder const folder;
  write_file(folder / "file", "text");
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  fs::create_symlink("pipe", folder / "link");
  CHECK_NOTHROW(expect_ordinary_file(folder / "file"));
  CHECK_NOTHROW(expect_ordinary_file(folder / "nothing"));
  CHECK_NOTHROW(expect_ordinary_file(folder / "."));
  for (fs::path const& path : {folder / "pipe", folder / "link", fs::path("/dev/null")}) {
    CAPTURE(path.string());
    CHECK_THROWS_WITH(expect_ordinary_file(path),
                      has_text(path.string() + ": is no ordinary file"));
  }
}

TEST_CASE("a file is read as it was written", "[files]") {
  Folder const folder;
  for (std::string const& text : {std::string(), std::string("no line end"),
                                  std::string("a\r\nb\n"), std::string(1000000, 'x') + "end"}) {
    write_file(folder / "file", text);
    CHECK(
        (read_text_file(folder / "file") == text));  // doubled: a million x are not worth printing
    CHECK(folder.entries() == 1);
  }
  struct stat status = {};
  REQUIRE(::stat((folder / "file").c_str(), &status) == 0);
  mode_t const umask_now = ::umask(0);
  ::umask(umask_now);
  CHECK((status.st_mode & 0777) == (0644 & ~umask_now));
}

TEST_CASE("a file is replaced, through a link too", "[files]") {
  Folder const folder;
  write_file(folder / "file", "old and longer");
  fs::create_symlink(folder / "file", folder / "link");
  write_file(folder / "link", "new");
  CHECK(read_text_file(folder / "file") == "new");
  CHECK(fs::is_symlink(folder / "link"));
}

TEST_CASE("a file that is replaced keeps its permissions", "[files]") {
  Folder const folder;
  write_file(folder / "secret", "old");
  REQUIRE(::chmod((folder / "secret").c_str(), 0600) == 0);
  write_file(folder / "secret", "new");
  struct stat status = {};
  REQUIRE(::stat((folder / "secret").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  CHECK(read_text_file(folder / "secret") == "new");
}

TEST_CASE("a process that is killed while it writes leaves nothing behind", "[files]") {
  Folder const folder;
  bool const replaces = GENERATE(false, true);
  if (replaces) write_file(folder / "file", "old");
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  pid_t const child = ::fork();
  if (child == 0) {
    OutputFile file(folder / "file");
    file.out() << std::string(100000, 'x') << std::flush;
    char const written = 'w';
    if (::write(ends[1], &written, 1) == 1) ::pause();
    ::_exit(0);
  }
  char written = 0;
  REQUIRE(::read(ends[0], &written, 1) == 1);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  ::close(ends[0]);
  ::close(ends[1]);
  CHECK(folder.entries() == (replaces ? 1 : 0));
  if (replaces) CHECK(read_text_file(folder / "file") == "old");
}

TEST_CASE("a file without an end is not read forever", "[files]") {
  CHECK_THAT(message("/dev/zero", [] { read_text_file("/dev/zero"); }),
             has_text("is a binary file"));
  Folder const folder;
  write_file(folder / "file", std::string(200000, 'x'));
  CHECK_THAT(message(folder / "file", [&] { read_text_file(folder / "file", 100000); }),
             has_text("is too long (more than 100000 bytes)"));
  CHECK(read_text_file(folder / "file", 200000).size() == 200000);
}

TEST_CASE("a byte order mark is no part of a text, and UTF-16 is refused", "[files]") {
  Folder const folder;
  auto const written = [&](std::string const& bytes) {
    std::ofstream(folder / "file", std::ios::binary) << bytes;
    return folder / "file";
  };
  CHECK(read_text_file(written("\xEF\xBB\xBFJOB a\n")) == "JOB a\n");
  CHECK(read_text_file(written("\xEF\xBB\xBF")).empty());
  CHECK(read_text_file(written("\xEF\xBB")) == "\xEF\xBB");
  CHECK(read_text_file(written("a\xEF\xBB\xBF")) == "a\xEF\xBB\xBF");
  for (std::string const mark : {"\xFF\xFE", "\xFE\xFF"}) {
    CHECK_THAT(message(folder / "file", [&] { read_text_file(written(mark + "J")); }),
               has_text("is UTF-16"));
    CHECK_THAT(message(folder / "file", [&] { read_text_file(written(mark + std::string(2, 0))); }),
               has_text("is UTF-16"));
  }
}

TEST_CASE("a file in a form of compression that is not read names the command", "[files]") {
  Folder const folder;
  auto const refusal = [&](std::string const& bytes) {
    std::ofstream(folder / "file", std::ios::binary) << bytes;
    return message(folder / "file", [&] { read_text_file(folder / "file"); });
  };
  CHECK_THAT(refusal("\xFD\x37zXZ\n"), has_text("is compressed with xz"));
  CHECK_THAT(refusal("\xFD\x37zXZ\n"), has_text("xz -d FILE"));
  CHECK_THAT(refusal("BZh91AY&SY"), has_text("bzip2 -d FILE"));
  CHECK_THAT(refusal("PK\x03\x04\n"), has_text("unzip FILE"));
  std::ofstream(folder / "file") << "BZhou 1AY";
  CHECK(read_text_file(folder / "file") == "BZhou 1AY");
}

/// A tar archive with one file, as `tar --format=FORMAT -c NAME` begins it.
std::string tar_of(std::string const& name, std::string const& text, bool ustar) {
  std::string header(512, '\0');
  auto const put = [&header](std::size_t at, std::string const& value) {
    header.replace(at, value.size(), value);
  };
  put(0, name);
  put(100, "0000644");
  put(124, fmt::format("{:011o}", text.size()));
  put(136, "15113042175");
  put(148, "        ");
  put(156, "0");
  if (ustar) put(257, std::string("ustar\00000", 8));
  unsigned sum = 0;
  for (unsigned char const byte : header) sum += byte;
  put(148, fmt::format("{:06o}", sum) + '\0');
  return header + text + std::string(1024 - text.size() % 512, '\0');
}

TEST_CASE("a tar archive is refused by name, in every form", "[files]") {
  Folder const folder;
  std::string const log = "000 (001.000.000) 2026-01-01 00:00:00 Job submitted\n...\n";
  for (bool const ustar : {true, false}) {
    std::ofstream(folder / "file", std::ios::binary) << tar_of("jobs.log", log, ustar);
    CHECK_THAT(message(folder / "file", [&] { read_text_file(folder / "file"); }),
               has_text("is a tar archive") && has_text("tar -xf FILE"));
  }
  std::string const changed = tar_of("jobs.log", log, true).replace(0, 1, "k");
  std::ofstream(folder / "file", std::ios::binary) << changed;
  CHECK_THAT(message(folder / "file", [&] { read_text_file(folder / "file"); }),
             has_text("is a binary file"));
}

TEST_CASE("a file that cannot be read says why", "[files]") {
  Folder const folder;
  auto const reading = [&](char const* name) {
    return message(folder / name, [&] { read_text_file(folder / name); });
  };
  CHECK_THAT(reading("none"), has_text("no such file"));
  fs::create_directory(folder / "folder");
  CHECK_THAT(reading("folder"), has_text("is a folder"));
  std::ofstream(folder / "archive") << "PK" << '\0';
  CHECK_THAT(reading("archive"), has_text("is a binary file"));
  write_file(folder / "file", "");
  CHECK_THAT(reading("file/inside"), has_text("cannot be opened (Not a directory)"));
  if (::geteuid() != 0) {  // root may read anything
    fs::permissions(folder / "file", fs::perms::none);
    CHECK_THAT(reading("file"), has_text("cannot be opened (Permission denied)"));
  }
}

TEST_CASE("a file that cannot be written says why and leaves nothing", "[files]") {
  Folder const folder;
  auto const writing = [](fs::path const& path) {
    return message(path, [&] { write_file(path, "text"); });
  };
  CHECK_THAT(writing(folder / "none/file"), has_text("No such file or directory"));
  fs::create_directory(folder / "folder");
  CHECK_THAT(writing(folder / "folder"), has_text("is a folder"));
  CHECK_THAT(message<ResourceError>("/dev/full", [] { write_file("/dev/full", "text"); }),
             has_text("No space left on device"));
  CHECK(fs::is_character_file("/dev/full"));
  CHECK(folder.entries() == 1);
}

TEST_CASE("a text that cannot name a file is bad input", "[files]") {
  CHECK_THROWS_AS(write_file("", "x"), InputError);
  CHECK_THROWS_AS(write_file(fs::temp_directory_path() / std::string(300, 'x'), "x"), InputError);
}

TEST_CASE("when the disk is full, the old file stays", "[files]") {
  Folder const folder;
  write_file(folder / "file", "old");
  struct rlimit before = {};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  auto* const handler = ::signal(SIGXFSZ, SIG_IGN);
  struct rlimit const small = {1000, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  auto const text = message<ResourceError>(
      folder / "file", [&] { write_file(folder / "file", std::string(5000, 'x')); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, handler);
  CHECK_THAT(text, has_text("cannot be written (File too large)"));
  CHECK(read_text_file(folder / "file") == "old");
  CHECK(folder.entries() == 1);
}

TEST_CASE("if one of several files cannot be written, none is kept", "[files]") {
  Folder const folder;
  CHECK_THAT(message<ResourceError>("/dev/full",
                                    [&] {
                                      write_together({{folder / "a", "1"}, {"/dev/full", "2"}});
                                    }),
             has_text("No space left on device"));
  CHECK(folder.entries() == 0);
  OutputFile first(folder / "a"), second(folder / "b");
  first.out() << 1;
  second.out() << 2;
  fs::create_directory(folder / "b");
  CHECK_THROWS(keep_together({{folder / "a", &first}, {folder / "b", &second}}));
  CHECK_FALSE(fs::exists(folder / "a"));
  write_together({{folder / "a", "1"}, {folder / "c", "2"}});
  CHECK(read_text_file(folder / "a") + read_text_file(folder / "c") == "12");
}

TEST_CASE("a file written piece by piece is there whole or not at all", "[files]") {
  Folder const folder;
  auto const in_pieces = [](std::ostream& out) {
    for (int i = 0; i < 1000; ++i) out << i << '\n';
    out.put('!');
  };
  write_file(folder / "file", in_pieces);
  std::ostringstream expected;
  in_pieces(expected);
  CHECK(read_text_file(folder / "file") == expected.str());
  CHECK_THAT(message<ResourceError>("/dev/full", [&] { write_file("/dev/full", in_pieces); }),
             has_text("/dev/full: cannot be written (No space left on device)"));
  auto const fails = [](std::ostream& out) {
    out << "half";
    throw std::runtime_error("no more");
  };
  CHECK_THROWS_AS(write_file(folder / "file", fails), std::runtime_error);
  CHECK(read_text_file(folder / "file") == expected.str());
  CHECK(folder.entries() == 1);
}

TEST_CASE("folders are prepared", "[files]") {
  Folder const folder;
  prepare_folder(folder / "a/b/c");
  CHECK(fs::is_directory(folder / "a/b/c"));
  prepare_folder(folder / "a/b/c/");
  fs::create_directory_symlink(folder / "a", folder / "link");
  CHECK_NOTHROW(prepare_folder(folder / "link"));
  write_file(folder / "file", "");
  for (char const* name : {"file", "file/inside"}) {
    CHECK_THAT(message(folder / name, [&] { prepare_folder(folder / name); }),
               has_text("cannot be made a folder (Not a directory)"));
  }
  if (::geteuid() != 0) {
    fs::permissions(folder / "a", fs::perms::owner_read);
    CHECK_THAT(message(folder / "a", [&] { prepare_folder(folder / "a"); }),
               has_text("cannot be written in (Permission denied)"));
    fs::permissions(folder / "a", fs::perms::owner_all);
  }
}

TEST_CASE("SHA-256 gives the published digests", "[files]") {
  // FIPS 180-4 examples of NIST.
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256(std::string(1000000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  // A file that is longer than a piece of it, and an empty one.
  Folder const folder;
  std::string const text(3'000'001, 'b');
  write_file(folder / "a", text);
  write_file(folder / "empty", "");
  CHECK(sha256_of_file(folder / "a") == sha256(text));
  CHECK(sha256_of_file(folder / "empty") == sha256(""));
}

}  // namespace
}  // namespace gridcast::inline base

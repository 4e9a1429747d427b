#include "sim/condor/submit/submit_file.hpp"

#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/test.hpp"

namespace gridcast::condor {
namespace {

using test::has_text;

/// Files that are only in the test.
class FakeFolder final : public SubmitFolder {
 public:
  explicit FakeFolder(std::map<std::string, std::string> files) : files_(std::move(files)) {}

  std::string read(std::filesystem::path const& file) const override {
    auto const found = files_.find(file.filename().string());
    if (found != files_.end()) return found->second;
    throw InputError(Problem{{file.filename().string()}, "no such file", "", ""});
  }
  std::vector<std::string> matching(std::filesystem::path const&, std::string const& pattern,
                                    Kind kind) const override {
    std::vector<std::string> names;
    for (auto const& [name, text] : files_) {
      bool const folder = text == "/";
      if (kind != Kind::any && folder != (kind == Kind::folders)) continue;
      if (name.ends_with(pattern.substr(1))) names.push_back(name);
    }
    return names;
  }

 private:
  std::map<std::string, std::string> files_;
};

SubmitFile read(std::string const& text, std::map<std::string, std::string> files = {},
                std::vector<std::string> const& deciding = {"a"}) {
  files["job.sub"] = text;
  return read_submit_file("job.sub", deciding, FakeFolder(std::move(files)));
}

/// The values of `a`, each with its number of jobs: "1x2 5x1".
std::string jobs_of(SubmitFile const& file) {
  std::string text;
  for (SubmitGroup const& group : file.groups) {
    auto const found = group.commands.find("a");
    text += fmt::format("{}{}x{}", text.empty() ? "" : " ",
                        found == group.commands.end() ? "" : found->second.text, group.jobs);
  }
  return text;
}

std::string notes_of(SubmitFile const& file) {
  std::string text;
  for (SubmitNote const& note : file.notes) {
    text += fmt::format("{}:{}: {}\n", note.where.file, note.where.line, note.what);
  }
  return text;
}

std::string message(std::string const& text, std::map<std::string, std::string> files = {}) {
  try {
    read(text, std::move(files));
  } catch (InputError const& error) {
    return error.what();
  }
  return "";
}

struct Case {
  char const* text;
  char const* jobs;
};

void check_all(std::vector<Case> const& cases,
               std::map<std::string, std::string> const& files = {}) {
  for (auto const& [text, jobs] : cases) {
    INFO(text);
    CHECK(jobs_of(read(text, files)) == jobs);
  }
}

}  // namespace

TEST_CASE("queue in all its forms", "[submit_file]") {
  std::map<std::string, std::string> const files = {
      {"list.txt", "x 1\ny 2\n"}, {"one.dat", ""}, {"two.dat", ""}, {"dir.dat", "/"}};
  check_all(
      {{"a = 7\nqueue", "7x1"},
       {"a = 7\nqueue 3", "7x3"},
       {"a = $(Process)\nqueue 2", "0x1 1x1"},
       {"a = 1\nqueue 2\na = 2\nqueue", "1x2 2x1"},
       {"a = 1\nN = 2\nqueue $(N)*2", "1x4"},
       {"a = 1\nqueue 0\nqueue 1", "1x1"},
       {"a = $(Item)\nqueue in (x y, z)", "xx1 yx1 zx1"},
       {"a = $(Item)\nqueue in x y", "xx1 yx1"},
       {"a = $(n)$(Step)\nqueue 2 n in (x y)", "x0x1 x1x1 y0x1 y1x1"},
       {"a = $(n)\nqueue n in [1:] (x y z)", "yx1 zx1"},
       {"a = $(n)\nqueue n in [::2] (x y z)", "xx1 zx1"},
       {"a = $(n)\nqueue n in [-1:] (x y z)", "zx1"},
       {"a = $(n)\nqueue n in [0] (x y z)", "xx1"},
       {"a = $(n)\nqueue n in (x\n  y\n  z)\n", "xx1 yx1 zx1"},
       {"a = $(n)-$(m)\nqueue n,m from list.txt", "x-1x1 y-2x1"},
       {"a = $(Item)\nqueue from list.txt", "x 1x1 y 2x1"},
       {"a = $(n)-$(m)\nqueue n m from (\n  x, 1\n  # none\n  y z, 2\n)", "x-1x1 y-z, 2x1"},
       {"a = $(n)\nqueue n from [1:2] (\n  x\n  y\n)", "yx1"},
       {"a = $(f)\nqueue f matching *.dat", "dir.datx1 one.datx1 two.datx1"},
       {"a = $(f)\nqueue f matching (*.dat *one.dat)", "dir.datx1 one.datx1 two.datx1"},
       {"a = $(f)\nsubmit_match_directories = never\nqueue f matching *.dat",
        "one.datx1 two.datx1"},
       {"a = $(f)\nSubmitMatchDirectories = only\nqueue f matching *.dat", "dir.datx1"},
       {"a = $(f)\nSubmitMatchDirectories = only\nqueue f matching files *.dat",
        "one.datx1 two.datx1"},
       {"a = $(f)\nSubmitAllowDuplicateMatches = true\nqueue f matching files (*.dat *one.dat)",
        "one.datx2 two.datx1"},
       {"a = $(f)\nqueue f matching files (*.dat)", "one.datx1 two.datx1"},
       {"a = $(f)\nqueue f matching dirs *.dat", "dir.datx1"},
       {"a = $(f)\nqueue f matching any *.dat", "dir.datx1 one.datx1 two.datx1"},
       {"a = $(Row)$(ItemIndex)\nqueue 1 in (x y)", "00x1 11x1"}},
      files);
}

// As load_external_q_foreach_items and load_inline_q_foreach_items of HTCondor 23.8 count them.
TEST_CASE("lines of a list are items, also odd ones", "[submit_file]") {
  std::map<std::string, std::string> const files = {{"list.txt", "a 1\nb 2\n# c\n\nd 4\n"},
                                                    {"long.txt", "x, \\\n  1\n# y \\\nz"},
                                                    {"empty.txt", "\n"}};
  check_all({{"a = $(n)-$(m)\nqueue n,m from list.txt", "a-1x1 b-2x1 #-cx1 -x1 d-4x1"},
             {"a = $(n)\nqueue n,m from [2:3] list.txt", "#x1"},
             {"a = $(n)-$(m)\nqueue n,m from long.txt", "x-1x1 #-y \\x1 z-x1"},
             {"a = 1\nqueue n from empty.txt", "1x1"},
             {"a = $(n)\nqueue n from (x\n\n# no item\n  y\n)", "xx1 x1 yx1"}},
            files);
  CHECK_THAT(notes_of(read("queue n from list.txt", files)),
             has_text("job.sub:1: condor_submit queues jobs for all lines of list.txt, also for 1 "
                      "with # at the beginning and 1 empty"));
  CHECK(notes_of(read("queue n from (\n  x\n # no item\n)")).empty());
  CHECK(notes_of(read("queue n in (\n  x\n\n  y\n)")).empty());
}

TEST_CASE("macros", "[submit_file]") {
  check_all(
      {{"b = 2\na = $(b)$(c:3)\nqueue", "23x1"},
       {"a = $(b)\nb = late\nqueue", "latex1"},
       {"A = 1\na = $(A)2\nqueue", "12x1"},
       {"a = $(B:$(c))\nc = 4\nqueue", "4x1"},
       {"n =\na = $(n:5)\nqueue $(n:2)", "5x2"},
       {"a = $(m:4)\nqueue x, m from (\n a, 8\n b\n)", "8x1 4x1"},
       {"n = 3\na = $INT(n,%03d)\nqueue", "003x1"},
       {"n = 3\na = $INT($(n)*2)\nqueue", "6x1"},
       {"a = $INT(Process*10, %d)\nqueue", "$INT(Process*10, %d)x1"},
       {"a = $INT($(Process)*10)\nqueue 2", "0x1 10x1"},
       {"a = $REAL(1/4.0,%.3f)\nqueue", "0.250x1"},
       {"a = $CHOICE(1,x,y,z)\nqueue", "yx1"},
       {"a = $CHOICE(IsWindows,l,w)\nqueue", "lx1"},
       {"a = $(OPSYS)-$(islinux)\nqueue", "LINUX-1x1"},
       {"arch = mine\na = $(ARCH)\nqueue", "minex1"},
       {"l = x,y,z\na = $CHOICE($(Process),l)\nqueue 2", "xx1 yx1"},
       {"f = /d/e/name.tar.gz\na = $Fn(f) $Fx(f) $Fp(f) $Fnx(f)\nqueue",
        "name.tar .gz /d/e/ name.tar.gzx1"},
       {"f = d/name.x\na = $BASENAME(f)$DIRNAME(f)\nqueue", "name.xd/x1"},
       {"f = /d/e/name.tar.gz\na = $BASENAME(f,.gz) $BASENAME(f, .tar.gz) $BASENAME(f,.x)\nqueue",
        "name.tar name name.tar.gzx1"},
       {"f = /c/d/e/x.y\na = $Fd(f) $Fdd(f) $Fddb(f) $Fdddd(f)\nqueue", "e/ d/e/ d/e /c/d/e/x1"},
       {"s = abcdef\na = $SUBSTR(s,1,2)\nqueue", "bcx1"},
       {"a = $(DOLLAR)x\nqueue", "$xx1"},
       {"a = $$(Arch)\nqueue", "$$(Arch)x1"},
       {"a = $ENV(HOME:nowhere)\nqueue", "nowherex1"},
       {"a = x$y(\nqueue", "x$y(x1"},
       {"a = $(SUBMIT_FILE)\nqueue", "job.subx1"}});
}

TEST_CASE("macros that condor_submit defines itself are not called undefined", "[submit_file]") {
  for (std::string const name : {"Year", "SUBMIT_TIME", "OpSysAndVer", "USERNAME"}) {
    auto const notes = notes_of(read("a = x$(" + name + ")\nqueue"));
    CHECK_THAT(notes, has_text("known at the submission only"));
    CHECK(notes.find("nothing defines") == std::string::npos);
  }
}

// SelfOnlyBody of HTCondor's config.cpp: a reference to the macro itself is to its value before.
TEST_CASE("a macro may keep its value or take a default", "[submit_file]") {
  check_all({{"n = $(n:5)\na = $(n)\nqueue", "5x1"},
             {"n = 2\nn = $(n:5)\na = $(n)\nqueue", "2x1"},
             {"n =\nn = $(N:5)\na = $(n)\nqueue", "5x1"},
             {"n = 2\nn = $(n:5)$(n)\na = $(n)\nqueue", "22x1"},
             {"n = in/data.tar\nn = $Fnx(n)\na = $(n)\nqueue", "data.tarx1"},
             {"m = 7\nn = $(m:5)\na = $(n)\nqueue", "7x1"}});
}

TEST_CASE("lines, comments and conditions", "[submit_file]") {
  check_all({{"# a = 1\na = 1 \\\n  2\nqueue", "1 2x1"},
             {"a = 1 \\\n# between\n 2\nqueue", "1 2x1"},
             {"a = 1\r\nqueue\r\n", "1x1"},
             {"a @=end\n  x,\n  y\n@end\nqueue", "x, yx1"},
             {"if true\na = 1\nelse\na = 2\nendif\nqueue", "1x1"},
             {"if $(IsWindows)\na = 1\nelse\na = 2\nendif\nqueue", "2x1"},
             {"if defined b\na = 1\nelif 0\na = 2\nelse\na = 3\nendif\nqueue", "3x1"},
             {"b = 1\nif defined b\na = 1\nendif\nqueue", "1x1"},
             {"b =\na = 1\nif defined b\na = 3\nendif\nqueue", "1x1"},
             {"a = 1\nif $(b)\na = 3\nendif\nqueue", "1x1"},
             {"if ! $(b)\na = 3\nendif\nqueue", "3x1"},
             {"if ! defined b\na = 1\nendif\nqueue", "1x1"},
             {"if version >= 8.1.6\na = 1\nendif\nqueue", "1x1"},
             {"if version > 99.0\na = 1\nelse\na = 2\nendif\nqueue", "2x1"},
             {"n = 1\nif $(n)\nif false\na = 1\nelse\na = 2\nendif\nendif\nqueue", "2x1"},
             {"if false\nqueue 3\nendif\na = 1\nQUEUE 2", "1x2"}});
  SubmitFile const file = read("+Foo = 3\nMY.Bar = \"x\"\nqueue");
  CHECK(file.commands.at("+foo").text == "3");
  CHECK(file.commands.at("+Bar").text == "\"x\"");
}

TEST_CASE("includes", "[submit_file]") {
  std::map<std::string, std::string> const files = {{"other.sub", "b = 5\n"},
                                                    {"again.sub", "include : job.sub\n"}};
  check_all({{"include : other.sub\na = $(b)\nqueue", "5x1"},
             {"d = other\ninclude : $(d).sub\na = $(b)\nqueue", "5x1"},
             {"include ifexist : nothing.sub\na = 1\nqueue", "1x1"}},
            files);
  CHECK_THAT(
      message("\ninclude : again.sub\nqueue", files),
      has_text("again.sub:1: include : job.sub is a loop (job.sub -> again.sub -> job.sub)"));
  CHECK_THAT(message("include : job.sub\nqueue", files), has_text("job.sub:1: include"));
  CHECK_THAT(message("include : nothing.sub\nqueue"), has_text("job.sub:1: include : nothing.sub"));
  CHECK_THAT(notes_of(read("include : date |\nqueue")),
             has_text("job.sub:1: not understood: include of a command's output"));
}

TEST_CASE("a wrong submit file has one message with its place", "[submit_file]") {
  CHECK_THAT(message("a = $(b)\nb = $(c)\nc = $(a)\nqueue"),
             has_text("job.sub:1: macro 'b' never ends"));
  CHECK_THAT(message("a = $(b)$(b)\nb = $(c)$(c)\nc = $(d)$(d)\nd = $(e)$(e)$(e)\ne = $(f)$(f)$(f)"
                     "\nf = $(g)$(g)$(g)$(g)$(g)$(g)\ng = $(h)$(h)$(h)$(h)$(h)$(h)$(h)$(h)\nh = "
                     "$(i)$(i)$(i)$(i)$(i)$(i)$(i)$(i)$(i)\ni = $(j)$(j)$(j)$(j)$(j)$(j)$(j)\nj = "
                     "xxxxxxxxxxxxxxxxxxxx\nqueue"),
             has_text("it grows without end"));
  CHECK_THAT(message("a = 1\n"), has_text("job.sub: no queue statement"));
  CHECK_THAT(message(""), has_text("no queue statement"));
  CHECK_THAT(message("queue x from nothing.txt"),
             has_text("job.sub:1: queue from nothing.txt: no such file"));
  CHECK_THAT(message("queue x from ls |"), has_text("a command's output is not read"));
  CHECK_THAT(message("queue x matching *.no"), has_text("nothing matches"));
  CHECK_THAT(message("queue x from (\n1\n2\n"), has_text("has no end"));
  CHECK_THAT(message("queue -1"), has_text("not a number of jobs"));
  CHECK_THAT(message("queue many"), has_text("queue many: not a number of jobs"));
  CHECK_THAT(message("queue 999999\nqueue 2"), has_text("more than 1000000 jobs"));
  CHECK_THAT(message("queue x in [a:b] (1)"), has_text("is no slice"));
  CHECK_THAT(message("if maybe\nendif\nqueue"), has_text("is no condition of a submit file"));
  CHECK_THAT(message("if true\nqueue"), has_text("job.sub:1: 'if' without its 'endif'"));
  CHECK_THAT(message("else\nqueue"), has_text("'else' without its 'if'"));
  CHECK_THAT(message("a @=end\nqueue"), has_text("has no end"));
}

TEST_CASE("a command that is not taken literally is noted with its line", "[submit_file]") {
  CHECK(notes_of(read("a = 1\nqueue")).empty());
  CHECK(notes_of(read("a = $(nothing)\nqueue 5")) ==
        "job.sub:1: nothing defines $(nothing): it is taken as empty\n");
  CHECK_THAT(notes_of(read("\nuse template : x\nqueue")),
             has_text("job.sub:2: not understood: use template : x"));
  CHECK_THAT(notes_of(read("a = $ENV(HOME)\nqueue")), has_text("of the environment"));
  CHECK_THAT(notes_of(read("a = $RANDOM_CHOICE(1,2)\nqueue")), has_text("random"));
  CHECK_THAT(notes_of(read("a = $FOO(1)\nqueue")), has_text("no function of submit files"));
}

TEST_CASE("a hundred thousand jobs of one kind are one group", "[submit_file]") {
  SubmitFile const file = read("a = 1\narguments = $(Process)\nqueue 100000");
  CHECK(file.groups.size() == 1);
  CHECK(file.jobs() == 100000);
  CHECK(file.commands.at("arguments").text == "0");
}

}  // namespace gridcast::condor

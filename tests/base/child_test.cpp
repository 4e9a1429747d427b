#include "sim/base/child.hpp"

#include <chrono>
#include <csignal>

#include "tests/test.hpp"

namespace gridcast::inline base {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

CommandEnd shell(std::string const& script, milliseconds patience = seconds(20)) {
  return run_command({"sh", "-c", script}, patience);
}

}  // namespace

TEST_CASE("a command's output, errors and exit status", "[child]") {
  auto const end = shell("echo out; echo first >&2; echo last >&2; exit 3");
  CHECK(end.how == CommandEnd::How::exited);
  CHECK(end.status == 3);
  CHECK_FALSE(end.succeeded());
  CHECK(end.out == "out\n");
  CHECK(end.err == "first\nlast\n");
  CHECK(end.last_words() == "last");
  CHECK(shell("true").succeeded());
  CHECK(shell("exit 4").last_words() == "it ended with status 4");
}

TEST_CASE("each byte of a long output arrives, and errors up to 64 kB", "[child]") {
  auto const end = shell("head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2");
  CHECK(end.out.size() == 3'000'000);
  CHECK(end.err.size() == 64 * 1024);
}

TEST_CASE("a program that is not there is another end than one that fails", "[child]") {
  auto const end = run_command({"/nowhere/program"});
  CHECK(end.how == CommandEnd::How::not_found);
  CHECK(end.last_words() == "there is no such program");
  CHECK_THROWS_AS(Child({"/nowhere/program"}), Child::NoSuchProgram);
  CHECK_FALSE(start_detached({"/nowhere/program"}));
}

TEST_CASE("a signal ends a command", "[child]") {
  auto const end = shell("kill -9 $$");
  CHECK(end.how == CommandEnd::How::killed);
  CHECK(end.status == SIGKILL);
}

TEST_CASE("a command that takes too long is killed with its own children", "[child]") {
  auto const begun = steady_clock::now();
  // The inner process would hold the pipe for a minute.
  auto const end = shell("echo begun; sleep 60 & wait", milliseconds(300));
  CHECK(end.how == CommandEnd::How::took_too_long);
  CHECK(end.out == "begun\n");
  CHECK(steady_clock::now() - begun < seconds(20));
}

TEST_CASE("a process that outlives the command is not waited for", "[child]") {
  auto const begun = steady_clock::now();
  auto const end = shell("sleep 5 & echo done");
  CHECK(end.succeeded());
  CHECK(end.out == "done\n");
  CHECK(steady_clock::now() - begun < seconds(4));
}

TEST_CASE("a program has an empty input and gets signals that this process holds back", "[child]") {
  sigset_t held, before;
  sigemptyset(&held);
  sigaddset(&held, SIGTERM);
  sigprocmask(SIG_BLOCK, &held, &before);
  auto const end = shell("cat; kill -TERM $$; echo still here");
  sigprocmask(SIG_SETMASK, &before, nullptr);
  CHECK(end.how == CommandEnd::How::killed);
  CHECK(end.status == SIGTERM);
  CHECK(end.out.empty());
}

TEST_CASE("the output of a program arrives while it runs", "[child]") {
  Child child({"sh", "-c", "echo one; sleep 30"});
  std::string out;
  while (out.empty()) child.listen(milliseconds(50), out);
  CHECK(out == "one\n");
  CHECK_FALSE(child.has_ended());
}

}  // namespace gridcast::inline base

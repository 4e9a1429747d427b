#include "sim/condor/log/growing_log.hpp"

#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "tests/test.hpp"

namespace gridcast::condor {
namespace {

namespace fs = std::filesystem;

/// A file in a folder of its own.
class LogFile {
 public:
  LogFile() : folder_(fs::temp_directory_path() / ("growing-log-" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~LogFile() { fs::remove_all(folder_); }

  fs::path path() const { return folder_ / "campaign.log"; }
  void append(std::string const& text) { std::ofstream(path(), std::ios::app) << text; }
  void replace(std::string const& text) {
    std::ofstream(folder_ / "other") << text;
    fs::rename(folder_ / "other", path());
  }
  void rewrite(std::string const& text) { std::ofstream(path()) << text; }
  void rotate(std::string const& ending) { fs::rename(path(), path().string() + ending); }
  void copy(std::string const& ending) { fs::copy(path(), path().string() + ending); }

 private:
  fs::path folder_;
};

std::string submitted(int job) {
  return "000 (00" + std::to_string(job) +
         ".000.000) 2026-11-27 10:00:00 Job submitted from host: <10.0.0.1:9618>\n...\n";
}

std::size_t jobs_of(GrowingLog const& log) { return history_of({&log}, {}).history.jobs.size(); }

TEST_CASE("only new bytes are read, and no half events", "[growing_log]") {
  LogFile file;
  file.append(submitted(1));
  GrowingLog log(file.path());
  CHECK(log.read_more());
  CHECK_FALSE(log.read_more());
  std::string const next = submitted(2);
  file.append(next.substr(0, 30));
  CHECK_FALSE(log.read_more());
  CHECK(jobs_of(log) == 1);
  file.append(next.substr(30));
  CHECK(log.read_more());
  CHECK(jobs_of(log) == 2);
  CHECK(log.bytes_read() == submitted(1).size() + next.size());
}

TEST_CASE("a file that has gone, or is a folder now, is named once, and waited for",
          "[growing_log]") {
  LogFile file;
  file.append(submitted(1));
  GrowingLog log(file.path());
  log.read_more();
  CHECK(log.is_there());
  std::filesystem::remove(file.path());
  log.read_more();
  CHECK_FALSE(log.has_gone());  // as in a rotation
  std::filesystem::create_directory(file.path());
  log.read_more();
  CHECK(log.has_gone());
  CHECK_FALSE(log.has_gone());
  CHECK_FALSE(log.is_there());
  log.read_more();
  CHECK_FALSE(log.has_gone());
  CHECK_FALSE(log.was_replaced());
  std::filesystem::remove(file.path());
  file.append(submitted(2));
  CHECK(log.read_more());
  CHECK(log.is_there());
  CHECK(jobs_of(log) == 2);
}

TEST_CASE("the ends of lines of another system end events too, cut anywhere", "[growing_log]") {
  LogFile file;
  std::string text = submitted(1) + submitted(2);
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) {
    text.insert(at, 1, '\r');
  }
  file.append("");
  GrowingLog log(file.path());
  for (char const c : text) {
    file.append({c});
    log.read_more();
  }
  CHECK(jobs_of(log) == 2);
}

TEST_CASE("a log is recognised by its first line, however it arrives", "[growing_log]") {
  LogFile file;
  file.append("");
  GrowingLog log(file.path());
  CHECK_FALSE(log.read_more());
  for (char const next : submitted(1).substr(0, 20)) {
    file.append(std::string(1, next));
    CHECK_FALSE(log.read_more());
  }
  file.append(submitted(1).substr(20));
  CHECK(log.read_more());
  CHECK(jobs_of(log) == 1);
}

TEST_CASE("a rotated log goes on in the new file", "[growing_log]") {
  LogFile file;
  file.append(submitted(1));
  GrowingLog log(file.path());
  log.read_more();
  file.append(submitted(2));  // to be read before the file goes
  file.replace(submitted(3));
  CHECK(log.read_more());
  CHECK(jobs_of(log) == 3);
}

TEST_CASE("a program that holds the log open still writes to it after its rotation",
          "[growing_log]") {
  LogFile file;
  file.append(submitted(1));
  std::ofstream shadow(file.path(), std::ios::app);
  GrowingLog log(file.path());
  log.read_more();
  std::string const late = submitted(2);
  shadow << late.substr(0, 30) << std::flush;
  log.read_more();
  file.rotate(".1");
  file.append(submitted(3));
  CHECK(log.read_more());
  CHECK(jobs_of(log) == 2);
  shadow << late.substr(30) << std::flush;
  CHECK(log.read_more());
  CHECK(jobs_of(log) == 3);
  CHECK_FALSE(log.read_more());
  file.append(submitted(4));
  shadow << submitted(5) << std::flush;
  CHECK(log.read_more());
  CHECK(jobs_of(log) == 5);
}

TEST_CASE("a log that is rotated twice between two looks loses no event", "[growing_log]") {
  for (bool const numbered : {true, false}) {
    LogFile file;
    file.append(submitted(9));
    file.rotate(".3");  // before the watch began
    file.append(submitted(1));
    GrowingLog log(file.path());
    log.read_more();
    file.append(submitted(2));
    file.rotate(numbered ? ".2" : ".old");
    file.append(submitted(3));
    file.rotate(numbered ? ".1" : ".old");  // HTCondor with one rotation: the first one is gone
    file.append(submitted(4));
    CHECK(log.read_more());
    CHECK(jobs_of(log) == 4);
    CHECK_FALSE(log.read_more());
  }
}

TEST_CASE("a log that is copied and truncated loses no event, whole or cut", "[growing_log]") {
  std::string const cut = submitted(3), late = submitted(5);
  LogFile file;
  file.append(submitted(1));
  GrowingLog log(file.path());
  log.read_more();
  file.append(submitted(2) + cut.substr(0, 40));
  file.copy(".1");
  file.rewrite(cut.substr(40) + submitted(4));
  CHECK(log.read_more());
  CHECK(jobs_of(log) == 4);
  // The first half of an event is gone: the rest is no reason to end.
  file.append(late.substr(0, 40));
  file.rewrite(late.substr(40));
  log.read_more();
  file.append(submitted(6));
  CHECK(log.read_more());
  CHECK(jobs_of(log) == 5);
  CHECK(log.bytes_read() < 3 * (submitted(1).size() * 6));
}

TEST_CASE("a log in JSON or XML goes on in the next file", "[growing_log]") {
  std::string const json = R"({
  "MyType": "SubmitEvent",
  "Cluster": 7,
  "Proc": 0,
  "Subproc": 0,
  "EventTime": "2026-11-27T10:00:00",
  "EventTypeNumber": 0
}
)";
  std::string const xml = R"(<c>
    <a n="MyType"><s>SubmitEvent</s></a>
    <a n="Cluster"><i>7</i></a>
    <a n="Proc"><i>0</i></a>
    <a n="Subproc"><i>0</i></a>
    <a n="EventTime"><s>2026-11-27T10:00:00</s></a>
    <a n="EventTypeNumber"><i>0</i></a>
</c>
)";
  for (std::string const& event : {json, xml}) {
    std::string next = event;
    next.replace(next.find('7'), 1, "8");
    LogFile file;
    file.append(event.substr(0, 50));
    GrowingLog log(file.path());
    CHECK_FALSE(log.read_more());
    file.append(event.substr(50));
    CHECK(log.read_more());
    file.replace(event + next);
    CHECK(log.read_more());
    CHECK(history_of({&log}, {}).report.events == 2);
    file.replace(next);
    CHECK_FALSE(log.read_more());
    CHECK(jobs_of(log) == 2);
  }
}

TEST_CASE("a copy of the log counts no event twice", "[growing_log]") {
  LogFile file;
  file.append(submitted(1));
  GrowingLog log(file.path());
  log.read_more();
  file.replace(submitted(1) + submitted(2));
  CHECK(log.read_more());
  CHECK(jobs_of(log) == 2);
  CHECK(history_of({&log}, {}).report.events == 2);
}

TEST_CASE("a truncated log is read from its start", "[growing_log]") {
  LogFile file;
  file.append(submitted(1) + submitted(2));
  GrowingLog log(file.path());
  log.read_more();
  file.rewrite(submitted(3));
  CHECK(log.read_more());
  CHECK(jobs_of(log) == 3);
  fs::remove(file.path());
  CHECK_FALSE(log.read_more());
}

TEST_CASE("a log that is overwritten in place is read from its start", "[growing_log]") {
  LogFile file;
  file.append(submitted(1) + submitted(2));
  GrowingLog log(file.path());
  log.read_more();
  file.rewrite(submitted(3) + submitted(4));  // of the same size
  CHECK(log.read_more());
  CHECK(log.was_replaced());
  CHECK(jobs_of(log) == 4);
  file.rewrite(submitted(5) + submitted(6) + submitted(7));
  CHECK(log.read_more());
  CHECK(jobs_of(log) == 7);
  // The beginning stays: an event in the middle is another one, and the file is longer.
  log.was_replaced();
  file.rewrite(submitted(5) + submitted(8) + submitted(9) + submitted(7));
  CHECK(log.read_more());
  CHECK(log.was_replaced());
  CHECK(jobs_of(log) == 9);
  file.append(submitted(1));
  CHECK_FALSE(log.read_more());
  CHECK_FALSE(log.was_replaced());
}

TEST_CASE("a log that is replaced has a form of its own", "[growing_log]") {
  LogFile file;
  file.append("\n\n");
  GrowingLog log(file.path());
  log.read_more();
  CHECK(jobs_of(log) == 0);
  file.append(submitted(1) + submitted(2));
  CHECK(log.read_more());
  CHECK(jobs_of(log) == 2);
  file.replace(R"({"MyType": "SubmitEvent", "EventTypeNumber": 0, "Cluster": 7, "Proc": 0, )"
               R"("Subproc": 0, "EventTime": "2026-11-27T10:00:00"})");
  CHECK(log.read_more());
  CHECK(jobs_of(log) == 1);
  file.replace(submitted(1) + submitted(2));
  CHECK(log.read_more());
  CHECK(jobs_of(log) == 2);
  file.replace(
      "This letter has more than one hundred characters, and none of them is an event of "
      "a log that HTCondor writes.\n");
  CHECK_THROWS_WITH(log.read_more(), test::has_text("is no job event log"));
}

TEST_CASE("the reader refuses a file that is no event log", "[growing_log]") {
  LogFile file;
  CHECK_THROWS_AS(GrowingLog(file.path()), InputError);
  file.append("hello, this is a letter\n");
  GrowingLog log(file.path());
  CHECK_THROWS_WITH(log.read_more(), test::has_text("gridcast ledger " + file.path().string()));
}

}  // namespace
}  // namespace gridcast::condor

// Places and bytes after all logs have been read.
#include "sim/condor/log/log_history.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "sim/history/attempts.hpp"
#include "sim/history/job_history.hpp"
#include "tests/condor/log_files.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

std::string const no_transfer = "002.000.000";

std::string submitted(std::string_view job) {
  return event(0, 0, "Job submitted from host: <192.0.2.9:9618?sock=s>", "", job);
}

// It executed on the startd of the process 86 and was at SITE-A.
std::string executed() {
  return submitted("001.000.000") +
         event(40, 40, "Started transferring input files",
               "\tTransferring to host: <192.0.2.1:9618?addrs=192.0.2.1-9618&alias=n1.a.org&noUDP&"
               "sock=slot1_1_86_583d_1>\n") +
         event(1, 50, "Job executing on host: <192.0.2.1:9618?addrs=192.0.2.1-9618&sock=startd_86>",
               "\tSlotName: slot1_1@glidein_7@n1.a.org\n\tGLIDEIN_ResourceName = \"SITE-A\"\n") +
         event(5, 90, "Job terminated.", "\t(1) Normal termination (return value 0)\n");
}

// It was on the same startd before, and never executed.
std::string lost() {
  return submitted(no_transfer) +
         event(40, 10, "Started transferring input files",
               "\tTransferring to host: <192.0.2.1:9618?addrs=192.0.2.1-9618&alias=n1.a.org&noUDP&"
               "sock=slot1_2_86_583d_2>\n",
               no_transfer) +
         event(4, 30, "Job was evicted.", "\t(0) CPU times\n", no_transfer);
}

std::map<history::EventKind, std::string> streamed_sites(std::vector<std::string> const& logs) {
  std::deque<TemporaryFile> files;
  std::vector<std::filesystem::path> paths;
  for (std::string const& log : logs) paths.push_back(files.emplace_back(log).path());
  std::vector<history::JobEvent> events;
  auto const printed =
      condor::stream_logs(paths, [&](history::JobEvent const& event) { events.push_back(event); });
  std::map<history::EventKind, std::string> sites;
  for (history::JobEvent const& event : events) {
    if (event.site.valid()) sites[event.kind] = printed.history.sites.at(event.site.index());
  }
  return sites;
}

std::string bytes_line(int sent, int received) {
  return "\t(0) CPU times\n\t" + std::to_string(sent) + "  -  Run Bytes Sent By Job\n\t" +
         std::to_string(received) + "  -  Run Bytes Received By Job\n";
}

std::string bare_execution(int at, std::string_view site) {
  return event(1, at, "Job executing on host: <192.0.2.1:9618?sock=a>",
               "\tGLIDEIN_ResourceName = \"" + std::string(site) + "\"\n");
}

}  // namespace

TEST_CASE("In a stream, later events name the site of an attempt") {
  for (auto const& logs : {std::vector{lost(), executed()}, std::vector{executed(), lost()},
                           std::vector{lost() + executed()}}) {
    auto const sites = streamed_sites(logs);
    CHECK(sites.at(history::EventKind::evicted) == "SITE-A");
    CHECK(sites.at(history::EventKind::terminated) == "SITE-A");
  }
  std::string const alone = streamed_sites({lost()}).at(history::EventKind::evicted);
  CHECK(alone == "a.org");
}

TEST_CASE("An attempt that never executed is at the site of its host's neighbours") {
  auto const lost_on = [](std::string const& host) {
    return submitted(no_transfer) +
           event(40, 10, "Started transferring input files",
                 "\tTransferring to host: <192.0.2.9:9618?addrs=192.0.2.9-9618&alias=" + host +
                     "&noUDP&sock=slot1_1_99_583d_1>\n",
                 no_transfer) +
           event(4, 30, "Job was evicted.", "\t(0) CPU times\n", no_transfer);
  };
  CHECK(read_text(executed() + lost_on("n9.a.org")).history.sites ==
        std::vector<std::string>{"SITE-A"});
  CHECK(read_text(executed() + lost_on("n9.b.org")).history.sites ==
        std::vector<std::string>{"SITE-A", "b.org"});
}

TEST_CASE("A program that exited did execute, though its 001 is missing") {
  std::string const transfer =
      submitted("001.000.000") +
      event(40, 60, "Started transferring input files",
            "\tTransferring to host: <192.0.2.1:9618?addrs=192.0.2.1-9618&alias=n1.a.org&"
            "sock=startd_1>\n") +
      event(40, 120, "Finished transferring input files");
  std::string const output = event(40, 720, "Started transferring output files") +
                             event(40, 725, "Finished transferring output files");
  std::string const end =
      event(5, 726, "Job terminated.", "\t(1) Normal termination (return value 0)\n");
  auto const executions = [](std::string const& log) {
    auto const logged = read_text(log);
    std::vector<Seconds> times;
    for (auto const& attempt : history::attempts_of(logged.history)) {
      if (attempt.execution()) times.push_back(*attempt.execution());
    }
    return times;
  };
  CHECK(executions(transfer + output + end) == std::vector{Seconds(600)});
  CHECK(executions(transfer + end) == std::vector{Seconds(606)});
  std::string const with_end =
      event(5, 726, "Job terminated.",
            "\t(1) Normal termination (return value 0)\n\n\tJob terminated of its own accord at "
            "2026-01-01T00:12:00Z with exit-code 0.\n");
  CHECK(executions(transfer + with_end) == std::vector{Seconds(600)});
  CHECK(executions(submitted("001.000.000") + end).empty());
  std::string const evicted = event(4, 726, "Job was evicted.", "\t(0) CPU times\n");
  CHECK(executions(transfer + evicted).empty());
  // At the host that 040 names; and a second 005 is no second end.
  auto const twice = read_text(transfer + output + end + end);
  CHECK(twice.history.sites == std::vector<std::string>{"a.org"});
  CHECK_THAT(condor::warnings_text(twice.report), has_text("logged twice; the first one counts"));
}

TEST_CASE("An end that is logged late is neither computing nor a time zone") {
  auto const job = [](int number, std::string const& logged, std::string const& ended) {
    std::string const id = "00" + std::to_string(number) + ".000.000";
    return "000 (" + id + ") 2026-03-02 10:00:00 Job submitted from host: <192.0.2.9:9618>\n...\n" +
           "001 (" + id + ") 2026-03-02 10:00:30 Job executing on host: <192.0.2.1:9618>\n...\n" +
           "005 (" + id + ") 2026-03-02 " + logged +
           " Job terminated.\n\t(1) Normal termination (return value 0)\n\n\tJob terminated of its "
           "own accord at 2026-03-02T" +
           ended + "Z with exit-code 0.\n...\n";
  };
  std::string const late = job(1, "14:19:33", "19:00:00"), usual = job(2, "11:00:00", "16:00:00");
  for (std::string const& log : {late + usual, usual + late}) {
    auto const read = read_text(log);
    std::map<std::uint32_t, Seconds> executions;
    for (auto const& attempt : history::attempts_of(read.history)) {
      executions[read.history.jobs[attempt.job.index()].cluster] = attempt.execution().value();
    }
    CHECK(executions[1] == hours(4) - Seconds(30));
    CHECK(executions[2] == hours(1) - Seconds(30));
    CHECK_THAT(
        condor::warnings_text(read.report),
        has_text("time zone, and 1 of 2 ends of jobs were logged late; its dates are taken"));
  }
  // No other end shows the zone: the one in which it is least late.
  for (auto const& [logged, ended] :
       std::vector<std::pair<std::string, std::string>>{{"14:25:00", "14:15:00"},
                                                        {"14:45:00", "14:15:00"},
                                                        {"14:25:00", "19:15:00"},
                                                        {"14:25:00", "08:45:00"}}) {
    auto const alone = history::attempts_of(read_text(job(1, logged, ended)).history);
    REQUIRE(alone.size() == 1);
    CHECK(alone[0].execution() == hours(4) + Seconds(900 - 30));
  }
  std::string punctual;
  for (int i = 2; i < 11; ++i) punctual += job(i, "11:00:00", "16:00:00");
  auto const zone = [](std::string const& log) {
    return condor::warnings_text(read_text(log).report).find("which is UTC-05:00") !=
           std::string::npos;
  };
  CHECK(zone(punctual + late));
  CHECK(!zone(punctual + late + late));
}

TEST_CASE("A number that is used again after its job's end is another job's") {
  auto const job = [](int at, std::string const& how, std::string const& end) {
    return event(0, at, "Job submitted from host: <192.0.2.9:9618?sock=s>") +
           event(1, at + 60, "Job executing on host: <192.0.2.1:9618?sock=a>") +
           event(std::stoi(how), at + 660, end,
                 how == "5" ? "\t(1) Normal termination (return value 0)\n" : "\tvia condor_rm\n");
  };
  auto const read = read_text(job(0, "5", "Job terminated.") + job(9000, "9", "Job was aborted.") +
                              job(20000, "5", "Job terminated."));
  CHECK(read.history.jobs.size() == 3);
  CHECK_THAT(condor::warnings_text(read.report), has_text("was that of an earlier job"));
  auto const attempts = history::attempts_of(read.history);
  REQUIRE(attempts.size() == 3);
  for (auto const& attempt : attempts) CHECK(attempt.execution() == Seconds(600));
  auto const ends = [&](history::EventKind kind) {
    return std::count_if(read.history.events.begin(), read.history.events.end(),
                         [kind](history::JobEvent const& each) { return each.kind == kind; });
  };
  CHECK(ends(history::EventKind::terminated) == 2);
  CHECK(ends(history::EventKind::aborted) == 1);
}

TEST_CASE("Sites by any of their names, also behind the job's end") {
  auto const sites = [](std::string const& attributes) {
    return read_text(submitted("001.000.000") +
                     event(1, 10, "Job executing on host: <192.0.2.1:9618?sock=a>") +
                     event(9, 20, "Job was aborted.") +
                     event(28, 20, "Job ad information event triggered.", attributes))
        .history.sites;
  };
  using Names = std::vector<std::string>;
  CHECK(sites("MATCH_EXP_JOBGLIDEIN_CMSSite = \"T2_X\"\nMATCH_EXP_JOB_GLIDEIN_Site = \"X\"\n") ==
        Names{"T2_X"});
  CHECK(sites("MATCH_EXP_JOB_GLIDEIN_Site = \"X\"\nGLIDEIN_ResourceName = \"R\"\n") == Names{"R"});
  CHECK(sites("JOB_Site = \"X\"\n") == Names{"X"});
  CHECK(sites("JOB_GLIDEIN_Site = \"$$(GLIDEIN_Site:Unknown)\"\n") == Names{"(unknown)"});
  CHECK(sites("Site = \"X\"\nJOB_Site = \"Unknown\"\n") == Names{"(unknown)"});
  CHECK(sites("glidein_resourcename = \"R\"\n") == Names{"R"});
}

TEST_CASE("Attempts on bare addresses are at one unknown site, on hosts of their own") {
  std::string const log =
      submitted("001.000.000") + event(1, 10, "Job executing on host: <192.0.2.1:51423>") +
      event(4, 20, "Job was evicted.", "\t(0) CPU times\n") +
      event(1, 30, "Job executing on host: <192.0.2.2:40001>") +
      event(5, 60, "Job terminated.", "\t(1) Normal termination (return value 0)\n");
  auto const history = read_text(log).history;
  CHECK(history.sites == std::vector<std::string>{"(unknown)"});
  std::set<std::string> hosts;
  for (history::JobEvent const& printed : history.events) {
    if (printed.kind == history::EventKind::executing)
      hosts.insert(host_name(history, printed.slot));
  }
  CHECK(hosts == std::set<std::string>{"192.0.2.1:51423", "192.0.2.2:40001"});
  CHECK(streamed_sites({log}).at(history::EventKind::terminated) == "(unknown)");
}

TEST_CASE("An alias that is an address names no site, and names are alike in any case") {
  auto const sites = [](std::string const& first, std::string const& second) {
    auto const executes = [](std::string const& alias, std::string const& id) {
      return submitted(id) + event(1, 10,
                                   "Job executing on host: <192.0.2.1:9618?addrs=192.0.2.1-9618&"
                                   "alias=" +
                                       alias + "&noUDP&sock=a>",
                                   "", id);
    };
    return read_text(executes(first, "001.000.000") + executes(second, "002.000.000"))
        .history.sites;
  };
  using Names = std::vector<std::string>;
  CHECK(sites("192.0.2.1", "192.0.2.7") == Names{"(unknown)"});
  CHECK(sites("[2001:db8::1]", "[2001:db8::2]") == Names{"(unknown)"});
  CHECK(sites("n1.Physics.example.org", "n2.physics.example.org") == Names{"physics.example.org"});
}

TEST_CASE("Hosts that only lost contact names are of the pool of all, and keep their names") {
  auto const lost = [](std::string const& host) {
    return event(1, 10, "Job executing on host: <192.0.2.1:9618?sock=a>") +
           event(22, 20, "Job disconnected, attempting to reconnect",
                 "    Socket between submit and execute hosts closed unexpectedly\n"
                 "    Trying to reconnect to slot1@" +
                     host + " <192.0.2.1:9618?sock=a>\n") +
           event(24, 20, "Job reconnection failed",
                 "    Job not found at execution machine\n    Can not reconnect to slot1@" + host +
                     ", rescheduling job\n");
  };
  auto const history =
      read_text(submitted("001.000.000") + lost("n1.a.example") +
                event(1, 30, "Job executing on host: <192.0.2.2:9618?sock=b>") +
                event(5, 60, "Job terminated.", "\t(1) Normal termination (return value 0)\n"))
          .history;
  CHECK(history.sites == std::vector<std::string>{"(unknown)"});
  std::set<std::string> hosts;
  for (history::JobEvent const& each : history.events) hosts.insert(machine_of(history, each.slot));
  CHECK(hosts.contains("n1.a.example"));
}

TEST_CASE("Two hosts behind one address are two") {
  std::string log;
  for (std::string const job : {"001.000.000", "001.001.000", "001.002.000"}) {
    std::string const host = job == "001.001.000" ? "n2" : "n1";
    log += event(0, 0, "Job submitted from host: <192.0.2.1:9618>", "", job) +
           event(1, 10,
                 "Job executing on host: <192.0.2.9:9618?addrs=192.0.2.9-9618&alias=" + host +
                     ".example.org>",
                 "", job);
  }
  auto const history = read_text(log).history;
  std::set<std::string> hosts;
  for (history::JobEvent const& event : history.events) {
    if (event.kind == history::EventKind::executing) {
      hosts.insert(history::machine_of(history, event.slot));
      CHECK(history.sites[event.site.index()] == "example.org");
    }
  }
  CHECK(hosts == std::set<std::string>{"n1.example.org", "n2.example.org"});
}

TEST_CASE("An attempt that never executed is in the slot that its starter's address shows") {
  auto const logged = read_text(lost() + executed());
  std::map<history::EventKind, std::string> slots;
  for (history::JobEvent const& event : logged.history.events) {
    slots[event.kind] = logged.history.slots.at(event.slot);
  }
  CHECK(slots.at(history::EventKind::evicted) == "slot1_2@glidein_7@n1.a.org");
  CHECK(slots.at(history::EventKind::terminated) == "slot1_1@glidein_7@n1.a.org");
}

TEST_CASE("Bytes belong to the attempt whose end reports them") {
  std::string const log =
      submitted("001.000.000") + bare_execution(10, "SITE-A") +
      event(4, 20, "Job was evicted.", bytes_line(1, 100)) + bare_execution(30, "SITE-B") +
      event(4, 40, "Job was evicted.", bytes_line(20, 3000)) + bare_execution(50, "SITE-A") +
      event(5, 60, "Job terminated.",
            "\t(1) Normal termination (return value 0)\n" + bytes_line(300, 50000));
  auto const bytes = read_text(log).bytes;
  REQUIRE(bytes.size() == 2);
  CHECK(bytes.at("SITE-A").received == Bytes(50100));
  CHECK(bytes.at("SITE-A").sent == Bytes(301));
  CHECK(bytes.at("SITE-B").received == Bytes(3000));
  CHECK(bytes.at("SITE-B").sent == Bytes(20));
}

TEST_CASE("Bytes that no attempt can have moved are at no site") {
  std::string const log = submitted("001.000.000") + bare_execution(10, "SITE-A") +
                          event(9, 20, "Job was aborted.") +
                          event(4, 40, "Job was evicted.", bytes_line(5, 7));
  auto const bytes = read_text(log).bytes;
  REQUIRE(bytes.size() == 1);
  CHECK(bytes.at("").received == Bytes(7));
  CHECK(bytes.at("").sent == Bytes(5));
}

TEST_CASE("Bytes of XML are reals, in full") {
  // 34 of `grep -o 'ReceivedBytes"><r>[^<]*'` are 5.2E+01, which the same events in JSON have as
  // 52.0.
  Bytes received;
  for (auto const& [site, moved] : condor::read_logs({pool_campaign("c6-xml/c6-xml.log")}).bytes) {
    received += moved.received;
  }
  CHECK(received == Bytes(1768));

  auto const received_of = [](std::string const& real) {
    std::string const job =
        "<a n=\"Cluster\"><i>1</i></a><a n=\"Proc\"><i>0</i></a><a "
        "n=\"EventTime\"><s>2026-01-01T00:00:";
    auto const bytes =
        read_text("<c>" + job + "00</s></a><a n=\"EventTypeNumber\"><i>0</i></a></c>\n<c>" + job +
                  "01</s></a><a n=\"EventTypeNumber\"><i>1</i></a></c>\n<c>" + job +
                  "09</s></a><a n=\"EventTypeNumber\"><i>5</i></a><a n=\"SentBytes\"><r>1</r></a>"
                  "<a n=\"ReceivedBytes\"><r>" +
                  real + "</r></a></c>\n")
            .bytes;
    return bytes.size() == 1 ? bytes.begin()->second.received : Bytes(-1);
  };
  CHECK(received_of("2.700000000000000E+10") == Bytes(2.7e10));
  CHECK(received_of("0.6") == Bytes(1));
  for (char const* none : {"NaN", "INF", "inf", "-5.0", "-5", "1.0E+19", "1.0E+999", "52 B"}) {
    CAPTURE(none);
    CHECK(received_of(none) == Bytes(0));
  }
}

TEST_CASE("An event 028 names the program and the user of its job") {
  std::string const second = "002.000.000";
  std::string const in_text =
      submitted(second) +
      event(28, 0, "Job ad information event triggered.",
            "Cmd = \"/home/ann/b.sh\"\nOwner = \"ann\"\n", second) +
      submitted("001.000.000") +
      event(28, 0, "Job ad information event triggered.", "Cmd = \"a.sh\"\nOwner = \"bob\"\n") +
      submitted("003.000.000");
  std::string in_json;
  for (char const* const rest :
       {R"("Cluster":2,"EventTypeNumber":0)",
        R"("Cluster":2,"EventTypeNumber":28,"Cmd":"/home/ann/b.sh","Owner":"ann")",
        R"("Cluster":1,"EventTypeNumber":0)",
        R"("Cluster":1,"EventTypeNumber":28,"Cmd":"a.sh","Owner":"bob")",
        R"("Cluster":3,"EventTypeNumber":0)"}) {
    in_json += R"({"Proc":0,"EventTime":"2026-01-01T00:00:00",)" + std::string(rest) + "}\n";
  }
  for (std::string const& log : {in_text, in_json}) {
    auto const history = read_text(log).history;
    CHECK(history.users == std::vector<std::string>{"bob", "ann", ""});
    REQUIRE(history.labels.size() == 3);
    CHECK(history.labels[0].executable == "a.sh");
    CHECK(history.labels[1].executable == "/home/ann/b.sh");
    CHECK(history.labels[2].executable.empty());
  }
}

}  // namespace gridcast::test

// A small file of each kind is cut at every byte. It is read, or refused with at most ten lines of
// one kind, each with its place.
#include <fstream>
#include <set>
#include <unistd.h>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/condor/submit/submit_file.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/import/submit_campaign.hpp"
#include "sim/import/submit_commands.hpp"
#include "tests/test.hpp"

namespace gridcast::import {
namespace {

namespace fs = std::filesystem;

class CutFolder {
 public:
  CutFolder() : path_(fs::temp_directory_path() / fmt::format("gridcast-cut-{}", getpid())) {
    fs::create_directories(path_);
  }
  ~CutFolder() { fs::remove_all(path_); }
  fs::path write(std::string const& name, std::string_view text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }

 private:
  fs::path path_;
};

/// The first bytes of a file of the data that are shipped.
std::string beginning(fs::path const& file, std::size_t bytes) {
  std::ifstream in(test::source_dir() / file, std::ios::binary);
  std::string text(bytes, '\0');
  in.read(text.data(), static_cast<std::streamsize>(bytes));
  text.resize(static_cast<std::size_t>(in.gcount()));
  REQUIRE(text.size() > 100);
  return text;
}

/// Refusals name a file, and are few.
void check_refusal(InputError const& error, std::string const& file) {
  CHECK(error.problems().size() <= 11);
  for (Problem const& problem : error.problems()) {
    CHECK(problem.to_text().find(file) != std::string::npos);
  }
}

/// Reports of what was left out: ten lines of a kind and a count, each with its place or a number.
void check_report(std::string const& report) {
  auto const lines = split(report, '\n');
  CHECK(lines.size() <= 14);
}

void check_history(history::JobHistory const& history) {
  std::vector<Seconds> last(history.jobs.size(), Seconds(-1e18));
  for (history::JobEvent const& event : history.events) {
    REQUIRE(event.job.index() < last.size());
    if (event.at < last[event.job.index()]) FAIL("events of a job run backwards");
    last[event.job.index()] = event.at;
    if (event.site.valid()) REQUIRE(event.site.index() < history.sites.size());
  }
}

/// Reads a record's first bytes, for each number of them. Returns how many were refused.
std::size_t cut_everywhere(std::string const& name, std::string const& whole,
                           RecordOptions const& options = {}) {
  CutFolder const folder;
  std::size_t refused = 0;
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    CAPTURE(name, size);
    fs::path const file = folder.write(name, std::string_view(whole).substr(0, size));
    try {
      RecordedCampaign const campaign = open_campaign(sort_by_kind({file}, options));
      check_history(campaign.history);
      for (auto const* report : {&campaign.log_report, &campaign.ads_report, &campaign.table_report,
                                 &campaign.problems}) {
        check_report(*report);
      }
    } catch (InputError const& error) {
      ++refused;
      check_refusal(error, name);
    }
  }
  return refused;
}

// clang-format off
constexpr char const* ad_lines =
    "ClusterId = 7\nProcId = 0\nJobStatus = 4\nExitCode = 0\nQDate = 1756292060\n"
    "JobStartDate = 1756292120\nJobCurrentStartDate = 1756292120\nCompletionDate = 1756295720\n"
    "RemoteWallClockTime = 3600.0\nNumShadowStarts = 1\nNumJobStarts = 1\n"
    "MATCH_EXP_JOBGLIDEIN_ResourceName = \"SITE-A\"\nOwner = \"ann\"\nCmd = \"/home/ann/train.sh\"\n";
// clang-format on

/// The ad of ad_lines as an object of JSON, or of XML.
std::string ad_object() {
  std::string text;
  for (std::string const& line : split(ad_lines, '\n')) {
    auto const equals = line.find(" = ");
    if (equals == std::string::npos) continue;
    text += fmt::format("{}\"{}\": {}", text.empty() ? "" : ", ", line.substr(0, equals),
                        line.substr(equals + 3));
  }
  return "{" + text + "}";
}

std::string ad_xml() {
  std::string text;
  for (std::string const& line : split(ad_lines, '\n')) {
    auto const equals = line.find(" = ");
    if (equals == std::string::npos) continue;
    std::string const value = line.substr(equals + 3);
    bool const words = value.front() == '"';
    bool const real = value.find('.') != std::string::npos;
    text += fmt::format("<a n=\"{}\"><{}>{}</{}></a>\n", line.substr(0, equals),
                        words  ? "s"
                        : real ? "r"
                               : "i",
                        words ? value.substr(1, value.size() - 2) : value,
                        words  ? "s"
                        : real ? "r"
                               : "i");
  }
  return "<?xml version=\"1.0\"?>\n<!DOCTYPE classads SYSTEM \"classads.dtd\">\n<classads>\n<c>\n" +
         text + "</c>\n</classads>\n";
}

}  // namespace

TEST_CASE("Event logs of each form, cut at any byte", "[slow]") {
  fs::path const pool = "calibration/data/htcondor-pool";
  CHECK(cut_everywhere("cut.log", beginning(pool / "c1-sweep/c1-sweep.log", 1500)) < 300);
  CHECK(cut_everywhere("cut.log", beginning(pool / "c5-json/c5-json.log", 1500)) < 1200);
  CHECK(cut_everywhere("cut.log", beginning(pool / "c6-xml/c6-xml.log", 1500)) < 1200);
  fs::path const metl = "calibration/data/metl-campaign";
  CHECK(cut_everywhere("cut.nodes.log", beginning(metl / "pretraining-jobs-1-25.nodes.log", 2500)) <
        300);
}

TEST_CASE("Ads of each form, cut at any byte", "[slow]") {
  std::string const ad = ad_lines;
  std::string const object = ad_object();
  for (auto const& [name, text] :
       {std::pair<std::string, std::string>{"cut.ads", ad + "\n" + ad + "\n"},
        {"cut.json", "[\n" + object + "\n,\n" + object + "\n]\n"},
        {"cut.jsonl", object + "\n" + object + "\n"},
        {"cut.xml", ad_xml()},
        {"HISTORY", ad + "*** Offset = 0 ClusterId = 7 ProcId = 0 Owner = \"ann\" "
                         "CompletionDate = 1756295720\n"}}) {
    // The whole one is read.
    CHECK(cut_everywhere(name, text) < text.size());
  }
}

TEST_CASE("Tables of attempts, and others by their maps, cut at any byte", "[slow]") {
  CHECK(cut_everywhere(
            "cut.csv",
            "job,attempt,submitted,started,ended,outcome,site,gpus,gpu_model\n"
            "1,1,2025-08-27T10:54:20Z,2025-08-27T11:54:20Z,2025-08-27T12:54:20Z,evicted,\"A, "
            "B\",1,L40S\n"
            "1,2,2025-08-27T10:54:20Z,2025-08-27T13:54:20Z,2025-08-27T14:54:20Z,succeeded,C,1,"
            "A40\n") < 200);
  std::string const table =
      beginning("calibration/data/metl-campaign/attempts-to-september.csv", 1700);
  CHECK(cut_everywhere("cut.csv", table, {.columns = "metl"}) < table.size());
  std::string const accounts = beginning("tests/slurm/sacct.txt", 1500);
  CHECK(cut_everywhere("cut.txt", accounts, {.columns = "sacct"}) < accounts.size());
  std::string const panda =
      "[{\"pandaid\": 1, \"creationtime\": \"2025-01-01T00:00:00\", \"starttime\": "
      "\"2025-01-01T00:10:00\", \"endtime\": \"2025-01-01T01:10:00\", \"jobstatus\": \"finished\", "
      "\"computingsite\": \"BNL\"},\n{\"pandaid\": 2, \"creationtime\": \"2025-01-01T00:00:00\", "
      "\"starttime\": \"2025-01-01T00:10:00\", \"endtime\": \"2025-01-01T01:10:00\", "
      "\"jobstatus\": \"failed\", \"computingsite\": \"BNL\"}]\n";
  CHECK(cut_everywhere("cut.json", panda, {.columns = "panda"}) < panda.size());
  // A retry of a job, as a row of its own.
  std::string const retried =
      "pandaid,jobname,attemptnr,creationtime,starttime,endtime,jobstatus\n"
      "7000000001,a.7000000001,1,2025-01-01T00:00:00,2025-01-01T00:10:00,2025-01-01T01:00:00,"
      "failed\n"
      "7000000003,a.7000000001,2,2025-01-01T01:01:00,2025-01-01T01:10:00,2025-01-01T02:00:00,"
      "finished\n";
  CHECK(cut_everywhere("cut.csv", retried, {.columns = "panda"}) < retried.size());
  std::string const jobs =
      beginning("calibration/data/osg-imagenet/imagenet-5epoch-pilot.csv", 1500);
  CHECK(cut_everywhere("cut.csv", jobs) < jobs.size());
}

TEST_CASE("Column maps and submit files, cut at any byte") {
  CutFolder const folder;
  std::string const map = beginning("calibration/maps/metl.yaml", 4000);
  std::string const submit =
      "executable = train.sh\narguments = \"$(epochs) 'a b'\"\nrequest_gpus = 2\n"
      "requirements = (GPUs_Capability >= 8.0) && \\\n  regexp(\"A100\", GPUs_DeviceName)\n"
      "transfer_input_files = osdf:///data/input.tar?pack=auto\nif defined epochs\n"
      "  periodic_hold = JobStatus == 2\nendif\nqueue 3 epochs in (1, 2, 3)\n";
  std::size_t read = 0;
  for (std::size_t size = 0; size <= map.size(); ++size) {
    CAPTURE(size);
    try {
      read_column_map(folder.write("cut.yaml", map.substr(0, size)));
      ++read;
    } catch (InputError const& error) {
      check_refusal(error, "cut.yaml");
    }
  }
  CHECK(read > 0);
  read = 0;
  for (std::size_t size = 0; size <= submit.size(); ++size) {
    CAPTURE(size);
    try {
      import_submit(condor::read_submit_file(folder.write("cut.sub", submit.substr(0, size)),
                                             deciding_submit_commands()),
                    {{"osdf:///data/input.tar", Bytes(1e9)}});
      ++read;
    } catch (InputError const& error) {
      check_refusal(error, "cut.sub");
    }
  }
  CHECK(read > 0);
}

}  // namespace gridcast::import

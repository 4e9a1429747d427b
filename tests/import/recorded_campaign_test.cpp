// The kind of a file, by its beginning.
#include "sim/import/recorded_campaign.hpp"

#include "sim/base/error.hpp"
#include "sim/ledger/ledger.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/import/made_table.hpp"
#include "tests/test.hpp"

namespace gridcast::import {
namespace {

RecordKind kind(std::string_view text, std::string const& file = "a.log") {
  return kind_of_beginning(text, file);
}

TEST_CASE("event logs: text, JSON, XML") {
  CHECK(kind("000 (004.007.000) 2026-11-21 05:14:24 Job submitted") == RecordKind::event_log);
  CHECK(kind("001 (1.0.0) 11/21 05:14:24 Job, executing", "a.txt") == RecordKind::event_log);
  CHECK(kind("{\n  \"MyType\": \"SubmitEvent\",\n \"EventTypeNumber\": 0 }") ==
        RecordKind::event_log);
  CHECK(kind("<c>\n  <a n=\"MyType\"><s>SubmitEvent</s></a>") == RecordKind::event_log);
  CHECK(kind("\n000 (004.007.000) ") == RecordKind::event_log);
}

TEST_CASE("ads: json, jsonl, long, epochs as HTCondor keeps them") {
  CHECK(kind("[\n{\"ClusterId\": 5}]") == RecordKind::ads);
  CHECK(kind("{\"ClusterId\": 5}\n{\"ClusterId\": 6}") == RecordKind::ads);
  CHECK(kind("[{\"GlobalJobId\": \"ap#5.0#1\", \"JobStartDate\": 9}]") == RecordKind::ads);
  CHECK(kind("{\"_source\": {\"GlobalJobId\": \"ap#5.0#1\"}}") == RecordKind::attempt_table);
  CHECK(kind("ClusterId = 5\nProcId = 0\n") == RecordKind::ads);
  CHECK(kind("Args = \"a, b\"\n") == RecordKind::ads);
  CHECK(kind("# kept by ada\n\nClusterId=5\n") == RecordKind::ads);
  CHECK(kind("*** EPOCH ClusterId=4 ProcId=1") == RecordKind::ads);
  CHECK(kind("<?xml version=\"1.0\"?>\n<classads>\n</classads>\n") == RecordKind::ads);
}

TEST_CASE("job tables are read, and an unknown file goes to the reader that refuses it") {
  CHECK(kind("cluster,proc,outcome\n") == RecordKind::job_table);
  CHECK(kind("cluster\n", "a.csv") == RecordKind::job_table);
  CHECK(kind("title\n\"CPU hours\"\n", "a.csv") == RecordKind::attempt_table);
  CHECK(kind("", "a.csv") == RecordKind::job_table);
  CHECK(kind("", "a.log") == RecordKind::event_log);
  CHECK(kind("nothing of the kind") == RecordKind::event_log);
  CHECK(kind("JobID^State^Submit^Start^End\n") == RecordKind::attempt_table);
  CHECK(kind("Is it? No! It is not!") == RecordKind::event_log);
}

TEST_CASE("the lease comes from the ads, else from a lost job in the log") {
  RecordedCampaign campaign;
  using enum history::EventKind;
  campaign.words = {{{1, 0}, evicted, Seconds(5), "Job was evicted."},
                    {{1, 0},
                     reconnect_failed,
                     Seconds(9),
                     "Job disconnected too long: JobLeaseDuration (60 seconds) "
                     "expired; Can not reconnect to slot1@host"}};
  CHECK(usual_lease(campaign) == Seconds(60));
  campaign.ads.jobs[{1, 0}].facts.job_lease_duration = Seconds(2400);
  CHECK(usual_lease(campaign) == Seconds(2400));
  CHECK_FALSE(usual_lease(RecordedCampaign()));
}

TEST_CASE("Dumps of other programs are rejected by name, with the right command") {
  auto const what = [](std::string_view text) {
    auto const problem = listing_problem(text, "x.json");
    return problem ? problem->what : "";
  };
  CHECK(what("{\"ProbeName\": \"condor\", \"ResourceType\": \"Batch\"}") ==
        "has usage records of GRACC (Gratia)");
  CHECK(what("<?xml version=\"1.0\"?>\n<UsageRecord xmlns:urwg=\"x\">\n") ==
        "has usage records of Gratia in XML");
  CHECK(what("{\"job_name\": \"a\", \"job_start_time\": 1.5}\n") ==
        "is a log of ml-goodput-measurement");
  CHECK(what("[\n  Type = \"DagStatus\";\n]\n") == "is a status file of DAGMan");
  CHECK(what("{\"client\":\"condor_dagman\", \"wf_uuid\":\"\"}") ==
        "contains the metrics of a workflow");
  CHECK(what("# Rescue DAG file\n# Rescue DAG version: 2.0.1 (partial)\nDONE a\n") ==
        "is a rescue file");
  CHECK(what("03/04/25 10:00:00 ** condor_dagman (CONDOR_DAGMAN) STARTING UP\n") ==
        "is the log of DAGMan itself");
  CHECK(what("1700000000 INTERNAL *** DAGMAN_STARTED 5.0 ***\n") ==
        "is the jobstate log of DAGMan");
  CHECK(what("107 1 CreationTimestamp 1763853165\n101 0.0 Job Machine\n105 \n") ==
        "is the job queue of a schedd");
  CHECK(what("#!/bin/bash\n#SBATCH --mem=4G\nsrun train\n") == "is a job script of Slurm");
  CHECK(what("#!/bin/sh\n#PBS -l nodes=1\ntrain\n") == "is a job script of PBS");
  CHECK(what("#!/bin/sh\n#BSUB -n 4\ntrain\n") == "is a job script of LSF");
  CHECK(what("#!/bin/sh\n#$ -cwd\ntrain\n") == "is a job script of Grid Engine");
  auto const blanks = listing_problem("Owner  QDate  ExitCode  RequestCpus\nada 17 0 1\n", "x.csv");
  REQUIRE(blanks);
  CHECK(blanks->what == "is a table whose cells have blanks between them");
  CHECK(what("JobId=7 UserId=a(1) Name=b JobState=COMPLETED NodeCnt=1 ProcCnt=4 ExitCode=0:0\n") ==
        "is a job completion file of Slurm");
  CHECK(what("======\nqname  all.q\nqsub_time  Sun Mar  1\nru_wallclock 36s\n") ==
        "is the output of qacct");
  CHECK(what("JOBID  USER STAT QUEUE FROM_HOST EXEC_HOST JOB_NAME\n7 ada DONE q h1 n1 job\n") ==
        "is the output of bjobs");
  CHECK(what("- invocation: True\n  version: 3.0\n  transformation: \"train\"\n") ==
        "is a record of pegasus-kickstart");
  CHECK(what("<invocation xmlns=\"http://pegasus.isi.edu/schema/invocation\" version=\"2.3\">\n") ==
        "is a record of pegasus-kickstart");
  CHECK(what("{\"client\": \"condor_dagman\", \"dagman_id\": \"7\", \"jobs\": 2}") ==
        "contains the metrics of DAGMan");
  CHECK(what("JobId=7 JobName=a\n   JobState=RUNNING\n") == "is the output of scontrol");
  CHECK(what("\"JOB_FINISH\" \"10.1\" 1700000000 7 1000\n") == "is the accounting file of LSF");
  CHECK(what("01/02/2026 03:04:05;E;7.pbs;user=ada group=g ctime=1767225600 start=1767225660\n") ==
        "is an accounting file of PBS");
  CHECK(what("all.q:n1:g:ada:job:7:sge:0:1:2:3:0:0:1:NONE:defaultdepartment:NONE:1\n") ==
        "is the accounting file of Grid Engine");
  // Slurm 23.02 has `meta` behind the jobs, which can be far from the beginning.
  CHECK(what("{\"jobs\": [{\"association\": {}, \"derived_exit_code\": {}, \"job_id\": 7}") ==
        "is the output of sacct --json");
  CHECK(what("{\"jobs\": [{\"accrue_time\": {}, \"job_id\": 7, \"job_state\": [\"PENDING\"]}") ==
        "is the output of squeue --json");
  CHECK(what("{\"meta\": {\"Slurm\": {}}, \"jobs\": []}") == "is the output of a Slurm command");
  CHECK(what("{\"num_accelerators\": 2, \"metric\": {\"train_au_percentage\": [99]}}") ==
        "is the summary of a run of DLIO");
  CHECK(what("{\"1\": {\"start\": \"\", \"block1\": {\"duration\": \"32.86\"}}}") ==
        "has the epochs of a run of DLIO");
  CHECK(what("{\"1\": {\"load\": {\"block1\": [2.9]}}}") == "has the steps of a run of DLIO");
  CHECK(what("task_id\thash\tnative_id\tname\tstatus\texit\tsubmit\tduration\trealtime\t%cpu\n") ==
        "is a trace of Nextflow without the fields start and complete");
  CHECK(
      what("task_id\tnative_id\tname\tstatus\texit\tsubmit\tstart\tcomplete\trealtime\n").empty());
  CHECK(what(":::MLLOG {\"key\": \"run_start\"}\n") == "is a log of MLPerf");
  CHECK(what("#!/bin/bash\n#SBATCH --gres=gpu:1\npython train.py\n") == "is a job script of Slurm");
  CHECK(what("# a note\nDONE a\n").empty());
  CHECK(what("-- Schedd: ap : <192.0.2.1:9618>\nClusterId = 5\n").empty());
  CHECK(what("[{\"ClusterId\": 5, \"ProcId\": 0}]").empty());
  CHECK(what("{\"EventTypeNumber\": 0}").empty());
  CHECK(what("[{\"job\": 1, \"started\": 0}]").empty());
}

TEST_CASE("A table that names no site is at the unknown one, and only its attempts are") {
  TestFile const table(
      "no-site.csv",
      "job,submitted,started,ended,outcome,host\n1,0,100,400,succeeded,h1\n2,0,,,waiting,\n");
  auto const campaign = open_campaign(sort_by_kind({table.path()}));
  auto const ledger = ledger::account(campaign.history);
  REQUIRE(ledger.site_names == std::vector<std::string>{"(unknown)"});
  for (history::JobEvent const& event : campaign.history.events) {
    CHECK(event.site.valid() == (event.kind != history::EventKind::submitted));
  }
}

TEST_CASE("A file that is given twice is read once") {
  TestFile const table("twice.csv", "job,submitted,started,ended,outcome\n1,0,100,400,succeeded\n");
  auto const other = table.path().parent_path() / "." / table.path().filename();
  for (auto const same_names : {SameNames::refuse, SameNames::keep_apart}) {
    auto const files = sort_by_kind({table.path(), other}, {.same_names = same_names});
    auto const campaign = open_campaign(files);
    CHECK(campaign.history.jobs.size() == 1);
    CHECK(campaign.notes == other.string() + ": given twice; it is read once\n");
  }
}

TEST_CASE("Unknown GPUs of a job are the GPUs of most jobs of its own record") {
  using enum history::EventKind;
  auto const record = [](std::uint32_t cluster, int gpus) {
    test::HistoryBuilder h({{cluster, 0}}, {"A"});
    h.add(0, 0, submitted).add(0, 0, matched).on(0).add(0, 0, executing).on(0);
    h.add(100, 0, terminated).on(0);
    h.get().start_unix = 1'767'225'600;
    h.get().gpus_per_job = gpus;
    return OneRecord{.history = h.get(), .file = "a.log"};
  };
  auto const seconds = [&](int first, int second) {
    return ledger::account(combined({record(1, first), record(2, second)}, SameNames::refuse))
        .gpu_time;
  };
  CHECK(seconds(4, 1) == Seconds(500));
  CHECK(seconds(1, 4) == Seconds(500));
  CHECK(seconds(2, 2) == Seconds(400));
}

TEST_CASE("A job that runs at the end of its record counts until then, beside any other record") {
  using enum history::EventKind;
  auto const record = [](std::uint32_t cluster, std::int64_t start, bool ends) {
    test::HistoryBuilder h({{cluster, 0}, {cluster, 1}}, {"A"});
    for (std::size_t const job : {0U, 1U}) {
      h.add(0, job, submitted).add(0, job, matched).on(0).add(0, job, executing).on(0);
    }
    h.add(100, 0, terminated).on(0);
    if (ends) h.add(100, 1, terminated).on(0);
    h.get().start_unix = start;
    return OneRecord{.history = h.get(), .file = "a.log"};
  };
  constexpr std::int64_t date = 1'767'225'600, later = date + 1'000'000;
  for (SameNames const names : {SameNames::refuse, SameNames::keep_apart}) {
    auto const both = combined({record(1, date, false), record(2, later, true)}, names);
    CHECK(ledger::account(both).total.wallclock() == Seconds(400));
  }
}

TEST_CASE("names that are no UTF-8 are spelled out once, and this is said") {
  RecordedCampaign campaign;
  campaign.history.sites = {"S\xCEte", "S\u00EEte", "plain"};
  campaign.history.labels = {{.node = "l\xE4uf"}};
  campaign.history.users = {"a\x1B[31m"};
  campaign.bytes["S\xCEte"].sent = Bytes(5);
  std::string const note = spell_out_names(campaign);
  CHECK(campaign.history.sites == std::vector<std::string>{"S\\xcete", "S\u00EEte", "plain"});
  CHECK(campaign.history.labels.front().node == "l\\xe4uf");
  CHECK(campaign.history.users.front() == "a\\x1b[31m");
  CHECK(campaign.bytes.at("S\\xcete").sent == Bytes(5));
  CHECK_THAT(note, test::has_text("3 names are no UTF-8") && test::has_text("'S\\xcete'"));
  CHECK(spell_out_names(campaign).empty());
}

TEST_CASE("all files that cannot be opened are reported at once") {
  try {
    sort_by_kind({"no-such-file-1", "no-such-file-2"});
    FAIL("not refused");
  } catch (InputError const& error) {
    CHECK(error.problems().size() == 2);
  }
}

}  // namespace
}  // namespace gridcast::import

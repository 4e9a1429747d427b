#include "sim/import/submit_campaign.hpp"

#include <fmt/format.h>

#include "sim/import/submit_commands.hpp"
#include "tests/test.hpp"

namespace gridcast::import {
namespace {

using test::has_text;
namespace fs = std::filesystem;

class OneFile final : public condor::SubmitFolder {
 public:
  explicit OneFile(std::string text) : text_(std::move(text)) {}
  std::string read(fs::path const&) const override { return text_; }
  std::vector<std::string> matching(fs::path const&, std::string const&, Kind) const override {
    return {};
  }

 private:
  std::string text_;
};

SubmitImport import_text(std::string const& text, KnownSizes const& sizes = {}) {
  return import_submit(
      condor::read_submit_file("job.sub", deciding_submit_commands(), OneFile(text)), sizes);
}

scenario::JobPolicy policy_of(std::string const& text) {
  return import_text(text + "\nqueue").strategy.retry.policy;
}

std::string notes_of(SubmitImport const& import) {
  std::string text;
  for (condor::SubmitNote const& note : import.notes) {
    text += fmt::format("{}: {}\n", note.where.line, note.what);
  }
  return text;
}

std::string message(std::string const& text) {
  try {
    import_text(text);
  } catch (InputError const& error) {
    return error.what();
  }
  return "";
}

SubmitImport shipped(std::string const& campaign) {
  fs::path const file =
      test::source_dir() / "calibration/data/htcondor-pool" / campaign / "job.sub";
  return import_submit(condor::read_submit_file(file, deciding_submit_commands()), {});
}

}  // namespace

TEST_CASE("the submit files of the real pool", "[submit_campaign]") {
  SubmitImport const sweep = shipped("c1-sweep");
  CHECK(sweep.campaign.jobs() == 80);
  REQUIRE(sweep.campaign.input.size() == 2);
  CHECK(sweep.campaign.input[1].url == "osdf:///ospool/ap40/data/alice/image.sif?size=500000");
  CHECK(sweep.campaign.input[1].size == Bytes(500000));
  CHECK(sweep.campaign.request.gpus == 0);
  CHECK(sweep.campaign.request.disk == Bytes(10 * 1048576));
  CHECK(sweep.strategy.retry.policy.max_retries == 2);
  CHECK(sweep.strategy.retry.policy.crash_holds);
  CHECK_FALSE(sweep.strategy.retry.policy.outputs_unlisted);
  CHECK(sweep.executable == "/pool/bin/train");
  CHECK(sweep.arguments == "16 4 plain 0.3");
  CHECK(sweep.title == "c1-sweep: 80 jobs");

  SubmitImport const checkpointed = shipped("c3-ckpt");
  CHECK(checkpointed.campaign.jobs() == 48);
  CHECK(checkpointed.checkpoints);
  CHECK(checkpointed.strategy.retry.policy.checkpoint_exit_code == 85);
  CHECK(checkpointed.strategy.retry.policy.job_lease_duration == Seconds(20));

  for (auto const& [name, jobs] : std::vector<std::pair<std::string, int>>{
           {"c4-retry", 60}, {"c5-json", 24}, {"c6-xml", 24}, {"c7-hang", 16}}) {
    INFO(name);
    SubmitImport const retry = shipped(name);
    CHECK(retry.campaign.jobs() == jobs);
    CHECK(retry.strategy.retry.policy.max_retries == 3);
    CHECK_FALSE(retry.strategy.retry.policy.crash_holds);
    CHECK(retry.strategy.retry.policy.outputs_unlisted);
    CHECK(notes_of(retry).empty());
    CHECK(retry.campaign.request.memory == Bytes(128 * 1048576.0));
  }
}

TEST_CASE("the request of a job is read", "[submit_campaign]") {
  auto const request = [](std::string const& text) {
    return import_text(text + "\nqueue").campaign.request;
  };
  CHECK(request("request_disk = 2GB").disk == Bytes(2 * 1073741824.0));
  CHECK(request("request_disk = 1048576").disk == Bytes(1073741824.0));
  CHECK(request("request_disk = 512 * 1024").disk == Bytes(536870912.0));
  CHECK(request("request_gpus = 1").gpus == 1);
  CHECK(request("request_gpus = 1\ngpus_minimum_memory = 16384").gpu_memory ==
        Bytes(17179869184.0));
  CHECK(request("request_gpus = 1\ngpus_minimum_capability = 8.0").gpu_capability == 8.0);
  scenario::Campaign const late =
      import_text("max_idle = 10\nmax_materialize = 50\nqueue 100").campaign;
  CHECK(late.max_idle == 10);
  CHECK(late.max_materialize == 50);
  CHECK_THAT(notes_of(import_text("request_disk = lots\nqueue")),
             has_text("1: not understood: request_disk = lots"));
  CHECK_THAT(
      message("request_gpus = lots of\nqueue"),
      has_text("job.sub:1") && has_text("request_gpus: 'lots of' is not a ClassAd expression"));
}

TEST_CASE("the input of a job is read", "[submit_campaign]") {
  KnownSizes const sizes = {{"osdf:///a.tar", Bytes(137e9)}, {"here.txt", Bytes(5)}};
  SubmitImport const import = import_text(
      "transfer_input_files = osdf:///a.tar, here.txt\ncontainer_image = "
      "osdf:///image.sif?size=7\nqueue",
      sizes);
  REQUIRE(import.campaign.input.size() == 2);
  CHECK(import.campaign.input[0].size == Bytes(137e9));
  CHECK(import.campaign.input[1].url == "osdf:///image.sif?size=7");
  CHECK_THAT(notes_of(import), has_text("1: here.txt (5 B) is sent by the access point"));
  CHECK(import.strategy.transfer.protocol == scenario::Protocol::osdf);

  SubmitImport const local = import_text("transfer_input_files = here.txt\nqueue", sizes);
  CHECK(local.campaign.input.size() == 1);
  CHECK(local.strategy.transfer.protocol == scenario::Protocol::htcondor);
  CHECK_THAT(notes_of(import_text("transfer_input_files = a.tar, here.txt\nqueue", sizes)),
             has_text("1: the size of a.tar is not known, so it is not transferred"));
  SubmitImport const web = import_text("transfer_input_files = https://x/y?size=3\nqueue");
  CHECK(web.strategy.transfer.protocol == scenario::Protocol::http);
  CHECK_THAT(notes_of(import_text("container_image = docker://pytorch\nqueue")),
             has_text("1: container_image = docker://pytorch: fetched by the site"));
  SubmitImport const older =
      import_text("+SingularityImage = \"osdf:///ospool/image.sif?size=7\"\nqueue");
  REQUIRE(older.campaign.input.size() == 1);
  CHECK(older.campaign.input[0].size == Bytes(7));
  SubmitImport const at_site = import_text(
      "+SingularityImage = \"/cvmfs/singularity.opensciencegrid.org/opensciencegrid/"
      "osgvo-el8:latest\"\nqueue");
  CHECK(at_site.campaign.input.empty());
  SubmitImport const unsized =
      import_text("\ntransfer_input_files = osdf:///a, osdf:///b?size=5, osdf:///c\nqueue");
  REQUIRE(unsized.campaign.input.size() == 3);
  CHECK(unsized.campaign.input[0].size == Bytes(1e9));
  CHECK(unsized.campaign.input[1].size == Bytes(5));
  REQUIRE(unsized.notes.size() == 1);
  CHECK_THAT(notes_of(unsized),
             has_text("2: size not known: osdf:///a, osdf:///c; 1 GB is assumed for each"));
}

TEST_CASE("a size belongs to a file by its name without folders, unless its URL has one") {
  SubmitImport const import = import_text(
      "executable = x\ntransfer_input_files = osdf:///d/e/a.tar, osdf:///d/b.tar?pack=auto, "
      "osdf:///d/c.tar\nqueue",
      {{"a.tar", Bytes(5)},
       {"b.tar", Bytes(7)},
       {"c.tar", Bytes(1)},
       {"osdf:///d/c.tar", Bytes(9)}});
  std::vector<Bytes> sizes;
  for (auto const& file : import.campaign.input) sizes.push_back(file.size);
  CHECK(sizes == std::vector<Bytes>{Bytes(5), Bytes(7), Bytes(9)});
}

TEST_CASE("retries and policies", "[submit_campaign]") {
  CHECK_FALSE(policy_of("").max_retries);
  CHECK(policy_of("max_retries = 5").max_retries == 5);
  scenario::JobPolicy const until = policy_of("retry_until = ExitCode >= 3\nsuccess_exit_code = 7");
  CHECK(until.max_retries == 2);
  CHECK(until.success_exit_code == 7);
  CHECK(until.retry_until->text() == "ExitCode >= 3");
  scenario::JobPolicy const rules = policy_of(
      "on_exit_hold = ExitCode =!= 0\non_exit_hold_subcode = 3\nperiodic_hold = NumJobStarts > 9\n"
      "periodic_release = (HoldReasonCode == 13) && (time() - EnteredCurrentStatus > 1200)\n"
      "periodic_remove = false\non_exit_remove = true\nperiodic_vacate = false");
  CHECK(rules.on_exit_hold->text() == "ExitCode =!= 0");
  CHECK(rules.on_exit_hold_subcode == 3);
  CHECK(rules.periodic_release);
  CHECK(rules.periodic_vacate);
  CHECK(policy_of("+PeriodicRelease = NumHolds < 3").periodic_release->text() == "NumHolds < 3");
  CHECK_THAT(message("\nperiodic_hold = NumHolds = 3\nqueue"),
             has_text("job.sub:2: periodic_hold: 'NumHolds = 3' is not a ClassAd expression"));
  CHECK_THAT(notes_of(import_text("periodic_hold = random(3) > 1\nqueue")),
             has_text("gridcast has no function random()"));
  CHECK_THAT(notes_of(import_text("periodic_hold = BytesSent > 5\nqueue")),
             has_text("simulated jobs have no BytesSent"));
}

TEST_CASE("durations", "[submit_campaign]") {
  CHECK(policy_of("allowed_execute_duration = 3600").allowed_execute_duration == hours(1));
  CHECK(policy_of("allowed_job_duration = 2 * 3600").allowed_job_duration == hours(2));
  CHECK(policy_of("+JobDurationCategory = \"Medium\"").allowed_execute_duration == hours(20));
  CHECK(policy_of("MY.JobDurationCategory = \"long\"").allowed_execute_duration == hours(40));
  CHECK_FALSE(policy_of("+JobDurationCategory = Long").allowed_execute_duration);
  CHECK_THAT(notes_of(import_text("+JobDurationCategory = Long\nqueue")),
             has_text("not understood: +JobDurationCategory = Long"));
  CHECK(policy_of("+JobDurationCategory = \"Long\"\nallowed_execute_duration = 60")
            .allowed_execute_duration == Seconds(60));
  CHECK(policy_of("checkpoint_exit_code = 80").checkpoint_exit_code == 80);
}

TEST_CASE("outputs that a crash does not leave", "[submit_campaign]") {
  CHECK_FALSE(policy_of("max_retries = 1").crash_holds);
  CHECK(policy_of("transfer_output_files = out").crash_holds);
  CHECK_FALSE(policy_of("transfer_output_files = \"\"").crash_holds);
  CHECK_FALSE(
      policy_of("transfer_output_files = out\nwhen_to_transfer_output = ON_SUCCESS").crash_holds);
}

// Jobs that list no output files wait for a second before they execute; where nothing is moved
// there is nothing to wait for, and no list that could be missing.
TEST_CASE("jobs without file transfer do not wait", "[submit_campaign]") {
  CHECK(policy_of("max_retries = 1").outputs_unlisted);
  CHECK_FALSE(policy_of("transfer_output_files = \"\"").outputs_unlisted);
  for (char const* const yes : {"YES", "if_needed", "Always", "\"TRUE\"", "AUTO"}) {
    CHECK(policy_of(std::string("should_transfer_files = ") + yes).outputs_unlisted);
  }
  for (char const* const no : {"NO", "never", "\"False\""}) {
    CHECK_FALSE(policy_of(std::string("should_transfer_files = ") + no).outputs_unlisted);
  }
  CHECK_FALSE(policy_of("+ShouldTransferFiles = \"NO\"").outputs_unlisted);
  CHECK_THAT(message("should_transfer_files = MAYBE\nqueue"),
             has_text("job.sub:1: should_transfer_files = MAYBE is no answer"));
  std::string const both = message(
      "should_transfer_files = NO\ntransfer_input_files = a?size=5\ntransfer_output_files = "
      "b\nqueue");
  CHECK_THAT(both, has_text("job.sub:2: transfer_input_files with should_transfer_files = NO"));
  CHECK_THAT(both, has_text("job.sub:3: transfer_output_files with should_transfer_files = NO"));
  CHECK_THAT(
      notes_of(import_text("should_transfer_files = $(Item)\nqueue 3 in (YES)\nqueue in (NO)")),
      has_text("1 of 4 jobs have another should_transfer_files"));
}

TEST_CASE("requirements keep the conditions that simulated slots can answer", "[submit_campaign]") {
  SubmitImport const import = import_text(
      "requirements = (GLIDEIN_ResourceName != \"SITE-D\") && (OSGVO_OS_STRING == \"RHEL 8\") && "
      "Arch == \"X86_64\"\nrank = TARGET.Kflops\nqueue");
  CHECK(import.strategy.retry.policy.requirements->text() ==
        "(GLIDEIN_ResourceName != \"SITE-D\") && Arch == \"X86_64\"");
  CHECK_FALSE(import.strategy.retry.policy.rank);
  CHECK_THAT(notes_of(import), has_text("(OSGVO_OS_STRING == \"RHEL 8\") left out"));
  CHECK_THAT(notes_of(import), has_text("rank = TARGET.Kflops left out"));
  CHECK(notes_of(import_text("requirements = a || Arch == \"x\" && b\nqueue")) ==
        "1: requirements: a || Arch == \"x\" && b left out: simulated slots have no a, b\n");
}

TEST_CASE("each job has the request of its own item", "[submit_campaign]") {
  SubmitImport const import =
      import_text("request_gpus = $(Item)\nqueue 3 in (1)\nqueue 2 in (2)\nqueue 2 in (4)");
  auto const& campaign = import.campaign;
  REQUIRE(campaign.submit.size() == 3);
  REQUIRE(campaign.requests.size() == 2);
  CHECK(campaign.submit[0].jobs == 3);
  CHECK(campaign.submit[0].request.empty());
  CHECK(campaign.submit[1].request == campaign.requests[0].name);
  CHECK(campaign.submit[2].request == campaign.requests[1].name);
  CHECK(campaign.request.gpus == 1);
  CHECK(campaign.requests[0].gpus == 2);
  CHECK(campaign.requests[1].gpus == 4);
  CHECK(notes_of(import).empty());

  // Alternating items of one statement stay in the order of their processes.
  auto const turns = import_text("request_memory = $(Item)\nqueue in (1GB, 2GB, 2GB, 1GB, 1GB)");
  REQUIRE(turns.campaign.submit.size() == 3);
  CHECK(turns.campaign.submit[1].jobs == 2);
  CHECK(turns.campaign.requests.at(0).memory == Bytes(2.0 * (1 << 30)));
  CHECK(turns.campaign.submit[2].request.empty());
}

TEST_CASE("a job without requirements does not get those of the others", "[submit_campaign]") {
  auto const import = import_text(
      "requirements = $(R)\nqueue R from (\nTotalGPUs > 1\nTotalGPUs > 1\nTARGET.Disk > 5\n)");
  REQUIRE(import.campaign.requests.size() == 1);
  REQUIRE(import.campaign.requests[0].requirements);
  CHECK(import.campaign.requests[0].requirements->text() == "TARGET.Disk > 5");
}

TEST_CASE("jobs that differ in rules are simulated alike, and that is reported",
          "[submit_campaign]") {
  SubmitImport const import =
      import_text("max_retries = $(Item)\nqueue 3 in (1)\nqueue 2 in (2)\nqueue 2 in (4)");
  CHECK_THAT(notes_of(import), has_text("4 of 7 jobs have another max_retries (3 in all)"));
  // A command without an underscore is its own attribute, and no second one.
  auto const ranks = notes_of(import_text("rank = $(Item)\nqueue 3 in (1)\nqueue 2 in (2)"));
  CHECK_THAT(ranks, has_text("2 of 5 jobs have another rank (2 in all)"));
  CHECK(ranks.find("another rank") == ranks.rfind("another rank"));
  // A request that depends on the job's attempts is a rule; others of the same jobs are not.
  auto const rule = import_text(
      "request_memory = $(M)\nrequest_gpus = $(G)\nqueue G, M from (\n1, 4GB\n1, 4GB\n"
      "2, 4096 * (NumJobStarts + 1)\n)");
  CHECK_THAT(notes_of(rule), has_text("1 of 3 jobs have another request_memory (2 in all)"));
  REQUIRE(rule.campaign.requests.size() == 1);
  CHECK(rule.campaign.requests[0].gpus == 2);
  CHECK(rule.campaign.requests[0].memory == Bytes(4.0 * (1 << 30)));
  // More requests than a scenario can list.
  std::string many = "request_disk = $(Item)\nqueue in (";
  for (int i = 1; i <= 101; ++i) many += std::to_string(i) + "GB, ";
  auto const most = import_text(many + "1GB)");
  CHECK_THAT(notes_of(most), has_text("100 of 102 jobs have another request_disk (101 in all)"));
  CHECK(most.campaign.requests.empty());
  CHECK(import_text("queue 2\nqueue 3").campaign.jobs() == 5);
  CHECK_THAT(message("queue 0"), has_text("no jobs"));
}

TEST_CASE("each job fetches the files of its own item", "[submit_campaign]") {
  std::string const text =
      "transfer_input_files = $(Files)\nqueue Files from (\nosdf:///image?size=900\n"
      "osdf:///image?size=900, osdf:///shard.00?size=500\nosdf:///image?size=900\n"
      "osdf:///image?size=900, osdf:///shard.01\n)";
  SubmitImport const import = import_text(text, {{"osdf:///shard.01", Bytes(700)}});
  auto const& campaign = import.campaign;
  REQUIRE(campaign.input.size() == 3);
  CHECK_FALSE(campaign.input[0].job.has_value());
  CHECK(campaign.input[1].url == "osdf:///shard.00?size=500");
  CHECK(campaign.input[1].job == 1);
  CHECK(campaign.input[2].size == Bytes(700));
  CHECK(campaign.input[2].job == 3);
  CHECK(campaign.input_size() == Bytes(900 + (500 + 700) / 4.));
  CHECK(notes_of(import).empty());
  // As one submission: jobs keep their names.
  REQUIRE(campaign.submit.size() == 1);
  CHECK(campaign.submit[0].jobs == 4);

  SubmitImport const alike = import_text(
      "transfer_input_files = osdf:///$(Item)?size=5\n"
      "queue 2 in (a, b)\nqueue 1 in (b)");
  std::vector<std::string> urls;
  for (auto const& file : alike.campaign.input) urls.push_back(file.url.substr(8, 1));
  CHECK(urls == std::vector<std::string>{"a", "a", "b", "b", "b"});
  CHECK(alike.campaign.input[4].job == 4);
  scenario::JobInputs const inputs(alike.campaign);
  CHECK(inputs.of(3) == scenario::JobInputs::Files{3});
  CHECK(inputs.file(3) == inputs.file(4));
  CHECK(inputs.size_of(0) == Bytes(5));
}

TEST_CASE("a file of no known size is as large as the largest group's at its place",
          "[submit_campaign]") {
  SubmitImport const import = import_text(
      "transfer_input_files = osdf:///$(Item)\nqueue 1 in (a, b)", {{"osdf:///a", Bytes(7)}});
  REQUIRE(import.campaign.input.size() == 2);
  CHECK(import.campaign.input[1].url == "osdf:///b");
  CHECK(import.campaign.input[1].size == Bytes(7));
  // A second file, of which the size of one is known.
  SubmitImport const shards = import_text(
      "transfer_input_files = $(Files)\nqueue Files from (\nosdf:///image?size=9\n"
      "osdf:///image?size=9, osdf:///s.0\nosdf:///image?size=9, osdf:///s.1\n)",
      {{"osdf:///s.1", Bytes(5)}});
  REQUIRE(shards.campaign.input.size() == 3);
  CHECK(shards.campaign.input[1].job == 1);
  CHECK(shards.campaign.input[1].size == Bytes(5));
  // Nothing decides: the stated default, of the job's own file too.
  SubmitImport const unreported = import_text(
      "transfer_input_files = $(Files)\nqueue Files from (\nosdf:///image?size=9\n"
      "osdf:///image?size=9\nosdf:///image?size=9, osdf:///s.1\n)");
  REQUIRE(unreported.campaign.input.size() == 2);
  CHECK(unreported.campaign.input[1].job == 2);
  CHECK(unreported.campaign.input[1].size == Bytes(1e9));
  CHECK_THAT(notes_of(unreported), has_text("size not known: osdf:///s.1; 1 GB is assumed"));
  // Most jobs fetch nothing; the others fetch theirs, as their protocol does.
  SubmitImport const few =
      import_text("queue 2\ntransfer_input_files = https://x.org/in.tar\nqueue 1\n");
  REQUIRE(few.campaign.input.size() == 1);
  CHECK(few.campaign.input[0].job == 2);
  CHECK(few.strategy.transfer.protocol == scenario::Protocol::http);
  CHECK_THAT(notes_of(few), has_text("size not known: https://x.org/in.tar"));
  // Each shard is a group of its own, but most jobs have one.
  SubmitImport const most = import_text(
      "transfer_input_files = osdf:///image?size=9, osdf:///s.$(Process)\nqueue 3\n"
      "transfer_input_files = osdf:///image?size=9\nqueue 2\n");
  REQUIRE(most.campaign.input.size() == 4);
  CHECK(most.campaign.input[1].size == Bytes(1e9));
  CHECK_THAT(notes_of(most), has_text("size not known: osdf:///s.0, osdf:///s.1, osdf:///s.2"));
}

// A scenario with a file that a job fetches twice, or that has two sizes, would be refused.
TEST_CASE("a file is fetched once by a job, and as large for one as for another",
          "[submit_campaign]") {
  SubmitImport const twice =
      import_text("transfer_input_files = osdf:///a?size=3, osdf:///a?size=3\nqueue");
  CHECK(twice.campaign.input.size() == 1);
  // "u" is at the place of "p" for one job, at that of "q" for the other.
  SubmitImport const places = import_text(
      "transfer_input_files = $(Files)\nqueue Files from (\nosdf:///p, osdf:///q\n"
      "osdf:///p, osdf:///q\nosdf:///u, osdf:///p\nosdf:///p, osdf:///u\n)",
      {{"osdf:///p", Bytes(7)}, {"osdf:///q", Bytes(9)}});
  int of_u = 0;
  for (scenario::InputFile const& file : places.campaign.input) {
    if (file.url != "osdf:///u") continue;
    ++of_u;
    CHECK(file.size == Bytes(7));
  }
  CHECK(of_u == 2);
}

TEST_CASE("a command may have the name of its attribute", "[submit_campaign]") {
  SubmitImport const import = import_text(
      "PeriodicRelease = NumJobStarts < 3\nRequestMemory = 3000\nMyType = 1\n"
      "TransferInput = osdf:///a?size=3\nRequestCpus = 2\nIWD = /d\nJobMaxRetries = 4\nqueue");
  CHECK(import.strategy.retry.policy.periodic_release->text() == "NumJobStarts < 3");
  CHECK(import.campaign.request.memory == Bytes(3000 * 1048576.0));
  REQUIRE(import.campaign.input.size() == 1);
  CHECK(import.campaign.input[0].size == Bytes(3));
  CHECK(import.strategy.retry.policy.max_retries == 4);
  CHECK(notes_of(import) == "3: not understood: MyType = 1\n5: RequestCpus = 2: not simulated\n");
}

TEST_CASE("request_NAME is a custom resource, and no slip of a usual one", "[submit_campaign]") {
  CHECK(notes_of(import_text("request_sudo = True\nqueue")) ==
        "1: request_sudo = True: a custom resource, which each slot is taken to have\n");
  CHECK(notes_of(import_text("request_gpu = 1\nqueue")) ==
        "1: not understood: request_gpu = 1. Did you mean 'request_gpus'?\n");
  CHECK(notes_of(import_text("RequestCpus = 1\nout = a.txt\nqueue")) ==
        "2: not understood: out = a.txt. Did you mean 'output'?\n");
}

TEST_CASE("commands of HTCondor without effect are no notes, others are by their effect",
          "[submit_campaign]") {
  CHECK(notes_of(import_text("universe = docker\nsubmit_event_user_notes = pool:local\n"
                             "shell = echo 1\nmytokens_oauth_permissions_read = read:/\nqueue")) ==
        "");
  CHECK(
      notes_of(import_text("universe = Local\ncron_minute = 0\ngrid_resource = batch slurm\n"
                           "requests_cpus = 2\nqueue")) ==
      "1: universe = local: such jobs run on the access point; they are simulated as jobs in "
      "slots of the pool\n2: cron_minute = 0: not simulated\n"
      "3: grid_resource = batch slurm: not simulated\n4: not understood: requests_cpus = 2. Did you mean 'request_cpus'?\n");
}

TEST_CASE("a value that decides and is not understood is shown without --details",
          "[submit_campaign]") {
  auto const import = import_text("request_gpus = one\nqueue");
  REQUIRE(import.notes.size() == 1);
  CHECK(import.notes[0].what == "not understood: request_gpus = one");
  CHECK(import.notes[0].action == condor::SubmitAction::recommended);
}

TEST_CASE("a condition with a function that ClassAds lack is shown without --details",
          "[submit_campaign]") {
  auto const import = import_text("requirements = within(Memory, 3)\nrequest_gpus = 1\nqueue");
  auto const found = std::find_if(import.notes.begin(), import.notes.end(), [](auto const& note) {
    return note.what.find("within()") != std::string::npos;
  });
  REQUIRE(found != import.notes.end());
  CHECK(found->where.line == 1);
  CHECK(found->action == condor::SubmitAction::recommended);
}

TEST_CASE("commands that are not understood are listed, known ones are not", "[submit_campaign]") {
  SubmitImport const import = import_text(
      "mine = 5\nlog = x.log\nrequest_cpus = 4\nfrobnicate = 1\n+Foo = 3\narguments = $(mine)\n"
      "concurrency_limits = db\nqueue");
  CHECK(notes_of(import) ==
        "3: request_cpus = 4: not simulated\n"
        "4: not understood: frobnicate = 1\n"
        "5: +Foo = 3: an attribute that simulated jobs do not have\n");
  CHECK(import.campaign.request.concurrency_limits == "db");
}

TEST_CASE("requests of memory and disk are sizes or expressions", "[submit_campaign]") {
  constexpr double mebibyte = 1048576;
  auto const policy = [](std::string const& text) {
    return import_text(text + "\nqueue").strategy.retry.policy;
  };
  auto const retry = [&](std::string const& text) {
    auto const rule = policy(text).retry_request_memory;
    return rule ? rule->text() : "";
  };
  CHECK(import_text("request_memory = 2 GB\nqueue").campaign.request.memory ==
        Bytes(2048 * mebibyte));
  CHECK(import_text("request_memory = 1500\nqueue").campaign.request.memory ==
        Bytes(1500 * mebibyte));
  CHECK(import_text("+RequestMemory = 1500\nqueue").campaign.request.memory ==
        Bytes(1500 * mebibyte));
  auto const grows = policy("request_memory = 1000 * (NumJobStarts + 1)");
  REQUIRE(grows.request_memory);
  CHECK(grows.request_memory->text() == "1000 * (NumJobStarts + 1)");
  // A number before the first attempt, and another one later.
  std::string const use = "ifThenElse(isUndefined(MemoryUsage), 2048, 2 * MemoryUsage)";
  auto const by_use = import_text("request_memory = " + use + "\nqueue");
  CHECK(by_use.campaign.request.memory == Bytes());
  REQUIRE(by_use.strategy.retry.policy.request_memory);
  CHECK(by_use.strategy.retry.policy.request_memory->text() == use);
  CHECK(retry("retry_request_memory = " + use) == use);
  CHECK(retry("retry_request_memory = 16GB") == "16384");
  CHECK(retry("retry_request_memory = 4GB, 8 GB") == "{4096, 8192}");
  CHECK(retry("retry_request_memory = RequestMemory*2") == "RequestMemory*2");
  CHECK(retry("retry_request_memory_increase = 2 GB") == "RequestMemory + 2048");
  CHECK(
      retry("retry_request_memory_increase = RequestMemory * 2\nretry_request_memory_max = 8 GB") ==
      "min({RequestMemory * 2, 8192})");
  // Once without the most, which alone is the next request; a list has the retries' requests.
  CHECK(retry("request_memory = 2GB\nretry_request_memory_increase = 256MB") == "2304");
  CHECK(retry("retry_request_memory_max = 4GB") == "4096");
  CHECK(retry("request_memory = 2GB, 4GB, 6GB") == "{4096, 6144}");
  CHECK(import_text("request_memory = 2GB, 4GB\nqueue").campaign.request.memory ==
        Bytes(2048 * mebibyte));
  CHECK(import_text("request_memory = undefined\nqueue").campaign.request.memory == Bytes());
  CHECK(policy("request_disk = 1, 2").retry_request_disk->text() == "2");
  CHECK(policy("retry_request_disk = 2").retry_request_disk->text() == "2");
  CHECK_THAT(notes_of(import_text("request_memory = MyOwn * NumJobStarts\nqueue")),
             test::has_text("request_memory: simulated jobs have no MyOwn: undefined"));
}

TEST_CASE("requests of time that grow after a failed attempt have one note with the consequence",
          "[submit_campaign]") {
  SubmitImport const import = import_text(
      "request_memory = ifThenElse(LastHoldReasonCode =!= 34, 2000, 2 * MemoryUsage)\n"
      "retry_request_memory = 16GB\n+RequestWalltime = 7200 * NumJobStarts\n"
      "periodic_release = (HoldReasonCode =?= 34) && (NumJobStarts < 4)\nqueue");
  CHECK(notes_of(import) ==
        "3: larger requests after a failed attempt (+RequestWalltime): not simulated. A retry is "
        "held for time as often as a first attempt, so the forecast has too many holds if the "
        "record has any\n");
}

}  // namespace gridcast::import

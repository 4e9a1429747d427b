#include "sim/import/calibrated_program.hpp"

#include <unistd.h>

#include <fmt/format.h>

#include "sim/base/files.hpp"
#include "tests/test.hpp"

namespace gridcast::import {
namespace {

using test::has_text;
namespace fs = std::filesystem;

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / fmt::format("gridcast-calibrated-{}", getpid())) {
    fs::create_directories(path_ / "below");
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(Folder const&) = delete;
  Folder& operator=(Folder const&) = delete;
  fs::path operator/(std::string const& name) const { return path_ / name; }

 private:
  fs::path path_;
};

constexpr char known[] =
    "schema: gridcast.calibration/1\nprofile: mine\npool: {file: mine.pool.yaml}\n"
    "program: {executable: /bin/train, arguments: 8 4}\n"
    "campaign: {jobs: 3, attempts: 3, epochs: 4}\n"
    "draws:\n  columns: [slots.A, work_s]\n  rows:\n    - [1, 2]\n";

SubmitImport submit_import(std::string const& arguments) {
  SubmitImport import;
  import.executable = "/bin/train";
  import.arguments = arguments;
  return import;
}

}  // namespace

TEST_CASE("the jobs that a calibration file describes", "[calibrated_program]") {
  Folder const folder;
  write_file(folder / "below/cal.yaml", known);
  write_file(folder / "below/mine.pool.yaml", "x");
  CalibratedProgram const program = read_calibrated_program(folder / "below/cal.yaml");
  CHECK(program.profile == "mine");
  CHECK(program.pool == folder / "below/mine.pool.yaml");
  CHECK(program.ran == std::vector<history::RanProgram>{{"/bin/train", "8 4"}});
  CHECK(program.epochs == 4);
  CHECK(program.from_event_log);

  write_file(folder / "other.yaml", "schema: gridcast.pool/1\n");
  CHECK_THROWS_AS(read_calibrated_program(folder / "other.yaml"), InputError);
  CHECK_THROWS_AS(read_calibrated_program(folder / "none.yaml"), InputError);
}

TEST_CASE("a pool may be named from a folder above", "[calibrated_program]") {
  CalibratedProgram const program =
      read_calibrated_program(test::source_dir() / "calibration/fitted/osg-imagenet.yaml");
  CHECK(fs::equivalent(program.pool, test::source_dir() / "scenarios/pools/ospool-2024.yaml"));
  CHECK(program.ran.empty());
  CHECK_FALSE(program.from_event_log);
}

TEST_CASE("protocols and checkpoints go with every calibration", "[calibrated_program]") {
  CalibratedProgram const of_log{"mine", "", {}, 0, true};
  CalibratedProgram const of_table{"mine", "", {}, 0, false};
  for (CalibratedProgram const& program : {of_log, of_table}) {
    SubmitImport import = submit_import("");
    import.checkpoints = true;
    import.strategy.transfer.protocol = scenario::Protocol::http;
    import.strategy.retry.policy.checkpoint_every_epochs = 1;
    fit_to_calibration(import, program, "job.sub");
    CHECK(import.strategy.transfer.protocol == scenario::Protocol::http);
    CHECK(import.strategy.retry.policy.checkpoint_every_epochs == 1);
    CHECK(import.notes.empty());
  }
}

TEST_CASE("requirements that the pool cannot decide count as met, with a note",
          "[calibrated_program]") {
  scenario::Pool pool;
  pool.sites.resize(2);
  for (scenario::SiteSpec& site : pool.sites) site.slots = 1;
  SubmitImport import;
  import.campaign.request.gpus = 4;
  import.campaign.request.gpu_memory = Bytes(16e9);
  import.campaign.request.gpu_capability = 7;
  fit_to_pool(import, pool, "job.sub");
  CHECK(import.campaign.request.gpus == 0);
  REQUIRE(import.notes.size() == 3);
  CHECK(import.notes[0].what == "request_gpus = 4: the pool lists no GPUs, so it is taken for met");

  pool.sites[0].gpus = 1;
  pool.sites[1].gpus = pool.sites[1].gpus_per_slot = 2;
  pool.sites[1].gpu_capability = 8;
  import.notes.clear();
  import.campaign.request.gpus = 1;
  fit_to_pool(import, pool, "job.sub");
  CHECK(import.campaign.request.gpus == 1);
  REQUIRE(import.notes.size() == 2);
  CHECK_THAT(import.notes[0].what, has_text("gpus_minimum_capability = 7: the pool does not list "
                                            "it for 1 of the 2 entries that the jobs match"));
  CHECK_THAT(import.notes[1].what,
             has_text("gpus_minimum_memory = 15259 MiB: the pool does not list "
                      "it for 2 of the 2 entries"));
}

TEST_CASE("a request for which most slots are too small gets a note with their number",
          "[calibrated_program]") {
  scenario::Pool pool;
  pool.sites.resize(3);
  for (scenario::SiteSpec& site : pool.sites) site.gpus = site.gpus_per_node = 10;
  for (std::size_t i : {0u, 1u, 2u}) pool.sites[i].memory = Bytes((1. + i) * 32 * 0x1p30);
  pool.sites[0].name = "a";
  pool.sites[1].name = "b";
  auto const notes = [&](double gibibytes, int gpus) {
    SubmitImport import;
    import.campaign.request.gpus = gpus;
    import.campaign.request.memory = Bytes(gibibytes * 0x1p30);
    fit_to_pool(import, pool, "job.sub");
    return import.notes;
  };
  CHECK(notes(64, 1).empty());
  CHECK(notes(128, 2).empty());  // of two GPUs each
  REQUIRE(notes(96, 1).size() == 1);
  CHECK(notes(96, 1)[0].action == condor::SubmitAction::recommended);
  CHECK_THAT(notes(96, 1)[0].what,
             has_text("request_memory = 98304 MiB: 20 of the 30 slots that the jobs else match "
                      "offer less (a, b)"));
  CHECK(notes(97, 1).empty());  // no slot is left, which is an error elsewhere
}

TEST_CASE("a calibration of tables scales work, and knows no odds of a crash",
          "[calibrated_program]") {
  SubmitImport import = submit_import("");
  CalibratedProgram const of_table{"mine", "", {}, 0, false};
  set_work(import, of_table, {.profile = "", .scale = 2.0}, "job.sub");
  CHECK(import.campaign.work.scale == 2);
  CHECK_THROWS_AS(
      set_work(import, of_table, {.profile = "", .crash_odds = FactorRange{2, 2}}, "job.sub"),
      InputError);
}

TEST_CASE("the work of a job", "[calibrated_program]") {
  CalibratedProgram const program{"mine", "", {{"/bin/train", "8 4"}}, 4, true};
  SubmitImport same = submit_import("8 4");
  same.checkpoints = true;
  set_work(same, program, {}, "job.sub");
  CHECK(same.notes.empty());
  CHECK(same.campaign.work.profile == "mine");
  CHECK(same.campaign.work.scale == 1);
  CHECK(same.campaign.work.epochs == 4);

  SubmitImport other = submit_import("16 4");
  set_work(other, program, {}, "job.sub");
  REQUIRE(other.notes.size() == 2);
  CHECK_THAT(other.notes[0].what, has_text("how often these crash is not known"));
  CHECK(other.campaign.work.crash_odds == FactorRange{1. / 16, 16});
  CHECK_THAT(other.notes[1].what, has_text("ran /bin/train with '8 4', these with '16 4'"));

  SubmitImport printed = submit_import("16 4");
  printed.checkpoints = true;
  set_work(printed, program,
           {.profile = "", .scale = 2.0, .crash_odds = FactorRange{3, 3}, .epochs = 8}, "job.sub");
  CHECK(printed.notes.empty());
  CHECK(printed.campaign.work.scale == 2);
  CHECK(printed.campaign.work.crash_odds == FactorRange{3, 3});
  CHECK(printed.campaign.work.epochs == 8);

  SubmitImport unknown = submit_import("");
  unknown.checkpoints = true;
  set_work(unknown, {"mine", "", {}, 0, true}, {}, "job.sub");
  REQUIRE(unknown.notes.size() == 3);
  CHECK_THAT(unknown.notes[0].what, has_text("from a quarter to four times"));
  CHECK(unknown.campaign.work.crash_odds == FactorRange{1. / 4, 4});
  CHECK_THAT(unknown.notes[2].what, has_text("--epochs N"));
}

TEST_CASE("another program's odds of a crash leave one of three executions whole at least",
          "[calibrated_program]") {
  CHECK(odds_of_another_program({}) == FactorRange{1. / 16, 16});
  CHECK(odds_of_another_program(0.05) == FactorRange{1. / 16, 16});
  // Odds of 1/2, and of 2 where two of three crash.
  CHECK(odds_of_another_program(1. / 3).most == Approx(4));
  CHECK(odds_of_another_program(1. / 3).least == 1. / 16);
  CHECK(odds_of_another_program(0.9).most == 1);
  Folder const folder;
  std::string const crashes =
      "parameters:\n  crash.A: {estimate: 0.25}\n  crash.B: {estimate: 0.75}\n";
  write_file(folder / "cal.yaml", std::string(known) + crashes);
  CHECK(*read_calibrated_program(folder / "cal.yaml").crash == Approx(0.5));
  SubmitImport other = submit_import("16 4");
  set_work(other, read_calibrated_program(folder / "cal.yaml"), {}, "job.sub");
  CHECK(other.campaign.work.crash_odds.most == Approx(2));
  // A fifth of the jobs that crash wherever they run, and half of the executions of the others.
  write_file(folder / "bad.yaml",
             std::string(known) + crashes + "  crash_of_job: {estimate: 0.2}\n");
  CHECK(*read_calibrated_program(folder / "bad.yaml").crash == Approx(0.6));
  CHECK_THAT(other.notes[0].what, has_text("from a sixteenth to 2 times"));
}

TEST_CASE("the stall timer that the record shows is the strategy's", "[calibrated_program]") {
  CalibratedProgram program{"mine", "", {}, 0, true};
  auto const transfer_of = [&program](RecordedTimer const& timer) {
    SubmitImport import = submit_import("");
    program.stall_timer = timer;
    fit_to_calibration(import, program, "job.sub");
    CHECK(import.notes.size() == 1);
    return import.strategy.transfer;
  };
  // A timeout of an hour acts at the look after 20 + 12 x 300 s.
  auto const hour = transfer_of({Seconds(3621), 40, 0});
  CHECK(hour.stall_timer == scenario::StallTimer::whole_transfer);
  CHECK(hour.stall_timeout == Seconds(3600));
  CHECK(hour.first_check == Seconds(20));
  // No look of HTCondor's own is at 21 s.
  auto const scaled = transfer_of({Seconds(21), 41, 0});
  CHECK(scaled.stall_timeout == Seconds(21));
  CHECK(scaled.first_check == Seconds(21));
  CHECK(transfer_of({Seconds(3620), 40, 3}).stall_timer == scenario::StallTimer::silence);

  SubmitImport native = submit_import("");
  native.strategy.transfer.protocol = scenario::Protocol::htcondor;
  fit_to_calibration(native, program, "job.sub");
  CHECK(native.strategy.transfer.stall_timeout == Seconds(3600));
}

TEST_CASE("the stall timer of a calibration file, unless its pool names its HTCondor",
          "[calibrated_program]") {
  Folder const folder;
  std::string const timer =
      "schema: gridcast.calibration/1\nprofile: mine\npool: {file: pool.yaml}\nparameters:\n"
      "  stall_timer_s: {estimate: 21, events: 41, censored: 2, origin: fitted}\n";
  write_file(folder / "cal.yaml", timer);
  auto const read = read_calibrated_program(folder / "cal.yaml").stall_timer;
  REQUIRE(read);
  CHECK(read->acts_after == Seconds(21));
  CHECK(read->ended == 41);
  CHECK(read->longer == 2);
  write_file(folder / "pool.yaml",
             "schema: gridcast.pool/1\nsites: [{name: A, slots: 2, uplink: 1 Gbps}]\n"
             "origin: {name: o, bandwidth: 1 Gbps, stream_limit: 1 Gbps}\n"
             "software: {htcondor: 23.9.6}\n");
  CHECK_FALSE(read_calibrated_program(folder / "cal.yaml").stall_timer);
}

TEST_CASE("clients that asked the next cache do so in the strategy", "[calibrated_program]") {
  CalibratedProgram program{"mine", "", {}, 0, true};
  auto const transfer_of = [&program](double gives_up_after, scenario::Protocol protocol) {
    SubmitImport import = submit_import("");
    import.strategy.transfer.protocol = protocol;
    program.client = {Seconds(gives_up_after), 52};
    fit_to_calibration(import, program, "job.sub");
    return import.strategy.transfer;
  };
  auto const seen = transfer_of(4.006, scenario::Protocol::osdf);
  CHECK(seen.on_stall == scenario::OnStall::next_cache);
  CHECK(seen.client_timeout == Seconds(4));
  CHECK(transfer_of(4.5, scenario::Protocol::osdf).client_timeout == Seconds(4.5));
  CHECK(transfer_of(4, scenario::Protocol::http).on_stall == scenario::OnStall::requeue);

  Folder const folder;
  write_file(folder / "cal.yaml",
             "schema: gridcast.calibration/1\nprofile: mine\npool: {file: pool.yaml}\nparameters:\n"
             "  client_timeout_s: {estimate: 4.006, events: 52, origin: fitted}\n");
  auto const read = read_calibrated_program(folder / "cal.yaml").client;
  REQUIRE(read);
  CHECK(read->gives_up_after == Seconds(4.006));
  CHECK(read->asked_next == 52);
  write_file(folder / "pool.yaml",
             "schema: gridcast.pool/1\nsites: [{name: A, slots: 2, uplink: 1 Gbps}]\n"
             "origin: {name: o, bandwidth: 1 Gbps, stream_limit: 1 Gbps}\n"
             "software: {htcondor: 23.9.6, pelican: 7.10}\n");
  CHECK_FALSE(read_calibrated_program(folder / "cal.yaml").client);
}

TEST_CASE("crashes are held as the record's were", "[calibrated_program]") {
  CalibratedProgram program{"mine", "", {}, 0, true};
  auto const imported = [&program] {
    SubmitImport import = submit_import("");
    import.strategy.retry.policy.crash_holds = true;
    import.notes.push_back(
        {{"job.sub"}, "a crash is taken to hold", condor::SubmitTopic::output_of_crash});
    fit_to_calibration(import, program, "job.sub");
    return import;
  };
  CHECK(imported().strategy.retry.policy.crash_holds);
  Folder const folder;
  auto const recorded = [&](std::string const& line) {
    write_file(folder / "cal.yaml",
               "schema: gridcast.calibration/1\nprofile: mine\nparameters:\n" + line);
    program.crashes = read_calibrated_program(folder / "cal.yaml").crashes;
  };
  recorded("  crash_held: {estimate: 0.75, events: 3, censored: 1}\n");
  CHECK(imported().strategy.retry.policy.crash_holds);
  recorded("  crash_held: {estimate: 0, events: 0, censored: 40}\n");
  auto const import = imported();
  CHECK_FALSE(import.strategy.retry.policy.crash_holds);
  REQUIRE(import.notes.size() == 1);
  CHECK(import.notes[0].what.find("of the record's executions that crashed (40), 0 were held") ==
        0);
}

TEST_CASE("a campaign beyond its record has the factors in words", "[calibrated_program]") {
  CalibratedProgram program;
  program.sizes = {{"osdf:///a.tar", Bytes(2e9)}};
  program.slots = {{"A", 10}};
  scenario::Pool pool;
  pool.sites.emplace_back().slots = 40;
  auto const words = [&](double input, int jobs, double scale) {
    scenario::Campaign campaign;
    campaign.input = {{"osdf:///b.tar", Bytes(input)}};
    campaign.submit = {{Seconds(), jobs}};
    campaign.work.scale = scale;
    return beyond_record(program, campaign, pool);
  };
  CHECK(words(3.9e9, 19, 1.9).empty());
  CHECK(words(0, 10, 0.1).empty());
  CHECK(words(94e9, 3, 1) == "input 47 times the record's (94 GB, not 2 GB)");
  CHECK(words(2e9, 100, 5) ==
        "work of a job 5 times the record's, jobs at a time 4 times the record's (up to 40, not "
        "10)");
}

TEST_CASE("more epochs than the record's jobs had are more work", "[calibrated_program]") {
  CalibratedProgram program;
  program.profile = "p";
  program.epochs = 5;
  scenario::Campaign campaign;
  campaign.work.profile = "p";
  campaign.work.epochs = 30;
  CHECK(beyond_record(program, campaign, {}) == "work of a job 6 times the record's");
  campaign.work.scale = 0.2;  // --job-hours shares the hours among the epochs
  CHECK(beyond_record(program, campaign, {}).empty());
  campaign.work.profile = "of another program";
  campaign.work.scale = 1;
  CHECK(beyond_record(program, campaign, {}).empty());
}

TEST_CASE("more jobs than slots were seen are reported where there may be more",
          "[calibrated_program]") {
  Folder const folder;
  scenario::Pool pool;
  for (auto const& [name, slots] : {std::pair<char const*, int>{"A", 4}, {"B", 12}}) {
    scenario::SiteSpec& site = pool.sites.emplace_back();
    site.name = name;
    site.slots = slots;
  }
  auto const notes = [&](int jobs, std::string const& interval = "") {
    write_file(folder / "cal.yaml",
               "schema: gridcast.calibration/1\nprofile: mine\n"
               "not_identified:\n  - {what: slots.B, why: never waited, taken_from: most}\n"
               "parameters:\n  slots.A: {estimate: 4}\n  slots.B: {estimate: 12" +
                   interval + "}\n");
    SubmitImport import = submit_import("");
    import.campaign.submit = {{ Seconds(), jobs }};
    note_slots(import, read_calibrated_program(folder / "cal.yaml"), pool, "job.sub");
    std::string all;
    for (auto const& note : import.notes) all += note.what + ";";
    return all;
  };
  CHECK(notes(16).empty());
  CHECK(notes(17) ==
        "1 of 2 sites may have more slots than the 16 seen: the jobs would be done sooner;");
  CHECK(notes(17, ", interval90: [12, 123]") ==
        "1 of 2 sites may have more slots than the 16 seen: taken to have 1 to 20 times as many;");
  pool.sites[1].slots = 20;  // which the owner knows
  CHECK(notes(17).empty());
}

TEST_CASE("pieces of work that nothing keeps are reported", "[calibrated_program]") {
  CalibratedProgram const program{"mine", "", {{"train.sh", ""}}, 0, true};
  auto const notes_of = [&program](bool checkpoints, int epochs) {
    SubmitImport import = submit_import("");
    import.checkpoints = checkpoints;
    set_work(import, program, {.epochs = epochs}, "job.sub");
    CHECK(import.campaign.work.epochs == epochs);
    std::size_t printed = 0;
    for (auto const& note : import.notes) printed += note.what.starts_with("--epochs 4") ? 1 : 0;
    return printed;
  };
  CHECK(notes_of(false, 4) == 1);
  CHECK(notes_of(false, 1) == 0);
  CHECK(notes_of(true, 4) == 0);
}

TEST_CASE("the calibration's transfers describe the pool and the jobs' input",
          "[calibrated_program]") {
  SubmitImport import = submit_import("");
  import.campaign.input = {{"osdf:///a", Bytes(2)}, { "osdf:///b", Bytes(3) }};
  CalibratedProgram program{"mine", "", {}, 0, true};
  program.plugin_lifetime = Seconds(25);
  SubmitImport split = import;
  fit_to_calibration(split, program, "job.sub");
  CHECK(split.strategy.retry.policy.plugin_lifetime == Seconds(25));
  CHECK(split.campaign.input.size() == 2);

  program.one_transfer = true;
  fit_to_calibration(import, program, "job.sub");
  REQUIRE(import.campaign.input.size() == 1);
  CHECK(import.campaign.input[0].size == Bytes(5));
}

}  // namespace gridcast::import

#include "sim/cli/submit_scenario.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/repeated_settings.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/engine/job_ad.hpp"
#include "sim/import/submit_commands.hpp"
#include "sim/scenario/calibration.hpp"
#include "sim/scenario/catalogue.hpp"
#include "sim/scenario/hardware.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/tables.hpp"
#include "sim/training/execution.hpp"

namespace gridcast::cli {
namespace {

scenario::GpuModel const& gpu_named(scenario::Hardware const& hardware, std::string const& name) {
  if (auto const* const gpu = scenario::gpu_of_name(hardware, name)) return *gpu;
  refuse({}, fmt::format("--on-gpu: unknown GPU '{}'", name),
         "its speed beside the pool's GPUs is needed",
         suggestion(name, scenario::names_of(hardware.gpus)));
}

/// A site of the pool on which jobs of the campaign may run.
struct SiteOfJobs {
  std::string name;                        // or that of the site that it is like
  scenario::GpuModel const* asked_or_own;  // the stated GPU, else the site's; null: unknown
  double slower = 1;                       // than the stated GPU
};

std::vector<SiteOfJobs> sites_of_jobs(std::vector<scenario::SiteSpec> const& possible,
                                      scenario::Hardware const& hardware,
                                      scenario::GpuModel const* asked) {
  std::vector<SiteOfJobs> all, of_model;
  for (scenario::SiteSpec const& site : possible) {
    auto const* const own = scenario::gpu_of_site(hardware, site);
    bool const known = asked != nullptr && own != nullptr && own->images_per_s > 0;
    all.push_back({site.like.empty() ? site.name : site.like, asked ? asked : own,
                   known ? asked->images_per_s / own->images_per_s : 1});
    if (asked != nullptr && own == asked) of_model.push_back(all.back());
  }
  return of_model.empty() ? all : of_model;
}

/// Time of an execution without crash on the GPU, as the median job of this draw takes it; at a
/// site that is like any, the mean over the calibrated sites.
Seconds computing(scenario::Campaign const& campaign, scenario::ParameterDraw const& draw,
                  std::map<std::string, double> const& recorded, SiteOfJobs const& job) {
  auto const time_at = [&](std::string const& name, scenario::SiteParameters const& at) {
    training::WorkView const view{
        .work = campaign.work, .draw = draw, .site = at, .gpus = campaign.request.gpus};
    auto const speed = recorded.find(name);
    bool const known = speed != recorded.end() && job.asked_or_own != nullptr && view.gpus > 0 &&
                       job.asked_or_own->images_per_s > 0;
    return (training::plan_execution(view, {}).front().time - at.unpack) *
           (known ? speed->second / job.asked_or_own->images_per_s : 1);
  };
  auto const own = draw.sites.find(job.name);
  if (own != draw.sites.end()) return time_at(own->first, own->second);
  Seconds sum;
  for (auto const& [name, at] : draw.sites) sum += time_at(name, at);
  return sum / static_cast<double>(draw.sites.size());
}

/// Hours that a calibrated job would compute on the stated GPU: the median over draws of the mean
/// over sites.
double calibrated_hours(scenario::Campaign const& campaign,
                        scenario::Calibration const& calibration,
                        std::map<std::string, double> const& recorded,
                        std::vector<SiteOfJobs> const& sites) {
  std::vector<double> by_draw;
  for (auto const& draw : calibration.draws) {
    double sum = 0;
    for (auto const& site : sites) sum += computing(campaign, draw, recorded, site) / hours(1);
    by_draw.push_back(sum / static_cast<double>(sites.size()));
  }
  return median(std::move(by_draw));
}

/// The longest time that a job computes at a site.
Seconds longest_at(std::vector<scenario::SiteSpec> const& possible,
                   scenario::Hardware const& hardware, scenario::GpuModel const* asked,
                   Seconds time) {
  double slowest = 1;
  for (scenario::SiteSpec const& site : possible) {
    auto const* const own = scenario::gpu_of_site(hardware, site);
    bool const known = asked != nullptr && own != nullptr && own->images_per_s > 0;
    if (known) slowest = std::max(slowest, asked->images_per_s / own->images_per_s);
  }
  return time * slowest;
}

/// work_of_hours() at the sites on which jobs may run under the strategy.
HoursAsWork work_under(scenario::Strategy const& strategy, JobHours const& job,
                       scenario::Campaign const& campaign, Sources const& from) {
  auto const fitted = scenario::read_calibration(from.calibration);
  if (campaign.work.profile != fitted.profile) {
    refuse({}, "--job-hours with a workload of the catalogue",
           "the catalogue knows how long it takes", "Leave out --job-hours or --profile.");
  }
  auto const places = scenario::read_pool(from.pool);
  auto const hardware = scenario::read_hardware(shipped_hardware());
  auto const* const gpu = job.gpu.empty() ? nullptr : &gpu_named(hardware, job.gpu);
  auto const possible = engine::possible_sites(places, campaign.request, strategy);
  auto const sites = sites_of_jobs(possible, hardware, gpu);
  if (sites.empty()) return {};  // the scenario's reader gives the reason
  auto const recorded = scenario::gpu_speeds(places, fitted).recorded;
  double const calibrated = calibrated_hours(campaign, fitted, recorded, sites);
  HoursAsWork work{job.hours / calibrated, "",
                   longest_at(possible, hardware, gpu, hours(job.hours))};
  work.words = fmt::format(
      "--job-hours {:g}{}: {:.2g} times the work of the calibrated jobs, which "
      "compute for {:.1f} h there{}",
      job.hours, gpu ? " on " + gpu->name : "", work.scale, calibrated,
      gpu && sites.front().slower != 1 ? fmt::format("; the pool's GPUs take {:.2g} times as long "
                                                     "(ResNet-50 speeds of the catalogue)",
                                                     sites.front().slower)
                                       : "");
  return work;
}

std::string note_text(condor::SubmitNote const& note) {
  return Problem{note.where, note.what, "", ""}.to_text();
}

Sources find_sources(ImportSubmitOptions const& options) {
  Sources sources;
  sources.calibration = options.calibration;
  if (sources.calibration.empty()) {
    sources.calibration = scenario::read_scenario(shipped_scenario()).calibration.file;
    if (!options.actions_only) {
      print_notes(fmt::format("No --calibration: the shipped one is used, {}\n",
                              sources.calibration.string()));
    }
  }
  sources.program = import::read_calibrated_program(sources.calibration);
  sources.pool = options.pool.empty() ? sources.program.pool : options.pool;
  if (sources.pool.empty() || (options.pool.empty() && !is_there(sources.pool))) {
    refuse({sources.calibration.string()},
           sources.pool.empty() ? "this calibration names no pool"
                                : fmt::format("its pool {} is not there", sources.pool.string()),
           "", "Add --pool POOL.");
  }
  return sources;
}

void recommend(import::SubmitImport& import, fs::path const& file, std::string what) {
  import.notes.push_back({{file.string()},
                          std::move(what),
                          condor::SubmitTopic::other,
                          condor::SubmitAction::recommended});
}

void widen_pool(import::SubmitImport& import, Sources& sources, scenario::Pool& pool,
                ImportSubmitOptions const& options, fs::path const& submit_file) {
  auto const wider = pool_for(sources.pool, import.campaign, import.strategy, options.hours.gpu);
  if (wider.pool == sources.pool) return;
  if (!wider.reason.empty()) {
    recommend(import, submit_file,
              fmt::format("{}, so the pool is {} (--pool names another); sites that the "
                          "calibration does not know behave like one that it knows",
                          wider.reason, wider.pool.filename().string()));
  }
  pool = scenario::read_pool(wider.pool);
  sources.pool = wider.pool;
}

void fit(import::SubmitImport& import, Sources& sources, ImportSubmitOptions const& options,
         fs::path const& submit_file) {
  import::fit_to_calibration(import, sources.program, submit_file);
  if (!is_there(sources.pool)) return;  // the scenario's reader reports it
  scenario::Pool pool = scenario::read_pool(sources.pool);
  bool const by_default = options.pool.empty() && options.calibration.empty();
  if (by_default) widen_pool(import, sources, pool, options, submit_file);
  import::note_slots(import, sources.program, pool, submit_file);
  import::fit_to_pool(import, pool, submit_file);
}

auto sizes_of(ImportSubmitOptions const& options, Sources const& sources) -> import::KnownSizes {
  auto sizes = stated_sizes(options.sizes);
  sizes.insert(options.measured.begin(), options.measured.end());
  sizes.insert(sources.program.sizes.begin(), sources.program.sizes.end());
  return sizes;
}

/// A note for each --size of a URL that no job fetches.
void note_unused_sizes(ImportSubmitOptions const& options, import::SubmitImport& import) {
  std::vector<std::string> urls;
  for (auto const& each : import.campaign.input)
    urls.push_back(each.url.substr(0, each.url.find('?')));
  for (auto const& [url, size] : stated_sizes(options.sizes)) {
    std::string const name = url.substr(0, url.find('?'));
    if (name.find("://") == name.npos || is_one_of(name, urls)) continue;
    recommend(import, options.file,
              fmt::format("--size {}: no job fetches this file. {}", name, suggestion(name, urls)));
  }
}

auto work_of(ImportSubmitOptions const& options) -> import::WorkOptions {
  auto work = options.work;
  if (options.work_scale > 0) work.scale = options.work_scale;
  if (options.hours.hours > 0) work.scale = 1;  // until the hours give the scale
  if (!options.crash_odds.empty()) work.crash_odds = parse_factor_range(options.crash_odds);
  return work;
}

/// A note on jobs that compute for longer than HTCondor lets them, at the slowest site.
void note_limit(import::SubmitImport& import, Sources const& sources, Seconds longest,
                fs::path const& submit_file) {
  if (import.checkpoints || !is_there(sources.pool)) return;
  auto const limit = import.strategy.retry.policy.allowed_execute_duration.value_or(
      scenario::read_pool(sources.pool).access_point.max_execution);
  if (longest <= limit) return;
  recommend(
      import, submit_file,
      fmt::format("a job computes for up to {} on the pool's GPUs, and HTCondor holds it "
                  "after {} (limit of execution time){}",
                  to_text(longest), to_text(limit),
                  limit < scenario::long_execution ? ". +JobDurationCategory = \"Long\" allows " +
                                                         to_text(scenario::long_execution)
                                                   : ""));
}

/// Completes the note on assumed work with its time. A limit of the job's own that is shorter
/// holds every job: its owner knows better how long a job computes.
void state_assumed_work(import::SubmitImport& import, Sources const& sources,
                        fs::path const& submit_file) {
  auto const note = std::ranges::find(import.notes, condor::SubmitTopic::assumed_work,
                                      &condor::SubmitNote::topic);
  if (note == import.notes.end() || !is_there(sources.pool)) return;
  auto const one_hour = work_under(import.strategy, {1}, import.campaign, sources);
  if (one_hour.words.empty()) return;
  Seconds const assumed = hours(1) / one_hour.scale;
  if (auto const end = note->what.find(". --job-hours"); end != std::string::npos) {
    note->what.insert(end,
                      fmt::format(": {} of computing, the mean of the sites", to_text(assumed)));
  }
  auto const& policy = import.strategy.retry.policy;
  for (auto const& [name, limit] :
       {std::pair("allowed_execute_duration", policy.allowed_execute_duration),
        std::pair("allowed_job_duration", policy.allowed_job_duration)}) {
    if (import.checkpoints || !limit || *limit >= assumed) continue;
    recommend(import, submit_file,
              fmt::format("{} holds each job after {}, before this work is done. --job-hours H "
                          "states the time of your jobs",
                          name, to_text(*limit)));
  }
}

/// Work as the options state it.
void set_work_of(import::SubmitImport& import, Sources const& sources,
                 ImportSubmitOptions const& options, import::WorkOptions const& work,
                 fs::path const& submit_file) {
  import::set_work(import, sources.program, work, submit_file);
  bool const without_effect = work.epochs > 0 && options.hours.hours > 0 && !import.checkpoints;
  if (without_effect && !sources.program.from_event_log) {
    recommend(import, submit_file,
              "--epochs has no effect: --job-hours states the work, and no job writes checkpoints "
              "(checkpoint_exit_code)");
  }
  if (options.hours.hours <= 0) return state_assumed_work(import, sources, submit_file);
  auto const stated = work_under(import.strategy, options.hours, import.campaign, sources);
  import.campaign.work.scale = stated.scale;
  if (!stated.words.empty()) import.notes.push_back({{submit_file.string()}, stated.words});
  note_limit(import, sources, stated.longest, submit_file);
  auto const& nodes = import.campaign.submit;
  if (nodes.size() < 2 || nodes.front().name.empty()) return;
  recommend(import, options.file,
            fmt::format("--job-hours {:g}: the jobs of all {} nodes have this work. --set "
                        "campaign.submit.{}.scale=0.5 halves that of one node",
                        options.hours.hours, nodes.size(), nodes.front().name));
}

/// The strategy of recorded jobs that the next ones repeat.
std::optional<scenario::Strategy> recorded_strategy(ImportSubmitOptions const& options,
                                                    import::SubmitImport const& import) {
  if (import.campaign.work.from != scenario::JobSource::record) return {};
  auto recorded =
      import::under_rules(import.strategy, options.rules.value_or(scenario::JobPolicy()));
  recorded.name = "recorded";
  recorded.description.about =
      options.rules ? "The rules of the recorded jobs."
                    : "HTCondor's default rules: those of the recorded jobs are not known.";
  return recorded;
}

std::string scenario_text(ImportSubmitOptions const& options, import::SubmitImport const& import,
                          Sources const& sources, std::string const& made_by) {
  scenario::ScenarioText text;
  fs::path const folder = options.out.parent_path();
  std::string const made_from =
      options.made_from.empty() ? from_folder(options.file, folder) : options.made_from;
  text.comments = {fmt::format("Made from {} by gridcast {}.", made_from, made_by)};
  if (!import.executable.empty()) {
    text.comments.push_back(fmt::format("Program: {} {}", import.executable, import.arguments));
  }
  if (!import.notes.empty()) text.comments.emplace_back("Changed or left out:");
  for (condor::SubmitNote const& note : import.notes) {
    condor::SubmitNote shown = note;
    shown.where.file = fs::path(note.where.file).filename().string();
    text.comments.push_back("  " + note_text(shown));
  }
  text.title = import.title;
  text.pool = from_folder(sources.pool, folder);
  text.calibration = from_folder(sources.calibration, folder);
  text.campaign = import.campaign;
  text.strategy = import.strategy;
  text.recorded = recorded_strategy(options, import);
  return scenario::scenario_yaml(text);
}

/// True if a site of the pool has such a GPU; InputError for an unknown one.
bool has_gpu(scenario::Pool const& pool, std::string const& gpu) {
  auto const hardware = scenario::read_hardware(shipped_hardware());
  auto const& model = gpu_named(hardware, gpu);
  return std::ranges::any_of(pool.sites, [&](auto const& site) {
    bool const has_name = lower(site.gpu).find(lower(gpu)) != std::string::npos;
    return has_name || scenario::gpu_of_site(hardware, site) == &model;
  });
}

}  // namespace

HoursAsWork work_of_hours(JobHours const& job, scenario::Campaign const& campaign,
                          fs::path const& calibration, fs::path const& pool) {
  return work_under({}, job, campaign, {calibration, pool, {}});
}

PoolChoice pool_for(fs::path const& pool, scenario::Campaign const& campaign,
                    scenario::Strategy const& strategy, std::string const& stated_gpu) {
  fs::path const wider = pool.parent_path() / "ospool-2026.yaml";
  if (!is_there(wider)) return {pool};
  auto const name = pool.filename().string();
  auto const places = scenario::read_pool(pool);
  auto const never_met = [&](scenario::Pool const& sites) {
    return !engine::never_met(sites, campaign, strategy).empty();
  };
  if (never_met(places)) {
    // The refusal lists the slots of the wider one.
    if (never_met(scenario::read_pool(wider))) return {wider};
    return {wider, fmt::format("no slot of {} can run these jobs", name)};
  }
  if (stated_gpu.empty() || has_gpu(places, stated_gpu)) return {pool};
  return {wider, fmt::format("{} has no {}", name, stated_gpu)};
}

std::string notes_text(std::vector<condor::SubmitNote> const& notes) {
  constexpr std::size_t most = 50;  // more than that nobody reads
  std::string text;
  for (std::size_t i = 0; i < std::min(notes.size(), most); ++i) text += note_text(notes[i]) + "\n";
  if (notes.size() > most) text += fmt::format("and {} more notes\n", notes.size() - most);
  return text;
}

std::string actions_text(std::vector<condor::SubmitNote> const& notes) {
  auto actions = notes;
  std::erase_if(actions, [](condor::SubmitNote const& note) {
    return note.action != condor::SubmitAction::recommended;
  });
  return notes_text(actions);
}

auto stated_sizes(std::vector<std::string> const& options) -> import::KnownSizes {
  auto sizes = import::KnownSizes();
  for (std::string const& option : options) {
    auto const equals = option.rfind('=');  // a URL may have one in it
    auto const size =
        equals == std::string::npos ? std::nullopt : parse_bytes(trim(option.substr(equals + 1)));
    if (!size || size->value() <= 0 || equals == 0) {
      refuse({}, fmt::format("--size '{}' is not URL=SIZE", option), "",
             "Write --size 'osdf:///a/b.tar=137GB'.");
    }
    sizes[option.substr(0, equals)] = *size;
  }
  return sizes;
}

void add_work_options(Verb& verb, ImportSubmitOptions& options) {
  Option const hours = verb.option("--job-hours", &options.hours.hours,
                                   "Hours for which a job computes, without transfers", "H")
                           .positive_number();
  verb.option("--on-gpu", &options.hours.gpu,
              "With --job-hours: on this GPU, such as A100 (default: those of the pool).\n"
              "--on A100 means the same",
              "GPU")
      .needs(hours);
  verb.option("--work-scale", &options.work_scale, "Work of a job over that of the calibrated jobs",
              "X")
      .positive_number()
      .excludes(hours);
  verb.option(
          "--crash-odds", &options.crash_odds,
          "Odds of a crash over theirs, of an execution and of all of a job's, or a range of them",
          "X|LOW..HIGH")
      .check([](std::string const& text) {
        return parse_factor_range(text) ? "" : "write 2, or 0.5..4";
      });
  verb.option("--epochs", &options.work.epochs,
              "Epochs of a job; with a log or --job-hours, the pieces between checkpoints", "N")
      .whole_number(1, 1000000);
}

void add_submit_file_option(Verb& verb, std::filesystem::path& recorded) {
  verb.option("--submit", &recorded, "Submit file of the record's own jobs", "FILE");
}

void add_options_of_job(Verb& verb, ImportSubmitOptions& options, std::filesystem::path& recorded) {
  Verb group = verb.group("The jobs of a submit file or a DAG");
  group.option("--size", &options.sizes, "Size of a file, if unknown otherwise", "URL=SIZE")
      .repeatable();
  add_work_options(group, options);
  group.option("--calibration", &options.calibration,
               "Calibration, without a record (default: the shipped one)", "CAL");
  group.option("--pool", &options.pool, "Pool (default: the calibration's own)", "POOL");
  add_submit_file_option(group, recorded);
}

void refuse_options_of_job(Verb const& verb, WorkKind kind) {
  std::vector<Problem> problems;
  constexpr char no_effect[] = "it has no effect there";
  auto const refuse_all = [&](char const* where) {
    refuse_given(verb,
                 {"--size", "--job-hours", "--on-gpu", "--work-scale", "--epochs", "--crash-odds",
                  "--calibration", "--pool", "--submit"},
                 where, no_effect, problems);
  };
  if (kind == WorkKind::jobs) {
    refuse_given(verb, {"--submit"}, " without a record", no_effect, problems);
  } else if (kind == WorkKind::scenario) {
    refuse_all(" with a scenario");
  } else if (kind == WorkKind::record) {
    refuse_all(" with a record alone");
  } else {
    refuse_given(verb, {"--calibration", "--pool"}, " with a record", no_effect, problems);
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

SubmitScenario make_submit_scenario(ImportSubmitOptions const& options) {
  Sources sources = find_sources(options);
  condor::SubmitFile file =
      condor::read_submit_file(options.file, import::deciding_submit_commands());
  // A workload of the catalogue is timed for one request.
  auto const request_of =
      options.work.profile.empty() ? import::RequestOf::each_job : import::RequestOf::largest_group;
  import::SubmitImport import = import::import_submit(file, sizes_of(options, sources),
                                                      import::InputOf::each_job, request_of);
  note_unused_sizes(options, import);
  fit(import, sources, options, options.file);
  set_work_of(import, sources, options, work_of(options), options.file);
  import::set_needs(import, options.needs, options.file);
  import::set_exit_codes(import, options.needs.exit_codes, options.file);
  fit_to_record(import, options, sources);
  std::string text = scenario_text(options, import, sources, "init; docs/submit.md says how");
  return {std::move(file), std::move(import), std::move(sources), std::move(text)};
}

SubmitScenario make_repeat_scenario(ImportSubmitOptions const& options,
                                    import::SubmitImport import) {
  Sources sources = find_sources(options);
  fit(import, sources, options, options.file);
  import::WorkOptions const work = work_of(options);
  std::size_t const notes = import.notes.size();
  set_work_of(import, sources, options, work, options.file);
  bool const other_work = work.scale || work.crash_odds || work.epochs > 0 ||
                          !work.program.empty() || !work.profile.empty();
  if (sources.program.has_jobs && !other_work) {
    import.notes.resize(notes);  // the work is that of the record
    import.campaign.work.from = scenario::JobSource::record;
    import.campaign.work.scale = 1;
    import.campaign.work.crash_odds = {};
  }
  std::string text = scenario_text(options, import, sources, "forecast; docs/calibration.md");
  return {{}, std::move(import), std::move(sources), std::move(text)};
}

DagScenario make_dag_scenario(ImportSubmitOptions const& options, condor::Dag const& dag,
                              DagChoices const& choices) {
  Sources sources = find_sources(options);
  import::DagImport made =
      import::import_dag(dag, sizes_of(options, sources), choices.done, choices.max_nodes);
  fit(made.import, sources, options, made.submit.file);
  import::WorkOptions work = work_of(options);
  bool const each_its_own =
      !work.scale && work.program.empty() &&
      import::set_node_works(made, dag, sources.program) == import::NodeWorks::known;
  if (each_its_own) work.scale = 1;
  set_work_of(made.import, sources, options, work, made.submit.file);
  import::set_needs(made.import, options.needs, made.submit.file);
  import::set_exit_codes(made.import, options.needs.exit_codes, dag.file);
  made.import.campaign.work.from = scenario::JobSource::processes;  // nodes run their own programs
  std::string text = scenario_text(options, made.import, sources, "init; see docs/formats.md");
  return {std::move(made), std::move(sources), std::move(text)};
}

}  // namespace gridcast::cli

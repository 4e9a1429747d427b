#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "calibration/held_out.hpp"
#include "gridcast_version.hpp"
#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/calibrate.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/history/job_history.hpp"
#include "sim/history/recorded_jobs.hpp"
#include "sim/import/needs_of_record.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/import/submit_campaign.hpp"
#include "sim/import/submit_commands.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/scenario/pool.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/strategy/decisions.hpp"
#include "sim/study/sample.hpp"

namespace gridcast::cli {
namespace {

calibration::CacheLists cache_lists(CalibrateOptions const& options) {
  calibration::CacheLists lists;
  std::vector<Problem> problems;
  for (std::string const& text : options.caches) {
    auto const equals = text.find('=');
    std::vector<std::string> caches;
    if (equals != std::string::npos) {
      for (auto const& cache : split(text.substr(equals + 1), ',')) {
        if (!cache.empty()) caches.emplace_back(cache);
      }
    }
    if (equals == 0 || caches.empty()) {
      add_problem(problems, {}, "--caches: '" + text + "' is no list of caches", "",
                  "Give SITE=CACHE,CACHE,... in the order in which the site tries them.");
      continue;
    }
    std::string const site = text.substr(0, equals);
    if (std::set(caches.begin(), caches.end()).size() < caches.size()) {
      add_problem(problems, {}, "--caches: '" + text + "' names a cache twice",
                  "a site tries each of its caches once",
                  "Name it once, at its place in the order.");
    }
    if (!lists.emplace(site, caches).second) {
      add_problem(problems, {}, "--caches: there are two lists for site '" + site + "'", "",
                  "Give one: " + site + "=CACHE,CACHE,...");
    }
  }
  if (!problems.empty()) throw InputError(problems);
  return lists;
}

// InputError unless the pool has every site of the log.
void require_sites(calibration::LogCalibration const& calibrated, fs::path const& pool_file) {
  scenario::Pool const pool = scenario::read_pool(pool_file);
  std::vector<Problem> problems;
  for (calibration::SiteFacts const& site : calibrated.sites) {
    if (std::ranges::count(pool.sites, site.count.site, &scenario::SiteSpec::name) > 0) continue;
    add_problem(problems, {pool_file.string()}, "the pool has no site '" + site.count.site + "'",
                "jobs of the log ran there", "Add it to the pool.");
  }
  if (!problems.empty()) throw InputError(problems);
}

/// The exponential as text, also beyond the range of a double.
std::string exponential_text(double logarithm) {
  constexpr double most = 690;
  if (std::abs(logarithm) < most) return fmt::format("{:.3g}", std::exp(logarithm));
  return fmt::format("1e{:+.0f}", logarithm / std::log(10.0));
}

// The prior stands beside the posterior, to avoid mistaking one for the other.
std::string hypotheses_text(calibration::Fit const& fit) {
  if (fit.hypotheses.empty()) return "";
  report::TextTable table("outages|>prior|>posterior|>Bayes factor against none");
  for (calibration::HypothesisProbability const& each : fit.hypotheses) {
    table.add_row({each.name, fmt::format("{:.3f}", each.prior),
                   fmt::format("{:.3f}", each.probability),
                   exponential_text(each.log_bayes_factor)});
  }
  return "\nCauses of transfers that ended without their bytes:\n" + table.str(screen());
}

// The digest of a file, or of the copy of an input that could only be read once.
std::string digest(fs::path const& file, std::vector<import::SpooledInput> const& spooled) {
  std::string const shown = file == "-" ? "standard input" : file.string();
  auto const kept = std::ranges::find(spooled, shown, &import::SpooledInput::shown);
  return sha256_of_file(kept == spooled.end() ? file : kept->path());
}

/// Adds facts that the record lacks: the URLs of its jobs, their program. Returns their rules.
auto add_submit_file(fs::path const& file, import::KnownSizes known,
                     calibration::CampaignFacts& facts, calibration::LogCalibrationOptions& fitting)
    -> import::RecordedSubmission {
  // The number of URLs is useful without their sizes too.
  known.emplace(import::all_other_urls, Bytes());
  import::SubmitImport const submit =
      import::import_submit(condor::read_submit_file(file, import::deciding_submit_commands()),
                            known, import::InputOf::largest_group);
  fitting.outputs_unlisted = submit.strategy.retry.policy.outputs_unlisted;
  if (facts.input_urls.empty()) {
    fitting.url_sizes.clear();
    for (scenario::InputFile const& each : submit.campaign.input) {
      fitting.url_sizes.push_back(each.size);
      facts.input_urls.push_back(each.url);
    }
  }
  if (facts.ran.empty() && !submit.executable.empty()) {
    facts.ran = {{submit.executable, submit.arguments}};
  }
  return {submit.strategy.retry.policy, submit.campaign.request, submit.campaign.max_materialize};
}

/// The stated timer, or that of the stated version of HTCondor.
std::optional<Seconds> stated_stall_timer(CalibrateOptions const& options) {
  if (!options.stall_timer.empty()) {
    return optional_time("--stall-timer", options.stall_timer, "3620 s");
  }
  scenario::Software const software =
      options.pool.empty() ? scenario::Software() : scenario::read_pool(options.pool).software;
  if (!software.htcondor) return std::nullopt;
  Seconds const acts = strategy::longest_transfer(scenario::strategy_under(software).transfer);
  return std::isfinite(acts.value()) ? std::optional(acts) : std::nullopt;
}

/// The named pool, or one made from the logs, which is written beside the calibration.
void add_pool(CalibrateOptions const& options, calibration::LogCalibration const& calibrated,
              calibration::CalibrationDocument& document, std::vector<report::NamedText>& files) {
  if (!options.pool.empty()) {
    require_sites(calibrated, options.pool);
    document.pool_file = options.pool.string();
    document.pool_sha256 = sha256(read_text_file(options.pool));
    return;
  }
  auto const beside = pool_beside(options.out);
  std::string const pool = calibration::pool_yaml(calibrated.sites, document.command,
                                                  {.max_execution = calibrated.max_execution});
  files.push_back({beside.filename().string(), pool});
  document.pool_file = beside.filename().string();
  document.pool_sha256 = sha256(pool);
}

/// Three digits, and thousands in full.
std::string number_text(double value) {
  bool const thousands = std::abs(value) >= 1000 && std::abs(value) < 1e6;
  return thousands ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

std::string strangers_text(calibration::Programs const& programs) {
  auto const strangers = std::ranges::count(programs.strangers, true);
  if (strangers == 0) return "";
  return fmt::format(
      "  {} jobs ran far longer or shorter than their program does: taken for another program, and "
      "left out of works and speeds\n",
      strangers);
}

/// A remark on a parameter, PARAMETER.SITE.
struct Said {
  std::string of, words;
};

/// "PARAMETER.SITE: words", or "PARAMETER at N sites: words" if N sites have the same remark.
std::vector<std::string> said_once(std::vector<Said> const& all) {
  std::vector<std::pair<Said, std::size_t>> groups;  // the first remark, and the number like it
  auto const parameter = [](std::string const& name) {
    bool const of_site = name.find(' ') == std::string::npos && !name.starts_with("between_");
    return of_site ? name.substr(0, name.find('.')) : name;
  };
  for (Said const& said : all) {
    auto const same = std::ranges::find_if(groups, [&](auto const& group) {
      return group.first.words == said.words && parameter(group.first.of) == parameter(said.of);
    });
    if (same == groups.end()) {
      groups.emplace_back(said, 1);
    } else {
      same->first.of = parameter(said.of);
      ++same->second;
    }
  }
  std::vector<std::string> lines;
  for (auto const& [said, sites] : groups) {
    std::string const where = sites > 1 ? fmt::format(" at {} sites", sites) : "";
    lines.push_back(fmt::format("{}{}: {}", said.of, where, said.words));
  }
  return lines;
}

/// The number of "p = 0.003" in the text of a fit; none without a test.
std::optional<double> p_value_in(std::string const& text) {
  auto const at = text.find("p = ");
  if (at == std::string::npos) return std::nullopt;
  return std::strtod(text.c_str() + at + 4, nullptr);
}

}  // namespace

std::optional<Seconds> optional_time(std::string const& option, std::string const& text,
                                     std::string const& example) {
  if (text.empty()) return std::nullopt;
  auto const time = parse_seconds(text);
  if (time && time->value() > 0) return time;
  refuse({}, option + ": '" + text + "' is no time", "",
         "Give a positive number with a unit, such as '" + example + "'.");
}

fs::path pool_beside(fs::path const& out) {
  auto pool = out;
  return pool.replace_extension(".pool.yaml");
}

fs::path jobs_beside(fs::path const& out) {
  auto jobs = out;
  return jobs.replace_extension(".jobs.json");
}

history::JobHistory at_fitted_sites(history::JobHistory history,
                                    std::vector<calibration::SiteFacts> const& sites) {
  std::vector<calibration::Place> const places = each_of(sites, &calibration::SiteFacts::place);
  bool const slots_decide = !sites.empty() && sites.front().slots_decide;
  return calibration::split_like(std::move(history), places, slots_decide);
}

ProgramsOfJobs programs_of_jobs(history::JobHistory const& history,
                                calibration::Programs const& programs) {
  ProgramsOfJobs of_jobs;
  if (!programs.several()) return of_jobs;
  for (std::size_t job = 0; job < history.jobs.size(); ++job) {
    of_jobs.emplace(history.jobs[job], programs.programs[programs.of_job[job]].name);
  }
  return of_jobs;
}

void name_programs(history::RecordedJobs& recorded, ProgramsOfJobs const& programs) {
  std::map<std::string, std::uint32_t> numbers;
  for (std::size_t job = 0; job < recorded.jobs.size(); ++job) {
    auto const* const name = find_in(programs, recorded.names.jobs[job]);
    if (name == nullptr) continue;
    auto const next = static_cast<std::uint32_t>(recorded.programs.size() + 1);
    auto const [found, is_new] = numbers.emplace(*name, next);
    if (is_new) recorded.programs.push_back(*name);
    recorded.jobs[job].program = found->second;
  }
}

/// A record without a success and with more unfinished jobs shows only how jobs fail early.
constexpr double most_unfinished = 0.25;

bool shows_ends(history::RecordedJobs const& recorded) {
  auto const with_end = [&recorded](history::RecordedEnd end) {
    return std::ranges::count_if(recorded.jobs,
                                 [end](auto const& job) { return job.end() == end; });
  };
  return with_end(history::RecordedEnd::succeeded) > 0 ||
         static_cast<double>(with_end(history::RecordedEnd::unfinished)) <=
             most_unfinished * static_cast<double>(recorded.jobs.size());
}

std::optional<std::string> recorded_jobs_of(history::JobHistory const& history,
                                            std::vector<calibration::SiteFacts> const& sites,
                                            ProgramsOfJobs const& programs) {
  if (!history.dated || history.retries_opaque) return std::nullopt;
  auto recorded = history::read_attempts(at_fitted_sites(history, sites));
  name_programs(recorded, programs);
  if (recorded.jobs.empty() || !shows_ends(recorded)) return std::nullopt;
  return history::recorded_jobs_text(recorded);
}

std::string repeating_command(CalibrateOptions const& options) {
  CalibrateOptions const usual;
  std::string text = "./gridcast calibrate";
  auto const add = [&text](char const* option, std::string const& word) {
    if (!word.empty()) text += fmt::format(" {} {}", option, shell_word(word));
  };
  auto const add_words = [&text](char const* option, std::string const& words) {
    if (!words.empty()) text += fmt::format(" {} {}", option, quoted_for_shell(words));
  };
  auto const add_number = [&text](char const* option, auto number, auto without) {
    if (number != without) text += fmt::format(" {} {}", option, number);
  };
  for (auto const& file : options.files) text += " " + shell_word(file.string());
  if (options.record.prefix) text += " --prefix";
  add("--columns", options.record.columns);
  add("--pool", options.pool.string());
  add_number("--epochs", options.epochs, usual.epochs);
  if (options.input_size != usual.input_size) add_words("--input-size", options.input_size);
  add_words("--makespan", options.makespan);
  add_number("--simulations", options.simulations, usual.simulations);
  auto const& dates = options.record.dates;
  if (dates.year) text += fmt::format(" --year {}", *dates.year);
  add("--tz", dates.time_zone);
  if (options.profile != usual.profile) add("--profile", options.profile);
  add("--submit", options.submit.string());
  for (std::string const& list : options.caches) add("--caches", list);
  add_words("--stall-timer", options.stall_timer);
  add_number("--seed", options.seed, usual.seed);
  add_number("--draws", options.draws, usual.draws);
  add_number("--between-campaigns", options.between_campaigns.value_or(-1), -1.0);
  add_words("--where", options.filter.where);
  add_words("--since", options.filter.since);
  add_words("--until", options.filter.until);
  return text + " -o " + shell_word(options.out.string());
}

std::string estimates_text(calibration::Fit const& fit, CensoredColumn censored) {
  report::TextTable table("parameter|>estimate|>90 % interval|unit|>events");
  bool any_cut = false;
  for (calibration::Estimate const& line : fit.estimates) {
    std::vector<std::string> row = {line.name, number_text(line.estimate),
                                    fmt::format("{} to {}", number_text(line.interval90.low),
                                                number_text(line.interval90.high)),
                                    line.unit, std::to_string(line.events)};
    bool const cut = censored == CensoredColumn::shown && line.censored > 0;
    if (cut) row.back() += fmt::format("+{}", line.censored);
    any_cut = any_cut || cut;
    table.add_row(row);
  }
  return table.str(screen()) +
         (any_cut ? "Events 3+2: three events, and two executions or steps that are censored.\n"
                  : "");
}

std::string summary_of_logs(calibration::Fit const& fit) {
  std::string text = estimates_text(fit, CensoredColumn::shown) + hypotheses_text(fit) +
                     "\nNot in the log, and the replacement:\n";
  for (calibration::NotIdentified const& gap : fit.not_identified) {
    text += report::fitted(
        fmt::format("  {}: {}; instead: {}\n", gap.what, gap.why, gap.taken_from), screen());
  }
  return text;
}

std::string more_data_text(calibration::Fit const& fit, std::size_t jobs) {
  std::size_t fitted = 0, without = 0;
  for (auto const& line : fit.estimates) {
    if (line.origin != calibration::Origin::fitted) continue;
    ++(line.events > 0 ? fitted : without);
  }
  auto const more = study::more_jobs({1, 0}, jobs);
  if (jobs == 0 || fitted == 0 || !more) return "";
  std::string text = fmt::format(
      "\n{} more logged {} beside the {} would narrow the {} by about a fifth", *more,
      *more == 1 ? "job" : "jobs", jobs,
      fitted == 1 ? "interval of the parameter that has events"
                  : fmt::format("intervals of the {} parameters that have events", fitted));
  if (without > 0) text += fmt::format("; {} {} none", without, without == 1 ? "has" : "have");
  return report::fitted(text + ".\n", screen());
}

void add_filter_options(Verb& verb, import::RecordFilter& filter) {
  verb.option("--where", &filter.where,
              "Only the record's jobs that satisfy a ClassAd expression, such as\n"
              "'DAGNodeName == \"train\" && ExitCode =?= 0'",
              "EXPRESSION");
  verb.option("--since", &filter.since, "Only jobs submitted from then on (2025-11-05)", "DATE");
  verb.option("--until", &filter.until, "Only jobs submitted before", "DATE");
}

std::string programs_text(calibration::Programs const& programs) {
  if (!programs.several()) return strangers_text(programs);
  std::string text = fmt::format(
      "The record holds {} programs, distinguished by the {} (median of finished executions, work "
      "over that of the newest):\n",
      programs.programs.size(), programs.grouped_by);
  constexpr std::size_t most = 12;
  std::size_t shown = 0;
  for (calibration::Program const& program : programs.programs) {
    if (++shown > most) break;
    text += fmt::format(
        "  {}: {}, {}{}{}, work {:.3g}{}\n", program.name.empty() ? "(no name)" : program.name,
        counted(program.jobs, "job"), counted(program.finished, "finished execution"),
        program.finished > 0 ? fmt::format(" of {:.0f} s", program.median_s) : "",
        program.crash_odds ? fmt::format(", {} of {} crashed", program.crashed, program.ended) : "",
        program.scale, program.newest ? ", the newest" : "");
  }
  text += strangers_text(programs);
  if (programs.programs.size() > most) {
    text += fmt::format("  and {} more\n", programs.programs.size() - most);
  }
  return text;
}

std::string rejected_text(calibration::Fit const& fit) {
  std::vector<Said> rejected;
  for (calibration::Estimate const& line : fit.estimates) {
    auto const p = p_value_in(line.fit);
    if (p && *p < 0.05) rejected.push_back({line.name, line.fit});
  }
  std::string text;
  for (std::string const& line : said_once(rejected)) text += "  " + line + "\n";
  for (calibration::ModelTest const& test : fit.tests) {
    if (test.p_value >= 0.05) continue;
    text += fmt::format("  {}: p = {:.3g}, {}\n", test.hypothesis, test.p_value, test.verdict);
  }
  return text;
}

namespace {

/// The chosen jobs of a record of logs and ads, as its logs show them.
std::optional<history::JobHistory> logs_alone(import::CampaignFiles const& files,
                                              condor::ReadLogOptions const& reading,
                                              history::JobHistory const& chosen) {
  if (files.logs.empty() || files.ads.empty() || !files.attempts.empty()) return std::nullopt;
  import::CampaignFiles alone{.logs = files.logs, .same_names = files.same_names};
  auto const logged = import::open_campaign(alone, reading).history;
  std::set<history::JobName> const names(chosen.jobs.begin(), chosen.jobs.end());
  std::vector<bool> kept;
  for (history::JobName const& name : logged.jobs) kept.push_back(names.contains(name));
  return calibration::only_jobs(logged, kept);
}

std::vector<calibration::CalibrationInput> inputs_of(
    std::vector<fs::path> const& files, std::vector<import::SpooledInput> const& spooled) {
  std::vector<calibration::CalibrationInput> inputs;
  for (auto const& file : files) inputs.push_back({file.string(), digest(file, spooled), 0});
  return inputs;
}

/// The user's choices, which no record shows.
void put_choices(CalibrateOptions const& options, calibration::LogCalibrationOptions& fitting) {
  fitting.draws = static_cast<std::size_t>(options.draws);
  fitting.least_draws = static_cast<std::size_t>(options.least_draws);
  fitting.seed = options.seed;
  fitting.caches = cache_lists(options);
  fitting.stall_timer = stated_stall_timer(options);
  fitting.between_campaigns = options.between_campaigns;
  if (!options.pool.empty()) fitting.sites = calibration::LogCalibrationOptions::Sites::as_named;
}

import::RecordedNeeds needs_of(history::JobHistory const& record,
                               std::vector<history::ResourceUse> const& uses){
    return {ledger::needs_of_jobs(record, uses, history::Resource::memory),
            ledger::needs_of_jobs(record, uses, history::Resource::disk),
            import::failed_exit_codes(record)};
}

}  // namespace

ReadRecord read_record(CalibrateOptions const& options, import::CampaignFiles const& files) {
  auto campaign = import::open_campaign(files, options.record.dates);
  std::string const& report = files.logs.empty() ? campaign.ads_report
                              : options.details  ? campaign.log_report
                                                 : campaign.log_actions;
  print_notes(report + campaign.table_report + campaign.notes + campaign.guesses);
  auto const uses = import::resource_uses(campaign);
  auto const chosen = [&] {
    return import::filtered(std::move(campaign.history), options.filter, uses);
  };
  import::FilteredRecord record = fit_of(options.files, chosen);
  auto inputs = inputs_of(options.files, files.spooled);
  calibration::CampaignFacts facts;
  facts.ran = history::ran_programs(record.history, !campaign.ads.jobs.empty());
  facts.input_urls = import::fetched_urls(campaign, record.history);
  auto sizes = import::known_sizes(campaign, record.history);
  calibration::LogCalibrationOptions fitting{
      .url_sizes = import::sizes_of(facts.input_urls, sizes),
      .outputs_unlisted = condor::usually_unlisted(campaign.ads),
      .job_lease = import::usual_lease(campaign)};
  bool const use_own = options.submit.empty() && facts.ran.empty();
  auto const& submit = use_own ? options.own_submit : options.submit;
  auto rules = import::rules_of(campaign.ads);
  std::optional<import::RecordedSubmission> submitted;
  if (!submit.empty()) {
    submitted = add_submit_file(submit, sizes, facts, fitting);
    if (!use_own) rules = submitted->policy;
    if (use_own && !rules) rules = import::rules_of_own_file(submitted->policy);
  }
  fitting.url_names = facts.input_urls;
  fitting.received = import::usual_input(campaign, record.history);
  put_choices(options, fitting);
  fitting.campaigns = std::move(campaign.campaigns);
  auto logged = logs_alone(files, options.record.dates, record.history);
  // Tables state outcomes, often without exit codes.
  if (submitted && files.tables.empty() && files.attempts.empty()) {
    import::judge_exits(record.history, submitted->policy.success_exit_code);
    if (logged) import::judge_exits(*logged, submitted->policy.success_exit_code);
  }
  auto needs = needs_of(record.history, uses);
  return {std::move(record),   std::move(facts), std::move(fitting),
          std::move(inputs),   std::move(sizes), submit,
          std::move(logged),   std::move(needs), std::move(rules),
          std::move(submitted)};
}

CalibratedLogs calibrate_logs(CalibrateOptions const& options, ReadRecord read) {
  CalibratedLogs done{std::move(read)};
  ReadRecord& record = done.read;
  done.calibrated = fit_of(options.files, [&] {
    return calibration::calibrate_from_logs(record.record.history, record.fitting);
  });
  calibration::CalibrationDocument& document = done.document;
  document.profile = options.profile;
  document.version = version_number;
  CalibrateOptions taken = options;
  taken.draws = static_cast<int>(done.calibrated.draws);
  taken.submit = record.submit;
  document.command = repeating_command(taken);
  document.inputs = std::move(record.inputs);
  for (auto& input : document.inputs) input.rows = done.calibrated.facts.jobs;
  add_pool(options, done.calibrated, document, done.files);
  history::JobHistory const& shown = record.logged ? *record.logged : record.record.history;
  auto const programs = programs_of_jobs(record.record.history, done.calibrated.facts.programs);
  if (auto jobs = recorded_jobs_of(shown, done.calibrated.sites, programs)) {
    document.jobs_file = jobs_beside(options.out).filename().string();
    document.jobs_sha256 = sha256(*jobs);
    done.files.push_back({document.jobs_file, std::move(*jobs)});
  }
  document.seed = options.seed;
  document.campaign = done.calibrated.facts;
  document.campaign->input_urls = std::move(record.facts.input_urls);
  document.campaign->ran = std::move(record.facts.ran);
  document.fit = std::move(done.calibrated.fit);
  done.files.push_back({options.out.filename().string(), calibration::calibration_yaml(document)});
  return done;
}

}  // namespace gridcast::cli

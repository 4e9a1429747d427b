#include "sim/scenario/scenario.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/files.hpp"
#include "sim/base/random.hpp"
#include "sim/base/text.hpp"
#include "sim/scenario/controls.hpp"
#include "sim/scenario/draw_columns.hpp"
#include "sim/scenario/lesson.hpp"
#include "sim/scenario/precedence.hpp"
#include "sim/scenario/profile.hpp"
#include "sim/scenario/submit_strategy.hpp"
#include "sim/scenario/tables.hpp"
#include "sim/scenario/yaml/document.hpp"

namespace gridcast::scenario {

namespace {

/// ".inf", as in the rows of a calibration, or "inf", as in its key reference: no limit, if a
/// column allows that.
bool is_infinite(YAML::Node const& node) {
  return node.IsScalar() && (node.Scalar() == ".inf" || node.Scalar() == "inf");
}

/// One key for each column.
template <class Struct, class Column>
void add_columns(Table<Struct>& table, std::span<Column const> columns) {
  for (Column const& column : columns) {
    table.add(
        {column.name, Form::number, column.help, false, "", bounds(column.allowed)},
        [&column](YamlValue const& value, Struct& stated) {
          double number = std::numeric_limits<double>::infinity();
          if (!is_infinite(value.node)) read_value(value, bounds(column.allowed), number);
          if (value.document.is_bad(value.path)) return;
          if (holds(column.allowed, number)) {
            stated.values.emplace_back(&column, number);
          } else {
            value.complain("out of range",
                           "it has to be " + std::string(description(column.allowed)), "");
          }
        },
        [&column](YamlWriter& out, Key const& of, Struct const& stated) {
          for (auto const& [which, number] : stated.values) {
            if (which == &column) out.value(of.name, false, number, {});
          }
        });
  }
}

Table<StatedSite> const& stated_site_table() {
  static Table<StatedSite> const table = [] {
    Table<StatedSite> keys("Parameters of a site, under its name");
    add_columns(keys, site_columns());
    return keys;
  }();
  return table;
}

StatedSite const* stated_site(StatedParameters const& stated, std::string_view name) {
  return find_by(stated.sites, name, &StatedSite::name);
}

/// True if the column of that name is stated.
bool has_column(auto const& values, std::string_view name) {
  return std::ranges::any_of(values, [&](auto const& value) { return value.first->name == name; });
}

/// The parameter without which nothing computes at a site that no record knows; its slots or GPUs
/// come from the pool.
std::string_view needed_at_a_site(StatedParameters const& stated, Calibration const& calibration) {
  bool const work =
      has_column(stated.values, "work_s") || calibration.draws.front().work > Seconds();
  return work ? "speed" : "epoch_scale_s";
}

/// With fewer, all replicas would have nearly the same choices of `like: any`.
constexpr std::size_t fewest_choices = 100;

/// Each row several times, one after the other, where there are less than `fewest_choices`.
void repeat_rows(Calibration& calibration) {
  std::size_t const rows = calibration.draws.size();
  for (std::size_t i = 0; calibration.draws.size() < fewest_choices || i % rows != 0; ++i) {
    calibration.draws.push_back(ParameterDraw(calibration.draws[i]));
    calibration.rows.push_back(std::vector<double>(calibration.rows[i]));
  }
}

/// The random numbers of a site with `like: any` belong to its name, and not to its place in the
/// pool's file.
std::uint32_t number_of_name(std::string const& site) {
  constexpr std::size_t digits = 8;
  return static_cast<std::uint32_t>(std::stoul(sha256(site).substr(0, digits), nullptr, 16));
}

/// The site has the parameters of the one that it is like, on its own GPUs.
void borrow(SiteSpec const& site, std::vector<std::string> const& known, GpuSpeeds const& gpus,
            Calibration& calibration) {
  bool const any = site.like == like_any;
  auto const choices = static_cast<std::uint32_t>(known.size());
  auto const name = any ? number_of_name(site.name) : 0;
  for (std::size_t row = 0; row < calibration.draws.size(); ++row) {
    // In each row, each known site is equally likely, independent of other sites and rows.
    auto const chosen = [&] {
      return RandomStreams(0, 0)
          .stream(Purpose::like_any, name, static_cast<std::uint32_t>(row))
          .below(choices);
    };
    auto& sites = calibration.draws[row].sites;
    auto const model = sites.find(any ? known[chosen()] : site.like);
    if (model == sites.end()) continue;
    SiteParameters copy = model->second;
    if (site.of_platform && site.uplink > BytesPerSecond()) copy.link_capacity.reset();
    copy.gpu_speed = gpus.ratio(site.name, model->first);
    sites[site.name] = std::move(copy);
  }
}

constexpr auto preferences_of = [](auto& study) -> auto& { return study.preferences; };

constexpr double most_replicas = 1e7;

/// The help of `study.without`, with all names.
std::string help_of_without() {
  return fmt::format(
      "Processes that do not happen, with commas between (docs/model.md has their meanings): {}",
      fmt::join(names_of(process_switches()), ", "));
}

Table<Study> const& study_table() {
  static Table<Study> const table =
      Table<Study>("Size of the study, unless the command line changes it")
          .optional("replicas", &Study::replicas, "Simulated campaigns", between(1, most_replicas))
          .optional("seed", &Study::seed, "Seed of all random numbers")
          .optional("without", &Study::without, help_of_without())
          .include(preferences_of, preferences_table());
  return table;
}

namespace fs = std::filesystem;

/// A scenario file with the files that it names, as far as they could be read.
struct Reading {
  YamlDocument document;
  ScenarioEntries scenario;
  std::optional<PoolFile> pool;
  bool calibrated = false;
  std::vector<Problem> of_calibration;
  OverridesByFile overrides;
};

Problem no_such_strategy(Location where, std::string const& what, std::string const& name,
                         std::vector<Strategy> const& strategies) {
  return {std::move(where), fmt::format("{}there is no strategy '{}'", what, name), "",
          suggestion(name, names_of(strategies))};
}

/// The text of a file that the scenario names. A file that cannot be read is reported at the key.
std::optional<std::string> named_text(YamlDocument& document, std::string const& key,
                                      std::string const& name, fs::path const& file) {
  try {
    expect_ordinary_file(file);
    return read_text_file(file);
  } catch (InputError const& error) {
    Problem problem = error.problems().front();
    problem.what = fmt::format("{}: {}: {}", key, name, problem.what);
    problem.where = document.at(key);
    document.add(std::move(problem));
    return std::nullopt;
  }
}

fs::path beside(fs::path const& scenario, std::string const& name) {
  return (scenario.parent_path() / name).lexically_normal();
}

void read_named_files(Reading& reading) {
  ScenarioEntries& scenario = reading.scenario;
  if (!scenario.pool_file.empty()) {
    fs::path const file = beside(scenario.file, scenario.pool_file);
    auto const text = named_text(reading.document, "pool", scenario.pool_file, file);
    if (text) reading.pool = read_pool_file(file, *text, reading.overrides.pool);
    if (text) scenario.sha256 = sha256(scenario.sha256 + sha256(*text));
    if (text) scenario.pool = reading.pool->pool;
    bool const sound = text && !reading.pool->document.has_problems();
    if (std::string const& platform = scenario.pool.platform; sound && !platform.empty()) {
      if (auto const grid =
              named_text(reading.document, "pool", platform, beside(file, platform))) {
        scenario.sha256 = sha256(scenario.sha256 + sha256(*grid));
      }
    }
    scenario.pool_path = file;
  }
  if (scenario.calibration_file.empty()) return;
  fs::path const file = beside(scenario.file, scenario.calibration_file);
  auto const text = named_text(reading.document, "calibration", scenario.calibration_file, file);
  if (!text) return;
  try {
    scenario.calibration = read_calibration_text(file, *text, reading.overrides.calibration);
    reading.calibrated = true;
  } catch (InputError const& error) {
    reading.of_calibration = error.problems();
  }
}

void check_baseline(YamlDocument& document, Scenario& scenario) {
  auto const known = names_of(scenario.strategies);
  if (known.empty()) return;
  if (scenario.baseline.empty()) scenario.baseline = known.front();
  for (auto const& [key, name] : {std::pair("baseline", &scenario.baseline),
                                  std::pair("record_strategy", &scenario.record_strategy)}) {
    if (name->empty() || is_one_of(*name, known)) continue;
    document.add(
        no_such_strategy(document.at(key), fmt::format("{}: ", key), *name, scenario.strategies));
  }
}

/// Processes that the study leaves out. A record's jobs contain them, so jobs are not the record's.
void leave_out_processes(YamlDocument& document, Scenario& scenario) {
  std::vector<std::string> unknown;
  auto const off = processes_named(scenario.study.without, unknown);
  auto const known = names_of(process_switches());
  for (std::string const& name : unknown) {
    document.add(document.at("study.without"),
                 fmt::format("study.without: there is no process '{}'", name), "",
                 suggestion(name, known));
  }
  bool const of_processes = std::ranges::any_of(
      off, [](auto const* each) { return each->of == ProcessSwitch::Of::draws; });
  if (!of_processes) return;
  scenario.campaign.work.from = JobSource::processes;
  switch_off(off, scenario.calibration);
}

/// The jobs that the campaign repeats, at the key that selects them.
void read_recorded(YamlDocument& document, Scenario& scenario) {
  if (scenario.campaign.work.from != JobSource::record) return;
  try {
    read_recorded_campaign(scenario.calibration, scenario.campaign.work.programs);
  } catch (InputError const& error) {
    Problem problem = error.problems().front();
    document.add(document.at("campaign.work.from"),
                 fmt::format("campaign.work.from: {}", problem.what), problem.why, problem.hint);
  }
}

/// A user's priority factor is the same for all that the user submits.
void check_users(YamlDocument& document, Campaign const& campaign) {
  std::map<std::string, double> factors;
  for (std::size_t i = 0; i < campaign.submit.size(); ++i) {
    Submission const& each = campaign.submit[i];
    auto const [known, is_new] = factors.emplace(each.user, each.priority_factor);
    if (is_new || known->second == each.priority_factor) continue;
    document.complain(fmt::format("campaign.submit[{}].priority_factor", i),
                      fmt::format("{} here and {} above", each.priority_factor, known->second),
                      fmt::format("a user has one factor, also '{}'", each.user));
  }
}

/// Submissions that wait for others.
void check_nodes(YamlDocument& document, Campaign const& campaign) {
  for (NodeProblem const& problem : problems_of_nodes(campaign)) {
    document.complain("campaign." + problem.path, problem.what, problem.why, problem.hint);
  }
}

/// A site that is `like` another: only parameters that a record knows can be borrowed, and only for
/// those that it does not know.
void check_like(PoolFile& pool, std::size_t index, Calibration const& calibration) {
  SiteSpec const& site = pool.pool.sites[index];
  std::string const path = fmt::format("sites[{}].like", index);
  auto const& known = calibration.sites;
  if (site.of_platform) return;
  if (is_one_of(site.name, known)) {
    return pool.document.complain(
        path, "has no effect", fmt::format("{} knows site '{}'", calibration.file, site.name),
        "Remove it, or give the site another name ('resource' can keep this one).");
  }
  if (site.like == like_any || is_one_of(site.like, known)) return;
  bool const of_pool = is_one_of(site.like, names_of(pool.pool.sites));
  pool.document.complain(
      path, fmt::format("site '{}' is not calibrated", site.like),
      fmt::format("{} knows {}", calibration.file, fmt::join(known, ", ")),
      of_pool ? fmt::format("Name one of these: '{}' is a new site itself.", site.like)
      : closest(site.like, known).empty()
          ? "Write 'like: SITE', or 'like: any', or state its parameters in the scenario."
          : suggestion(site.like, known));
}

/// The jobs that fetch a file, and its stated size.
struct Fetched {
  Bytes size;
  bool by_all = false;
  std::set<int> by_jobs = {};
};

/// Files that nobody fetches, that a job fetches twice, or that are of two sizes. (The access
/// point's own files have names that mean another file in each job's folder.)
void check_input(YamlDocument& document, Campaign const& campaign) {
  std::map<std::string, Fetched> files;
  int const jobs = campaign.jobs();
  for (std::size_t i = 0; i < campaign.input.size(); ++i) {
    InputFile const& file = campaign.input[i];
    std::string const path = fmt::format("campaign.input[{}]", i);
    if (file.url.empty()) continue;
    if (file.job && *file.job >= jobs && jobs > 0) {
      document.complain(path + ".job", fmt::format("there is no job {}", *file.job),
                        fmt::format("the campaign has {}, counted from 0", jobs));
    }
    auto const [known, is_first] = files.try_emplace(file.url, Fetched{file.size});
    Fetched& fetched = known->second;
    bool const is_url = file.url.find("://") != std::string::npos;
    bool const sizes_known = file.size > Bytes() && fetched.size > Bytes();
    bool const by_all = fetched.by_all || (!file.job && !is_first);
    if (is_url && sizes_known && file.size != fetched.size) {
      document.complain(
          path + ".size",
          fmt::format("{} here and {} above", to_text(file.size), to_text(fetched.size)),
          fmt::format("'{}' is one file", file.url));
    } else if (by_all || (file.job && fetched.by_jobs.contains(*file.job))) {
      document.complain(path + ".url", fmt::format("'{}' is there twice", file.url),
                        "a job fetches a file once", "Remove one.");
    }
    if (file.job) {
      fetched.by_jobs.insert(*file.job);
    } else {
      fetched.by_all = true;
    }
  }
}

/// Sites of the pool, at their names in its file, that the calibration does not contain and that do
/// not have the needed parameters from elsewhere.
void check_sites(PoolFile& pool, YamlDocument& document, ScenarioEntries const& scenario) {
  Calibration const& calibration = scenario.calibration;
  auto const& known = calibration.sites;
  std::string_view const needed = needed_at_a_site(scenario.stated, calibration);
  for (std::size_t i = 0; i < pool.pool.sites.size(); ++i) {
    SiteSpec const& site = pool.pool.sites[i];
    if (site.name.empty()) continue;
    if (!site.like.empty()) {
      check_like(pool, i, calibration);
    } else if (is_one_of(site.name, known)) {
      continue;
    } else if (StatedSite const* const stated = stated_site(scenario.stated, site.name)) {
      if (has_column(stated->values, needed)) continue;
      document.complain("parameters.sites." + site.name, fmt::format("key '{}' is missing", needed),
                        fmt::format("{} does not know the site", calibration.file),
                        "State it too, or write 'like: SITE' or 'like: any' at the pool's site.");
    } else {
      pool.document.complain(
          fmt::format("sites[{}].name", i), fmt::format("site '{}' is not calibrated", site.name),
          fmt::format("{} knows {}", calibration.file, fmt::join(known, ", ")),
          closest(site.name, known).empty()
              ? fmt::format("Write 'like: SITE', or 'like: any', or state its parameters in the "
                            "scenario, '{}' at least.",
                            needed)
              : suggestion(site.name, known));
    }
  }
}

void check_in_pool(Reading& reading) {
  if (!reading.pool || reading.pool->document.has_problems()) return;
  YamlDocument& document = reading.document;
  ScenarioEntries& scenario = reading.scenario;
  std::ranges::copy(reading.pool->notes, std::back_inserter(scenario.notes));
  check_stated(document, scenario);
  if (reading.calibrated) {
    check_counts_set(document, reading.overrides, scenario);
    auto notes = keys_without_effect(document, reading.pool->document, reading.overrides, scenario);
    std::move(notes.begin(), notes.end(), std::back_inserter(scenario.notes));
  }
  check_requests(document, scenario);
  check_submissions(document, scenario);
  check_catalogue_hardware(reading.pool->document, scenario);
}

/// The processes that are simulated, and the recorded jobs that are repeated.
void read_record(YamlDocument& document, Scenario& scenario) {
  leave_out_processes(document, scenario);
  read_recorded(document, scenario);
  check_avoided_hosts(document, scenario);
}

Reading read_all(fs::path const& file, std::vector<Override> const& overrides) {
  std::string const text = read_text_file(file);
  Reading reading{YamlDocument(file, text), {}, {}, false, {}, by_file(overrides)};
  YamlDocument& document = reading.document;
  // A new strategy by a slip of the pen would go unnoticed.
  apply_overrides(reading.overrides.scenario, document, {"strategies"});
  ScenarioEntries& scenario = reading.scenario;
  scenario.file = file;
  scenario.sha256 = sha256(text);
  if (!check_schema(document, scenario_schema_name)) return reading;
  scenario_table().read({document, document.root(), ""}, scenario);
  scenario.work_at = document.at("campaign.work");
  read_named_files(reading);
  apply_software(document, scenario.strategies, scenario.pool.software);
  check_strategies(document, scenario.strategies);
  scenario.notes = undefined_names(document, scenario.strategies);
  check_baseline(document, scenario);
  check_users(document, scenario.campaign);
  check_prices(document, scenario.prices, scenario.pool, scenario.notes);
  check_nodes(document, scenario.campaign);
  check_sizes_of_jobs(document, scenario.campaign, scenario.pool);
  check_input(document, scenario.campaign);
  if (reading.calibrated) read_record(document, scenario);
  if (!document.has_problems()) {
    keep_record_strategy(text, reading.overrides.scenario, scenario);
    note_settings_without_effect(document, scenario);
  }
  if (reading.calibrated && reading.pool) check_sites(*reading.pool, document, scenario);
  if (reading.calibrated) {
    apply_stated(scenario.stated, scenario.pool,
                 changed_gpu_speeds(scenario.pool, scenario.calibration), scenario.calibration);
  }
  if (reading.calibrated) choose_slots(scenario, reading.overrides);
  if (reading.calibrated) read_catalogue_work(document, scenario);
  auto const idle = keys_without_effect(document, scenario);
  scenario.notes.insert(scenario.notes.end(), idle.begin(), idle.end());
  check_in_pool(reading);
  return reading;
}

/// Groups that one is likely to change in lines, and of many submissions one a line.
YamlShape shape_of(std::string_view path, std::size_t submissions) {
  constexpr std::size_t few_submissions = 4;  // in a line
  if (path == "campaign.submit" && submissions > few_submissions) return YamlShape::folded;
  bool const lines =
      path == "campaign" || path == "campaign.input" || path.starts_with("strategies");
  return lines ? YamlShape::lines : YamlShape::line;
}

}  // namespace

Table<StatedParameters> const& stated_parameters_table() {
  static Table<StatedParameters> const table = [] {
    Table<StatedParameters> keys(
        "Parameters that the owner states, in every draw; without them the calibration's");
    add_columns(keys, draw_columns());
    keys.named("sites", &StatedParameters::sites, stated_site_table(), false);
    return keys;
  }();
  return table;
}

void apply_stated(StatedParameters const& stated, Pool const& pool, GpuSpeeds const& gpus,
                  Calibration& calibration) {
  std::vector<std::string> const known = calibration.sites;
  auto const is_new = [&](SiteSpec const& site) { return !is_one_of(site.name, known); };
  bool const chooses = std::ranges::any_of(
      pool.sites, [&](auto const& site) { return is_new(site) && site.like == like_any; });
  if (chooses && known.size() > 1) repeat_rows(calibration);
  for (SiteSpec const& site : pool.sites) {
    bool const like_known = site.like == like_any || is_one_of(site.like, known);
    if (!is_new(site) || !(like_known || stated_site(stated, site.name))) continue;
    if (like_known) borrow(site, known, gpus, calibration);
    calibration.sites.push_back(site.name);
  }
  for (ParameterDraw& draw : calibration.draws) {
    for (std::string const& site : known) draw.sites[site].gpu_speed = gpus.ratio(site, site);
    for (auto const& [column, value] : stated.values) set_stated(*column, value, draw);
    for (StatedSite const& site : stated.sites) {
      for (auto const& [column, value] : site.values) column->set(draw.sites[site.name], value);
    }
  }
}

Table<ScenarioEntries> const& scenario_table() {
  static Table<ScenarioEntries> const table =
      Table<ScenarioEntries>("A scenario: a campaign, where it runs, and the strategies to compare")
          .schema(scenario_schema_name)
          .required("title", &Scenario::title, "The campaign, in a line")
          .optional("question", &Scenario::question, "The question to answer")
          .add({"pool", Form::file, "The pool's file, from this file's folder", true},
               &ScenarioEntries::pool_file)
          .add({"calibration", Form::file, "The calibration's file, from this file's folder", true},
               &ScenarioEntries::calibration_file)
          .group("parameters", false, &ScenarioEntries::stated, stated_parameters_table())
          .group("hardware", false, &ScenarioEntries::hardware, hardware_table())
          .group("campaign", true, &Scenario::campaign, campaign_table())
          .named("strategies", &Scenario::strategies, strategy_table())
          .optional("baseline", &Scenario::baseline,
                    "The strategy that the others are held against; without it the first")
          .optional("record_strategy", &Scenario::record_strategy,
                    "The strategy under which the calibration's recorded jobs ran; without it the "
                    "baseline")
          .group("study", false, &Scenario::study, study_table())
          .group("prices", false, &Scenario::prices, prices_table())
          .add(lesson_key(), read_and_forget_lesson<ScenarioEntries>);
  return table;
}

void complain_of_no_effect(YamlDocument& document, std::string const& key, std::string why) {
  if (!document.has(key)) return;
  document.complain(key, "this would have no effect", std::move(why));
}

Scenario read_scenario(std::filesystem::path const& file,
                       std::vector<std::string> const& overrides) {
  Reading reading = read_all(file, parse_overrides(overrides));
  std::vector<Problem> problems = reading.document.problems();
  if (reading.pool) {
    auto const of_pool = reading.pool->document.problems();
    problems.insert(problems.end(), of_pool.begin(), of_pool.end());
  }
  problems.insert(problems.end(), reading.of_calibration.begin(), reading.of_calibration.end());
  if (!problems.empty()) throw InputError(std::move(problems));
  ScenarioEntries& scenario = reading.scenario;
  scenario.overrides = overrides;
  for (std::string const& set : overrides) scenario.sha256 = sha256(scenario.sha256 + set);
  return std::move(scenario);
}

std::vector<fs::path> files_of(Scenario const& scenario) {
  std::vector<fs::path> files = {scenario.file, scenario.pool_path, scenario.calibration.file};
  std::string const& platform = scenario.pool.platform;
  if (!platform.empty()) files.push_back(scenario.pool_path.parent_path() / platform);
  if (scenario.calibration.recorded) files.push_back(recorded_jobs_of(scenario.calibration));
  auto const add_profile = [&](std::string const& name) {
    if (is_profile_file(name)) files.push_back(beside(scenario.file, name));
  };
  add_profile(scenario.campaign.work.profile);
  for (Strategy const& strategy : scenario.strategies) add_profile(strategy.training.profile);
  return files;
}

std::string arguments_of(Scenario const& scenario) {
  std::string text = scenario.file.string();
  for (std::string const& set : scenario.overrides) text += " --set " + quoted_for_shell(set);
  return text;
}

Strategy const& Scenario::strategy(std::string const& wanted) const {
  auto const found = std::ranges::find(strategies, wanted, &Strategy::name);
  if (found != strategies.end()) return *found;
  throw InputError(no_such_strategy({file.string()}, "", wanted, strategies));
}

Strategy const& Scenario::recorded_strategy() const {
  return recorded ? *recorded : strategy(baseline);
}

std::string scenario_yaml(ScenarioText const& text) {
  ScenarioEntries scenario;
  scenario.title = text.title;
  scenario.pool_file = text.pool;
  scenario.calibration_file = text.calibration;
  scenario.campaign = text.campaign;
  scenario.strategies = {text.strategy};
  scenario.baseline = text.strategy.name;
  if (text.recorded) {
    scenario.strategies.push_back(*text.recorded);
    scenario.record_strategy = text.recorded->name;
  }
  scenario.study.replicas = text.replicas;
  YamlLayout layout;
  layout.shape = [&](std::string_view path) { return shape_of(path, text.campaign.submit.size()); };
  layout.kept =
      among({"campaign.submit.at", "campaign.work.epochs", "study.replicas", "study.seed"});
  layout.as = {{"baseline", plain_name(text.strategy.name)}};
  layout.above = {{"campaign", {""}},
                  {"strategies", {""}},
                  {"strategies." + text.strategy.name,
                   {text.strategy_note + ". Copy its keys into others to compare."}},
                  {"baseline", {""}}};
  std::string file;
  for (std::string const& comment : text.comments) file += yaml_comment(comment) + "\n";
  return file + scenario_table().text(scenario, layout);
}

}  // namespace gridcast::scenario

#include "sim/serve/question.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/json_text.hpp"
#include "sim/base/text.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/report/data/result.hpp"
#include "sim/report/data/result_json.hpp"
#include "sim/report/text/choice_text.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/scenario/controls.hpp"
#include "sim/scenario/lesson.hpp"
#include "sim/serve/entrance.hpp"
#include "sim/study/choice.hpp"
#include "sim/study/sample.hpp"

namespace gridcast::serve {
namespace {

Json time_json(double seconds) {
  return std::isinf(seconds) ? Json("never") : json_number(seconds);
}

Json quantiles_json(study::Summary const& sum) {
  return {{"p05", time_json(sum.p05)},
          {"p25", time_json(sum.p25)},
          {"p50", time_json(sum.p50)},
          {"p75", time_json(sum.p75)},
          {"p95", time_json(sum.p95)}};
}

/// The figures that an answer shows, and their values by replica.
void add_figures(Json& json, study::StudySample const& sample, std::size_t wanted,
                 ledger::ShownIn asked) {
  Json figures = Json::object(), lists = Json::object();
  for (ledger::Metric const* metric : ledger::metrics_shown(asked)) {
    std::string const key(metric->name);
    bool const makespan = key == "makespan_s";
    auto const values =
        makespan ? study::makespans(sample, wanted) : study::column(sample, metric->name);
    figures[key] =
        quantiles_json(makespan ? study::summarise_times(values) : summarise(sample, metric->name));
    Json& list = lists[key] = Json::array();
    for (double const value : values) list.push_back(time_json(value));
  }
  json["numbers"] = sample.replicas;
  json["figures"] = std::move(figures);
  json["values"] = std::move(lists);
}

/// ", and 303 (290..310) USD" behind an outcome; empty without prices.
std::string money_words(report::Result const& result) {
  if (result.currency.empty()) return "";
  return fmt::format(", and {} {}", report::money_cell(result.money), result.currency);
}

Json strategy_json(report::Result const& result, std::size_t index) {
  auto const& strategy = result.strategies[index];
  auto const& choice = *result.choice;
  auto const& rated = choice.strategies[index];
  auto const words = report::time_words(choice);
  Json json = {{"name", strategy.name},
               {"about", report::about_sentence(strategy)},
               {"stopped", strategy.stopped},
               {"best", choice.state != study::ChoiceState::no_success && index == choice.best},
               {"best_in_draws", json_number(rated.best_in_draws)},
               {"jobs", report::jobs_cell(rated.finished)},
               {"time", report::time_cell(rated.makespan, words)},
               {"gpu_hours", report::hours_cell(rated.gpu_hours)}};
  if (!choice.currency.empty()) json["money"] = report::money_cell(rated.money);
  if (auto const deadline = report::asked_deadline(result))
    json["met"] = report::chance_text(report::met_by(result, strategy, *deadline));
  add_figures(json, strategy.sample, choice.wanted, ledger::ShownIn::differences);
  return json;
}

namespace fs = std::filesystem;

constexpr std::size_t longest_value = 500;
constexpr std::size_t most_overrides = 200;
constexpr std::size_t most_listed = 200;
constexpr int deepest = 3;

Problem problem(std::string what) { return {{"question"}, std::move(what), "", ""}; }

/// True if the file declares a scenario that is no lesson: a lesson's file contains its answer.
bool is_scenario(fs::path const& file) {
  if (file.extension() != ".yaml" && file.extension() != ".yml") return false;
  constexpr std::size_t declaration = 4096, most = 1 << 18;
  std::ifstream in(file);
  std::string text(most, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  return text.find("gridcast.scenario/1") < declaration &&
         text.find("\nlesson:") == std::string::npos;
}

/// One line that no terminal takes for orders.
bool is_plain(std::string_view text) {
  return std::ranges::none_of(
      text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; });
}

scenario::Strategy const& strategy_named(scenario::Scenario const& scenario,
                                         std::string const& name) {
  return scenario.strategy(name.empty() ? scenario.baseline : name);
}

std::string text_at(Json const& json, char const* key) {
  auto const found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

std::uint64_t whole_at(Json const& json, char const* key, std::uint64_t most,
                       std::vector<Problem>& problems) {
  auto const found = json.find(key);
  if (found == json.end() || found->is_null()) return 0;
  bool const whole = found->is_number_integer() && found->get<std::int64_t>() >= 0;
  if (whole && found->get<std::uint64_t>() <= most) return found->get<std::uint64_t>();
  problems.push_back(problem(fmt::format("{}: it has to be a whole number up to {}", key, most)));
  return 0;
}

std::vector<std::string> overrides_at(Json const& json, std::set<std::string> const& offered,
                                      std::vector<Problem>& problems) {
  std::vector<std::string> overrides;
  auto const found = json.find("set");
  if (found == json.end()) return overrides;
  if (!found->is_array() || found->size() > most_overrides) {
    problems.push_back(problem("set: it has to be a list of paths with values"));
    return overrides;
  }
  for (auto const& entry : *found) {
    std::string const path = entry.is_object() ? text_at(entry, "path") : "";
    std::string const value = entry.is_object() ? text_at(entry, "value") : "";
    if (!offered.contains(path)) {
      add_problem(problems, {"question"}, fmt::format("no control of the page changes '{}'", path),
                  "", "Give it to gridcast forecast or compare, with --set.");
    } else if (value.empty() || value.size() > longest_value || !is_plain(value)) {
      problems.push_back(problem(fmt::format("{}: its value is none", path)));
    } else {
      overrides.push_back(path + "=" + value);
    }
  }
  return overrides;
}

char const* form_name(scenario::Form form) {
  // In the order of Form; controls have none of the forms behind these.
  constexpr char const* names[] = {"text", "word", "truth",      "integer", "number",    "time",
                                   "size", "rate", "time range", "range",   "expression"};
  return names[static_cast<std::size_t>(form)];
}

char const* source_name(scenario::ValueSource source) {
  constexpr char const* names[] = {"scenario", "software", "default"};  // in its order
  return names[static_cast<std::size_t>(source)];
}

Json control_json(scenario::Control const& control) {
  auto const& bounds = control.key.bounds;
  Json json = {{"path", control.path},
               {"group", control.group},
               {"label", control.label},
               {"form", form_name(control.key.form)},
               {"help", control.key.help},
               {"value", control.value},
               {"source", source_name(control.source)},
               {"default", control.key.fallback},
               {"first", control.place == scenario::Place::first},
               {"no_effect", control.no_effect},
               {"least", json_number(bounds.least)},
               {"most", json_number(bounds.most)},
               {"above", bounds.above}};
  if (!control.key.words.empty()) json["words"] = control.key.words;
  if (control.sampled) json["sampled"] = {control.sampled->low, control.sampled->high};
  return json;
}

/// The makespan of an answer (question.hpp).
constexpr std::string_view time_to_wanted = "time until the wanted jobs have succeeded";
constexpr char cost_figure[] = "cost";

/// `currency`: empty without prices.
Json figures_json(std::string const& currency) {
  Json list = Json::array();
  auto const compared = ledger::metrics_shown(ledger::ShownIn::differences);
  for (ledger::Metric const* metric : ledger::metrics_shown(ledger::ShownIn::question)) {
    char const* better = metric->better == ledger::Better::more   ? "more"
                         : metric->better == ledger::Better::less ? "less"
                                                                  : "neither";
    bool const time = metric->name.ends_with("_s"), share = metric->unit == ledger::Unit::percent;
    list.push_back({{"name", metric->name},
                    {"label", metric->name == "makespan_s" ? time_to_wanted : metric->label},
                    {"unit", time    ? "s"
                             : share ? "share"
                                     : ""},
                    {"better", better},
                    {"compared", std::ranges::count(compared, metric) > 0},
                    {"definition", metric->definition}});
  }
  if (currency.empty()) return list;
  list.push_back({{"name", cost_figure},
                  {"label", fmt::format("cost ({})", currency)},
                  {"unit", ""},
                  {"better", "less"},
                  {"compared", false},
                  {"definition", "Money for the campaign, at the prices of the scenario"}});
  return list;
}

Json sites_json(scenario::Scenario const& scenario) {
  Json list = Json::array();
  for (auto const& site : scenario.pool.sites) {
    list.push_back({{"name", site.name},
                    {"resource", scenario::resource_name(site)},
                    {"gpu", site.gpu},
                    {"no_match", scenario::why_no_match(site, scenario.campaign)}});
  }
  return list;
}

Json controls_json(scenario::Scenario const& scenario, scenario::Strategy const& strategy) {
  Json strategies = Json::array(), controls = Json::array(), abouts = Json::object();
  for (auto const& each : scenario.strategies) {
    strategies.push_back(each.name);
    abouts[each.name] = each.description.about;
  }
  for (auto const& control : scenario::controls_of(scenario, strategy)) {
    controls.push_back(control_json(control));
  }
  auto const currency = scenario.prices.any() ? scenario.prices.currency : std::string();
  return {{"schema", "gridcast.controls/1"},
          {"scenario", scenario.file.string()},
          {"title", scenario.title},
          {"question", scenario.question},
          {"jobs", scenario.campaign.jobs()},
          {"strategy", strategy.name},
          {"baseline", scenario.baseline},
          {"strategies", std::move(strategies)},
          {"abouts", std::move(abouts)},
          {"goal", scenario::to_text(scenario.study.preferences.goal)},
          {"wanted", scenario.study.preferences.wanted},
          {"currency", currency},
          {"replicas", scenario.study.replicas},
          {"seed", scenario.study.seed},
          {"figures", figures_json(currency)},
          {"sites", sites_json(scenario)},
          {"controls", std::move(controls)}};
}

constexpr std::size_t longest_word = 200;

[[noreturn]] void refuse_question(std::string what) { refuse({"question"}, std::move(what)); }

/// A misspelt key would ask another question than the one that was meant.
void refuse_other_keys(Json const& json, std::vector<std::string> const& known) {
  if (!json.is_object()) refuse_question("it has to be a JSON object");
  for (auto const& [key, value] : json.items()) {
    if (is_one_of(key, known)) continue;
    refuse({"question"}, fmt::format("no key is '{}'", key), "", suggestion(key, known));
  }
}

/// Short texts that no shell, terminal or file system could take for something else.
std::string short_text_at(Json const& json, char const* key) {
  auto const found = json.find(key);
  if (found == json.end()) return "";
  bool const good =
      found->is_string() && found->get_ref<std::string const&>().size() <= longest_word;
  if (!good) refuse_question(fmt::format("{}: it has to be a short text", key));
  auto text = found->get<std::string>();
  if (!is_plain(text)) refuse_question(fmt::format("{}: it has to be one line", key));
  return text;
}

/// The settings of a lesson: the keys that it names, and the controls of its scenario.
std::set<std::string> turned_in_lesson(Shelf const& shelf, std::uint64_t number,
                                       std::string const& strategy) {
  std::set<std::string> offered;
  for (scenario::Lesson const& lesson : scenario::read_lessons(shelf.lessons)) {
    if (static_cast<std::uint64_t>(lesson.number) != number) continue;
    for (scenario::LessonKnob const& knob : scenario::knobs_of(lesson)) {
      if (!knob.path.ends_with(".profile")) offered.insert(knob.path);
    }
    if (lesson.is_profile) continue;
    scenario::Scenario const scenario = scenario::read_scenario(lesson.file);
    for (auto const& control :
         scenario::controls_of(scenario, strategy_named(scenario, strategy))) {
      offered.insert(control.path);
    }
  }
  return offered;
}

void add_overrides(Json const& list, std::set<std::string> const& offered,
                   std::vector<std::string>& words) {
  if (!list.is_array() || list.size() > 50) refuse_question("set: it has to be a list");
  for (auto const& entry : list) {
    if (!entry.is_object()) refuse_question("set: it has to be a list of paths with values");
    std::string const path = short_text_at(entry, "path"), value = short_text_at(entry, "value");
    if (!offered.contains(path))
      refuse_question(fmt::format("'{}' is no setting of a lesson", path));
    std::string_view const inner = trim(value);
    bool const is_group = inner.starts_with('{') || inner.starts_with('[');
    if (inner.empty() || is_group) refuse_question(fmt::format("{}: its value is none", path));
    words.push_back("--set=" + path + "=" + value);
  }
}

}  // namespace

Json question_json(std::string const& text) {
  auto json = parse_json<Json>(text, {"question"});
  // Other programs' records may have NaN, but a question with it asks for nothing that exists.
  if (has_no_number(text)) refuse_question("NaN and Infinity are no numbers of JSON");
  if (!json.is_object()) refuse_question("it has to be a JSON object");
  return json;
}

Json answer_json(study::Prediction const& prediction, scenario::Scenario const& scenario,
                 AnswerPart part) {
  auto const& sample = prediction.sample;
  auto result = report::result_of(prediction);
  report::answer_owner(result, prediction, scenario);
  auto const outcome = report::outcome_of(result, result.strategies.front());
  auto const words = report::time_words(outcome);
  std::size_t const wanted = study::wanted_jobs(sample, prediction.preferences.wanted);
  Json json = {{"schema", "gridcast.answer/1"},
               {"replicas", sample.size()},
               {"requested", prediction.requested},
               {"failed", prediction.failed.size()},
               {"last", part == AnswerPart::last},
               {"partial", prediction.interrupted},
               {"jobs", prediction.jobs},
               {"wanted", wanted},
               {"sentence", report::to_text(outcome, words) + money_words(result)},
               {"short", report::median_text(outcome, words)}};
  add_figures(json, sample, wanted, ledger::ShownIn::question);
  if (!result.currency.empty()) {
    auto const& [low, middle, high] = result.money;
    json["figures"][cost_figure] = {
        {"p05", json_number(low)}, {"p50", json_number(middle)}, {"p95", json_number(high)}};
  }
  if (result.deadline) {
    json["deadline"] = report::deadline_sentence(result);
    json["deadline_s"] = result.deadline->value();
  }
  if (part == AnswerPart::last) json["result"] = json_text(report::result_json(result));
  return json;
}

Json strategies_json(study::Comparison const& comparison, AnswerPart part) {
  auto const result = report::result_of(comparison);
  Json json = {{"schema", "gridcast.strategies/1"},
               {"replicas", result.replicas},
               {"requested", comparison.requested},
               {"last", part == AnswerPart::last},
               {"partial", comparison.interrupted},
               {"goal", scenario::to_text(comparison.preferences.goal)},
               {"baseline", comparison.strategies[comparison.baseline]},
               {"strategies", Json::array()}};
  if (!result.choice) return json;
  auto const& choice = *result.choice;
  json["wanted"] = choice.wanted;
  json["time_unit"] = report::time_words(choice).unit();
  json["verdict"] = report::choice_sentence(result);
  json["about"] = report::about_sentence(result.strategies[choice.best]);
  json["currency"] = choice.currency;
  if (auto const deadline = report::asked_deadline(result)) {
    json["deadline"] = report::deadline_sentence(result);
    json["by"] = to_text(*deadline);
  }
  json["trade_off"] = report::trade_off_sentence(result);
  json["evidence"] = report::evidence_sentence(result);
  for (std::size_t const index : study::ranking(choice)) {
    json["strategies"].push_back(strategy_json(result, index));
  }
  return json;
}

std::string Shelf::scenario(std::string const& name) const {
  if (work && work->name == name) return work->scenario.string();
  for (auto const& file : opened) {
    if (file.string() == name) return name;
  }
  for (auto const& place : {folder, lessons}) {
    if (place.empty() || !file_inside(place, name)) continue;
    return place == folder ? name : (place / name).string();
  }
  refuse({name}, "there is no such scenario here",
         "only those in the folder that gridcast open was started in are opened",
         "Start gridcast open in the folder of the scenario.");
}

std::vector<std::string> Shelf::scenarios() const {
  std::vector<std::string> names;
  std::error_code error;
  auto entry = fs::recursive_directory_iterator(
      folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    auto const name = entry->path().filename().string();
    bool const goes_down = entry.depth() < deepest && !name.starts_with('.') && name != "build";
    if (!goes_down) entry.disable_recursion_pending();
    std::error_code ignored;
    if (!entry->is_regular_file(ignored) || !is_scenario(entry->path())) continue;
    names.push_back(fs::relative(entry->path(), folder, ignored).string());
    if (names.size() == most_listed) break;
  }
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> Question::settings() const {
  std::vector<std::string> words = {"--strategy=" + strategy};
  for (std::string const& set : overrides) words.push_back("--set=" + set);
  return words;
}

Question read_question(Json const& json, Shelf const& shelf) {
  refuse_other_keys(
      json, {"scenario", "strategy", "set", "replicas", "seed", "compare", "kind", "replica"});
  Question question;
  question.scenario = shelf.scenario(text_at(json, "scenario"));
  bool const is_work = shelf.work && shelf.work->scenario == question.scenario;
  question.work = is_work ? shelf.work->words : std::vector{question.scenario};
  scenario::Scenario const scenario = scenario::read_scenario(question.scenario);
  scenario::Strategy const& strategy = strategy_named(scenario, text_at(json, "strategy"));
  question.strategy = strategy.name;
  std::set<std::string> offered = {"study.goal"};
  for (auto const& control : scenario::controls_of(scenario, strategy)) {
    offered.insert(control.path);
  }
  std::vector<Problem> problems;
  question.overrides = overrides_at(json, offered, problems);
  question.replicas = whole_at(json, "replicas", most_replicas, problems);
  question.seed = whole_at(json, "seed", UINT64_C(1) << 53, problems);
  auto const compares = json.find("compare");
  question.compares = compares != json.end() && *compares == true;
  if (!problems.empty()) throw InputError(std::move(problems));
  return question;
}

std::vector<std::string> stream_command(Question const& question) {
  auto words = question.settings();
  words.insert(words.begin(), {"open", question.scenario});
  words.emplace_back("--stream");
  if (question.compares) words.emplace_back("--compare");
  if (question.replicas > 0) words.push_back(fmt::format("--replicas={}", question.replicas));
  if (question.seed > 0) words.push_back(fmt::format("--seed={}", question.seed));
  return words;
}

Json reasons_answer(Json const& json, Shelf const& shelf) {
  Question const question = read_question(json, shelf);
  auto const scenario = scenario::read_scenario(question.scenario, question.overrides);
  Json reasons = Json::object();
  for (auto const& each : scenario::controls_of(scenario, scenario.strategy(question.strategy))) {
    if (!each.no_effect.empty()) reasons[each.path] = each.no_effect;
  }
  return {{"schema", "gridcast.reasons/1"}, {"no_effect", std::move(reasons)}};
}

std::vector<std::string> page_command(Json const& json, Shelf const& shelf) {
  Question const question = read_question(json, shelf);
  std::vector<Problem> problems;
  std::string const kind = text_at(json, "kind");
  auto const replica =
      whole_at(json, "replica", std::numeric_limits<std::uint32_t>::max(), problems);
  if (kind != "run" && kind != "compare" && kind != "predict") {
    problems.push_back(problem("kind: it is none of run, predict, compare"));
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  auto command = question.settings();
  if (kind == "compare") std::erase(command, "--strategy=" + question.strategy);
  if (kind == "run") {
    command.emplace_back("--once");
    command.push_back(fmt::format("--replica={}", replica));
  } else {
    if (question.replicas > 0) command.push_back(fmt::format("--replicas={}", question.replicas));
    command.push_back("--quiet");
  }
  if (question.seed > 0) command.push_back(fmt::format("--seed={}", question.seed));
  command.insert(command.begin(), question.work.begin(), question.work.end());
  command.insert(command.begin(), kind == "compare" ? kind : "forecast");
  return command;
}

Json controls_answer(Shelf const& shelf, std::string const& name, std::string const& strategy) {
  scenario::Scenario const scenario = scenario::read_scenario(shelf.scenario(name));
  Json json = controls_json(scenario, strategy_named(scenario, strategy));
  if (shelf.work && shelf.work->name == name) {
    json["scenario"] = name;
    json["work"] = shelf.work->words;
    json["assumed"] = shelf.work->assumed;
  }
  return json;
}

std::vector<std::string> running_page_command(Shelf const& shelf) {
  if (shelf.running.empty()) refuse_question("running: no running campaign was opened");
  std::vector<std::string> words = {"ledger"};
  words.insert(words.end(), shelf.running_logs.begin(), shelf.running_logs.end());
  return words;
}

std::vector<std::string> running_command(Json const& json, Shelf const& shelf) {
  constexpr std::size_t most_changes = 10;
  if (shelf.running.empty()) refuse_question("running: no running campaign was opened");
  refuse_other_keys(json, {"do", "changes"});
  auto const changes = json.find("changes");
  bool const is_list = changes != json.end() && changes->is_array();
  if (!is_list || changes->size() > most_changes)
    refuse_question("changes: it has to be a short list");
  std::vector<std::string> words = {"forecast", "--running", "--json"};
  for (auto const& change : *changes) {
    words.push_back("--change=" + short_text_at({{"change", change}}, "change"));
  }
  words.insert(words.end(), shelf.running.begin(), shelf.running.end());
  return words;
}

std::vector<std::string> lesson_command(Json const& json, Shelf const& shelf) {
  refuse_other_keys(json, {"do", "number", "name", "guess", "strategy", "set", "answer"});
  std::string const what = short_text_at(json, "do");
  bool const runs = what == "run" || what == "page";
  if (!runs && what != "check" && what != "solution")
    refuse_question("do: run, page, check or solution");
  auto const number = json.find("number");
  bool const whole = number != json.end() && number->is_number_integer();
  if (!whole || number->get<std::int64_t>() < 0) refuse_question("number: of a lesson");
  std::vector<std::string> words = {"lesson", runs ? "run" : what, "--json"};
  if (auto const name = short_text_at(json, "name"); !name.empty()) {
    words.push_back("--seed-by-name=" + name);
  }
  if (runs) {
    if (auto const guess = short_text_at(json, "guess"); !guess.empty()) {
      words.push_back("--guess=" + guess);
    }
    std::string const strategy = short_text_at(json, "strategy");
    if (!strategy.empty()) words.push_back("--strategy=" + strategy);
    if (auto const set = json.find("set"); set != json.end()) {
      auto const offered = turned_in_lesson(shelf, number->get<std::uint64_t>(), strategy);
      add_overrides(*set, offered, words);
    }
  }
  if (what != "page") words.push_back("--");  // after which a page's own options could not stand
  words.push_back(std::to_string(number->get<std::uint64_t>()));
  if (what == "check") words.push_back(short_text_at(json, "answer"));
  return words;
}

}  // namespace gridcast::serve

#include <algorithm>
#include <cmath>
#include <string>

#include "sim/ledger/metrics.hpp"
#include "sim/report/data/result_json.hpp"
#include "sim/report/text/ledger_text.hpp"
#include "sim/report/text/reason_words.hpp"

namespace gridcast::report {
namespace {

constexpr std::string_view not_ranked = "too_few_succeed", is_ranked = "ranked";
constexpr std::string_view of_all = "all";  // the one state where there are no rivals

Json chance_json(study::Chance const& chance) {
  return {{"share", chance.share}, {"ci95", interval_json(chance.ci95)}, {"replicas", chance.n}};
}

study::Chance chance_in(JsonReader const& json) {
  return {json.number("share"), json.interval("ci95"), json.count("replicas")};
}

std::string const& strategy_name(Result const& result, std::size_t index) {
  return result.strategies[index].name;
}

std::size_t strategy_index(Result const& result, std::string const& name) {
  auto const found = std::find_if(result.strategies.begin(), result.strategies.end(),
                                  [&](auto const& each) { return each.name == name; });
  return found == result.strategies.end()
             ? 0
             : static_cast<std::size_t>(found - result.strategies.begin());
}

Json state_json(Result const& result, study::StateOfTheWorld const& state) {
  Json json = {{"prior", state.prior},
               {"log_bayes_factor", state.log_bayes_factor},
               {"posterior", state.posterior},
               {"replicas", state.replicas},
               {"strategies", Json::object()}};
  for (std::size_t s = 0; s < state.cost.size(); ++s) {
    bool const best = std::find(state.best.begin(), state.best.end(), s) != state.best.end();
    json["strategies"][strategy_name(result, s)] = {
        {ledger::deciding_metric, state.cost[s]},
        {"regret", state.regret[s]},
        {"rank", state.rank[s] == study::Rank::ranked ? is_ranked : not_ranked},
        {"best", best}};
  }
  return json;
}

Json observation_json(Result const& result, study::Observation const& observation) {
  bool const is_run = observation.kind == study::ObservationKind::test_run;
  Json json = {
      {"kind", name(observation.kind)},
      {"strategy", is_run ? Json(strategy_name(result, observation.strategy)) : Json(nullptr)},
      {"jobs", observation.jobs},
      {"saving", observation.saving},
      {"saving_ci95", interval_json(observation.saving_ci95)},
      {"outcomes", Json::array()}};
  for (auto const& outcome : observation.outcomes) {
    json["outcomes"].push_back({{"name", outcome.name},
                                {"probability", outcome.probability},
                                {"choice", strategy_name(result, outcome.choice)}});
  }
  return json;
}

study::StateOfTheWorld state_in(std::string const& name, JsonReader const& json,
                                Result const& result) {
  study::StateOfTheWorld state;
  state.name = name == of_all ? "" : name;
  state.prior = json.number("prior");
  state.log_bayes_factor = json.number("log_bayes_factor");
  state.posterior = json.number("posterior");
  state.replicas = json.count("replicas");
  state.cost.assign(result.strategies.size(), study::not_known);
  state.regret = state.cost;
  state.rank.assign(result.strategies.size(), study::Rank::ranked);
  json.each("strategies", [&](std::string const& strategy, JsonReader const& each) {
    std::size_t const s = strategy_index(result, strategy);
    state.cost[s] = each.number(ledger::deciding_metric);
    state.regret[s] = each.number("regret");
    if (each.text("rank") == not_ranked) state.rank[s] = study::Rank::too_few_succeed;
    if (each.flag("best")) state.best.push_back(s);
  });
  return state;
}

study::Observation observation_in(JsonReader const& json, Result const& result) {
  using enum study::ObservationKind;
  study::Observation observation;
  auto const kind = json.text("kind");
  for (auto const each : {everything, starter_log, htcondor_version, test_run}) {
    if (kind == name(each)) observation.kind = each;
  }
  observation.strategy = strategy_index(result, json.text("strategy"));
  observation.jobs = json.count("jobs");
  observation.saving = json.number("saving");
  observation.saving_ci95 = json.interval("saving_ci95");
  json.each("outcomes", [&](std::string const&, JsonReader const& each) {
    observation.outcomes.push_back({each.text("name"), each.number("probability"),
                                    strategy_index(result, each.text("choice"))});
  });
  return observation;
}

}  // namespace

Json difference_json(study::PairedDifference const& difference) {
  return {{"mean_difference", difference.mean},
          {"ci95", interval_json(difference.ci95)},
          {"variance_ratio", difference.variance_ratio},
          {"replicas", difference.n},
          {"p05", difference.p05},
          {"p95", difference.p95},
          {"better", chance_json(difference.better)}};
}

study::PairedDifference difference_in(JsonReader const& json) {
  study::PairedDifference difference;
  difference.mean = json.number("mean_difference");
  difference.ci95 = json.interval("ci95");
  difference.variance_ratio = json.number("variance_ratio");
  difference.n = json.count("replicas");
  difference.p05 = json.number("p05");
  difference.p95 = json.number("p95");
  if (auto const better = json.object("better")) difference.better = chance_in(*better);
  return difference;
}

constexpr scenario::Untold all_untold[] = {scenario::Untold::transfers, scenario::Untold::http,
                                           scenario::Untold::access_point};

/// What a record that has nothing of the kind would have told.
std::string_view untold_words(scenario::Untold untold) {
  constexpr std::string_view words[] = {"", "input transfers",
                                        "input that came from the origin by HTTP",
                                        "input that the access point itself sent"};
  return words[static_cast<std::size_t>(untold)];
}

void put_standing(Json& json, ResultStrategy const& strategy) {
  for (auto const& [figure, interval] : strategy.probability_best_ci95) {
    json["probability_best_ci95"][figure] = interval_json(interval);
  }
  for (auto const& [figure, of] : strategy.pooled) {
    json["pooled"][figure] = {{"ratio", of.ratio}, {"ci95", interval_json(of.ci95)}};
  }
  if (strategy.enough_succeed.n > 0) {
    bool const ranked = strategy.rank == study::Rank::ranked;
    json["rank"] = {{"is", ranked ? is_ranked : not_ranked},
                    {"why", strategy.why_not_ranked},
                    {"enough_succeed", chance_json(strategy.enough_succeed)}};
  }
  if (strategy.never_ran.n > 0) {
    json["never_ran"] = chance_json(strategy.never_ran);
    json["never_ran"]["why"] = strategy.why_never_ran;
  }
  if (strategy.beyond_record != scenario::Untold::nothing) {
    json["beyond_record"] = untold_words(strategy.beyond_record);
  }
  ResultEnds const& ends = strategy.ends;
  if (ends.at_horizon + ends.queue_limit > 0) {
    json["ends"] = {{"horizon_s", ends.horizon.value()},
                    {"at_horizon", ends.at_horizon},
                    {"queue_limit", ends.queue_limit}};
  }
  for (auto const& [figure, parts] : strategy.spread) {
    json["spread"][figure] = {{"variance_of_ignorance", parts.ignorance},
                              {"variance_of_luck", parts.luck}};
  }
}

void read_standing(JsonReader const& json, ResultStrategy& strategy) {
  if (auto const all = json.object("probability_best_ci95")) {
    for (auto const& [figure, share] : strategy.probability_best) {
      if (all->has(figure)) strategy.probability_best_ci95[figure] = all->interval(figure);
    }
  }
  json.each("pooled", [&](std::string const& figure, JsonReader const& of) {
    strategy.pooled[figure] = {of.number("ratio"), of.interval("ci95")};
  });
  if (auto const rank = json.object("rank")) {
    if (rank->text("is") == not_ranked) strategy.rank = study::Rank::too_few_succeed;
    strategy.why_not_ranked = rank->text("why");
    if (auto const enough = rank->object("enough_succeed")) {
      strategy.enough_succeed = chance_in(*enough);
    }
  }
  if (auto const never = json.object("never_ran")) {
    strategy.never_ran = chance_in(*never);
    strategy.why_never_ran = never->text("why");
  }
  if (json.has("beyond_record")) {
    std::string const words = json.text("beyond_record");
    for (scenario::Untold const each : all_untold) {
      if (words == untold_words(each)) strategy.beyond_record = each;
    }
  }
  if (auto const ends = json.object("ends")) {
    strategy.ends = {Seconds(ends->number("horizon_s")), ends->count("at_horizon"),
                     ends->count("queue_limit")};
  }
  json.each("spread", [&](std::string const& figure, JsonReader const& parts) {
    strategy.spread[figure] = {parts.number("variance_of_ignorance"),
                               parts.number("variance_of_luck")};
  });
}

void put_verdict(Json& json, Result const& result) {
  if (!result.verdict) return;
  auto const& verdict = *result.verdict;
  bool const any = verdict.decision != study::Decision::no_success;
  bool const decided = verdict.decision == study::Decision::decided;
  auto& to = json["verdict"] = {
      {"decision", name(verdict.decision)},
      {"figure", ledger::deciding_metric},
      {"best", decided ? Json(strategy_name(result, verdict.best)) : Json(nullptr)},
      {"best_under_most", any ? Json(strategy_name(result, verdict.best)) : Json(nullptr)},
      {"least_expected_regret",
       any ? Json(strategy_name(result, verdict.least_regret)) : Json(nullptr)},
      {"disputed", verdict.disputed},
      {"most_disputed", study::most_disputed},
      {"same_in_resamples", verdict.same_in_resamples},
      {"explanations", Json::object()},
      {"regret", Json::object()},
      {"observations", Json::array()}};
  for (auto const& state : verdict.states) {
    to["explanations"][state.name.empty() ? std::string(of_all) : state.name] =
        state_json(result, state);
  }
  for (std::size_t s = 0; s < verdict.regrets.size(); ++s) {
    auto const& regret = verdict.regrets[s];
    auto const& worst_in = verdict.states[regret.worst_in].name;
    to["regret"][strategy_name(result, s)] = {
        {"expected", regret.expected},
        {"expected_ci90", interval_json(regret.expected_ci90)},
        {"worst", regret.worst},
        {"worst_under", worst_in.empty() ? std::string(of_all) : worst_in}};
  }
  for (auto const& observation : result.observations) {
    to["observations"].push_back(observation_json(result, observation));
  }
}

void read_verdict(JsonReader const& json, Result& result) {
  auto const from = json.object("verdict");
  if (!from) return;
  study::Verdict verdict;
  auto const decision = from->text("decision");
  using enum study::Decision;
  for (auto const each : {no_success, decided, undecided, unsettled}) {
    if (decision == name(each)) verdict.decision = each;
  }
  auto const leading = from->text("best_under_most");
  // Results of earlier versions name it where it is decided.
  verdict.best = strategy_index(result, leading.empty() ? from->text("best") : leading);
  verdict.least_regret = strategy_index(result, from->text("least_expected_regret"));
  verdict.disputed = from->number("disputed");
  verdict.same_in_resamples = from->number("same_in_resamples");
  from->each("explanations", [&](std::string const& name, JsonReader const& each) {
    verdict.states.push_back(state_in(name, each, result));
  });
  verdict.regrets.resize(result.strategies.size());
  from->each("regret", [&](std::string const& name, JsonReader const& each) {
    auto& regret = verdict.regrets[strategy_index(result, name)];
    regret.expected = each.number("expected");
    regret.expected_ci90 = each.interval("expected_ci90");
    regret.worst = each.number("worst");
    auto const under = each.text("worst_under");
    for (std::size_t h = 0; h < verdict.states.size(); ++h) {
      if (verdict.states[h].name == under) regret.worst_in = h;
    }
  });
  from->each("observations", [&](std::string const&, JsonReader const& each) {
    result.observations.push_back(observation_in(each, result));
  });
  if (!verdict.states.empty() && !result.strategies.empty()) result.verdict = std::move(verdict);
}

void put_critical_path(Json& json, Result const& result) {
  if (result.critical_path.empty()) return;
  Json list = Json::array();
  for (study::CriticalStep const& step : result.critical_path) {
    list.push_back({{"name", step.name},
                    {"submitted_s", json_number(step.submitted.value())},
                    {"ended_s", json_number(step.ended.value())},
                    {"waiting_s", json_number(step.waiting.value())},
                    {"computing_s", json_number(step.computing.value())},
                    {"lost_s", json_number(step.lost.value())},
                    {"other_s", json_number(step.other.value())},
                    {"attempts", step.attempts}});
  }
  json["critical_path"] = std::move(list);
}

void read_critical_path(JsonReader const& json, Result& result) {
  json.each("critical_path", [&](std::string const&, JsonReader const& each) {
    auto const time = [&each](char const* key) { return Seconds(each.number(key)); };
    result.critical_path.push_back({each.text("name"), time("submitted_s"), time("ended_s"),
                                    time("waiting_s"), time("computing_s"), time("lost_s"),
                                    time("other_s"),
                                    static_cast<std::uint32_t>(each.count("attempts"))});
  });
}

void put_traffic(Json& json, ResultLedger const& ledger) {
  Json hours = {{"all", json_number(ledger.gpu_hours)}, {"sites", Json::object()}};
  for (auto const& [site, value] : ledger.site_gpu_hours) hours["sites"][site] = json_number(value);
  json["gpu_hours"] = std::move(hours);
  if (ledger.traffic.is_empty()) return;
  Json sites = Json::object(), caches = Json::object();
  for (auto const& [site, moved] : ledger.traffic.sites) {
    sites[site_label(site)] = {{"received", json_number(moved.received.value())},
                               {"sent", json_number(moved.sent.value())}};
  }
  for (auto const& [name, cache] : ledger.traffic.caches) {
    caches[name] = {{"received", json_number(cache.received.value())},
                    {"tries", cache.tries},
                    {"arrived", cache.arrived},
                    {"given_up", cache.given_up},
                    {"failed", cache.failed}};
  }
  json["bytes"] = {{"sites", std::move(sites)}, {"caches", std::move(caches)}};
}

void read_traffic(JsonReader const& json, ResultLedger& ledger) {
  if (auto const hours = json.object("gpu_hours")) {
    ledger.gpu_hours = hours->number("all");
    if (auto const sites = hours->object("sites")) {
      sites->each_number(
          [&](std::string const& site, double value) { ledger.site_gpu_hours[site] = value; });
    }
  }
  auto const bytes = json.object("bytes");
  if (!bytes) return;
  bytes->each("sites", [&](std::string const& site, JsonReader const& each) {
    ledger.traffic.sites[site == site_label("") ? "" : site] = {Bytes(each.number("received")),
                                                                Bytes(each.number("sent"))};
  });
  bytes->each("caches", [&](std::string const& name, JsonReader const& each) {
    ledger.traffic.caches[name] = {Bytes(each.number("received")), each.count("tries"),
                                   each.count("arrived"), each.count("given_up"),
                                   each.count("failed")};
  });
}

namespace {

Json json_of(ledger::Retried const& retried) {
  Json json;
  json["tried"] = retried.tried;
  json["succeeded"] = retried.succeeded;
  json["share"] = json_number(retried.share());
  Interval const range = retried.interval95();
  json["ci95"] = {json_number(range.low), json_number(range.high)};
  return json;
}

/// Two shares, and whether they differ.
Json json_of(char const* one, ledger::Retried const& a, char const* other,
             ledger::Retried const& b) {
  Json json;
  json[one] = json_of(a);
  json[other] = json_of(b);
  bool const both = a.tried > 0 && b.tried > 0;
  json["p_value"] = both ? json_number(ledger::p_of_difference(a, b)) : Json(nullptr);
  return json;
}

Json json_of(ledger::RetryCause const& cause) {
  Json json;
  json["failures"] = cause.failures;
  json["not_tried"] = cause.not_tried;
  json["next"] = json_of(cause.next);
  json["jobs"] = cause.jobs;
  json["jobs_fixed"] = cause.fixed;
  json["jobs_never_fixed"] = cause.never_fixed();
  json["jobs_open"] = cause.open;
  Json numbers = Json::array();
  for (std::size_t i = 0; i < cause.by_number.size(); ++i) {
    Json one = json_of(cause.by_number[i]);
    one["failed_attempt"] = i + 1;
    one["or_later"] = i + 1 == cause.by_number.size();
    numbers.push_back(std::move(one));
  }
  json["by_attempt"] = std::move(numbers);
  json["site"] = json_of("same", cause.same_site, "other", cause.other_site);
  json["host"] = json_of("same", cause.same_host, "other", cause.other_host);
  Json waits;
  for (std::size_t i = 0; i < cause.by_wait.size(); ++i) {
    waits[std::string(name(static_cast<ledger::RetryWait>(i)))] = json_of(cause.by_wait[i]);
  }
  json["wait"] = std::move(waits);
  return json;
}

}  // namespace

Json retries_json(ledger::Retries const& retries) {
  Json json;
  json["schema"] = "gridcast.retries/1";
  json["all"] = json_of(retries.all);
  Json causes = Json::array();
  for (ledger::RetryCause const& cause : retries.causes) {
    Json one;
    one["ending"] = std::string(ending_word(cause.ending.kind));
    one["reason"] = std::string(history::name(cause.ending.reason));
    one["code"] = cause.ending.code;
    one["subcode"] = cause.ending.subcode;
    one["exit_code"] = cause.ending.exit_code;
    one["words"] = words_of(cause.ending, retries.batch_system).what;
    one.update(json_of(cause));
    causes.push_back(std::move(one));
  }
  json["causes"] = std::move(causes);
  return json;
}

void put_deadline(Json& json, Result const& result, ResultStrategy const& strategy) {
  if (!result.deadline || !strategy.finish) return;
  auto const met = met_by(result, strategy, *result.deadline);
  json["deadline"] = {{"at_s", result.deadline->value()},
                      {"wanted_jobs", strategy.finish->wanted},
                      {"probability", json_number(met.n > 0 ? met.share : study::not_known)},
                      {"ci95", interval_json(met.ci95)}};
}

}  // namespace gridcast::report

#include "sim/report/page/report_page.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/report/text/answer.hpp"

namespace gridcast::report {
namespace {

double cost(ResultStrategy const& strategy) {
  double const middle = summary(strategy.metrics, ledger::deciding_metric).p50;
  return std::isnan(middle) ? infinity : middle;
}

std::string kind_of(Result const& result) {
  if (result.ledger && !result.strategy.empty()) return "run";
  return std::string(name(result.kind));
}

std::string title_of(Result const& result) {
  if (!result.title.empty()) return result.title;
  if (!result.scenario.empty()) return result.scenario;
  return result.source;
}

std::string subtitle_of(Result const& result) {
  auto const seed = result.seed ? fmt::format(", seed {}", *result.seed) : std::string();
  switch (result.kind) {
    case ResultKind::comparison:
      return fmt::format("{} strategies, {}{} simulated campaigns each{}", result.strategies.size(),
                         some_stopped(result) ? "up to " : "", result.replicas, seed);
    case ResultKind::prediction:
      return fmt::format("Forecast: strategy {}, {} simulated campaigns{}", result.strategy,
                         result.replicas, seed);
    case ResultKind::replay:
      return fmt::format("A recorded campaign once more: strategy {}, {} simulations{}",
                         result.strategy, result.replicas, seed);
    case ResultKind::ledger:
      break;
  }
  if (result.strategy.empty()) return "A recorded campaign";
  return fmt::format("One simulated campaign: strategy {}, number {}{}", result.strategy,
                     result.replica.value_or(0), seed);
}

void add(ReportDocument& document, ReportPart part) {
  if (part.section) document.sections.push_back(std::move(*part.section));
  if (!part.missing.empty()) document.notices.push_back({"note", std::move(part.missing)});
}

/// Gantt, sites and jobs: the parts that need a whole campaign.
void add_campaign(ReportDocument& document, ReportRequest const& request) {
  OneCampaign const* campaign = request.campaign ? &*request.campaign : nullptr;
  bool linked = false;
  if (campaign != nullptr) {
    auto gantt = gantt_section(*campaign, request.others);
    linked = gantt.section.has_value();
    add(document, std::move(gantt));
  } else {
    document.notices.push_back(
        {"note",
         "Gantt chart: a JSON result holds no events. The command that made it "
         "draws them with --report FILE.html."});
  }
  auto const& first = request.results.front();
  add(document, site_section(request.results, campaign != nullptr ? &campaign->ledger
                                              : first.ledger      ? &*first.ledger
                                                                  : nullptr));
  if (campaign != nullptr) {
    add(document, job_section(*campaign, request.others, linked));
  } else if (first.ledger) {
    add(document, job_section(*first.ledger, false));
  }
}

void add_result(ReportSection& section, Result const& result, std::string const& prefix) {
  auto const fact = [&](std::string_view name, std::string const& value) {
    if (!value.empty()) section.facts.push_back({prefix + std::string(name), value});
  };
  fact("scenario", result.scenario);
  fact("SHA-256 of scenario and pool", result.scenario_sha256);
  fact("SHA-256 of the calibration", result.calibration_sha256);
  fact("strategy", result.strategy);
  if (result.seed) fact("seed", std::to_string(*result.seed));
  if (result.replica) fact("number of the campaign (--replica)", std::to_string(*result.replica));
  if (result.requested > 0) {
    fact("campaigns", fmt::format("{} of {}", result.replicas, result.requested));
  }
  if (!result.version.empty()) fact("made by", "gridcast " + result.version);
}

void add_sections(ReportDocument& document, ReportRequest const& request) {
  auto const& results = request.results;
  for (auto& section : verdict_sections(results)) document.sections.push_back(std::move(section));
  add(document, finish_section(results, request.deadline));
  for (auto& section : critical_path_sections(results)) {
    document.sections.push_back(std::move(section));
  }
  add(document, waterfall_section(results));
  add(document, comparison_section(results));
  add_campaign(document, request);
  add(document, observed_section(results));
  if (request.gaps > 0) {
    document.assumptions.push_back(
        fmt::format("The record behind the calibration lacks {} facts. `gridcast calibrate "
                    "--details` prints the assumption for each.",
                    request.gaps));
  }
}

/// The best first.
std::vector<std::string> ranking_of(std::vector<Result> const& results) {
  std::vector<std::string> names;
  for (auto const& result : results) {
    if (!result.choice) continue;
    for (std::size_t const s : study::ranking(*result.choice)) {
      names.push_back(result.strategies[s].name);
    }
  }
  return names;
}

/// A page of one scenario, without its provenance.
ReportDocument scenario_page(ReportRequest const& request) {
  auto const& results = request.results;
  ledger::BlackHoles holes;
  if (request.campaign) holes = ledger::find_black_holes(request.campaign->history);
  ReportDocument document{front_page(results, request.deadline, holes)};
  if (request.kind == "lesson") document.recommendation.clear();  // it would give the answer away
  document.title = title_of(results.front());
  document.kind = request.kind.empty() ? kind_of(results.front()) : request.kind;
  document.subtitle = results.size() == 1 ? subtitle_of(results.front())
                                          : fmt::format("{} results side by side", results.size());
  document.ranking = ranking_of(results);
  for (auto& caution : cautions(results)) document.notices.push_back({"warning", caution});
  for (auto const& notice : request.notices) {
    document.notices.push_back({"note", one_line(notice)});
  }
  add_sections(document, request);
  return document;
}

bool same_scenario(Result const& a, Result const& b) {
  bool const hashed = !a.scenario_sha256.empty() && !b.scenario_sha256.empty();
  return hashed ? a.scenario_sha256 == b.scenario_sha256 : a.scenario == b.scenario;
}

bool is_of_no_scenario(Result const& result) {
  return result.scenario.empty() && result.scenario_sha256.empty();
}

bool is_of_one_scenario(std::vector<Result> const& results) {
  Result const* first = nullptr;
  return std::ranges::all_of(results, [&](Result const& result) {
    if (is_of_no_scenario(result)) return true;
    if (first == nullptr) first = &result;
    return same_scenario(*first, result);
  });
}

/// Results of the same scenario together. A recorded campaign goes with the first.
std::vector<std::vector<Result>> by_scenario(std::vector<Result> const& results) {
  std::vector<Result const*> firsts;
  auto const group_of = [&](Result const& result) {
    auto const same = std::ranges::find_if(
        firsts, [&](Result const* first) { return same_scenario(*first, result); });
    return static_cast<std::size_t>(same - firsts.begin());
  };
  for (auto const& result : results) {
    if (!is_of_no_scenario(result) && group_of(result) == firsts.size()) firsts.push_back(&result);
  }
  std::vector<std::vector<Result>> groups(std::max<std::size_t>(1, firsts.size()));
  for (auto const& result : results) {
    groups[is_of_no_scenario(result) ? 0 : group_of(result)].push_back(result);
  }
  return groups;
}

/// Names of the parts of a further scenario, so that no two are alike.
void rename_parts(ReportDocument& document, std::size_t number) {
  std::string const end = fmt::format("-of-{}", number);
  for (ReportSection& section : document.sections) {
    section.id += end;
    section.title = document.title + ": " + section.title;
    for (ReportFigure& figure : section.figures) figure.id += end;
    if (section.table) section.table->id += end;
  }
  if (document.figure) document.figure->id += end;
  if (document.options) document.options->id += end;
}

/// The files of their results distinguish scenarios with equal titles.
void name_scenarios(std::vector<ReportDocument>& pages,
                    std::vector<std::vector<Result>> const& groups) {
  for (std::size_t i = 1; i < pages.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (pages[i].title == pages[j].title) pages[i].title += " (" + groups[i].front().source + ")";
    }
  }
}

/// The first page with the first pages and sections of the others.
ReportDocument joined(std::vector<ReportDocument> pages,
                      std::vector<std::vector<Result>> const& groups) {
  name_scenarios(pages, groups);
  std::vector<ReportBrief> briefs(pages.begin(), pages.end());
  ReportDocument document = std::move(pages.front());
  document.subtitle.clear();
  for (ReportBrief const& brief : briefs) {
    document.subtitle += (document.subtitle.empty() ? "" : "; ") + brief.title;
  }
  for (ReportSection& section : document.sections) {
    section.title = document.title + ": " + section.title;
  }
  for (std::size_t i = 1; i < pages.size(); ++i) {
    rename_parts(pages[i], i + 1);
    document.others.push_back(pages[i]);
    auto const move_to = [](auto& from, auto& to) {
      to.insert(to.end(), std::make_move_iterator(from.begin()),
                std::make_move_iterator(from.end()));
    };
    move_to(pages[i].sections, document.sections);
    move_to(pages[i].notices, document.notices);
    move_to(pages[i].ranking, document.ranking);
  }
  document.overview = overview(briefs, groups);
  return document;
}

/// `request`: of several scenarios. The campaign is one of the first.
ReportDocument page_of_scenarios(ReportRequest const& request) {
  auto const groups = by_scenario(request.results);
  std::vector<ReportDocument> pages;
  for (auto const& group : groups) {
    ReportRequest part = pages.empty() ? request : ReportRequest();
    part.results = group;
    part.deadline = request.deadline ? request.deadline : group.front().deadline;
    pages.push_back(scenario_page(part));
  }
  return joined(std::move(pages), groups);
}

}  // namespace

std::vector<ShownStrategy> shown_strategies(std::vector<Result> const& results) {
  std::vector<ShownStrategy> shown;
  std::map<std::string, int> times;
  for (auto const& result : results) {
    for (auto const& strategy : result.strategies) {
      shown.push_back({strategy.name, &strategy, &result});
      ++times[strategy.name];
    }
  }
  for (auto& each : shown) {
    if (times[each.label] > 1) each.label += " (" + each.result->source + ")";
  }
  auto const* first = shown.empty() ? nullptr : baseline(*shown.front().result);
  std::stable_partition(shown.begin(), shown.end(),
                        [&](ShownStrategy const& each) { return each.strategy == first; });
  return shown;
}

std::vector<ShownStrategy> drawn_strategies(std::vector<Result> const& results) {
  auto shown = shown_strategies(results);
  std::erase_if(shown, [](ShownStrategy const& each) {
    return each.strategy->rank == study::Rank::too_few_succeed &&
           each.strategy != baseline(*each.result);
  });
  if (shown.size() <= most_drawn) return shown;
  auto ranked = shown;
  std::stable_sort(ranked.begin() + 1, ranked.end(), [](auto const& a, auto const& b) {
    return cost(*a.strategy) < cost(*b.strategy);
  });
  ranked.resize(most_drawn);
  std::erase_if(shown, [&](ShownStrategy const& each) {
    return std::none_of(ranked.begin(), ranked.end(),
                        [&](auto const& kept) { return kept.strategy == each.strategy; });
  });
  return shown;
}

std::string left_out_words(std::vector<Result> const& results) {
  std::size_t const all = shown_strategies(results).size();
  std::size_t const drawn = drawn_strategies(results).size();
  if (drawn == all) return "";
  return fmt::format(
      "{} of {} strategies are drawn: the baseline and those with the fewest GPU hours for each "
      "success; of those under which too few jobs succeed, none. The table has all.",
      drawn, all);
}

std::string named_by_verdict(Result const& result) {
  if (!result.choice || result.choice->state == study::ChoiceState::no_success) return "";
  return result.strategies[result.choice->best].name;
}

std::string source_text(std::vector<Result> const& results, Result const& result) {
  return results.size() > 1 ? " (" + one_line(result.source) + ")" : "";
}

OneCampaign one_campaign(std::string what, history::JobHistory history, ledger::Ledger accounts) {
  ResultLedger shown = *result_without_sites(accounts, true).ledger;
  return {std::move(what), std::move(history), std::move(accounts), std::move(shown)};
}

ReportDocument report_page(ReportRequest request) {
  auto& deadline = request.deadline;
  bool const one = is_of_one_scenario(request.results);
  if (one && !deadline) deadline = request.results.front().deadline;
  ReportDocument document = one ? scenario_page(request) : page_of_scenarios(request);
  document.created_by = request.created_by;
  document.command = request.command;
  document.cite = citation(document, request.results);
  document.sections.push_back(
      provenance(request.results, request.created_by, request.command, request.inputs));
  return document;
}

ReportSection provenance(std::vector<Result> const& results, std::string const& created_by,
                         std::string const& command, std::vector<InputFileFact> const& inputs) {
  ReportSection section{"provenance", "Provenance"};
  section.text.emplace_back(
      "The same program, input and seed give the same figures, on any number of cores.");
  section.facts = {{"command", command}, {"page made by", created_by}};
  for (auto const& result : results) {
    add_result(section, result, results.size() > 1 ? one_line(result.source) + ": " : "");
  }
  ReportTable table{
      "inputs",
      "Inputs",
      {columns(text_column("what"), text_column("file"), text_column("sha256", "SHA-256"))}};
  table.says = counted(inputs.size(), "file") + ", each with its SHA-256.";
  for (auto const& input : inputs) {
    table.data.rows.push_back({input.what, input.file, input.sha256});
    if (!input.text.empty()) section.facts.push_back({input.file, input.text});
  }
  if (!inputs.empty()) section.table = std::move(table);
  return section;
}

}  // namespace gridcast::report

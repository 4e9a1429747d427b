#include "sim/report/text/brief.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/report/text/answer.hpp"
#include "sim/report/text/choice_text.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/ledger_text.hpp"
#include "sim/report/text/reason_words.hpp"
#include "sim/report/text/study_text.hpp"
#include "sim/report/text/train_text.hpp"

namespace gridcast::report {
namespace {

/// The parts of the job's time that are not zero, the largest first.
std::vector<TimePart> largest_parts(training::TimeParts const& parts) {
  auto all = time_parts();
  std::erase_if(all, [&](TimePart const& part) { return !(parts.*part.time > Seconds()); });
  std::ranges::stable_sort(
      all, [&](TimePart const& a, TimePart const& b) { return parts.*a.time > parts.*b.time; });
  return all;
}

std::string time_range(std::optional<training::TrainingInterval> const& interval) {
  if (!interval) return "";
  return fmt::format(" ({} to {} in 90 %)", to_text(Seconds(interval->total.low)),
                     to_text(Seconds(interval->total.high)));
}

std::string parts_table(training::TrainingEstimate const& estimate, Screen const& screen) {
  constexpr std::size_t most = 3;
  auto parts = largest_parts(estimate.parts);
  if (parts.size() > most) parts.resize(most);
  TextTable table("largest parts of the time|>time|>share");
  for (TimePart const& part : parts) {
    Seconds const time = estimate.parts.*part.time;
    table.add_row({std::string(part.words), to_text(time),
                   fmt::format("{:.1f} %", 100 * (time / estimate.total))});
  }
  return parts.empty() ? "" : table.str(screen);
}

std::string percent_of(Seconds part, Seconds whole) {
  return whole > Seconds() ? fmt::format("{:.0f} %", 100 * (part / whole)) : "-";
}

/// The three largest lines of lost slot time, of those that do not round to 0 %.
std::string losses(ledger::Ledger const& ledger, Screen const& screen) {
  constexpr std::size_t most = 3;
  constexpr double least = 0.005;
  auto const& total = ledger.total;
  std::vector<ledger::SlotTimeLine> lost;
  for (auto const& line : ledger::slot_time_lines()) {
    if (line.lost && total.*line.time >= least * total.wallclock()) lost.push_back(line);
  }
  std::stable_sort(lost.begin(), lost.end(),
                   [&](auto const& a, auto const& b) { return total.*a.time > total.*b.time; });
  if (lost.size() > most) lost.resize(most);
  TextTable table("largest losses of slot time|>time|>share");
  for (auto const& line : lost) {
    table.add_row({std::string(ledger::find_metric(line.name)->label), to_text(total.*line.time),
                   percent_of(total.*line.time, total.wallclock())});
  }
  return lost.empty() ? "" : table.str(screen);
}

std::string most_frequent_ending(ledger::Ledger const& ledger) {
  ledger::EndingAccount const* most = nullptr;
  for (auto const& row : ledger.endings) {
    if (most == nullptr || row.times > most->times) most = &row;
  }
  if (!ledger.dated || most == nullptr) return "";
  return fmt::format("Most frequent: {}{} ({}, {}).", ending_word(most->ending.kind),
                     because(words_of(most->ending, ledger.batch_system).what),
                     counted(most->times, "time"), counted(most->jobs, "job"));
}

/// The largest and the smallest share of lost slot time among the sites.
std::string site_sentence(ledger::Ledger const& ledger) {
  if (ledger.total.attempts_unrecorded > 0) return "";
  std::string best, worst;
  double least = 2, most = -1;
  for (auto const& [site, lines] : ledger.sites) {
    if (!(lines.wallclock() > Seconds())) continue;
    double const share = lines.badput() / lines.wallclock();
    if (share < least) std::tie(least, best) = std::pair(share, site_label(site));
    if (share > most) std::tie(most, worst) = std::pair(share, site_label(site));
  }
  if (best == worst) return "";
  return fmt::format("Sites: {} loses {:.0f} % of its slot time, {} {:.0f} %.", worst, 100 * most,
                     best, 100 * least);
}

/// "at 3 sites"; jobs that met none are at none.
std::string at_sites(ledger::Ledger const& ledger) {
  std::size_t const sites = ledger.sites.size() - ledger.sites.count("");
  return sites == 0 ? "at no site" : "at " + counted(sites, "site");
}

constexpr std::size_t most_rows = 3, most_of_a_name = 26;

/// In order of rank: the three best strategies, or fewer beside those of the user's question, and
/// the baseline.
std::vector<std::size_t> rows_of(Result const& result) {
  constexpr std::size_t most_with_asked = most_rows + 2;
  auto const ranked = study::ranking(*result.choice);
  auto const is_baseline = [&](std::size_t s) {
    return result.strategies[s].name == result.baseline;
  };
  auto const is_asked = [&](std::size_t s) {
    return is_baseline(s) || is_one_of(result.strategies[s].name, result.asked);
  };
  auto best = ranked.begin() + static_cast<std::ptrdiff_t>(std::min(most_rows, ranked.size()));
  auto const rows = [&] {
    return best - ranked.begin() + std::count_if(best, ranked.end(), is_asked);
  };
  while (best - ranked.begin() > 1 && rows() > static_cast<std::ptrdiff_t>(most_rows) + 1) --best;
  std::vector<std::size_t> shown(ranked.begin(), best);
  std::copy_if(best, ranked.end(), std::back_inserter(shown), is_asked);
  while (shown.size() > most_with_asked) {
    shown.erase(shown.end() - (is_baseline(shown.back()) ? 2 : 1));
  }
  return shown;
}

/// With money in place of GPU hours if there are prices.
std::string table_of(Result const& result, std::vector<std::size_t> const& rows, bool medians,
                     Screen const& screen) {
  auto const& choice = *result.choice;
  auto const words = time_words(choice);
  TextTable table({{"strategy"},
                   {"jobs that finish", Align::right},
                   {fmt::format("{} to {} jobs", words.unit(), choice.wanted), Align::right},
                   {std::string(choice.currency.empty() ? hours_name(result.without_gpus)
                                                        : std::string_view(choice.currency)),
                    Align::right}});
  auto const shown = [&](study::Spread const& spread) { return medians ? spread.alone() : spread; };
  for (std::size_t const s : rows) {
    auto const& rated = choice.strategies[s];
    table.add_row({short_name(result.strategies[s].name,
                              screen.width < brief_width ? most_of_a_name - 10 : most_of_a_name),
                   jobs_cell(shown(rated.finished)), time_cell(shown(rated.makespan), words),
                   choice.currency.empty() ? hours_cell(shown(rated.gpu_hours))
                                           : money_cell(shown(rated.money))});
  }
  return table.str(screen);
}

/// With ranges where they fit the screen, else the medians alone.
std::string best_table(Result const& result, Screen const& screen) {
  auto const rows = rows_of(result);
  auto text = table_of(result, rows, screen.width < brief_width, screen);
  auto const lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  constexpr std::size_t head = 2;
  if (lines > rows.size() + head) text = table_of(result, rows, true, screen);
  // The line below the header has no information.
  auto const header = text.find('\n');
  auto const rule = text.find('\n', header + 1);
  return text.erase(header, rule - header);
}

/// The figures with their ranges, without those that are zero.
std::string ranges(Result const& result, Outcome const& outcome, TimeWords const& words,
                   bool with_lost, Screen const& screen) {
  TextTable table("forecast|>median (90 % of the campaigns)");
  auto const add = [&](std::string const& what, study::Spread const& spread,
                       std::string const& text) {
    if (std::isnan(spread.middle) || (spread.middle == 0 && spread.high == 0)) return;
    table.add_row({what, text});
  };
  add("jobs that finish", outcome.finished, jobs_cell(outcome.finished));
  add(fmt::format("{} until {} finished", words.unit(), counted(outcome.wanted, "job")),
      outcome.makespan, time_cell(outcome.makespan, words));
  add(std::string(outcome.hours), outcome.gpu_hours, hours_cell(outcome.gpu_hours));
  add(result.currency, result.money, money_cell(result.money));
  if (!with_lost) return table.str(screen);
  auto const& metrics = result.strategies.front().metrics;
  auto const lost = summary(metrics, "badput_s").range();
  Unit const unit = words_of("badput_s", time_scale(result)).unit;
  add(fmt::format("slot {} lost", unit == Unit::seconds ? "seconds" : "hours"), lost,
      spread_text(lost, unit));
  return table.str(screen);
}

std::string loss_sentence(Result const& result) {
  auto const times = mean_times(result.strategies.front());
  double const wallclock = figure(times, "wallclock_s"), badput = figure(times, "badput_s");
  if (!(wallclock > 0) || !(badput > 0)) return "";
  return fmt::format("On average {} of the slot time is lost{}.", share_text(badput / wallclock),
                     largest_loss(times));
}

/// "It depends on why transfers stall: overload 76 jobs, congestion 40 jobs."
std::string dependence(Result const& result) {
  if (result.hypotheses.size() < 2) return "";
  std::string text;
  std::set<double> medians;
  for (auto const& each : result.hypotheses) {
    auto const won = summary(each.strategies.front().metrics, "succeeded");
    text +=
        fmt::format("{}{} {:.0f}", text.empty() ? "" : ", ", hypothesis_title(each.name), won.p50);
    medians.insert(won.p50);
  }
  if (medians.size() == 1) return "";
  return "Jobs that finish, by the cause of stalled transfers: " + text + ".";
}

std::string evidence_words(Result const& result) {
  if (!result.record_words.empty()) {
    return fmt::format("Evidence: the shipped record of {}; {}.", result.record_words,
                       counted(result.replicas, "campaign"));
  }
  return fmt::format(
      "Evidence: {}{}, strategy {}.",
      result.recorded_jobs ? fmt::format("a record of {}; ", counted(*result.recorded_jobs, "job"))
                           : "",
      counted(result.replicas, "simulated campaign"), result.strategies.front().name);
}

/// Main figures of the record and of its replay.
std::string replayed_figures(Result const& result, Screen const& screen) {
  auto const& against = *result.against;
  TextTable table(
      fmt::format("figure|>{}|>replay (5 %..95 %)", against.through_table ? "rows" : "record"));
  for (auto const* name : {"succeeded", "wallclock_s", "badput_s", "transfer_retried_s"}) {
    auto const* const row = find_by(against.figures, name, &study::PlacedFigure::name);
    if (row == nullptr || (row->observed == 0 && row->predicted.p95 == 0)) continue;
    auto const words = words_of(row->name, time_scale(result));
    table.add_row({fmt::format("{}, {}", words.words, unit_text(words.unit)),
                   number_text(row->observed, words.unit),
                   spread_text(row->predicted.range(), words.unit)});
  }
  return table.str(screen);
}

/// "Next: COMMAND FILES", in two lines where one is too short.
std::string next_line(std::string const& command, std::string const& files, Screen const& screen) {
  std::string const first = "Next: " + command;
  return first + (text_width(first + files) <= screen.width ? "" : "\\\n  ") + files + "\n";
}

/// The words of a typed command. Blanks inside quotes do not end a word.
std::vector<std::string> typed_words(std::string_view command) {
  std::vector<std::string> words(1);
  char quote = 0;
  for (char const c : command) {
    if (c == ' ' && quote == 0) {
      if (!words.back().empty()) words.emplace_back();
      continue;
    }
    if (quote == 0 ? c == '\'' || c == '"' : c == quote) quote = quote == 0 ? c : 0;
    words.back() += c;
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// The files and options of a comparison that a search takes as well.
std::string words_for_search(std::string_view typed) {
  static std::set<std::string> const with_value = {"-n",       "--replicas", "--csv",
                                                   "--report", "--deadline", "--with"};
  std::string kept;
  bool is_value = false;
  for (std::string const& word : typed_words(typed)) {
    bool const dropped = is_value || word == "--all" || word.starts_with("-n") ||
                         with_value.contains(word.substr(0, word.find('=')));
    is_value = !is_value && with_value.contains(word);
    if (!dropped) kept += (kept.empty() ? "" : " ") + word;
  }
  return kept;
}

/// "Next: gridcast optimize job.sub": the only strategy may have all changes that one could name.
std::string next_search(Screen const& screen) {
  constexpr std::string_view verb = " compare ";
  auto const at = screen.command.find(verb);
  if (at == std::string_view::npos) return next_command(screen);
  auto const words = words_for_search(screen.command.substr(at + verb.size()));
  if (text_width(words) + 2 > screen.width) {
    return "Next: optimize instead of compare, with the same files and options of the job\n";
  }
  return next_line(fmt::format("{} optimize ", screen.command.substr(0, at)), words, screen);
}

/// "Next: gridcast compare job.sub job.log" after a forecast whose wanted jobs never finish, where
/// only files follow the verb: a comparison lacks some options. A record alone has no strategies.
std::string next_comparison(Result const& result, Screen const& screen) {
  constexpr std::string_view verb = " forecast ";
  auto const at = screen.command.find(verb);
  auto const type = std::filesystem::path(result.scenario).extension();
  bool const is_work = type == ".yaml" || type == ".yml" || type == ".sub" || type == ".dag";
  if (!is_work || at == std::string_view::npos) return "";
  std::string const files(screen.command.substr(at + verb.size()));
  if (files.starts_with('-') || files.find(" -") != std::string::npos) return "";
  return next_line(fmt::format("{} compare ", screen.command.substr(0, at)), files, screen);
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    auto const end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

/// A long list of differences from the record leaves no place for the advice behind it.
void say_extrapolation(Brief& brief, Result const& result, int weight) {
  constexpr std::size_t most = 3, most_of_long = 5;
  auto const all = extrapolation_sentence(result);
  bool const fits = lines_of(fitted(all + "\n", brief.screen())).size() <= most;
  brief.say(fits ? all : beyond_sentence(result), weight, fits ? most : most_of_long);
}

/// Where the hours of one campaign went: two sentences, GPU hours, losses, endings, sites.
void add_account(Brief& brief, ledger::Ledger const& ledger) {
  ledger::Ledger whole = ledger;  // the answer has no sites, of which there may be many
  whole.sites.clear();
  whole.site_classes.clear();
  auto sentences = answer({result_of(whole)});
  if (sentences.size() > 2) sentences.resize(2);
  for (auto const& sentence : sentences) brief.say(sentence, 9, 3);
  if (ledger.gpu_time > Seconds()) {
    brief.say(fmt::format("GPU hours: {:.1f}{}.", ledger.gpu_time / hours(1),
                          ledger.gpus_assumed ? ", if each job had one GPU (not recorded)" : ""),
              6, 1);
  }
  brief.add(losses(ledger, brief.screen()), 7);
  brief.say(most_frequent_ending(ledger), 4, 2);
  brief.say(site_sentence(ledger), 3, 2);
}

/// "Black hole: 40 of 41 attempts on host n1 failed, 0.6 h (--black-holes)."
std::string black_hole_sentence(ledger::BlackHoles const& holes) {
  if (holes.hosts.empty()) return "";
  bool const one = holes.hosts.size() == 1;
  std::size_t failed = 0, ended = 0;
  Seconds lost;
  for (auto const& host : holes.hosts) {
    failed += host.failed;
    ended += host.ended;
    lost += host.lost;
  }
  return fmt::format("Black hole{}: {} of {} attempts on {} failed, {} (--black-holes).",
                     one ? "" : "s", failed, ended,
                     one ? "host " + holes.hosts.front().host : counted(holes.hosts.size(), "host"),
                     to_text(lost));
}

}  // namespace

std::string brief_training(training::TrainingSetup const& setup,
                           training::TrainingEstimate const& estimate,
                           std::optional<training::TrainingInterval> const& interval,
                           Screen const& screen) {
  auto const& profile = setup.profile;
  Brief brief(screen);
  brief.say(fmt::format("{} takes {}{} for {} on {} ({}), {} GPU hours.", profile.name,
                        to_text(estimate.total), time_range(interval),
                        counted(profile.train.epochs, "epoch"), counted(setup.gpus, "GPU"),
                        setup.gpu, fmt::format("{:.1f}", setup.gpus * (estimate.total / hours(1)))),
            9, 3);
  brief.add(parts_table(estimate, brief.screen()), 6);
  brief.say(fmt::format("Speed: {:.1f} samples/s, {:.1f} % of the speed of as many single GPUs.",
                        estimate.samples_per_s, 100 * estimate.efficiency),
            5, 2);
  auto const run = measured_run(setup);
  bool const measured = run && run->wall > Seconds();
  brief.say(measured
                ? fmt::format("Evidence: a measured run of this job took {}.", to_text(run->wall))
                : "Evidence: the profile alone; no measured run of this job.",
            5, 2);
  brief.add(next_command(screen), 7);
  return brief.text();
}

std::string brief_scaling(std::vector<ScalingRow> const& rows, Screen const& screen) {
  TextTable table(">GPUs|>nodes|>epoch|>job|>GPU hours|>scaling");
  constexpr std::size_t most_rows = 7;
  std::size_t const shown = std::min(most_rows, rows.size());
  for (std::size_t i = 0; i < shown; ++i) {
    // The first and the last row, and others evenly between them.
    ScalingRow const& row = rows[shown < 2 ? 0 : i * (rows.size() - 1) / (shown - 1)];
    auto const& e = row.estimate;
    table.add_row({fmt::format("{}", row.setup.gpus), fmt::format("{}", row.setup.nodes),
                   to_text(e.epoch), to_text(e.total),
                   fmt::format("{:.1f}", row.setup.gpus * (e.total / hours(1))),
                   fmt::format("{:.1f} %", 100 * e.efficiency)});
  }
  ScalingRow const& last = rows.back();
  auto const& profile = last.setup.profile;
  Brief brief(screen);
  brief.say(fmt::format("{} takes {} on {}{}, at {:.1f} % of the speed of as many single GPUs.",
                        profile.name, to_text(last.estimate.total), counted(last.setup.gpus, "GPU"),
                        time_range(last.interval), 100 * last.estimate.efficiency),
            Brief::needed, 3);
  brief.add(table.str(brief.screen()), 8);
  brief.add(next_command(screen), 7);
  return brief.text();
}

std::string brief_ledger(ledger::Ledger const& ledger, ledger::BlackHoles const& holes,
                         Screen const& screen) {
  Brief brief(screen);
  add_account(brief, ledger);
  brief.say(black_hole_sentence(holes), 7, 2);
  brief.say(fmt::format("Evidence: the record of {} {}{}.", counted(ledger.total.jobs, "job"),
                        at_sites(ledger), ledger.dated ? "" : ", which has no dates"),
            5, 2);
  brief.add(next_command(screen), 8);
  return brief.text();
}

std::string brief_campaign(ledger::Ledger const& ledger, std::string const& which,
                           std::string const& explanation, Screen const& screen) {
  Brief brief(screen);
  add_account(brief, ledger);
  brief.say(explanation, 4, 2);
  brief.say(fmt::format("Evidence: one simulated campaign ({}).", which), 8, 2);
  brief.add(next_command(screen), 8);
  return brief.text();
}

std::string brief_comparison(Result const& result, Screen const& screen) {
  Brief brief(screen);
  brief.say(incomplete_text(result), 9);
  if (!result.choice) {
    brief.say("No campaign was finished under every strategy.", 9);
    return brief.text();
  }
  brief.say(choice_sentence(result), 9, 7);
  brief.say(about_sentence(result.strategies[result.choice->best]), 3, 2);
  brief.add(best_table(result, brief.screen()), 7);
  brief.say(deadline_sentence(result), 7, 2);
  brief.say(prices_sentence(*result.choice), 8, 2);
  say_extrapolation(brief, result, 7);
  brief.say(trade_off_sentence(result), 4, 2);
  std::string const evidence = evidence_sentence(result);
  bool const fits = text_width(evidence) <= brief.screen().width;
  brief.say(fits ? evidence : evidence_sentence(result, false), 6, 3);
  bool const alone = result.strategies.size() == 1;
  brief.add(alone ? next_search(screen) : next_command(screen), 8);
  return brief.text();
}

std::string brief_replay(Result const& result, Screen const& screen) {
  Brief brief(screen);
  brief.say(incomplete_text(result), 9);
  if (result.replicas == 0 || !result.against) {
    brief.say("No campaign was finished.", 9);
    return brief.text();
  }
  auto const& won = summary(result.strategies.front().metrics, "succeeded");
  // The owner may not know the name of the record's own strategy.
  bool const again = result.deterministic && result.strategy == result.baseline;
  brief.say(fmt::format("The recorded campaign {}: {:.0f} of {} jobs finish{}.",
                        again ? "once more" : "under " + result.strategy, won.p50, result.submitted,
                        result.deterministic ? " in all repetitions" : ""),
            9, 3);
  brief.add(replayed_figures(result, brief.screen()), 6);
  brief.say(dependence(result), 3, 2);
  brief.say(fmt::format("Evidence: the record of {} jobs, repeated {} times.", result.submitted,
                        result.replicas),
            5, 2);
  brief.add(next_command(screen), 8);
  return brief.text();
}

std::string brief_prediction(Result const& result, Screen const& screen) {
  Brief brief(screen);
  brief.say(incomplete_text(result), 9);
  if (result.replicas == 0) {
    brief.say("No campaign was finished.", 9);
    return brief.text();
  }
  auto const outcome = outcome_of(result, result.strategies.front());
  auto const words = time_words(outcome);
  auto const& strategy = result.strategies.front();
  brief.say("Forecast: " + median_text(outcome, words) + ".", 9, 3);
  brief.say(result.simplified, 8, 3);
  auto standing = standing_sentences(result);
  if (!result.extrapolation.empty()) standing.erase(standing.begin());
  say_extrapolation(brief, result, 8);
  for (auto const& sentence : standing) brief.say(sentence, 1, 2);
  brief.say(about_sentence(strategy), 2, 2);
  // Where most jobs fail, their largest loss is more important than its range.
  bool const crowded = !result.extrapolation.empty() && std::isinf(outcome.makespan.middle);
  brief.add(ranges(result, outcome, words, !crowded, brief.screen()), 6);
  brief.say(deadline_sentence(result), 7, 2);
  if (result.against) brief.say("Record: " + coverage_text(*result.against) + ".", 7, 2);
  brief.say(loss_sentence(result), crowded ? 6 : 4, 2);
  brief.say(dependence(result), 3, 2);
  brief.say(evidence_words(result), 5, 3);
  bool const never = std::isinf(outcome.makespan.middle);
  auto const comparison = never ? next_comparison(result, brief.screen()) : "";
  brief.add(comparison.empty() ? next_command(screen) : comparison, 8);
  return brief.text();
}

Brief::Brief(Screen const& screen) : screen_(screen) {
  screen_.width = std::min(screen.width, brief_width);
}

void Brief::say(std::string_view sentence, int weight, std::size_t most) {
  if (sentence.empty()) return;
  auto lines = lines_of(fitted(std::string(sentence) + "\n", screen_));
  if (lines.size() > most && weight < needed) return;
  lines.resize(std::min(lines.size(), most));
  blocks_.push_back({std::move(lines), weight});
}

void Brief::add(std::string_view lines, int weight) {
  Block block{lines_of(lines), weight};
  if (!block.lines.empty()) blocks_.push_back(std::move(block));
}

std::string Brief::text() const {
  std::vector<bool> shown(blocks_.size(), true);
  auto const count = [&] {
    std::size_t lines = 0;
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      lines += shown[i] ? blocks_[i].lines.size() : 0;
    return lines;
  };
  while (count() > most_brief_lines) {
    std::size_t least = blocks_.size();
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (!shown[i]) continue;
      if (least == blocks_.size() || blocks_[i].weight <= blocks_[least].weight) least = i;
    }
    shown[least] = false;
  }
  // A large block that went may have left room for one that went before it.
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (!shown[i]) shown[i] = count() + blocks_[i].lines.size() <= most_brief_lines;
  }
  std::string text;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (!shown[i]) continue;
    for (auto const& line : blocks_[i].lines) text += line + "\n";
  }
  return text;
}

std::string next_command(Screen const& screen, std::string const& options) {
  if (screen.command.empty()) return "";
  std::size_t const width = std::min(screen.width, brief_width);
  std::string const first = "Next: " + std::string(screen.command);
  if (std::string whole = first + " " + options; text_width(whole) <= width) return whole + "\n";
  constexpr char continued[] = " \\";
  bool const fits = text_width(first + continued) <= width;
  bool const is_long = text_width(options) > brief_width / 2;
  if (is_long && fits) return first + continued + "\n  " + options + "\n";
  bool const replaces = screen.command.ends_with(" --force");
  auto const last = fmt::format("{}{}\n", replaces ? "--force " : "", options);
  std::string const same = "Next: the same command with ";
  return text_width(same) + text_width(last) <= width + 1 ? same + last : same + "\\\n  " + last;
}

}  // namespace gridcast::report

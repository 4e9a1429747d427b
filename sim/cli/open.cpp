// gridcast open [WHAT]: a page in the browser, to try variants, to learn, or to look at results.
#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <optional>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/input_kind.hpp"
#include "sim/cli/running.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/cli/work_scenario.hpp"
#include "sim/condor/log/growing_log.hpp"
#include "sim/running/running_campaign.hpp"
#include "sim/scenario/lesson.hpp"
#include "sim/scenario/strategy_variant.hpp"
#include "sim/serve/entrance.hpp"
#include "sim/serve/question.hpp"
#include "sim/serve/server.hpp"
#include "sim/study/comparison.hpp"
#include "sim/study/prediction.hpp"
#include "sim/study/shards/study_folder.hpp"

namespace gridcast::cli {
namespace {

struct StreamArguments {
  std::string strategy;  // empty: the baseline
  std::vector<std::string> overrides = {};
  StudyArguments study = {};
  bool compares = false;
};

struct OpenOptions {
  std::vector<fs::path> what;
  StreamArguments stream;
  bool streams = false, no_browser = false;
  std::uint32_t port = 0;
  std::string idle = "1 h";
  std::string goal;  // empty: the scenario's
};

/// The subject of the page.
struct Shown {
  enum class Kind { list, scenario, jobs, lesson, page, running };
  Kind kind = Kind::list;
  std::string scenario = {};
  int lesson = 0;
  std::vector<std::string> command = {};       // that makes the page
  std::optional<serve::OpenedWork> work = {};  // that the scenario is made from
};

std::string head_of(fs::path const& file) {
  std::ifstream in(file, std::ios::binary);
  std::string head(4096, '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  return head;
}

bool is_number(std::string const& text) {
  return !text.empty() && text.size() < 4 &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// The file on a command line.
std::string argument_of(fs::path const& file) {
  return file.string().starts_with('-') ? "./" + file.string() : file.string();
}

/// True if the log is of a campaign that has not ended. False for a file that only its page can
/// explain.
bool is_running(fs::path const& file) {
  constexpr std::uintmax_t longest = 100'000'000;  // bytes; a longer log would delay the page
  std::error_code no_file;
  auto const size = fs::file_size(file, no_file);
  if (no_file || size > longest) return false;
  try {
    if (!is_event_log(file)) return false;
    condor::GrowingLog log(file);
    log.read_more();
    auto const campaign = running::running_campaign(condor::history_of({&log}, {}).history);
    return campaign.count(running::Stand::over) < campaign.jobs.size();
  } catch (InputError const&) {
    return false;
  }
}

Shown shown_of(std::vector<fs::path> const& what) {
  if (what.empty()) return {};
  std::string const name = what.front().string();
  if (what.size() == 1 && is_number(name)) return {Shown::Kind::lesson, "", std::stoi(name)};
  constexpr char takes[] = "a scenario, a lesson, a result or records of one campaign";
  for (fs::path const& file : what) {
    if (!is_there(file)) throw InputError(missing_file(file));
    if (!is_folder(file)) continue;
    refuse_other_kinds(
        {file}, "open", takes,
        {InputKind::scenario, InputKind::result, InputKind::record, InputKind::table});
  }
  if (std::ranges::any_of(what, is_running)) return {Shown::Kind::running};
  if (describes_jobs(kind_of(what.front()))) return {Shown::Kind::jobs};
  std::string const head = head_of(what.front());
  bool const yaml = head.find("gridcast.scenario/1") != std::string::npos ||
                    head.find("gridcast.profile/1") != std::string::npos;
  if (yaml && what.size() == 1) {
    std::string const text = read_text_file(what.front());
    bool const is_lesson = text.find("\nlesson:") != std::string::npos;
    if (is_lesson) return {Shown::Kind::lesson, name, scenario::read_lesson(name).number};
    refuse_other_kinds(what, "open", takes, {InputKind::scenario});
    return {Shown::Kind::scenario, name};
  }
  bool const result = head.find("\"schema\": \"gridcast.") != std::string::npos;
  if (!result) refuse_other_kinds(what, "open", takes, {InputKind::record, InputKind::table});
  Shown shown{Shown::Kind::page, "", 0, {"ledger"}};
  if (result) shown.command = {"export", "html"};
  for (fs::path const& file : what) shown.command.push_back(argument_of(file));
  return shown;
}

/// The strategy and the values that the controls begin with. InputError for a value that no control
/// changes.
Json first_question(StreamArguments const& arguments, std::string const& scenario,
                    serve::Shelf const& shelf) {
  Json set = Json::array();
  for (std::string const& text : arguments.overrides) {
    auto const equals = text.find('=');
    bool const has_value = equals != std::string::npos;
    set.push_back({{"path", text.substr(0, equals)},
                   {"value", has_value ? text.substr(equals + 1) : std::string()}});
  }
  Json first = {{"strategy", arguments.strategy}, {"set", std::move(set)}};
  Json question = first;
  question["scenario"] = scenario;
  auto const asked = serve::read_question(question, shelf);
  scenario::read_scenario(asked.scenario, asked.overrides);
  return first;
}

serve::ServerOptions server_options(OpenOptions const& options, Shown const& shown) {
  serve::ServerOptions server;
  server.page = needed_page("open.html", "gridcast open needs its page");
  server.shelf.folder = fs::current_path();
  server.shelf.lessons = shipped_scenario().parent_path() / "teaching";
  server.shelf.opened.push_back(shipped_scenario());
  if (!shown.scenario.empty()) server.shelf.opened.emplace_back(shown.scenario);
  server.shelf.work = shown.work;
  server.port = static_cast<int>(options.port);
  server.idle = std::chrono::seconds(
      static_cast<std::int64_t>(parse_seconds(options.idle).value_or(hours(1)).value()));
  server.start = {{"schema", "gridcast.open/1"},
                  {"version", version_text()},
                  {"folder", server.shelf.folder.string()},
                  {"shipped", shipped_scenario().string()}};
  if (shown.kind == Shown::Kind::scenario) {
    std::string const name = shown.work ? shown.work->name : shown.scenario;
    server.start["scenario"] = name;
    server.start["first"] = first_question(options.stream, name, server.shelf);
  } else if (!options.stream.overrides.empty() || !options.stream.strategy.empty()) {
    refuse({options.what.empty() ? "" : options.what.front().string()},
           "--set, --goal and --strategy change a scenario, and this is none",
           "they are the first values of its controls", "Leave them out, or name a scenario.");
  }
  if (shown.kind == Shown::Kind::lesson) server.start["lesson"] = shown.lesson;
  if (shown.kind == Shown::Kind::running) {
    for (fs::path const& file : options.what) {
      server.shelf.running.push_back(argument_of(file));
      if (is_record(kind_of(file))) server.shelf.running_logs.push_back(argument_of(file));
    }
    server.start["running"] = server.shelf.running;
  }
  return server;
}

/// The address is in a file that only this user can read, not on a command line, which all users of
/// the machine can.
void open_address(std::string const& address, serve::Scratch const& scratch) {
  fs::path const file = scratch.file("open.html");
  write_file(file, fmt::format("<!DOCTYPE html><meta charset=utf-8><title>gridcast</title>"
                               "<meta http-equiv=refresh content=\"0; url={}\">\n",
                               address));
  open_in_browser(file);
}

void print_line(Json const& json) {
  std::cout << json.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
}

int stream_strategies(scenario::Scenario const& scenario, study::StudyOptions const& options) {
  using serve::AnswerPart;
  auto const comparison = study::compare_growing(scenario, options, [](auto const& grown) {
    print_line(serve::strategies_json(grown, AnswerPart::growing));
  });
  print_line(serve::strategies_json(comparison, AnswerPart::last));
  return end_of_study(comparison);
}

/// gridcast open SCENARIO --stream: a prediction, or a comparison, as its page gets it, a JSON
/// object a line (sim/serve/question.hpp), the first after the first results.
int stream_answers(fs::path const& file, StreamArguments const& arguments) {
  using serve::AnswerPart;
  auto const scenario = read_runnable_scenario(file, arguments.overrides);
  auto options = study_options(arguments.study, scenario.study);
  std::optional<serve::Scratch> scratch;
  if (options.resume.empty()) options.resume = scratch.emplace().file("study");
  if (arguments.compares) return stream_strategies(scenario, options);
  auto const& strategy = chosen_strategy(scenario, arguments.strategy);
  require_slots(scenario, {strategy});
  auto const prediction =
      study::predict_growing(scenario, strategy, options, [&](auto const& grown) {
        print_line(serve::answer_json(grown, scenario, AnswerPart::growing));
      });
  print_line(serve::answer_json(prediction, scenario, AnswerPart::last));
  return end_of_study(prediction, prediction.scenario);
}

int show(OpenOptions const& options, Shown const& shown) {
  if (options.streams) {
    if (shown.kind == Shown::Kind::scenario) return stream_answers(shown.scenario, options.stream);
    refuse({"--stream"}, "it answers a scenario's questions");
  }
  serve::Server server(server_options(options, shown));
  std::string address = server.address();
  if (shown.kind == Shown::Kind::page) address += server.page_of(shown.command);
  std::cout << address << std::endl;
  print_notes(
      fmt::format("Ctrl-C ends it; it also ends when nobody has asked anything for {} (--idle).\n",
                  options.idle));
  serve::Scratch const scratch;
  if (!options.no_browser) open_address(address, scratch);
  if (server.run() == serve::Server::End::idle)
    print_notes("Nobody has asked for long: the end.\n");
  return exit_code::done;
}

/// The scenario of a submit file or a DAG, and of the records of such jobs, is there while its page
/// is. Its strategies are those that compare gives it.
int show_jobs(OpenOptions const& options) {
  ForecastArguments const work{.work = options.what.front(),
                               .records = {options.what.begin() + 1, options.what.end()}};
  auto const none = [](fs::path const&) { return std::vector<std::string>(); };
  return with_work_scenario(work, open_work(work), "open", none, [&](ReadWork const& made) {
    if (work.records.empty()) {
      print_notes(fmt::format("The scenario goes with its page; gridcast init {} keeps it.\n",
                              study::typed(work.work)));
    }
    auto const usual = usual_strategies(scenario::baseline_keys(made.file, {}));
    write_file(made.file, scenario::with_values(made.file, usual));
    Shown shown{Shown::Kind::scenario, made.file.string()};
    shown.work = serve::OpenedWork{work.work.string(), made.file, {}, made.made_from.assumed};
    for (fs::path const& file : options.what) shown.work->words.push_back(argument_of(file));
    return show(options, shown);
  });
}

int run_open(OpenOptions options) {
  if (!options.goal.empty()) options.stream.overrides.push_back("study.goal=" + options.goal);
  Shown const shown = shown_of(options.what);
  return shown.kind == Shown::Kind::jobs ? show_jobs(options) : show(options, shown);
}

void add_stream_options(Verb& verb, OpenOptions& options) {
  Verb stream = verb.group("Without a page");
  stream.flag("--stream", options.streams,
              "The prediction on standard output as it grows, a JSON object a line");
  stream.flag("--compare", options.stream.compares,
              "All strategies in turn, and the choice between them, instead of one");
  StudyArguments& study = options.stream.study;
  study.processes = cores();
  stream.option("-n,--replicas", &study.replicas, "Campaigns (default: the scenario's)", "N")
      .whole_number(1, 10'000'000);
  add_seed_option(stream, study.seed);
  stream.option("--resume", &study.resume, "Folder that keeps finished campaigns", "DIR");
}

}  // namespace

void add_open(Verb& program) {
  auto options = std::make_shared<OpenOptions>();
  Verb verb = program.verb("open", "A page in the browser: what if, lessons, results");
  verb.positional("WHAT", &options->what,
                  "A scenario, a submit file or DAG (and logs of such jobs), the number of a\n"
                  "lesson, results (--json), or logs; without it, the files that are here");
  verb.option("--port", &options->port, "Port on 127.0.0.1 (default: any free one)", "N")
      .whole_number(0, 65535);
  verb.option("--idle", &options->idle, "Ends after so long without a question", "TIME")
      .check([](std::string const& text) {
        auto const time = parse_seconds(text);
        return time && *time >= Seconds(1) && *time <= days(366) ? "" : "write 10 min, or 2 h";
      })
      .shows_default();
  verb.flag("--no-browser", options->no_browser, "Print the address and open nothing");
  add_strategy_option(verb, options->stream.strategy);
  add_set_option(verb, options->stream.overrides);
  add_goal_option(verb, options->goal);
  add_stream_options(verb, *options);
  verb.footer(
      "Only programs of this user that know the printed address are answered, and no file\n"
      "outside the current folder is opened.\n"
      "  gridcast open\n"
      "  gridcast open scenarios/osg-imagenet.yaml\n"
      "  gridcast open job.sub\n"
      "  gridcast open 3\n"
      "  gridcast open scenarios/osg-imagenet.yaml --stream -n 100\n"
      "  gridcast open scenarios/osg-imagenet.yaml --stream --compare -n 100");
  verb.runs([options] { return run_open(*options); });
}

}  // namespace gridcast::cli

// The program: picks the verb, and turns whatever goes wrong into one message and an exit code.
#include <csignal>
#include <cstdio>
#include <exception>
#include <functional>
#include <iostream>
#include <new>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/cli/arguments.hpp"
#include "sim/cli/calibrate.hpp"
#include "sim/cli/command_tree.hpp"
#include "sim/cli/compare.hpp"
#include "sim/cli/completion.hpp"
#include "sim/cli/doctor.hpp"
#include "sim/cli/exit_code.hpp"
#include "sim/cli/export.hpp"
#include "sim/cli/help.hpp"
#include "sim/cli/import.hpp"
#include "sim/cli/init.hpp"
#include "sim/cli/ledger.hpp"
#include "sim/cli/lesson.hpp"
#include "sim/cli/predict.hpp"
#include "sim/cli/replay.hpp"
#include "sim/cli/report.hpp"
#include "sim/cli/run.hpp"
#include "sim/cli/scale_scenario.hpp"
#include "sim/cli/schema.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/train.hpp"
#include "sim/cli/usage_error.hpp"
#include "sim/cli/validate.hpp"
#include "sim/cli/version.hpp"
#include "sim/report/text/help_text.hpp"

namespace gridcast::cli {
namespace {

void describe(CLI::App& app, Select const& select) {
  app.set_help_flag("-h,--help", "This help");
  app.set_version_flag(
      "--version",
      [&app] { return app.count("--verbose") > 0 ? version_in_full() : version_text(); },
      "Which gridcast this is");
  app.add_flag("--verbose")
      ->description("With --version: what it is built with, and how to cite it");
  app.require_subcommand(0, 1);
  add_run(app, select);
  add_predict(app, select);
  add_compare(app, select);
  add_replay(app, select);
  add_ledger(app, select);
  add_calibrate(app, select);
  add_validate(app, select);
  add_report(app, select);
  add_train(app, select);
  add_export(app, select);
  add_import(app, select);
  add_lesson(app, select);
  add_schema(app, select);
  add_scale_scenario(app, select);
  add_init(app, select);
  add_doctor(app, select);
  add_completion(app, select);
  add_help(app, select);
  // Behind the verbs, which would inherit it.
  app.footer(
      "Examples:\n"
      "  gridcast compare scenarios/osg-imagenet.yaml\n"
      "  gridcast ledger calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv\n"
      "Exit status: 0 done, 1 failed, 2 bad usage or input, 3 some replicas failed,\n"
      "4 a wrong answer to a lesson, 130 interrupted.\n"
      "gridcast VERB --help and gridcast help TOPIC say more.");
}

// Without memory nothing can be formatted. What the program has taken may lie in coroutines that
// nobody ends any more, so little of it comes back.
void tell_no_memory() {
  std::fputs(
      "gridcast: out of memory. Give it more (ulimit -v, the batch system's request), or simulate "
      "fewer jobs or slots.\n",
      stderr);
}

/// Where an exception cannot be passed on (out of SimGrid's or the library's own functions).
[[noreturn]] void end_without_way_out() {
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (std::bad_alloc const&) {
    tell_no_memory();
  } catch (std::exception const& error) {
    std::fputs("gridcast: ", stderr);
    std::fputs(error.what(), stderr);
    std::fputs("\n", stderr);
  } catch (...) {
  }
  std::_Exit(exit_code::failed);
}

/// Runs the verb; the results are on their way to stdout when it comes back.
int run_verb(std::function<int()> const& verb) {
  try {
    int const code = verb();
    std::cout.flush();
    if (std::cout) return code;
    fmt::print(stderr, "gridcast: the results cannot be written to standard output\n");
  } catch (InputError const& error) {
    fmt::print(stderr, "{}\n", error.what());
    return exit_code::bad_input;
  } catch (InternalError const& error) {
    fmt::print(stderr, "gridcast: a fault of gridcast's own: expected that {}\n", error.what());
  } catch (std::bad_alloc const&) {
    tell_no_memory();
  } catch (std::exception const& error) {
    fmt::print(stderr, "gridcast: {}\n", error.what());
  }
  return exit_code::failed;
}

/// At once: what an exception has left of SimGrid must not be taken down in good order.
[[noreturn]] void end_now(int code) {
  std::cout.flush();
  std::fflush(nullptr);
  std::_Exit(code);
}

/// SimGrid ends the process when its own invariants break; the exit code is to be ours.
extern "C" void end_as_failed(int) { std::_Exit(exit_code::failed); }

int show_help(CLI::App& app) {
  std::cout << report::help_text(command_tree(chosen_verb(app)), screen());
  return exit_code::done;
}

int run(int argc, char** argv) {
  std::function<int()> chosen;
  CLI::App app("Forecasts machine-learning training campaigns on a grid before they are submitted.",
               "gridcast");
  describe(app, [&chosen](std::function<int()> verb) { chosen = std::move(verb); });
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& error) {
    if (error.get_name() == "CallForHelp") return show_help(app);
    if (error.get_exit_code() == 0) return app.exit(error);
    fmt::print(stderr, "{}\n", usage_message(app, error));
    return exit_code::bad_input;
  }
  if (chosen) return run_verb(chosen);
  fmt::print(stderr, "{}\n", no_verb_message(app));
  return exit_code::bad_input;
}

}  // namespace
}  // namespace gridcast::cli

int main(int argc, char** argv) {
  // Whoever reads our results may stop before their end: then we stop as well, quietly.
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGABRT, gridcast::cli::end_as_failed);
  // A file that grows beyond its limit is an error of that write, like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  std::set_terminate(gridcast::cli::end_without_way_out);
  int const code = gridcast::cli::run(argc, argv);
  if (code == gridcast::cli::exit_code::failed || code == gridcast::cli::exit_code::interrupted) {
    gridcast::cli::end_now(code);
  }
  return code;
}

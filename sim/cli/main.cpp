// The program: picks the verb, and turns whatever goes wrong into one message and an exit code.
#include <csignal>
#include <cstdio>
#include <exception>
#include <functional>
#include <iostream>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "gridcast_version.hpp"
#include "sim/base/error.hpp"
#include "sim/cli/arguments.hpp"
#include "sim/cli/calibrate.hpp"
#include "sim/cli/compare.hpp"
#include "sim/cli/exit_code.hpp"
#include "sim/cli/export_events.hpp"
#include "sim/cli/import.hpp"
#include "sim/cli/ledger.hpp"
#include "sim/cli/lesson.hpp"
#include "sim/cli/predict.hpp"
#include "sim/cli/replay.hpp"
#include "sim/cli/report.hpp"
#include "sim/cli/run.hpp"
#include "sim/cli/scale_scenario.hpp"
#include "sim/cli/schema.hpp"
#include "sim/cli/train.hpp"
#include "sim/cli/usage_error.hpp"
#include "sim/cli/validate.hpp"

namespace gridcast {
namespace {

std::string version_text() {
  std::string const revision = version_revision;
  return "gridcast " + std::string(version_number) +
         (revision.empty() ? "" : " (" + revision + ")");
}

void describe(CLI::App& app, Select const& select) {
  app.set_version_flag("--version", version_text());
  app.footer(
      "Examples:\n"
      "  gridcast compare scenarios/osg-imagenet.yaml\n"
      "  gridcast ledger calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv\n"
      "Exit status: 0 done, 1 failed, 2 bad usage or input, 3 some replicas failed,\n"
      "4 a wrong answer to a lesson, 130 interrupted. gridcast VERB --help says more.");
  app.require_subcommand(0, 1);
  add_ledger(app, select);
  add_calibrate(app, select);
  add_validate(app, select);
  add_run(app, select);
  add_replay(app, select);
  add_predict(app, select);
  add_compare(app, select);
  add_report(app, select);
  add_train(app, select);
  add_export(app, select);
  add_import(app, select);
  add_lesson(app, select);
  add_schema(app, select);
  add_scale_scenario(app, select);
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
  } catch (std::exception const& error) {
    fmt::print(stderr, "gridcast: {}\n", error.what());
  }
  return exit_code::failed;
}

/// SimGrid ends the process when its own invariants break; the exit code is to be ours.
extern "C" void end_as_failed(int) { std::_Exit(exit_code::failed); }

int run(int argc, char** argv) {
  std::function<int()> chosen;
  CLI::App app("Forecasts machine-learning training campaigns on a grid before they are submitted.",
               "gridcast");
  describe(app, [&chosen](std::function<int()> verb) { chosen = std::move(verb); });
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    fmt::print(stderr, "{}\n", usage_message(app, error));
    return exit_code::bad_input;
  }
  if (chosen) return run_verb(chosen);
  fmt::print(stderr, "{}\n", no_verb_message(app));
  return exit_code::bad_input;
}

}  // namespace
}  // namespace gridcast

int main(int argc, char** argv) {
  // Whoever reads our results may stop before their end: then we stop as well, quietly.
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGABRT, gridcast::end_as_failed);
  return gridcast::run(argc, argv);
}

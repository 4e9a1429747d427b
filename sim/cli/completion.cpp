#include "sim/cli/completion.hpp"

#include <iostream>
#include <memory>
#include <utility>

#include "sim/cli/command_tree.hpp"
#include "sim/cli/exit_code.hpp"
#include "sim/report/text/completion_text.hpp"

namespace gridcast::cli {
namespace {

int run_completion(CLI::App& app, std::string const& shell) {
  report::Command const program = command_tree(app);
  std::cout << (shell == "bash"  ? report::bash_completion(program)
                : shell == "zsh" ? report::zsh_completion(program)
                                 : report::fish_completion(program));
  return exit_code::done;
}

}  // namespace

void add_completion(CLI::App& app, Select select) {
  auto shell = std::make_shared<std::string>();
  CLI::App* verb = app.add_subcommand("completion", "Completion of verbs and options for a shell");
  verb->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(one_of({"bash", "zsh", "fish"}))
      ->type_name("");
  verb->footer(
      "Examples:\n"
      "  eval \"$(gridcast completion bash)\"\n"
      "  gridcast completion fish > ~/.config/fish/completions/gridcast.fish\n"
      "The first belongs into ~/.bashrc. For zsh, into ~/.zshrc below compinit:\n"
      "source <(gridcast completion zsh)");
  verb->callback([&app, shell, select = std::move(select)] {
    select([&app, shell] { return run_completion(app, *shell); });
  });
}

}  // namespace gridcast::cli

// gridcast docs [PAGE]: the documentation that came with this program, without a network.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/closest.hpp"
#include "sim/base/error.hpp"
#include "sim/base/program.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/cli/verbs.hpp"

namespace gridcast::cli {
namespace {

namespace fs = std::filesystem;

struct DocsOptions {
  std::string page;
  bool no_browser = false, list = false;
};

/// A folder of pages, all with the same ending.
struct Docs {
  fs::path folder;
  std::string front, ending;
};

bool has(Docs const& docs) {
  std::error_code ignored;
  return fs::is_regular_file(docs.folder / (docs.front + docs.ending), ignored);
}

/// Made into HTML with the report page, else as they were written: of a build, of an installation, of
/// a checkout, from the program's folder upwards.
std::optional<Docs> find_docs(fs::path const& program) {
  for (bool const html : {true, false}) {
    for (auto folder = program.parent_path();; folder = folder.parent_path()) {
      for (auto const* place : {"page/docs", "share/doc/gridcast/html"}) {
        if (Docs const docs{folder / place, "index", ".html"}; html && has(docs)) return docs;
      }
      for (auto const* place : {"share/doc/gridcast/docs", "docs"}) {
        if (Docs const docs{folder / place, "README", ".md"}; !html && has(docs)) return docs;
      }
      if (!folder.has_relative_path()) break;
    }
  }
  return std::nullopt;
}

std::vector<std::string> pages_of(Docs const& docs) {
  std::vector<std::string> pages;
  for (auto const& entry : fs::directory_iterator(docs.folder)) {
    auto const& file = entry.path();
    bool const is_page = file.extension() == docs.ending && file.stem() != docs.front;
    if (is_page) pages.push_back(file.stem().string());
  }
  std::sort(pages.begin(), pages.end());
  return pages;
}

fs::path page_named(Docs const& docs, std::string name) {
  if (name.empty()) return docs.folder / (docs.front + docs.ending);
  if (name.ends_with(".md")) name.resize(name.size() - 3);
  auto const pages = pages_of(docs);
  if (std::find(pages.begin(), pages.end(), name) != pages.end()) {
    return docs.folder / (name + docs.ending);
  }
  auto const close = suggestion(name, pages);
  throw InputError(
      Problem{{},
              fmt::format("gridcast docs: there is no page '{}'", name),
              "",
              close.empty() ? fmt::format("There are {}.", fmt::join(pages, ", ")) : close});
}

int run_docs(DocsOptions const& options) {
  auto const docs = find_docs(program_file());
  if (!docs) {
    throw InputError(Problem{{},
                             "the documentation is not beside this gridcast",
                             "it is docs/ of a checkout, or share/doc/gridcast of an "
                             "installation; a program that was copied alone has none",
                             "Copy the folder too, or install (cmake --install). gridcast help "
                             "has a page on each topic."});
  }
  if (options.list) {
    for (auto const& page : pages_of(*docs)) std::cout << page << '\n';
    return exit_code::done;
  }
  fs::path const page = page_named(*docs, options.page);
  std::cout << page.string() << std::endl;
  if (!options.no_browser) open_in_browser(page);
  return exit_code::done;
}

}  // namespace

void add_docs(Verb& program) {
  auto options = std::make_shared<DocsOptions>();
  Verb verb = program.verb("docs", "The documentation, offline");
  verb.positional("PAGE", &options->page, "One of its pages (default: the front page)");
  verb.flag("--list", options->list, "The pages' names");
  verb.flag("--no-browser", options->no_browser, "Print where it is and open nothing");
  verb.footer(
      "Prints where the page is, and opens it where there is a screen.\n"
      "Examples:\n"
      "  gridcast docs\n"
      "  gridcast docs first-forecast");
  verb.runs([options] { return run_docs(*options); });
}

}  // namespace gridcast::cli

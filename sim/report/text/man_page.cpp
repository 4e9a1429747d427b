#include "sim/report/text/man_page.hpp"

#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/report/text/help_topics.hpp"

namespace gridcast::report {
namespace {

/// The code point of the UTF-8 character at `at`, which is moved behind it.
unsigned next_character(std::string_view text, std::size_t& at) {
  auto const byte = static_cast<unsigned char>(text[at++]);
  int const more = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : byte >= 0xC0 ? 1 : 0;
  unsigned code = more == 0 ? byte : byte & (0x3FU >> more);
  for (int i = 0; i < more && at < text.size(); ++i) {
    code = code << 6 | (static_cast<unsigned char>(text[at++]) & 0x3FU);
  }
  return code;
}

/// Text that roff prints as it is: a minus is a minus (people copy it), a backslash a backslash,
/// and no line begins with a request.
std::string escaped(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    unsigned const code = next_character(text, at);
    bool const begins = result.empty() || result.back() == '\n';
    if (begins && (code == '.' || code == '\'')) result += "\\&";
    if (code == '\\') {
      result += "\\e";
    } else if (code == '-') {
      result += "\\-";
    } else if (code == '\'') {
      result += "\\(aq";
    } else if (code == '`') {
      result += "\\(ga";
    } else if (code == '~') {
      result += "\\(ti";
    } else if (code == '^') {
      result += "\\(ha";
    } else if (code < 0x80) {
      result += static_cast<char>(code);
    } else {
      result += fmt::format("\\[u{:04X}]", code);
    }
  }
  return result;
}

std::string item(std::string const& title, std::string const& words) {
  return fmt::format(".TP\n\\fB{}\\fR\n{}\n", escaped(title), escaped(words));
}

std::string option_words(CommandOption const& option) {
  bool const shown = !option.fallback.empty() && !tells_default(option);
  return shown ? option.words + " [" + option.fallback + "]" : option.words;
}

std::string options_of(Command const& command) {
  std::string text;
  for (auto const& positional : command.positionals) {
    text += item(option_title(positional), option_words(positional));
  }
  for (auto const& option : command.options) {
    text += item(option_title(option), option_words(option));
  }
  return text;
}

std::string examples_of(Command const& command) {
  std::string text;
  for (auto const& example : command.examples) text += escaped(example) + "\n";
  return text.empty() ? text : ".PP\n.EX\n" + text + ".EE\n";
}

std::string verbs_below(Command const& command) {
  std::string text;
  for (auto const& verb : command.verbs) {
    text += fmt::format(".SS {}\n{}.\n.PP\n.B {}\n", escaped(verb.path), escaped(verb.words),
                        escaped(synopsis(verb)));
    if (verb.verbs.empty()) text += options_of(verb) + examples_of(verb);
    text += verbs_below(verb);
  }
  return text;
}

std::string list_of(std::vector<NamedWords> const& lines) {
  std::string text;
  for (auto const& [name, words] : lines) text += item(name, words);
  return text;
}

std::string topics() {
  std::string text;
  for (auto const& topic : help_topics()) text += item(topic.name, topic.words);
  return text;
}

}  // namespace

std::string man_page(Command const& program, std::string const& version) {
  return fmt::format(
             ".\\\" Made by gridcast help \\-\\-man; not to be edited.\n"
             ".TH GRIDCAST 1 \"\" \"gridcast {}\" \"User Commands\"\n"
             ".SH NAME\ngridcast \\- forecast machine\\-learning campaigns on a grid\n"
             ".SH SYNOPSIS\n.B gridcast\n.I VERB\n[\\fIOPTIONS\\fR]\n"
             ".SH DESCRIPTION\n{}\n",
             escaped(version), escaped(program.words)) +
         ".SH OPTIONS\n" + options_of(program) + ".SH VERBS\n" + verbs_below(program) +
         ".SH TOPICS\nOf\n.BR \"gridcast help\" :\n" + topics() + ".SH EXIT STATUS\n" +
         list_of(exit_code_words()) + ".SH ENVIRONMENT\n" + list_of(environment_words()) +
         ".SH EXAMPLES\n" + examples_of(program) +
         ".SH SEE ALSO\n.BR condor_submit (1),\n.BR condor_history (1)\n";
}

}  // namespace gridcast::report

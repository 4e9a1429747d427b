#include "sim/classad/pattern.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace gridcast::classad {
namespace {

constexpr std::uint32_t most_steps = 200'000;
constexpr std::size_t longest_pattern = 10'000;

std::uint32_t flags(std::string_view options) {
  std::uint32_t flags = 0;
  for (char const option : options) {
    switch (option) {
      case 'i':
      case 'I':
        flags |= PCRE2_CASELESS;
        break;
      case 'm':
      case 'M':
        flags |= PCRE2_MULTILINE;
        break;
      case 's':
      case 'S':
        flags |= PCRE2_DOTALL;
        break;
      case 'x':
      case 'X':
        flags |= PCRE2_EXTENDED;
        break;
      default:
        break;
    }
  }
  return flags;
}

struct Freer {
  void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
  void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
};

unsigned char const* bytes(std::string_view text) {
  return reinterpret_cast<unsigned char const*>(text.data());
}

}  // namespace

std::optional<Pattern> Pattern::compile(std::string const& pattern, std::string_view options) {
  if (pattern.size() > longest_pattern) return std::nullopt;
  int error = 0;
  std::size_t at = 0;
  pcre2_code* const code =
      pcre2_compile(bytes(pattern), pattern.size(), flags(options) | PCRE2_NEVER_BACKSLASH_C,
                    &error, &at, nullptr);
  if (!code) return std::nullopt;
  return Pattern(
      std::shared_ptr<void>(code, [](void* c) { pcre2_code_free(static_cast<pcre2_code*>(c)); }));
}

std::optional<std::vector<Pattern::Span>> Pattern::find(std::string_view text,
                                                        std::size_t from) const {
  auto const* const code = static_cast<pcre2_code const*>(code_.get());
  std::unique_ptr<pcre2_match_data, Freer> const data(
      pcre2_match_data_create_from_pattern(code, nullptr));
  std::unique_ptr<pcre2_match_context, Freer> const context(pcre2_match_context_create(nullptr));
  pcre2_set_match_limit(context.get(), most_steps);
  pcre2_set_depth_limit(context.get(), most_steps);
  int const groups =
      pcre2_match(code, bytes(text), text.size(), from, 0, data.get(), context.get());
  if (groups <= 0) return std::nullopt;
  std::size_t const* const offsets = pcre2_get_ovector_pointer(data.get());
  std::vector<Span> spans;
  for (int i = 0; i < groups; ++i) spans.push_back({offsets[2 * i], offsets[2 * i + 1]});
  // \K in a lookahead can put the begin behind the end.
  if (spans[0].begin > spans[0].end) return std::nullopt;
  return spans;
}

}  // namespace gridcast::classad

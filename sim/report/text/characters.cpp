#include "sim/report/text/characters.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace gridcast::report {
namespace {

using Range = std::pair<char32_t, char32_t>;

template <std::size_t N>
bool in(std::array<Range, N> const& ranges, char32_t code) {
  return std::any_of(ranges.begin(), ranges.end(), [code](Range const& range) {
    return code >= range.first && code <= range.second;
  });
}

constexpr std::array<Range, 9> wide = {{{0x1100, 0x115F},
                                        {0x2E80, 0xA4CF},
                                        {0xAC00, 0xD7A3},
                                        {0xF900, 0xFAFF},
                                        {0xFE30, 0xFE6F},
                                        {0xFF00, 0xFF60},
                                        {0xFFE0, 0xFFE6},
                                        {0x1F300, 0x1FAFF},
                                        {0x20000, 0x3FFFD}}};
constexpr std::array<Range, 8> on_the_one_before = {{{0x0300, 0x036F},
                                                     {0x0483, 0x0489},
                                                     {0x0591, 0x05BD},
                                                     {0x064B, 0x065F},
                                                     {0x1AB0, 0x1AFF},
                                                     {0x1DC0, 0x1DFF},
                                                     {0x20D0, 0x20F0},
                                                     {0xFE00, 0xFE0F}}};
constexpr std::array<Range, 7> not_shown = {{{0x00, 0x1F},
                                             {0x7F, 0x9F},
                                             {0x061C, 0x061C},
                                             {0x200B, 0x200F},
                                             {0x2028, 0x202E},
                                             {0x2060, 0x206F},
                                             {0xFEFF, 0xFEFF}}};

std::string_view ascii_likeness(char32_t code) {
  static constexpr std::pair<char32_t, std::string_view> likenesses[] = {
      {U'±', "+-"}, {U'…', "..."}, {U'–', "-"}, {U'—', "-"},  {U'×', "x"},
      {U'µ', "u"},  {U'‘', "'"},   {U'’', "'"}, {U'“', "\""}, {U'”', "\""}};
  for (auto const& [character, likeness] : likenesses) {
    if (character == code) return likeness;
  }
  return "?";
}

}  // namespace

Character character_at(std::string_view text, std::size_t at) {
  auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  unsigned const first = byte(0);
  if (first < 0x80) return {first, 1, true};
  std::size_t const bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  bool good = first >= 0xC2 && first <= 0xF4 && at + bytes <= text.size();
  char32_t code = first & (0x7FU >> bytes);
  for (std::size_t i = 1; good && i < bytes; ++i) {
    good = (byte(i) & 0xC0U) == 0x80U;
    code = code << 6 | (byte(i) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
  bool const surrogate = code >= 0xD800 && code < 0xE000;
  if (!good || code < least[bytes] || surrogate || code > 0x10FFFF) return {};
  return {code, bytes, true};
}

std::size_t text_width(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    Character const character = character_at(text, at);
    if (!in(on_the_one_before, character.code)) columns += in(wide, character.code) ? 2 : 1;
    at += character.bytes;
  }
  return columns;
}

std::size_t bytes_within(std::string_view text, std::size_t columns) {
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t const bytes = character_at(text, at).bytes;
    if (at > 0 && text_width(text.substr(0, at + bytes)) > columns) break;
    at += bytes;
  }
  return at;
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    Character const character = character_at(text, at);
    if (!character.good) return false;
    at += character.bytes;
  }
  return true;
}

std::string printable(std::string_view text, Charset charset) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    Character const character = character_at(text, at);
    if (!character.good || in(not_shown, character.code)) {
      result += '?';
    } else if (character.code >= 0x80 && charset == Charset::ascii) {
      result += ascii_likeness(character.code);
    } else {
      result += text.substr(at, character.bytes);
    }
    at += character.bytes;
  }
  return result;
}

}  // namespace gridcast::report

#include "sim/classad/lexer.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <system_error>

#include "sim/base/letter_case.hpp"

namespace gridcast::classad {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) { return (lower(c) >= 'a' && lower(c) <= 'z') || c == '_'; }
bool in_name(char c) { return begins_name(c) || is_digit(c); }

/// 1024 to the power that a letter behind a number stands for; 0 for no such letter.
std::int64_t factor(char letter) {
  switch (lower(letter)) {
    case 'b':
      return 1;
    case 'k':
      return 1LL << 10;
    case 'm':
      return 1LL << 20;
    case 'g':
      return 1LL << 30;
    case 't':
      return 1LL << 40;
    default:
      return 0;
  }
}

double real_in(std::string_view digits) {
  double real = 0;
  auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), real);
  if (error == std::errc::result_out_of_range) return HUGE_VAL;
  return real;
}

Value scaled(Value const& number, std::int64_t by) {
  auto const* const integer = number.as<std::int64_t>();
  std::int64_t product = 0;
  if (integer && !__builtin_mul_overflow(*integer, by, &product)) return product;
  return number.number() * static_cast<double>(by);
}

Value integer_in(std::string_view digits, int base) {
  std::int64_t integer = 0;
  auto const* const end = digits.data() + digits.size();
  auto const result = std::from_chars(digits.data(), end, integer, base);
  if (result.ec == std::errc()) return integer;
  return base == 10 ? Value(real_in(digits)) : Value(Error());
}

}  // namespace

Token Lexer::made(Token::Kind kind, std::size_t from) const {
  Token token;
  token.kind = kind;
  token.at = from;
  token.text = text_.substr(from, at_ - from);
  return token;
}

Token Lexer::bad(std::size_t at, std::string_view why) const {
  Token token;
  token.kind = Token::Kind::bad;
  token.at = at;
  token.text = why;
  return token;
}

void Lexer::skip_blanks_and_comments() {
  while (at_ < text_.size()) {
    char const c = peek();
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      ++at_;
    } else if (c == '/' && peek(1) == '/') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == '/' && peek(1) == '*' && text_.find("*/", at_ + 2) != std::string_view::npos) {
      at_ = text_.find("*/", at_ + 2) + 2;
    } else {
      return;
    }
  }
}

Token Lexer::next() {
  skip_blanks_and_comments();
  char const c = peek();
  if (at_ >= text_.size()) return made(Token::Kind::end, at_);
  if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
  if (c == '"') return quoted_text();
  if (c == '\'') return quoted_name();
  if (begins_name(c)) return word();
  return sign();
}

Token Lexer::number() {
  std::size_t const from = at_;
  Value value;
  if (peek() == '0' && lower(peek(1)) == 'x') {
    at_ += 2;
    std::size_t const digits = at_;
    while (is_digit(peek()) || (lower(peek()) >= 'a' && lower(peek()) <= 'f')) ++at_;
    if (at_ == digits) return bad(from, "no digits follow 0x");
    value = integer_in(text_.substr(digits, at_ - digits), 16);
  } else {
    while (is_digit(peek())) ++at_;
    bool real = false;
    if (peek() == '.' && (is_digit(peek(1)) || !begins_name(peek(1)))) {
      real = true;
      ++at_;
      while (is_digit(peek())) ++at_;
    }
    std::size_t const sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
    if (lower(peek()) == 'e' && is_digit(peek(1 + sign))) {
      real = true;
      at_ += 1 + sign;
      while (is_digit(peek())) ++at_;
    }
    auto const digits = text_.substr(from, at_ - from);
    bool const octal = !real && digits.size() > 1 && digits[0] == '0' &&
                       digits.find_first_of("89") == std::string_view::npos;
    value = real ? Value(real_in(digits)) : integer_in(digits, octal ? 8 : 10);
  }
  if (factor(peek()) != 0 && !in_name(peek(1))) value = scaled(value, factor(text_[at_++]));
  if (in_name(peek())) return bad(at_, "a letter right behind a number");
  Token token = made(Token::Kind::value, from);
  token.value = std::move(value);
  return token;
}

Token Lexer::quoted_text() {
  std::size_t const from = at_++;
  std::string text;
  while (at_ < text_.size() && peek() != '"') {
    // A backslash before the last quote of all is the end of a Windows path, not an escape.
    bool const escape = peek() == '\\' && peek(1) == '"' &&
                        text_.find_first_not_of(" \t\r\n", at_ + 2) != std::string_view::npos;
    if (escape) ++at_;
    text += text_[at_++];
  }
  if (at_ >= text_.size()) return bad(from, "a string without its closing quote");
  ++at_;
  Token token = made(Token::Kind::value, from);
  token.value = std::move(text);
  return token;
}

Token Lexer::quoted_name() {
  std::size_t const from = at_++;
  auto const end = text_.find('\'', at_);
  if (end == std::string_view::npos) return bad(from, "a quoted name without its closing quote");
  std::string name(text_.substr(at_, end - at_));
  at_ = end + 1;
  if (name.empty()) return bad(from, "an empty name");
  Token token = made(Token::Kind::name, from);
  token.name = std::move(name);
  return token;
}

Token Lexer::word() {
  std::size_t const from = at_;
  while (in_name(peek())) ++at_;
  Token token = made(Token::Kind::name, from);
  auto const is = [&token](std::string_view word) { return same_ignoring_case(token.text, word); };
  if (is("is") || is("isnt")) {
    token.kind = Token::Kind::sign;
    token.text = is("is") ? "=?=" : "=!=";
    return token;
  }
  if (is("true") || is("false")) token.value = is("true");
  if (is("error")) token.value = Error();
  if (!token.value.is_undefined() || is("undefined")) {
    token.kind = Token::Kind::value;
  } else {
    token.name = token.text;
  }
  return token;
}

Token Lexer::sign() {
  // The longer ones first.
  static constexpr std::array<std::string_view, 36> signs = {
      "=?=", "=!=", ">>>", "||", "&&", "==", "!=", "<=", ">=", "<<", ">>", "?:",
      "|",   "^",   "&",   "<",  ">",  "+",  "-",  "*",  "/",  "%",  "!",  "~",
      "?",   ":",   "(",   ")",  "{",  "}",  "[",  "]",  ",",  ";",  ".",  "="};
  std::size_t const from = at_;
  for (std::string_view const sign : signs) {
    if (text_.substr(at_).starts_with(sign)) {
      at_ += sign.size();
      return made(Token::Kind::sign, from);
    }
  }
  return bad(from, "a character that is no part of the language");
}

}  // namespace gridcast::classad

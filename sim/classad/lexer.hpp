// The words of a ClassAd expression: numbers (decimal, 0x, 0-octal, with K M G T behind), strings,
// names ('quoted' ones too), operators.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sim/classad/value.hpp"

namespace gridcast::classad {

struct Token {
  enum class Kind { end, value, name, sign, bad };
  Kind kind = Kind::end;
  std::size_t at = 0;     // offset in the text
  std::string_view text;  // as written; of `bad`, why it is
  std::string name;       // of a name, without quotes
  Value value;
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}
  Token next();
  std::string_view text() const { return text_; }

 private:
  void skip_blanks_and_comments();
  Token number();
  Token quoted_text();
  Token quoted_name();
  Token word();
  Token sign();
  Token made(Token::Kind kind, std::size_t from) const;
  Token bad(std::size_t at, std::string_view why) const;
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace gridcast::classad

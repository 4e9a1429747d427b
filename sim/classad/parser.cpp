// From the text of an expression to its tokens and its tree, by recursive descent.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/classad/expression.hpp"
#include "sim/classad/functions.hpp"
#include "sim/classad/value.hpp"

namespace gridcast::classad {
namespace {

struct Token {
  enum class Kind { end, value, name, sign, bad };
  Kind kind = Kind::end;
  std::size_t at = 0;     // offset in the text
  std::string_view text;  // as written; of `bad`, why it is
  std::string name;       // of a name, without quotes
  Value value;
};

bool begins_name(char c) { return (lower(c) >= 'a' && lower(c) <= 'z') || c == '_'; }
bool in_name(char c) { return begins_name(c) || is_digit(c); }

/// 1024 to the power that a letter behind a number stands for; 0 for no such letter.
std::int64_t factor(char letter) {
  constexpr std::string_view letters = "bkmgt";
  auto const power = letters.find(lower(letter));
  return power == std::string_view::npos ? 0 : std::int64_t{1} << 10 * power;
}

double real_of(std::string_view digits) {
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
  return base == 10 ? Value(real_of(digits)) : Value(Error());
}

/// Takes a text apart: numbers (decimal, 0x, 0-octal, with B K M G T behind), strings, names
/// ('quoted' ones too), operators.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token next() {
    skip_blanks_and_comments();
    char const c = peek();
    if (at_ >= text_.size()) return made(Token::Kind::end, at_);
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    if (c == '"') return quoted_text();
    if (c == '\'') return quoted_name();
    if (begins_name(c)) return word();
    return sign();
  }

  std::string_view text() const { return text_; }

 private:
  Token made(Token::Kind kind, std::size_t from) const {
    return {kind, from, text_.substr(from, at_ - from), {}, {}};
  }

  static Token bad(std::size_t at, std::string_view why) {
    return {Token::Kind::bad, at, why, {}, {}};
  }

  void skip_blanks_and_comments() {
    while (at_ < text_.size()) {
      char const c = peek();
      if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        ++at_;
      } else if (c == '/' && peek(1) == '/') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '/' && peek(1) == '*' &&
                 text_.find("*/", at_ + 2) != std::string_view::npos) {
        at_ = text_.find("*/", at_ + 2) + 2;
      } else {
        return;
      }
    }
  }

  Token number() {
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
      value = real ? Value(real_of(digits)) : integer_in(digits, octal ? 8 : 10);
    }
    if (factor(peek()) != 0 && !in_name(peek(1))) value = scaled(value, factor(text_[at_++]));
    if (in_name(peek())) return bad(at_, "a letter right behind a number");
    Token token = made(Token::Kind::value, from);
    token.value = std::move(value);
    return token;
  }

  Token quoted_text() {
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

  Token quoted_name() {
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

  Token word() {
    std::size_t const from = at_;
    while (in_name(peek())) ++at_;
    Token token = made(Token::Kind::name, from);
    auto const is = [&token](std::string_view word) {
      return same_ignoring_case(token.text, word);
    };
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

  Token sign() {
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

  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

constexpr int deepest_text = 500;

struct Precedence {
  std::string_view sign;
  Operator op;
  int level;  // the higher, the tighter it binds
};

constexpr std::array<Precedence, 21> binary = {{
    {"||", Operator::logical_or, 1},
    {"&&", Operator::logical_and, 2},
    {"|", Operator::bit_or, 3},
    {"^", Operator::bit_xor, 4},
    {"&", Operator::bit_and, 5},
    {"==", Operator::equal, 6},
    {"!=", Operator::not_equal, 6},
    {"=?=", Operator::is, 6},
    {"=!=", Operator::is_not, 6},
    {"<", Operator::less, 7},
    {"<=", Operator::less_equal, 7},
    {">", Operator::greater, 7},
    {">=", Operator::greater_equal, 7},
    {"<<", Operator::shift_left, 8},
    {">>", Operator::shift_right, 8},
    {">>>", Operator::shift_right_unsigned, 8},
    {"+", Operator::add, 9},
    {"-", Operator::subtract, 9},
    {"*", Operator::multiply, 10},
    {"/", Operator::divide, 10},
    {"%", Operator::remainder, 10},
}};

using NodePointer = std::unique_ptr<Node>;

class Parser {
 public:
  Parser(std::string_view text, Location const& where) : lexer_(text), where_(where) { advance(); }

  NodePointer whole() {
    NodePointer root = conditional();
    if (token_.kind != Token::Kind::end) {
      fail(token_.at, is("=") ? "'=' compares nothing here" : "something follows the expression",
           is("=") ? "Write '==' to compare." : "");
    }
    return root;
  }

 private:
  /// One more level of recursion, for as long as it lives.
  struct Level {
    explicit Level(Parser& of) : parser(of) {
      if (++parser.depth_ > deepest_text) parser.fail_deep();
    }
    ~Level() { --parser.depth_; }
    Level(Level const&) = delete;
    Level& operator=(Level const&) = delete;
    Parser& parser;
  };

  [[noreturn]] void fail(std::size_t at, std::string const& why, std::string hint = "") const {
    Location place = where_;
    place.column = std::max(place.column, 1) + static_cast<int>(at);
    std::string_view shown = trim(lexer_.text());
    bool const is_long = shown.size() > 200;
    refuse(place,
           fmt::format("'{}{}' is not a ClassAd expression", shown.substr(0, 200),
                       is_long ? "..." : ""),
           why, std::move(hint));
  }
  [[noreturn]] void fail_deep() const {
    fail(token_.at, fmt::format("nested deeper than {}", deepest_text));
  }

  bool is(std::string_view sign) const {
    return token_.kind == Token::Kind::sign && token_.text == sign;
  }
  bool take(std::string_view sign) {
    if (!is(sign)) return false;
    advance();
    return true;
  }
  void expect(std::string_view sign) {
    if (take(sign)) return;
    fail(token_.at, fmt::format("'{}' is missing", sign));
  }
  void advance() {
    token_ = lexer_.next();
    if (token_.kind == Token::Kind::bad) fail(token_.at, std::string(token_.text));
  }

  void add(Node& to, NodePointer child) const {
    to.height = std::max(to.height, child->height + 1);
    if (to.height > deepest_text) fail_deep();
    to.children.push_back(std::move(child));
  }
  static NodePointer make(Node::Kind kind) {
    auto node = std::make_unique<Node>();
    node->kind = kind;
    return node;
  }
  NodePointer operation(Operator op, NodePointer first) const {
    NodePointer node = make(Node::Kind::operation);
    node->op = op;
    add(*node, std::move(first));
    return node;
  }

  NodePointer conditional() {
    Level const level(*this);
    NodePointer condition = chain(1);
    bool const is_otherwise = is("?:");
    if (!is_otherwise && !is("?")) return condition;
    advance();
    NodePointer node =
        operation(is_otherwise ? Operator::otherwise : Operator::conditional, std::move(condition));
    if (!is_otherwise && take(":")) {
      node->op = Operator::otherwise;
    } else if (!is_otherwise) {
      add(*node, conditional());
      expect(":");
    }
    add(*node, conditional());
    return node;
  }

  Precedence const* binary_here(int level) const {
    if (token_.kind != Token::Kind::sign) return nullptr;
    auto const found =
        std::ranges::find_if(binary, [this](auto const& b) { return b.sign == token_.text; });
    return found != binary.end() && found->level >= level ? &*found : nullptr;
  }

  /// Operators that bind at least as tight as `level`. a op b op c is one node: a list of a
  /// thousand machines is not a thousand levels deep.
  NodePointer chain(int level) {
    NodePointer left = unary();
    bool may_extend = false;
    while (Precedence const* const found = binary_here(level)) {
      advance();
      if (!may_extend || left->op != found->op) left = operation(found->op, std::move(left));
      may_extend = true;
      add(*left, chain(found->level + 1));
    }
    return left;
  }

  NodePointer unary() {
    Level const level(*this);
    static constexpr std::array<std::pair<std::string_view, Operator>, 4> signs = {
        {{"!", Operator::logical_not},
         {"-", Operator::minus},
         {"+", Operator::plus},
         {"~", Operator::bit_not}}};
    for (auto const& [sign, op] : signs) {
      if (take(sign)) return operation(op, unary());
    }
    return postfix();
  }

  NodePointer postfix() {
    NodePointer node = primary();
    while (is(".") || is("[")) {
      bool const selects = is(".");
      advance();
      NodePointer outer = make(selects ? Node::Kind::select : Node::Kind::subscript);
      add(*outer, std::move(node));
      if (selects) {
        outer->name = name();
      } else {
        add(*outer, conditional());
        expect("]");
      }
      node = std::move(outer);
    }
    return node;
  }

  std::string name() {
    if (token_.kind != Token::Kind::name) fail(token_.at, "the name of an attribute is missing");
    std::string name = token_.name;
    advance();
    return name;
  }

  NodePointer primary() {
    if (token_.kind == Token::Kind::value) {
      NodePointer node = make(Node::Kind::literal);
      node->value = token_.value;
      advance();
      return node;
    }
    if (token_.kind == Token::Kind::name) return reference_or_call();
    if (take("(")) {
      NodePointer inner = conditional();
      expect(")");
      return inner;
    }
    if (take("{")) return items(make(Node::Kind::list), "}");
    if (take("[")) return ad();
    if (take(".")) {  // the root scope, which is MY
      NodePointer node = make(Node::Kind::my);
      node->name = name();
      return node;
    }
    fail(token_.at, token_.kind == Token::Kind::end ? "it ends too early"
                                                    : "a value or a name is missing here");
  }

  NodePointer items(NodePointer node, std::string_view closing) {
    while (!is(closing)) {
      add(*node, conditional());
      if (!take(",")) break;
    }
    expect(closing);
    return node;
  }

  NodePointer reference_or_call() {
    NodePointer node = make(Node::Kind::reference);
    bool const is_quoted = token_.text.starts_with('\'');
    node->name = name();
    if (take("(")) {
      node->kind = Node::Kind::call;
      node->function = find_function(node->name);
      node = items(std::move(node), ")");
      settle_if_constant(*node);
      return node;
    }
    bool const is_my = same_ignoring_case(node->name, "MY");
    if (is_quoted || !is(".") || (!is_my && !same_ignoring_case(node->name, "TARGET"))) return node;
    advance();
    node->kind = is_my ? Node::Kind::my : Node::Kind::target;
    node->name = name();
    return node;
  }

  NodePointer ad() {
    NodePointer node = make(Node::Kind::ad);
    while (!is("]")) {
      node->names.push_back(name());
      expect("=");
      add(*node, conditional());
      if (!take(";")) break;
    }
    expect("]");
    return node;
  }

  Lexer lexer_;
  Location where_;
  Token token_;
  int depth_ = 0;
};

}  // namespace

Expression parse(std::string_view text, Location const& where) {
  std::shared_ptr<Node const> root = Parser(text, where).whole();
  return Expression(std::string(trim(text)), std::move(root));
}

std::vector<std::string> conjuncts(std::string const& expression) {
  std::vector<std::string> parts;
  Lexer lexer(expression);
  std::size_t begin = 0;
  int depth = 0;
  while (true) {
    Token const token = lexer.next();
    if (token.kind == Token::Kind::end || token.kind == Token::Kind::bad) break;
    if (token.kind != Token::Kind::sign) continue;
    if (token.text == "(" || token.text == "{" || token.text == "[") ++depth;
    if (token.text == ")" || token.text == "}" || token.text == "]") --depth;
    if (depth > 0) continue;
    if (token.text == "||" || token.text == "?" || token.text == "?:") return {expression};
    if (token.text != "&&") continue;
    parts.emplace_back(trim(std::string_view(expression).substr(begin, token.at - begin)));
    begin = token.at + 2;
  }
  parts.emplace_back(trim(std::string_view(expression).substr(begin)));
  return parts;
}

// A name behind a point selects from the value before it, unless that is a scope.
std::string with_references(
    std::string const& expression,
    std::function<std::string(std::string_view scope, std::string_view name)> const& written) {
  std::string text;
  std::size_t copied = 0;
  Lexer lexer(expression);
  Token token = lexer.next();
  auto const take = [&] { return std::exchange(token, lexer.next()); };
  auto const is_sign = [&token](std::string_view sign) {
    return token.kind == Token::Kind::sign && token.text == sign;
  };
  while (token.kind != Token::Kind::end && token.kind != Token::Kind::bad) {
    bool const selects = is_sign(".");
    Token first = take();
    if (selects && token.kind == Token::Kind::name) take();
    if (first.kind != Token::Kind::name || is_sign("(")) continue;
    bool const scoped = is_sign(".") && (same_ignoring_case(first.text, "MY") ||
                                         same_ignoring_case(first.text, "TARGET"));
    if (scoped) take();
    Token const last = scoped ? take() : first;
    text += expression.substr(copied, first.at - copied);
    text += written(scoped ? std::string_view(first.name) : std::string_view(), last.name);
    copied = last.at + last.text.size();
  }
  return text + expression.substr(copied);
}

}  // namespace gridcast::classad

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/base/letter_case.hpp"
#include "sim/base/text.hpp"
#include "sim/classad/expression.hpp"
#include "sim/classad/functions.hpp"
#include "sim/classad/lexer.hpp"
#include "sim/classad/node.hpp"

namespace gridcast::classad {
namespace {

constexpr int deepest = 500;

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
      if (++parser.depth_ > deepest) parser.fail_deep();
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
    throw InputError(Problem{place,
                             fmt::format("'{}{}' is not a ClassAd expression", shown.substr(0, 200),
                                         is_long ? "..." : ""),
                             why, std::move(hint)});
  }
  [[noreturn]] void fail_deep() const {
    fail(token_.at, fmt::format("nested deeper than {}", deepest));
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
    if (to.height > deepest) fail_deep();
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
    auto const found = std::find_if(binary.begin(), binary.end(),
                                    [this](auto const& b) { return b.sign == token_.text; });
    return found != binary.end() && found->level >= level ? &*found : nullptr;
  }

  /// Operators that bind at least as tight as `level`. a op b op c is one node, so that a list of
  /// a thousand machines is not a thousand levels deep.
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
      return items(std::move(node), ")");
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

}  // namespace gridcast::classad

#include "sim/classad/expression.hpp"

#include <algorithm>
#include <optional>

#include "sim/base/text.hpp"
#include "sim/classad/functions.hpp"

namespace gridcast::classad {
namespace {

/// Adds the names of nodes of interest, each once, ignoring case.
template <class Interests>
void add_names(Node const& node, Interests const& interests, std::vector<std::string>& names) {
  auto const is_it = [&node](auto const& known) { return same_ignoring_case(known, node.name); };
  if (interests(node) && std::ranges::none_of(names, is_it)) names.push_back(node.name);
  for (auto const& child : node.children) add_names(*child, interests, names);
}

template <class Interests>
std::vector<std::string> names_in(Node const& root, Interests const& interests) {
  std::vector<std::string> names;
  add_names(root, interests, names);
  return names;
}

constexpr int deepest_evaluation = 1500;  // nodes and attributes within each other
constexpr int most_steps = 1'000'000;     // nodes of one evaluation, however often each

/// An ad of the expression itself, whose attributes those inside it see.
struct Inner {
  Node const& ad;
  Inner const* outer;
};

/// The scopes in which names are looked up.
struct Place {
  Scope const* my;
  Scope const* target;
  Inner const* inner = nullptr;
};

/// Attributes that are being evaluated, the innermost first: one that is needed for itself is an
/// error.
struct Pending {
  void const* owner;
  std::string_view name;
  Pending const* outer;
};

class Evaluator {
 public:
  explicit Evaluator(std::int64_t now) : now_(now) {}

  Value value_of(Node const& node, Place const& place) {
    if (++steps_ > most_steps || depth_ >= deepest_evaluation) return Error();
    ++depth_;
    Value value = of_kind(node, place);
    --depth_;
    return value;
  }

 private:
  Value of_kind(Node const& node, Place const& place) {
    switch (node.kind) {
      case Node::Kind::literal:
        return node.value;
      case Node::Kind::reference:
        return reference(node.name, place);
      case Node::Kind::my:
        return attribute(*place.my, place.target, node.name);
      case Node::Kind::target:
        return place.target ? attribute(*place.target, place.my, node.name) : Value();
      case Node::Kind::operation:
        return operation(node, place);
      case Node::Kind::call:
        return call(node, place);
      case Node::Kind::list:
        return values(node, place);
      case Node::Kind::ad:
        return ad(node, place);
      case Node::Kind::select:
        return selected(value_of(*node.children[0], place), node.name, place);
      case Node::Kind::subscript:
        return subscript(value_of(*node.children[0], place), value_of(*node.children[1], place),
                         place);
    }
    return Error();
  }

  List values(Node const& node, Place const& place) {
    return each_of(node.children, [&](auto const& child) { return value_of(*child, place); });
  }

  bool is_pending(void const* owner, std::string_view name) const {
    for (Pending const* at = pending_; at; at = at->outer) {
      if (at->owner == owner && same_ignoring_case(at->name, name)) return true;
    }
    return false;
  }

  Value guarded(void const* owner, std::string_view name, Node const& node, Place const& place) {
    if (is_pending(owner, name)) return Error();
    Pending const here{owner, name, pending_};
    pending_ = &here;
    Value value = value_of(node, place);
    pending_ = here.outer;
    return value;
  }

  /// An attribute of a scope, which is MY for its own expression.
  Value attribute(Scope const& scope, Scope const* other, std::string_view name) {
    Expression const* const expression = scope.expression(name);
    if (!expression) return scope.lookup(name);
    return guarded(&scope, name, expression->root(), {&scope, other});
  }

  Value reference(std::string_view name, Place const& place) {
    for (Inner const* inner = place.inner; inner; inner = inner->outer) {
      auto const& names = inner->ad.names;
      auto const found = std::ranges::find_if(
          names, [name](auto const& known) { return same_ignoring_case(known, name); });
      if (found == names.end()) continue;
      auto const& node = *inner->ad.children[static_cast<std::size_t>(found - names.begin())];
      return guarded(&inner->ad, name, node, {place.my, place.target, inner});
    }
    // A name without a scope: the ad of the job comes before that of the slot.
    for (auto const& [scope, other] :
         {std::pair(place.my, place.target), {place.target, place.my}}) {
      if (!scope) continue;
      if (Expression const* const found = scope->expression(name)) {
        return guarded(scope, name, found->root(), {scope, other});
      }
      if (Value value = scope->lookup(name); !value.is_undefined()) return value;
    }
    return same_ignoring_case(name, "CurrentTime") ? Value(now_) : Value();
  }

  Value operation(Node const& node, Place const& place) {
    Value value = value_of(*node.children[0], place);
    if (node.op == Operator::otherwise) {
      return value.is_undefined() ? value_of(*node.children[1], place) : value;
    }
    if (node.op == Operator::conditional) {
      return chosen(value, *node.children[1], *node.children[2], place);
    }
    if (node.children.size() == 1) return apply(node.op, value);
    for (std::size_t i = 1; i < node.children.size(); ++i) {
      auto const decided = truth(value);
      if (node.op == Operator::logical_and && decided == false) return false;
      if (node.op == Operator::logical_or && decided == true) return true;
      value = apply(node.op, value, value_of(*node.children[i], place));
    }
    return value;
  }

  Value chosen(Value const& condition, Node const& yes, Node const& no, Place const& place) {
    if (condition.is_undefined()) return Value();
    auto const decided = truth(condition);
    if (!decided) return Error();
    return value_of(*decided ? yes : no, place);
  }

  Value call(Node const& node, Place const& place) {
    if (node.constant) return node.value;
    Function const* const function = node.function;
    std::size_t const count = node.children.size();
    if (!function || count < function->least || count > function->most) return Error();
    if (function->special == Function::Special::time) return now_;
    if (function->special == Function::Special::if_then_else) {
      Value const condition = value_of(*node.children[0], place);
      return chosen(condition, *node.children[1], *node.children[2], place);
    }
    List const arguments = values(node, place);
    if (function->strictness == Strictness::strict) {
      auto const any = [&arguments](auto is) { return std::ranges::any_of(arguments, is); };
      if (any([](Value const& v) { return v.is_error(); })) return Error();
      if (any([](Value const& v) { return v.is_undefined(); })) return Value();
    }
    if (function->special == Function::Special::eval) return eval(arguments[0], place);
    return function->body({arguments, now_});
  }

  Value eval(Value const& value, Place const& place) {
    auto const* const text = value.as<std::string>();
    if (!text) return value;
    steps_ += static_cast<int>(std::min<std::size_t>(text->size(), most_steps));
    if (steps_ > most_steps || depth_ >= deepest_evaluation / 2) return Error();
    try {
      return value_of(parse(*text).root(), place);
    } catch (InputError const&) {
      return Error();
    }
  }

  Value ad(Node const& node, Place const& place) {
    Inner const inner{node, place.inner};
    Ad result;
    for (std::size_t i = 0; i < node.names.size(); ++i) {
      result.set(node.names[i], guarded(&node, node.names[i], *node.children[i],
                                        {place.my, place.target, &inner}));
    }
    return result;
  }

  Value selected(Value const& value, std::string const& name, Place const& place) {
    if (value.is_undefined() || value.is_error()) return value;
    if (Ad const* const ad = value.as_ad()) return attribute(*ad, place.target, name);
    List const* const list = value.as_list();
    if (!list || depth_ >= deepest_evaluation) return Error();
    ++depth_;
    List all = each_of(*list, [&](Value const& item) { return selected(item, name, place); });
    --depth_;
    return all;
  }

  Value subscript(Value const& value, Value const& index, Place const& place) {
    if (value.is_error() || index.is_error()) return Error();
    if (value.is_undefined() || index.is_undefined()) return Value();
    auto const* const name = index.as<std::string>();
    if (value.as_ad() && name) return selected(value, *name, place);
    auto const* const position = index.as<std::int64_t>();
    List const* const list = value.as_list();
    if (!list || !position || *position < 0) return Error();
    auto const at = static_cast<std::size_t>(*position);
    return at < list->size() ? (*list)[at] : Value(Error());
  }

  std::int64_t now_;
  int steps_ = 0;
  int depth_ = 0;
  Pending const* pending_ = nullptr;
};

bool is_name(std::string_view name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
  return std::ranges::all_of(name, [](char c) {
    return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

bool is_constant(Node const& node) {
  using enum Node::Kind;
  if (node.kind == literal) return true;
  if (node.kind == call) return node.constant;
  return (node.kind == operation || node.kind == list) &&
         std::ranges::all_of(node.children, [](auto const& child) { return is_constant(*child); });
}

/// True if a call needs the time of its evaluation, or more than its arguments show.
bool reads_clock(Node const& call) {
  if (!call.function) return false;
  using Special = Function::Special;
  Special const special = call.function->special;
  return special == Special::time || special == Special::eval ||
         (call.children.empty() && call.function->least == 0);
}

bool any_call_reads_clock(Node const& node) {
  return (node.kind == Node::Kind::call && reads_clock(node)) ||
         std::ranges::any_of(node.children,
                             [](auto const& child) { return any_call_reads_clock(*child); });
}

/// -3 is an operation on 3 to the language, and a value to those who write ads.
std::optional<Value> negative_number(Expression const& expression) {
  std::string_view const text = expression.text();
  if (!text.starts_with('-') || text.size() < 2 || text[1] < '0' || text[1] > '9') {
    return std::nullopt;
  }
  if (!expression.attributes().empty() || !expression.functions().empty()) return std::nullopt;
  Ad const nothing;
  Value value = evaluate(expression, {nothing});
  return value.is_number() ? std::optional(value) : std::nullopt;
}

}  // namespace

void settle_if_constant(Node& call) {
  if (!call.function || reads_clock(call)) return;
  if (!std::ranges::all_of(call.children, [](auto const& child) { return is_constant(*child); })) {
    return;
  }
  Ad const nothing;
  call.value = Evaluator(0).value_of(call, {&nothing, nullptr});
  call.constant = true;
}

bool Expression::reads_clock() const { return any_call_reads_clock(*root_); }

std::vector<std::string> Expression::attributes() const {
  return names_in(*root_, [](Node const& node) {
    return node.kind == Node::Kind::reference || node.kind == Node::Kind::my ||
           node.kind == Node::Kind::target;
  });
}

std::vector<std::string> Expression::functions() const {
  return names_in(*root_, [](Node const& node) { return node.kind == Node::Kind::call; });
}

std::vector<std::string> Expression::unknown_functions() const {
  return names_in(*root_,
                  [](Node const& node) { return node.kind == Node::Kind::call && !node.function; });
}

Value const* Expression::literal() const {
  return root_->kind == Node::Kind::literal ? &root_->value : nullptr;
}

Value evaluate(Expression const& expression, Context const& context) {
  return Evaluator(context.now).value_of(expression.root(), {&context.my, context.target});
}

bool holds(Value const& value) { return truth(value) == true; }

Ad::Attribute const* Ad::attribute(std::string_view name) const {
  auto const found = std::ranges::find_if(
      attributes_, [name](auto const& a) { return same_ignoring_case(a.name, name); });
  return found == attributes_.end() ? nullptr : &*found;
}

void Ad::set(std::string name, std::variant<Value, Expression> content) {
  if (auto const* const known = attribute(name)) {
    attributes_[static_cast<std::size_t>(known - attributes_.data())].content = std::move(content);
  } else {
    attributes_.push_back({std::move(name), std::move(content)});
  }
}

Value const* Ad::find(std::string_view name) const {
  auto const* const found = attribute(name);
  return found ? std::get_if<Value>(&found->content) : nullptr;
}

Expression const* Ad::expression(std::string_view name) const {
  auto const* const found = attribute(name);
  return found ? std::get_if<Expression>(&found->content) : nullptr;
}

Value Ad::lookup(std::string_view name) const {
  if (auto const* const value = find(name)) return *value;
  auto const* const found = expression(name);
  return found ? evaluate(*found, {*this}) : Value();
}

bool parse_attribute(std::string_view line, Ad& into) {
  auto const equals = line.find('=');
  if (equals == std::string_view::npos) return false;
  auto const name = trim(line.substr(0, equals));
  if (!is_name(name)) return false;
  try {
    Expression expression = parse(line.substr(equals + 1));
    if (Value const* const value = expression.literal()) {
      into.set(std::string(name), *value);
    } else if (auto const number = negative_number(expression)) {
      into.set(std::string(name), *number);
    } else {
      into.set(std::string(name), std::move(expression));
    }
  } catch (InputError const&) {
    return false;
  }
  return true;
}

}  // namespace gridcast::classad

#include "sim/classad/expression.hpp"

#include <algorithm>

#include "sim/base/letter_case.hpp"
#include "sim/classad/node.hpp"

namespace gridcast::classad {
namespace {

/// Adds a name unless it is there, whatever its case.
void note(std::vector<std::string>& names, std::string const& name) {
  auto const is_it = [&name](auto const& known) { return same_ignoring_case(known, name); };
  if (std::none_of(names.begin(), names.end(), is_it)) names.push_back(name);
}

template <class Visit>
void visit_all(Node const& node, Visit const& visit) {
  visit(node);
  for (auto const& child : node.children) visit_all(*child, visit);
}

}  // namespace

std::vector<std::string> Expression::attributes() const {
  std::vector<std::string> names;
  visit_all(*root_, [&names](Node const& node) {
    bool const refers = node.kind == Node::Kind::reference || node.kind == Node::Kind::my ||
                        node.kind == Node::Kind::target;
    if (refers) note(names, node.name);
  });
  return names;
}

std::vector<std::string> Expression::functions() const {
  std::vector<std::string> names;
  visit_all(*root_, [&names](Node const& node) {
    if (node.kind == Node::Kind::call) note(names, node.name);
  });
  return names;
}

std::vector<std::string> Expression::unknown_functions() const {
  std::vector<std::string> names;
  visit_all(*root_, [&names](Node const& node) {
    if (node.kind == Node::Kind::call && !node.function) note(names, node.name);
  });
  return names;
}

Value const* Expression::literal() const {
  return root_->kind == Node::Kind::literal ? &root_->value : nullptr;
}

}  // namespace gridcast::classad

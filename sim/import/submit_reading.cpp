#include "sim/import/submit_reading.hpp"

#include <utility>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/import/submit_commands.hpp"

namespace gridcast::import {

condor::SubmitValue const* SubmitReading::find(std::string const& command) const {
  for (std::string const& name : {command, attribute_of(command)}) {
    auto const found = group.commands.find(name);
    if (found != group.commands.end() && !trim(found->second.text).empty()) return &found->second;
  }
  return nullptr;
}

void SubmitReading::note(Location const& where, std::string what) {
  result.notes.push_back({where, std::move(what)});
}

void SubmitReading::complain(condor::SubmitValue const& value, std::string what, std::string why,
                             std::string hint) {
  problems.push_back({value.where, std::move(what), std::move(why), std::move(hint)});
}

void SubmitReading::not_understood(std::string const& command, condor::SubmitValue const& value) {
  note(value.where, fmt::format("not understood: {} = {}", command, value.text));
}

Rule parsed(SubmitReading& reading, std::string const& command, condor::SubmitValue const& value) {
  try {
    classad::Expression expression = classad::parse(value.text, value.where);
    if (expression.unknown_functions().empty()) return expression;
    reading.note(value.where,
                 fmt::format("not understood: {} = {}: there is no function {}()", command,
                             value.text, expression.unknown_functions().front()));
  } catch (InputError const& error) {
    for (Problem problem : error.problems()) {
      problem.where = value.where;
      problem.what = command + ": " + problem.what;
      reading.problems.push_back(std::move(problem));
    }
  }
  return std::nullopt;
}

}  // namespace gridcast::import

// The arguments of all verbs that read recorded campaigns.
#pragma once

#include <string>

#include "sim/cli/command_line.hpp"
#include "sim/import/recorded_campaign.hpp"

namespace gridcast::cli {

struct RecordArguments {
  std::string columns;  // of another program's table
  bool prefix = false;

  auto options() const -> import::RecordOptions {
    return {columns, prefix ? import::SameNames::keep_apart : import::SameNames::refuse};
  }
};

/// --columns and --prefix.
void add_record_options(Verb& verb, RecordArguments& arguments);

}  // namespace gridcast::cli

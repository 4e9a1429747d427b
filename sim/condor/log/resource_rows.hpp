// Resources in the events 004, 005 and 006: rows of a table and figures in the text form,
// attributes in the JSON and XML forms.
// Wording: condor_event.cpp of HTCondor 9 to 25; manual, "Job Event Log Codes".
#pragma once

#include <string_view>

#include "sim/condor/log/event_reader.hpp"

namespace gridcast::condor {

/// A row of the table: "Memory (MB)          :      503     3000      3072", in which the columns
/// end below "Usage", "Request" and "Allocated" (`header`, the table's first line). A blank column
/// is unknown. False if a cell has a number that no amount can be, such as one of 26 digits.
bool read_resource_row(RawEvent& event, std::string_view row, std::string_view header);

/// "Usr 0 01:02:03, Sys 0 00:00:10  -  Run Remote Usage" and "503  -  MemoryUsage of job (MB)".
void read_usage_figure(RawEvent& event, std::string_view figure);

/// MemoryUsage, RequestMemory, Memory and the like; RunRemoteUsage.
void read_resource_attribute(RawEvent& event, std::string_view name, std::string_view value);

}  // namespace gridcast::condor

#include "sim/condor/submit/own_attributes.hpp"

#include "tests/condor/project_folder.hpp"
#include "tests/test.hpp"

namespace gridcast::condor {

using test::Project;

TEST_CASE("expressions have the values of attributes that their submit file defines") {
  Project const project;
  project.write("x.sub",
                "MY.InitialRequestMemory = 2048\n+Limit = Hours * 3600\n+Hours = 2\n"
                "request_memory = ifthenelse(LastHoldReasonCode =!= 34, InitialRequestMemory, "
                "int(1.5 * MemoryUsage))\n"
                "periodic_remove = time() - JobCurrentStartDate > my.limit\nqueue\n");
  SubmitFile const file = read_submit_file("x.sub", {"request_memory"});
  CHECK(file.groups.front().text("request_memory") ==
        "ifthenelse(LastHoldReasonCode =!= 34, (2048), int(1.5 * MemoryUsage))");
  CHECK(file.commands.at("periodic_remove").text == "time() - JobCurrentStartDate > ((2) * 3600)");
  CHECK(file.commands.at("+Limit").text == "Hours * 3600");
}

TEST_CASE("another ad's attribute, a text and a function keep their names") {
  SubmitCommands commands;
  commands["+Site"] = {"\"a\"", {}};
  commands["+Round"] = {"Round + 1", {}};
  auto const text = [&](char const* expression) {
    return with_own_attributes(expression, commands);
  };
  CHECK(text("TARGET.Site == \"Site\"") == "TARGET.Site == \"Site\"");
  CHECK(text("Site == MySite") == "(\"a\") == MySite");
  CHECK(text("round(3.5)") == "round(3.5)");
  CHECK(text("round (3.5)") == "round (3.5)");
  CHECK(text("Round > 2").size() < 200);  // a circle ends
}

}  // namespace gridcast::condor

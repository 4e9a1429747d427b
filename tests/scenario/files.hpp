// A small scenario with its pool and calibration in a folder of its own, to read and to break.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace gridcast::test {

inline constexpr char scenario_name[] = "scenario.yaml";
inline constexpr char pool_name[] = "pool.yaml";
inline constexpr char calibration_name[] = "calibration.yaml";

/// Names and values of a row of draws, for the sites A and B.
std::vector<std::string> draw_columns();
std::vector<double> draw_row();

class ScenarioFiles {
 public:
  ScenarioFiles();
  ~ScenarioFiles();
  ScenarioFiles(ScenarioFiles const&) = delete;
  ScenarioFiles& operator=(ScenarioFiles const&) = delete;

  std::filesystem::path operator/(std::string const& name) const { return folder_ / name; }
  void write(std::string const& name, std::string const& text) const;
  std::string text(std::string const& name) const;
  /// Replaces the one place where `from` stands.
  ScenarioFiles& edit(std::string const& name, std::string const& from, std::string const& to);
  ScenarioFiles& remove(std::string const& name);

  /// The messages on reading the scenario, one text a problem, without the folder's name; empty if
  /// all is well.
  std::vector<std::string> problems() const;
  /// The same for anything else that reads.
  std::vector<std::string> problems(std::function<void()> const& read) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace gridcast::test

// Writes the tables of tables.cpp as Markdown.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "lgode/core/json_text.h"
#include "lgode/core/methods.h"
#include "lgode/reproduce/paper_tables.h"
#include "lgode/reproduce/tables.h"
#include "lgode/reproduce/wrap.h"

namespace lgode::reproduce {
namespace {

using nlohmann::ordered_json;

constexpr const char* kNothing = "–";

std::string paragraph(const std::string& text) { return wrapped(text, ""); }
std::string item(const std::string& text) { return wrapped("- " + text, "  "); }

// Decimals for an error x 10^-2: four as in the paper, more where only zeros would be left.
int decimals(double hundredths) {
  if (!(std::abs(hundredths) > 0) || std::abs(hundredths) >= 0.01) return 4;
  return static_cast<int>(std::ceil(-std::log10(std::abs(hundredths)))) + 1;
}

std::string error_text(double mse) { return fmt::format("{:.{}f}", 100 * mse, decimals(100 * mse)); }

// "0.0061 ± 0.0003", from the entries of that prefix; empty where there are none.
std::string average_text(const ordered_json& result, const std::string& prefix) {
  if (!result.contains(prefix + "mean")) return {};
  const double mean = 100 * result[prefix + "mean"].get<double>();
  const ordered_json& deviation = result[prefix + "deviation"];
  if (deviation.is_null()) return fmt::format("{:.{}f}", mean, decimals(mean));
  const double spread = 100 * deviation.get<double>();
  return fmt::format("{:.{}f} ± {:.{}f}", mean, decimals(mean), spread, std::max(decimals(mean), decimals(spread)));
}

std::string ratio_text(double ratio) {
  return ratio < 0.0995 ? fmt::format("{:.2g}", ratio) : fmt::format("{:.2f}", ratio);
}

std::string line(const std::string& label, const ordered_json& cells,
                 const std::function<std::string(const ordered_json&)>& text) {
  std::string result = "| " + label + " |";
  for (const ordered_json& cell : cells) {
    const std::string word = text(cell);
    result += fmt::format(" {} |", word.empty() ? kNothing : word);
  }
  return result + "\n";
}

// Failed cells are numbered through both tables.
class Failures {
 public:
  int number(const std::string& cell, const std::string& reason) {
    reasons_.push_back(fmt::format("{}: {}", cell, reason));
    return static_cast<int>(reasons_.size());
  }
  std::string section() const {
    if (reasons_.empty()) return {};
    std::string text = "\n## Failed\n\n";
    for (std::size_t i = 0; i < reasons_.size(); ++i) text += wrapped(fmt::format("{}. {}", i + 1, reasons_[i]), "   ");
    return text;
  }

 private:
  std::vector<std::string> reasons_;
};

bool any(const ordered_json& cells, const std::function<bool(const ordered_json&)>& is) {
  return std::any_of(cells.begin(), cells.end(), is);
}

// A model's result: errors, failures and cells that are not done.
std::string result_text(const ordered_json& result, Failures& failures) {
  if (result.is_null()) return {};
  std::string text = average_text(result, "");
  const auto add = [&](const std::string& word) { text += (text.empty() ? "" : ", ") + word; };
  if (result.contains("failed"))
    for (const ordered_json& failed : result["failed"])
      add(fmt::format("failed ({})", failures.number(failed["cell"], failed["reason"])));
  if (result.contains("skipped"))
    add("skipped");
  else if (result.contains("not_done"))
    add(fmt::format("{} not done", result["not_done"].get<int>()));
  return text;
}

std::string row_lines(const ordered_json& row, bool interpolation, Failures& failures) {
  const ordered_json& cells = row["cells"];
  const auto has = [](const char* protocol, const char* key) {
    return [=](const ordered_json& cell) { return !cell[protocol].is_null() && cell[protocol].contains(key); };
  };
  const auto show = [](const char* protocol, const std::string& prefix) {
    return
        [=](const ordered_json& cell) { return cell[protocol].is_null() ? "" : average_text(cell[protocol], prefix); };
  };
  const auto ratio = [](const char* protocol) {
    return [=](const ordered_json& cell) {
      return cell[protocol].is_null() || !cell[protocol].contains("ratio") ? "" : ratio_text(cell[protocol]["ratio"]);
    };
  };
  const std::string name = fmt::format("**{}**", row["shown"].get<std::string>());
  std::string text =
      line(name, cells, [&](const ordered_json& cell) { return result_text(cell["protocol_clean"], failures); });
  if (interpolation && any(cells, has("protocol_clean", "unseen_mean")))
    text += line("unseen targets", cells, show("protocol_clean", "unseen_"));
  if (any(cells, has("protocol_clean", "first_half_mean")))
    text += line("first half", cells, show("protocol_clean", "first_half_"));
  if (any(cells, has("protocol_clean", "within_mean")))
    text += line("clear of the walls", cells, show("protocol_clean", "within_"));
  const bool both = any(cells, [](const ordered_json& cell) { return !cell["protocol_paper"].is_null(); });
  if (both)
    text += line("paper's protocol", cells,
                 [&](const ordered_json& cell) { return result_text(cell["protocol_paper"], failures); });
  if (any(cells, [](const ordered_json& cell) { return !cell["paper"].is_null(); }))
    text += line("in the paper", cells, [](const ordered_json& cell) { return error_text(cell["paper"]); });
  if (any(cells, has("protocol_clean", "ratio"))) text += line("ours / paper", cells, ratio("protocol_clean"));
  if (any(cells, has("protocol_paper", "ratio")))
    text += line("ours / paper, paper's protocol", cells, ratio("protocol_paper"));
  return text;
}

std::string classical_lines(const ordered_json& baseline, bool interpolation) {
  const ordered_json& cells = baseline["cells"];
  const std::string name = classical_display_name(baseline["name"].get<std::string>());
  const auto show = [](const char* protocol, const std::string& prefix) {
    return
        [=](const ordered_json& cell) { return cell[protocol].is_null() ? "" : average_text(cell[protocol], prefix); };
  };
  std::string text = line(fmt::format("*{}*", name), cells, show("protocol_clean", ""));
  if (interpolation) text += line("unseen targets", cells, show("protocol_clean", "unseen_"));
  if (any(cells, [](const ordered_json& cell) { return !cell["protocol_paper"].is_null(); }))
    text += line("paper's protocol", cells, show("protocol_paper", ""));
  return text;
}

std::string table_text(const ordered_json& table, Failures& failures) {
  const bool interpolation = table["task"] == kTasks[0];
  std::string text = fmt::format("\n## {}\n\n|", interpolation ? "Interpolation" : "Extrapolation");
  for (const ordered_json& cell : table["rows"][0]["cells"])
    text += fmt::format(" | {} {} %", cell["dataset"].get<std::string>(), cell["observed"].get<int>());
  text += " |\n|---|";
  for (std::size_t i = 0; i < table["rows"][0]["cells"].size(); ++i) text += "---|";
  text += "\n";
  for (const ordered_json& row : table["rows"]) text += row_lines(row, interpolation, failures);
  for (const ordered_json& baseline : table["classical"]) text += classical_lines(baseline, interpolation);
  return text;
}

std::string list(const ordered_json& values) {
  std::vector<std::string> words;
  for (const ordered_json& value : values) words.push_back(plain_text(value));
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "));
}

std::string head(const ordered_json& tables) {
  const ordered_json& sources = tables["sources"];
  std::string text = "# The paper's tables, and ours\n\n";
  text += paragraph(
      "Mean squared errors × 10⁻² on the test part, in normalised units, of the mean path. Made by `lgode reproduce` "
      "from result records.");
  text += "\n";
  text += item(
      "In bold, a model: protocol `clean`, that is scales from the training part, a tenth of the training systems held "
      "out, and the checkpoint with the lowest error on these. All targets, including those that the encoder has seen; "
      "mean ± standard deviation over several seeds.");
  text +=
      item("*unseen targets*: the same, for targets that the encoder has not seen. In extrapolation all are unseen.");
  text += item(
      "*first half*: the same, for the first half of a forecast. *clear of the walls*: for the test systems whose "
      "objects stay at least 0.05 away from the walls of their box throughout; hardly any training system of springs "
      "touches a wall, so that nobody can learn them.");
  text += item(
      "*paper's protocol*: a separate training with scales from training and test part, no validation part, and the "
      "checkpoint with the lowest test error. This choice uses the test part, as the paper's numbers do.");
  text += item("*in the paper*: Huang, Sun, Wang, NeurIPS 2020. *ours / paper*: below 1 is better than the paper.");
  text += item("In italics, classical baselines: they see the observations that the models see.");
  text += item("–: not requested, or without a record.");
  text += "\n";
  const std::string scale =
      tables["scale"].is_null() ? "" : fmt::format("Scale: {}. ", tables["scale"].get<std::string>());
  text += paragraph(fmt::format("{}Seeds: {}. Trained at commit: {}. Machine: {}.", scale, list(sources["seeds"]),
                                list(sources["commits"]), list(sources["machines"])));
  if (sources["sizes"].empty()) return text;
  text +=
      "\n| | training systems | test systems | epochs, interpolation | epochs, extrapolation "
      "|\n|---|---|---|---|---|\n";
  for (const auto& [dataset, sizes] : sources["sizes"].items()) {
    text += fmt::format("| {} |", dataset);
    for (const char* key : {"train_systems", "test_systems", "epochs_interpolate", "epochs_extrapolate"})
      text += fmt::format(" {} |", sizes.contains(key) ? list(sizes[key]) : kNothing);
    text += "\n";
  }
  return text;
}

}  // namespace

std::string tables_markdown(const ordered_json& tables) {
  std::string text = head(tables);
  Failures failures;
  for (const ordered_json& table : tables["tables"]) text += table_text(table, failures);
  text += failures.section();
  if (!tables["skipped"].empty()) text += "\n## Skipped\n\n";
  for (const auto& [dataset, reason] : tables["skipped"].items())
    text += item(fmt::format("{}: {}", dataset, reason.get<std::string>()));
  if (!tables["notes"].empty()) text += "\n## Notes\n\n";
  for (const ordered_json& note : tables["notes"]) text += item(note.get<std::string>());
  return text;
}

}  // namespace lgode::reproduce

// The page: what data may hold, and what may not leave its place.
#include "lgode/report/page.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lgode/core/file.h"
#include "lgode/core/methods.h"
#include "support/temp_folder.h"

namespace lgode::report {
namespace {

using nlohmann::ordered_json;

TEST(Page, EscapesWhatCouldEndTheScript) {
  const ordered_json data = {{"a", "</script><script>alert(1)</script>"},
                             {"b", "<!-- & -->"},
                             {"c", "\xE2\x80\xA8 \xE2\x80\xA9 \xE2\x80\xA7"},
                             {"d", "\\u003c \"quoted\""}};
  const std::string text = script_json(data);
  for (const char* bad : {"<", ">", "&", "\xE2\x80\xA8", "\xE2\x80\xA9"})
    EXPECT_EQ(text.find(bad), std::string::npos) << bad;
  EXPECT_NE(text.find("\\u2028"), std::string::npos);
  EXPECT_NE(text.find("\xE2\x80\xA7"), std::string::npos);  // others stay
  EXPECT_EQ(ordered_json::parse(text), data);               // and it is the same data
}

TEST(Page, ReplacesBytesThatAreNoText) { EXPECT_EQ(script_json({{"a", "x\xFFy"}}), "{\"a\":\"x\xEF\xBF\xBDy\"}"); }

TEST(Page, IsOneFileWithAPolicyThatForbidsTheRest) {
  const std::string text = page("<run> & \"more\"", {{"kind", "run"}});
  EXPECT_NE(text.find("<title>&lt;run&gt; &amp; &quot;more&quot;</title>"), std::string::npos);
  EXPECT_NE(text.find("default-src 'none'; script-src 'sha256-"), std::string::npos);
  for (const char* outside : {"src=\"http", "href=\"http", "@import", "unsafe-inline"})
    EXPECT_EQ(text.find(outside), std::string::npos) << outside;
  // One script with data, one that draws.
  std::size_t scripts = 0;
  for (std::size_t at = 0; (at = text.find("</script>", at)) != std::string::npos; ++at) ++scripts;
  EXPECT_EQ(scripts, 2U);
  EXPECT_LT(empty_page_size(), 1'000'000U);
}

TEST(Page, NamesTheClassicalMethodsInTheirOrder) {
  const std::string text = page("a", ordered_json::object()), begin = "id=\"data\">";
  const std::size_t from = text.find(begin) + begin.size();
  const ordered_json data = ordered_json::parse(text.substr(from, text.find("</script>", from) - from));
  ASSERT_EQ(data.at("methods").size(), std::size(kClassicalMethods));
  for (std::size_t k = 0; k < std::size(kClassicalMethods); ++k) {
    EXPECT_EQ(data["methods"][k]["key"], kClassicalMethods[k].key);
    EXPECT_EQ(data["methods"][k]["name"], kClassicalMethods[k].name);
  }
  EXPECT_FALSE(data["methods"][0]["own_forecasts"].get<bool>());  // a line holds after the last observation
  EXPECT_TRUE(data["methods"][2]["own_forecasts"].get<bool>());
}

TEST(Page, KnowsItsOwnKind) {
  const testing::TempFolder folder;
  write_file(folder.path() / "page.html", Overwrite::kRefuse, page("a", ordered_json::object()));
  write_file(folder.path() / "other.html", Overwrite::kRefuse, "<!doctype html>\n<p>mine</p>\n");
  EXPECT_TRUE(is_page(folder.path() / "page.html"));
  EXPECT_FALSE(is_page(folder.path() / "other.html"));
  EXPECT_FALSE(is_page(folder.path() / "absent.html"));
}

}  // namespace
}  // namespace lgode::report

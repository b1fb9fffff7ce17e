#include "core/rules/rules.h"

#include "surveyFixture.h"

using namespace stowage;
using stowage::testing::FoundEntry;
using stowage::testing::SurveyFixture;

namespace {

/** The rules of gitignore(5) for `*`, `**`, `?`, `\` and literals, by trying everything. */
bool matchesSlowly(const std::string& pattern, size_t at, const std::string& path, size_t from) {
    if (at == pattern.size()) return from == path.size();
    if (pattern[at] == '*') {
        const size_t end = std::min(pattern.find_first_not_of('*', at), pattern.size());
        const bool opens = at == 0 || pattern[at - 1] == '/';
        const bool closes = end == pattern.size() || pattern[end] == '/' || pattern.substr(end, 2) == "\\/";
        const bool deep = end - at >= 2 && opens && closes;
        if (deep && end == pattern.size()) return true;
        if (deep && pattern[end] == '/' && matchesSlowly(pattern, end + 1, path, from)) return true;
        for (size_t to = from; to <= path.size(); ++to) {
            if (matchesSlowly(pattern, end, path, to)) return true;
            if (to < path.size() && path[to] == '/' && !deep) break;
        }
        return false;
    }
    if (from == path.size()) return false;
    if (pattern[at] == '?') return path[from] != '/' && matchesSlowly(pattern, at + 1, path, from + 1);
    if (pattern[at] == '\\') ++at;
    return at < pattern.size() && pattern[at] == path[from] && matchesSlowly(pattern, at + 1, path, from + 1);
}

} // namespace

TEST(Globs, MatchLikeTryingEverything) {
    std::mt19937 random(3);
    const std::vector<std::string> parts = {"a", "b", "/", "*", "**", "?", "\\a", "**/", "/**", "\\/"};
    size_t matches = 0;
    for (int round = 0; round < 200'000; ++round) {
        std::string pattern;
        for (size_t left = 1 + random() % 6; left > 0; --left)
            pattern += parts[random() % parts.size()];
        std::string path = "a";
        for (size_t left = random() % 8; left > 0; --left)
            path += "ab/"[path.back() == '/' ? random() % 2 : random() % 3];
        if (path.back() == '/') path += 'b';
        const bool expected = matchesSlowly(pattern, 0, path, 0);
        matches += expected ? 1 : 0;
        ASSERT_EQ(globMatches(pattern, path), expected) << pattern << " against " << path;
    }
    EXPECT_GT(matches, 10'000U);
}

TEST(Globs, TakeNoMoreThanTheProductOfBothLengths) {
    std::string pattern;
    for (int i = 0; i < 2'000; ++i)
        pattern += "*a";
    const std::string path = std::string(20'000, 'a') + 'b';
    EXPECT_FALSE(globMatches(pattern, path));
    std::string deep;
    for (int i = 0; i < 2'000; ++i)
        deep += "**/a/";
    std::string folders;
    for (int i = 0; i < 10'000; ++i)
        folders += "a/";
    EXPECT_FALSE(globMatches(deep + "b", folders + "c"));
}

TEST(Globs, NameThePlaceOfWhatCannotBeUnderstood) {
    EXPECT_FALSE(globFault("a[]b]c"));
    EXPECT_EQ(globFault("ab[c")->offset, 2U);
    EXPECT_EQ(globFault("a\\")->offset, 1U);
    EXPECT_EQ(globFault("[[:no:]]")->cause, "unknown class of characters");
    const RuleList list = RuleList::ofFile("ok\n# [\n!/ab[c\n");
    ASSERT_EQ(list.faults.size(), 1U);
    EXPECT_EQ(list.faults[0].line, 3U);
    EXPECT_EQ(list.faults[0].column, 5U);
}

TEST(Globs, ReadUtf8AsItIsDefined) {
    EXPECT_TRUE(isUtf8("a\xc3\xa9\xe6\x97\xa5\xf0\x9f\x93\xb7"));
    for (const char* wrong :
         {"\xe9", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe6\x97", "\x80", "\xf8"})
        EXPECT_FALSE(isUtf8(wrong)) << wrong;
}

class Ruling : public SurveyFixture {
  protected:
    SurveyOptions with(RuleSettings rules) const {
        SurveyOptions given = options();
        given.rules = std::move(rules);
        return given;
    }

    static std::set<std::string> pathsOf(const std::multimap<std::string, FoundEntry>& found) {
        std::set<std::string> paths;
        for (const auto& [path, entry] : found)
            paths.insert(path);
        return paths;
    }
};

TEST_F(Ruling, LeaveOutAndCountWhatTheySay) {
    write("kept.jpg", "1");
    write("litter.tmp", "12345");
    write("cache/a", "123");
    write("cache/deep/b", "1234");
    write("work/keep.tmp", "1");
    write("big", std::string(1000, 'x'));
    for (const bool counted : {false, true}) {
        SurveyOptions given = with({{"*.tmp", "!keep.tmp", "/cache/"}, {}, false, false, 999, false, {}});
        given.countExcluded = counted;
        Survey survey(given);
        survey.run();
        EXPECT_EQ(pathsOf(take(survey, false)),
                  (std::set<std::string>{"", "kept.jpg", "work", "work/keep.tmp"}));
        const ExcludedFiles files = survey.takeExcludedFiles();
        EXPECT_EQ(files.count(), 2U);
        const std::vector<ExcludedFolder> folders = survey.excludedFolders();
        ASSERT_EQ(folders.size(), 1U);
        EXPECT_EQ(folders[0].folder.path, "cache");
        EXPECT_EQ(folders[0].folder.files, counted ? 2U : 0U);
        EXPECT_EQ(folders[0].folder.bytes, counted ? 7U : 0U);
        const std::vector<RuleCount> counts = survey.ruleCounts();
        ASSERT_EQ(counts.size(), 4U);
        EXPECT_EQ(counts[0].files, 1U);
        EXPECT_EQ(counts[0].bytes, 5U);
        EXPECT_TRUE(counts[1].used);
        EXPECT_EQ(counts[1].files, 0U);
        EXPECT_EQ(counts[2].folders, 1U);
        EXPECT_EQ(counts[3].origin, RuleOrigin::size);
        EXPECT_EQ(counts[3].bytes, 1000U);
    }
}

TEST_F(Ruling, CountWhatListsWouldLeaveOutOfWhatIsKept) {
    write("a.pyc", "12");
    write("deep/.cache/a.pyc", "123");
    write("deep/.cache/in/b", "1234");
    write("deep/.cache/in/out.tmp", "12345");
    write("deep/pagefile.sys", "1");
    write("pagefile.sys", "12345678");
    write("kept/.cache/c", "1");
    write("caf\xc3\xa9", "123456");
    std::filesystem::create_hard_link(root / "a.pyc", root / "z.pyc");
    RuleSettings rules;
    rules.given = {"*.tmp", "!/kept/.cache/"};
    rules.trials = {{".cache/", "*.pyc"}, {"/pagefile.sys", "cafe\xcc\x81"}, {"**/.cache/in/"}, {"nothing"}};
    SurveyOptions given = with(rules);
    given.walkOnly = true;
    given.countExcluded = true;
    Survey survey(given);
    survey.run();
    // Nothing is left out, so that all is counted once; each name of a file counts.
    EXPECT_EQ(take(survey, false).count("deep/.cache/in/b"), 1U);
    const std::vector<TrialCount> counts = survey.trialCounts();
    ASSERT_EQ(counts.size(), 4U);
    EXPECT_EQ(counts[0].files, 4U);
    EXPECT_EQ(counts[0].bytes, 2U + 2U + 3U + 4U);
    EXPECT_EQ(counts[1].files, 2U);
    EXPECT_EQ(counts[1].bytes, 8U + 6U);
    EXPECT_EQ(counts[2].files, 1U);
    EXPECT_EQ(counts[2].bytes, 4U);
    EXPECT_EQ(counts[3].files, 0U);
}

TEST(Trials, HaveNoRulesThatKeep) {
    RuleSettings rules;
    rules.trials = {{"*.tmp", "!keep.tmp"}};
    EXPECT_THROW(Rules{rules}, std::invalid_argument);
    rules.trials.assign(33, {"*.tmp"});
    EXPECT_THROW(Rules{rules}, std::invalid_argument);
}

TEST(Globs, EndAsTheirPathsDo) {
    for (const char* pattern : {"*.pek", "**/a", "a/**/b", "x[ab]c", "a**/b", "\\*b"}) {
        const std::string_view text(pattern);
        const std::string_view tail = text.substr(text.size() - literalTail(text));
        EXPECT_EQ(tail.find_first_of("*?[]\\/"), std::string_view::npos) << pattern;
        EXPECT_FALSE(tail.empty()) << pattern;
    }
    EXPECT_EQ(literalTail("*.py[co]"), 0U);
    EXPECT_EQ(literalTail("plain"), 5U);
}

TEST_F(Ruling, KnowCachesByTheirTagUnlessARuleKeepsThem) {
    const std::string tag = "Signature: 8a477f597d28d172789f06886806bc55\n# made by a test";
    write("one/CACHEDIR.TAG", tag);
    write("one/file", "1");
    write("two/CACHEDIR.TAG", tag);
    write("three/CACHEDIR.TAG", "Signature: something else");
    RuleSettings rules;
    rules.given = {"!two/"};
    rules.caches = true;
    Survey survey(with(rules));
    survey.run();
    EXPECT_EQ(pathsOf(take(survey, false)),
              (std::set<std::string>{"", "two", "two/CACHEDIR.TAG", "three", "three/CACHEDIR.TAG"}));
    EXPECT_EQ(survey.progress().foldersFound, 3U);
}

TEST_F(Ruling, UseAnIgnoreFileAsAWholeOrNotAtAll) {
    write("good/.stowageignore", "# comment\n*.o\n");
    write("good/a.o", "1");
    write("latin/.stowageignore", "*.o\n\xe9\n");
    write("latin/a.o", "1");
    write("open/.stowageignore", "*.o\n[\n");
    write("open/a.o", "1");
    RuleSettings rules;
    rules.ignoreFiles = true;
    Survey survey(with(rules));
    survey.run();
    const std::set<std::string> kept = pathsOf(take(survey, false));
    EXPECT_EQ(kept.count("good/a.o"), 0U);
    EXPECT_EQ(kept.count("good/.stowageignore"), 1U);
    EXPECT_EQ(kept.count("latin/a.o"), 1U);
    EXPECT_EQ(kept.count("open/a.o"), 1U);
    std::map<std::string, RuleFileFault> faults;
    for (const RuleFileFault& each : survey.ruleFaults())
        faults[each.path] = each;
    ASSERT_EQ(faults.size(), 2U);
    EXPECT_EQ(faults["latin/.stowageignore"].cause, "it is not UTF-8");
    EXPECT_EQ(faults["open/.stowageignore"].line, 2U);
    EXPECT_EQ(faults["open/.stowageignore"].column, 1U);
}

TEST_F(Ruling, ListFilesWithoutReadingThem) {
    write("a", "12345");
    write("folder/b", "123");
    std::filesystem::create_hard_link(root / "a", root / "folder/link");
    std::filesystem::permissions(root / "folder/b", std::filesystem::perms::none);
    SurveyOptions given = options();
    given.walkOnly = true;
    given.marks = false;
    Survey survey(given);
    survey.run();
    const auto found = take(survey, false);
    std::filesystem::permissions(root / "folder/b", std::filesystem::perms::owner_all); // else it stays
    EXPECT_EQ(found.size(), 5U);
    EXPECT_EQ(survey.progress().bytesFound, 8U);
    EXPECT_EQ(survey.progress().bytesDone, 8U);
    EXPECT_EQ(survey.progress().filesDone, 3U);
    for (const BlockLevel& level : survey.blockLevels())
        EXPECT_EQ(level.blocks, 0U);
}

TEST_F(Ruling, SayWhatTakesNothingBack) {
    RuleList list;
    for (const char* text : {"cache/", "!/cache/keep", "!/other/keep", "!*.jpg", "!cache/deep/*"})
        list.add(text);
    const std::vector<IneffectiveRule> ineffective = ineffectiveRules(list);
    ASSERT_EQ(ineffective.size(), 2U);
    EXPECT_EQ(ineffective[0].rule, 1U);
    EXPECT_EQ(ineffective[0].by, 0U);
    EXPECT_EQ(ineffective[0].folder, "cache");
    EXPECT_EQ(ineffective[1].rule, 4U);
}

TEST(Composition, IsOfUtf8BeyondAsciiAlone) {
    EXPECT_EQ(composed("plain"), std::nullopt);
    EXPECT_EQ(composed("caf\xe9"), std::nullopt);
    EXPECT_EQ(composed("U\u0308bung"), "\u00dcbung");
    EXPECT_EQ(composed("\u00dcbung"), "\u00dcbung");
}

TEST(Composition, FollowsUnicode) {
    // Marks are sorted by class; one of the same class between keeps a letter from its mark.
    EXPECT_EQ(composed("e\u0302\u0323"), "\u1ec7");
    EXPECT_EQ(composed("a\u0304\u0301"), "\u0101\u0301");
    EXPECT_EQ(composed("\u1112\u1161\u11ab"), "\ud55c");
    EXPECT_EQ(composed("\u212b\u2126"), "\u00c5\u03a9");
    EXPECT_EQ(composed("\u0958"), "\u0915\u093c");
    EXPECT_EQ(composed("\U0001d15e"), "\U0001d157\U0001d165");
}

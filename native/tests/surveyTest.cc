#include "surveyFixture.h"

#ifndef _WIN32
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#include <atomic>
#include <set>
#include <thread>

using namespace stowage;
using stowage::testing::noise;
using stowage::testing::SurveyFixture;

namespace {

/** The figures by cutting the contents up and keeping the pieces: no hash is involved. */
BlockLevel countedByContent(const std::vector<std::string>& contents, uint64_t blockBytes) {
    BlockLevel level;
    level.blockBytes = blockBytes;
    std::set<std::string> distinct;
    std::set<std::string> alone;
    for (const std::string& content : contents) {
        if (!content.empty() && content.size() < blockBytes) alone.insert(content);
        if (content.size() < blockBytes) level.aloneBytes += content.size();
        for (size_t at = 0; at < content.size(); at += blockBytes) {
            std::string block = content.substr(at, blockBytes);
            level.blocks += 1;
            level.bytes += block.size();
            if (block.find_first_not_of('\0') == std::string::npos) {
                level.zeroBlocks += 1;
                level.zeroBytes += block.size();
            }
            distinct.insert(std::move(block));
        }
    }
    level.retained.count = distinct.size();
    for (const std::string& block : distinct)
        level.retained.bytes += block.size();
    for (const std::string& content : alone)
        level.alone.addBlock(content.size());
    return level;
}

void expectFigures(const std::vector<BlockLevel>& levels, const std::vector<std::string>& contents) {
    for (const BlockLevel& level : levels) {
        const BlockLevel expected = countedByContent(contents, level.blockBytes);
        EXPECT_EQ(level.blocks, expected.blocks) << level.blockBytes;
        EXPECT_EQ(level.bytes, expected.bytes) << level.blockBytes;
        EXPECT_EQ(level.zeroBlocks, expected.zeroBlocks) << level.blockBytes;
        EXPECT_EQ(level.zeroBytes, expected.zeroBytes) << level.blockBytes;
        EXPECT_EQ(level.retained.count, expected.retained.count) << level.blockBytes;
        EXPECT_EQ(level.retained.bytes, expected.retained.bytes) << level.blockBytes;
        EXPECT_EQ(level.alone.count, expected.alone.count) << level.blockBytes;
        EXPECT_EQ(level.alone.bytes, expected.alone.bytes) << level.blockBytes;
        EXPECT_EQ(level.aloneBytes, expected.aloneBytes) << level.blockBytes;
        EXPECT_TRUE(level.exact);
    }
}

} // namespace

class Surveying : public SurveyFixture {};

TEST_F(Surveying, CountsTheBlocksOfEverySizeLikeACountByContent) {
    std::vector<std::string> contents;
    for (size_t block = 512; block <= (size_t{1} << 20U); block *= 2) {
        for (const size_t size : {block - 1, block, block + 1})
            contents.push_back(noise(size, static_cast<unsigned>(size)));
    }
    contents.push_back(noise((size_t{2} << 20U) + 1, 1));
    contents.push_back(contents.back());
    contents.push_back(contents.back().substr(0, 1 << 20U) + std::string(300'000, '\0'));
    contents.emplace_back(70'000, '\0');
    contents.emplace_back("");
    for (size_t i = 0; i < contents.size(); ++i)
        write("folder" + std::to_string(i % 7) + "/" + std::to_string(i), contents[i]);
    for (const unsigned threads : {1U, 2U, 7U}) {
        SurveyOptions given = options();
        given.threads = threads;
        given.blocksFrom512 = true;
        Survey survey(given);
        survey.run();
        expectFigures(survey.blockLevels(), contents);
        expectConsistent(survey, take(survey, false));
    }
}

TEST_F(Surveying, GivesEqualDigestsToEqualFilesWhateverWasAskedFor) {
    const std::string content = noise(3'000'001, 2);
    write("a", content);
    write("b", content);
    write("c", content + "x");
    SurveyOptions given = options();
    const auto plain = run(given);
    given.blocksFrom512 = true;
    given.sha256 = true;
    const auto full = run(given);
    EXPECT_EQ(only(plain, "a").digest, only(plain, "b").digest);
    EXPECT_NE(only(plain, "a").digest, only(plain, "c").digest);
    EXPECT_EQ(only(plain, "a").digest, only(full, "a").digest);
    EXPECT_EQ(only(full, "a").sha256, only(full, "b").sha256);
    EXPECT_NE(only(full, "a").sha256, only(full, "c").sha256);
}

#ifndef _WIN32 // Wine does not know where holes are
TEST_F(Surveying, FeedsHolesAsZerosWithoutReadingThem) {
    const std::string middle = noise(5000, 3);
    const uint64_t length = (uint64_t{1} << 40U) + 12'345;
    write("sparse", "head");
    const int file = open((root / "sparse").c_str(), O_WRONLY);
    ASSERT_EQ(ftruncate(file, static_cast<off_t>(length)), 0);
    ASSERT_EQ(pwrite(file, middle.data(), middle.size(), off_t{1} << 33U), 5000);
    close(file);
    Survey survey(options());
    survey.run(); // a tebibyte: reading it would take minutes
    const auto found = take(survey, false);
    expectConsistent(survey, found);
    EXPECT_EQ(only(found, "sparse").bytes, static_cast<double>(length));
    const BlockLevel smallest = survey.blockLevels().front();
    EXPECT_EQ(smallest.blocks, length / 2048 + 1);
    // The head, three of the middle, the zero block and the short zero tail.
    EXPECT_EQ(smallest.retained.count, 6U);
    EXPECT_EQ(smallest.zeroBlocks, smallest.blocks - 4);
}
#endif

TEST_F(Surveying, GivesASparseFileTheDigestsOfItsFullTwin) {
    const std::string start = noise(100'000, 4);
    const std::string end = noise(4'567, 5);
    write("sparse", start);
    std::fstream file(root / "sparse", std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(5'000'000) << end;
    file.close();
    write("full", start + std::string(5'000'000 - start.size(), '\0') + end);
    SurveyOptions given = options();
    given.sha256 = true;
    const auto found = run(given);
    EXPECT_EQ(only(found, "sparse").digest, only(found, "full").digest);
    EXPECT_EQ(only(found, "sparse").sha256, only(found, "full").sha256);
}

TEST_F(Surveying, ReadsAFileWithSeveralNamesOnce) {
    write("one", noise(10'000, 6));
    write("below/x", "x");
    std::filesystem::create_hard_link(root / "one", root / "two");
    std::filesystem::create_hard_link(root / "one", root / "below/three");
    const auto found = run(options());
    std::multiset<EntryKind> kinds;
    for (const char* name : {"one", "two", "below/three"})
        kinds.insert(only(found, name).kind);
    EXPECT_EQ(kinds, (std::multiset<EntryKind>{EntryKind::file, EntryKind::hardLink, EntryKind::hardLink}));
}

TEST_F(Surveying, ListsEveryNameBeforeItReadsAFileWhereAskedTo) {
    for (int i = 0; i < 300; ++i)
        write("f" + std::to_string(i % 9) + "/" + std::to_string(i), noise(1000, 1));
    std::filesystem::create_hard_link(root / "f0" / "0", root / "link");
    SurveyOptions given = options();
    given.walkOnly = true;
    Survey walk(given);
    walk.run();
    const auto onlyListed = take(walk, false);
    given.walkOnly = false;
    given.listFirst = true;
    std::atomic<int> opened{0};
    given.observer = [&opened](Moment moment, const char*) {
        if (moment == Moment::beforeOpening) ++opened;
    };
    Survey survey(given);
    std::jthread running([&survey] { survey.run(); });
    while (!survey.progress().walkFinished)
        std::this_thread::yield();
    const auto listed = take(survey, false, &Survey::takeListed);
    EXPECT_EQ(opened.load(), 0);
    EXPECT_EQ(survey.progress().filesDone, 0U);
    EXPECT_EQ(listed.size(), onlyListed.size());
    // Which of two names stands for a file is settled by the order of the threads.
    for (const auto& [path, entry] : onlyListed) {
        if (path == "link" || path == "f0/0") continue;
        EXPECT_EQ(only(listed, path), entry) << path;
    }
    EXPECT_EQ(only(listed, "link").bytes + only(listed, "f0/0").bytes, 1000);
    survey.startReading();
    running.join();
    EXPECT_EQ(opened.load(), 300);
    const auto found = take(survey, false);
    expectConsistent(survey, found);
    EXPECT_EQ(found.size(), listed.size());
    EXPECT_EQ(take(survey, false, &Survey::takeListed).size(), 0U);
}

TEST_F(Surveying, ReadsSomeFilesBeforeAllAreListedWhereTooManyWait) {
    for (int i = 0; i < 600; ++i)
        write("f" + std::to_string(i % 9) + "/" + std::to_string(i), noise(1000, 1));
    SurveyOptions given = options();
    given.listFirst = true;
    given.mostHeldFiles = 100;
    Survey survey(given);
    std::jthread running([&survey] { survey.run(); });
    while (!survey.progress().walkFinished)
        std::this_thread::yield();
    const auto listed = take(survey, false, &Survey::takeListed);
    EXPECT_GT(survey.progress().filesDone, 0U);
    EXPECT_LT(survey.progress().filesDone, 600U);
    survey.startReading();
    running.join();
    const auto found = take(survey, false);
    expectConsistent(survey, found);
    ASSERT_EQ(found.size(), 610U);
    ASSERT_EQ(listed.size(), found.size());
    for (const auto& [path, entry] : found)
        EXPECT_EQ(only(listed, path).bytes, entry.bytes) << path;
}

TEST_F(Surveying, CanBeCancelledBeforeItReadsAFile) {
    write("file", noise(1000, 1));
    SurveyOptions given = options();
    given.listFirst = true;
    Survey survey(given);
    std::jthread running([&survey] { survey.run(); });
    while (!survey.progress().walkFinished)
        std::this_thread::yield();
    survey.cancel();
    running.join();
    EXPECT_EQ(survey.progress().filesDone, 0U);
}

TEST_F(Surveying, ReadsTheNextNameWhenTheFirstOneVanishes) {
    write("one", noise(10'000, 6));
    std::filesystem::create_hard_link(root / "one", root / "two");
    SurveyOptions given = options();
    given.threads = 1;
    std::atomic<bool> removed{false};
    given.observer = [&](Moment moment, const char* name) {
        if (moment == Moment::beforeOpening && !removed.exchange(true)) std::filesystem::remove(root / name);
    };
    const auto found = run(given);
    std::multiset<EntryKind> kinds;
    for (const char* name : {"one", "two"})
        kinds.insert(only(found, name).kind);
    EXPECT_EQ(kinds, (std::multiset<EntryKind>{EntryKind::file, EntryKind::skipped}));
}

#ifndef _WIN32
TEST_F(Surveying, TellsLinksWithoutFollowingThem) {
    write("real/file", "content");
    std::filesystem::create_symlink("real", root / "toFolder");
    std::filesystem::create_symlink("loop", root / "loop");
    std::filesystem::create_symlink("/nowhere/at all", root / "real/broken");
    const auto found = run(options());
    EXPECT_EQ(only(found, "toFolder").extra, "real");
    EXPECT_EQ(only(found, "loop").extra, "loop");
    EXPECT_EQ(only(found, "real/broken").extra, "/nowhere/at all");
    EXPECT_EQ(only(found, "loop").kind, EntryKind::symlink);
    EXPECT_EQ(found.size(), 6U);
}

TEST_F(Surveying, SkipsWhatIsNoFile) {
    ASSERT_EQ(mkfifo((root / "pipe").c_str(), 0600), 0);
    write("file", "x");
    const auto found = run(options());
    EXPECT_EQ(only(found, "pipe").kind, EntryKind::skipped);
    EXPECT_EQ(only(found, "pipe").extra, "special-file");
    EXPECT_EQ(only(found, "file").kind, EntryKind::file);
}
#endif

TEST_F(Surveying, LeavesFoldersOutBelowARootAndCountsWhatTheyHold) {
    write("own/image", noise(5000, 1));
    write("own/lists/list", "twelve bytes");
    write("owner/file", "x");
#ifndef _WIN32 // where links need a privilege
    std::filesystem::create_symlink("image", root / "own/link");
#endif
    SurveyOptions given = options();
    given.leaveOut = {(root / "own").string(), (root / "missing").string()};
    Survey survey(given);
    survey.run();
    const auto found = take(survey, false);
    expectConsistent(survey, found);
    EXPECT_EQ(found.size(), 3U);
    EXPECT_EQ(only(found, "owner/file").kind, EntryKind::file);
    const auto leftOut = survey.leftOut();
    ASSERT_EQ(leftOut.size(), 1U);
    EXPECT_EQ(leftOut[0].path, "own");
    EXPECT_EQ(leftOut[0].files, 2U);
    EXPECT_EQ(leftOut[0].bytes, 5012U);
    EXPECT_EQ(survey.progress().foldersFound, 2U);
}

TEST_F(Surveying, SurveysARootThatIsToBeLeftOutElsewhere) {
    write("file", "x");
    SurveyOptions given = options();
    given.leaveOut = given.roots;
    Survey survey(given);
    survey.run();
    EXPECT_EQ(take(survey, false).size(), 2U);
    EXPECT_TRUE(survey.leftOut().empty());
}

#ifndef _WIN32
TEST_F(Surveying, RefusesFileSystemsThatShowTheSystemsState) {
    SurveyOptions given = options();
    given.roots = {"/proc", root.string()};
    const auto found = run(given);
    EXPECT_EQ(found.size(), 2U);
    EXPECT_EQ(found.find("")->second.extra == "refused" ||
                  std::next(found.find(""))->second.extra == "refused",
              true);
}
#endif

TEST_F(Surveying, TakesSingleFilesMissingOnesAndEmptyFoldersAsRoots) {
    write("file", noise(5000, 7));
    std::filesystem::create_directory(root / "empty");
    SurveyOptions given = options();
    given.roots = {(root / "file").string(), (root / "missing").string(), (root / "empty").string() + "/",
                   (root / "file").string() + "/below"};
    Survey survey(given);
    survey.run();
    const auto found = take(survey, false);
    std::multiset<std::string> seen;
    for (const auto& [path, entry] : found) {
        EXPECT_EQ(path, "");
        seen.insert(std::to_string(static_cast<int>(entry.kind)) + entry.extra);
    }
    EXPECT_EQ(seen, (std::multiset<std::string>{"0", "1", "4not-found", "4not-found"}));
}

#ifndef _WIN32
TEST_F(Surveying, GoesDownWhereNoPathReaches) {
    constexpr int depth = 1000;
    const std::string name(100, 'n');
    int folder = open(root.c_str(), O_RDONLY | O_DIRECTORY);
    for (int i = 0; i < depth; ++i) {
        ASSERT_EQ(mkdirat(folder, name.c_str(), 0700), 0);
        const int next = openat(folder, name.c_str(), O_RDONLY | O_DIRECTORY);
        close(folder);
        folder = next;
    }
    const int file = openat(folder, "treasure", O_CREAT | O_WRONLY, 0600);
    ASSERT_EQ(::write(file, "found", 5), 5);
    close(file);
    close(folder);
    const auto found = run(options());
    EXPECT_EQ(found.size(), depth + 2U);
    EXPECT_EQ(std::prev(found.end())->first.size(), depth * 101U + 8U);
    EXPECT_EQ(std::prev(found.end())->second.bytes, 5);
}

TEST_F(Surveying, KeepsFewFoldersOpenHoweverManyThereAre) {
    for (int i = 0; i < 600; ++i)
        write("f" + std::to_string(i) + "/g/file", "x");
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
    rlimit few = before;
    few.rlim_cur = 80;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
    const auto found = run(options());
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
    EXPECT_EQ(found.size(), 1801U);
    for (const auto& [path, entry] : found)
        EXPECT_NE(entry.kind, EntryKind::skipped) << path << entry.extra;
}
#endif

#include "core/timing/timedRun.h"

#include "temporaryFolder.h"

#include <gtest/gtest.h>

#ifndef _WIN32
#include <fcntl.h>
#include <sys/resource.h>
#endif

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

using namespace stowage;
using platform::LeftOver;
using platform::RunFolder;

namespace fs = std::filesystem;

namespace {

constexpr uint64_t mebibyte = uint64_t{1} << 20U;
const std::string runName = "stowage-measure-test";

TimedStep step(StepKind kind, uint32_t file, uint64_t requestBytes = 65536, unsigned depth = 1) {
    TimedStep made;
    made.kind = kind;
    made.file = file;
    made.requestBytes = requestBytes;
    made.depth = depth;
    return made;
}

TimedStep randomStep(StepKind kind, uint32_t file, unsigned depth, uint64_t count) {
    TimedStep made = step(kind, file, 4096, depth);
    made.count = count;
    made.seed = 5;
    return made;
}

TimedStep pauseStep(uint64_t milliseconds) {
    TimedStep made;
    made.milliseconds = milliseconds;
    return made;
}

} // namespace

class TimedRuns : public ::testing::Test {
  protected:
    fs::path root;

    void SetUp() override { root = stowage::testing::makeTemporaryFolder(); }
    void TearDown() override { fs::remove_all(root); }

    [[nodiscard]] TimedRunOptions options(std::vector<TimedStep> steps) const {
        TimedRunOptions made;
        made.directory = root.string();
        made.runFolder = runName;
        made.files = {{"a", false, 3 * mebibyte, 1}, {"b", false, 10'000, 2}};
        made.steps = std::move(steps);
        made.preallocate = true;
        size_t bad = 0;
        EXPECT_TRUE(made.possible(bad)) << bad;
        return made;
    }
    static size_t count(const TimedColumns& columns, TimedPhase phase) {
        return static_cast<size_t>(
            std::count(columns.phase.begin(), columns.phase.end(), static_cast<uint8_t>(phase)));
    }
    [[nodiscard]] fs::path inside(const std::string& name) const { return root / runName / name; }
    void write(const fs::path& path, const std::string& text) const { std::ofstream(path) << text; }
};

TEST_F(TimedRuns, WriteAndReadBackTheSameAtAnyDepth) {
    for (const unsigned depth : {1U, 3U, 8U}) {
        TimedRun run(options({step(StepKind::create, 0), step(StepKind::write, 0, 65536, depth),
                              step(StepKind::verify, 0), step(StepKind::read, 0, 131072, depth),
                              step(StepKind::write, 0, 4096, depth), step(StepKind::verify, 0),
                              randomStep(StepKind::randomRead, 0, depth, 100),
                              randomStep(StepKind::randomWrite, 0, depth, 100), step(StepKind::remove, 0)}));
        run.run();
        EXPECT_EQ(run.failure().error, 0) << run.failure().action;
        EXPECT_EQ(run.verifiedBytes(), 6 * mebibyte);
        const TimedColumns columns = run.takeSamples();
        EXPECT_EQ(count(columns, TimedPhase::writeRequest), 48 + 768 + 100U);
        EXPECT_EQ(count(columns, TimedPhase::readRequest), 24 + 100U);
        EXPECT_EQ(count(columns, TimedPhase::flush), 3U);
        EXPECT_EQ(run.takeSamples().step.size(), 0U);
        EXPECT_EQ(run.progress().bytesDone, run.progress().bytesTotal);
        EXPECT_TRUE(fs::is_empty(root));
    }
}

TEST_F(TimedRuns, FindWhatWasChangedBehindTheirBack) {
    auto given = options(
        {step(StepKind::create, 0), step(StepKind::write, 0), pauseStep(30'000), step(StepKind::verify, 0)});
    given.steps[2].milliseconds = 500; // time enough to ask for the pause
    TimedRun run(given);
    std::jthread thread([&run] { run.run(); });
    while (run.progress().stepsDone < 2)
        std::this_thread::yield();
    run.pause();
    std::fstream file(inside("a.timed"), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(2'000'000).put('x');
    file.close();
    run.resume();
    thread.join();
    EXPECT_TRUE(run.failure().verification);
    EXPECT_TRUE(fs::is_empty(root));
}

TEST_F(TimedRuns, FlushOnceAtTheEndWhenAsked) {
    auto given = options({step(StepKind::create, 0), step(StepKind::write, 0), step(StepKind::create, 1),
                          step(StepKind::write, 1), step(StepKind::read, 0)});
    given.flush = FlushPolicy::end;
    TimedRun run(given);
    run.run();
    TimedColumns columns = run.takeSamples();
    ASSERT_EQ(count(columns, TimedPhase::flush), 2U);
    for (size_t i = 0; i < columns.phase.size(); ++i) {
        if (columns.phase[i] == static_cast<uint8_t>(TimedPhase::flush)) {
            EXPECT_EQ(columns.step[i], 3U);
        }
    }
    given.flush = FlushPolicy::none;
    TimedRun never(given);
    never.run();
    EXPECT_EQ(count(never.takeSamples(), TimedPhase::flush), 0U);
}

#ifndef _WIN32 // where no call says which pages the cache holds
TEST_F(TimedRuns, KnowACachedReadFromAnUncachedOne) {
    auto given = options({step(StepKind::create, 0), step(StepKind::write, 0), step(StepKind::read, 0)});
    TimedRun uncached(given);
    uncached.run();
    if (uncached.evidence().probe.obtained == platform::CacheMode::uncached) {
        EXPECT_EQ(uncached.evidence().residentAfterBytes, 0U);
        EXPECT_EQ(uncached.evidence().checkedBytes, 3 * mebibyte);
    }
    given.cacheMode = platform::CacheMode::buffered;
    given.steps.back().keepCache = true;
    TimedRun buffered(given);
    buffered.run();
    EXPECT_EQ(buffered.evidence().probe.obtained, platform::CacheMode::buffered);
    EXPECT_EQ(buffered.evidence().residentBeforeBytes, 3 * mebibyte);
    EXPECT_EQ(buffered.evidence().residentAfterBytes, 3 * mebibyte);
}
#endif

TEST_F(TimedRuns, EndBeforeTheTransferIsWholeWhenCancelledAndLeaveNothing) {
    auto given = options({});
    given.files[0].bytes = 600 * mebibyte;
    given.preallocate = false;
    given.steps = {step(StepKind::create, 0), step(StepKind::write, 0, 65536, 2)};
    TimedRun run(given);
    std::jthread thread([&run] { run.run(); });
    while (run.progress().bytesDone < mebibyte)
        std::this_thread::yield();
    TimedColumns early = run.takeSamples();
    EXPECT_GT(early.step.size(), 0U);
    run.cancel();
    thread.join();
    EXPECT_LT(run.progress().bytesDone, run.progress().bytesTotal);
    EXPECT_EQ(run.failure().error, 0);
    EXPECT_EQ(count(run.takeSamples(), TimedPhase::write), 0U);
    EXPECT_TRUE(fs::is_empty(root));
}

#ifndef _WIN32
TEST_F(TimedRuns, EndWithWhatTheyHaveWhenAWriteFails) {
    // The system allows this process no longer files for a while: a write fails half-way, as on a
    // full disk.
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    for (const unsigned depth : {1U, 4U}) {
        auto given = options({step(StepKind::create, 1), step(StepKind::write, 1), step(StepKind::create, 0),
                              step(StepKind::write, 0, 65536, depth), step(StepKind::read, 1)});
        given.preallocate = false;
        const rlimit limit{mebibyte, before.rlim_max};
        ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
        TimedRun run(given);
        run.run();
        ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
        EXPECT_EQ(run.failure().error, EFBIG);
        EXPECT_STREQ(run.failure().action, "write");
        EXPECT_EQ(run.failure().file, 0);
        EXPECT_EQ(run.progress().stepsDone, 3U);
        const TimedColumns columns = run.takeSamples();
        EXPECT_EQ(count(columns, TimedPhase::write), 1U);
        EXPECT_GE(count(columns, TimedPhase::writeRequest), 16U);
        EXPECT_LE(count(columns, TimedPhase::writeRequest), 17U);
        EXPECT_TRUE(fs::is_empty(root));
    }
    std::signal(SIGXFSZ, handler);
}
#endif

TEST_F(TimedRuns, FailWhenAFileIsCutAfterItWasOpened) {
    for (const unsigned depth : {1U, 4U}) {
        write(root / "mine", std::string(100'000, 'x'));
        platform::TimedFile file;
        ASSERT_EQ(platform::openForeign((root / "mine").string(), platform::CacheMode::buffered, file), 0);
        Transfer transfer;
        transfer.file = &file;
        transfer.bytes = file.length();
        transfer.requestBytes = 4096;
        transfer.depth = depth;
        fs::resize_file(root / "mine", 50'000);
        TimedSamples samples;
        const auto times =
            samples.requests(0, TimedPhase::readRequest, transfer.bytes, 4096, transfer.requests());
        std::atomic<uint64_t> bytesDone{0};
        const std::atomic<bool> cancelled{false};
        TransferRun run(transfer, *times, bytesDone, cancelled);
        EXPECT_EQ(run.run(), EIO);
        EXPECT_FALSE(run.complete());
        EXPECT_LE(bytesDone, 50'000U);
    }
}

TEST_F(TimedRuns, WaitBeforeTheNextStepWhilePaused) {
    TimedRun run(options({step(StepKind::create, 0), step(StepKind::write, 0)}));
    run.pause();
    std::jthread thread([&run] { run.run(); });
    while (!fs::exists(root / runName))
        std::this_thread::yield();
    // It has begun; a run that does not wait makes its first file in this time.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(run.progress().stepsDone, 0U);
    EXPECT_FALSE(fs::exists(inside("a.timed")));
    run.resume();
    thread.join();
    EXPECT_EQ(run.progress().stepsDone, 2U);
}

TEST_F(TimedRuns, RefuseWhatCannotBeDone) {
    auto given = options({});
    const auto possible = [&given](const TimedStep& only) {
        given.steps = {only};
        size_t bad = 0;
        return given.possible(bad);
    };
    EXPECT_TRUE(possible(step(StepKind::read, 1)));
    EXPECT_FALSE(possible(step(StepKind::read, 2)));
    EXPECT_FALSE(possible(step(StepKind::read, 0, 0)));
    EXPECT_FALSE(possible(step(StepKind::read, 0, 4096, 0)));
    EXPECT_FALSE(possible(step(StepKind::read, 0, 4096, 1000)));
    EXPECT_FALSE(possible(step(StepKind::stream, 0)));
    given.files[0].foreign = true;
    EXPECT_TRUE(possible(step(StepKind::read, 0)));
    for (const StepKind kind : {StepKind::create, StepKind::write, StepKind::randomWrite, StepKind::remove})
        EXPECT_FALSE(possible(step(kind, 0)));
    for (const char* const name : {"../a", "a/b", "", "A", "."}) {
        given.files[1].name = name;
        EXPECT_FALSE(possible(step(StepKind::read, 0))) << name;
    }
}

#ifndef _WIN32
TEST_F(TimedRuns, FollowNoLinkAndTakeNothingThatIsThere) {
    const fs::path outside = root / "outside";
    fs::create_directory(outside);
    fs::create_directory_symlink(outside, root / runName);
    TimedRun run(options({step(StepKind::create, 0), step(StepKind::write, 0)}));
    run.run();
    EXPECT_EQ(run.failure().error, EEXIST);
    EXPECT_TRUE(fs::is_empty(outside));
    EXPECT_TRUE(fs::is_symlink(root / runName));

    LeftOver found{};
    write(outside / ".stowage-run", "Stowage made this folder");
    EXPECT_EQ(RunFolder::removeLeftOver(root.string(), runName, found), 0);
    EXPECT_EQ(found, LeftOver::notOurs);
    EXPECT_TRUE(fs::exists(outside / ".stowage-run"));
}

TEST_F(TimedRuns, RemoveOfALeftOverOnlyWhatIsTheirs) {
    auto given = options({step(StepKind::create, 0)});
    given.keepFolder = true;
    TimedRun run(given);
    run.run();
    ASSERT_TRUE(fs::exists(inside("a.timed")));
    write(root / "outside", "mine");
    fs::create_symlink(root / "outside", inside("link.timed"));
    fs::create_directory(inside("folder.timed"));
    LeftOver found{};
    EXPECT_EQ(RunFolder::removeLeftOver(root.string(), runName, found), 0);
    EXPECT_EQ(found, LeftOver::foreignFilesLeft);
    EXPECT_FALSE(fs::exists(inside("a.timed")));
    EXPECT_TRUE(fs::is_symlink(inside("link.timed")));
    EXPECT_TRUE(fs::exists(root / "outside"));
    fs::remove(inside("link.timed"));
    fs::remove(inside("folder.timed"));
    EXPECT_EQ(RunFolder::removeLeftOver(root.string(), runName, found), 0);
    EXPECT_EQ(found, LeftOver::removed);
    EXPECT_FALSE(fs::exists(root / runName));
    EXPECT_EQ(RunFolder::removeLeftOver(root.string(), runName, found), 0);
    EXPECT_EQ(found, LeftOver::absent);
}

TEST_F(TimedRuns, RemoveOfALeftOverWhatContainersConsistOf) {
    auto given = options({step(StepKind::create, 0)});
    given.keepFolder = true;
    TimedRun run(given);
    run.run();
    for (const char* const bundle : {"c1.sparsebundle", "c2.sparsebundle.partial-0a1b2c3d"}) {
        fs::create_directories(inside(bundle) / "bands");
        for (const char* const name : {"Info.plist", "Info.bckup", "Info.plist.partial", "token", "bands/1f"})
            write(inside(bundle) / name, "ours");
    }
    write(inside("c3.timed.partial-0a1b2c3d"), "ours");
    write(root / "outside", "theirs");
    fs::create_directory_symlink(root, inside("c4.sparsebundle"));
    for (const char* const name : {"bands/1F", "bands/notes.txt", "bands/1f.partial", "notes.txt"})
        write(inside("c1.sparsebundle") / name, "theirs");
    LeftOver found{};
    EXPECT_EQ(RunFolder::removeLeftOver(root.string(), runName, found), 0);
    EXPECT_EQ(found, LeftOver::foreignFilesLeft);
    EXPECT_FALSE(fs::exists(inside("c2.sparsebundle.partial-0a1b2c3d")));
    EXPECT_FALSE(fs::exists(inside("c3.timed.partial-0a1b2c3d")));
    EXPECT_FALSE(fs::exists(inside("c1.sparsebundle") / "bands/1f"));
    EXPECT_FALSE(fs::exists(inside("c1.sparsebundle") / "token"));
    EXPECT_TRUE(fs::exists(inside("c1.sparsebundle") / "bands/1F"));
    EXPECT_TRUE(fs::exists(inside("c1.sparsebundle") / "bands/notes.txt"));
    EXPECT_TRUE(fs::exists(inside("c1.sparsebundle") / "bands/1f.partial"));
    EXPECT_TRUE(fs::exists(inside("c1.sparsebundle") / "notes.txt"));
    EXPECT_TRUE(fs::exists(root / "outside"));
    fs::remove(inside("c4.sparsebundle"));
    for (const char* const name : {"bands/1F", "bands/notes.txt", "bands/1f.partial", "notes.txt"})
        fs::remove(inside("c1.sparsebundle") / name);
    EXPECT_EQ(RunFolder::removeLeftOver(root.string(), runName, found), 0);
    EXPECT_EQ(found, LeftOver::removed);
    EXPECT_FALSE(fs::exists(root / runName));
}
#endif

TEST_F(TimedRuns, KnowAFolderThatWasCutShortWhileItWasMade) {
    LeftOver found{};
    fs::create_directory(root / runName);
    EXPECT_EQ(RunFolder::removeLeftOver(root.string(), runName, found), 0);
    EXPECT_EQ(found, LeftOver::removed);
    for (const char* const text : {"", "Stowage made this fold"}) {
        fs::create_directory(root / runName);
        write(inside(".stowage-run"), text);
        EXPECT_EQ(RunFolder::removeLeftOver(root.string(), runName, found), 0);
        EXPECT_EQ(found, LeftOver::removed) << text;
    }
    fs::create_directory(root / runName);
    write(inside(".stowage-run"), "Somebody else made this folder");
    write(inside("a.timed"), "theirs");
    EXPECT_EQ(RunFolder::removeLeftOver(root.string(), runName, found), 0);
    EXPECT_EQ(found, LeftOver::notOurs);
    EXPECT_TRUE(fs::exists(inside("a.timed")));
    fs::remove(inside(".stowage-run"));
    EXPECT_EQ(RunFolder::removeLeftOver(root.string(), runName, found), 0);
    EXPECT_EQ(found, LeftOver::notOurs);
    EXPECT_EQ(RunFolder::removeLeftOver(root.string(), "..", found), 0);
    EXPECT_EQ(found, LeftOver::notOurs);
}

TEST(TimedSamples, AreTakenWhileTheyAreStored) {
    TimedSamples samples;
    samples.begin(100);
    constexpr size_t requests = 50'000;
    const auto times = samples.requests(4, TimedPhase::readRequest, requests * 10 - 3, 10, requests);
    std::jthread storing([&] {
        for (size_t i = 0; i < requests; ++i) {
            if (i != 777) times->store(i, static_cast<int64_t>(100 + i), static_cast<int64_t>(105 + i));
        }
        samples.add(4, TimedPhase::read, 1, 100, 200);
        samples.finish(*times);
    });
    size_t taken = 0;
    double bytes = 0;
    bool whole = false;
    while (taken < requests || !whole) {
        const TimedColumns columns = samples.take();
        for (size_t i = 0; i < columns.step.size(); ++i) {
            ASSERT_EQ(columns.step[i], 4U);
            whole = whole || columns.phase[i] == static_cast<uint8_t>(TimedPhase::read);
            if (columns.phase[i] == static_cast<uint8_t>(TimedPhase::readRequest)) {
                ASSERT_EQ(columns.ns[i], 5);
                bytes += columns.bytes[i];
            }
            ++taken;
        }
    }
    EXPECT_EQ(taken, requests); // one slot stayed empty, and there is the whole
    EXPECT_EQ(bytes, requests * 10 - 3 - 10.0);
    int64_t start = 0;
    int64_t end = 0;
    EXPECT_TRUE(times->span(start, end));
    EXPECT_EQ(start, 100);
    EXPECT_EQ(end, static_cast<int64_t>(105 + requests - 1));
}

TEST(TimedSamples, CostSomeTimeEach) {
    const double cost = timingOverheadNs();
    RecordProperty("nanoseconds", static_cast<int>(cost));
    EXPECT_GT(cost, 0);
}

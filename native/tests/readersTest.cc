#include "core/survey/readers.h"

#include "core/survey/workQueue.h"
#include "core/walk/clones.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <thread>

using namespace stowage;
using platform::DeviceKind;

namespace {

constexpr int64_t millisecond = 1'000'000;

/**
 * Reads for some time from a device whose rate (bytes a second) depends on the number of readers.
 */
template <typename Rate> void readFor(Readers& readers, int64_t milliseconds, const Rate& rate) {
    static constexpr int64_t step = 5;
    Readers::Work work;
    for (int64_t at = 0; at < milliseconds; at += step) {
        work.reading += static_cast<uint64_t>(rate(readers.now(), at) * static_cast<double>(step) / 1000);
        readers.measure(work, at * millisecond);
    }
}

} // namespace

TEST(ReadersOfADevice, GrowWhileItPaysAndNoFurther) {
    for (const unsigned useful : {2U, 4U, 8U}) {
        Readers readers({2, 8});
        readFor(readers, 2000, [&](unsigned now, int64_t) { return 500e6 * std::min(now, useful); });
        EXPECT_EQ(readers.kept(), useful);
        const auto trials = readers.trials();
        ASSERT_FALSE(trials.empty());
        for (const Readers::Trial& trial : trials)
            EXPECT_EQ(trial.kept, trial.to <= useful) << trial.to;
        EXPECT_NEAR(trials.front().gain, useful > 2 ? 2 : 1, 0.1);
    }
}

TEST(ReadersOfADevice, StayFewWhereMoreAreInEachOthersWay) {
    Readers readers(readerRange(DeviceKind::hardDisk, 16));
    unsigned most = 0;
    readFor(readers, 60'000, [&](unsigned now, int64_t) {
        most = std::max(most, now);
        return now == 1 ? 120e6 : 40e6;
    });
    EXPECT_EQ(readers.kept(), 1U);
    EXPECT_EQ(most, 2U);
}

TEST(ReadersOfADevice, AskAgainWhenWhatIsReadHasChanged) {
    Readers readers({2, 8});
    readFor(readers, 6000,
            [](unsigned now, int64_t at) { return at < 1000 ? 900e6 : 100e6 * static_cast<double>(now); });
    EXPECT_EQ(readers.kept(), 8U);
}

TEST(ReadersOfADevice, AreNotPraisedForAChangeOfWork) {
    Readers readers({2, 8});
    // From 100 ms on everything is ten times as fast, with any number of readers.
    readFor(readers, 3000, [](unsigned, int64_t at) { return at < 100 ? 200e6 : 2000e6; });
    EXPECT_EQ(readers.kept(), 2U);
    // Listing gives way to reading, which counts for more.
    Readers others({2, 8});
    Readers::Work work;
    for (int64_t at = 0; at < 3000; at += 5) {
        (at < 100 ? work.listing : work.reading) += at < 100 ? 2'000'000 : 3'000'000;
        others.measure(work, at * millisecond);
    }
    EXPECT_EQ(others.kept(), 2U);
}

TEST(ReadersOfADevice, StayAsTheyAreWhileProcessorsAreBusy) {
    constexpr unsigned cores = 4;
    // As if more were faster, which they seem to be by luck; how busy the cores are is in
    // hundredths.
    for (const auto& [busy, expected] : {std::pair<int64_t, unsigned>{95, 2}, {40, 8}}) {
        Readers readers({2, 8}, cores);
        Readers::Work work;
        for (int64_t at = 0; at < 3000; at += 5) {
            work.reading += uint64_t{2'500'000} * readers.now();
            readers.measure(work, at * millisecond, at * millisecond * cores * busy / 100);
        }
        EXPECT_EQ(readers.kept(), expected) << busy;
    }
}

TEST(ReadersOfADevice, AskSeldomWhereItNeverPays) {
    Readers readers({2, 8});
    int64_t trying = 0;
    readFor(readers, 60'000, [&](unsigned now, int64_t) {
        trying += now > 2 ? 5 : 0;
        return 800e6;
    });
    EXPECT_LT(trying, 1500) << "milliseconds of a minute";
}

TEST(ReadersOfADevice, AreAsManyAsTheDeviceMayHave) {
    for (const unsigned cores : {1U, 2U, 8U, 128U}) {
        for (unsigned kind = 0; kind <= static_cast<unsigned>(DeviceKind::memory); ++kind) {
            const ReaderRange range = readerRange(static_cast<DeviceKind>(kind), cores);
            EXPECT_GE(range.first, 1U);
            EXPECT_LE(range.first, range.most);
            EXPECT_LE(range.most, 16U);
        }
    }
    EXPECT_EQ(readerRange(DeviceKind::optical, 8).most, 1U);
    EXPECT_EQ(platform::slowerKind(DeviceKind::nvme, DeviceKind::hardDisk), DeviceKind::hardDisk);
#ifdef __linux__
    EXPECT_EQ(platform::deviceKindOf("/dev/shm"), DeviceKind::memory);
#endif
    EXPECT_EQ(platform::deviceKindOf("/no such thing"), DeviceKind::unknown);
}

namespace {

bool addBatch(WorkQueue& queue) {
    FileBatch batch;
    batch.files.resize(1);
    return queue.add(batch);
}

/** Works in several threads until the queue has none left. */
template <typename Work> void takeAll(WorkQueue& queue, unsigned threadCount, const Work& work) {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < threadCount; ++i) {
        threads.emplace_back([&] {
            FolderTask folder;
            FileBatch files;
            for (;;) {
                const auto taken = queue.take(folder, files);
                if (taken == WorkQueue::Taken::finished) return;
                work();
                queue.done(taken);
            }
        });
    }
}

} // namespace

TEST(CallersOfAQueue, AreNeverMoreThanAllowed) {
    WorkQueue queue;
    queue.setMostCallers(2);
    constexpr unsigned batches = 4000;
    std::atomic<unsigned> working{0};
    std::atomic<unsigned> mostAtOnce{0};
    std::atomic<unsigned> taken{0};
    for (unsigned i = 0; i < batches; ++i)
        ASSERT_TRUE(addBatch(queue));
    takeAll(queue, 8, [&] {
        const unsigned now = ++working;
        unsigned before = mostAtOnce;
        while (before < now && !mostAtOnce.compare_exchange_weak(before, now)) {
        }
        if (++taken == batches / 2) queue.setMostCallers(3);
        std::this_thread::yield();
        --working;
    });
    EXPECT_EQ(taken, batches);
    EXPECT_LE(mostAtOnce, 3U);
#ifndef _WIN32 // Wine may run the threads one after another
    EXPECT_GE(mostAtOnce, 2U);
#endif
}

TEST(CallersOfAQueue, AreTakenForWhatIsAddedWhileNoneIsFree) {
    WorkQueue queue;
    queue.setMostCallers(1);
    constexpr unsigned batches = 500;
    std::atomic<unsigned> taken{0};
    ASSERT_TRUE(addBatch(queue));
    takeAll(queue, 4, [&] {
        if (++taken < batches) {
            EXPECT_TRUE(addBatch(queue));
        }
    });
    EXPECT_EQ(taken, batches);
}

TEST(PlacesThatWereSeen, AreCountedLikeASetOfBytes) {
    std::mt19937 random(7);
    for (unsigned trial = 0; trial < 50; ++trial) {
        PlacesSeen seen;
        std::set<uint64_t> bytes;
        for (unsigned i = 0; i < 60; ++i) {
            const uint64_t start = random() % 300;
            const uint64_t end = start + random() % 20;
            uint64_t before = 0;
            for (uint64_t byte = start; byte < end; ++byte)
                before += bytes.insert(byte).second ? 0 : 1;
            EXPECT_EQ(seen.add(start, end), before);
        }
        size_t intervals = 0;
        for (const uint64_t byte : bytes)
            intervals += bytes.contains(byte + 1) ? 0 : 1;
        EXPECT_EQ(seen.intervals(), intervals);
    }
}

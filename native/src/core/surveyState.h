#pragma once

#include "core/blockLevels.h"
#include "core/chunkLevels.h"
#include "core/clones.h"
#include "core/entryColumns.h"
#include "core/hardLinks.h"
#include "core/readers.h"
#include "core/samples.h"
#include "core/workQueue.h"

#include <chrono>
#include <functional>

namespace stowage {

/** Points at which a test may interfere with the files. */
enum class Moment : uint8_t { beforeOpening, afterReadingPiece };

struct SurveyOptions {
    /** Absolute paths in the system's form. They must not hold one another, or what they share is counted
     * twice. */
    std::vector<std::string> roots;
    bool blocksFrom512 = false;
    bool sha256 = false;
    /** Each must be possible; none leaves the pass as fast as it is without them. */
    std::vector<ChunkProfile> chunkProfiles;
    /** Contents to be kept as samples, at most; their history (a thirtieth more) comes on top. 0: no samples.
     */
    uint64_t sampleBytes = 0;
    /** For the tables of blocks and chunks together. */
    size_t maxTableBytes = size_t{512} << 20U;
    /** 0: as many as pay on the sources' device, see `readerRange`. */
    unsigned threads = 0;
    /** For tests; called on the threads that read. */
    std::function<void(Moment, const char* name)> observer;
};

/** What the threads of one survey share. */
struct SurveyState {
    explicit SurveyState(SurveyOptions given)
        : options(std::move(given)),
          levels(options.blocksFrom512,
                 options.maxTableBytes -
                     ChunkLevels::memoryShare(options.chunkProfiles, options.maxTableBytes),
                 options.sampleBytes > 0),
          chunkLevels(options.chunkProfiles,
                      ChunkLevels::memoryShare(options.chunkProfiles, options.maxTableBytes)),
          samples(options.sampleBytes), folders(std::min<size_t>(platform::openFileLimit() / 4, 256)) {}

    const SurveyOptions options;
    WorkQueue queue;
    BlockLevels levels;
    ChunkLevels chunkLevels;
    Samples samples;
    HardLinks hardLinks;
    Clones clones;
    /** Set before the first thread works. */
    std::optional<Readers> readers;
    OpenFolders folders;
    std::atomic<uint64_t> foldersFound{0};
    std::atomic<uint64_t> filesFound{0};
    std::atomic<uint64_t> bytesFound{0};
    std::atomic<uint64_t> filesDone{0};
    std::atomic<uint64_t> bytesDone{0};
    std::mutex filledLock;
    std::deque<EntryColumns> filled;

    /** Between pieces of work: lets the number of readers follow what is measured. */
    void measureReading() {
        const int64_t nowNs = std::chrono::steady_clock::now().time_since_epoch().count();
        if (!readers->due(nowNs)) return;
        const Readers::Work work = Readers::workOf(filesFound.load(), filesDone.load(), bytesDone.load());
        if (readers->measure(work, nowNs)) queue.setTurns(readers->now());
    }
};

} // namespace stowage

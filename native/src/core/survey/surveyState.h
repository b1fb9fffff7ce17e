#pragma once

#include "core/anchors/anchorMemory.h"
#include "core/blocks/linearBlocks.h"
#include "core/chunks/chunkLevels.h"
#include "core/fingerprints/fingerprintRuns.h"
#include "core/rules/excluded.h"
#include "core/sketches/markLevels.h"
#include "core/survey/entryColumns.h"
#include "core/survey/knownFiles.h"
#include "core/survey/readers.h"
#include "core/survey/samples.h"
#include "core/survey/workQueue.h"
#include "core/walk/clones.h"
#include "core/walk/hardLinks.h"

#include <chrono>
#include <ctime>
#include <functional>
#include <optional>

namespace stowage {

/** Points at which a test may interfere with the files. */
enum class Moment : uint8_t { beforeOpening, afterReadingPiece };

struct SurveyOptions {
    /**
     * Absolute paths in the system's form. They must not hold one another, or what they share is
     * counted twice.
     */
    std::vector<std::string> roots;
    /**
     * Absolute paths of folders, not links to some, that are left out where they are met below a
     * root.
     */
    std::vector<std::string> leaveOut;
    RuleSettings rules;
    /** True: what is in folders that rules leave out is counted, without opening a file. */
    bool countExcluded = false;
    /** True: files are listed and not read. */
    bool walkOnly = false;
    /**
     * True: every name is listed before a file is read, which waits for `Survey::startReading`, and
     * what was listed is kept for `Survey::takeListed`.
     */
    bool listFirst = false;
    /** Files that wait for that at most, some 100 bytes each; of more some are read before. */
    size_t mostHeldFiles = size_t{1} << 20U;
    /** Further block sizes, see LinearLevels; none that the tree has. */
    std::vector<uint64_t> blockSizes;
    bool blocksFrom512 = false;
    bool sha256 = false;
    /** Each must be possible; none leaves the pass as fast as it is without them. */
    std::vector<ChunkProfile> chunkProfiles;
    /** True: anchors are kept, in an eighth of the tables' memory. */
    bool anchors = false;
    /**
     * Contents to be kept as samples, at most; their history (a thirtieth more) comes on top. 0: no
     * samples.
     */
    uint64_t sampleBytes = 0;
    /** True: marks are kept, so that a sketch can be saved. */
    bool marks = true;
    /** Contents kept for `Survey::takeFingerprints`; they need `marks`. */
    std::optional<FingerprintTerms> fingerprints;
    /** Files that are not read if nothing points to a change; may be null. */
    std::shared_ptr<const KnownFiles> known;
    /** For the tables of blocks and chunks and the marks together. */
    size_t maxTableBytes = size_t{512} << 20U;
    /** 0: as many as pay on the sources' device, see `readerRange`. */
    unsigned threads = 0;
    /** For tests; called on the threads that read. */
    std::function<void(Moment, const char* name)> observer;
};

/** The state that the threads of one survey share. */
struct SurveyState {
    explicit SurveyState(SurveyOptions given)
        : options(std::move(given)),
          levels(options.blocksFrom512, blockTableBytes() - linearTableBytes(), options.sampleBytes > 0),
          linearLevels(options.blockSizes, linearTableBytes()),
          chunkLevels(options.chunkProfiles, chunkTableBytes()), anchorDensity(mostAnchors(anchorBytes())),
          samples(options.sampleBytes), rules(options.rules),
          folders(std::min<size_t>(platform::openFileLimit() / 4, 256)) {
        if (options.listFirst) queue.holdFiles(options.mostHeldFiles);
        if (options.marks)
            marks.emplace(SketchTerms{options.blocksFrom512, options.chunkProfiles}, markBytes());
        if (options.fingerprints) fingerprints = std::make_shared<FingerprintRuns>(*options.fingerprints);
    }

    const SurveyOptions options;
    WorkQueue queue;
    BlockLevels levels;
    LinearLevels linearLevels;
    ChunkLevels chunkLevels;
    std::optional<MarkLevels> marks;
    /** Null: none are kept. */
    std::shared_ptr<FingerprintRuns> fingerprints;
    AnchorDensity anchorDensity;
    Samples samples;
    HardLinks hardLinks;
    LeftOut leftOut;
    Rules rules;
    Excluded excluded;
    Clones clones;
    /** Set before the first thread works. */
    std::optional<Readers> readers;
    OpenFolders folders;
    /** The next file's number. Of a pass over more than 2^32 files some would share one. */
    std::atomic<uint32_t> filesOpened{0};
    std::atomic<uint64_t> foldersFound{0};
    std::atomic<uint64_t> filesFound{0};
    std::atomic<uint64_t> bytesFound{0};
    /** The bytes of every name, also the further ones of a file. */
    std::atomic<uint64_t> bytesNamed{0};
    std::atomic<uint64_t> filesDone{0};
    std::atomic<uint64_t> entriesReported{0};
    std::atomic<uint64_t> bytesDone{0};
    std::mutex filledLock;
    std::deque<EntryColumns> filled;
    std::deque<EntryColumns> filledListed;

    /**
     * True when the names of all files met so far, and one more of this many bytes, have together
     * no more bytes than JavaScript counts exactly: a few sparse files suffice to exceed it, and no
     * disk.
     */
    bool bytesCanBeCounted(uint64_t bytes) {
        constexpr uint64_t most = (uint64_t{1} << 53U) - 1;
        if (bytes > most) return false;
        if (bytesNamed.fetch_add(bytes, std::memory_order_relaxed) <= most - bytes) return true;
        bytesNamed.fetch_sub(bytes, std::memory_order_relaxed);
        return false;
    }

    /** Between pieces of work: lets the number of readers follow what is measured. */
    void measureReading() {
        const int64_t nowNs = std::chrono::steady_clock::now().time_since_epoch().count();
        if (!readers->due(nowNs)) return;
        const Readers::Work work = Readers::workOf(filesFound.load(), filesDone.load(), bytesDone.load());
        const auto processorNs =
            static_cast<int64_t>(std::clock()) * static_cast<int64_t>(1'000'000'000 / CLOCKS_PER_SEC);
        if (readers->measure(work, nowNs, processorNs)) queue.setMostCallers(readers->now());
    }

  private:
    [[nodiscard]] size_t markBytes() const {
        return options.marks ? MarkLevels::memoryShare(options.maxTableBytes) : 0;
    }
    [[nodiscard]] size_t anchorBytes() const {
        return options.anchors ? anchorMemoryShare(options.maxTableBytes) : 0;
    }
    [[nodiscard]] size_t tableBytes() const { return options.maxTableBytes - markBytes() - anchorBytes(); }
    [[nodiscard]] size_t chunkTableBytes() const {
        return ChunkLevels::memoryShare(options.chunkProfiles, tableBytes());
    }
    [[nodiscard]] size_t blockTableBytes() const { return tableBytes() - chunkTableBytes(); }
    [[nodiscard]] size_t linearTableBytes() const {
        return LinearLevels::memoryShare(options.blockSizes.size(), blockTableBytes());
    }
};

} // namespace stowage

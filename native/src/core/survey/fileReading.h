#pragma once

#include "core/blocks/linearBlocks.h"
#include "core/survey/blockCollector.h"
#include "core/survey/chunkCollector.h"
#include "core/survey/surveyState.h"

#include <memory>
#include <optional>

namespace stowage {

/** How the reading of a file ended. */
struct ReadFile {
    uint32_t fileNumber = noFileNumber;
    /** Why it was not read as a whole. */
    std::optional<Skip> skip;
    /** Bytes that the block figures count: all of the file's if there is no skip. */
    uint64_t countedBytes = 0;
    platform::FileFacts facts;
    Hash128 digest;
    Sha256Digest sha256{};
};

/** The collectors of one thread's files; all but the first may be null. */
struct FileCollectors {
    BlockCollector& blocks;
    LinearCollector* linear = nullptr;
    ChunkCollector* chunks = nullptr;
    MarkCollector* marks = nullptr;
    /** Filled by the others; only flushed here. */
    FingerprintCollector* prints = nullptr;
};

/**
 * Reads files, each byte once, into a collector. A file of up to a buffer's length is counted only
 * when it was read whole and unchanged. A longer one is counted as it is read; if it changes or
 * fails meanwhile, it is a skip whose `countedBytes` say how many of its bytes are in the figures.
 * One object serves one thread.
 */
class FileReading {
  public:
    FileReading(SurveyState& state, const FileCollectors& collectors);

    /** `unitFile` gives its place, for samples; its length is read from the file. */
    ReadFile read(const platform::Handle& folder, const char* name, const platform::FileFacts& listed,
                  UnitFile unitFile);

  private:
    // Reading this much takes a hundred times as long as the system call itself, and it still fits
    // the second cache.
    static constexpr size_t bufferBytes = size_t{1} << 20U;
    struct FreeBuffer {
        void operator()(uint8_t* buffer) const { platform::freePages(buffer); }
    };

    ReadFile readShort(const platform::Handle& file, const char* name, platform::FileFacts facts);
    ReadFile readLong(const platform::Handle& file, const char* name);
    std::optional<Skip> readPieces(const platform::Handle& file, const char* name,
                                   const platform::FileFacts& facts);
    void data(size_t length);
    void zeros(uint64_t length);
    void startUnits(uint64_t fileBytes);
    void offerUnits(const platform::Handle& file, uint64_t end, uint64_t bufferAt);
    void keepUnit(const platform::Handle& file, double priority, size_t length, uint64_t bufferAt);
    void finishFile(ReadFile& result);

    SurveyState& state_;
    BlockCollector& collector_;
    LinearCollector* linear_;
    ChunkCollector* chunks_;
    MarkCollector* marks_;
    std::optional<Sha256> sha256_;
    std::unique_ptr<uint8_t, FreeBuffer> pages_;
    uint8_t* buffer_;
    UnitFile unitFile_;
    uint32_t fileNumber_ = noFileNumber;
    Hash128 unitSeed_;
    uint64_t nextUnit_ = 0;
    /**
     * One that was not kept: the system would have to clear other pages for the next, and to map
     * them.
     */
    Sample spare_;
};

} // namespace stowage

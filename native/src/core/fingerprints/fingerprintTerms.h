/**
 * The room `fingerprints` keeps a fixed share of all contents, for the comparison of any number of
 * sources by other programs.
 * How: each thread keeps the contents whose hash lies below its level's threshold; full buffers are
 * sorted and written as runs, which are merged in the end.
 * Not here: the bounded tables of sketches (`sketches`), Parquet (`src/engine/fingerprints`).
 */

#pragma once

#include "core/fingerprints/keyedHash.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace stowage {

/** A content that more files have is one row, or one entry of a sketch, of `manyFiles`. */
inline constexpr unsigned mostFilesOfContent = 8;
/** Stands for all files that have a content. */
inline constexpr uint32_t manyFiles = UINT32_MAX;

/** The contents to keep, and the memory and scratch space for it. */
struct FingerprintTerms {
    /** In `shifts`: nothing of the level is kept. */
    static constexpr uint8_t notKept = 255;
    static constexpr unsigned mostShift = 63;
    static constexpr size_t usualBufferBytes = size_t{64} << 20U;

    /**
     * By level: those of SketchTerms in their order, then the further block sizes. The share kept
     * is 2^-shift.
     */
    std::vector<uint8_t> shifts;
    /** Hashes are replaced by keyed ones before the share is taken. */
    std::optional<HashKey> key;
    /**
     * The path of a scratch file, made when the buffers are full; its name is removed at once.
     */
    std::string scratch;
    /** The buffers of all threads together. */
    size_t bufferBytes = usualBufferBytes;

    /** The level that holds the zeros of each file at a level of blocks. */
    [[nodiscard]] unsigned zerosLevel(unsigned level) const {
        return static_cast<unsigned>(shifts.size()) + level;
    }
    [[nodiscard]] unsigned levels() const { return 2 * static_cast<unsigned>(shifts.size()); }
};

} // namespace stowage

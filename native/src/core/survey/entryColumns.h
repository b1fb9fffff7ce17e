#pragma once

#include "core/hashing/hash128.h"
#include "core/hashing/sha256.h"
#include "core/walk/skip.h"
#include "platform/fileSystem.h"

#include <array>
#include <utility>
#include <vector>

namespace stowage {

enum class EntryKind : uint8_t { file = 0, folder = 1, symlink = 2, hardLink = 3, skipped = 4 };

/** The number of what was not opened for reading. */
inline constexpr uint32_t noFileNumber = UINT32_MAX;

/** The fields of one entry. */
struct Entry {
    EntryKind kind = EntryKind::file;
    uint32_t rootIndex = 0;
    /**
     * By which what is kept of the file's content names it; of each file that was opened or
     * unchanged, another one.
     */
    uint32_t fileNumber = noFileNumber;
    /** The number of the known file that it was taken for without being read. */
    uint32_t trustedAs = noFileNumber;
    /**
     * For `skipped`: the bytes that the block figures count of it, 0 but for a long file that
     * failed half-way.
     */
    uint64_t bytes = 0;
    platform::FileFacts facts;
    Hash128 digest;
    Sha256Digest sha256{};
};

/**
 * One row of `EntryColumns::cells`: decimal numbers from the left of cells of these widths, the
 * rest blanks. First the kind as one digit, or `-` if the row is not for the database as it is: it
 * is a symbolic link, was skipped, or is unchanged. Then root, where the path begins in `paths` and
 * its length, bytes, allocated bytes, both times, device and inode (as signed numbers), mode,
 * number of the file.
 */
struct Cells {
    static constexpr std::array<size_t, 12> widths = {1, 10, 10, 10, 20, 20, 20, 20, 20, 20, 10, 10};
    static constexpr size_t rowBytes = 171;
};

/**
 * Entries as columns: what crosses to JavaScript is a handful of arrays, however many entries they
 * hold.
 */
struct EntryColumns {
    std::vector<uint32_t> rootIndex;
    std::string paths;
    std::vector<uint32_t> pathEnds;
    std::vector<uint8_t> kinds;
    std::vector<uint32_t> fileNumbers;
    std::vector<uint32_t> trustedAs;
    std::vector<double> bytes;
    std::vector<double> allocatedBytes;
    std::vector<int64_t> mtimeNs;
    std::vector<int64_t> ctimeNs;
    std::vector<uint64_t> device;
    std::vector<uint64_t> inode;
    std::vector<uint32_t> mode;
    std::vector<uint8_t> digests;
    std::vector<uint8_t> sha256;
    /**
     * The further fields that the catalog keeps of each entry, as text that its database reads by
     * itself: see `Cells`.
     */
    std::string cells;
    std::vector<std::pair<uint32_t, std::string>> linkTargets;
    std::vector<std::pair<uint32_t, Skip>> skips;

    [[nodiscard]] size_t count() const { return kinds.size(); }
    [[nodiscard]] bool full() const { return count() >= 4096 || paths.size() >= (size_t{1} << 20U); }
    /** `prefix` and `name` make the path; `withSha256` must be the same for all of a survey. */
    void add(const Entry& entry, const std::string& prefix, const char* name, bool withSha256);
};

} // namespace stowage

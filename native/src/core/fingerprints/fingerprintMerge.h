#pragma once

#include "core/fingerprints/fingerprintRuns.h"

#include <memory>

namespace stowage {

/** Rows of one level in columns of the types that every engine reads alike. */
struct FingerprintColumns {
    /**
     * The hash with its highest bit flipped: signed, in the order of the hashes. Of zeros: the
     * blocks.
     */
    std::vector<int64_t> hash;
    std::vector<int64_t> bytes;
    /** -1: more than `mostFilesOfContent` files have the content. */
    std::vector<int32_t> file;
    /** Empty for zeros. */
    std::vector<int32_t> count;

    [[nodiscard]] size_t rows() const { return file.size(); }
};

/** Rows that an earlier merge gave, to be united with others; `file` is renumbered. */
void addEarlier(FingerprintRuns& runs, const FingerprintTerms& terms, unsigned level,
                const FingerprintColumns& rows);

/**
 * The fingerprints of a finished pass, level by level in the order of hash and file, each content
 * and file once. A content of more than `mostFilesOfContent` files is one row, as in sketches.
 */
class FingerprintMerge {
  public:
    FingerprintMerge(FingerprintTerms terms, std::shared_ptr<FingerprintRuns> runs);

    /**
     * The next rows of a level, at most `most`; none at its end. Levels must be asked for one after
     * the other. Throws FingerprintError.
     */
    FingerprintColumns next(unsigned level, size_t most);

  private:
    struct Cursor {
        FingerprintRuns::Part part;
        uint64_t read = 0;
        std::vector<Fingerprint> rows;
        size_t at = 0;
    };
    void start(unsigned level);
    [[nodiscard]] bool fill(Cursor& cursor) const;
    [[nodiscard]] bool later(size_t left, size_t right) const;
    /** The next content and file of all runs, or false at the end. */
    bool take(Fingerprint& row);
    /** Takes the rows of one content. */
    bool takeContent();

    FingerprintTerms terms_;
    std::shared_ptr<FingerprintRuns> runs_;
    std::optional<unsigned> level_;
    std::vector<Cursor> cursors_;
    /** The cursors that have rows, a heap whose first has the least. */
    std::vector<size_t> heap_;
    std::optional<Fingerprint> ahead_;
    std::vector<Fingerprint> content_;
    size_t given_ = 0;
};

} // namespace stowage

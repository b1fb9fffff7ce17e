/**
 * The room `sketches` keeps a small summary of a survey's contents, so that surveys can be united.
 * How: hashes below a limit that falls as a table fills, with the file of each, in one sorted file.
 * Not here: counting during the pass (`blocks`, `chunks`).
 */

#pragma once

#include "core/sketches/fileRecord.h"
#include "core/sketches/markTable.h"

#include <fstream>
#include <functional>
#include <stdexcept>

namespace stowage {

/**
 * A survey's marks and records as a file:
 *   header   magic, version of the format, terms, room of a level; of each level its shift, number
 *            of marks and hash; of the records their number, length and hash; the hash of all that
 *   marks    of every level, sorted by hash and file, 32 bytes each: hash (low, high), bytes,
 *            file, count
 *   records  sorted by file number
 * Numbers are little-endian, hashes XXH3-128. The version covers all that must agree besides the
 * terms: the hash and its seeds, that blocks lie on their file's own grid and a last one counts at
 * its own length, the rolling hash of chunks, and how many files a mark can name.
 */
inline constexpr uint32_t sketchVersion = 3;

/** Why a sketch cannot be read or written, without its name: "it is damaged". */
class SketchError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

struct SketchLevelFacts {
    unsigned shift = 0;
    uint64_t marks = 0;
    Hash128 hash;
};

struct SketchHeader {
    SketchTerms terms;
    /** The slots of each level's table. */
    uint64_t slots = 0;
    std::vector<SketchLevelFacts> levels;
    uint64_t files = 0;
    /** Every file's number is below it. */
    uint64_t numbersEnd = 0;
    uint64_t recordBytes = 0;
    Hash128 recordHash;

    [[nodiscard]] uint64_t headerBytes() const;
    [[nodiscard]] uint64_t fileBytes() const;
};

/**
 * Writes next to `path` and renames at the end; what is unfinished is removed. All may throw
 * SketchError.
 */
class SketchWriter {
  public:
    SketchWriter(std::string path, SketchTerms terms, uint64_t slots);
    ~SketchWriter();
    SketchWriter(const SketchWriter&) = delete;
    SketchWriter& operator=(const SketchWriter&) = delete;
    SketchWriter(SketchWriter&&) = delete;
    SketchWriter& operator=(SketchWriter&&) = delete;

    /** The next level; every level of the terms once. */
    void level(unsigned shift, const std::vector<Mark>& marks);
    void finish(uint64_t files, uint64_t numbersEnd, const std::string& records);

  private:
    void write(const void* bytes, size_t length);

    std::string path_;
    std::string beside_;
    SketchHeader header_;
    std::ofstream file_;
    bool finished_ = false;
};

/**
 * Reads a sketch piece by piece; allocates no more than the file is long. All may throw
 * SketchError.
 */
class SketchReader {
  public:
    explicit SketchReader(const std::string& path);

    [[nodiscard]] const SketchHeader& header() const { return header_; }
    std::vector<Mark> level(unsigned level);
    /** By file number. */
    void eachRecord(const std::function<void(const FileRecord&)>& take);

  private:
    void readHeader();
    void read(uint64_t at, void* bytes, size_t length);

    std::ifstream file_;
    uint64_t fileBytes_ = 0;
    SketchHeader header_;
};

} // namespace stowage

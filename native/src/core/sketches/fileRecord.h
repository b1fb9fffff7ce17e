#pragma once

#include "core/sketches/sketchTerms.h"

#include <string>

namespace stowage {

/**
 * The contribution of one file to the exact counts of every level: they stay right when the file is
 * taken out.
 */
struct FileRecord {
    struct Zeros {
        uint32_t level = 0;
        uint64_t blocks = 0;
        uint64_t bytes = 0;
        friend bool operator==(const Zeros&, const Zeros&) = default;
    };
    uint32_t file = 0;
    uint64_t bytes = 0;
    /** True when the file was read to its end; only then it is one of the whole files. */
    bool whole = true;
    /** By profile; empty if the file is too short to have more than one of any. */
    std::vector<uint64_t> chunks;
    /** The block levels of which it has all-zero blocks. */
    std::vector<Zeros> zeros;
    friend bool operator==(const FileRecord&, const FileRecord&) = default;
};

/**
 * Appends the record's bytes: about ten of a small file, as numbers of variable length (LEB128).
 */
void appendRecord(std::string& to, const FileRecord& record);

/**
 * Reads the record that starts at `at` and moves `at` behind it; false if there is no whole,
 * sensible one.
 */
bool readRecord(std::string_view from, size_t& at, const SketchTerms& terms, FileRecord& record);

} // namespace stowage

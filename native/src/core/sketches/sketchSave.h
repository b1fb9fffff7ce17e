#pragma once

#include "core/sketches/markCollector.h"
#include "core/sketches/sketchFile.h"

namespace stowage {

/**
 * Writes what all threads have found as a sketch: of exactly the files that have been finished, for
 * which no thread finishes one meanwhile (they wait for the time of copying what is kept, not for
 * the writing). Marks are left as they are, so it may be called again. Throws SketchError.
 */
void saveSketch(const std::string& path, const MarkLevels& levels,
                std::span<const std::unique_ptr<MarkCollector>> threads);

struct SortedRecords {
    std::string bytes;
    /** The number of each record's file. */
    std::vector<uint32_t> files;
};

/** Orders records, given one after another in any order, by file number. */
SortedRecords sortedRecords(const std::string& records, const SketchTerms& terms);

} // namespace stowage

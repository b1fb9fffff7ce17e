#include "core/sketches/sketchSave.h"

#include <algorithm>

namespace stowage {

namespace {

struct Place {
    uint32_t file;
    uint64_t start;
    uint64_t end;
};

std::vector<Place> placesOf(const std::string& records, const SketchTerms& terms) {
    std::vector<Place> places;
    FileRecord record;
    for (size_t at = 0; at < records.size();) {
        const size_t start = at;
        if (!readRecord(records, at, terms, record)) break;
        places.push_back({record.file, start, at});
    }
    std::sort(places.begin(), places.end(),
              [](const Place& left, const Place& right) { return left.file < right.file; });
    return places;
}

/** Marks of files that are still being read are in no record yet. */
void dropUnfinished(std::vector<Mark>& marks, const std::vector<bool>& finished) {
    std::erase_if(marks, [&finished](const Mark& mark) {
        return mark.file != manyFiles && (mark.file >= finished.size() || !finished[mark.file]);
    });
}

} // namespace

SortedRecords sortedRecords(const std::string& records, const SketchTerms& terms) {
    SortedRecords sorted;
    sorted.bytes.reserve(records.size());
    for (const Place& place : placesOf(records, terms)) {
        sorted.bytes.append(records, place.start, place.end - place.start);
        sorted.files.push_back(place.file);
    }
    return sorted;
}

void saveSketch(const std::string& path, const MarkLevels& levels,
                std::span<const std::unique_ptr<MarkCollector>> threads) {
    const SketchTerms& terms = levels.terms();
    std::vector<MarkTable::Copy> copies;
    std::string records;
    {
        std::vector<std::unique_lock<std::mutex>> stopped;
        stopped.reserve(threads.size());
        for (const auto& thread : threads)
            stopped.push_back(thread->stop());
        for (const auto& thread : threads)
            thread->flushStopped(records);
        for (unsigned level = 0; level < terms.levels(); ++level)
            copies.push_back(levels.table(level).copy());
    }
    const SortedRecords sorted = sortedRecords(records, terms);
    std::vector<bool> finished(sorted.files.empty() ? 0 : sorted.files.back() + size_t{1});
    for (const uint32_t file : sorted.files)
        finished[file] = true;
    SketchWriter writer(path, terms, levels.slots());
    for (MarkTable::Copy& copy : copies) {
        std::vector<Mark> marks = std::move(copy.marks);
        dropUnfinished(marks, finished);
        sortMarks(marks);
        writer.level(copy.shift, marks);
    }
    writer.finish(sorted.files.size(), finished.size(), sorted.bytes);
}

} // namespace stowage

#include "core/sketchSave.h"

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

std::string sortedRecords(const std::string& records, const SketchTerms& terms, uint64_t& files) {
    const std::vector<Place> places = placesOf(records, terms);
    files = places.size();
    std::string sorted;
    sorted.reserve(records.size());
    for (const Place& place : places)
        sorted.append(records, place.start, place.end - place.start);
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
    uint64_t files = 0;
    records = sortedRecords(records, terms, files);
    std::vector<bool> finished;
    FileRecord record;
    for (size_t at = 0; at < records.size() && readRecord(records, at, terms, record);) {
        finished.resize(record.file + size_t{1});
        finished[record.file] = true;
    }
    SketchWriter writer(path, terms, levels.slots());
    for (MarkTable::Copy& copy : copies) {
        std::vector<Mark> marks = std::move(copy.marks);
        dropUnfinished(marks, finished);
        sortMarks(marks);
        writer.level(copy.shift, marks);
    }
    writer.finish(files, finished.size(), records);
}

} // namespace stowage

#include "core/sketches/sketchMerge.h"

#include "core/sketches/sketchSave.h"

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

void addTo(Retained& sum, const Mark& mark) {
    ++sum.count;
    sum.bytes += mark.bytes;
    sum.squaredBytes += static_cast<uint128>(mark.bytes) * mark.bytes;
}

} // namespace

SketchMerge::SketchMerge(std::vector<SketchInput> inputs, std::string out)
    : inputs_(std::move(inputs)), out_(std::move(out)), gone_(inputs_.size()), offsets_(inputs_.size()) {}

void SketchMerge::run() {
    try {
        openAll();
        std::string records;
        uint64_t files = 0;
        countFiles(records, files);
        std::optional<SketchWriter> writer;
        present_ = inputs_.size();
        if (!out_.empty()) writer.emplace(out_, terms_, slots_);
        for (unsigned level = 0; level < terms_.levels() && !cancelled_; ++level)
            mergeLevel(level, writer ? &*writer : nullptr);
        if (writer && !cancelled_) writer->finish(files, numbersEnd_, records);
    } catch (const SketchError& error) {
        failure_ = {present_, error.what()};
    }
    readers_.clear();
}

void SketchMerge::openAll() {
    for (present_ = 0; present_ < inputs_.size(); ++present_) {
        const SketchHeader& header = readers_.emplace_back(inputs_[present_].path).header();
        if (present_ == 0) terms_ = header.terms;
        if (header.terms.blocksFrom512 != terms_.blocksFrom512) {
            throw SketchError("its smallest blocks are of another size than those of the first");
        }
        if (header.terms.profiles != terms_.profiles) {
            throw SketchError("its chunks were cut by other rules than those of the first");
        }
        slots_ = std::max<size_t>(slots_, header.slots);
    }
    blocks_.resize(terms_.blockLevels());
    for (unsigned level = 0; level < blocks_.size(); ++level)
        blocks_[level].blockBytes = terms_.blockBytes(level);
    chunks_.resize(terms_.profiles.size());
    unattributed_.resize(terms_.levels());
}

uint32_t SketchMerge::newNumber(size_t input, uint32_t old) const {
    const auto& map = inputs_[input].fileMap;
    if (!map) return old + offsets_[input];
    return old < map->size() ? (*map)[old] : goneFile;
}

/** Sums the exact counts of the files that stay, and renumbers them. */
void SketchMerge::countFiles(std::string& records, uint64_t& files) {
    std::vector<uint32_t> numbers;
    uint64_t& next = numbersEnd_;
    const auto readAll = [&] {
        readers_[present_].eachRecord([&](const FileRecord& old) {
            FileRecord record = old;
            record.file = newNumber(present_, old.file);
            if (record.file == goneFile) {
                ++gone_[present_];
                return;
            }
            numbers.push_back(record.file);
            next = std::max(next, uint64_t{record.file} + 1);
            count(record);
            appendRecord(records, record);
        });
    };
    for (present_ = 0; present_ < inputs_.size(); ++present_) {
        if (inputs_[present_].fileMap) readAll();
    }
    for (present_ = 0; present_ < inputs_.size(); ++present_) {
        if (inputs_[present_].fileMap) continue;
        const uint64_t end = next + readers_[present_].header().numbersEnd;
        if (end > goneFile) throw SketchError("there are too many files");
        offsets_[present_] = static_cast<uint32_t>(next);
        readAll();
    }
    present_ = inputs_.size() + 1;
    std::sort(numbers.begin(), numbers.end());
    const auto twice = std::adjacent_find(numbers.begin(), numbers.end());
    if (twice != numbers.end()) {
        throw SketchError("two files would have the number " + std::to_string(*twice));
    }
    SortedRecords sorted = sortedRecords(records, terms_);
    files = sorted.files.size();
    records = std::move(sorted.bytes);
}

void SketchMerge::count(const FileRecord& record) {
    for (BlockLevel& level : blocks_) {
        level.bytes += record.bytes;
        level.blocks += record.bytes / level.blockBytes + (record.bytes % level.blockBytes == 0 ? 0 : 1);
    }
    for (const FileRecord::Zeros& zeros : record.zeros) {
        blocks_[zeros.level].zeroBlocks += zeros.blocks;
        blocks_[zeros.level].zeroBytes += zeros.bytes;
    }
    for (size_t profile = 0; profile < chunks_.size(); ++profile) {
        const uint64_t single = record.bytes == 0 ? 0 : 1;
        chunks_[profile].chunks += record.chunks.empty() ? single : record.chunks[profile];
        chunks_[profile].bytes += record.bytes;
    }
    if (!record.whole) return;
    ++files_.files;
    files_.bytes += record.bytes;
}

Distinct& SketchMerge::distinctOf(unsigned level) {
    if (level < blocks_.size()) return blocks_[level];
    if (level < terms_.fileLevel()) return chunks_[level - blocks_.size()];
    return files_;
}

void SketchMerge::mergeLevel(unsigned level, SketchWriter* writer) {
    MarkTable table(terms_.slotsOf(level, slots_));
    for (const SketchReader& reader : readers_)
        table.raiseShift(reader.header().levels[level].shift);
    std::vector<Hash128> stuck;
    for (present_ = 0; present_ < inputs_.size(); ++present_) {
        const bool mayVanish = gone_[present_] > MarkTable::mostFiles;
        std::vector<Mark> marks = readers_[present_].level(level);
        std::erase_if(marks, [&](Mark& mark) {
            if (mark.file == manyFiles) {
                if (mayVanish) stuck.push_back(mark.hash);
                return false;
            }
            mark.file = newNumber(present_, mark.file);
            return mark.file == goneFile;
        });
        table.insert(marks);
    }
    present_ = inputs_.size();
    MarkTable::Copy kept = table.copy();
    sortMarks(kept.marks);
    Distinct& distinct = distinctOf(level);
    distinct.theta = std::ldexp(1.0, -static_cast<int>(kept.shift));
    const auto later = [](const Hash128& left, const Hash128& right) {
        return left.high != right.high ? left.high < right.high : left.low < right.low;
    };
    std::sort(stuck.begin(), stuck.end(), later);
    const Mark* before = nullptr;
    for (const Mark& mark : kept.marks) {
        if (before == nullptr || before->hash != mark.hash) addTo(distinct.retained, mark);
        if (mark.file == manyFiles && std::binary_search(stuck.begin(), stuck.end(), mark.hash, later)) {
            addTo(unattributed_[level], mark);
        }
        before = &mark;
    }
    distinct.exact = kept.shift == 0 && unattributed_[level].count == 0;
    if (writer != nullptr) writer->level(kept.shift, kept.marks);
}

} // namespace stowage

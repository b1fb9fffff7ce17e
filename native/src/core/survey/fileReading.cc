#include "core/survey/fileReading.h"

#include <new>

namespace stowage {

namespace {

constexpr uint64_t grain = BlockLevels::mainLeafBytes;

Skip changedSkip() {
    return {SkipCode::changed, "it changed while it was being read"};
}

ReadFile failed(Skip skip, const platform::FileFacts& facts) {
    ReadFile result;
    result.skip = std::move(skip);
    result.facts = facts;
    return result;
}

/** Gives `length` bytes, in the memory of others if that is not far too much. */
void give(size_t length, std::vector<uint8_t>& others, std::vector<uint8_t>& bytes) {
    if (others.capacity() <= 2 * length) bytes = std::move(others);
    bytes.resize(length);
}

} // namespace

FileReading::FileReading(SurveyState& state, const FileCollectors& collectors)
    : state_(state), collector_(collectors.blocks), linear_(collectors.linear), chunks_(collectors.chunks),
      marks_(collectors.marks),
      pages_(static_cast<uint8_t*>(platform::allocateZeroedPages(ChunkCutter::headroom + bufferBytes + 1))),
      buffer_(pages_.get() + ChunkCutter::headroom) {
    if (pages_ == nullptr) throw std::bad_alloc();
    if (state.options.sha256) sha256_.emplace();
}

ReadFile FileReading::read(const platform::Handle& folder, const char* name,
                           const platform::FileFacts& listed, UnitFile unitFile) {
    unitFile_ = std::move(unitFile);
    if (state_.options.observer) state_.options.observer(Moment::beforeOpening, name);
    platform::Handle file;
    const int error = platform::openFile(folder, name, file);
    if (error != 0) return failed(skipFor(error), listed);
    fileNumber_ = state_.filesOpened.fetch_add(1, std::memory_order_relaxed);
    if (marks_ != nullptr) marks_->startFile(fileNumber_);
    ReadFile result = listed.bytes <= bufferBytes ? readShort(file, name, listed) : readLong(file, name);
    result.fileNumber = fileNumber_;
    return result;
}

ReadFile FileReading::readShort(const platform::Handle& file, const char* name, platform::FileFacts facts) {
    // Facts from the listing serve as the look before reading. If they are out of date the file is
    // read again with newer ones, so that only a change during the reading counts as one.
    constexpr int attempts = 3;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        size_t got = 0;
        // One byte more than there should be shows growth. That the file ends where it should its
        // length tells: asking once more for nothing would be one of six calls that a small file
        // takes.
        const size_t expected = std::max<uint64_t>(1, facts.bytes);
        const int error = platform::readAt(file, 0, buffer_, facts.bytes + 1, got, expected);
        platform::FileFacts after;
        const int statError = platform::factsOf(file, after);
        if (statError == 0 && after.kind != platform::FileKind::file) return failed(changedSkip(), after);
        if (error != 0) return failed(skipFor(error), facts);
        if (statError != 0) return failed(skipFor(statError), facts);
        if (got == facts.bytes && after.sameContent(facts)) {
            ReadFile result;
            result.facts = after;
            result.countedBytes = got;
            data(got);
            finishFile(result);
            state_.clones.look(file, after);
            startUnits(got);
            offerUnits(file, got, 0);
            state_.bytesDone.fetch_add(got, std::memory_order_relaxed);
            return result;
        }
        facts = after;
        if (facts.bytes > bufferBytes) return readLong(file, name);
    }
    return failed(changedSkip(), facts);
}

ReadFile FileReading::readLong(const platform::Handle& file, const char* name) {
    ReadFile result;
    const int error = platform::factsOf(file, result.facts);
    if (error != 0) return failed(skipFor(error), result.facts);
    if (result.facts.kind != platform::FileKind::file) return failed(changedSkip(), result.facts);
    platform::expectSequentialReading(file);
    result.skip = readPieces(file, name, result.facts);
    result.countedBytes = collector_.fileBytes();
    platform::FileFacts after;
    if (!result.skip && (platform::factsOf(file, after) != 0 || !after.sameContent(result.facts))) {
        result.skip = changedSkip();
    }
    if (!result.skip) state_.clones.look(file, after);
    finishFile(result);
    return result;
}

std::optional<Skip> FileReading::readPieces(const platform::Handle& file, const char* name,
                                            const platform::FileFacts& facts) {
    const bool sparse = facts.maybeSparse();
    startUnits(facts.bytes);
    uint64_t offset = 0;
    uint64_t dataEnd = sparse ? 0 : facts.bytes;
    while (offset < facts.bytes) {
        if (!state_.queue.proceed())
            return Skip{SkipCode::cancelled, "the survey was cancelled while it was read"};
        state_.measureReading();
        if (offset >= dataEnd) {
            uint64_t dataStart = 0;
            const int error = platform::nextData(file, offset, facts.bytes, dataStart, dataEnd);
            if (error != 0) return skipFor(error);
            if (dataStart < facts.bytes) dataStart -= dataStart % grain;
            dataEnd = std::min((dataEnd + grain - 1) / grain * grain, facts.bytes);
            // Hashed by SHA-256 a hole takes as long as data: in pieces, so that the survey can be
            // stopped in it.
            if (sha256_ && dataStart - offset > bufferBytes) {
                zeros(bufferBytes);
                offset += bufferBytes;
                offerUnits(file, offset, facts.bytes);
                dataEnd = offset;
                continue;
            }
            if (dataStart > offset) {
                zeros(dataStart - offset);
                offset = dataStart;
                offerUnits(file, offset, facts.bytes);
                continue;
            }
        }
        const size_t wanted = std::min<uint64_t>(bufferBytes, dataEnd - offset);
        size_t got = 0;
        const int error = platform::readAt(file, offset, buffer_, wanted, got);
        if (error != 0) return skipFor(error);
        if (got < wanted) return changedSkip();
        data(got);
        offset += got;
        offerUnits(file, offset, offset - got);
        state_.bytesDone.fetch_add(got, std::memory_order_relaxed);
        if (state_.options.observer) state_.options.observer(Moment::afterReadingPiece, name);
    }
    return std::nullopt;
}

void FileReading::data(size_t length) {
    collector_.data(buffer_, length);
    if (linear_ != nullptr) linear_->data(buffer_, length);
    if (chunks_ != nullptr) chunks_->data(buffer_, length);
    if (sha256_) sha256_->data(buffer_, length);
}

void FileReading::startUnits(uint64_t fileBytes) {
    nextUnit_ = 0;
    if (!state_.samples.wanted()) return;
    unitFile_.bytes = fileBytes;
    unitSeed_ = Samples::seedOf(unitFile_);
}

/**
 * All units that are complete now that the file was read up to `end`; the buffer holds it from
 * `bufferAt`.
 */
void FileReading::offerUnits(const platform::Handle& file, uint64_t end, uint64_t bufferAt) {
    if (!state_.samples.wanted()) return;
    while (nextUnit_ < end) {
        const uint64_t length = std::min(Samples::unitBytes, unitFile_.bytes - nextUnit_);
        // A hole may hold millions of units.
        if (nextUnit_ + length > end || !state_.queue.proceed()) return;
        const double priority = Samples::priorityOf(unitSeed_, nextUnit_, length);
        if (state_.samples.wants(priority)) {
            keepUnit(file, priority, length, bufferAt);
        }
        nextUnit_ += length;
    }
}

void FileReading::keepUnit(const platform::Handle& file, double priority, size_t length, uint64_t bufferAt) {
    size_t got = 0;
    Sample unit{unitFile_, nextUnit_, priority, {}, {}, {}};
    give(std::min<uint64_t>(Samples::historyBytes, unit.offset), spare_.history, unit.history);
    give(length, spare_.data, unit.data);
    const uint64_t before = unit.offset - unit.history.size();
    if (!unit.history.empty() &&
        (platform::readAt(file, before, unit.history.data(), unit.history.size(), got) != 0 ||
         got != unit.history.size())) {
        return; // The file is shrinking; it will be reported as changed.
    }
    if (bufferAt <= unit.offset) {
        std::copy_n(buffer_ + (unit.offset - bufferAt), length, unit.data.begin());
    } else if (platform::readAt(file, unit.offset, unit.data.data(), length, got) != 0 || got != length) {
        return;
    }
    spare_ = state_.samples.keep(std::move(unit));
}

void FileReading::finishFile(ReadFile& result) {
    result.digest = collector_.finishFile(!result.skip);
    if (linear_ != nullptr) linear_->finishFile(!result.skip);
    if (chunks_ != nullptr) chunks_->finishFile(fileNumber_, result.countedBytes);
    if (sha256_) result.sha256 = sha256_->finish();
    if (marks_ != nullptr) marks_->finishFile(result.countedBytes, result.digest, !result.skip);
}

void FileReading::zeros(uint64_t length) {
    collector_.zeros(length);
    if (linear_ != nullptr) linear_->zeros(length);
    if (chunks_ != nullptr) chunks_->zeros(length);
    if (sha256_) sha256_->zeros(length);
    state_.bytesDone.fetch_add(length, std::memory_order_relaxed);
}

} // namespace stowage

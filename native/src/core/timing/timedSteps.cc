// The steps of a timed run, and the order in which their parts are timed.
#include "core/timing/timedRun.h"

#include <algorithm>
#include <cerrno>
#include <latch>
#include <thread>

namespace stowage {

using platform::Access;
using platform::CacheMode;

namespace {

/** File systems keep files in blocks of this size or of parts of it. */
constexpr uint64_t wholeBlocks = 4096;

} // namespace

uint64_t TimedRun::movedBytes(uint64_t bytes) const {
    if (mode() == CacheMode::buffered) return bytes;
    const uint64_t unit = std::max<uint64_t>(evidence_.probe.alignment, wholeBlocks);
    return (bytes + unit - 1) / unit * unit;
}

bool TimedRun::create(uint32_t step, uint32_t file) {
    FileState& state = files_[file];
    if (!checkMargin(file, movedBytes(options_.files[file].bytes))) return false;
    const int64_t start = monotonicNs();
    const int error = folder_.open(options_.files[file].name, Access::create, mode(), state.open);
    const int64_t end = monotonicNs();
    if (error != 0) return fail(error, "create", file);
    samples_.add(step, TimedPhase::create, 0, start, end);
    state.exists = true;
    state.length = 0;
    return true;
}

bool TimedRun::openFor(uint32_t step, uint32_t file, Access access, CacheMode cacheMode) {
    FileState& state = files_[file];
    state.open.close();
    const TimedFileSpec& spec = options_.files[file];
    const int64_t start = monotonicNs();
    const int error = spec.foreign ? platform::openForeign(spec.name, cacheMode, state.open)
                                   : folder_.open(spec.name, access, cacheMode, state.open);
    const int64_t end = monotonicNs();
    if (error != 0) return fail(error, "open", file);
    samples_.add(step, TimedPhase::open, 0, start, end);
    if (spec.foreign) state.length = state.open.length();
    return true;
}

bool TimedRun::preallocate(uint32_t step, uint32_t file) {
    FileState& state = files_[file];
    const uint64_t bytes = movedBytes(options_.files[file].bytes);
    if (!options_.preallocate || state.length > 0 || bytes == 0) return true;
    const int64_t start = monotonicNs();
    const int error = state.open.preallocate(bytes);
    const int64_t end = monotonicNs();
    // A step that the file system does not support is left out; the outcome reports it.
    if (error == EOPNOTSUPP || error == ENOSYS || error == EINVAL) return true;
    if (error != 0) return fail(error, "preallocate", file);
    samples_.add(step, TimedPhase::preallocate, bytes, start, end);
    preallocated_ = true;
    return true;
}

bool TimedRun::flushFile(uint32_t step, uint32_t file) {
    const int64_t start = monotonicNs();
    const int error = files_[file].open.flush();
    const int64_t end = monotonicNs();
    if (error != 0) return fail(error, "flush", file);
    samples_.add(step, TimedPhase::flush, files_[file].length, start, end);
    return true;
}

bool TimedRun::closeFile(uint32_t step, uint32_t file) {
    const int64_t start = monotonicNs();
    const int error = files_[file].open.close();
    const int64_t end = monotonicNs();
    if (error != 0) return fail(error, "close", file);
    samples_.add(step, TimedPhase::close, 0, start, end);
    return true;
}

bool TimedRun::transfer(uint32_t step, uint32_t file, const Transfer& work, TimedPhase whole) {
    const TimedPhase part = work.writing ? TimedPhase::writeRequest : TimedPhase::readRequest;
    const auto times = samples_.requests(step, part, work.bytes, work.requestBytes, work.requests());
    TransferRun running(work, *times, bytesDone_, cancelled_);
    const int error = running.run();
    samples_.finish(*times);
    if (error != 0) return fail(error, work.writing ? "write" : "read", file);
    if (!running.complete()) return false; // cancelled
    int64_t start = 0;
    int64_t end = 0;
    if (times->span(start, end)) samples_.add(step, whole, work.bytes, start, end);
    return true;
}

void TimedRun::prepareData(uint32_t file, uint64_t bytes, const TimedStep& step) {
    FileState& state = files_[file];
    // Other bytes each time: a storage that looks for repetition might not write the same again.
    state.seed = options_.files[file].seed + (state.writes++ << 32U);
    state.requestBytes = 0;
    state.depth = step.depth;
    data_.prepare(state.seed, bytes, step.requestBytes, step.depth);
}

bool TimedRun::checkMargin(uint32_t file, uint64_t more) {
    uint64_t free = 0;
    const int error = folder_.freeBytes(free);
    if (error != 0) return fail(error, "find the free space for", file);
    if (free >= more && free - more >= options_.minimumFreeBytes) return true;
    fail(ENOSPC, "write", file);
    failure_.margin = true;
    return false;
}

bool TimedRun::write(uint32_t index) {
    const TimedStep& step = options_.steps[index];
    const TimedFileSpec& spec = options_.files[step.file];
    FileState& state = files_[step.file];
    Transfer work;
    work.writing = true;
    work.bytes = movedBytes(spec.bytes);
    work.requestBytes = step.requestBytes;
    work.depth = step.depth;
    work.data = &data_;
    if (!state.exists) return fail(ENOENT, "write", step.file);
    if (!checkMargin(step.file, work.bytes - std::min(work.bytes, state.length))) return false;
    if (!state.open && !openFor(index, step.file, Access::write, mode())) return false;
    prepareData(step.file, work.bytes, step);
    if (!preallocate(index, step.file)) return false;
    work.file = &state.open;
    const bool done = transfer(index, step.file, work, TimedPhase::write);
    state.length = std::max(state.length, state.open.length());
    if (!done) return false;
    state.requestBytes = step.requestBytes;
    if (options_.flush == FlushPolicy::each && !flushFile(index, step.file)) return false;
    return closeFile(index, step.file);
}

void TimedRun::coolFile(uint32_t file, bool keepCache) {
    FileState& state = files_[file];
    uint64_t resident = 0;
    const bool known = state.open.residentBytes(state.length, resident);
    if ((!known || resident > 0) && !keepCache) {
        // Only what has reached the medium can be forgotten.
        if (!options_.files[file].foreign) static_cast<void>(state.open.flush());
        state.open.dropCache();
        state.open.residentBytes(state.length, resident);
    }
    evidence_.residencyKnown = known;
    evidence_.residentBeforeBytes += std::min(resident, state.length);
}

void TimedRun::checkAfterReading(uint32_t file) {
    FileState& state = files_[file];
    uint64_t resident = 0;
    if (!state.open.residentBytes(state.length, resident)) return;
    evidence_.residentAfterBytes += std::min(resident, state.length);
    evidence_.checkedBytes += state.length;
}

bool TimedRun::read(uint32_t index) {
    const TimedStep& step = options_.steps[index];
    FileState& state = files_[step.file];
    if (!openFor(index, step.file, Access::read, mode())) return false;
    coolFile(step.file, step.keepCache && mode() == CacheMode::buffered);
    state.open.expect(false);
    Transfer work;
    work.file = &state.open;
    work.bytes = state.length;
    work.requestBytes = step.requestBytes;
    work.alignment = evidence_.probe.alignment;
    work.depth = step.depth;
    if (!transfer(index, step.file, work, TimedPhase::read)) return false;
    checkAfterReading(step.file);
    return closeFile(index, step.file);
}

bool TimedRun::random(uint32_t index) {
    const TimedStep& step = options_.steps[index];
    FileState& state = files_[step.file];
    Transfer work;
    work.writing = step.kind == StepKind::randomWrite;
    if (!openFor(index, step.file, work.writing ? Access::write : Access::read, mode())) return false;
    if (!work.writing) coolFile(step.file, step.keepCache && mode() == CacheMode::buffered);
    if (state.length < step.requestBytes) return fail(EIO, "find enough in", step.file);
    state.open.expect(true);
    const RandomOrder order(state.length / step.requestBytes, step.seed);
    work.places.resize(step.count);
    for (uint64_t i = 0; i < step.count; ++i)
        work.places[i] = order.at(i);
    work.file = &state.open;
    work.bytes = step.count * step.requestBytes;
    work.requestBytes = step.requestBytes;
    work.depth = step.depth;
    work.data = &data_;
    if (work.writing) {
        prepareData(step.file, state.length, step);
    }
    if (!transfer(index, step.file, work, work.writing ? TimedPhase::randomWrite : TimedPhase::randomRead)) {
        return false;
    }
    if (!work.writing) checkAfterReading(step.file);
    if (work.writing && options_.flush == FlushPolicy::each && !flushFile(index, step.file)) return false;
    return closeFile(index, step.file);
}

bool TimedRun::stream(uint32_t index) {
    const TimedStep& step = options_.steps[index];
    FileState& source = files_[step.file];
    FileState& target = files_[step.writeFile];
    const TimedFileSpec& spec = options_.files[step.writeFile];
    if (!target.exists && !create(index, step.writeFile)) return false;
    Transfer writing;
    writing.writing = true;
    writing.bytes = movedBytes(spec.bytes);
    writing.requestBytes = step.requestBytes;
    writing.data = &data_;
    if (!checkMargin(step.writeFile, writing.bytes - std::min(writing.bytes, target.length))) return false;
    if (!target.open && !openFor(index, step.writeFile, Access::write, mode())) return false;
    if (!openFor(index, step.file, Access::read, mode())) return false;
    coolFile(step.file, false);
    source.open.expect(false);
    prepareData(step.writeFile, writing.bytes, step);
    if (!preallocate(index, step.writeFile)) return false;
    writing.file = &target.open;
    Transfer reading;
    reading.file = &source.open;
    reading.bytes = source.length;
    reading.requestBytes = step.requestBytes;
    reading.alignment = evidence_.probe.alignment;
    // Both transfers are ready before either begins; failures are reported by this thread alone.
    const auto writeTimes = samples_.requests(index, TimedPhase::writeRequest, writing.bytes,
                                              step.requestBytes, writing.requests());
    const auto readTimes = samples_.requests(index, TimedPhase::readRequest, reading.bytes, step.requestBytes,
                                             reading.requests());
    TransferRun writer(writing, *writeTimes, bytesDone_, cancelled_);
    TransferRun reader(reading, *readTimes, bytesDone_, cancelled_);
    std::latch ready(2);
    int writeError = 0;
    int readError = 0;
    {
        const std::jthread thread([&] {
            ready.arrive_and_wait();
            writeError = writer.run();
        });
        ready.arrive_and_wait();
        readError = reader.run();
    }
    samples_.finish(*writeTimes);
    samples_.finish(*readTimes);
    target.length = std::max(target.length, target.open.length());
    if (writeError != 0) return fail(writeError, "write", step.writeFile);
    if (readError != 0) return fail(readError, "read", step.file);
    if (!writer.complete() || !reader.complete()) return false;
    int64_t start = 0;
    int64_t end = 0;
    if (writeTimes->span(start, end)) samples_.add(index, TimedPhase::streamWrite, writing.bytes, start, end);
    if (readTimes->span(start, end)) samples_.add(index, TimedPhase::streamRead, reading.bytes, start, end);
    target.requestBytes = step.requestBytes;
    checkAfterReading(step.file);
    if (options_.flush == FlushPolicy::each && !flushFile(index, step.writeFile)) return false;
    return closeFile(index, step.writeFile) && closeFile(index, step.file);
}

bool TimedRun::cachedRead(uint32_t index) {
    const TimedStep& step = options_.steps[index];
    FileState& state = files_[step.file];
    if (!openFor(index, step.file, Access::read, CacheMode::buffered)) return false;
    const AlignedMemory buffer(step.requestBytes);
    for (uint64_t at = 0; at < state.length && !cancelled(); at += step.requestBytes) {
        size_t got = 0;
        const int error = state.open.readAt(at, buffer.data(), step.requestBytes, got);
        if (error != 0) return fail(error, "read", step.file);
    }
    Transfer work;
    work.file = &state.open;
    work.bytes = state.length;
    work.requestBytes = step.requestBytes;
    if (!transfer(index, step.file, work, TimedPhase::cachedRead)) return false;
    if (!options_.files[step.file].foreign) state.open.dropCache();
    return closeFile(index, step.file);
}

bool TimedRun::verify(uint32_t index) {
    const TimedStep& step = options_.steps[index];
    FileState& state = files_[step.file];
    if (state.requestBytes == 0) return fail(EINVAL, "verify", step.file);
    if (!openFor(index, step.file, Access::read, mode())) return false;
    data_.prepare(state.seed, state.length, state.requestBytes, state.depth);
    const AlignedMemory buffer(state.requestBytes);
    for (uint64_t at = 0; at < state.length; at += state.requestBytes) {
        if (cancelled()) return false;
        const auto length = static_cast<size_t>(std::min(state.requestBytes, state.length - at));
        size_t got = 0;
        const int error = state.open.readAt(at, buffer.data(), state.requestBytes, got);
        if (error != 0) return fail(error, "read", step.file);
        if (got != length || !data_.matches(at, buffer.data(), length)) {
            fail(EIO, "verify", step.file);
            failure_.verification = true;
            return false;
        }
        verifiedBytes_ += length;
        bytesDone_.fetch_add(length);
    }
    return closeFile(index, step.file);
}

bool TimedRun::remove(uint32_t index) {
    const uint32_t file = options_.steps[index].file;
    FileState& state = files_[file];
    state.open.close();
    const int64_t start = monotonicNs();
    const int error = folder_.removeFile(options_.files[file].name);
    const int64_t end = monotonicNs();
    if (error != 0) return fail(error, "remove", file);
    samples_.add(index, TimedPhase::remove, state.length, start, end);
    state = FileState{};
    return true;
}

bool TimedRun::flushAll(uint32_t index) {
    for (uint32_t file = 0; file < files_.size(); ++file) {
        if (options_.files[file].foreign || !files_[file].exists || files_[file].length == 0) continue;
        if (cancelled()) return false;
        if (!openFor(index, file, Access::write, mode()) || !flushFile(index, file) ||
            !closeFile(index, file)) {
            return false;
        }
    }
    return true;
}

} // namespace stowage

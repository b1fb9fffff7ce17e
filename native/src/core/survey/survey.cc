#include "core/survey/survey.h"

#include "core/sketches/sketchSave.h"

namespace stowage {

namespace {

ReaderRange rangeFor(unsigned asked, platform::DeviceKind kind) {
    constexpr unsigned most = 64;
    if (asked > 0) return {std::min(asked, most), std::min(asked, most)};
    return readerRange(kind, std::thread::hardware_concurrency());
}

platform::DeviceKind kindOf(const std::vector<std::string>& roots) {
    platform::DeviceKind slowest = platform::DeviceKind::memory;
    for (const std::string& root : roots)
        slowest = platform::slowerKind(slowest, platform::deviceKindOf(root));
    return roots.empty() ? platform::DeviceKind::unknown : slowest;
}

} // namespace

Survey::Survey(SurveyOptions options) : state_(std::move(options)) {
    if (state_.options.known) state_.options.known->prepare();
    uint32_t index = 0;
    for (const std::string& root : state_.options.roots) {
        auto [anchor, name] = platform::partsOf(root);
        FolderTask task;
        task.folder = std::make_shared<const FolderNode>(index++, std::move(anchor));
        task.rootName = std::move(name);
        state_.queue.add(std::move(task));
    }
}

/**
 * Asks about the device first, which can take as long as reading from it: never where a window
 * waits.
 */
void Survey::hireWorkers() {
    const platform::DeviceKind kind = kindOf(state_.options.roots);
    const std::scoped_lock guard(workersLock_);
    deviceKind_ = kind;
    state_.readers.emplace(rangeFor(state_.options.threads, kind), std::thread::hardware_concurrency());
    state_.queue.setMostCallers(state_.readers->now());
    for (unsigned i = 0; i < state_.readers->most(); ++i) {
        if (state_.fingerprints) {
            fingerprintCollectors_.push_back(std::make_unique<FingerprintCollector>(
                *state_.options.fingerprints, state_.linearLevels.count(), *state_.fingerprints));
        }
        FingerprintCollector* const prints =
            state_.fingerprints ? fingerprintCollectors_.back().get() : nullptr;
        if (state_.marks) markCollectors_.push_back(std::make_unique<MarkCollector>(*state_.marks, prints));
        MarkCollector* const marks = state_.marks ? markCollectors_.back().get() : nullptr;
        collectors_.push_back(std::make_unique<BlockCollector>(state_.levels, marks));
        if (state_.options.anchors) {
            anchorCollectors_.push_back(std::make_unique<AnchorCollector>(state_.anchorDensity));
        }
        AnchorCollector* const anchors = anchorCollectors_.empty() ? nullptr : anchorCollectors_.back().get();
        if (state_.chunkLevels.count() > 0 || anchors != nullptr) {
            chunkCollectors_.push_back(std::make_unique<ChunkCollector>(state_.chunkLevels, anchors, marks));
        }
        ChunkCollector* const chunks = chunkCollectors_.empty() ? nullptr : chunkCollectors_.back().get();
        if (state_.linearLevels.count() > 0)
            linearCollectors_.push_back(std::make_unique<LinearCollector>(state_.linearLevels, prints));
        LinearCollector* const linear = linearCollectors_.empty() ? nullptr : linearCollectors_.back().get();
        workers_.push_back(std::make_unique<SurveyWorker>(
            state_, FileCollectors{*collectors_.back(), linear, chunks, marks, prints}));
    }
}

void Survey::run() {
    state_.leftOut.find(state_.options.leaveOut);
    hireWorkers();
    std::mutex lock;
    std::exception_ptr failure;
    {
        std::vector<std::jthread> threads;
        threads.reserve(workers_.size());
        for (const auto& worker : workers_) {
            threads.emplace_back([&lock, &failure, &worker, this] {
                try {
                    worker->run();
                } catch (...) {
                    const std::scoped_lock guard(lock);
                    failure = std::current_exception();
                    state_.queue.cancel();
                }
            });
        }
    }
    state_.folders.closeKept();
    if (failure) std::rethrow_exception(failure);
    // Who cancels does not wait for this.
    if (!cancelled()) state_.samples.countCopies(state_.levels);
}

EntryColumns Survey::takeEntries() {
    return takeFrom(state_.filled, &SurveyWorker::takeEntries);
}

EntryColumns Survey::takeListed() {
    return takeFrom(state_.filledListed, &SurveyWorker::takeListed);
}

EntryColumns Survey::takeFrom(std::deque<EntryColumns>& filled, EntryColumns (SurveyWorker::*take)()) {
    {
        const std::scoped_lock guard(state_.filledLock);
        if (!filled.empty()) {
            EntryColumns entries = std::move(filled.front());
            filled.pop_front();
            return entries;
        }
    }
    const std::scoped_lock guard(workersLock_);
    for (const auto& worker : workers_) {
        EntryColumns entries = (*worker.*take)();
        if (entries.count() > 0) return entries;
    }
    return {};
}

SurveyProgress Survey::progress() {
    SurveyProgress progress;
    progress.walkFinished = state_.queue.walkFinished();
    progress.filesDone = state_.filesDone.load();
    progress.entries = state_.entriesReported.load();
    progress.bytesDone = state_.bytesDone.load();
    progress.foldersFound = state_.foldersFound.load();
    progress.filesFound = state_.filesFound.load();
    progress.bytesFound = state_.bytesFound.load();
    const std::scoped_lock guard(workersLock_);
    for (const auto& worker : workers_) {
        progress.current = worker->current();
        if (!progress.current.empty()) break;
    }
    return progress;
}

std::vector<BlockLevel> Survey::blockLevels() {
    const std::scoped_lock guard(workersLock_);
    std::vector<BlockLevel> figures = figuresOf(state_.levels, collectors_);
    const std::vector<BlockLevel> linear = figuresOf(state_.linearLevels, linearCollectors_);
    figures.insert(figures.end(), linear.begin(), linear.end());
    return figures;
}

void Survey::saveSketch(const std::string& path) {
    if (!state_.marks) throw SketchError("the survey kept no marks");
    bool hired = false;
    {
        const std::scoped_lock guard(workersLock_);
        hired = !workers_.empty();
    }
    // Writing takes long and must not hold up who asks for entries; once filled, the list stays as
    // it is.
    stowage::saveSketch(path, *state_.marks,
                        hired ? std::span(std::as_const(markCollectors_))
                              : std::span<const std::unique_ptr<MarkCollector>>());
}

void Survey::addFingerprints(unsigned level, const FingerprintColumns& rows) {
    if (!state_.fingerprints) throw FingerprintError("the survey kept no fingerprints");
    addEarlier(*state_.fingerprints, *state_.options.fingerprints, level, rows);
}

FingerprintColumns Survey::takeFingerprints(unsigned level, size_t most) {
    if (!state_.fingerprints) throw FingerprintError("the survey kept no fingerprints");
    if (!fingerprints_) fingerprints_.emplace(*state_.options.fingerprints, state_.fingerprints);
    return fingerprints_->next(level, most);
}

AnchorIndex Survey::takeAnchors() {
    for (const auto& collector : anchorCollectors_)
        collector->thin();
    AnchorIndex index(anchorCollectors_, state_.filesOpened.load(), state_.anchorDensity.shift());
    anchorCollectors_.clear();
    return index;
}

void Survey::freeTables() {
    for (unsigned level = 0; level < state_.levels.count(); ++level)
        state_.levels.table(level).freeSlots();
    for (size_t level = 0; level < state_.linearLevels.count(); ++level)
        state_.linearLevels.table(level).freeSlots();
    state_.chunkLevels.freeSlots();
    fingerprints_.reset();
    state_.fingerprints.reset();
    if (!state_.marks) return;
    for (unsigned level = 0; level < state_.marks->terms().levels(); ++level)
        state_.marks->table(level).freeSlots();
}

std::vector<ChunkLevel> Survey::chunkLevels() {
    const std::scoped_lock guard(workersLock_);
    return figuresOf(state_.chunkLevels, chunkCollectors_);
}

SurveyReading Survey::reading() {
    const std::scoped_lock guard(workersLock_);
    if (!state_.readers) return {};
    const bool asked = state_.options.threads > 0;
    return {deviceKind_,
            asked,
            state_.readers->first(),
            state_.readers->kept(),
            state_.readers->most(),
            state_.readers->trials()};
}

} // namespace stowage

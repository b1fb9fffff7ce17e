#include "core/survey/surveyWorker.h"

#include "core/survey/folderWalk.h"

namespace stowage {

SurveyWorker::SurveyWorker(SurveyState& state, const FileCollectors& collectors)
    : state_(state), collectors_(collectors), reading_(state, collectors) {}

void SurveyWorker::run() {
    FolderWalk walk(state_, *this);
    FolderTask folder;
    FileBatch files;
    for (;;) {
        const WorkQueue::Taken taken = state_.queue.take(folder, files);
        if (taken == WorkQueue::Taken::finished) break;
        if (taken == WorkQueue::Taken::folder) {
            listing_ = state_.options.listFirst;
            walk.list(folder);
            listing_ = false;
            folder = {};
        } else {
            readFiles(files);
            files = {};
        }
        state_.queue.done(taken);
    }
    collectors_.blocks.flush();
    if (collectors_.linear != nullptr) collectors_.linear->flush();
    if (collectors_.chunks != nullptr) collectors_.chunks->flush();
    if (collectors_.prints != nullptr) collectors_.prints->flush();
    const std::scoped_lock guard(lock_);
    current_.clear();
}

EntryColumns SurveyWorker::takeEntries() {
    const std::scoped_lock guard(lock_);
    return std::exchange(entries_, {});
}

EntryColumns SurveyWorker::takeListed() {
    const std::scoped_lock guard(lock_);
    return std::exchange(listed_, {});
}

std::string SurveyWorker::current() {
    const std::scoped_lock guard(lock_);
    return current_;
}

void SurveyWorker::handOver(EntryColumns& full, std::deque<EntryColumns>& filled) {
    if (!full.full()) return;
    const std::scoped_lock guard(state_.filledLock);
    filled.push_back(std::exchange(full, {}));
}

void SurveyWorker::add(const Entry& entry, const std::string& prefix, const char* name) {
    state_.entriesReported.fetch_add(1, std::memory_order_relaxed);
    entries_.add(entry, prefix, name, state_.options.sha256);
    handOver(entries_, state_.filled);
    if (!listing_) return;
    listed_.add(entry, prefix, name, false);
    handOver(listed_, state_.filledListed);
}

void SurveyWorker::tellWaiting(const Entry& entry, const std::string& prefix, const char* name) {
    if (!listing_) return;
    const std::scoped_lock guard(lock_);
    listed_.add(entry, prefix, name, false);
    handOver(listed_, state_.filledListed);
}

void SurveyWorker::tell(const Entry& entry, const std::string& prefix, const char* name) {
    const std::scoped_lock guard(lock_);
    add(entry, prefix, name);
}

void SurveyWorker::tellSkip(uint32_t rootIndex, const platform::FileFacts& facts, Skip skip,
                            const std::string& prefix, const char* name, uint64_t countedBytes,
                            uint32_t fileNumber) {
    Entry entry;
    entry.kind = EntryKind::skipped;
    entry.rootIndex = rootIndex;
    entry.facts = facts;
    entry.bytes = countedBytes;
    entry.fileNumber = fileNumber;
    const std::scoped_lock guard(lock_);
    if (listing_) listed_.skips.emplace_back(static_cast<uint32_t>(listed_.count()), skip);
    entries_.skips.emplace_back(static_cast<uint32_t>(entries_.count()), std::move(skip));
    add(entry, prefix, name);
}

void SurveyWorker::tellLink(Entry entry, std::string target, const std::string& prefix, const char* name) {
    entry.kind = EntryKind::symlink;
    const std::scoped_lock guard(lock_);
    entries_.linkTargets.emplace_back(static_cast<uint32_t>(entries_.count()), std::move(target));
    add(entry, prefix, name);
}

void SurveyWorker::readFiles(const FileBatch& batch) {
    // A folder's listing reads itself what the queue has no room for.
    const bool wasListing = std::exchange(listing_, false);
    readEach(batch);
    listing_ = wasListing;
}

void SurveyWorker::readEach(const FileBatch& batch) {
    std::shared_ptr<platform::Handle> folder;
    const int error = state_.folders.open(*batch.folder, folder);
    const Skip noFolder = error == 0 ? Skip{} : skipFor(error);
    const std::string prefix = batch.folder->prefix();
    for (const FileTask& file : batch.files) {
        if (!state_.queue.proceed()) return;
        state_.measureReading();
        const char* const name = batch.names.c_str() + file.nameOffset;
        if (&file == &batch.files.front()) {
            const std::scoped_lock guard(lock_);
            current_ = batch.folder->childPath(name);
        }
        readFile(folder.get(), *batch.folder, prefix, name, file.facts, noFolder);
    }
}

UnitFile SurveyWorker::fileOf(const FolderNode& node, const std::string& prefix, const char* name) const {
    if (!state_.samples.wanted()) return {};
    return {node.rootIndex(), node.isAnchor() ? std::string() : prefix + name, 0};
}

void SurveyWorker::readFile(const platform::Handle* folder, const FolderNode& node, const std::string& prefix,
                            const char* name, const platform::FileFacts& listed, const Skip& noFolder) {
    if (tellTrusted(node, prefix, name, listed)) {
        if (listed.links > 1) finishLinks(listed, true);
        return;
    }
    ReadFile result;
    if (folder != nullptr) {
        result = reading_.read(*folder, name, listed, fileOf(node, prefix, name));
    } else {
        result.skip = noFolder;
        result.facts = listed;
    }
    const bool succeeded = tellRead(node, prefix, name, listed, std::move(result));
    if (listed.links > 1) finishLinks(listed, succeeded);
}

/** Reports a known file that nothing says has changed; true if it is one. */
bool SurveyWorker::tellTrusted(const FolderNode& node, const std::string& prefix, const char* name,
                               const platform::FileFacts& facts) {
    if (!state_.options.known) return false;
    const char* const shown = node.isAnchor() ? "" : name;
    const auto known = state_.options.known->take(facts, {node.rootIndex(), prefix, shown});
    if (!known) return false;
    state_.bytesDone.fetch_add(facts.bytes, std::memory_order_relaxed);
    state_.filesDone.fetch_add(1, std::memory_order_relaxed);
    Entry entry;
    entry.kind = EntryKind::file;
    entry.rootIndex = node.rootIndex();
    entry.fileNumber = state_.filesOpened.fetch_add(1, std::memory_order_relaxed);
    entry.trustedAs = *known;
    entry.bytes = facts.bytes;
    entry.facts = facts;
    tell(entry, prefix, shown);
    return true;
}

bool SurveyWorker::tellRead(const FolderNode& node, const std::string& prefix, const char* name,
                            const platform::FileFacts& listed, ReadFile result) {
    if (result.skip && result.skip->code == SkipCode::cancelled) {
        // Not done: what was found and not done is what the survey has not read.
        state_.bytesDone.fetch_sub(result.countedBytes, std::memory_order_relaxed);
    } else {
        // Progress is measured against what the listing promised: let the two meet.
        state_.bytesDone.fetch_add(listed.bytes - result.countedBytes, std::memory_order_relaxed);
        state_.filesDone.fetch_add(1, std::memory_order_relaxed);
    }
    const char* const shown = node.isAnchor() ? "" : name;
    if (result.skip) {
        tellSkip(node.rootIndex(), result.facts, std::move(*result.skip), prefix, shown, result.countedBytes,
                 result.fileNumber);
        return false;
    }
    Entry entry;
    entry.kind = EntryKind::file;
    entry.rootIndex = node.rootIndex();
    entry.fileNumber = result.fileNumber;
    entry.bytes = result.countedBytes;
    entry.facts = result.facts;
    entry.digest = result.digest;
    entry.sha256 = result.sha256;
    tell(entry, prefix, shown);
    return true;
}

void SurveyWorker::finishLinks(const platform::FileFacts& facts, bool succeeded) {
    for (;;) {
        const std::vector<LinkName> names = state_.hardLinks.finish(facts.device, facts.inode, succeeded);
        if (succeeded) {
            for (const LinkName& link : names) {
                Entry entry;
                entry.kind = EntryKind::hardLink;
                entry.rootIndex = link.folder->rootIndex();
                entry.facts = link.facts;
                state_.filesDone.fetch_add(1, std::memory_order_relaxed);
                tell(entry, link.folder->prefix(), link.folder->isAnchor() ? "" : link.name.c_str());
            }
            return;
        }
        if (names.empty() || !state_.queue.proceed()) return;
        const LinkName& next = names.front();
        state_.bytesFound.fetch_add(next.facts.bytes, std::memory_order_relaxed);
        std::shared_ptr<platform::Handle> folder;
        const int error = state_.folders.open(*next.folder, folder);
        ReadFile result;
        if (error == 0) {
            result = reading_.read(*folder, next.name.c_str(), next.facts,
                                   fileOf(*next.folder, next.folder->prefix(), next.name.c_str()));
        } else {
            result.skip = skipFor(error);
            result.facts = next.facts;
        }
        succeeded =
            tellRead(*next.folder, next.folder->prefix(), next.name.c_str(), next.facts, std::move(result));
    }
}

} // namespace stowage

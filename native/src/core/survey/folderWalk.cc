#include "core/survey/folderWalk.h"

#include "core/survey/surveyWorker.h"

#include <cerrno>

namespace stowage {

namespace {

Skip skipForRoot(int error) {
    if (error == ENOENT || error == ENOTDIR) return {SkipCode::notFound, "no such file or folder"};
    if (error == ELOOP) return {SkipCode::symlinkLoop, "too many levels of symbolic links"};
    return skipFor(error);
}

/** The path without the slash that ends a prefix. */
std::string withoutSlash(std::string prefix) {
    if (!prefix.empty()) prefix.pop_back();
    return prefix;
}

FolderTask taskBelow(const FolderTask& parent, const char* name, const platform::FileFacts& facts,
                     LeftOut::Counted* leftOut) {
    FolderTask task;
    task.folder = std::make_shared<const FolderNode>(parent.folder, name, facts.device);
    task.facts = facts;
    task.parentDevice = parent.folder->device();
    task.rootDevice = parent.folder->isAnchor() ? facts.device : parent.rootDevice;
    task.rules = parent.rules;
    task.tried = parent.tried;
    task.leftOut = leftOut;
    return task;
}

} // namespace

void FolderWalk::list(const FolderTask& task) {
    if (!state_.queue.proceed()) return;
    if (task.folder->isAnchor()) {
        listRoot(task);
        return;
    }
    std::shared_ptr<platform::Handle> folder;
    const int error = state_.folders.open(*task.folder, folder);
    if (error != 0) {
        if (task.leftOut == nullptr) skipFolder(task, skipFor(error));
        return;
    }
    // A file system begins where the device number changes; asking at the root and there is enough.
    if (task.facts.device != task.parentDevice && platform::isPseudoFileSystem(*folder)) {
        if (task.leftOut == nullptr)
            skipFolder(task, {SkipCode::refused, "it shows the state of the system, not files"});
        return;
    }
    if (task.leftOut != nullptr) {
        countNames(task, *folder);
        return;
    }
    const std::string prefix = task.folder->prefix();
    if (!task.kept && !prefix.empty()) {
        if (const auto rule = state_.rules.cacheTag(*folder)) {
            state_.foldersFound.fetch_sub(1, std::memory_order_relaxed);
            leaveOutFolder(task, withoutSlash(prefix), *rule);
            return;
        }
    }
    Entry entry;
    entry.kind = EntryKind::folder;
    entry.rootIndex = task.folder->rootIndex();
    entry.facts = task.facts;
    worker_.tell(entry, withoutSlash(prefix), "");
    FolderTask inside = task;
    inside.rules = state_.rules.enter(task.rules, *folder, task.folder->rootIndex(), prefix);
    listNames(inside, *folder, prefix);
}

void FolderWalk::listRoot(const FolderTask& task) {
    std::shared_ptr<platform::Handle> folder;
    const int error = state_.folders.open(*task.folder, folder);
    platform::FileFacts facts;
    const int rootError = error != 0 ? error : platform::factsAt(*folder, task.rootName.c_str(), facts);
    if (rootError != 0) {
        worker_.tellSkip(task.folder->rootIndex(), {}, skipForRoot(rootError), "", "");
        return;
    }
    consider(task, *folder, "", task.rootName.c_str());
    queueBatch();
}

void FolderWalk::listNames(const FolderTask& task, const platform::Handle& folder,
                           const std::string& prefix) {
    platform::FolderListing listing(folder);
    for (;;) {
        const int error = listing.next(names_, order_);
        if (error != 0) {
            skipFolder(task, skipFor(error));
            break;
        }
        if (order_.empty()) break;
        // Inodes lie on the disk in this order, and often so do the files: fewer seeks than by
        // name.
        std::sort(order_.begin(), order_.end(),
                  [](const auto& a, const auto& b) { return a.inode < b.inode; });
        for (const auto& name : order_) {
            if (!state_.queue.proceed()) return;
            state_.measureReading();
            if (name.onlyInCloud) {
                worker_.tellSkip(task.folder->rootIndex(), {}, skipForCloud(), prefix,
                                 names_.c_str() + name.offset);
                continue;
            }
            consider(task, folder, prefix, names_.c_str() + name.offset);
        }
    }
    queueBatch();
}

/** Counts what is in a folder that is left out. What cannot be looked at is not counted. */
void FolderWalk::countNames(const FolderTask& task, const platform::Handle& folder) {
    platform::FolderListing listing(folder);
    while (listing.next(names_, order_) == 0 && !order_.empty()) {
        for (const auto& each : order_) {
            if (!state_.queue.proceed()) return;
            const char* const name = names_.c_str() + each.offset;
            platform::FileFacts facts;
            if (each.onlyInCloud || platform::factsAt(folder, name, facts) != 0 || facts.onlyInCloud)
                continue;
            if (facts.kind == platform::FileKind::folder) {
                state_.queue.add(taskBelow(task, name, facts, task.leftOut));
            } else if (facts.kind == platform::FileKind::file) {
                task.leftOut->files.fetch_add(1, std::memory_order_relaxed);
                task.leftOut->bytes.fetch_add(facts.bytes, std::memory_order_relaxed);
            }
        }
    }
}

/** @param kept set where a rule says that the entry is kept */
bool FolderWalk::leavesOut(const FolderTask& task, const std::string& prefix, const char* name,
                           const platform::FileFacts& facts, bool& kept) {
    const RuleVerdict verdict = state_.rules.judge(task.rules.get(), prefix, name, facts, task.rootDevice);
    kept = verdict.kept;
    if (!verdict.leftOut) return false;
    if (facts.kind == platform::FileKind::folder) {
        leaveOutFolder(taskBelow(task, name, facts, nullptr), prefix + name, verdict.rule);
        return true;
    }
    const uint64_t bytes = facts.kind == platform::FileKind::file ? facts.bytes : 0;
    state_.rules.countFile(verdict.rule, bytes);
    state_.excluded.addFile(task.folder->rootIndex(), prefix, name, verdict.rule, bytes);
    return true;
}

void FolderWalk::leaveOutFolder(const FolderTask& folder, const std::string& path, uint32_t rule) {
    state_.rules.countFolder(rule);
    LeftOut::Counted* const counted = state_.excluded.addFolder(folder.folder->rootIndex(), path, rule);
    if (!state_.options.countExcluded) return;
    FolderTask counting = folder;
    counting.leftOut = counted;
    state_.queue.add(std::move(counting));
}

void FolderWalk::consider(const FolderTask& task, const platform::Handle& handle, const std::string& prefix,
                          const char* name) {
    const std::shared_ptr<const FolderNode>& folder = task.folder;
    platform::FileFacts facts;
    const int error = platform::factsAt(handle, name, facts);
    const char* const shown = folder->isAnchor() ? "" : name;
    if (error != 0) {
        worker_.tellSkip(folder->rootIndex(), facts, skipFor(error), prefix, shown);
        return;
    }
    bool kept = false;
    // A root is surveyed whatever it is: the person named it.
    if (!folder->isAnchor() && state_.options.rules.any() && leavesOut(task, prefix, name, facts, kept))
        return;
    if (facts.onlyInCloud) {
        worker_.tellSkip(folder->rootIndex(), facts, skipForCloud(), prefix, shown);
        return;
    }
    Trials::Bits tried = task.tried;
    if (!folder->isAnchor() && !kept)
        tried |= state_.rules.trials().matching(prefix, name, facts.kind == platform::FileKind::folder);
    switch (facts.kind) {
    case platform::FileKind::file:
        if (tried != 0) state_.rules.trials().count(tried, facts.bytes);
        queueFile(folder, prefix, name, facts);
        break;
    case platform::FileKind::folder: {
        LeftOut::Counted* const leftOut =
            folder->isAnchor() ? nullptr : state_.leftOut.meet(facts, folder->rootIndex(), prefix, name);
        if (leftOut == nullptr) state_.foldersFound.fetch_add(1, std::memory_order_relaxed);
        FolderTask below = taskBelow(task, name, facts, leftOut);
        below.kept = kept;
        below.tried = tried;
        state_.queue.add(std::move(below));
        break;
    }
    case platform::FileKind::symlink: {
        std::string target;
        const int linkError = platform::linkTarget(handle, name, target);
        if (linkError != 0) {
            worker_.tellSkip(folder->rootIndex(), facts, skipFor(linkError), prefix, shown);
            break;
        }
        Entry entry;
        entry.rootIndex = folder->rootIndex();
        entry.facts = facts;
        worker_.tellLink(entry, std::move(target), prefix, shown);
        break;
    }
    case platform::FileKind::special:
        worker_.tellSkip(folder->rootIndex(), facts, skipForSpecial(facts), prefix, shown);
        break;
    }
}

void FolderWalk::queueFile(const std::shared_ptr<const FolderNode>& folder, const std::string& prefix,
                           const char* name, const platform::FileFacts& facts) {
    if (!state_.bytesCanBeCounted(facts.bytes)) {
        worker_.tellSkip(folder->rootIndex(), facts,
                         {SkipCode::refused, "with it the files would have more than 2^53 bytes"}, prefix,
                         folder->isAnchor() ? "" : name);
        return;
    }
    state_.filesFound.fetch_add(1, std::memory_order_relaxed);
    if (facts.links > 1) {
        const HardLinks::Answer answer = state_.hardLinks.ask(folder, name, facts);
        if (answer == HardLinks::Answer::held) {
            if (state_.options.listFirst) tellWaiting(folder, prefix, name, facts, EntryKind::hardLink);
            return;
        }
        if (answer == HardLinks::Answer::known) {
            Entry entry;
            entry.kind = EntryKind::hardLink;
            entry.rootIndex = folder->rootIndex();
            entry.facts = facts;
            state_.filesDone.fetch_add(1, std::memory_order_relaxed);
            worker_.tell(entry, prefix, folder->isAnchor() ? "" : name);
            return;
        }
    }
    state_.bytesFound.fetch_add(facts.bytes, std::memory_order_relaxed);
    if (state_.options.walkOnly) {
        tellListed(folder, prefix, name, facts);
        return;
    }
    if (state_.options.listFirst) tellWaiting(folder, prefix, name, facts, EntryKind::file);
    batch_.folder = folder;
    batch_.files.push_back({static_cast<uint32_t>(batch_.names.size()), facts});
    batch_.names.append(name, std::char_traits<char>::length(name) + 1);
    batch_.bytes += facts.bytes;
    constexpr size_t mostFiles = 64;
    constexpr uint64_t mostBytes = uint64_t{8} << 20U;
    if (batch_.files.size() >= mostFiles || batch_.bytes >= mostBytes) queueBatch();
}

/** A file that is listed and not read: done as soon as it is found. */
void FolderWalk::tellListed(const std::shared_ptr<const FolderNode>& folder, const std::string& prefix,
                            const char* name, const platform::FileFacts& facts) {
    Entry entry;
    entry.kind = EntryKind::file;
    entry.rootIndex = folder->rootIndex();
    entry.bytes = facts.bytes;
    entry.facts = facts;
    state_.bytesDone.fetch_add(facts.bytes, std::memory_order_relaxed);
    state_.filesDone.fetch_add(1, std::memory_order_relaxed);
    worker_.tell(entry, prefix, folder->isAnchor() ? "" : name);
    if (facts.links > 1) worker_.finishLinks(facts, true);
}

/** A file, or a further name of one, that is read later. */
void FolderWalk::tellWaiting(const std::shared_ptr<const FolderNode>& folder, const std::string& prefix,
                             const char* name, const platform::FileFacts& facts, EntryKind kind) {
    Entry entry;
    entry.kind = kind;
    entry.rootIndex = folder->rootIndex();
    if (kind == EntryKind::file) entry.bytes = facts.bytes;
    entry.facts = facts;
    worker_.tellWaiting(entry, prefix, folder->isAnchor() ? "" : name);
}

void FolderWalk::queueBatch() {
    if (batch_.files.empty()) return;
    FileBatch batch = std::exchange(batch_, {});
    if (!state_.queue.add(batch)) worker_.readFiles(batch);
}

void FolderWalk::skipFolder(const FolderTask& task, Skip skip) {
    worker_.tellSkip(task.folder->rootIndex(), task.facts, std::move(skip),
                     withoutSlash(task.folder->prefix()), "");
}

} // namespace stowage

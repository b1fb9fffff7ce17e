#include "platform/openTimed.h"
#include "platform/storage.h"

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>

namespace stowage::platform {

namespace {

bool endsWith(std::string_view name, std::string_view end) {
    return name.size() > end.size() && name.substr(name.size() - end.size()) == end;
}

/** A container's name without what it bears while it is made, if it bears that. */
std::string_view withoutPartial(std::string_view name) {
    constexpr std::string_view mark = ".partial-";
    constexpr size_t digits = 8;
    if (name.size() <= mark.size() + digits) return name;
    const size_t at = name.size() - mark.size() - digits;
    return name.substr(at, mark.size()) == mark ? name.substr(0, at) : name;
}

bool isOurName(std::string_view name) {
    return endsWith(withoutPartial(name), RunFolder::suffix);
}

bool isOurBundle(std::string_view name) {
    return endsWith(withoutPartial(name), RunFolder::bundleSuffix);
}

int namesIn(const Handle& folder, std::vector<std::string>& names) {
    FolderListing listing(folder);
    std::string text;
    std::vector<FolderListing::Name> piece;
    do {
        const int error = listing.next(text, piece);
        if (error != 0) return error;
        for (const FolderListing::Name& name : piece)
            names.emplace_back(text.c_str() + name.offset);
    } while (!piece.empty());
    return 0;
}

using IsOurs = bool (*)(std::string_view);

bool isBandName(std::string_view name) {
    return name.size() <= 16 && std::all_of(name.begin(), name.end(), [](char letter) {
               return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'f');
           });
}

bool isBundleFile(std::string_view name) {
    if (endsWith(name, ".partial")) name.remove_suffix(8);
    return name == "Info.plist" || name == "Info.bckup" || name == "token";
}

bool isBandsFolder(std::string_view name) {
    return name == "bands";
}

bool isNone(std::string_view /*name*/) {
    return false;
}

/**
 * Removes the regular files and the folders that are ours; counts what is not. No link is followed.
 */
int removeInside(const Handle& folder, IsOurs isFile, IsOurs isFolder, size_t& others);

int removeFolderOfOurs(const Handle& parent, const std::string& name, IsOurs isFile, IsOurs isFolder,
                       size_t& others) {
    size_t foreign = 0;
    {
        Handle inside;
        const int opening = openFolderIn(parent, name.c_str(), inside);
        if (opening != 0) return opening == ENOENT ? 0 : opening;
        const int error = removeInside(inside, isFile, isFolder, foreign);
        if (error != 0) return error;
    }
    others += foreign;
    if (foreign > 0) return 0;
    const int error = removeFolder(parent, name.c_str());
    return error == ENOENT ? 0 : error;
}

int removeInside(const Handle& folder, IsOurs isFile, IsOurs isFolder, size_t& others) {
    std::vector<std::string> names;
    int error = namesIn(folder, names);
    for (const std::string& name : names) {
        if (error != 0) return error;
        if (name == RunFolder::marker) continue; // goes last, see `removeEmptied`
        FileFacts facts;
        const bool known = factsAt(folder, name.c_str(), facts) == 0;
        if (known && facts.kind == FileKind::file && isFile(name)) {
            error = removeFile(folder, name.c_str());
            if (error == ENOENT) error = 0;
        } else if (known && facts.kind == FileKind::folder && isFolder(name)) {
            // A bundle holds its files and a folder of bands, which holds bands alone.
            const bool isBands = isFolder == isBandsFolder;
            error = removeFolderOfOurs(folder, name, isBands ? isBandName : isBundleFile,
                                       isBands ? isNone : isBandsFolder, others);
        } else {
            ++others;
        }
    }
    return error;
}

/** Removes our names; says how many others there are. */
int removeOurs(const Handle& folder, size_t& others) {
    others = 0;
    return removeInside(folder, isOurName, isOurBundle, others);
}

/**
 * The marker goes last: as long as anything is left, the folder is known as ours. Closes both, for
 * Windows keeps the names of what is open.
 */
int removeEmptied(const Handle& directory, Handle& folder, Handle& mark, const std::string& name) {
    const int error = removeFile(folder, RunFolder::marker);
    if (error != 0 && error != ENOENT) return error;
    mark = Handle();
    folder = Handle();
    return removeFolder(directory, name.c_str());
}

/** True when the marker's text is ours; a part of it too, for a kill may have cut it short. */
bool isOurMarker(const Handle& marker, const std::string& name) {
    const std::string expected = RunFolder::markerText(name);
    std::string text(expected.size() + 1, '\0');
    size_t got = 0;
    const int error = readAt(marker, 0, reinterpret_cast<uint8_t*>(text.data()), text.size(), got);
    return error == 0 && got <= expected.size() && expected.compare(0, got, text, 0, got) == 0;
}

} // namespace

void RunFolder::leave() {
    marker_ = Handle();
    folder_ = Handle();
    directory_ = Handle();
    name_.clear();
}

int RunFolder::create(const std::string& directory, const std::string& name) {
    if (!possibleName(name)) return EINVAL;
    int error = openFolder(directory, directory_);
    if (error != 0) return error;
    constexpr uint32_t onlyOurs = 0700;
    error = makeFolder(directory_, name.c_str(), onlyOurs);
    if (error != 0) return error;
    name_ = name;
    error = openFolderIn(directory_, name.c_str(), folder_);
    if (error == 0) error = openStorage(folder_, marker, Opening::toCreate, marker_);
    if (error != 0) return error;
    // Some network file systems know no locks: there others cannot distinguish a living run from a
    // dead one.
    static_cast<void>(lockFile(marker_, true));
    const std::string text = RunFolder::markerText(name);
    return writeAt(marker_, 0, reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

int RunFolder::open(const std::string& name, Access access, CacheMode mode, TimedFile& file) const {
    return openTimed(folder_.descriptor(), (name + suffix).c_str(), access, mode, file);
}

int RunFolder::removeFile(const std::string& name) const {
    return platform::removeFile(folder_, (name + suffix).c_str());
}

int RunFolder::freeBytes(uint64_t& bytes) const {
    return platform::freeBytes(directory_, bytes);
}

int RunFolder::remove() {
    // An open folder would keep its disk from being ejected.
    Handle directory = std::move(directory_);
    if (name_.empty()) return 0;
    size_t others = 0;
    int error = folder_ ? removeOurs(folder_, others) : 0;
    if (error == 0 && others > 0) error = ENOTEMPTY;
    if (error == 0 && folder_) error = removeEmptied(directory, folder_, marker_, name_);
    if (error == 0) name_.clear();
    marker_ = Handle();
    folder_ = Handle();
    return error;
}

int RunFolder::removeLeftOver(const std::string& directory, const std::string& name, LeftOver& found) {
    found = LeftOver::notOurs;
    if (!possibleName(name)) return 0;
    const auto isMissing = [](int error) { return error == ENOENT || error == ENOTDIR; };
    Handle base;
    int error = openFolder(directory, base);
    if (error != 0) {
        found = LeftOver::absent;
        return isMissing(error) ? 0 : error;
    }
    Handle folder;
    error = openFolderIn(base, name.c_str(), folder);
    if (error != 0) {
        if (error == ENOENT) found = LeftOver::absent;
        return isMissing(error) || error == ELOOP ? 0 : error;
    }
    Handle mark;
    error = openStorage(folder, marker, Opening::toRead, mark);
    if (error == ENOENT) {
        // Killed before the marker was made or after it was removed: then it is empty, or it is not
        // ours.
        folder = Handle();
        if (removeFolder(base, name.c_str()) == 0) found = LeftOver::removed;
        return 0;
    }
    if (error != 0) return error == ELOOP || error == ENOTSUP ? 0 : error;
    if (!isOurMarker(mark, name)) return 0;
    if (lockFile(mark, true) == EWOULDBLOCK) {
        found = LeftOver::inUse;
        return 0;
    }
    size_t others = 0;
    error = removeOurs(folder, others);
    if (error != 0) return error;
    found = others > 0 ? LeftOver::foreignFilesLeft : LeftOver::removed;
    return others > 0 ? 0 : removeEmptied(base, folder, mark, name);
}

} // namespace stowage::platform

#include "core/containers/place.h"

#include "core/containers/containerError.h"

#include <cerrno>
#include <vector>

namespace stowage::containers {

namespace {

/** Removes the files directly in a folder. */
void emptyFolder(const platform::Handle& folder) {
    std::vector<std::string> found;
    platform::FolderListing listing(folder);
    std::string text;
    std::vector<platform::FolderListing::Name> names;
    do {
        if (listing.next(text, names) != 0) return;
        for (const auto& name : names)
            found.emplace_back(text.c_str() + name.offset);
    } while (!names.empty());
    for (const std::string& name : found)
        platform::removeFile(folder, name.c_str());
}

} // namespace

Place placeOf(const std::string& path) {
    auto [folder, name] = platform::partsOf(path);
    Place place;
    place.name = std::move(name);
    if (place.name.empty() || place.name == "." || place.name == "..")
        fail(Fault::usage, "the path names no container");
    checkSystem(platform::openFolder(folder, place.parent), "its folder");
    return place;
}

Unfinished::Unfinished(const Place& place) : place_(place), name_(place.name) {
    platform::FileFacts facts;
    if (platform::factsAt(place.parent, place.name.c_str(), facts) == 0) checkSystem(EEXIST, place.name);
}

Unfinished::~Unfinished() {
    if (!isKept_) removeContainer(place_.parent, name_);
}

void Unfinished::keep() {
    checkSystem(platform::syncFolder(place_.parent), "its folder");
    isKept_ = true;
}

void Unfinished::exchange(const Place& other) {
    const int error = platform::exchangeNames(place_.parent, name_.c_str(), other.name.c_str());
    if (error == ENOTSUP) {
        // Three renames instead: a stop between them leaves both, complete, under names that tell
        // what they are.
        const std::string old = name_ + "-old";
        checkSystem(platform::renameToFree(place_.parent, other.name.c_str(), old.c_str()), other.name);
        const int second = platform::renameToFree(place_.parent, name_.c_str(), other.name.c_str());
        if (second != 0) {
            platform::renameToFree(place_.parent, old.c_str(), other.name.c_str());
            checkSystem(second, other.name);
        }
        name_ = old;
    } else {
        checkSystem(error, other.name);
    }
    checkSystem(platform::syncFolder(place_.parent), "its folder");
}

void removeContainer(const platform::Handle& parent, const std::string& name) {
    if (platform::removeFile(parent, name.c_str()) == 0) return;
    platform::Handle bundle;
    if (platform::openFolderIn(parent, name.c_str(), bundle) != 0) return;
    platform::Handle inner;
    if (platform::openFolderIn(bundle, "bands", inner) == 0) {
        emptyFolder(inner);
        inner = platform::Handle(); // see `openFilesKeepNames`
        platform::removeFolder(bundle, "bands");
    }
    emptyFolder(bundle);
    bundle = platform::Handle();
    platform::removeFolder(parent, name.c_str());
}

} // namespace stowage::containers

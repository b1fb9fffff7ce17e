#include "core/containers/cachedPages.h"

#include "platform/storage.h"
#include "platform/timedFile.h"

#include <cerrno>
#include <vector>

namespace stowage::containers {

namespace {

void drop(const std::string& path, CachedPages& pages) {
    platform::TimedFile file;
    checkSystem(platform::openForeign(path, platform::CacheMode::buffered, file), "its file");
    file.dropCache();
    const uint64_t bytes = file.length();
    uint64_t resident = 0;
    if (!file.residentBytes(bytes, resident)) pages.known = false;
    pages.checkedBytes += bytes;
    pages.residentBytes += resident;
}

std::vector<std::string> filesIn(const platform::Handle& folder) {
    std::vector<std::string> found;
    platform::FolderListing listing(folder);
    std::string text;
    std::vector<platform::FolderListing::Name> names;
    do {
        checkSystem(listing.next(text, names), "the bands folder");
        for (const auto& name : names)
            found.emplace_back(text.c_str() + name.offset);
    } while (!names.empty());
    return found;
}

} // namespace

CachedPages dropCachedPages(const std::string& path, Task& task) {
    CachedPages pages;
    const std::string folder = path + "/bands";
    platform::Handle bands;
    const int error = platform::openFolder(folder, bands);
    if (error != 0) {
        if (error != ENOTDIR) checkSystem(error, "the bands folder");
        drop(path, pages);
        return pages;
    }
    std::string file;
    for (const std::string& name : filesIn(bands)) {
        task.check();
        file.assign(folder).append("/").append(name);
        drop(file, pages);
    }
    return pages;
}

} // namespace stowage::containers

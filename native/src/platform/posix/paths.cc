#include "platform/fileSystem.h"

namespace stowage::platform {

PathParts partsOf(const std::string& path) {
    std::string rest = path;
    while (rest.size() > 1 && rest.back() == '/')
        rest.pop_back();
    if (rest == "/") return {"/", "."};
    const size_t slash = rest.rfind('/');
    if (slash == std::string::npos) return {".", rest};
    return {slash == 0 ? "/" : rest.substr(0, slash), rest.substr(slash + 1)};
}

std::filesystem::path standardPath(const std::string& path) {
    return path;
}

} // namespace stowage::platform

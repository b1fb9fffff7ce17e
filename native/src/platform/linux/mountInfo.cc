#include "platform/linux/mountInfo.h"

#include <charconv>

namespace stowage::platform {

namespace {

std::vector<std::string_view> fieldsOf(std::string_view line) {
    std::vector<std::string_view> fields;
    while (!line.empty()) {
        const size_t end = line.find(' ');
        if (end != 0) fields.push_back(line.substr(0, end));
        if (end == std::string_view::npos) break;
        line.remove_prefix(end + 1);
    }
    return fields;
}

template <typename Number> bool parseNumber(std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

/** Space, tab, newline and backslash are written there as a backslash and three octal digits. */
std::string unescaped(std::string_view text) {
    const auto digit = [](char letter) { return letter >= '0' && letter <= '7'; };
    std::string plain;
    for (size_t i = 0; i < text.size(); ++i) {
        const bool escape = text[i] == '\\' && i + 3 < text.size() && digit(text[i + 1]) &&
                            digit(text[i + 2]) && digit(text[i + 3]);
        if (!escape) {
            plain += text[i];
            continue;
        }
        plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
        i += 3;
    }
    return plain;
}

bool parseLine(std::string_view line, Mount& mount) {
    const std::vector<std::string_view> fields = fieldsOf(line);
    // id, parent, major:minor, root, mount point, options, optional fields, "-", type, source,
    // super options
    size_t separator = 6;
    while (separator < fields.size() && fields[separator] != "-")
        ++separator;
    if (separator + 2 >= fields.size()) return false;
    const size_t colon = fields[2].find(':');
    if (colon == std::string_view::npos) return false;
    if (!parseNumber(fields[0], mount.id) || !parseNumber(fields[2].substr(0, colon), mount.deviceMajor) ||
        !parseNumber(fields[2].substr(colon + 1), mount.deviceMinor)) {
        return false;
    }
    mount.mountPoint = unescaped(fields[4]);
    mount.fileSystem = unescaped(fields[separator + 1]);
    mount.source = unescaped(fields[separator + 2]);
    return true;
}

bool isBelow(const std::string& path, const std::string& mountPoint) {
    if (mountPoint == "/") return true;
    return path.compare(0, mountPoint.size(), mountPoint) == 0 &&
           (path.size() == mountPoint.size() || path[mountPoint.size()] == '/');
}

} // namespace

std::vector<Mount> parseMountInfo(std::string_view text) {
    std::vector<Mount> mounts;
    while (!text.empty()) {
        const size_t end = text.find('\n');
        Mount mount;
        if (parseLine(text.substr(0, end), mount)) mounts.push_back(std::move(mount));
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return mounts;
}

const Mount* mountOf(const std::vector<Mount>& mounts, unsigned long id, const std::string& resolvedPath) {
    const Mount* best = nullptr;
    for (const Mount& mount : mounts) {
        if (id != 0 && mount.id == id) return &mount;
        // The later of two mounts at one place covers the earlier.
        if (isBelow(resolvedPath, mount.mountPoint) &&
            (best == nullptr || mount.mountPoint.size() >= best->mountPoint.size())) {
            best = &mount;
        }
    }
    return best;
}

} // namespace stowage::platform

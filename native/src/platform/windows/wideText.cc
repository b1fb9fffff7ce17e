#include "platform/windows/wideText.h"

#include "platform/fileSystem.h"

#include <windows.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace stowage::platform {

namespace {

constexpr uint32_t replacement = 0xfffd;

/** Takes one code point, a surrogate too, from bytes; what is none counts as one byte. */
uint32_t nextPoint(std::string_view text, size_t& at) {
    const auto byteAt = [text](size_t place) -> uint32_t {
        return place < text.size() ? static_cast<unsigned char>(text[place]) : 0;
    };
    const uint32_t first = byteAt(at);
    ++at;
    if (first < 0x80) return first;
    const size_t more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    constexpr uint32_t leastOf[] = {0, 0x80, 0x800, 0x10000};
    if (first < 0xc2 || first > 0xf4) return replacement;
    uint32_t point = first & (0x3fU >> more);
    for (size_t i = 0; i < more; ++i) {
        const uint32_t next = byteAt(at + i);
        if ((next & 0xc0U) != 0x80) return replacement;
        point = (point << 6U) | (next & 0x3fU);
    }
    if (point < leastOf[more] || point > 0x10ffff) return replacement;
    at += more;
    return point;
}

bool isSeparator(wchar_t letter) {
    return letter == L'\\' || letter == L'/';
}

bool hasDrive(std::wstring_view path) {
    const auto isLetter = [](wchar_t letter) {
        return (letter >= L'a' && letter <= L'z') || (letter >= L'A' && letter <= L'Z');
    };
    return path.size() >= 2 && isLetter(path[0]) && path[1] == L':';
}

/** How many characters of a path with backslashes are its root: `C:\`, `\\server\share\`. */
size_t rootLength(std::wstring_view path) {
    const auto behindName = [path](size_t from) {
        const size_t end = path.find(L'\\', from);
        return end == std::wstring_view::npos ? path.size() : end + 1;
    };
    if (path.starts_with(L"\\\\?\\UNC\\")) return behindName(behindName(8));
    if (path.starts_with(L"\\\\?\\") || path.starts_with(L"\\\\.\\")) return behindName(4);
    if (path.starts_with(L"\\\\")) return behindName(behindName(2));
    if (hasDrive(path)) return path.size() > 2 && path[2] == L'\\' ? 3 : 2;
    return path.starts_with(L'\\') ? 1 : 0;
}

/** Without `.`, `..` and empty names, as the system does it for paths that are not marked. */
std::wstring normalized(std::wstring_view path, size_t root) {
    std::vector<std::wstring_view> names;
    for (size_t at = root; at < path.size();) {
        const size_t end = std::min(path.find(L'\\', at), path.size());
        const std::wstring_view name = path.substr(at, end - at);
        if (name == L"..") {
            if (!names.empty()) names.pop_back();
        } else if (!name.empty() && name != L".") {
            names.push_back(name);
        }
        at = end + 1;
    }
    std::wstring result(path.substr(0, root));
    for (const std::wstring_view name : names) {
        if (result.back() != L'\\') result += L'\\';
        result += name;
    }
    return result;
}

std::wstring withCurrentFolder(const std::wstring& path) {
    const DWORD length = GetFullPathNameW(path.c_str(), 0, nullptr, nullptr);
    std::wstring full(length, L'\0');
    const DWORD got = GetFullPathNameW(path.c_str(), length, full.data(), nullptr);
    full.resize(std::min(got, length));
    return full;
}

} // namespace

std::wstring wide(std::string_view text) {
    std::wstring result;
    result.reserve(text.size());
    for (size_t at = 0; at < text.size();) {
        const uint32_t point = nextPoint(text, at);
        if (point < 0x10000) {
            result += static_cast<wchar_t>(point);
        } else {
            result += static_cast<wchar_t>(0xd7c0 + (point >> 10U));
            result += static_cast<wchar_t>(0xdc00 + (point & 0x3ffU));
        }
    }
    return result;
}

std::string narrow(std::wstring_view text) {
    std::string result;
    result.reserve(text.size());
    const auto isHalf = [text](size_t at, uint32_t half) {
        return at < text.size() && (text[at] & 0xfc00U) == half;
    };
    const auto put = [&result](uint32_t byte) { result += static_cast<char>(byte); };
    for (size_t at = 0; at < text.size(); ++at) {
        uint32_t point = text[at];
        if (isHalf(at, 0xd800) && isHalf(at + 1, 0xdc00)) {
            ++at;
            point = ((point & 0x3ffU) << 10U) + (text[at] & 0x3ffU) + 0x10000;
        }
        if (point < 0x80) {
            put(point);
            continue;
        }
        if (point < 0x800) {
            put(0xc0U | (point >> 6U));
        } else {
            if (point < 0x10000) {
                put(0xe0U | (point >> 12U));
            } else {
                put(0xf0U | (point >> 18U));
                put(0x80U | ((point >> 12U) & 0x3fU));
            }
            put(0x80U | ((point >> 6U) & 0x3fU));
        }
        put(0x80U | (point & 0x3fU));
    }
    return result;
}

std::wstring wideName(std::string_view name) {
    std::wstring result = wide(name);
    std::replace(result.begin(), result.end(), L'/', L'\\');
    return result;
}

std::wstring systemPath(const std::string& path) {
    std::wstring given = wideName(path);
    if (given.starts_with(L"\\\\?\\") || given.starts_with(L"\\\\.\\")) return given;
    const bool isWhole =
        given.starts_with(L"\\\\") || (hasDrive(given) && given.size() > 2 && given[2] == L'\\');
    if (!isWhole) given = withCurrentFolder(given);
    if (given.starts_with(L"\\\\.\\")) return given; // such as NUL
    const std::wstring whole = normalized(given, rootLength(given));
    if (whole.starts_with(L"\\\\")) return L"\\\\?\\UNC\\" + whole.substr(2);
    return L"\\\\?\\" + whole;
}

PathParts partsOf(const std::string& path) {
    std::wstring rest = wideName(path);
    const size_t root = rootLength(rest);
    while (rest.size() > root && isSeparator(rest.back()))
        rest.pop_back();
    if (root > 0 && rest.size() <= root) return {narrow(rest), "."};
    const size_t last = rest.rfind(L'\\');
    if (last == std::wstring::npos || last < root) {
        return {root == 0 ? "." : narrow(rest.substr(0, root)), narrow(rest.substr(root))};
    }
    return {narrow(rest.substr(0, last + 1 == root ? root : last)), narrow(rest.substr(last + 1))};
}

std::filesystem::path standardPath(const std::string& path) {
    return systemPath(path);
}

} // namespace stowage::platform

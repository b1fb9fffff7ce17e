#pragma once

#include <string>
#include <string_view>

/** Names between the core's WTF-8 (UTF-8 that may hold lone surrogates) and the system's UTF-16. */
namespace stowage::platform {

/** Never fails: bytes that are no WTF-8 become U+FFFD, so that no file has such a name. */
std::wstring wide(std::string_view text);
std::string narrow(std::wstring_view text);

/** A name below a folder, with the system's separators. */
std::wstring wideName(std::string_view name);

/**
 * A path in the form that the system takes unchanged and at any length: `\\?\C:\…` or
 * `\\?\UNC\…`. Its names may then also end in a dot or a space, or be called `CON`. Devices
 * (`\\.\…`) stay.
 */
std::wstring systemPath(const std::string& path);

/**
 * The volume that a path lies on, as `\\?\Volume{…}` without a last backslash; empty if there is
 * none.
 */
std::wstring volumeOf(const std::wstring& path);

} // namespace stowage::platform

#include "platform/timedFile.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace stowage::platform {

TimedFile& TimedFile::operator=(TimedFile&& other) noexcept {
    if (this != &other) {
        close();
        native_ = std::exchange(other.native_, none);
    }
    return *this;
}

bool RunFolder::possibleName(const std::string& name) {
    const std::string_view start = prefix;
    constexpr size_t longest = 80;
    return name.size() > start.size() && name.size() <= longest &&
           name.compare(0, start.size(), start) == 0 &&
           std::all_of(name.begin(), name.end(), [](char letter) {
               return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '-';
           });
}

RunFolder::~RunFolder() {
    leave();
}

std::string RunFolder::markerText(const std::string& name) {
    return "Stowage made this folder to time a disk and removes it again: " + name + "\n";
}

} // namespace stowage::platform

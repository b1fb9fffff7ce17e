#include "platform/processes.h"

#include <fstream>
#include <sstream>
#include <string>

namespace stowage::platform {

uint64_t processStart(uint32_t id) {
    std::ifstream file("/proc/" + std::to_string(id) + "/stat");
    std::string stat;
    std::getline(file, stat, '\0');
    // Field 22 of proc(5), counted from behind the program's name, which may hold blanks.
    const size_t name = stat.rfind(')');
    if (name == std::string::npos) return 0;
    std::istringstream fields(stat.substr(name + 1));
    std::string skipped;
    for (int field = 3; field < 22; ++field)
        fields >> skipped;
    uint64_t start = 0;
    return fields >> start ? start : 0;
}

} // namespace stowage::platform

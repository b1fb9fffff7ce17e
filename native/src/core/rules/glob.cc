#include "core/rules/glob.h"

#include <array>

namespace stowage {

namespace {

constexpr size_t none = std::string_view::npos;

struct NamedClass {
    std::string_view name;
    bool (*holds)(unsigned char byte);
};

bool isUpper(unsigned char byte) {
    return byte >= 'A' && byte <= 'Z';
}
bool isLower(unsigned char byte) {
    return byte >= 'a' && byte <= 'z';
}
bool isDigit(unsigned char byte) {
    return byte >= '0' && byte <= '9';
}
bool isAlnum(unsigned char byte) {
    return isUpper(byte) || isLower(byte) || isDigit(byte);
}
bool isGraph(unsigned char byte) {
    return byte > ' ' && byte < 0x7f;
}

/** The classes of POSIX, for ASCII; other bytes are in none. */
constexpr std::array<NamedClass, 12> namedClasses = {{
    {"alnum", isAlnum},
    {"alpha", [](unsigned char byte) { return isUpper(byte) || isLower(byte); }},
    {"blank", [](unsigned char byte) { return byte == ' ' || byte == '\t'; }},
    {"cntrl", [](unsigned char byte) { return byte < ' ' || byte == 0x7f; }},
    {"digit", isDigit},
    {"graph", isGraph},
    {"lower", isLower},
    {"print", [](unsigned char byte) { return isGraph(byte) || byte == ' '; }},
    {"punct", [](unsigned char byte) { return isGraph(byte) && !isAlnum(byte); }},
    {"space", [](unsigned char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }},
    {"upper", isUpper},
    {"xdigit",
     [](unsigned char byte) {
         return isDigit(byte) || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F');
     }},
}};

const NamedClass* classNamed(std::string_view name) {
    for (const NamedClass& each : namedClasses) {
        if (each.name == name) return &each;
    }
    return nullptr;
}

/** The answer of a set in brackets about a byte, and where the pattern goes on after it. */
struct SetAnswer {
    bool holds = false;
    size_t end = 0;
    std::optional<GlobFault> fault;
};

SetAnswer faulty(size_t offset, std::string cause) {
    SetAnswer answer;
    answer.fault = GlobFault{offset, std::move(cause)};
    return answer;
}

/** The set whose bracket is at `open`; no set holds a slash. */
SetAnswer askSet(std::string_view pattern, size_t open, unsigned char byte) {
    const auto at = [pattern](size_t place) { return static_cast<unsigned char>(pattern[place]); };
    size_t place = open + 1;
    const bool negated = place < pattern.size() && (pattern[place] == '!' || pattern[place] == '^');
    if (negated) ++place;
    bool holds = false;
    // The byte before, from which a range may start; negative for none.
    int from = -1;
    for (bool first = true;; first = false) {
        if (place >= pattern.size()) return faulty(open, "[ without ]");
        if (pattern[place] == ']' && !first) break;
        if (pattern[place] == '-' && from >= 0 && place + 1 < pattern.size() && pattern[place + 1] != ']') {
            ++place;
            if (pattern[place] == '\\') ++place;
            if (place >= pattern.size()) return faulty(open, "[ without ]");
            holds = holds || (byte >= from && byte <= at(place));
            from = -1;
            ++place;
            continue;
        }
        if (pattern[place] == '[' && place + 1 < pattern.size() && pattern[place + 1] == ':') {
            const size_t close = pattern.find(']', place + 2);
            if (close == none) return faulty(open, "[ without ]");
            if (close > place + 2 && pattern[close - 1] == ':') {
                const NamedClass* const named = classNamed(pattern.substr(place + 2, close - place - 3));
                if (named == nullptr) return faulty(place, "unknown class of characters");
                holds = holds || named->holds(byte);
                from = -1;
                place = close + 1;
                continue;
            }
        }
        if (pattern[place] == '\\') ++place;
        if (place >= pattern.size()) return faulty(open, "[ without ]");
        holds = holds || byte == at(place);
        from = at(place);
        ++place;
    }
    return {holds != negated && byte != '/', place + 1, std::nullopt};
}

/** A run of stars: where it ends, and whether it is any number of folders. */
struct Stars {
    size_t end = 0;
    bool folders = false;
    /** After the slash that follows, which belongs to the folders; `none` at the pattern's end. */
    size_t after = none;
    /** False where the slash is escaped: then there is at least one folder. */
    bool maybeNone = false;
};

Stars starsAt(std::string_view pattern, size_t start) {
    Stars stars;
    stars.end = std::min(pattern.find_first_not_of('*', start), pattern.size());
    const std::string_view rest = pattern.substr(stars.end);
    if (stars.end - start < 2 || (start > 0 && pattern[start - 1] != '/')) return stars;
    const bool slash = rest.starts_with('/');
    const bool escaped = rest.starts_with("\\/");
    stars.folders = rest.empty() || slash || escaped;
    stars.maybeNone = slash;
    if (slash || escaped) stars.after = stars.end + (slash ? 1 : 2);
    return stars;
}

/**
 * One pass with two places to go back to: the last star within a name, and the last run of folders
 * before it. A star that is met later replaces both, as the earliest place where what precedes it
 * fits leaves it the most.
 */
class Matching {
  public:
    Matching(std::string_view pattern, std::string_view path) : pattern_(pattern), path_(path) {}

    bool run() {
        for (;;) {
            if (inPattern_ == pattern_.size()) {
                if (inPath_ == path_.size()) return true;
            } else if (pattern_[inPattern_] == '*') {
                const Stars stars = starsAt(pattern_, inPattern_);
                if (stars.folders && stars.after == none) return true;
                if (!met(stars)) return false;
                continue;
            } else if (stepped()) {
                continue;
            }
            if (!goBack()) return false;
        }
    }

  private:
    /** False where no rest of the path is left for what follows the stars. */
    bool met(const Stars& stars) {
        star_ = none;
        if (!stars.folders) {
            inPattern_ = star_ = stars.end;
            starPath_ = inPath_;
            return true;
        }
        folders_ = inPattern_ = stars.after;
        foldersPath_ = inPath_;
        return stars.maybeNone || nextFolder();
    }

    bool stepped() {
        if (inPath_ >= path_.size()) return false;
        const auto byte = static_cast<unsigned char>(path_[inPath_]);
        size_t next = inPattern_ + 1;
        switch (pattern_[inPattern_]) {
        case '?':
            if (byte == '/') return false;
            break;
        case '[': {
            const SetAnswer answer = askSet(pattern_, inPattern_, byte);
            if (answer.fault || !answer.holds) return false;
            next = answer.end;
            break;
        }
        case '\\':
            if (next >= pattern_.size() || static_cast<unsigned char>(pattern_[next]) != byte) return false;
            ++next;
            break;
        default:
            if (static_cast<unsigned char>(pattern_[inPattern_]) != byte) return false;
        }
        inPattern_ = next;
        ++inPath_;
        return true;
    }

    bool goBack() {
        if (star_ != none && starPath_ < path_.size() && path_[starPath_] != '/') {
            inPattern_ = star_;
            inPath_ = ++starPath_;
            return true;
        }
        star_ = none;
        return folders_ != none && nextFolder();
    }

    /** The pattern after the folders is tried at the next name of the path. */
    bool nextFolder() {
        const size_t slash = path_.find('/', foldersPath_);
        if (slash == none) return false;
        inPattern_ = folders_;
        inPath_ = foldersPath_ = slash + 1;
        return true;
    }

    std::string_view pattern_;
    std::string_view path_;
    size_t inPattern_ = 0;
    size_t inPath_ = 0;
    size_t star_ = none;
    size_t starPath_ = 0;
    size_t folders_ = none;
    size_t foldersPath_ = 0;
};

} // namespace

std::optional<GlobFault> globFault(std::string_view pattern) {
    for (size_t at = 0; at < pattern.size();) {
        if (pattern[at] == '[') {
            const SetAnswer answer = askSet(pattern, at, 0);
            if (answer.fault) return answer.fault;
            at = answer.end;
            continue;
        }
        if (pattern[at] == '\\' && ++at == pattern.size())
            return GlobFault{at - 1, "\\ with nothing after it"};
        ++at;
    }
    return std::nullopt;
}

bool globMatches(std::string_view pattern, std::string_view path) {
    return Matching(pattern, path).run();
}

size_t literalTail(std::string_view pattern) {
    size_t from = pattern.find_last_of("*?[]\\");
    from = from == none ? 0 : from + 1;
    // The slash after `**` is not there where no folder is.
    if (from < pattern.size() && pattern[from] == '/') ++from;
    return pattern.size() - from;
}

size_t literalLength(std::string_view pattern) {
    return std::min(pattern.find_first_of("*?[\\"), pattern.size());
}

} // namespace stowage

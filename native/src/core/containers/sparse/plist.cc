#include "core/containers/sparse/plist.h"

#include "core/containers/containerError.h"
#include "core/containers/sparse/base64.h"

#include <charconv>

namespace stowage::containers {

namespace {

using Kind = PlistValue::Kind;

constexpr unsigned mostLevels = 32;
constexpr size_t mostValues = 1'000'000;

bool isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/** Appends a Unicode character as UTF-8. */
void appendCharacter(std::string& text, uint32_t code) {
    if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
        damaged("the property list names no character");
    if (code < 0x80) {
        text += static_cast<char>(code);
        return;
    }
    const unsigned further = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    constexpr unsigned leads[] = {0, 0xC0, 0xE0, 0xF0};
    text += static_cast<char>(leads[further] | code >> (6 * further));
    for (unsigned left = further; left-- > 0;)
        text += static_cast<char>(0x80U | (code >> (6 * left) & 0x3FU));
}

class Reader {
  public:
    explicit Reader(std::string_view text) : text_(text) {}

    PlistValue document() {
        if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
        skipAround();
        if (takeIf("<!DOCTYPE")) {
            const size_t end = text_.find_first_of("[>", at_);
            if (end == std::string_view::npos || text_[end] == '[')
                damaged("the property list brings a DTD of its own");
            at_ = end + 1;
            skipAround();
        }
        if (!takeIf("<plist")) damaged("it is not an XML property list");
        const size_t end = text_.find_first_of("<>", at_);
        if (end == std::string_view::npos || text_[end] == '<' || text_[end - 1] == '/') {
            damaged("the property list is empty");
        }
        at_ = end + 1;
        skipAround();
        PlistValue value = element(0);
        skipAround();
        take("</plist>");
        return value;
    }

  private:
    bool takeIf(std::string_view wanted) {
        if (!text_.substr(at_).starts_with(wanted)) return false;
        at_ += wanted.size();
        return true;
    }

    void take(std::string_view wanted) {
        if (!takeIf(wanted)) damaged("the property list lacks " + std::string(wanted));
    }

    /** White space, comments and processing instructions. */
    void skipAround() {
        while (at_ < text_.size()) {
            const char* closing = nullptr;
            if (isSpace(text_[at_])) {
                ++at_;
                continue;
            }
            if (text_.substr(at_).starts_with("<!--")) closing = "-->";
            if (text_.substr(at_).starts_with("<?")) closing = "?>";
            if (closing == nullptr) return;
            const size_t end = text_.find(closing, at_ + 2);
            if (end == std::string_view::npos) damaged("the property list is cut off");
            at_ = end + std::string_view(closing).size();
        }
    }

    /** Reads `<name>`, or `<name/>` and then sets `isEmpty`. */
    std::string_view startTag(bool& isEmpty) {
        take("<");
        const size_t end = text_.find('>', at_);
        if (end == std::string_view::npos) damaged("the property list is cut off");
        std::string_view name = text_.substr(at_, end - at_);
        at_ = end + 1;
        isEmpty = name.ends_with('/');
        if (isEmpty) name.remove_suffix(1);
        while (!name.empty() && isSpace(name.back()))
            name.remove_suffix(1);
        return name;
    }

    void endTag(std::string_view name) {
        take("</");
        take(name);
        take(">");
    }

    /** Everything up to `</name>`, with references replaced. */
    std::string content(std::string_view name) {
        std::string value;
        while (true) {
            const size_t end = text_.find_first_of("<&", at_);
            if (end == std::string_view::npos) damaged("the property list is cut off");
            value += text_.substr(at_, end - at_);
            at_ = end;
            if (text_[at_] == '<') break;
            reference(value);
        }
        endTag(name);
        return value;
    }

    void reference(std::string& value) {
        const size_t end = text_.substr(0, std::min(text_.size(), at_ + 12)).find(';', at_);
        if (end == std::string_view::npos) damaged("the property list has a bare &");
        std::string_view name = text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
        if (name == "lt")
            value += '<';
        else if (name == "gt")
            value += '>';
        else if (name == "amp")
            value += '&';
        else if (name == "apos")
            value += '\'';
        else if (name == "quot")
            value += '"';
        else if (name.starts_with('#')) {
            name.remove_prefix(1);
            const bool isHex = name.starts_with('x');
            if (isHex) name.remove_prefix(1);
            uint32_t code = 0;
            const auto [rest, error] =
                std::from_chars(name.data(), name.data() + name.size(), code, isHex ? 16 : 10);
            if (error != std::errc() || rest != name.data() + name.size()) code = 0;
            appendCharacter(value, code);
        } else {
            damaged("the property list uses an entity that XML does not have by itself");
        }
    }

    PlistValue element(unsigned level) {
        if (level >= mostLevels) damaged("the property list is nested too deeply");
        if (++values_ > mostValues) damaged("the property list has too many values");
        bool isEmpty = false;
        const std::string_view name = startTag(isEmpty);
        if (name == "dict" || name == "array") return collection(name, isEmpty, level);
        PlistValue value;
        if (name == "true" || name == "false") {
            value.kind = Kind::boolean;
            value.number = name == "true" ? 1 : 0;
            if (!isEmpty) endTag(name);
            return value;
        }
        if (!isEmpty) value.text = content(name);
        if (name == "integer") {
            value.kind = Kind::integer;
            value.number = integer(value.text);
        } else if (name == "data") {
            value.kind = Kind::data;
            value.text = fromBase64(value.text);
        } else if (name != "string" && name != "real" && name != "date") {
            damaged("the property list has an element that does not belong there");
        }
        return value;
    }

    PlistValue collection(std::string_view name, bool isEmpty, unsigned level) {
        PlistValue value;
        const bool isDictionary = name == "dict";
        value.kind = isDictionary ? Kind::dictionary : Kind::array;
        if (isEmpty) return value;
        for (skipAround(); !text_.substr(at_).starts_with("</"); skipAround()) {
            if (isDictionary) {
                take("<key>");
                std::string key = content("key");
                if (value.find(key) != nullptr && value.keys.size() < 1000) {
                    damaged("the property list has a key twice: " + key.substr(0, 100));
                }
                value.keys.push_back(std::move(key));
                skipAround();
            }
            value.items.push_back(element(level + 1));
        }
        endTag(name);
        return value;
    }

    static int64_t integer(std::string_view text) {
        int64_t value = 0;
        const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || rest != text.data() + text.size()) {
            damaged("the property list has a number that is none");
        }
        return value;
    }

    std::string_view text_;
    size_t at_ = 0;
    size_t values_ = 0;
};

} // namespace

const PlistValue* PlistValue::find(std::string_view key) const {
    for (size_t i = 0; i < keys.size() && i < items.size(); ++i) {
        if (keys[i] == key) return &items[i];
    }
    return nullptr;
}

const PlistValue* PlistValue::find(std::string_view key, Kind wanted) const {
    const PlistValue* const value = find(key);
    return value != nullptr && value->kind == wanted ? value : nullptr;
}

PlistValue parsePlist(std::string_view text) {
    return Reader(text).document();
}

std::string escapedXml(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '<')
            escaped += "&lt;";
        else if (c == '>')
            escaped += "&gt;";
        else if (c == '&')
            escaped += "&amp;";
        else
            escaped += c;
    }
    return escaped;
}

} // namespace stowage::containers

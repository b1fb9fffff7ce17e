#include "platform/attributes.h"

#include <grp.h>
#include <pwd.h>

#include <cerrno>

namespace stowage::platform {

namespace {

constexpr size_t firstBuffer = 1024;
constexpr size_t mostBuffer = 1 << 20;

/** Calls one of the system's look-ups with ever more room for its texts. */
template <typename Account, typename LookUp>
bool lookUp(std::vector<char>& texts, Account& account, LookUp call) {
    texts.resize(firstBuffer);
    for (;;) {
        Account* found = nullptr;
        const int error = call(&account, texts.data(), texts.size(), &found);
        if (error == ERANGE && texts.size() < mostBuffer) {
            texts.resize(texts.size() * 2);
        } else {
            return error == 0 && found != nullptr;
        }
    }
}

} // namespace

std::optional<std::string> accountName(AccountKind kind, uint32_t id) {
    std::vector<char> texts;
    if (kind == AccountKind::user) {
        passwd account = {};
        const auto call = [id](auto... rest) { return ::getpwuid_r(id, rest...); };
        if (lookUp(texts, account, call)) return account.pw_name;
    } else {
        ::group account = {};
        const auto call = [id](auto... rest) { return ::getgrgid_r(id, rest...); };
        if (lookUp(texts, account, call)) return account.gr_name;
    }
    return std::nullopt;
}

std::optional<uint32_t> accountId(AccountKind kind, const std::string& name) {
    std::vector<char> texts;
    if (kind == AccountKind::user) {
        passwd account = {};
        const auto call = [&name](auto... rest) { return ::getpwnam_r(name.c_str(), rest...); };
        if (lookUp(texts, account, call)) return account.pw_uid;
    } else {
        ::group account = {};
        const auto call = [&name](auto... rest) { return ::getgrnam_r(name.c_str(), rest...); };
        if (lookUp(texts, account, call)) return account.gr_gid;
    }
    return std::nullopt;
}

} // namespace stowage::platform

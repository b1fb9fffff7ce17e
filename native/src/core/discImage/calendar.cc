#include "core/discImage/calendar.h"

#include <chrono>

namespace stowage::discImage {

CalendarTime calendarTime(Moment moment, int32_t firstYear, int32_t lastYear) {
    using std::chrono::days;
    using std::chrono::sys_days;
    using std::chrono::year_month_day;
    constexpr int64_t aDay = 86'400;
    const auto startOf = [](int32_t year) {
        return static_cast<int64_t>(
                   sys_days(std::chrono::year(year) / std::chrono::January / 1).time_since_epoch().count()) *
               aDay;
    };
    if (moment.seconds < startOf(firstYear)) moment = {startOf(firstYear), 0};
    if (moment.seconds >= startOf(lastYear + 1)) moment = {startOf(lastYear + 1) - 1, 0};
    const int64_t day = moment.seconds / aDay - (moment.seconds % aDay < 0 ? 1 : 0);
    const int64_t within = moment.seconds - day * aDay;
    const year_month_day date{sys_days{days{day}}};
    CalendarTime time;
    time.year = static_cast<int>(date.year());
    time.month = static_cast<uint8_t>(static_cast<unsigned>(date.month()));
    time.day = static_cast<uint8_t>(static_cast<unsigned>(date.day()));
    time.hour = static_cast<uint8_t>(within / 3600);
    time.minute = static_cast<uint8_t>(within / 60 % 60);
    time.second = static_cast<uint8_t>(within % 60);
    time.nanoseconds = moment.nanoseconds;
    return time;
}

} // namespace stowage::discImage

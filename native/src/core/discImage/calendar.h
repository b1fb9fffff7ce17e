#pragma once

#include "core/discImage/entries.h"

namespace stowage::discImage {

/** A moment in UTC. */
struct CalendarTime {
    int32_t year = 1970;
    uint8_t month = 1;
    uint8_t day = 1;
    uint8_t hour = 0;
    uint8_t minute = 0;
    uint8_t second = 0;
    uint32_t nanoseconds = 0;
};

/** The nearest moment of the years from `firstYear` to `lastYear`, by the Gregorian calendar. */
CalendarTime calendarTime(Moment moment, int32_t firstYear, int32_t lastYear);

} // namespace stowage::discImage

import { figures, spokenNumber } from './figureLanguage'
import { threeDigits } from './quantity'

/** `30 ms`, `0.4 s`, `42 s`, `2 min 05 s`, `1 h 12 min`, `3 d 4 h`: two parts at the most. */
export function formatDuration(ms: number): string {
  if (ms < 99.5) return `${Math.round(ms)} ms`
  if (ms < 9950) return `${spokenNumber((ms / 1000).toFixed(1))} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`
  const hours = Math.round(minutes / 60)
  return `${Math.floor(hours / 24)} d ${hours % 24} h`
}

/** `512 µs`, `3.4 ms`, `1.2 s`. */
export function formatNs(ns: number): string {
  if (ns < 999.5) return `${Math.round(ns)} ns`
  if (ns < 999_500) return `${threeDigits(ns / 1e3)} µs`
  if (ns < 999_500_000) return `${threeDigits(ns / 1e6)} ms`
  return ns < 60e9 ? `${threeDigits(ns / 1e9)} s` : formatDuration(ns / 1e6)
}

/** The steps that forecast times are shown in, by how long they are; seconds. */
const FORECAST_STEPS = [
  { below: 60, step: 10 },
  { below: 600, step: 60 },
  { below: 3600, step: 300 },
  { below: 5 * 3600, step: 900 },
  { below: 2 * 86_400, step: 1800 },
] as const
const LONGEST_STEP = 6 * 3600

/** How finely a forecast time is shown, in seconds: 10 s at least. */
export function forecastStep(seconds: number): number {
  return FORECAST_STEPS.find(({ below }) => seconds < below)?.step ?? LONGEST_STEP
}

/**
 * A forecast time for tables: `<10 s`, `40 s`, `20 min`, `1 h 15 min`, `2 d 6 h`, as far as a
 * forecast can know it.
 */
export function shortForecast(seconds: number): string {
  const step = forecastStep(seconds)
  if (seconds === 0) return '0 s'
  if (seconds < step) return `<${step} s`
  const rounded = Math.round(seconds / step) * step
  if (rounded < 60) return `${rounded} s`
  const [days, hours, minutes] = [rounded / 86_400, (rounded / 3600) % 24, (rounded / 60) % 60]
  // Days from two on: 30 h are easier to compare with others in hours.
  const parts =
    days < 2 ? [`${Math.floor(rounded / 3600)} h`, `${minutes} min`] : [`${Math.floor(days)} d`, `${hours} h`]
  return parts.filter((part) => !part.startsWith('0 ')).join(' ')
}

/**
 * A forecast time: `under 10 s`, `about 40 s`, `about 20 min`, `about 1 h 15 min`. Actual times are
 * shown by `formatDuration`.
 */
export function formatForecast(seconds: number): string {
  return spokenRound(shortForecast(seconds))
}

/**
 * The range of a forecast time in seconds: `under 10 s`, `<10 s to 20 s`, `15 min to 25 min`; one
 * time where both ends read the same, or name the same step.
 */
export function formatSpan({ low, high }: { readonly low: number; readonly high: number }): string {
  const [from, to] = [shortForecast(low), shortForecast(high)]
  return from === to || from === `<${to}` ? spokenRound(to) : figures().span(from, to)
}

function spokenRound(time: string): string {
  if (time === '0 s') return time
  const { about, under } = figures()
  return time.startsWith('<') ? under(time.slice(1)) : about(time)
}

/**
 * Time left, rounded so that it does not flicker: to 5 s below a minute, to a minute below an hour,
 * then to 5 minutes.
 */
export function formatTimeLeft(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 55) return `${Math.max(5, Math.ceil(seconds / 5) * 5)} s`
  const minutes = Math.max(1, Math.round(seconds / 60))
  if (minutes < 60) return `${minutes} min`
  const coarse = Math.round(minutes / 5) * 5
  return `${Math.floor(coarse / 60)} h ${two(coarse % 60)} min`
}

interface DateFormats {
  readonly dates: string
  readonly day: Intl.DateTimeFormat
  readonly month: Intl.DateTimeFormat
  readonly time: Intl.DateTimeFormat
}

/** Made when they are first wanted: that takes some milliseconds. */
let formats: DateFormats | undefined

/** A moment in the person's own time zone: `3 Mar 2026, 14:05`. */
export function formatMoment(wallMs: number): string {
  return `${formatDay(wallMs)}, ${madeFormats().time.format(new Date(wallMs))}`
}

/** The day of a moment in the person's own time zone: `3 Mar 2026`. */
export function formatDay(wallMs: number): string {
  return madeFormats().day.format(new Date(wallMs))
}

/** The month of a moment in the person's own time zone: `Mar 2026`. */
export function formatMonth(wallMs: number): string {
  return madeFormats().month.format(new Date(wallMs))
}

/** The day of a moment in the person's own time zone, as it sorts: `2026-05-31`. */
export function isoDay(wallMs: number): string {
  const date = new Date(wallMs)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The minute of a moment in the person's own time zone, as it sorts: `2026-05-31 14:30`. */
export function isoMinute(wallMs: number): string {
  const date = new Date(wallMs)
  return `${isoDay(wallMs)} ${two(date.getHours())}:${two(date.getMinutes())}`
}

function madeFormats(): DateFormats {
  const { dates } = figures()
  if (formats?.dates !== dates)
    formats = {
      dates,
      day: new Intl.DateTimeFormat(dates, { day: 'numeric', month: 'short', year: 'numeric' }),
      month: new Intl.DateTimeFormat(dates, { month: 'short', year: 'numeric' }),
      time: new Intl.DateTimeFormat(dates, { hour: '2-digit', minute: '2-digit' }),
    }
  return formats
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

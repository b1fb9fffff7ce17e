/** `30 ms`, `0.4 s`, `42 s`, `2 min 05 s`, `1 h 12 min`, `3 d 4 h`: two parts at the most. */
export function formatDuration(ms: number): string {
  if (ms < 99.5) return `${Math.round(ms)} ms`
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`
  const hours = Math.round(minutes / 60)
  return `${Math.floor(hours / 24)} d ${hours % 24} h`
}

/**
 * The range of a time in seconds: `<1 s`, `12 s to 18 s`, from 2 minutes on in whole minutes; one
 * time where both ends read the same.
 */
export function formatSpan({ low, high }: { readonly low: number; readonly high: number }): string {
  const [from, to] = [low, high].map((seconds) => {
    if (seconds < 1) return '<1 s'
    const minutes = Math.round(seconds / 60)
    return minutes >= 2 && minutes < 60
      ? `${minutes} min`
      : formatDuration((minutes < 2 ? seconds : minutes * 60) * 1000)
  })
  return from === to ? String(from) : `${from} to ${to}`
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

/** Made when they are first wanted: that takes some milliseconds. */
let formats: { readonly day: Intl.DateTimeFormat; readonly time: Intl.DateTimeFormat } | undefined

/** A moment in the person's own time zone: `3 Mar 2026, 14:05`. */
export function formatMoment(wallMs: number): string {
  return `${formatDay(wallMs)}, ${madeFormats().time.format(new Date(wallMs))}`
}

/** The day of a moment in the person's own time zone: `3 Mar 2026`. */
export function formatDay(wallMs: number): string {
  return madeFormats().day.format(new Date(wallMs))
}

function madeFormats(): NonNullable<typeof formats> {
  formats ??= {
    day: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' }),
    time: new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }),
  }
  return formats
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

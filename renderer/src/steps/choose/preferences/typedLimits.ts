import { typedNumbers } from '../../../../../src/primitives/figureLanguage'
import { shortNumber } from '../../../../../src/primitives/quantity'
/** Reads a typed count from 1 on: null for nothing, undefined where it is none. */
export function countIn(text: string): number | null | undefined {
  const typed = typedNumbers(text.trim())
  if (typed === '') return null
  const count = Number(typed)
  return /^\d+$/.test(typed) && count >= 1 && Number.isSafeInteger(count) ? count : undefined
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, min: 60, m: 60, h: 3600, d: 86_400 }

/**
 * Reads a typed time (`90 min`, `1.5h`, `1 h 30 min`), in seconds: null for nothing, undefined
 * where it is none.
 */
export function durationIn(text: string): number | null | undefined {
  const typed = typedNumbers(text.trim().toLowerCase())
  if (typed === '') return null
  const parts = [...typed.matchAll(/(\d+(?:\.\d+)?)\s*(s|min|m|h|d)(?![a-z])\s*/g)]
  if (parts.length === 0 || parts.map(([whole]) => whole).join('') !== typed) return undefined
  const seconds = parts.reduce(
    (sum, [, number, unit]) => sum + Number(number) * (SECONDS[unit ?? ''] ?? 0),
    0,
  )
  return seconds > 0 ? seconds : undefined
}

/** A limit as text that reads as no less than these bytes, in three digits. */
export function limitText(bytes: number): string {
  const power = bytes >= 1e12 ? 12 : bytes >= 1e9 ? 9 : bytes >= 1e6 ? 6 : bytes >= 1e3 ? 3 : 0
  const unit = { 12: 'TB', 9: 'GB', 6: 'MB', 3: 'kB', 0: 'B' }[power]
  const value = bytes / 10 ** power
  const step = power === 0 || value >= 100 ? 1 : value >= 10 ? 0.1 : 0.01
  const raised = Math.ceil(value / step - 1e-9) * step
  return `${shortNumber(raised, 2)} ${unit}`
}

/** A limit as text that reads as no less than this time. */
export function durationText(seconds: number): string {
  if (seconds <= 120) return `${Math.ceil(seconds)} s`
  if (seconds <= 2 * 3600) return `${Math.ceil(seconds / 60)} min`
  return `${Math.ceil(seconds / 360) / 10} h`
}

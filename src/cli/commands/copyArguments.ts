import { BUILT_COPY, copyNumberSchema, copyPlaceSchema } from '../../domain/sets/copies/copy'
import { AppError } from '../../primitives/appError'

/** @throws AppError `usage` */
export function copyNumber(text: string | undefined, option = '--copy'): number | null {
  if (text === undefined) return null
  const parsed = copyNumberSchema.safeParse(/^\d{1,3}$/.test(text) ? Number(text) : null)
  if (parsed.success) return parsed.data
  throw new AppError('usage', `${option} takes a whole number from 1 to 99, not "${text}"`)
}

/** The same, or `built` for the image or folder in the plan's folder. */
export function copyOrBuilt(text: string | undefined): number {
  return text === 'built' ? BUILT_COPY : (copyNumber(text) ?? 1)
}

/** @throws AppError `usage` */
export function placeOf(text: string, option = '--place'): string {
  const parsed = copyPlaceSchema.safeParse(text)
  if (parsed.success) return parsed.data.trim()
  throw new AppError('usage', `${option} takes a place or thing in at most 200 characters on one line`)
}

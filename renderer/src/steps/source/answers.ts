import { DISK_MEDIUM } from '../../../../src/contract/dto/options'
import type { OptionsForm } from '../choose/optionsState'

export const WHERE = ['discs', 'disk', 'both'] as const
export type Where = (typeof WHERE)[number]

/**
 * The answers are the settings of the Choose step and nothing else: this reads the one as the
 * other.
 */
export type Answered = Pick<OptionsForm, 'mediumIds' | 'readableOn' | 'inPlace' | 'encryption' | 'goal'>

/** Where the archive goes, as the first media of the settings say. */
export function whereOf(mediumIds: readonly string[]): Where {
  if (!mediumIds.includes(DISK_MEDIUM)) return 'discs'
  return mediumIds.some((id) => id !== DISK_MEDIUM) ? 'both' : 'disk'
}

/** The kind of disc among the media; null where there are only disks. */
export function discOf(mediumIds: readonly string[]): string | null {
  return mediumIds.find((id) => id !== DISK_MEDIUM) ?? null
}

/** The media of an answer: the discs first, for they have the limits. */
export function mediaOf(where: Where, disc: string): string[] {
  return { discs: [disc], disk: [DISK_MEDIUM], both: [disc, DISK_MEDIUM] }[where]
}

const OWN_SIZE = /^custom:(.*)$/

/**
 * The size of one's own that is typed as the disc; empty where the disc is one of the catalogue.
 */
export function ownSizeOf(disc: string): string {
  return OWN_SIZE.exec(disc)?.[1] ?? ''
}

/** The disc of a size as it is typed; the usual one where nothing is. */
export function discOfSize(text: string, usual: string): string {
  const size = text.replace(/\s+/g, '')
  return size === '' ? usual : `custom:${size}`
}

/** Yes to "is it secret" means the stronger kind, unless another one is set already. */
export function encryptionFor(secret: boolean, current: Answered['encryption']): Answered['encryption'] {
  if (!secret) return 'none'
  return current === 'none' ? 'aes-256' : current
}

/**
 * `decades`: readable almost everywhere comes first. Other goals stay as they are while the answer
 * is `checked`.
 */
export function goalFor(sure: 'checked' | 'decades', current: Answered['goal']): Answered['goal'] {
  if (sure === 'decades') return 'anywhere'
  return current === 'anywhere' ? 'balanced' : current
}

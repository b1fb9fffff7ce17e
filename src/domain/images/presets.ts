import {
  type CompatibilityHint,
  ENCRYPTION_HINTS,
  IMAGE_KIND_ENTRIES,
  type ImageKind,
  type ImageKindEntry,
} from './kinds'

/** How bands are chosen: the format's own default, so that there are 5,000 to 10,000 of them, or a size in bytes. */
export type BandChoice = 'usual' | 'fitted' | number

/** A purpose in plain words, with what it sets. */
interface ImagePreset {
  /** Permanent: it is in scripts. */
  readonly id: string
  readonly name: string
  readonly does: string
  readonly kind: ImageKind
  readonly band: BandChoice
  readonly keyBits: 128 | 256 | null
}

export const IMAGE_PRESETS: readonly ImagePreset[] = [
  {
    id: 'growing',
    name: 'Grows with its content',
    does: 'A sparse bundle with bands fitted to its size: for a Mac, a network drive or a backup of it.',
    kind: 'UDSB',
    band: 'fitted',
    keyBits: null,
  },
  {
    id: 'vault',
    name: 'Vault',
    does: 'The same, encrypted with AES-256.',
    kind: 'UDSB',
    band: 'fitted',
    keyBits: 256,
  },
  {
    id: 'anywhere',
    name: 'Readable almost anywhere',
    does: 'A read-write image: the plain disk in one file, which every system has some program for.',
    kind: 'UDRW',
    band: 'usual',
    keyBits: null,
  },
]

/** All that can be made and for what, as one table. */
interface ImageChoices {
  readonly kinds: readonly ImageKindEntry[]
  readonly presets: readonly ImagePreset[]
  /** Who can open it if it is encrypted, whatever its kind. */
  readonly encryptedOpens: readonly CompatibilityHint[]
}

export function imageChoices(): ImageChoices {
  return {
    kinds: Object.values(IMAGE_KIND_ENTRIES),
    presets: IMAGE_PRESETS,
    encryptedOpens: ENCRYPTION_HINTS,
  }
}

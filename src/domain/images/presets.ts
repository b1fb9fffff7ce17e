import { said } from '../../primitives/said'
import type { ImageCatalogue, ImagePreset } from './imageCatalogue'
import { ENCRYPTION_HINTS, IMAGE_KIND_ENTRIES } from './kinds'

export const IMAGE_PRESETS: ImagePreset[] = [
  {
    id: 'growing',
    name: said`Grows with its content`,
    does: said`A sparse bundle with bands fitted to its size: for a Mac, a network drive or a backup of it.`,
    kind: 'UDSB',
    band: 'fitted',
    keyBits: null,
  },
  {
    id: 'vault',
    name: said`Vault`,
    does: said`The same, encrypted with AES-256.`,
    kind: 'UDSB',
    band: 'fitted',
    keyBits: 256,
  },
  {
    id: 'anywhere',
    name: said`Readable almost anywhere`,
    does: said`A read-write image: the plain disk in one file, which every system has some program for.`,
    kind: 'UDRW',
    band: 'usual',
    keyBits: null,
  },
]

export function imageChoices(): ImageCatalogue {
  return {
    kinds: Object.values(IMAGE_KIND_ENTRIES),
    presets: IMAGE_PRESETS,
    encryptedOpens: ENCRYPTION_HINTS,
  }
}

import { said } from '../../primitives/said'
import type { BandVerdict, CompatibilityHint, ImageKindEntry } from './imageCatalogue'
import type { ImageKind } from './imageKind'

const KIB = 1024
const MIB = 1024 * KIB
const GIB = 1024 * MIB

export const IMAGE_KIND_ENTRIES: Readonly<Record<ImageKind, ImageKindEntry>> = {
  UDSB: {
    kind: 'UDSB',
    name: said`sparse bundle`,
    extension: '.sparsebundle',
    isFolder: true,
    isWritable: true,
    bands: { defaultBytes: 8 * MIB, leastBytes: MIB, mostBytes: 8 * GIB, stepBytes: 512 },
    does: said`A folder of band files that grows with its content; a backup copies only the bands that changed.`,
    opens: [
      {
        text: said`Opens in Mac OS X 10.5 and later.`,
        source: 'hdiutil(1); Mac OS X 10.5 introduced sparse bundles',
      },
      {
        text: said`Not readable on Windows; on Linux with sparsebundlefs (unencrypted) or after converting it here.`,
        source:
          'sparsebundlefs, its source; 7-Zip 26.02, qemu-img 7.2 and dmg2img 1.6.7 have no reader for it',
      },
    ],
  },
  UDSP: {
    kind: 'UDSP',
    name: said`sparse image`,
    extension: '.sparseimage',
    isFolder: false,
    isWritable: true,
    bands: { defaultBytes: MIB, leastBytes: 4 * KIB, mostBytes: 8 * GIB, stepBytes: 4 * KIB },
    does: said`One file that grows with its content.`,
    opens: [
      {
        text: said`Opens in Mac OS X 10.4 and later; Apple calls it a legacy format.`,
        source: 'hdiutil(1) of macOS 27; home folders of Mac OS X 10.4 were kept in sparse images',
      },
      {
        text: said`Not readable on Windows or Linux without converting it here.`,
        source: '7-Zip 26.02, qemu-img 7.2 and dmg2img 1.6.7 have no reader for it',
      },
    ],
  },
  UDRW: {
    kind: 'UDRW',
    name: said`read-write image`,
    extension: '.dmg',
    isFolder: false,
    isWritable: true,
    bands: null,
    does: said`One file that is the disk, byte for byte; unwritten parts take no space if the file system supports sparse files.`,
    opens: [
      { text: said`Opens in every macOS.`, source: 'hdiutil(1); libmodi, Mac OS disk image types' },
      {
        text: said`On Linux it attaches as a loop device, on Windows 7-Zip or qemu-img read it; the content must be in a file system that they can read.`,
        source: 'it is the raw disk without a trailer (libmodi, Mac OS disk image types)',
      },
    ],
  },
  UDZO: {
    kind: 'UDZO',
    name: said`compressed read-only image`,
    extension: '.dmg',
    isFolder: false,
    isWritable: false,
    bands: null,
    does: said`One small read-only file with checksums, for distribution.`,
    opens: [
      { text: said`Opens in Mac OS X 10.4 and later.`, source: 'hdiutil(1)' },
      {
        text: said`On Windows 7-Zip reads it, on Linux 7-Zip, dmg2img or qemu-img.`,
        source: 'read back by 7-Zip 26.02, dmg2img 1.6.7 and qemu-img 7.2',
      },
    ],
  },
}

/** Limits that encryption adds for opening. Written is the form that came with OS X 10.7. */
export const ENCRYPTION_HINTS: CompatibilityHint[] = [
  {
    text: said`Encrypted: opens in OS X 10.7 and later, with the password.`,
    source: 'hdiutil(1): blocks of 512 bytes since OS X 10.7',
  },
  {
    text: said`Not readable on Windows or Linux without Stowage.`,
    source:
      'libmodi, 7-Zip 26.02, dmg2img 1.6.7 and qemu-img 7.2 do not decrypt; apfs-fuse, which knows keys wrapped by 3DES, was not tried',
  },
]

/** Kinds of images whose speed no measurement times, and why. */
export const UNMEASURED_KINDS: readonly { readonly kind: string; readonly reason: string }[] = [
  { kind: 'UDZO', reason: said`read-only: it is compressed once, and nothing in it is rewritten or deleted` },
  {
    kind: 'ASIF',
    reason: said`only diskutil of macOS 26 or later makes it; tests of mounted images are removed until a Mac has run them`,
  },
]

/** `1,193` bands of 8 MiB hold 10 GB: how many files a full sparse bundle has. */
export function bandsAtFullSize(bytes: number, bandBytes: number): number {
  return Math.ceil(bytes / bandBytes)
}

/**
 * Above so many files in one folder sparse bundles were seen to fail and to lose content (H.
 * Oakley, The Eclectic Light Company, 2023 and 2024; empirical, on HFS+ hosts).
 */
export const MOST_BANDS = 100_000
/**
 * Below and above these a full bundle was slower in the same author's tests (6,000 to 7,000 the
 * fastest).
 */
export const FEW_BANDS = 3_000
export const MANY_BANDS = 10_000

/**
 * With fewer bands in use than the first a bundle was slow in his tests, and from the second on it
 * was at its best.
 */
export const SLOW_BANDS_IN_USE = 1_000
export const BEST_BANDS_IN_USE = 2_000

/** The verdict on a number of bands at full size. */
export function bandVerdict(bands: number): BandVerdict {
  if (bands > MOST_BANDS) return 'tooMany'
  if (bands > MANY_BANDS) return 'many'
  return bands < FEW_BANDS ? 'few' : 'good'
}

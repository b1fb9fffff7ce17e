import type { Estimate } from '../../../primitives/estimate'
import { formatBandSize } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import { bandsAtFullSize } from '../../images/kinds'
import { bandChoice } from '../cost/bandChoice'
import { inflateWork } from '../cost/codecTimes'
import { estimateOf, largest, sumTogether, within } from '../cost/estimateParts'
import { workTime } from '../cost/rates'
import type { OptionFacts, SurveyFacts } from '../facts'
import type { MacImageKind } from '../recipes/macImage'
import { APPLE_READERS, EVERYWHERE, RAW_IMAGE_READERS, RISKS, UDZO_READERS } from '../recipes/readers'
import type { Encryption, OptionFamily, Reader, Risk, Variant } from '../recipes/variant'
import { none, variantOf } from '../recipes/variantDraft'
import { compressionOf, meanFileBytes, patternedBytes, roundedUp, sharedBlockSaving } from '../surveyFigures'
import { imageBytes, isoFamily } from './iso'

const KIB = 1024
const MIB = 1024 * KIB
const UNIT = 4096

/**
 * HFS+ (Apple, Technical Note TN1150): a catalog record and a thread for each file, about 450 bytes
 * with names, in a B-tree that is three quarters full; a bit for each block; a journal of 8 MiB.
 * APFS has records of the same order. Nobody here measured them.
 */
const RECORD_BYTES = 450
const TREE_FILL = 0.75
const JOURNAL_BYTES = 8 * MIB
/** How much more a disk has than what is put on it, so that it can be: none to a tenth. */
const FREE_SHARE = 0.02
const FREE_MOST = 0.1
/** The space that APFS keeps of a small disk for itself, and the partition map: assumed. */
const DISK_MARGIN = 16 * MIB

const SPARSE_BAND_BYTES = MIB
/**
 * Bands that one sparse image's header lists, and each further one (libmodi, Mac OS disk image
 * types).
 */
const BANDS_OF_HEADER = 1008
const BANDS_OF_NODE = 1010
const NODE_BYTES = 4096
/** A bundle's two lists and its token. */
const BUNDLE_BYTES = 984

/** Chunks of a compressed image since OS X 10.10, and what lists them in base64. */
const CHUNK_BYTES = MIB
const CHUNK_ENTRY_BYTES = 54
const CHUNK_RAM = 3 * MIB
const TRAILER_BYTES = 8 * KIB
/** The data of an encrypted image begin here (`encrcdsa` version 2, as macOS writes it). */
const ENCRYPTION_HEADER_BYTES = 0x1de00
/** zlib's own header and checksum for a chunk. */
const CHUNK_HEAD_BYTES = 6
/**
 * The zlib that chunks are made with saves less at its first level than the one of the samples: so
 * much of what is saved came out more, 2 % (images of disks) to 6 % (tiny files) on five sets.
 */
const ZLIB_SAVES_LESS = { value: 0.03, low: 0, high: 0.06 }

/** Disk images with a file system in them, and Apple's compressed read-only one. */
export const appleImageFamily: OptionFamily = {
  variants: (facts) => [...KINDS.map((kind) => writable(facts, kind)), ...compressed(facts)],
}

const BOTH_KEYS: readonly Encryption[] = ['none', 'aes-128', 'aes-256']

interface Kind {
  readonly name: MacImageKind
  readonly title: string
  /** True when its bands are files. */
  readonly files: boolean
  readonly encryptions: readonly Encryption[]
  bytes(disk: number): number
  readonly readers: readonly Reader[]
  readonly risks: readonly Risk[]
}

const KINDS: readonly Kind[] = [
  {
    name: 'udrw',
    title: said`Read-write disk image (UDRW)`,
    files: false,
    encryptions: BOTH_KEYS,
    bytes: (disk) => disk,
    readers: RAW_IMAGE_READERS,
    risks: [],
  },
  {
    name: 'udsp',
    title: said`Sparse disk image (UDSP)`,
    files: false,
    encryptions: BOTH_KEYS,
    bytes: sparseBytes,
    readers: APPLE_READERS,
    risks: [RISKS.oldFormat],
  },
  {
    name: 'udsb',
    title: said`Sparse bundle (UDSB)`,
    files: true,
    encryptions: BOTH_KEYS,
    bytes: (disk) => disk + BUNDLE_BYTES,
    readers: APPLE_READERS,
    risks: [],
  },
  {
    name: 'asif',
    title: said`Apple sparse image (ASIF)`,
    files: false,
    encryptions: ['none', 'aes-256'],
    bytes: (disk) => disk + MIB,
    readers: [
      {
        task: 'mount',
        systems: ['macos'],
        tool: said`the system`,
        since: 'macOS 26',
        own: true,
        source: 'diskutil(8) of macOS 26; there is no public description',
      },
    ],
    risks: [RISKS.youngFormat, RISKS.appleOnly],
  },
]

/** A sparse image holds whole bands and a header for each thousand. */
function sparseBytes(disk: number): number {
  const bands = bandsAtFullSize(disk, SPARSE_BAND_BYTES)
  const nodes = 1 + Math.ceil(Math.max(0, bands - BANDS_OF_HEADER) / BANDS_OF_NODE)
  return NODE_BYTES * nodes + bands * SPARSE_BAND_BYTES
}

function writable({ survey, machine, sweep = null }: OptionFacts, kind: Kind): Variant {
  const disk = fileSystemBytes(survey)
  const stored = estimateOf(
    { value: kind.bytes(disk.value), low: kind.bytes(disk.low), high: kind.bytes(disk.high) },
    'assumed',
    disk.basis,
  )
  const { files, bytes } = survey.totals
  const bands = kind.files ? bandChoice(wholeDiskBytes(disk), disk.value, sweep) : null
  const bandBytes = bands?.bytes ?? null
  const work = workTime('image.copy', { file: files, byte: bytes }, machine)
  const pieces = bands ? { value: bands.inUse + 3, high: bands.whenFull + 3 } : { value: 1, high: 1 }
  return variantOf({
    recipe: { family: 'apple-image', kind: kind.name },
    title: bands ? said`${kind.title}, bands of ${formatBandSize(bands.bytes)}` : kind.title,
    container: kind.name,
    reduction: 'none',
    recordBytes: bandBytes,
    ...(bands ? { bands } : {}),
    image: { kind: kind.name, bandBytes },
    storedBytes: stored,
    storedFiles: estimateOf(
      { ...pieces, low: 1 },
      'assumed',
      kind.files ? said`bands of the disk, and three small files` : said`one file`,
    ),
    largestPieceBytes: bandBytes ?? 0,
    packSeconds: work,
    packRamBytes: within(64 * MIB, 0.8, 'assumed', said`the system’s own: not measured`),
    unpackSeconds: work,
    useRamBytes: within(32 * MIB, 0.8, 'assumed', said`the system’s own: not measured`),
    fetchBytes: within(
      meanFileBytes(survey) + UNIT,
      0.5,
      'assumed',
      said`the file and its place in the catalog`,
    ),
    fetchSeconds: none(said`nothing to unpack`),
    access: 'mount',
    readers: kind.readers,
    makers: ['macos'],
    // What it costs is a part of the way through the image.
    encryption: {
      kinds: kind.encryptions,
      isWork: false,
      headerBytes: ENCRYPTION_HEADER_BYTES,
    },
    risks: kind.risks,
    notes: [
      ...(bands ? [said`Bands: ${bands.because}.`] : []),
      said`The overhead of its file system is modelled on HFS+ and was not measured.`,
    ],
  })
}

/**
 * The size of the disk in an image: the most that the source may take in its file system, in whole
 * MiB.
 * @param lists bytes of the index and whatever else Stowage puts on it
 */
export function wholeDiskBytes(disk: Pick<Estimate, 'high'>, lists = 0): number {
  return Math.ceil((disk.high + lists) / MIB) * MIB
}

function fileSystemBytes(survey: SurveyFacts): Estimate {
  const { files, folders } = survey.totals
  const data = roundedUp(survey, UNIT)
  const catalog = ((files + folders) * (RECORD_BYTES + 2 * survey.pathBytes)) / TREE_FILL
  const of = (bytes: number, lists: number, free: number): number => {
    const held = bytes + lists + JOURNAL_BYTES
    return Math.ceil((held * (1 + free) + held / UNIT / 8) / UNIT) * UNIT
  }
  return estimateOf(
    {
      value: of(data.value, catalog, FREE_SHARE),
      low: of(data.low, catalog / 2, 0) - JOURNAL_BYTES,
      high: of(data.high, catalog * 2, FREE_MOST) + DISK_MARGIN,
    },
    'assumed',
    said`whole blocks of 4 KiB for each file, and the catalog, journal and bitmap of HFS+ by its description`,
  )
}

/** An ISO 9660 image in chunks of 1 MiB by zlib: nothing where such records were not sampled. */
function compressed(facts: OptionFacts): Variant[] {
  const { survey, machine } = facts
  // The level that hdiutil has by default.
  const row = [1, 6, 9]
    .map((level) => compressionOf(survey, `gzip-${level}`, CHUNK_BYTES))
    .find((one) => one !== undefined)
  const [iso] = isoFamily.variants(facts)
  if (!row || !iso) return []
  // ISO 9660 alone: macOS would prefer UDF, which holds no symbolic links.
  const image = imageBytes(survey, false)
  const { bytes } = survey.totals
  // Chunks of zeros are left out.
  const patterned = patternedBytes(survey)
  const ratio = patterned > 0 ? row.predictedBytes / patterned : 0
  const inChunks = image.value - (bytes - patterned)
  const counts = { byte: inChunks, storedByte: inChunks * Math.min(1, ratio) }
  const chunks = Math.ceil(image.value / CHUNK_BYTES)
  // Ends of sectors and lists are next to nothing when compressed.
  const lists = (image.value - bytes) * 0.05
  const rest = chunks * (CHUNK_ENTRY_BYTES + CHUNK_HEAD_BYTES) + TRAILER_BYTES + lists
  const saved = sharedBlockSaving(survey, row.codec, CHUNK_BYTES)
  // Of each file once: equal ones share with their neighbours too.
  const all = bytes > survey.duplicateFiles.bytes ? bytes / (bytes - survey.duplicateFiles.bytes) : 1
  const saving = bytes > 0 ? Math.max(0, 1 - row.predictedBytes / bytes) : 0
  const data = (size: number, lost: number, less: number): number =>
    Math.max(0, size * (1 + lost * saving) - less * all)
  return [
    variantOf({
      recipe: { family: 'apple-image', kind: 'udzo' },
      title: said`Compressed read-only disk image (UDZO)`,
      container: 'udzo',
      reduction: 'compression',
      codec: row.codec,
      recordBytes: CHUNK_BYTES,
      storedBytes: estimateOf(
        {
          value: data(row.predictedBytes, ZLIB_SAVES_LESS.value, saved.value) + rest,
          low: data(row.low, ZLIB_SAVES_LESS.low, saved.high) + rest * 0.7,
          high: data(row.high, ZLIB_SAVES_LESS.high, saved.low) + rest * 1.3,
        },
        'modelled',
        said`records of 1 MiB as samples were packed, in an ISO 9660 image cut into chunks of that size`,
      ),
      packSeconds: workTime('zlib-1.pack', counts, machine),
      packThreads: machine.cores,
      // The image is written before its first chunk is packed.
      waitSeconds: iso.waitSeconds
        ? sumTogether([iso.packSeconds, iso.waitSeconds], iso.packSeconds.basis)
        : iso.packSeconds,
      waitCpuSeconds: iso.packSeconds,
      // One after the other: the image is read again.
      packRamBytes: largest(
        [
          iso.packRamBytes,
          within(CHUNK_RAM * (machine.cores + 1), 0.5, 'assumed', said`some chunks for each core`),
        ],
        said`the image, then some chunks for each core`,
      ),
      sourceReads: 2,
      unpackSeconds: inflateWork(patterned, ratio, machine),
      useRamBytes: within(16 * MIB, 0.8, 'assumed', said`the system’s own: not measured`),
      fetchBytes: within(
        (CHUNK_BYTES + meanFileBytes(survey)) * (bytes > 0 ? row.predictedBytes / bytes : 1),
        0.6,
        'modelled',
        said`the chunks that the file lies in`,
      ),
      fetchSeconds: inflateWork(CHUNK_BYTES + meanFileBytes(survey), ratio, machine),
      access: 'mount',
      readers: UDZO_READERS,
      makers: EVERYWHERE,
      encryption: {
        kinds: ['none', 'aes-128', 'aes-256'],
        isWork: true,
        headerBytes: ENCRYPTION_HEADER_BYTES,
        note: said`Only Stowage and a Mac open it when it is encrypted; RESTORE.sh cannot unpack it.`,
      },
      notes: [said`Contains an ISO 9660 file system; read-only.`],
    }),
  ]
}

import { type Estimate, exact, type Span } from '../../../primitives/estimate'
import { said } from '../../../primitives/said'
import type { MediumFacts, SurveyFacts } from '../facts'
import type { Variant } from '../recipes/variant'
import { roundedUp, roundedUpScaled } from '../surveyFigures'
import { estimateOf } from './estimateParts'

const SECTOR = 2048
/**
 * Sectors of one of Stowage's own images (`docs/methods/disc-images.md`): 259 before the first
 * folder of UDF, the root's parts and path tables (6), the last anchor, and half of the filling up
 * to 32.
 */
const IMAGE_SECTORS = 259 + 6 + 1 + 15
/** How far the filling may be from its half. */
const FILLING_SECTORS = 16
/** A name in the list of its folder, in ISO 9660 with Rock Ridge and in UDF. */
const NAME_BYTES = { iso: 180, udf: 60 }
/**
 * RESTORE.sh (26 sectors), RESTORE.txt and README.txt, of which each volume has its own, in whole
 * sectors, with their entries; up to 6 KiB more where it has parts.
 */
const OWN_BYTES = 62 * 1024
/**
 * A line of the index, which is on every volume and has all files and folders: 130 bytes and the
 * path of, say, 40.
 */
const INDEX_LINE_BYTES = 170
/** A line of the checksums of one volume: 67 bytes and the path. */
const SUM_LINE_BYTES = 110
/**
 * PAR2 packets in addition to the recovery data: at most a hundredth of it for usual block sizes.
 */
const RECOVERY_EXTRA = 0.01

interface Laid {
  readonly variant: Variant
  /** The container's own bytes. */
  readonly container: Estimate
  readonly medium: MediumFacts
  readonly protection: number
}

/**
 * Bytes on the medium: the container, its redundancy, and on media that have volumes the rounding
 * to sectors and what the images have next to it. On a disk it is what a sum of the files' lengths
 * gives.
 */
export function bytesOnMedium(
  survey: SurveyFacts,
  { variant, container, medium, protection }: Laid,
): Estimate {
  const whole = { value: container.value, low: container.low, high: container.high }
  const share = (bytes: number, extra: number): number => bytes * (1 + protection * (1 + extra))
  const guarded = {
    value: share(whole.value, RECOVERY_EXTRA / 2),
    low: share(whole.low, 0),
    high: share(whole.high, RECOVERY_EXTRA),
  }
  const isExact = container.provenance === 'exact' && protection === 0
  const basis = protection > 0 ? said`${container.basis}; redundancy on top` : container.basis
  if (medium.capacityBytes === null) return wholeBytes(guarded, isExact ? 'exact' : weaker(container), basis)
  const rest = sectorRest(survey, variant, medium.sectorBytes, whole)
  const image = medium.kind === 'image'
  const capacity = medium.capacityBytes
  const withImages = (bytes: number, factor: number, filling: number): number =>
    image ? bytes + imageBytes(survey, variant, { content: bytes, capacity, factor, filling }) : bytes
  const sum = {
    value: withImages(guarded.value + rest.value, 1, 0),
    low: withImages(guarded.low + rest.low, 1 / 2, -FILLING_SECTORS),
    high: withImages(guarded.high + rest.high, 2, FILLING_SECTORS),
  }
  const provenance = isExact && rest.low === rest.high && !image ? 'exact' : weaker(container)
  return wholeBytes(sum, provenance, said`${basis}; in whole sectors`)
}

/**
 * The bytes of images in addition to the content: their own structures, Stowage's files on each
 * volume, and the lists.
 */
function imageBytes(
  { totals }: SurveyFacts,
  { storedFiles }: Variant,
  on: {
    readonly content: number
    readonly capacity: number
    /** A factor of names and lists, whose paths are not known: 1/2 and 2 hold nearly all. */
    readonly factor: number
    /** Sectors of each image above or below the usual. */
    readonly filling: number
  },
): number {
  const files = storedFiles.value
  // A container of few files is in few folders.
  const folders = 1 + totals.folders * Math.min(1, files / Math.max(1, totals.files))
  const names = (files + folders) / folders
  // The last sector of a list is half full.
  const list = (nameBytes: number): number => Math.max(SECTOR, names * nameBytes * on.factor + SECTOR / 2)
  const once =
    // Each file and folder has a file entry of a sector in UDF.
    files * (SECTOR + SUM_LINE_BYTES * on.factor) +
    folders * (SECTOR + list(NAME_BYTES.iso) + list(NAME_BYTES.udf))
  const index = (totals.files + totals.folders) * INDEX_LINE_BYTES * on.factor
  const each = (IMAGE_SECTORS + on.filling) * SECTOR + OWN_BYTES + index
  // Lists that leave no room on a volume are refused when the plan is made.
  const room = on.capacity - each
  const volumes = room > 0 ? Math.max(1, Math.ceil((on.content + once) / room)) : 1
  return once + each * volumes
}

function weaker({ provenance }: Estimate) {
  return provenance === 'assumed' ? 'assumed' : 'modelled'
}

function wholeBytes(span: Span, provenance: Estimate['provenance'], basis: string): Estimate {
  return estimateOf(
    { value: Math.round(span.value), low: Math.floor(span.low), high: Math.ceil(span.high) },
    provenance,
    basis,
  )
}

/** The bytes between the ends of files and of their last sectors. */
function sectorRest(survey: SurveyFacts, variant: Variant, sector: number, whole: Span) {
  const ratio = variant.fileRatio
  if (ratio === 1 && variant.storedBytes.value === survey.totals.bytes) {
    const { value, low, high } = roundedUp(survey, sector)
    const { bytes } = survey.totals
    return { value: value - bytes, low: low - bytes, high: high - bytes }
  }
  if (ratio !== undefined) {
    const { value, low, high } = roundedUpScaled(survey, sector, ratio)
    const bytes = survey.totals.bytes * ratio
    return { value: value - bytes, low: Math.max(0, low - bytes), high: high - bytes }
  }
  if (variant.storedFiles.value === 1 && variant.storedFiles.provenance === 'exact') {
    const up = (bytes: number): number => Math.ceil(bytes / sector) * sector - bytes
    return {
      value: up(whole.value),
      low: whole.low === whole.high ? up(whole.value) : 0,
      high: whole.low === whole.high ? up(whole.value) : sector,
    }
  }
  const files = variant.storedFiles
  return { value: (files.value * sector) / 2, low: 0, high: files.high * sector }
}

/**
 * On discs an ISO image is not one file that may be cut: each disc is an image with whole files of
 * the source, as for plain files.
 */
export function laidOut(
  { totals, largestFileBytes }: SurveyFacts,
  variant: Variant,
  medium: MediumFacts,
): Variant {
  if (variant.container !== 'iso9660' || medium.kind !== 'image') return variant
  return {
    ...variant,
    storedBytes: exact(totals.bytes, said`the bytes of the files, counted`),
    fileRatio: 1,
    storedFiles: exact(totals.files, said`the files, counted`),
    largestPieceBytes: largestFileBytes,
  }
}

/**
 * How many volumes that takes. What may be cut anywhere fills all but the last; whole pieces leave
 * something over on each, about half of one, and at worst the largest on every volume.
 */
export function volumesOf(
  variant: Variant,
  bytes: Estimate,
  medium: MediumFacts,
): { volumes: Estimate; fits: boolean } {
  const capacity = medium.capacityBytes
  if (capacity === null) return { volumes: exact(1, said`one volume without a limit`), fits: true }
  const piece = variant.largestPieceBytes
  const fits = piece <= capacity
  const mean = bytes.value / Math.max(1, variant.storedFiles.value)
  const left = piece === 0 ? 0 : Math.min(mean / 2, capacity / 4)
  const most = piece === 0 ? 0 : Math.min(piece, capacity / 2)
  // A first volume has nothing to leave over for.
  const count = (size: number, over: number): number =>
    size <= capacity ? 1 : Math.ceil(size / (capacity - over))
  const span = {
    value: count(bytes.value, left),
    low: count(bytes.low, 0),
    high: count(bytes.high, most),
  }
  const isExact = bytes.provenance === 'exact' && piece === 0
  return {
    volumes: estimateOf(
      span,
      isExact ? 'exact' : bytes.provenance === 'exact' ? 'modelled' : bytes.provenance,
      said`bytes over ${capacity} a volume${piece === 0 ? '' : said`, whole files not cut`}`,
    ),
    fits,
  }
}

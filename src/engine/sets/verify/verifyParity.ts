import type { ParityDisc } from '../../../contract/dto/plan'
import { parityFactor } from '../../../domain/sets/protection/lostImage'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { lstatAt } from '../../files/fileSystem'
import { hashRangesHex } from '../../files/read'
import { type CombinedDigests, combineFiles } from '../../native/combining'
import type { VolumeWork } from '../runs/runRecord'
import { openImage } from '../volume/image/image'
import { SECTOR } from '../volume/image/imageTree'
import type { ParityRow } from '../volume/lists/parityTsv'
import { readSetSums } from '../volume/lists/setSums'
import { contentAt, type Volume } from '../volume/lists/volume'
import { type Difference, differenceFailure } from '../volume/open/difference'
import { openParity } from '../volume/open/openParity'
import { placeContents, readBack, type Way } from '../volume/open/readBack'
import { SUMS_NAME } from '../volume/planned/ownNames'
import { builtPath, isBuilt, type PlanFolder } from '../volume/planned/planFolder'

/** Through the system's cache; what cannot be read ends it. */
const readable: Way = async (places, { signal, onBytes }) => {
  const ranges = places.map(({ file, offset, bytes }) => ({ path: file, offset, length: bytes }))
  const digests = await hashRangesHex(ranges, signal, (done) => onBytes(done))
  return { ranges: digests.map((sha256) => ({ sha256 })) }
}

/**
 * Checks parity discs of a plan: their own files by the checksums on them, and the parity against
 * all images of the plan, which are read once for all of its discs.
 */
export class ParityCheck {
  readonly #folder: PlanFolder
  readonly #signal: AbortSignal
  #ofImages: Promise<CombinedDigests> | null = null

  constructor(folder: PlanFolder, signal: AbortSignal) {
    this.#folder = folder
    this.#signal = signal
  }

  /** @throws AppError `not-found` where it or another image is not built, `cancelled`, `io` */
  async check(disc: ParityDisc, onBytes: (done: number) => void): Promise<VolumeWork> {
    const { label, sectors } = disc
    const path = builtPath(this.#folder, disc.index)
    if (!isBuilt(this.#folder, disc))
      throw new AppError('not-found', said`cannot verify ${label}: it is not built yet`, { path })
    const wanted = sectors * SECTOR
    const bytes = Number(lstatAt(path)?.size ?? 0n)
    const differences: Difference[] = []
    if (bytes !== wanted) differences.push({ code: 'image-size', bytes, wanted })
    try {
      differences.push(...(await this.#differences(disc, await openImage(path), onBytes)))
    } catch (thrown) {
      const failure = AppError.from(thrown)
      if (failure.code !== 'verification-failed') throw failure
      differences.push({ code: 'unreadable-volume', failure })
    }
    const failures = differences.map((difference) => differenceFailure(label, difference))
    return { end: failures.length === 0 ? 'done' : failures, sectors: bytes / SECTOR }
  }

  async #differences(
    { kind }: ParityDisc,
    image: Volume,
    onBytes: (done: number) => void,
  ): Promise<Difference[]> {
    const opened = await openParity(image)
    if (opened?.kind !== kind) return [{ code: 'no-parity' }]
    const { rows, own } = opened
    const place = await image.placeOf(`${own}/${SUMS_NAME}`)
    const sums = place && readSetSums(await contentAt(place))
    if (!sums) return [{ path: `${own}/${SUMS_NAME}`, code: 'missing' }]
    const contents = [...sums].map(([path, digest]) => ({ path, bytes: null, sha256: new Set([digest]) }))
    const watch = { signal: this.#signal, onBytes: (done: number) => onBytes(done) }
    const { differences } = await readBack(await placeContents(image, contents), readable, watch)
    return [...differences, ...(await this.#againstImages(rows))]
  }

  /** Compares a list with the images that are there, and with their parity. */
  async #againstImages(rows: readonly ParityRow[]): Promise<Difference[]> {
    const { plan } = this.#folder
    this.#ofImages ??= this.#digests()
    const { files, combinations } = await this.#ofImages
    const digests = [...files, ...combinations]
    const discs = [...plan.volumes, ...(plan.parity ?? [])]
    return discs.flatMap((disc, at): Difference[] => {
      const row = rows.find(({ number }) => number === disc.index)
      if (row?.label === disc.label && row.sha256 === digests[at]) return []
      return [row?.kind === 'image' ? { code: 'other-image', label: disc.label } : { code: 'other-parity' }]
    })
  }

  #digests(): Promise<CombinedDigests> {
    const { plan } = this.#folder
    const files = plan.volumes.map((volume) => {
      const path = builtPath(this.#folder, volume.index)
      if (!isBuilt(this.#folder, volume))
        throw new AppError(
          'not-found',
          said`cannot check parity: the image of ${volume.label} is not built`,
          { path },
        )
      return { path, offset: 0, bytes: volume.sectors * SECTOR }
    })
    const bytes = Math.max(...files.map((file) => file.bytes))
    const combinations = (plan.parity ?? []).map(({ kind }) => ({
      output: null,
      bytes,
      factors: plan.volumes.map(({ index }) => parityFactor(kind, index)),
    }))
    return combineFiles(files, combinations, { signal: this.#signal })
  }
}

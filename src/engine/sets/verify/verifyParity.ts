import { createHash } from 'node:crypto'
import type { ParityDisc } from '../../../contract/dto/plan'
import { parityFactor } from '../../../domain/sets/protection/lostImage'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { lstatAt } from '../../files/fileSystem'
import { hashRangesHex } from '../../files/read'
import { type CombinedDigests, combineFiles } from '../../native/combining'
import type { VolumeWork } from '../runs/runRecord'
import { mismatch, volumeMismatch } from '../volume/expectedTree'
import { openImage } from '../volume/image'
import { openParity } from '../volume/openParity'
import { SUMS_NAME } from '../volume/ownNames'
import type { ParityRow } from '../volume/parityTsv'
import { builtPath, isBuilt, type PlanFolder } from '../volume/planFolder'
import { readSetSums } from '../volume/setSums'
import { contentAt, type Volume } from '../volume/volume'

const SECTOR = 2048

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
    const planned = BigInt(sectors) * BigInt(SECTOR)
    const size = lstatAt(path)?.size ?? 0n
    const failures: AppError[] = []
    if (size !== planned)
      failures.push(volumeMismatch(label, said`the image has ${size} bytes instead of ${planned}`))
    try {
      failures.push(...(await this.#differences(disc, await openImage(path), onBytes)))
    } catch (thrown) {
      const failure = AppError.from(thrown)
      if (failure.code !== 'verification-failed') throw failure
      failures.push(volumeMismatch(label, failure.message))
    }
    return { end: failures.length === 0 ? 'done' : failures, sectors: Number(size) / SECTOR }
  }

  async #differences(
    { kind, label }: ParityDisc,
    image: Volume,
    onBytes: (done: number) => void,
  ): Promise<AppError[]> {
    const opened = await openParity(image)
    if (opened?.kind !== kind) return [volumeMismatch(label, said`it has no list of images, or no parity`)]
    const { rows, own, place } = opened
    const failures: AppError[] = []
    const [ownParity] = await hashRangesHex(
      [{ path: place.file, offset: place.offset, length: place.bytes }],
      this.#signal,
      onBytes,
    )
    const sumsPlace = await image.placeOf(`${own}/${SUMS_NAME}`)
    const sums = sumsPlace && readSetSums(await contentAt(sumsPlace))
    if (!sums) return [mismatch(label, `${own}/${SUMS_NAME}`, said`it is missing`)]
    for (const [name, sha256] of sums) {
      const file = await image.placeOf(name)
      const isParity = file?.offset === place.offset
      const found = isParity
        ? ownParity
        : file &&
          createHash('sha256')
            .update(await contentAt(file))
            .digest('hex')
      if (found !== sha256) failures.push(mismatch(label, name, said`its content differs (SHA-256)`))
    }
    return [...failures, ...(await this.#againstImages(label, rows))]
  }

  /** Compares a list with the images that are there, and with their parity. */
  async #againstImages(label: string, rows: readonly ParityRow[]): Promise<AppError[]> {
    const { plan } = this.#folder
    this.#ofImages ??= this.#digests()
    const { files, combinations } = await this.#ofImages
    const digests = [...files, ...combinations]
    const discs = [...plan.volumes, ...(plan.parity ?? [])]
    return discs.flatMap((disc, at) => {
      const row = rows.find(({ number }) => number === disc.index)
      if (row?.label === disc.label && row.sha256 === digests[at]) return []
      const because =
        row?.kind === 'image'
          ? said`the image of ${disc.label} is not the one that its parity was made of; build the plan again`
          : said`the images give another parity than its list has`
      return [volumeMismatch(label, because)]
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

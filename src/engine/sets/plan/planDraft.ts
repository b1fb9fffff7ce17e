import { setImmediate } from 'node:timers/promises'
import type { DraftRequest } from '../../../contract/dto/plan'
import { resolveMedium } from '../../../domain/media/resolveMedium'
import { DRAFT_SCHEMA, type DraftDocument } from '../../../domain/sets/draftDocument'
import { labelPrefix, volumeLabels } from '../../../domain/sets/naming/volumeLabels'
import { lastComponent } from '../../../domain/sets/naming/volumePaths'
import type { InventoryItem } from '../../../domain/sets/packing/inventory'
import { orderedPacking } from '../../../domain/sets/packing/orderedPacking'
import { wholeSectors } from '../../../domain/sets/packing/packingTree'
import { packVolumes } from '../../../domain/sets/packing/packVolumes'
import { branchingFolder } from '../../../domain/sets/packing/volumeShares'
import type { WalkDocument } from '../../../domain/survey/sourceWalk'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { pausing } from '../../jobs/slowly'
import { mediaCatalogue } from '../../media/mediaCatalogue'
import { modifiedMs, type SourceEntries } from '../../survey/sourceEntries'
import { listedEntries } from '../../survey/walk/listedEntries'
import { plainPacking } from './layoutVolumes'
import { PlanLines } from './planLines'
import { plannedVolumeOf } from './splitPartDigests'

/** The listing of so many entries is kept until another source is drafted: some 100 MB. */
const MOST_KEPT = 250_000

/** Makes drafts; a source that is not too large is listed once for all media. */
export class PlanDrafts {
  readonly #leaveOut: () => readonly string[]
  #last: { readonly walkId: string; readonly listed: Promise<SourceEntries> } | null = null

  /** @param leaveOut folders of Stowage itself */
  constructor(leaveOut: () => readonly string[]) {
    this.#leaveOut = leaveOut
  }

  /**
   * Packs the files of a walk's sources as they are onto a medium, by the cost model and in the
   * order that a plan would take, from names and sizes: they are listed again, and no file is read.
   * @throws AppError `cannot-fit`, `nothing-to-do` for sources without files
   */
  async draft(walk: WalkDocument, request: DraftRequest): Promise<DraftDocument> {
    return draftOf(walk, await this.#listed(walk), request)
  }

  async #listed({ id, roots, rules }: WalkDocument): Promise<SourceEntries> {
    if (this.#last?.walkId === id) return this.#last.listed
    const listed = listedEntries(
      { roots, rules, leaveOut: this.#leaveOut() },
      pausing(() => {}),
    )
    const own = { walkId: id, listed }
    this.#last = own
    const forget = (): void => {
      if (this.#last === own) this.#last = null
    }
    try {
      const source = await listed
      if (source.items.length > MOST_KEPT) forget()
      return source
    } catch (thrown) {
      forget()
      throw thrown
    }
  }
}

async function draftOf(
  { id, roots }: WalkDocument,
  source: SourceEntries,
  request: DraftRequest,
): Promise<DraftDocument> {
  const medium = resolveMedium(mediaCatalogue, request.mediumId)
  const prefix = request.labelPrefix ?? labelPrefix(lastComponent(roots[0] ?? ''))
  const lines = new PlanLines(source)
  const asked = { source, medium, lines, labelPrefix: prefix, placement: undefined, protection: undefined }
  const options = plainPacking(asked)
  // Others ask the engine too.
  await setImmediate()
  const fewest = packVolumes(source.items, options)
  if (fewest.volumes.length === 0) throw new AppError('nothing-to-do', said`the source has no files to plan`)
  await setImmediate()
  const ordered = orderedPacking(source.items, fewest, options, (index) => modifiedMs(source, index))
  const packing = ordered?.packing ?? fewest
  const items = new Map(source.items.map((item) => [item.index, item]))
  const itemOf = (index: number): InventoryItem => items.get(index) as InventoryItem
  const branching = branchingFolder(source.items)
  const labels = volumeLabels(prefix, packing.volumes.length)
  const { sectorBytes } = options.cost
  const reserved = wholeSectors(options.reserveBytes, sectorBytes) / sectorBytes
  const volumes = packing.volumes.map((volume, at) => {
    const sized = {
      index: at + 1,
      label: labels[at] as string,
      sectors: volume.modelSectors + reserved,
      payloadBytes: options.reserveBytes,
    }
    return plannedVolumeOf(sized, volume, medium, itemOf, branching)
  })
  const prices = request.prices?.filter(({ mediumId }) => mediumId === medium.id) ?? []
  return {
    schema: DRAFT_SCHEMA,
    walkId: id,
    roots: [...roots],
    medium,
    totals: {
      files: volumes.reduce((sum, { files }) => sum + files, 0),
      bytes: volumes.reduce((sum, { bytes }) => sum + bytes, 0),
      lowerBoundVolumes: packing.lowerBoundVolumes,
      splitFiles: packing.splitFiles,
      brokenFolders: packing.brokenFolders,
    },
    filledBy: ordered?.order ?? 'size',
    volumes,
    ...(prices.length > 0 && { prices }),
  }
}

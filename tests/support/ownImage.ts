import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PlanDocument, PlanEntry } from '../../src/contract/dto/plan'
import { OWN_IMAGES } from '../../src/domain/sets/ownImages'
import { textBytes } from '../../src/engine/files/fileSystem'
import { type ChangedSources, imageSectors, writeImage } from '../../src/engine/sets/mastering/writeImage'
import { sha256Line } from '../../src/engine/sets/volume/lists/sha256Sums'
import type { PlanFolder } from '../../src/engine/sets/volume/planned/planFolder'
import {
  plannedVolumes,
  type SizedVolume,
  volumePlaces,
} from '../../src/engine/sets/volume/planned/plannedVolume'
import type { AppError } from '../../src/primitives/appError'
import { planDocument } from './catalogPlan'

/** The folder of Stowage's own files on the images of tests, and these. */
export const PAYLOAD_NAME = '.stowage'
export const PAYLOAD: Readonly<Record<string, string>> = {
  'INDEX.tsv': 'path\tbytes\n',
  'README.txt': 'made by a test\n'.repeat(400),
  'empty.txt': '',
}

/** A plan of one volume, and its image. */
export interface OwnVolume {
  /** Sectors. */
  readonly forecast: number
  /** @returns what is wrong with the sources */
  build(image: string, signal?: AbortSignal): Promise<AppError[]>
  /** The image without some files, and with others' content from elsewhere. */
  buildWith(image: string, changes: ChangedSources): Promise<AppError[]>
}

/**
 * @param directory where the plan's folder is made
 * @param setting.withSums with the checksums of its files among Stowage's own
 * @param setting.lists Stowage's own files, by name
 */
export async function ownVolume(
  directory: string,
  entries: readonly PlanEntry[],
  { equalOnce = false, withSums = false, lists = PAYLOAD } = {},
): Promise<OwnVolume> {
  const payload = join(directory, volumePlaces(1, 1).payload, PAYLOAD_NAME)
  mkdirSync(payload, { recursive: true })
  for (const [name, text] of Object.entries(lists)) writeFileSync(join(payload, name), text)
  if (withSums) {
    const lines = entries.flatMap((entry) =>
      entry.kind === 'file' ? [sha256Line(entry.sha256, entry.path)] : [],
    )
    for (const place of [join(payload, 'SHA256SUMS'), join(directory, volumePlaces(1, 1).sums)])
      writeFileSync(place, textBytes(lines.join('')))
  }
  const base = planDocument(createHash('sha256').update(directory).digest('hex').slice(0, 32), 'survey', 1)
  const plan: PlanDocument = {
    ...base,
    mastering: {
      tool: OWN_IMAGES,
      version: '1',
      options: [],
      volumeDateWallMs: Date.UTC(2025, 1, 3, 4, 5, 6),
    },
    ...(equalOnce ? { equalFiles: 'once' as const } : {}),
  }
  const folder: PlanFolder = { directory, plan, lists: 'volumes' }
  const [planned] = plannedVolumes(plan.volumes, PAYLOAD_NAME, () => entries)
  if (!planned) throw new Error('a plan without volumes')
  const forecast = await imageSectors(plan, planned, directory)
  const volume: SizedVolume = { ...planned, sectors: forecast }
  return {
    forecast,
    build: (image, signal = new AbortController().signal) =>
      writeImage(folder, volume, image, { signal, onBytes: () => undefined }),
    buildWith: (image, changes) =>
      writeImage(
        folder,
        volume,
        image,
        { signal: new AbortController().signal, onBytes: () => undefined },
        changes,
      ),
  }
}

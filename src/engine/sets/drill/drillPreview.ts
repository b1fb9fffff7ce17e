import { randomInt } from 'node:crypto'
import { tmpdir } from 'node:os'
import type { DrillPreview, DrillRequest } from '../../../contract/dto/drill'
import { marksOf } from '../../../domain/sets/restoreChoice'
import { chosenSeconds } from '../../../domain/sets/times/chosenTimes'
import type { Estimate } from '../../../primitives/estimate'
import { freeBytes } from '../../files/freeSpace'
import type { PlaceNotes } from '../../files/scratch'
import type { CopyCatalog } from '../copies/knownCopies'
import type { ProofCatalog } from '../copies/provedBy'
import { ContentSources } from '../restore/contentSources'
import { openWholeSet } from '../restore/openWholeSet'
import { SetTree } from '../restore/setTree'
import { timesOf } from '../restore/timesOf'
import { treeEntries } from '../restore/treeEntries'
import type { OpenSet } from '../volume/open/openSet'
import { type DrawnSample, drawnSample } from './drawnSample'
import { drilledVolumes } from './drilledVolumes'

interface PreviewDeps {
  readonly notes: PlaceNotes
  readonly catalog: ProofCatalog & CopyCatalog
  readonly nowWallMs: number
}

/**
 * Draws the sample of a drill and says what restoring it takes: a drill with its seed, of the same
 * volumes, restores that sample. Reads lists alone; writes nothing but the inner list of an
 * encrypted set, into a temporary folder.
 * @throws AppError as a drill does before it writes, but for `no-space`
 */
export async function drillPreview(
  { notes, catalog, nowWallMs }: PreviewDeps,
  request: DrillRequest,
): Promise<DrillPreview> {
  const { volumes: paths, password, copy } = request
  const { signal } = new AbortController()
  const set = await openWholeSet({ volumes: paths, password }, { notes, catalog, signal })
  const seed = request.seed ?? randomInt(2 ** 32 - 1)
  const drawn = await drawnSample(set, { ...request, seed })
  const { sample, bytes, unpacked, spaceBytes } = drawn
  const volumes = await drilledVolumes(set, drawn, { catalog, copy, nowWallMs })
  const planId = volumes[0]?.shown.planId ?? null
  return {
    seed,
    evidence: volumes.every(({ isProved }) => isProved) ? 'catalog' : 'volumes',
    files: sample.length,
    bytes,
    volumes: volumes.map(({ shown }) => shown),
    unpacked,
    spaceBytes,
    freeBytes: await freeBytes(tmpdir()),
    // A plan has the times of its own volumes, and not of those that it adds to.
    seconds:
      set.index.generation === undefined ? await secondsOf(set, drawn, { planId, paths, catalog }) : null,
  }
}

async function secondsOf(
  { index }: OpenSet,
  { sample }: DrawnSample,
  around: { planId: string | null; paths: readonly string[]; catalog: ProofCatalog },
): Promise<Estimate | null> {
  const times = await timesOf(around.planId, around.paths, around.catalog)
  if (times === null) return null
  const sources = new ContentSources()
  const tree = new SetTree(treeEntries(index.rows, sources), sources)
  const whole = tree.needs(new Map([['', true]])).byVolume
  const { byVolume } = tree.needs(marksOf({ paths: sample.map(({ path }) => path), except: [] }))
  return chosenSeconds(
    times,
    new Map([...byVolume].map(([volume, bytes]) => [volume, bytes / Math.max(1, whole.get(volume) ?? 0)])),
  )
}

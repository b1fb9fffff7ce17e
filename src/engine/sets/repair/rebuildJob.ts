import { open } from 'node:fs/promises'
import { REBUILD_SCHEMA, type RebuildDocument, type RebuildRequest } from '../../../contract/dto/rebuild'
import { lostImageFactors } from '../../../domain/sets/protection/lostImage'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { attempt, cannot, fsPath } from '../../files/fileSystem'
import { requireSpace } from '../../files/freeSpace'
import { replacePlace, takeFreePlace } from '../../files/place'
import { type PlaceNotes, partialPath, withTempPath } from '../../files/scratch'
import { flushFolder, folderOf } from '../../files/write'
import type { Job, JobContext } from '../../jobs/jobContext'
import type { KeptResults } from '../../jobs/keptResults'
import { combineFiles } from '../../native/combining'
import { type ProofCatalog, provedBy } from '../copies/provedBy'
import { openDamagedImage } from '../volume/image/damagedImage'
import { volumeLists } from '../volume/open/volumeLists'
import { type GivenSet, givenSet } from './givenSet'
import { requireReplaceable } from './replaceable'
import { requireWhole } from './requireWhole'

interface RebuildDeps {
  readonly catalog: PlaceNotes & ProofCatalog
  readonly results: KeptResults<RebuildDocument>
}

/**
 * Calculates the image of a lost disc from those of the other discs of its plan and parity. The
 * image takes its name once its SHA-256 is that of the list on a parity disc, and it was read back
 * and agrees with its own lists, and they with the catalog. The job throws `refused` where nothing,
 * or more than parity gives back, is missing, `verification-failed` where one of the images is not
 * as it was, naming it, `exists`, `no-space`, `cancelled`, …
 */
export function rebuildJob(deps: RebuildDeps, request: RebuildRequest): Job {
  return {
    kind: 'repair',
    title: `Rebuild of ${pathForDisplay(request.image)}`,
    run: (context) => rebuild(deps, request, context),
  }
}

/** Calculating, and reading back. */
const PHASES = ['repairing', 'verifying'] as const

async function rebuild(
  { catalog, results }: RebuildDeps,
  { volumes, lost, image, force }: RebuildRequest,
  { signal, clock, newId, progress }: JobContext,
): Promise<string> {
  const startedMs = clock.monotonicMs()
  const startedWallMs = clock.wallMs()
  const set = await givenSet(volumes)
  const { wanted, parts, factors } = calculation(set, lost)
  const identity = { planId: set.planId, setId: null, index: wanted.number, label: wanted.label }
  await requireReplaceable(image, identity, force)
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0)
  await requireSpace(folderOf(image), wanted.bytes, `write ${pathForDisplay(image)}`)
  const progressOf =
    (name: (typeof PHASES)[number], bytesTotal: number) =>
    (done: number): void =>
      progress({
        phase: { index: PHASES.indexOf(name) + 1, count: PHASES.length, name },
        filesDone: 0,
        filesTotal: null,
        bytesDone: Math.min(done, bytesTotal),
        bytesTotal,
        current: wanted.label,
      })
  await withTempPath(catalog, partialPath(image), async (partial) => {
    const output = await attempt('write', partial, open(fsPath(partial), 'wx'))
    try {
      const found = await combineFiles(
        parts,
        [{ output: { fd: output.fd, path: partial }, bytes: wanted.bytes, factors }],
        { signal, onBytes: progressOf('repairing', total) },
      )
      requireRight(parts, found.files)
      if (found.combinations[0] !== wanted.sha256)
        throw new AppError('internal', said`the image of ${wanted.label} has another SHA-256 than its list`)
      await attempt('write', partial, output.sync())
    } finally {
      await output.close()
    }
    const lists = await volumeLists(await openDamagedImage(partial))
    const proof = provedBy(lists, catalog)
    if ('because' in proof) throw cannot('verification-failed', 'rebuild', wanted.label, proof.because)
    await requireWhole(partial, lists, { signal, onBytes: progressOf('verifying', wanted.bytes) })
    await attempt('write', image, async () => {
      if (force) await replacePlace(catalog, partial, image)
      else await takeFreePlace(partial, image)
      await flushFolder(folderOf(image))
    })
  })
  const document: RebuildDocument = {
    schema: REBUILD_SCHEMA,
    id: newId('m'),
    image,
    label: wanted.label,
    index: wanted.number,
    bytes: wanted.bytes,
    sha256: wanted.sha256,
    from: parts.map(({ label }) => label),
    startedWallMs,
    elapsedMs: clock.monotonicMs() - startedMs,
  }
  return results.keep(document.id, document)
}

type SetRow = GivenSet['rows'][number]
type SetPart = GivenSet['images'] extends ReadonlyMap<number, infer Part> ? Part : never

/** The parts of a set that an image is calculated from, with the factor of each. */
function calculation(
  { rows, images, parity }: GivenSet,
  lost: number | null,
): { readonly wanted: SetRow; readonly parts: readonly SetPart[]; readonly factors: readonly number[] } {
  const all = rows.filter(({ kind }) => kind === 'image')
  const missing = all.filter(({ number }) => !images.has(number))
  const wanted = lost === null ? missing[0] : all.find(({ number }) => number === lost)
  const labels = (of: readonly SetRow[]): string => of.map(({ label }) => label).join(', ')
  if (!wanted)
    throw lost === null
      ? new AppError(
          'refused',
          said`no disc is missing: the images of ${labels(all)} are there; name the one to make anew`,
        )
      : new AppError('usage', said`no volume ${lost} in this set: it has ${labels(all)}`)
  const numbers = new Set([...missing, wanted].map(({ number }) => number))
  const factors = lostImageFactors(all.length, wanted.number, [...numbers], [...parity.keys()])
  if (!factors) {
    const absent = rows.filter(({ kind, number }) =>
      kind === 'image' ? numbers.has(number) : !parity.has(kind),
    )
    throw new AppError(
      'refused',
      said`cannot rebuild ${wanted.label}: ${labels(absent)} are missing, more than parity can replace`,
    )
  }
  const used = [
    ...[...factors.images].map(([number, factor]) => [images.get(number), factor] as const),
    ...[...factors.parity].map(([kind, factor]) => [parity.get(kind), factor] as const),
  ].flatMap(([part, factor]) => (part ? [{ part, factor }] : []))
  return { wanted, parts: used.map(({ part }) => part), factors: used.map(({ factor }) => factor) }
}

/** @throws AppError `verification-failed` naming an image or parity that is not as it was */
function requireRight(parts: readonly SetPart[], digests: readonly string[]): void {
  const first = parts.find(({ sha256 }, at) => sha256 !== digests[at])
  if (!first) return
  throw new AppError(
    'verification-failed',
    said`cannot use ${pathForDisplay(first.path)} (${first.label}): it is not as it was when parity was made (SHA-256); repair it first, or leave it out`,
    { path: first.path },
  )
}

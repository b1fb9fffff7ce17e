/**
 * The room `repair` makes damaged files, and whole lost discs, again.
 * How: from recovery data of the volume, other copies and parity; what it makes is compared with
 * the digests that are proved, before it takes a name.
 * Not here: finding damage (`check`), reading PAR2 sets (`recovery`).
 */

import { open, stat } from 'node:fs/promises'
import { REPAIR_SCHEMA, type RepairDocument, type RepairRequest } from '../../../contract/dto/repair'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { formatCounted } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import { attempt, cannot, fsPath, joinPath } from '../../files/fileSystem'
import { requireSpace } from '../../files/freeSpace'
import { replacePlace, takeFreePlace } from '../../files/place'
import { type ContentPlace, hashRangesHex } from '../../files/read'
import { type PlaceNotes, partialPath, withTempFolder, withTempPath } from '../../files/scratch'
import { flushFolder, folderOf } from '../../files/write'
import type { Job, JobContext } from '../../jobs/jobContext'
import type { KeptResults } from '../../jobs/keptResults'
import { newId } from '../../jobs/newId'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { damagedSums } from '../check/damagedSums'
import { openListed } from '../check/openListed'
import { type ProofCatalog, provedBy } from '../copies/provedBy'
import { mendedVolumeLists } from '../recovery/mendedLists'
import { recoveredContents } from '../recovery/recoveredContents'
import { digestsOf, judgedVolume } from '../verify/judgedVolume'
import { openDamagedImage } from '../volume/image/damagedImage'
import { createdIn, type ImageFacts, versionOf } from '../volume/lists/imageTsv'
import type { ParityRow } from '../volume/lists/parityTsv'
import type { VolumeLists } from '../volume/open/volumeLists'
import { digestByParity } from './digestByParity'
import { requireReplaceable } from './replaceable'
import { requireWhole } from './requireWhole'
import { writeAgain } from './writeAgain'

interface RepairDeps {
  readonly catalog: PlaceNotes & ProofCatalog
  readonly results: KeptResults<RepairDocument>
}

/**
 * Makes a whole image from a damaged image or disc of Stowage's own: files that are damaged come
 * back by its recovery data, folders and recovery data are made again from its index. The image
 * takes its name once every file on it was read back and is right; nothing is written where some
 * file is lost. The job throws `refused` for a volume without damage, `verification-failed` where
 * something is lost or its lists are not those of its plan, `exists`, `no-space`, `cancelled`, …
 */
export function repairJob(deps: RepairDeps, request: RepairRequest): Job {
  return {
    kind: 'repair',
    title: `Repair of ${pathForDisplay(request.volume)}`,
    run: (context) => repair(deps, request, context),
  }
}

/** Reading for damage, calculating, writing, and reading back. */
const PHASES = ['reading', 'repairing', 'building', 'verifying'] as const

async function repair(
  { catalog, results }: RepairDeps,
  { volume: path, image, force, parity }: RepairRequest,
  context: JobContext,
): Promise<string> {
  const { signal, clock } = context
  const startedMs = clock.monotonicMs()
  const startedWallMs = clock.wallMs()
  const stats = await attempt('read', path, stat(fsPath(path)))
  if (stats.isDirectory())
    throw cannot('refused', 'repair', path, said`it is a folder; give the image, or the device of the disc`)
  const lists = await mendedVolumeLists(await openDamagedImage(path), { notes: catalog, signal })
  const number = requireRepairable(lists, path)
  const { planId, setId, label } = lists
  const proof = provedBy(lists, catalog)
  if ('because' in proof) throw cannot('verification-failed', 'repair', path, proof.because)
  await requireReplaceable(image, { planId, setId, index: number, label }, force)
  const opened = await openListed(lists, signal)
  const { expected, placed } = opened
  const progressOf =
    (phase: (typeof PHASES)[number], total: number, cautions: readonly string[] = []) =>
    (done: number): void =>
      context.progress({
        phase: { index: PHASES.indexOf(phase) + 1, count: PHASES.length, name: phase },
        filesDone: 0,
        filesTotal: null,
        bytesDone: Math.min(done, total),
        bytesTotal: total,
        current: null,
        ...(cautions.length > 0 && { cautions: [...cautions] }),
      })
  const judged = await judgedVolume(opened, null, { signal, onBytes: progressOf('reading', placed.bytes) })
  const { reading: read } = judged
  const damaged = [...judged.damaged.keys()]
  const remade = judged.damagedData.map((file) => file.path)
  const digests = digestsOf(expected)
  // Checksums that only the index shows to be damaged cannot be made again.
  const sums = damagedSums(lists, read.differences).map((file) => file.path)
  requireAllBack(path, [...damaged, ...sums], [...judged.damaged.values(), ...sums.map(() => 'lost')])
  const wanted = await digestByParity(catalog, { planId: lists.planId, number, label: lists.label }, parity)
  const isWhole = damaged.length + remade.length === 0 && lists.damagedFolders() === null
  if (isWhole && (wanted === null || (await hasDigest(path, wanted, signal))))
    throw new AppError(
      'refused',
      said`${pathForDisplay(path)} has no damage: all ${formatCounted(expected.length, 'file')} on it are right`,
    )
  return await withTempFolder(
    catalog,
    joinPath(folderOf(image), newId('.stowage-repair')),
    async (scratch) => {
      const contents = new Map<string, ContentPlace>(read.places)
      const recovered = await recoveredContents(
        { path, folder: null, own: lists.own, placeOf: (name) => lists.files.placeOf(name) },
        (listed) => new Set(damaged.filter((name) => listed.has(name))),
        joinPath(scratch, 'files'),
        { signal, onBytes: progressOf('repairing', 2 * placed.bytes) },
      )
      for (const [name, place] of recovered) contents.set(name, place)
      const undamaged = new Set([...read.places.keys()].map((name) => digests.get(name)))
      const isElsewhere = (name: string): boolean => undamaged.has(digests.get(name) ?? name)
      addEqual(contents, damaged, digests)
      const planned = factsOfPlan(catalog, lists.planId, number)
      const again = await writeAgain(lists, number, { contents, planned })
      const bytes = again.sectors * 2048
      const cautions = again.unknown.map((each) => said`some bytes may not be as they were: ${each}`)
      progressOf('building', again.workBytes, cautions)(0)
      await requireSpace(folderOf(image), bytes, `write ${pathForDisplay(image)}`)
      return await withTempPath(catalog, partialPath(image), async (partial) => {
        const output = await attempt('write', partial, open(fsPath(partial), 'wx'))
        try {
          await again.write(
            { output, partial, scratch: { path: `${partial}.recovery`, besides: bytes } },
            { signal, onBytes: progressOf('building', again.workBytes, cautions) },
          )
          await attempt('write', partial, output.sync())
        } finally {
          await output.close()
        }
        const files = await requireWhole(partial, lists, {
          signal,
          onBytes: progressOf('verifying', placed.bytes),
        })
        const isAsMade =
          wanted === null ? again.unknown.length === 0 : await hasDigest(partial, wanted, signal)
        await attempt('write', image, async () => {
          if (force) await replacePlace(catalog, partial, image)
          else await takeFreePlace(partial, image)
          await flushFolder(folderOf(image))
        })
        const document: RepairDocument = {
          schema: REPAIR_SCHEMA,
          id: context.newId('m'),
          path,
          image,
          label: lists.label,
          index: number,
          setId: lists.setId,
          startedWallMs,
          elapsedMs: clock.monotonicMs() - startedMs,
          bytes,
          files,
          repaired: damaged.filter((name) => !isElsewhere(name)),
          remade: [...remade, ...damaged.filter(isElsewhere)],
          isAsMade,
          notes: isAsMade ? [] : [...again.unknown, ...(wanted === null ? [] : [otherDigest()])],
        }
        return results.keep(document.id, document)
      })
    },
  )
}

/** @returns the number of the volume */
function requireRepairable({ index, number, skipped }: VolumeLists, path: string): number {
  const rows = (index?.rows ?? []).filter((row) => row.volume === number)
  const isOwn = rows.some((row) => (row.kind === 'file' || row.kind === 'part') && row.sector !== null)
  if (index === null || number === null)
    throw cannot('verification-failed', 'repair', path, said`its index cannot be read`)
  if (!isOwn) throw cannot('refused', 'repair', path, said`it is no image that Stowage has made itself`)
  if (skipped.size > 0)
    throw cannot(
      'refused',
      'repair',
      path,
      said`files were left out of it while it was built; restore from it, or build it again from its plan`,
    )
  return number
}

function requireAllBack(path: string, damaged: readonly string[], verdicts: readonly string[]): void {
  const lost = damaged.filter((_, at) => verdicts[at] === 'lost')
  const [first] = lost
  if (first === undefined) return
  throw cannot(
    'verification-failed',
    'repair',
    path,
    said`${formatCounted(lost.length, 'file')} cannot be given back (${pathForDisplay(first)}); a restore saves all others`,
  )
}

/** The note on an image that differs from the list of its parity. */
function otherDigest(): string {
  return said`its SHA-256 is not the one in the list of the parity disc`
}

/** The facts that an image follows from, by its plan; null where the catalog has none. */
function factsOfPlan(
  catalog: RepairDeps['catalog'],
  planId: string | null,
  number: number,
): ImageFacts | null {
  if (planId === null || !catalog.plans().some(({ id }) => id === planId)) return null
  const plan = catalog.plan(planId)
  return {
    madeSeconds: Math.floor(plan.mastering.volumeDateWallMs / 1000),
    version: versionOf(plan),
    created: createdIn([...catalog.planEntries(planId, number)]),
  }
}

async function hasDigest(path: string, { bytes, sha256 }: ParityRow, signal: AbortSignal): Promise<boolean> {
  const [found] = await hashRangesHex([{ path, offset: 0, length: bytes }], signal, () => {}).catch(
    (thrown) => {
      throwIfAborted(signal)
      return [AppError.from(thrown).code]
    },
  )
  return found === sha256
}

/** Files with equal content are in a set once, under one of their names. */
function addEqual(
  contents: Map<string, ContentPlace>,
  damaged: readonly string[],
  digests: ReadonlyMap<string, string>,
): void {
  const byDigest = new Map([...contents].map(([name, place]) => [digests.get(name) ?? name, place]))
  for (const name of damaged) {
    const place = byDigest.get(digests.get(name) ?? name)
    if (!contents.has(name) && place) contents.set(name, place)
  }
}

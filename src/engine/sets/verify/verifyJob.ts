/**
 * The room `verify` proves that built volumes are as their plan says.
 * How: each is read back whole and compared, images by 7-Zip too, and is judged by `judgedVolume`,
 * which serves `check` and `repair` too; what is in archives is unpacked and hashed.
 * Not here: discs without their plan (`check`).
 */

import type { RunRequest } from '../../../contract/dto/run'
import { makesImages } from '../../../domain/sets/ownImages'
import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import { cannot, joinPath } from '../../files/fileSystem'
import type { PlaceNotes } from '../../files/scratch'
import type { Job } from '../../jobs/jobContext'
import { sevenZip } from '../../tools/sevenZip'
import { knownSets } from '../copies/provedBy'
import { requirePacked } from '../pack/packedFolder'
import { parityVolumes } from '../parity/parityVolumes'
import { newRunId, RunRecord, type VolumeWork } from '../runs/runRecord'
import { differenceFailure, type FileDifference } from '../volume/open/difference'
import { packedMembers } from '../volume/planned/currentPlan'
import {
  chosenParity,
  chosenVolumes,
  openPlanFolder,
  type PlanFolder,
  requireBuiltHere,
  setIdOf,
} from '../volume/planned/planFolder'
import { readEntries } from '../volume/planned/plannedLists'
import { volumePlaces } from '../volume/planned/plannedVolume'
import { absentMembers } from './absentMembers'
import { type JudgedVolume, judgedVolume, judgingProgress, verdictOn } from './judgedVolume'
import { type OpenedBuilt, openBuilt } from './openBuilt'
import { type Held, heldOf, membersOf, PackedContents } from './packedContents'
import { SplitWholes } from './splitWholes'
import type { BuiltReading } from './verifyImage'
import { ParityCheck } from './verifyParity'

/**
 * Reads every volume of a plan back and compares names, kinds, sizes, link targets and SHA-256 of
 * everything on it with the plan: images through 7-Zip where it is there, folders directly. Split
 * files are also proved as a whole when all their parts are among the volumes. Archives are
 * unpacked, one after another, into a folder of their own for a while, and every file in them is
 * compared with the source's digest; a file whose container is on no volume fails. Nothing else is
 * written but the run's document. The run is kept whatever happens, with the first failure:
 * `verification-failed`, `not-found`, `tool-missing`, `cancelled`, …
 */
export function verifyJob(
  deps: { catalog: Pick<Catalog, 'saveRun' | 'events'> & PlaceNotes },
  request: RunRequest,
): Job {
  return {
    kind: 'verify',
    title: `Verification of ${request.directory}`,
    async run(context) {
      const runId = newRunId('verify', context)
      const { signal } = context
      const exported = await openPlanFolder(request.directory)
      requireBuiltHere('verify', exported)
      const folder = await requirePacked(exported)
      requireKnownLists(folder, deps.catalog)
      const chosen = chosenVolumes(folder.plan, request.volumes)
      const discs = chosenParity(folder.plan, request.volumes)
      const volumes = [...chosen, ...parityVolumes(folder.plan, discs)]
      const parity = new ParityCheck(folder, signal)
      const hasUdf = makesImages(folder.plan)
      const tool = hasUdf ? await sevenZip.find(signal) : null
      const about = {
        id: runId,
        kind: 'verify' as const,
        directory: request.directory,
        plan: folder.plan,
        planned: exported.plan,
      }
      const wholes = new SplitWholes()
      const members = folder.plan.packing ? membersOf(await packedMembers(folder)) : []
      const { password } = request
      const isUnread = isEncrypted(folder) && password === null
      const contents =
        members.length === 0 || isUnread
          ? null
          : new PackedContents({
              directory: folder.directory,
              members,
              password,
              notes: deps.catalog,
              signal,
            })
      const held = members.length === 0 ? new Map<number, Held[]>() : await heldBy(folder)
      const unpacked = contents?.bytesWith(chosen.map(({ index }) => held.get(index) ?? [])) ?? []
      // A list that cannot be read fails its own volume: of what it held nothing is known.
      const areAllKnown = held.size === folder.plan.volumes.length
      const absent = areAllKnown ? absentMembers(members, [...held.values()].flat()) : []
      const progress = judgingProgress(context, volumes, (_, at) => unpacked[at] ?? 0, READING_WEIGHT)
      const notes = [...(isUnread ? [unreadContents()] : []), ...(hasUdf && !tool ? [readAlone()] : [])]
      const readers = ['Stowage', ...(tool ? [`${sevenZip.name} ${tool.version}`] : [])]
      const record = new RunRecord({ ...about, notes, readers }, volumes, context)
      return record.carryOut(deps.catalog, async (planned, at) => {
        const disc = discs[at - chosen.length]
        if (disc) return parity.check(disc, progress(at))
        const opened = await openBuilt(folder, planned, tool, signal)
        const judged = await judgedVolume(opened, contents, { signal, onBytes: progress(at) })
        wholes.add(opened.built.volume, judged.reading.places)
        const isLast = at === chosen.length - 1
        return workOf(opened, judged, isLast ? [...(await wholes.differences(signal)), ...absent] : [])
      })
    },
  }
}

/**
 * The outcome of a volume as the document of a run has it.
 * @param ofSet the differences of the set as a whole that are reported with it
 */
function workOf(
  { built: { volume, skipped }, recovery }: OpenedBuilt,
  judged: JudgedVolume<BuiltReading>,
  ofSet: readonly FileDifference[],
): VolumeWork {
  const { reading, damagedData, blocks, inside } = judged
  const failures = [
    ...reading.differences.map((difference) => differenceFailure(volume.label, difference)),
    ...ofSet.map((difference) => differenceFailure(null, difference)),
    ...inside.map(({ label, difference }) => differenceFailure(label, difference)),
    ...damagedData.map((difference) => differenceFailure(volume.label, difference)),
  ]
  return {
    end: failures.length === 0 ? 'done' : failures,
    sectors: reading.sectors,
    volume,
    skipped,
    damagedFolders: reading.damagedFolders,
    verdict: verdictOn(judged, recovery, ofSet),
    recovery: blocks,
  }
}

/**
 * The lists of a plan of plain files are those that its volumes were made with, as far as the
 * catalog knows: lists that were changed to fit changed files agree with themselves alone.
 * @throws AppError `verification-failed`
 */
function requireKnownLists({ directory, plan }: PlanFolder, catalog: Pick<Catalog, 'events'>): void {
  const setId = setIdOf(plan)
  const known = knownSets(plan.id, catalog)
  if (plan.packing || setId === undefined || known.size === 0 || known.has(setId)) return
  const because = said`its lists are not those that plan ${plan.id} was built with`
  throw cannot('verification-failed', 'verify', directory, because)
}

/**
 * The time of a byte that 7-Zip takes out of an image, relative to one that is unpacked from zstd
 * or SquashFS.
 */
const READING_WEIGHT = 3

/** By volume; without one whose list cannot be read, which its own turn reports. */
async function heldBy({ directory, plan, lists }: PlanFolder): Promise<Map<number, Held[]>> {
  const all = new Map<number, Held[]>()
  for (const { index } of plan.volumes) {
    const { entries } = volumePlaces(index, plan.volumes.length, lists)
    const listed = await readEntries(joinPath(directory, entries)).catch(() => null)
    if (listed) all.set(index, heldOf(listed))
  }
  return all
}

function isEncrypted({ plan: { packing } }: PlanFolder): boolean {
  return packing !== undefined && packing.encryption !== 'none'
}

/** The note on encrypted plans that are verified without their password. */
function unreadContents(): string {
  return said`the archives are as they were written; the files in them were not checked: that needs the password`
}

/** The note on images that 7-Zip could have read. */
function readAlone(): string {
  return said`7-Zip is not installed: no program but Stowage read the images`
}

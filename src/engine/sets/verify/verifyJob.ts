/**
 * The room `verify` proves that built volumes are as their plan says.
 * How: each is read back whole and compared (`volume/open/readBack`), images by 7-Zip too; what is
 * in archives is unpacked and hashed.
 * Not here: discs without their plan (`check`).
 */

import { access } from 'node:fs/promises'
import type { PlanEntry } from '../../../contract/dto/plan'
import type { RunRequest } from '../../../contract/dto/run'
import { makesImages } from '../../../domain/sets/ownImages'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import { cannot, fsPath, joinPath } from '../../files/fileSystem'
import { type PlaceNotes, withToolDirectory } from '../../files/scratch'
import type { Job } from '../../jobs/jobContext'
import { sevenZip } from '../../tools/sevenZip'
import { knownSets } from '../copies/provedBy'
import { requirePacked } from '../pack/packedFolder'
import { hasVolumeLists } from '../pack/streamedPlan'
import { parityVolumes } from '../parity/parityVolumes'
import { newRunId, RunRecord } from '../runs/runRecord'
import { volumeProgress } from '../runs/volumeProgress'
import { openGivenImage } from '../volume/image/damagedImage'
import { openFolder } from '../volume/lists/volume'
import { asBuilt } from '../volume/open/asBuilt'
import { type Difference, differenceFailure } from '../volume/open/difference'
import { buffered, readBackTree } from '../volume/open/readBack'
import { packedMembers } from '../volume/planned/currentPlan'
import {
  chosenParity,
  chosenVolumes,
  openPlanFolder,
  type PlanFolder,
  requireBuiltHere,
  setIdOf,
} from '../volume/planned/planFolder'
import { readEntries, readPlannedVolume } from '../volume/planned/plannedLists'
import { volumePlaces } from '../volume/planned/plannedVolume'
import { absentMembers } from './absentMembers'
import { judgedVolume } from './judgedVolume'
import { PackedContents } from './packedContents'
import { SplitWholes } from './splitWholes'
import { verifyImage } from './verifyImage'
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
      const isOfImages = folder.plan.medium.kind === 'image'
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
      const members = folder.plan.packing ? await packedMembers(folder) : []
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
      const entries = members.length === 0 ? new Map<number, PlanEntry[]>() : await entriesOf(folder)
      const unpacked = contents?.bytesWith(chosen.map(({ index }) => entries.get(index) ?? [])) ?? []
      // A list that cannot be read fails its own volume: of what it held nothing is known.
      const areAllKnown = entries.size === folder.plan.volumes.length
      const absent = areAllKnown ? absentMembers(members, [...entries.values()].flat()) : []
      const progress = volumeProgress(context, 'verifying', volumes, ({ bytes }, at) => [
        { kind: 'reading', bytes, weight: READING_WEIGHT },
        { kind: 'unpacking', bytes: unpacked[at] ?? 0 },
      ])
      const notes = [...(isUnread ? [unreadContents()] : []), ...(hasUdf && !tool ? [readAlone()] : [])]
      const readers = ['Stowage', ...(tool ? [`${sevenZip.name} ${tool.version}`] : [])]
      const record = new RunRecord({ ...about, notes, readers }, volumes, context)
      return record.carryOut(deps.catalog, async (planned, at) => {
        const disc = discs[at - chosen.length]
        if (disc) return parity.check(disc, progress(at))
        if (!hasVolumeLists(folder, planned.index)) throw notBuilt(planned.label)
        const given = await readPlannedVolume(folder, planned, signal)
        const built = isOfImages ? given.places.image : given.places.folder
        const place = joinPath(folder.directory, built)
        if (!(await isThere(place))) throw notBuilt(planned.label, built)
        const image = isOfImages ? await openGivenImage(place, 'restore from').catch(() => null) : null
        const { volume, expected, skipped } = await asBuilt(folder.directory, given, image)
        const onBytes = progress(at)
        const options = { directory: folder.directory, signal, onBytes }
        const check = isOfImages
          ? await withToolDirectory(folder.directory, (cwd) =>
              verifyImage(volume, { hasUdf, reader: tool && { tool, cwd } }, expected, options),
            )
          : {
              ...(await readBackTree(await openFolder(place), expected, buffered, options)),
              sectors: volume.sectors,
            }
        wholes.add(volume, check.places)
        const isLast = at === chosen.length - 1
        const inside =
          (await contents?.differences(volume, check.places, (done) => onBytes(planned.bytes + done))) ?? []
        const failureOf = (difference: Difference): AppError => differenceFailure(volume.label, difference)
        const failures = [
          ...check.differences.map(failureOf),
          ...(isLast ? [...(await wholes.differences(signal)), ...absent] : []).map((difference) =>
            differenceFailure(null, difference),
          ),
          ...inside.map(({ label, difference }) => differenceFailure(label, difference)),
        ]
        const { sectors, damagedFolders } = check
        const judged = await judgedVolume(
          { built: isOfImages ? place : null, directory: folder.directory, volume },
          {
            expected,
            places: check.places,
            areMembersWrong: inside.length > 0,
            isRight: failures.length === 0,
          },
          signal,
        )
        failures.push(...judged.differences.map(failureOf))
        const end = failures.length === 0 ? 'done' : failures
        const { verdict, blocks: recovery } = judged
        return { end, sectors, volume, skipped, damagedFolders, verdict, recovery }
      })
    },
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

/**
 * Returns what each volume's list names; none for a list that cannot be read, which its own turn
 * reports.
 */
async function entriesOf({ directory, plan, lists }: PlanFolder): Promise<Map<number, PlanEntry[]>> {
  const all = new Map<number, PlanEntry[]>()
  for (const { index } of plan.volumes) {
    const { entries } = volumePlaces(index, plan.volumes.length, lists)
    const listed = await readEntries(joinPath(directory, entries)).catch(() => null)
    if (listed) all.set(index, listed)
  }
  return all
}

function isEncrypted({ plan: { packing } }: PlanFolder): boolean {
  return packing !== undefined && packing.encryption !== 'none'
}

function notBuilt(label: string, missing?: string): AppError {
  const what = missing === undefined ? '' : said` (no ${missing})`
  return new AppError('not-found', said`cannot verify ${label}: it is not built yet${what}`)
}

function isThere(path: string): Promise<boolean> {
  return access(fsPath(path)).then(
    () => true,
    (thrown: NodeJS.ErrnoException) => thrown.code !== 'ENOENT',
  )
}

/** The note on encrypted plans that are verified without their password. */
function unreadContents(): string {
  return said`the archives are as they were written; the files in them were not checked: that needs the password`
}

/** The note on images that 7-Zip could have read. */
function readAlone(): string {
  return said`7-Zip is not installed: no program but Stowage read the images`
}

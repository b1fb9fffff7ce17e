/**
 * The room `mastering` lays out disc images and writes them.
 * How: a layout follows from entries and lengths alone, so it is the forecast too; each source is
 * read once, hashed as it is written, and recovery data is made in the same pass.
 * Not here: what goes on which volume (`plan`), the lists (`export`), reading back
 * (`volume/open`).
 */

import { closeSync, openSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import type { OtherSources, OwnFile } from '../../discImages/imageEntries'
import { attempt, attemptAtOnce, cannot, fsPath, joinPath } from '../../files/fileSystem'
import { contentChanged } from '../../files/sourceCheck'
import { newId } from '../../jobs/newId'
import { writeDiscImage } from '../../native/discImage'
import { usualMemory } from '../../protection/usualMemory'
import type { PlanBeforeSizing } from '../volume/lists/planBeforeSizing'
import type { Skipped } from '../volume/lists/skippedList'
import { withoutSkipped } from '../volume/lists/withoutSkipped'
import { filesDone } from '../volume/planned/filesDone'
import type { PlanFolder } from '../volume/planned/planFolder'
import type { PlannedVolume, SizedVolume } from '../volume/planned/plannedVolume'
import { type OwnLayout, ownLayout, ownPlaces } from './ownLayout'
import { type ProtectedLayout, type ProtectionRoom, plannedProtection } from './plannedProtection'
import { protectedContents, sizedProtection } from './protectedContents'
import { withRecovery } from './recoveryFiles'
import { type ImageOutput, writeWithRecovery } from './recoveryWriting'

const SECTOR = 2048

/** The differences of an image from its plan, since sources changed. */
export interface ChangedSources {
  readonly otherSources: OtherSources
  readonly skipped: Skipped
}

/**
 * Sectors of 2,048 bytes that the image of a volume will have, exactly: ISO 9660 with Rock Ridge,
 * and UDF 1.02 over the same bytes. Its own files are below `directory`.
 * @throws AppError `cannot-fit`, `io`
 */
export async function imageSectors(
  plan: PlanBeforeSizing,
  volume: PlannedVolume,
  directory: string,
): Promise<number> {
  const lists = await ownFiles(volume, directory)
  const { layout } = await ownPlaces(plan, volume, withRecovery(lists, volume.protection))
  return layout.sectors()
}

/**
 * The recovery data that a volume gets, and the size of its image with that. Its own files are
 * below `directory`, made for recovery data of as many sets and any size.
 * @returns null where there is no room for it
 * @throws AppError as `imageSectors`
 */
export async function imageProtection(
  plan: PlanBeforeSizing,
  volume: PlannedVolume,
  directory: string,
  room: ProtectionRoom,
): Promise<ProtectedLayout | null> {
  const { protection, payloadName } = volume
  if (!protection) return null
  const lists = await ownFiles(volume, directory)
  return plannedProtection(protection, payloadName, room, (sets) =>
    ownPlaces(plan, volume, withRecovery(lists, sets)),
  )
}

/**
 * Writes an image: every source is read once, and hashed as it is written; recovery data is made in
 * the same pass.
 * @param partial a path in the folder of the image, where nothing is yet
 * @param onBytes bytes of the work as `buildWork` lists it, and the files that are done by then
 * @param changes only for plans that `canSkipChanged`
 * @returns what is wrong with its sources
 * @throws AppError `no-space`, `changed` for files that make an image of another size than planned,
 *   `cancelled`, `io`, …
 */
export async function writeImage(
  folder: PlanFolder,
  volume: SizedVolume,
  partial: string,
  watch: { readonly signal: AbortSignal; readonly onBytes: (done: number, files?: number) => void },
  changes?: ChangedSources,
): Promise<AppError[]> {
  const output = attemptAtOnce('write', partial, () => openSync(fsPath(partial), 'wx'))
  try {
    const scratch = { path: `${partial}.recovery`, besides: volume.sectors * SECTOR }
    return await writeTo(folder, volume, { output, scratch }, watch, changes)
  } finally {
    closeSync(output)
  }
}

/**
 * Writes the same bytes to an open file, such as the end of a pipe.
 * @throws AppError as `writeImage`, and the first thing that is wrong with the sources
 */
export async function streamImage(
  folder: PlanFolder,
  volume: SizedVolume,
  output: number,
  signal: AbortSignal,
  changes?: ChangedSources,
): Promise<void> {
  const scratch = { path: joinPath(tmpdir(), newId('stowage-recovery')), besides: 0 }
  const [wrong] = await writeTo(folder, volume, { output, scratch }, { signal }, changes)
  if (wrong) throw wrong
}

async function writeTo(
  folder: PlanFolder,
  volume: SizedVolume,
  { output, scratch }: ImageOutput,
  given: { readonly signal: AbortSignal; readonly onBytes?: (done: number, files: number) => void },
  changes: ChangedSources | undefined,
): Promise<AppError[]> {
  const { own, protection } = changes
    ? await laidOutWith(changes, folder, volume)
    : { own: await laidOut(folder.plan, volume, folder.directory), protection: volume.protection }
  const { layout, contents } = own
  if (layout.sectors() !== volume.sectors)
    throw cannot('changed', 'build', volume.label, said`its files do not make an image of the planned size`)
  const { sources, sourceOf } = contents.origins()
  const memoryBytes = folder.plan.protectionMemoryBytes ?? usualMemory()
  const making = { folder: volume.payloadName, memoryBytes }
  const filesAt = filesWritten(own, sourceOf.keys())
  const watch = { signal: given.signal, onBytes: (done: number) => given.onBytes?.(done, filesAt(done)) }
  const failure = protection
    ? await writeWithRecovery(own, { sources }, { protection, ...making, scratch }, output, watch)
    : await writeDiscImage(layout, output, sources, watch)
  if (failure === null) return []
  if (failure.entry === null)
    throw new AppError(failure.code, said`cannot write the image of ${volume.label}: ${failure.cause}`)
  const source = sourceOf.get(failure.entry)
  if (source === undefined)
    throw new AppError(failure.code, said`cannot read a list of ${volume.label}: ${failure.cause}`)
  if (failure.code === 'changed') return [contentChanged(source)]
  return [
    new AppError(failure.code, said`cannot read ${pathForDisplay(source)}: ${failure.cause}`, {
      path: source,
    }),
  ]
}

/** Counts the files that lie on an image before so many bytes of it. */
function filesWritten(
  { layout, contents }: OwnLayout,
  entries: Iterable<number>,
): (bytesDone: number) => number {
  const first = layout.firstSectors()
  const { bytes } = contents.entries
  const ends = Array.from(entries, (entry) => (first[entry] ?? 0) * SECTOR + (bytes[entry] ?? 0))
  ends.sort((one, other) => one - other)
  return filesDone(ends.map((end, at) => end - (ends[at - 1] ?? 0)))
}

async function laidOut(plan: PlanBeforeSizing, volume: PlannedVolume, directory: string): Promise<OwnLayout> {
  const lists = await ownFiles(volume, directory)
  return ownLayout(plan, volume, withRecovery(lists, volume.protection))
}

/** An image as it is laid out, with the sizes of its recovery data. */
interface LaidOut {
  readonly own: OwnLayout
  readonly protection: SizedVolume['protection']
}

/** The layout of an image without some files: what stays on it keeps its place. */
async function laidOutWith(
  { otherSources, skipped }: ChangedSources,
  { plan, directory }: PlanFolder,
  volume: SizedVolume,
): Promise<LaidOut> {
  const { protection } = volume
  const own = await ownFiles(volume, directory)
  const whole = withRecovery(own, protection)
  if (skipped.size === 0) return { own: await ownLayout(plan, volume, whole, { otherSources }), protection }
  const { volume: rest, texts } = await withoutSkipped(directory, volume, skipped)
  const planned = await ownLayout(plan, volume, whole)
  const kept = own.filter(({ name }) => !texts.has(name))
  const made = [...texts].map(([name, source]): OwnFile => ({ name, bytes: source.length, source }))
  const laidWith = (sets: SizedVolume['protection']): Promise<OwnLayout> => {
    const files = withRecovery([...kept, ...made], sets)
    return ownLayout(plan, rest, files, { planned, otherSources })
  }
  const before = await laidWith(protection)
  if (!protection) return { own: before, protection }
  // What is left out is in no set: the recovery files begin where they were planned, and are shorter.
  const fitted = sizedProtection(protection, protectedContents(before))
  return { own: await laidWith(fitted), protection: fitted }
}

/** Stowage's own files of a volume, from the folder of its plan. */
async function ownFiles(volume: PlannedVolume, directory: string): Promise<OwnFile[]> {
  const folder = joinPath(directory, volume.places.payload, volume.payloadName)
  const names = await attempt('read', folder, readdir(fsPath(folder)))
  const own: OwnFile[] = []
  for (const name of names) {
    const source = joinPath(folder, name)
    const { size } = await attempt('read', source, lstat(fsPath(source)))
    own.push({ name, bytes: size, source })
  }
  return own
}

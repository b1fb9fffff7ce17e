import { z } from 'zod'
import { endedWallMs } from '../../primitives/clock'
import { bytesSchema, countSchema, pathSchema } from '../scalars'
import { type CheckDocument, monthsSchema, readingWaySchema, type VolumeCheck } from './checkDocument'
import { BUILT_COPY, type CopyNote } from './copies/copy'
import { fileSystemSchema } from './copies/fileSystemIdentity'
import type { RunDocument, RunVolume } from './runDocument'

/**
 * Everything that can happen to a copy of a volume. `built`, `kept`: in the plan's folder. `good`,
 * `damaged`: it was verified. `failed`: it could not be verified. `place`, `lost`, `found`: a
 * person said so. `gone`: Stowage replaced or removed it.
 */
const EVENT_KINDS = [
  'built',
  'kept',
  'written',
  'good',
  'damaged',
  'failed',
  'place',
  'lost',
  'found',
  'gone',
] as const

/** The facts of an event, each of some kinds alone; older events have few of them. */
export const eventFactsSchema = z.object({
  /** `written`: the drive, file or folder that it was written to. */
  target: z.object({ kind: z.enum(['drive', 'file', 'folder']), path: z.string() }).optional(),
  /** `written`: SHA-256 of the image, or of the checksums of a folder. */
  digest: z.string().optional(),
  /** `written`, and `built` of images. */
  bytes: bytesSchema.optional(),
  /** `built`, `written`, `good`, `damaged`: the file system that it was on then. */
  fileSystem: fileSystemSchema.optional(),
  /** `good`, `damaged`: where it was read. */
  path: pathSchema.optional(),
  /** `written`, `place`: in a person's words. */
  place: z.string().optional(),
  medium: z.string().optional(),
  /** `good`, `damaged`: as in `VolumeCheck`. */
  by: z.enum(['plan', 'volume']).optional(),
  /** `good`: proved by the digests of its files, as the catalog knows no set of its plan. */
  byEntries: z.boolean().optional(),
  reading: readingWaySchema.nullable().optional(),
  files: countSchema.optional(),
  damaged: countSchema.optional(),
  everyMonths: monthsSchema.optional(),
})
export type EventFacts = z.infer<typeof eventFactsSchema>

/** One thing that happened to one copy of a volume, before the catalog gave it a number. */
export interface NewEvent {
  readonly kind: (typeof EVENT_KINDS)[number]
  /** The run or check that it was part of; null where a person said it. */
  readonly of: string | null
  /** Null where it is not known. */
  readonly planId: string | null
  /** SHA-256 of the index of the set; null where it is not known, and for what a person said. */
  readonly setId: string | null
  readonly volume: number
  /** 0: the image or folder in the plan's folder. */
  readonly copy: number
  readonly label: string
  /** By the clock of the machine that it happened on; says nothing about the order. */
  readonly wallMs: number
  readonly facts: EventFacts
}

/** The same with its running number in the catalog, which is its order. */
export interface VolumeEvent extends NewEvent {
  readonly number: number
}

type AnyVolume = Pick<VolumeCheck, 'setId' | 'planId' | 'volume'>

/**
 * Everything that a run did to volumes, in the order in which it did so. A verification that found
 * no image says nothing about the volume, and neither does one that was stopped.
 * @param everyMonths after how many months a volume is to be verified again
 */
export function eventsOfRun(run: RunDocument, everyMonths: (volume: AnyVolume) => number): NewEvent[] {
  const runEndedWallMs = endedWallMs(run)
  const copy = run.kind === 'write' ? (run.target?.copy ?? 1) : BUILT_COPY
  return run.volumes.flatMap((volume): NewEvent[] => {
    const { index, label, state, written, readBack } = volume
    const about = { of: run.id, planId: run.planId, setId: run.setId ?? null, volume: index, copy, label }
    const where = run.fileSystem && { fileSystem: run.fileSystem }
    const wallMs = written?.endedWallMs ?? runEndedWallMs
    const read = (kind: 'good' | 'damaged', damaged: number): NewEvent => {
      const found = { by: 'plan', reading: null, files: volume.files, damaged } as const
      return readBackEvent({ ...about, kind, wallMs: runEndedWallMs }, { ...where, ...found }, everyMonths)
    }
    if (run.kind === 'build')
      return state === 'done' || state === 'kept'
        ? [
            {
              ...about,
              kind: state === 'done' ? 'built' : 'kept',
              wallMs,
              facts: { ...where, ...sizeOf(volume) },
            },
          ]
        : []
    if (run.kind === 'verify') {
      if (state === 'done') return [read('good', 0)]
      const failures = failuresOf(volume)
      if (failures.length === 0) return []
      if (failures.some(({ code }) => code === 'verification-failed'))
        return [read('damaged', volume.errors.length)]
      return [{ ...about, kind: 'failed', wallMs, facts: {} }]
    }
    if (state === 'kept' && readBack) return [read('good', 0)]
    if (state !== 'done') return []
    const { target } = run
    const facts: EventFacts = {
      ...where,
      ...(target && { target: { kind: target.kind, path: target.path } }),
      ...(target?.place !== undefined && { place: target.place }),
      ...(written && { digest: written.sha256, bytes: written.bytes }),
    }
    return [{ ...about, kind: 'written', wallMs, facts }, ...(written?.verified ? [read('good', 0)] : [])]
  })
}

function sizeOf({ actualSectors }: RunVolume): Pick<EventFacts, 'bytes'> {
  return actualSectors === null ? {} : { bytes: actualSectors * 2048 }
}

/** The failures of a verification that say something about the volume. */
function failuresOf({ state, errors }: RunVolume): RunVolume['errors'] {
  return state === 'failed' ? errors.filter(({ code }) => code !== 'not-found' && code !== 'cancelled') : []
}

/** The findings of a check of volumes alone, of each that could be identified. */
export function eventsOfCheck(
  document: Pick<CheckDocument, 'id' | 'startedWallMs' | 'elapsedMs' | 'volumes'>,
  everyMonths: (volume: AnyVolume) => number,
): NewEvent[] {
  return document.volumes.flatMap((checked): NewEvent[] => {
    const {
      setId,
      planId,
      index,
      copy = 1,
      label,
      state,
      reading,
      files,
      damaged,
      path,
      fileSystem,
    } = checked
    if (setId === null || index === null || (state !== 'good' && state !== 'damaged')) return []
    // What names another set is damage to the copy, whatever set it is of.
    const about = { setId: checked.against === 'none' ? null : setId, planId, volume: index, copy, label }
    const wallMs = endedWallMs(document)
    const where = {
      path,
      ...(fileSystem && { fileSystem }),
      ...(checked.against === 'entries' && { byEntries: true }),
    }
    const found = { by: 'volume', reading: reading?.way ?? null, files, damaged: damaged.length } as const
    const event = { ...about, kind: state, of: document.id, wallMs }
    return [readBackEvent(event, { ...where, ...found }, everyMonths)]
  })
}

/** The event of a copy that was read back, of a run or of a check. */
function readBackEvent(
  event: Omit<NewEvent, 'facts'> & { readonly kind: 'good' | 'damaged' },
  facts: Required<Pick<EventFacts, 'by' | 'reading' | 'files' | 'damaged'>> & EventFacts,
  everyMonths: (volume: AnyVolume) => number,
): NewEvent {
  return { ...event, facts: { ...facts, everyMonths: everyMonths(event) } }
}

/** A person's note on a copy. */
export function eventOfNote(note: CopyNote): NewEvent {
  const { ofSet, kind, volume, copy, label, notedWallMs: wallMs, place, medium } = note
  const isSet = /^[0-9a-f]{64}$/.test(ofSet)
  return {
    kind,
    of: null,
    planId: isSet ? null : ofSet,
    setId: isSet ? ofSet : null,
    volume,
    copy,
    label,
    wallMs,
    facts: { ...(place !== null && { place }), ...(medium !== null && { medium }) },
  }
}

/** The verification that an event is; null for one of another kind. */
export function checkOf({ kind, of, facts, wallMs, ...about }: NewEvent): VolumeCheck | null {
  if (kind !== 'good' && kind !== 'damaged') return null
  const { setId, planId, volume, copy, label } = about
  const { by = 'plan', reading = null, files = 0, damaged = 0, everyMonths = RECHECK_MONTHS } = facts
  return {
    id: of ?? '',
    setId,
    planId,
    volume,
    copy,
    label,
    checkedWallMs: wallMs,
    result: kind,
    by,
    reading,
    files,
    damaged,
    everyMonths,
  }
}

/**
 * After how many months a volume should be checked again. The interval is a choice: no source gives
 * one for all media. ISO/IEC 29121 derives it from measured error rates, which drives do not
 * report; the NDSA ("What is Fixity, and When Should I be Checking It?", 2014) names no number, and
 * of its members that check at fixed intervals 29 % do so once a year, most others more often.
 */
export const RECHECK_MONTHS = 12

/**
 * The events that speak of one set: a plan that was packed anew has other volumes under the same
 * numbers.
 */
export function eventsOfSet<T extends Pick<NewEvent, 'setId'>>(
  events: readonly T[],
  /** Null where none is known: then all do. */
  setId: string | null,
): T[] {
  return setId === null
    ? [...events]
    : events.filter((event) => event.setId === null || event.setId === setId)
}

/**
 * The ID of the newest set of a plan; null where its runs and checks do not know it.
 * @param runs newest first
 * @param events in their order
 */
export function newestSet(
  runs: readonly Pick<RunDocument, 'setId'>[],
  events: readonly Pick<NewEvent, 'setId'>[],
): string | null {
  const ofRuns = runs.find(({ setId }) => setId != null)?.setId
  return ofRuns ?? events.findLast(({ setId }) => setId !== null)?.setId ?? null
}

import { rm } from 'node:fs/promises'
import { type SurveyParts, surveyDocument, unitedParts } from '../../domain/survey/surveyParts'
import { AppError } from '../../primitives/appError'
import type { Clock } from '../../primitives/clock'
import type { SurveyWriter } from '../catalog/catalog'
import type { NativeSurvey } from '../native/addon'
import { mergeSketches, type NativeUnion } from '../native/sketches'
import type { CarryOver } from './carryOver'
import { EarlierUnusable } from './earlierSurvey'
import type { SketchFolder } from './sketchFolder'

/** A checkpoint may take this share of the time, so that slow ones become rare. */
const CHECKPOINT_SHARE = 0.05

/** Brings a running survey's sketch to the disk, now and then and at its end. */
export interface SketchKeeper {
  /**
   * To be called when all entries reported so far are in the catalog. Starts a checkpoint if it is
   * time for one; it fails silently, since a survey without checkpoints is as good as one that is
   * not interrupted.
   * @param parts what is known at this moment, asked for only when needed
   * @throws EarlierUnusable if the last checkpoint could not read the earlier sketch: the end
   *   could not either
   */
  between(entries: number, parts: () => SurveyParts): void
  /**
   * Saves the sketch of everything taken, with a last checkpoint; waits for one that is being made.
   * @returns the figures of unchanged and read files together; null when every file was read, for
   *   then the pass has them
   * @throws AppError `io`
   * @throws EarlierUnusable
   */
  save(entries: number, parts: SurveyParts): Promise<NativeUnion | null>
}

/**
 * @param earlierPlace the sketch of the survey whose unchanged files are not read again, null if
 *   there is none
 */
export function sketchKeeper(
  pass: NativeSurvey,
  setting: {
    readonly surveyId: string
    readonly earlierPlace: string | null
    readonly ledger: CarryOver
    readonly sketches: SketchFolder
    readonly writer: SurveyWriter
    readonly clock: Clock
    readonly checkpointMs: number
  },
): SketchKeeper {
  const { surveyId, earlierPlace, ledger, sketches, writer, clock, checkpointMs } = setting
  const place = sketches.placeOf(surveyId)
  let checkpoint: Promise<void> | null = null
  let nextMs = clock.monotonicMs() + checkpointMs
  let checkpointed = 0
  let damaged: EarlierUnusable | null = null

  const saveSketch = async (): Promise<NativeUnion | null> => {
    if (earlierPlace === null || ledger.counts().trustedFiles === 0) {
      await pass.saveSketch(place)
      return null
    }
    const readPlace = `${place}.read`
    const inputs = ledger.inputs(earlierPlace, readPlace)
    const { trustedFiles, readFiles } = ledger.counts()
    try {
      await pass.saveSketch(readPlace)
      const union = await mergeSketches(inputs, { out: place })
      // A disk that lost power may have kept an older sketch under this name, which lacks files that are trusted.
      if (union.files.files < trustedFiles + readFiles) throw new EarlierUnusable('damagedSketch')
      return union
    } catch (thrown) {
      // The other input was written a moment ago.
      if (!(thrown instanceof AppError) || thrown.code !== 'bad-input') throw thrown
      throw new EarlierUnusable('damagedSketch')
    } finally {
      await rm(readPlace, { force: true })
    }
  }

  const save: SketchKeeper['save'] = async (entries, known) => {
    const union = await saveSketch()
    const { earlier } = known
    const latest = union && earlier ? unitedParts(known, union, earlier) : known
    writer.checkpoint(surveyDocument(latest), entries)
    return union
  }

  return {
    between(entries, parts) {
      if (damaged) throw damaged
      const startMs = clock.monotonicMs()
      if (checkpoint !== null || startMs < nextMs || entries === checkpointed) return
      checkpoint = save(entries, parts())
        .then(() => {
          checkpointed = entries
        })
        .catch((thrown: unknown) => {
          if (thrown instanceof EarlierUnusable) damaged = thrown
        })
        .finally(() => {
          const nowMs = clock.monotonicMs()
          nextMs = nowMs + Math.max(checkpointMs, (nowMs - startMs) / CHECKPOINT_SHARE)
          checkpoint = null
        })
    },
    async save(entries, parts) {
      await checkpoint
      return save(entries, parts)
    },
  }
}

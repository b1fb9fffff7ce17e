import { batchesOf } from '../../domain/look/batches'
import { type DrawnUnit, readBytesOf } from '../../domain/look/unitDraw'
import type { CodecSample, SampleSet } from '../forecast/codecs/codecSamplesUnits'
import type { FoundFile } from '../survey/walk/sourceDraw'
import { readUnit, type SourceReader } from '../survey/walk/sourceReader'
import { wholeBatches } from './wholeBatches'

/** A batch is read within a second or a few on any disk. */
const BATCH = { bytes: 16 * 1024 * 1024, items: 256 }

/** The units that were read. */
export interface ReadUnits {
  readonly set: SampleSet
  readonly readBytes: number
  readonly unreadable: number
  /** True where the time was over before every unit was read. */
  readonly isCut: boolean
}

/**
 * Reads units that were drawn, in batches by priority.
 * @param isOver true when no more is to be read
 * @param onBytes called with the bytes that were read so far
 */
export async function readUnits(
  units: readonly DrawnUnit<number>[],
  tau: number | null,
  fileOf: (unit: DrawnUnit<number>) => FoundFile,
  reader: SourceReader,
  { isOver, onBytes }: { isOver(): boolean; onBytes(readBytes: number): void },
): Promise<ReadUnits> {
  let readBytes = 0
  const batches = batchesOf(units, readBytesOf, BATCH)
  const looked = await wholeBatches(batches, {
    tau,
    fileOf,
    atOnce: reader.atOnce,
    isOver,
    async look(unit): Promise<CodecSample | null> {
      const sample = await readUnit(unit, fileOf(unit), reader)
      readBytes += readBytesOf(unit)
      onBytes(readBytes)
      return sample
    },
  })
  const samples = looked.found.flatMap(({ found }) => found ?? [])
  return {
    set: { tau: looked.tau, samples },
    readBytes,
    unreadable: looked.found.length - samples.length,
    isCut: looked.found.length < units.length,
  }
}

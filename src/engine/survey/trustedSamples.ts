import { placeSeed, UnitDraw } from '../../domain/look/unitDraw'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import type { CodecSample } from '../forecast/codecs/codecSamplesUnits'
import { readUnit, sourceReader } from './walk/sourceReader'

/** A file that the pass did not read. The path's bytes are copied. */
interface TrustedFile {
  readonly rootIndex: number
  readonly path: Uint8Array
  readonly bytes: number
}

/** A sample of files that were not read, chosen while they are reported. */
export interface TrustedSamples {
  add(file: TrustedFile): void
  /**
   * Reads what was chosen; files that can no longer be read as they were are left out.
   * @throws AppError `cancelled`
   */
  read(roots: readonly string[], signal: AbortSignal): Promise<CodecSample[]>
}

/**
 * A priority sample as the pass itself takes it.
 * @param mostBytes to be read, at most
 * @param draw tells one sample of the same files from another
 */
export function trustedSamples(mostBytes: number, draw = 0): TrustedSamples {
  const units = new UnitDraw<TrustedFile>(mostBytes)
  return {
    add({ rootIndex, path, bytes }) {
      const file = { rootIndex, path, bytes }
      if (units.add(file, bytes, placeSeed(rootIndex, path, draw))) file.path = path.slice()
    },
    async read(roots, signal) {
      const reader = sourceReader(roots, 'unknown')
      const { tau } = units
      const samples: CodecSample[] = []
      for (const unit of units.units().toSorted((one, other) => one.offset - other.offset)) {
        if (signal.aborted) throw new AppError('cancelled', said`the survey was cancelled`)
        const sample = await readUnit(unit, unit.file, reader)
        // The survey does not need each: the weights are made to agree with what was counted.
        if (sample)
          samples.push({ ...sample, probability: tau === null ? 1 : Math.min(1, unit.length * tau) })
      }
      return samples
    },
  }
}

import type { RomsRequest } from '../../contract/dto/roms'
import type { DatNote } from '../../domain/roms/dat'
import { type HeaderDetector, knownDetector } from '../../domain/roms/headerDetectors'
import { layoutOf, type RomSet, romSets } from '../../domain/roms/romSets'
import type { RomLayout } from '../../domain/survey/romLayout'
import { said } from '../../primitives/said'
import { readDetector } from './dats/detectorFile'
import { type ReadDat, readDats } from './dats/readDats'

/** A DAT with its ROM sets. */
export interface LaidOut extends ReadDat {
  readonly sets: readonly RomSet[]
  readonly layout: RomLayout
  readonly notes: readonly DatNote[]
  /** The detectors of copier headers that count for it. */
  readonly detectors: readonly HeaderDetector[]
}

/**
 * Reads the DATs of a request, each with its ROM sets.
 * @param onBytes bytes of text that were read since the last call, and the file
 * @throws AppError as `readDats` and `readDetector` do
 */
export async function layOutDats(
  { dats, detectors, knownDetectors, layout }: RomsRequest,
  signal: AbortSignal,
  onBytes: (bytes: number, path: string) => void,
): Promise<LaidOut[]> {
  const given: HeaderDetector[] = knownDetectors.flatMap((name) => knownDetector(name) ?? [])
  for (const path of detectors) {
    const detector = await readDetector(path, signal)
    given.push({ ...detector, name: detector.name || (path.split('/').at(-1) ?? path) })
  }
  const laidOut: LaidOut[] = []
  for (const path of dats)
    for (const read of await readDats(path, signal, (bytes) => onBytes(bytes, path)))
      laidOut.push(layOut(read, given, layout))
  return laidOut
}

function layOut(read: ReadDat, given: readonly HeaderDetector[], asked: RomLayout | undefined): LaidOut {
  const { dat } = read
  const layout = asked ?? layoutOf(dat)
  const { sets, notes } = romSets(dat, layout)
  const { detector } = dat.header
  const known = detector === null ? null : knownDetector(detector)
  const unknown =
    detector === null || known || given.length > 0
      ? []
      : [
          {
            text: said`it names the detector "${detector}", which is not known: headers of files are not recognised`,
            count: 1,
          },
        ]
  return {
    ...read,
    sets,
    layout,
    notes: [...dat.notes, ...notes, ...unknown],
    detectors: known && !given.some((one) => one === known) ? [...given, known] : given,
  }
}

import type { Ability } from '../../../../src/domain/options/choice/here'
import type { OptionRow } from '../../../../src/domain/options/choice/option'
import type { OptionEstimate, ReadingTask } from '../../../../src/domain/options/optionsDocument'
import { readingWays } from '../../../../src/domain/options/recipes/readingWays'
import type { Reader, System } from '../../../../src/domain/options/recipes/variant'
import { type Estimate, exact } from '../../../../src/primitives/estimate'

/** A figure with a range of a tenth to both sides. */
export function about(value: number): Estimate {
  return {
    value,
    low: value * 0.9,
    high: value * 1.1,
    confidence: 0.95,
    provenance: 'modelled',
    basis: 'of a test',
  }
}

/** A program that does one task on some systems. */
export function readerOf(task: ReadingTask, systems: readonly System[], own = false): Reader {
  return { task, systems, tool: 'a tool', since: null, own, source: 'a test' }
}

/** What is planned, built and restored here. */
export const WHOLE: Ability = {
  build: { possible: true, because: null },
  plan: { form: 'archive', because: null },
  withoutDemands: true,
}

/** What is neither built nor planned here. */
export const FORECAST: Ability = {
  build: { possible: false, because: 'nothing builds it' },
  plan: { form: null, because: 'nothing builds it' },
  withoutDemands: false,
}

/** An option of 1 GB on one volume, made in 100 s and back in 50 s; `figures` replace its own. */
export function optionUnderTest(
  id: string,
  figures: Partial<OptionEstimate> = {},
  other: Partial<OptionRow> = {},
): OptionRow {
  return {
    id,
    variant: id.split('@', 1)[0] as string,
    family: 'plain',
    name: `${id} in words`,
    shortName: id,
    container: '7z',
    reduction: 'none',
    codec: null,
    recordBytes: null,
    dictionaryBytes: null,
    chunker: null,
    order: null,
    bands: null,
    encryption: 'none',
    protection: 0,
    medium: 'disk',
    mediumName: 'Disk',
    estimate: {
      bytes: about(1e9),
      volumes: exact(1, 'one volume'),
      buildSeconds: about(100),
      writeSeconds: exact(0, 'building writes it'),
      verifySeconds: about(10),
      restoreSeconds: about(50),
      fetchSeconds: about(1),
      ramBytes: about(100e6),
      useRamBytes: about(10e6),
      cpuSeconds: about(100),
      storedFiles: exact(1, 'one file'),
      ...figures,
    },
    access: 'extract',
    readers: [readerOf('unpack', ['linux', 'macos'])],
    ways: readingWays([readerOf('unpack', ['linux', 'macos'])]),
    allows: { addLater: false, history: false, mount: false, encrypt: [], volumesAlone: true },
    portability: 0.5,
    risks: [],
    notes: [],
    ...other,
  }
}

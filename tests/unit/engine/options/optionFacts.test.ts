import { describe, expect, it } from 'vitest'
import { OPTION_BUILD_SCHEMA, type OptionBuild } from '../../../../src/contract/dto/options'
import { calibrationOf } from '../../../../src/domain/options/cost/calibrate'
import { builtTimes } from '../../../../src/engine/options/optionFacts'
import { exact } from '../../../../src/primitives/estimate'

const figure = exact(10, 'a test')

/** A build that took half as much CPU time again as was forecast, on a busy machine. */
function built(roots: string[], more: Partial<OptionBuild> = {}): OptionBuild {
  return {
    schema: OPTION_BUILD_SCHEMA,
    id: 'o-1',
    createdWallMs: 5,
    surveyId: 's-1',
    sourceBytes: 20,
    sourceFiles: 2,
    roots,
    variant: 'iso',
    family: 'iso',
    name: 'ISO image',
    path: '/b.iso',
    discarded: false,
    tool: 'xorriso',
    version: '1.5.4',
    command: 'xorriso …',
    forecast: { bytes: figure, buildSeconds: figure, ramBytes: figure },
    uncalibrated: { bytes: 10, buildSeconds: 10, ramBytes: 10, cpuSeconds: 10 },
    actual: { bytes: 11, buildSeconds: 40, ramBytes: null, cpuSeconds: 15 },
    otherCores: 1.9,
    sha256: null,
    notes: [],
    ...more,
  }
}

describe('calibration from the catalog', () => {
  const rowsOf = (builds: OptionBuild[]) => calibrationOf(builtTimes({ optionBuilds: () => builds }))

  it('takes the CPU time of builds of several sources', () => {
    const rows = rowsOf([built(['/a']), built(['/b']), built(['/c'])])
    expect(rows).toMatchObject([{ family: 'iso', variant: null, figure: 'cpuSeconds', builds: 3 }])
    expect(rows[0]?.factor).toBeCloseTo(Math.sqrt(1.5), 6)
  })

  it('takes builds of the same folders as builds of one source, in whatever order they are', () => {
    expect(rowsOf([built(['/a', '/b']), built(['/b', '/a']), built(['/a', '/b'])])).toEqual([])
  })

  it('takes nothing from builds that recorded neither CPU time nor load', () => {
    const old = { uncalibrated: { bytes: 10, buildSeconds: 10, ramBytes: 10 } }
    const builds = [['/a'], ['/b'], ['/c']].map((roots) => {
      const { otherCores: _, ...build } = built(roots, old)
      return build
    })
    expect(rowsOf(builds)).toEqual([])
  })
})

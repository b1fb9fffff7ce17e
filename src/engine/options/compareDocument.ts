import {
  COMPARE_SCHEMA,
  type CompareDocument,
  type ComparedFigure,
  type OptionBuild,
} from '../../contract/dto/options'
import type { RunDocument } from '../../contract/dto/run'
import { resolveMedium } from '../../domain/media/resolveMedium'
import { medianOf } from '../../domain/statistics/quantiles'
import type { Estimate } from '../../primitives/estimate'
import type { Catalog } from '../catalog/catalog'
import { mediaCatalogue } from '../media/mediaCatalogue'

const COMPARED_FIGURES = ['bytes', 'buildSeconds', 'ramBytes'] as const
type FigureName = (typeof COMPARED_FIGURES)[number]

/** Forecast vs. actual, of every option and every plan that was built here. */
export function compareDocument(catalog: Pick<Catalog, 'optionBuilds' | 'runs' | 'plans'>): CompareDocument {
  const builds = catalog.optionBuilds().map((build) => Object.assign(build, { errors: errorsOf(build) }))
  const runs = catalog.runs()
  const sectorBytes = new Map(
    catalog.plans().map(({ id, mediumId }) => [id, resolveMedium(mediaCatalogue, mediumId).sectorBytes]),
  )
  return {
    schema: COMPARE_SCHEMA,
    builds,
    calibration: [],
    summary: COMPARED_FIGURES.flatMap((figure) => {
      const all = builds.flatMap(({ errors }) => errors[figure] ?? [])
      if (all.length === 0) return []
      const held = all.filter((each) => each.held).length
      return [
        { figure, builds: all.length, medianError: medianOf(all.map((each) => Math.abs(each.error))), held },
      ]
    }),
    runs: runs.flatMap((run) => runOf(run, sectorBytes.get(run.planId) ?? DISC_SECTOR_BYTES)),
    times: runs.flatMap(timesOf),
  }
}

function errorsOf(build: OptionBuild): CompareDocument['builds'][number]['errors'] {
  const { forecast, uncalibrated, actual } = build
  const compared = (figure: FigureName, found: number): ComparedFigure =>
    comparedFigure(forecast[figure], uncalibrated[figure], found)
  return {
    bytes: compared('bytes', actual.bytes),
    buildSeconds: compared('buildSeconds', actual.buildSeconds),
    ramBytes: actual.ramBytes === null ? null : compared('ramBytes', actual.ramBytes),
  }
}

function comparedFigure(forecast: Estimate, uncalibrated: number, actual: number): ComparedFigure {
  const error = (value: number): number => (actual > 0 ? value / actual - 1 : 0)
  return {
    forecast,
    actual,
    error: error(forecast.value),
    uncalibratedError: error(uncalibrated),
    held: forecast.low <= actual && actual <= forecast.high,
  }
}

/** The sector of every optical disc. */
const DISC_SECTOR_BYTES = 2048

/** Builds that made something: sectors of what is done, forecast and actual. */
function runOf(run: RunDocument, sectorBytes: number): CompareDocument['runs'] {
  const done = run.volumes.filter(({ state, actualSectors }) => state === 'done' && actualSectors !== null)
  if (run.kind !== 'build' || done.length === 0) return []
  const sum = (of: (volume: RunDocument['volumes'][number]) => number): number =>
    done.reduce((total, volume) => total + of(volume), 0)
  return [
    {
      runId: run.id,
      startedWallMs: run.startedWallMs,
      planId: run.planId,
      volumes: done.length,
      sectorBytes,
      forecastSectors: sum(({ forecastSectors }) => forecastSectors),
      actualSectors: sum(({ actualSectors }) => actualSectors ?? 0),
    },
  ]
}

function timesOf({ id, startedWallMs, planId, times = [] }: RunDocument): CompareDocument['times'] {
  return times.map(({ step, forecast, actualSeconds, volumes }) => {
    const { error, held } = comparedFigure(forecast, forecast.value, actualSeconds)
    return { runId: id, startedWallMs, planId, volumes, step, forecast, actualSeconds, error, held }
  })
}

import type { Estimate, Provenance } from '../../primitives/estimate'
import { formatCount, threeDigits } from '../../primitives/quantity'
import { formatDuration, formatForecast, formatSpan } from '../../primitives/spokenTime'
import type { CompareDocument, Option, OptionBuild, OptionFigure } from '../dto/options'
import { type FigureColumn, type SizeWriter, tableOf } from './declaredTable'
import type { Heading } from './headings'

/** The options of a list, with every figure. @param sourceBytes bytes of the source */
export function optionTable(sourceBytes: number) {
  return tableOf<Option>()({
    id: { heading: 'optionId', kind: 'code', of: ({ id }) => id },
    name: { heading: 'option', kind: 'words', of: ({ name }) => name },
    container: { heading: 'container', kind: 'code', of: ({ container }) => container },
    family: { heading: 'family', kind: 'code', of: ({ family }) => family },
    variant: { heading: 'variant', kind: 'code', of: ({ variant }) => variant },
    reduction: { heading: 'reduction', kind: 'code', of: ({ reduction }) => reduction },
    medium: { heading: 'medium', kind: 'code', of: ({ medium }) => medium },
    encryption: { heading: 'encryption', kind: 'code', of: ({ encryption }) => encryption },
    protection: { heading: 'protection', kind: 'share', of: ({ protection }) => protection },
    bytes: figureColumn('bytes', 'optionSize', true),
    range: {
      heading: 'range',
      kind: 'byteRange',
      of: ({ estimate: { bytes } }) => bytes,
      csv: {},
    },
    share: {
      heading: 'ofRaw',
      kind: 'share',
      of: ({ estimate: { bytes } }) => (sourceBytes > 0 ? bytes.value / sourceBytes : null),
      csv: {},
    },
    volumes: {
      ...figureColumn('volumes', 'optionVolumes', false),
      text: ({ estimate: { volumes } }) => countRange(volumes),
    },
    buildSeconds: figureColumn('buildSeconds', 'toBuild', true),
    make: {
      heading: 'toMake',
      kind: 'forecast',
      of: ({ estimate: { buildSeconds, writeSeconds } }) => buildSeconds.value + writeSeconds.value,
      mark: ({ estimate }) => estimate.buildSeconds.provenance,
      csv: {},
    },
    writeSeconds: figureColumn('writeSeconds', 'toWrite', true),
    verifySeconds: figureColumn('verifySeconds', 'toVerify', true),
    restoreSeconds: figureColumn('restoreSeconds', 'toRestore', true),
    fetchSeconds: figureColumn('fetchSeconds', 'oneFile', false),
    ramBytes: figureColumn('ramBytes', 'optionMemory', true),
    useRamBytes: figureColumn('useRamBytes', 'memoryInUse', false),
    cpuSeconds: figureColumn('cpuSeconds', 'cpuTime', true),
    storedFiles: figureColumn('storedFiles', 'storedFiles', true),
    portability: { heading: 'readBy', kind: 'ratio', of: ({ portability }) => portability },
    score: { heading: 'score', kind: 'ratio', of: ({ score }) => score },
    pareto: { heading: 'pareto', kind: 'code', of: ({ pareto }) => String(pareto) },
    front: { heading: 'pareto', kind: 'code', of: ({ pareto }) => String(pareto) },
    breaks: { heading: 'breaks', kind: 'code', of: ({ breaks }) => breaks.join(' ') },
    beaten_by: { heading: 'beatenBy', kind: 'code', of: ({ beatenBy }) => beatenBy?.id ?? '' },
    beaten_how: { heading: 'beatenHow', kind: 'words', of: ({ beatenBy }) => beatenBy?.because ?? '' },
    standing: { heading: 'standing', kind: 'words', of: standingText, csv: {} },
  })
}

/** A figure of an option; the CSV has its range and its provenance too. */
function figureColumn(figure: OptionFigure, heading: Heading, isMarked: boolean): FigureColumn<Option> {
  const name = csvNameOf(figure)
  const kind = figure.endsWith('Seconds') ? 'forecast' : figure.endsWith('Bytes') ? 'bytes' : 'count'
  return {
    heading,
    kind: figure === 'bytes' ? 'bytes' : kind,
    of: ({ estimate }) => estimate[figure].value,
    csv: {
      [name]: ({ estimate }) => estimate[figure].value,
      [`${name}_low`]: ({ estimate }) => estimate[figure].low,
      [`${name}_high`]: ({ estimate }) => estimate[figure].high,
      [`${name}_provenance`]: ({ estimate }) => estimate[figure].provenance,
    },
    ...(isMarked && { mark: ({ estimate }: Option): Provenance => estimate[figure].provenance }),
  }
}

/** `restoreSeconds` as the headers of CSV files are written: `restore_seconds`. */
function csvNameOf(figure: OptionFigure): string {
  return figure.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** `3`, or `3–4` where the range has several. */
export function countRange({ low, high }: Pick<Estimate, 'low' | 'high'>): string {
  const [least, most] = [Math.round(low), Math.round(high)]
  return least === most ? formatCount(least) : `${formatCount(least)}–${formatCount(most)}`
}

function standingText({ breaks, beatenBy, here }: Option): string {
  if (breaks.length > 0) return `exceeds limits: ${breaks.join(', ')}`
  if (here.can === 'build' || here.can === 'forecast')
    return `not recommended: ${here.because ?? 'only forecast'}`
  return beatenBy ? `beaten: ${beatenBy.because}` : ''
}

/** A forecast of a figure; its actual one is shown by `actualText`. */
export function figureText(figure: OptionFigure, value: number, size: SizeWriter): string {
  if (figure.endsWith('Seconds')) return formatForecast(value)
  if (figure === 'volumes' || figure === 'storedFiles') return formatCount(Math.round(value))
  return size(value)
}

function actualText(figure: OptionFigure, value: number, size: SizeWriter): string {
  return figure.endsWith('Seconds') ? formatDuration(value * 1000) : figureText(figure, value, size)
}

export function rangeText(
  figure: OptionFigure,
  { low, high }: Pick<Estimate, 'low' | 'high'>,
  size: SizeWriter,
): string {
  if (low === high) return 'exact'
  if (figure.endsWith('Seconds')) return formatSpan({ low, high })
  return `${figureText(figure, low, size)} to ${figureText(figure, high, size)}`
}

export const COMPARED_FIGURES = ['bytes', 'buildSeconds', 'ramBytes'] as const
export type ComparedFigure = (typeof COMPARED_FIGURES)[number]

/** A figure of a build; `actual` is null where it is unknown. */
export interface BuildFigure {
  readonly figure: ComparedFigure
  readonly forecast: Estimate
  readonly actual: number | null
}

export function buildFigures({ forecast, actual }: OptionBuild): BuildFigure[] {
  return COMPARED_FIGURES.map((figure) => ({ figure, forecast: forecast[figure], actual: actual[figure] }))
}

/** The names of compared figures on the command line. */
export const FIGURE_NAMES: Readonly<Record<ComparedFigure, string>> = {
  bytes: 'size',
  buildSeconds: 'time',
  ramBytes: 'memory',
}

/** One build: forecast and actual figures, and whether each range contains the actual one. */
export const BUILD_FIGURE_TABLE = tableOf<BuildFigure>()({
  figure: { heading: 'figure', kind: 'words', of: ({ figure }) => FIGURE_NAMES[figure] },
  forecast: {
    heading: 'forecast',
    kind: 'count',
    of: ({ forecast }) => forecast.value,
    text: ({ figure, forecast }, size) => figureText(figure, forecast.value, size),
    mark: ({ forecast }) => forecast.provenance,
  },
  range: {
    heading: 'range',
    kind: 'words',
    of: ({ figure, forecast }, size) => rangeText(figure, forecast, size),
  },
  actual: {
    heading: 'actual',
    kind: 'count',
    of: ({ actual }) => actual,
    text: ({ figure, actual }, size) => (actual === null ? null : actualText(figure, actual, size)),
    mark: () => 'measured',
  },
  error: {
    heading: 'error',
    kind: 'share',
    of: ({ forecast, actual }) => (actual === null || !(actual > 0) ? null : forecast.value / actual - 1),
    text: ({ forecast, actual }) =>
      actual === null || !(actual > 0) ? null : signedText(forecast.value / actual - 1),
  },
  held: {
    heading: 'held',
    kind: 'words',
    of: ({ forecast: { low, high }, actual }) =>
      actual === null ? '' : low <= actual && actual <= high ? 'within' : 'outside',
  },
})

/** `+3.1 %`: the forecast was 3.1 % above the actual. */
export function signedText(error: number): string {
  return `${error < 0 ? '-' : '+'}${threeDigits(Math.abs(error) * 100)} %`
}

type Build = CompareDocument['builds'][number]

/** The builds of options: how far each forecast was off. */
export const BUILD_TABLE = tableOf<Build>()({
  when: {
    heading: 'whenBuilt',
    kind: 'moment',
    of: ({ createdWallMs }) => createdWallMs,
    csv: { created: ({ createdWallMs }) => new Date(createdWallMs).toISOString(), id: ({ id }) => id },
  },
  option: {
    heading: 'option',
    kind: 'code',
    of: ({ variant }) => variant,
    csv: { variant: ({ variant }) => variant, path: ({ path }) => path },
  },
  source_bytes: { heading: 'ofSource', kind: 'bytes', of: ({ sourceBytes }) => sourceBytes },
  bytes: actualColumn('bytes', 'actualSize'),
  bytesError: errorColumn('bytes', 'errorOfSize'),
  buildSeconds: actualColumn('buildSeconds', 'actualTime'),
  buildSecondsError: errorColumn('buildSeconds', 'errorOfTime'),
  ramBytes: actualColumn('ramBytes', 'actualMemory'),
  ramBytesError: errorColumn('ramBytes', 'errorOfMemory'),
  result: { heading: 'result', kind: 'code', of: ({ discarded }) => (discarded ? 'discarded' : 'kept') },
})

function actualColumn(figure: ComparedFigure, heading: Heading): FigureColumn<Build> {
  return {
    heading,
    kind: 'count',
    of: ({ errors }) => errors[figure]?.actual ?? null,
    text: ({ errors }, size) => {
      const compared = errors[figure]
      return compared === null ? null : actualText(figure, compared.actual, size)
    },
    mark: 'measured',
    csv: {},
  }
}

/** The error of a forecast relative to the actual figure; `!` is outside of the range. */
function errorColumn(figure: ComparedFigure, heading: Heading): FigureColumn<Build> {
  const name = csvNameOf(figure)
  const of = ({ errors }: Build): Build['errors'][ComparedFigure] => errors[figure]
  return {
    heading,
    kind: 'share',
    of: (build) => of(build)?.error ?? null,
    text: (build) => {
      const compared = of(build)
      return compared && `${signedText(compared.error)}${compared.held ? '' : ' !'}`
    },
    csv: {
      [`forecast_${name}`]: (build) => of(build)?.forecast.value ?? '',
      [`forecast_${name}_low`]: (build) => of(build)?.forecast.low ?? '',
      [`forecast_${name}_high`]: (build) => of(build)?.forecast.high ?? '',
      [`actual_${name}`]: (build) => of(build)?.actual ?? '',
      [`error_${name}`]: (build) => of(build)?.error ?? '',
      [`uncalibrated_error_${name}`]: (build) => of(build)?.uncalibratedError ?? '',
      [`held_${name}`]: (build) => String(of(build)?.held ?? ''),
    },
  }
}

import type { MeasureRequest, SpecChange } from '../../contract/dto/measure'
import { containerRefusal, writtenTimes } from '../../domain/devices/containerPlan'
import { ownTest } from '../../domain/devices/ownTest'
import { PRESETS, surveyPreset } from '../../domain/devices/presets'
import { scaleToBudget } from '../../domain/devices/scaleToBudget'
import { type MeasuredCodec, nameOfTest, type TestSpec, testSpecSchema } from '../../domain/devices/testSpec'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import type { Catalog } from '../catalog/catalog'
import { parseSpec } from './parseSpec'

/** The part of the catalog that specifications come from. */
export type SpecCatalog = Pick<Catalog, 'survey' | 'measurement'>

/**
 * The specification that a request means, with its budget and its cache mode, sizes of surveys
 * filled in, scaled down to the budget.
 * @throws AppError `bad-input` naming file, line and column; `not-found`; `cannot-fit` for a
 *   budget that leaves no test
 */
export function resolveSpec(
  request: MeasureRequest,
  catalog: SpecCatalog,
): { spec: TestSpec; changes: SpecChange[] } {
  const written = specOf(request, catalog)
  const tests = written.tests.map((test) => ({ ...test, sizes: withHistogram(test.sizes, catalog) }))
  const asked = {
    ...written,
    tests,
    ...(request.budgetBytes === null ? {} : { budget: request.budgetBytes }),
    ...(request.cache === null ? {} : { cache: request.cache }),
    ...(request.depth === null ? {} : { concurrency: request.depth }),
  }
  const coded = request.codec === null ? asked : withCodec(asked, request.codec)
  const spec = request.container ? flushedOneByOne(coded) : coded
  if (request.readOnly) return { spec, changes: [] }
  for (const [index, test] of spec.tests.entries()) {
    if (test.operations[0] === 'write') continue
    const name = nameOfTest(test, index)
    throw new AppError(
      'bad-input',
      said`${spec.name}: ${name}: its first operation must write what the others use`,
    )
  }
  const scaled = withinBudget(spec, request.container ? writtenTimes(request.container) : 1)
  if (scaled.spec.tests.length === 0) {
    throw new AppError(
      'cannot-fit',
      said`${spec.name}: the budget of ${spec.budget} bytes is too small to measure anything`,
    )
  }
  // What was scaled is checked like what was written: both are stored and run again.
  return { spec: testSpecSchema.parse(scaled.spec), changes: scaled.changes }
}

/**
 * Every test that reads its files also compresses such files.
 * @throws AppError `usage` where no test reads files
 */
function withCodec(spec: TestSpec, codec: MeasuredCodec): TestSpec {
  if (!spec.tests.some(({ operations }) => operations.includes('read')))
    throw new AppError('usage', said`cannot compress: no test of "${spec.name}" reads its files`)
  const tests = spec.tests.map(({ operations, ...test }) => {
    const isAdded = operations.includes('read') && !operations.includes('compress')
    return Object.assign(test, { operations: isAdded ? [...operations, 'compress' as const] : operations })
  })
  return { ...spec, codec, tests }
}

/**
 * Flushes each file: data in the page cache is on the device once it is flushed.
 * @throws AppError `usage` for a specification that is not possible there
 */
function flushedOneByOne(spec: TestSpec): TestSpec {
  const refusal = containerRefusal(spec)
  if (refusal !== null) throw new AppError('usage', said`cannot measure in a container: ${refusal}`)
  return { ...spec, flush: 'each' }
}

function withinBudget(spec: TestSpec, times: number): ReturnType<typeof scaleToBudget> {
  if (spec.budget === undefined) return scaleToBudget(spec)
  const scaled = scaleToBudget({ ...spec, budget: Math.floor(spec.budget / times) })
  return { ...scaled, spec: { ...scaled.spec, budget: spec.budget } }
}

function specOf({ spec }: MeasureRequest, catalog: SpecCatalog): TestSpec {
  switch (spec.kind) {
    case 'preset':
      return testSpecSchema.parse(PRESETS[spec.preset])
    case 'survey':
      return testSpecSchema.parse(surveyPreset(spec.surveyId, histogramOf(spec.surveyId, catalog)))
    case 'own':
      return testSpecSchema.parse(ownTest(spec.test))
    case 'text':
      return parseSpec(spec.text, spec.name)
    case 'again':
      return catalog.measurement(spec.measurementId).spec
  }
}

type Sizes = TestSpec['tests'][number]['sizes']

/**
 * Sizes that name a survey get its histogram, so that what is stored can be run again without the
 * survey.
 */
function withHistogram(sizes: Sizes, catalog: SpecCatalog): Sizes {
  if (Array.isArray(sizes) || !('survey' in sizes) || sizes.survey === undefined || sizes.histogram)
    return sizes
  return { ...sizes, histogram: histogramOf(sizes.survey, catalog) }
}

function histogramOf(surveyId: string, catalog: SpecCatalog): [number, number, number][] {
  const { sizeHistogram } = catalog.survey(surveyId)
  const bins = sizeHistogram
    .filter(({ files, fromBytes }) => files > 0 && fromBytes > 0)
    .map(({ fromBytes, toBytes, files }): [number, number, number] => [
      fromBytes,
      toBytes ?? Number.MAX_SAFE_INTEGER,
      files,
    ])
  if (bins.length > 0) return bins
  throw new AppError('nothing-to-do', said`survey ${surveyId} found no file with content`)
}

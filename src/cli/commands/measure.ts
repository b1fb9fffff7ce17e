import { readFile } from 'node:fs/promises'
import {
  BAND_KINDS,
  MEASURE_PRESETS,
  MEASURED_CODECS,
  type MeasureRequest,
  type MixedOperation,
  measureRequestSchema,
  sizeEnds,
  TEST_OPERATIONS,
} from '../../contract/dto/measure'
import { attempt } from '../../engine/files/fileSystem'
import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { parseSize } from '../../primitives/bytes'
import { EXIT } from '../../primitives/exitCode'
import { checked, onlyPositional, readArguments, type ValuesOf, wholeNumber } from '../arguments'
import { MEASURE } from '../declarations/devices'
import { openSession, type Session } from '../session'
import { saveTable } from '../shape/savedTable'
import type { Terminal } from '../terminal'
import { unknownName } from '../unknownName'
import {
  announce,
  containersCsv,
  printComparison,
  printContainers,
  printList,
  printMeasurement,
  samplesCsv,
} from './measureReport'

/** A specification is text that a person wrote; more than this is something else. */
const MOST_SPEC_BYTES = 1024 * 1024

export async function measureCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, MEASURE)
  await using session = openSession(out)
  if (values.list) return await list(session, out)
  if (values.compare) return await compare([...values.compare, ...positionals], session, out)
  const show = async (measurementId: string): Promise<void> => {
    const document = await session.engine.measure.get({ measurementId })
    const { containers } = document
    if (containers) await saveTable(values, session, 'table', () => containersCsv(containers), out)
    else await saveTable(values, session, 'samples', () => samplesCsv(document), out)
    out.document(document)
    if (containers) printContainers(document, containers, values.all, out)
    else printMeasurement(document, values.all, out)
  }
  if (values.show !== undefined) {
    await show(values.show)
    return EXIT.done
  }
  const directory = absolutePath(onlyPositional(positionals, 'folder to measure in'))
  const request = await requestOf(directory, values)
  if (values.spec !== undefined) out.notes([SPEC_GOES])
  const preview = await session.engine.measure.preview(request)
  announce(preview, out)
  if (preview.refusal) throw AppError.fromWire(preview.refusal)
  await show(await session.run(() => session.engine.measure.start(request), show))
  return EXIT.done
}

const SPEC_GOES = 'note: the next version no longer reads --spec; use --size, --count, --mix and --depth'

const PROBLEMS = {
  'spec.test.from': '--size takes a size such as 8MB, or a range such as 1MB-100MB',
  'spec.test.count': '--count takes a number of files from 1 to 20,000',
  'spec.test.mix': `--mix takes at most 7 of ${TEST_OPERATIONS.join(', ')}`,
  codec: `--codec takes one of ${MEASURED_CODECS.join(', ')}`,
  depth: '--depth takes a number of requests from 1 to 64',
  budgetBytes: '--budget takes a size such as 2GB',
  'spec.measurementId': '--again takes the ID of a measurement',
  'spec.text': '--spec names a file that is too long',
}

async function requestOf(directory: string, options: ValuesOf<typeof MEASURE>): Promise<MeasureRequest> {
  const asked = {
    directory,
    spec: await specSource(options),
    budgetBytes: options.budget === undefined ? null : parseSize(options.budget),
    depth: wholeNumber('--depth', options.depth),
    codec: options.codec ?? null,
    cache: options.buffered ? 'buffered' : null,
    readOnly: options['read-only'],
    container: options.in === undefined ? null : containerOf(options.in),
  }
  return checked(measureRequestSchema, asked, PROBLEMS)
}

/** `udsb:256`, `all` */
function containerOf(text: string): MeasureRequest['container'] {
  const [word = '', bits] = text.split(':', 2)
  const kind = BAND_KINDS.find((each) => each === word.toUpperCase())
  const encryption = bits === '128' ? 128 : bits === '256' ? 256 : null
  if (bits === undefined || encryption !== null) {
    if (kind) return { kind, encryption }
    if (word.toLowerCase() === 'all') return { kind: 'all', encryption: encryption ?? 256 }
  }
  throw new AppError('usage', `--in takes udsb, udrw, udsp or all, and :128 or :256 after it, not "${text}"`)
}

/** Not yet checked: numbers may be out of range. */
async function specSource(options: ValuesOf<typeof MEASURE>): Promise<unknown> {
  const { preset, spec, again, size, count, mix } = options
  const own = size ?? count ?? mix
  if ([preset, spec, again, own].filter((given) => given !== undefined).length > 1) {
    throw new AppError(
      'usage',
      'only one of --preset, --spec, --again and a test of your own (--size, --count, --mix) can be given',
    )
  }
  if (own !== undefined) {
    const [from, to] = size === undefined ? [] : sizeEnds(size).map(parseSize)
    const test = { from, to, count: wholeNumber('--count', count), mix: mix?.split(',').map(operationOf) }
    return { kind: 'own', test }
  }
  if (spec !== undefined) return { kind: 'text', text: await specFile(spec), name: spec }
  if (again !== undefined) return { kind: 'again', measurementId: again }
  // Disk images were compared with 53 GB of these files.
  const name = preset ?? (options.in?.toLowerCase().startsWith('all') ? 'stibium' : 'quick')
  const known = MEASURE_PRESETS.find((each) => each === name)
  if (known) return { kind: 'preset', preset: known }
  const surveyId = /^survey:(.+)$/.exec(name)?.[1]
  if (surveyId !== undefined) return { kind: 'survey', surveyId }
  throw unknownName('preset', name, MEASURE_PRESETS, ['survey:ID'])
}

function operationOf(text: string): MixedOperation {
  const word = text.trim().toLowerCase()
  const operation = TEST_OPERATIONS.find((each) => each.toLowerCase() === word)
  if (operation) return operation
  throw new AppError('usage', PROBLEMS['spec.test.mix'])
}

async function specFile(file: string): Promise<string> {
  const content = await attempt('read', file, readFile(file))
  if (content.length > MOST_SPEC_BYTES) {
    throw new AppError('bad-input', `${file}:1:1: too large for a specification (${content.length} bytes)`)
  }
  return content.toString('utf8')
}

async function list(session: Session, out: Terminal): Promise<number> {
  const measurements = await session.engine.measure.list()
  out.document({ schema: 'stowage.measurements/1', measurements })
  printList(measurements, out)
  return EXIT.done
}

async function compare(ids: readonly string[], session: Session, out: Terminal): Promise<number> {
  const [a, b, ...more] = ids
  if (a === undefined || b === undefined || more.length > 0) {
    throw new AppError('usage', '--compare takes the ids of two measurements')
  }
  const comparison = await session.engine.measure.compare({ a, b })
  out.document({ schema: 'stowage.measureComparison/1', ...comparison })
  printComparison(comparison, out)
  return EXIT.done
}

import { type BandEncryption, type BandSweepRequest, bandSweepRequestSchema } from '../../contract/dto/bands'
import { BAND_KINDS, bandsInUse } from '../../contract/dto/measure'
import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { parseSize } from '../../primitives/bytes'
import { EXIT } from '../../primitives/exitCode'
import {
  checked,
  onlyPositional,
  optionalSize,
  readArguments,
  type ValuesOf,
  wholeNumber,
} from '../arguments'
import { BANDS } from '../declarations/devices'
import { openSession } from '../session'
import { saveTable } from '../shape/savedTable'
import type { Terminal } from '../terminal'
import { unknownName } from '../unknownName'
import { announceSweep, macCommandLines, printSweep, printSweeps, sweepCsv } from './bandsReport'

/** `stowage bands`: which band size is fastest here. */
export async function bandsCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, BANDS)
  await using session = openSession(out)
  if (values.list) {
    const sweeps = await session.engine.bands.list()
    out.document({ schema: 'stowage.bandSweeps/1', sweeps })
    printSweeps(sweeps, out)
    return EXIT.done
  }
  const show = async (sweepId: string): Promise<void> => {
    const document = await session.engine.bands.get({ sweepId })
    await saveTable(values, session, 'passes', () => sweepCsv(document), out)
    out.document(document)
    const { device, recommended } = document
    const used = bandsInUse(await session.engine.measure.list(), device.key, recommended.encryption)
    printSweep(document, used, values.all, out)
    if (values['show-mac-commands']) out.lines(macCommandLines(document))
  }
  if (values.show !== undefined) {
    await show(values.show)
    return EXIT.done
  }
  const request = requestOf(absolutePath(onlyPositional(positionals, 'folder to test band sizes in')), values)
  const preview = await session.engine.bands.preview(request)
  announceSweep(preview, out)
  if (preview.refusal) throw AppError.fromWire(preview.refusal)
  await show(await session.run(() => session.engine.bands.start(request), show))
  return EXIT.done
}

const PROBLEMS = {
  kinds: '--kinds takes each kind once',
  encryptions: '--encrypt takes each once',
  budgetBytes: '--budget takes a size such as 2GB',
  seed: '--seed takes a whole number up to 4,294,967,295',
}

function requestOf(directory: string, options: ValuesOf<typeof BANDS>): BandSweepRequest {
  const asked = {
    directory,
    bandSizes: options.sizes === undefined ? undefined : words(options.sizes).map(parseSize),
    kinds: options.kinds === undefined ? undefined : words(options.kinds).map(kindOf),
    encryptions: options.encrypt === undefined ? undefined : words(options.encrypt).map(encryptionOf),
    fullBytes: optionalSize(options['full-size']),
    budgetBytes: optionalSize(options.budget),
    repeats: wholeNumber('--repeats', options.repeats),
    requestBytes: optionalSize(options.request),
    seed: wholeNumber('--seed', options.seed),
    through: options.mounted ? 'mounted' : 'native',
  }
  return checked(bandSweepRequestSchema, asked, PROBLEMS)
}

function words(list: string): string[] {
  return list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}

function kindOf(word: string): (typeof BAND_KINDS)[number] {
  const kind = BAND_KINDS.find((each) => each === word.toUpperCase())
  if (kind) return kind
  throw unknownName('container', word, BAND_KINDS)
}

function encryptionOf(word: string): BandEncryption {
  if (word === '128') return 128
  if (word === '256') return 256
  if (word === 'none') return null
  throw new AppError('usage', `--encrypt takes 128, 256 and none, not "${word}"`)
}

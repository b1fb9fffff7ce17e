import { DRILL_BYTES, DRILL_FILES, type DrillDocument } from '../../contract/dto/drill'
import { labelRanges } from '../../contract/dto/plan'
import { AppError } from '../../primitives/appError'
import { EXIT } from '../../primitives/exitCode'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatCounted } from '../../primitives/quantity'
import { formatDuration } from '../../primitives/spokenTime'
import { placesNamed } from '../archives'
import { optionalSize, readArguments } from '../arguments'
import { DRILL } from '../declarations/drill'
import { withPassword } from '../passwords'
import { openSession } from '../session'
import { firstRows } from '../shape/firstRows'
import { formatSize } from '../shape/sizes'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'
import { copyName } from './catalogCopies'
import { copyNumber } from './copyArguments'

const SHOWN = 5
const MOST_FILES = 100_000
const LARGEST_SEED = 2 ** 32 - 1

/** `stowage drill`: restores a random sample, compares it and removes it. */
export async function drillCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, DRILL)
  if (positionals.length === 0)
    throw new AppError('usage', 'give an archive, a plan folder, an image or a mounted disc')
  const files = wholeNumber(values.files, '--files', 1, MOST_FILES) ?? DRILL_FILES
  const seed = wholeNumber(values.seed, '--seed', 0, LARGEST_SEED)
  const bytes = optionalSize(values.bytes) ?? DRILL_BYTES
  const copy = copyNumber(values.copy) ?? null
  const volumes = await placesNamed(positionals, out)
  await using session = openSession(out, { canDoWithout: true })
  await withPassword(values, volumes[0] ?? '', async (password) => {
    const request = { volumes, files, bytes, copy, password, ...(seed !== undefined && { seed }) }
    const show = async (drillId: string): Promise<void> => {
      const document = await session.engine.drill.get({ drillId })
      out.document(document)
      printDrill(document, out)
    }
    await show(await session.run(() => session.engine.drill.start(request), show))
  })
  return EXIT.done
}

/** @throws AppError `usage` for anything but a whole number in a range */
function wholeNumber(
  text: string | undefined,
  option: string,
  least: number,
  most: number,
): number | undefined {
  if (text === undefined) return undefined
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= least && number <= most) return number
  throw new AppError('usage', `${option} takes a whole number from ${least} to ${most}, not "${text}"`)
}

function printDrill(document: DrillDocument, out: Terminal): void {
  const { files, right, bytes, elapsedMs, wrong, volumes, evidence, cachedBytes, seed, notes } = document
  const from = volumesText(volumes)
  const by =
    evidence === 'catalog' ? 'proved by the catalog' : 'that only these volumes have, which is weaker'
  const show = (text: string): void => out.lines(wrapped(text, '  '))
  show(
    `${formatCount(right)} of ${formatCounted(files, 'file')} (${formatSize(bytes)}) came back from ${pathForDisplay(from)} ` +
      `in ${formatDuration(elapsedMs)}, with name, content, time and permissions; compared with digests ${by}.`,
  )
  show('The restored files were removed again.')
  const shown = firstRows(wrong, SHOWN, '--json')
  for (const { error } of shown.shown) out.note(`  ${pathForDisplay(error.message)}`)
  out.notes(shown.rest, '  ')
  if (cachedBytes === null) out.notes(wrapped('the system does not tell if its cache was bypassed', '  '))
  else if (cachedBytes > 0)
    out.notes(wrapped(`${formatSize(cachedBytes)} may have come from the system's cache`, '  '))
  for (const note of notes) out.notes(wrapped(`  ${note}`, '  '))
  out.line(`  The same sample again: --seed ${seed}`)
}

/** `PHOTOS_01 to PHOTOS_03 (copy 2 at the bank)`: volumes by the copies that they are. */
export function volumesText(volumes: DrillDocument['volumes']): string {
  const copies = Map.groupBy(volumes, ({ copy, place }) =>
    copy === null ? '' : copyName(copy) + (place === null ? '' : ` at ${place}`),
  )
  return [...copies]
    .map(([copy, own]) => labelRanges(own.map(({ label }) => label)) + (copy === '' ? '' : ` (${copy})`))
    .join(', ')
}

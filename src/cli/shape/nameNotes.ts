import { type PlanProblem, READER_NAME_CODES, type ReaderNameCode } from '../../contract/dto/plan'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatCounted } from '../../primitives/quantity'

const LOOKS: Readonly<Record<ReaderNameCode, readonly [thing: string, many: string, one: string]>> = {
  'name-on-windows': ['name', 'will look different on Windows', 'will look different on Windows'],
  'name-not-in-udf': [
    'name',
    'are too long or unusual for Windows, Macs and TVs',
    'is too long or unusual for Windows, Macs and TVs',
  ],
  'path-on-windows': [
    'path',
    'are too long for some programs of Windows',
    'is too long for some programs of Windows',
  ],
  'names-differ-in-form': [
    'name',
    'look the same as another to Windows and Macs',
    'looks the same as another to Windows and Macs',
  ],
}

/**
 * The names that a system which reads the discs shows otherwise, one line for each kind with an
 * example; and the problems that are none of these.
 */
export function nameNotes(problems: readonly PlanProblem[]): {
  readonly names: readonly string[]
  readonly others: readonly PlanProblem[]
} {
  const byCode = Map.groupBy(problems, ({ code }) => READER_NAME_CODES.find((known) => known === code))
  const names = READER_NAME_CODES.flatMap((code) => {
    const found = byCode.get(code) ?? []
    const [first] = found
    if (first === undefined) return []
    const count = found.reduce((sum, { names: unlisted = 1 }) => sum + unlisted, 0)
    const [thing, many, one] = LOOKS[code]
    const example = `: ${pathForDisplay(first.path ?? '')} ${first.reason ?? ''}`
    const more = count === 1 ? '' : ` (and ${formatCount(count - 1)} more)`
    return [`${formatCounted(count, thing)} ${count === 1 ? one : many}${example}${more}`]
  })
  return { names, others: byCode.get(undefined) ?? [] }
}

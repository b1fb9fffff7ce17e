import { type Document, isMap, isNode, LineCounter, type Node, parseDocument } from 'yaml'
import type { z } from 'zod'
import { type TestSpec, testSpecSchema } from '../../domain/devices/testSpec'
import { AppError } from '../../primitives/appError'
import { nearestName } from '../../primitives/nearestName'
import { said } from '../../primitives/said'
import { yamlMistake } from '../../primitives/yamlMistake'

/** How many mistakes are reported at once. */
const SHOWN_MISTAKES = 5

interface Mistake {
  readonly at: number
  readonly text: string
}

/**
 * Reads a test specification that a person wrote as YAML or JSON.
 * @throws AppError `bad-input`, one line that begins with file, line and column:
 *   `spec.yaml:12:5: sizes: …`
 */
export function parseSpec(text: string, name: string): TestSpec {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true })
  const refuse = (mistakes: readonly Mistake[]): never => {
    const shown = mistakes
      .toSorted((a, b) => a.at - b.at)
      .map(({ at, text: mistake }) => {
        const { line, col } = lines.linePos(at)
        return `${name}:${line}:${col}: ${mistake}`
      })
    const more = shown.length > SHOWN_MISTAKES ? [`and ${shown.length - SHOWN_MISTAKES} more`] : []
    throw new AppError('bad-input', [...shown.slice(0, SHOWN_MISTAKES), ...more].join('; '), { path: name })
  }
  if (document.errors.length > 0) {
    return refuse(document.errors.map((error) => ({ at: error.pos[0], text: yamlMistake(error) })))
  }
  const parsed = testSpecSchema.safeParse(valueOf(document, name))
  if (parsed.success) return parsed.data
  return refuse(parsed.error.issues.flatMap((issue) => mistakesOf(issue, document)))
}

/** The document's value; a file of aliases of aliases is refused before it grows. */
function valueOf(document: Document, name: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (thrown) {
    const mistake = yamlMistake(AppError.from(thrown))
    throw new AppError('bad-input', said`${name}:1:1: ${mistake}`, { path: name, cause: thrown })
  }
}

type Place = readonly PropertyKey[]

function mistakesOf(issue: z.core.$ZodIssue, document: Document): Mistake[] {
  const { path } = issue
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ at: keyStart(document, path, key), text: unknownKey(path, key) }))
  }
  return [{ at: startOf(document, path), text: `${nameOf(path)}: ${issue.message}` }]
}

const TEST_KEYS = ['name', 'sizes', 'operations', 'order', 'repeat', 'rest', 'accesses', 'accessSize']
const SIZES_KEYS = ['from', 'to', 'count', 'distribution', 'total', 'survey', 'histogram', 'largest']

/** The keys allowed at a place of a specification. */
export function knownKeys(path: Place): readonly string[] {
  if (path.length === 0) return Object.keys(testSpecSchema.shape)
  if (path.length === 2) return TEST_KEYS
  return path.length === 3 ? SIZES_KEYS : ['size', 'count']
}

function unknownKey(path: Place, key: string): string {
  const known = knownKeys(path)
  const near = nearestName(key, known)
  const hint = near === null ? said`one of ${known.join(', ')}` : said`did you mean "${near}"?`
  return `${nameOf([...path, key])}: unknown; ${hint}`
}

/** `sizes` of the second test is `tests[2].sizes`: people count from one. */
function nameOf(path: Place): string {
  const text = path.reduce<string>(
    (name, part) =>
      typeof part === 'number'
        ? `${name}[${part + 1}]`
        : name === ''
          ? String(part)
          : `${name}.${String(part)}`,
    '',
  )
  return text === '' ? 'specification' : text
}

function nodeAt(document: Document, path: Place): Node | null {
  const node = document.getIn(path as unknown[], true)
  return isNode(node) ? node : null
}

/** Where the value at a path is in the text; of something missing, where it should be. */
function startOf(document: Document, path: Place): number {
  for (let length = path.length; length > 0; length--) {
    const start = nodeAt(document, path.slice(0, length))?.range?.[0]
    if (start !== undefined) return start
  }
  return document.contents?.range?.[0] ?? 0
}

function keyStart(document: Document, path: Place, key: string): number {
  const map = path.length === 0 ? document.contents : nodeAt(document, path)
  if (isMap(map)) {
    for (const { key: node } of map.items) {
      if (isNode(node) && 'value' in node && String(node.value) === key && node.range) return node.range[0]
    }
  }
  return startOf(document, path)
}

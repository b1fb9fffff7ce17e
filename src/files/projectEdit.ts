import { isMap, isScalar, isSeq, Scalar, stringify, visit, type YAMLMap, type YAMLSeq } from 'yaml'
import { type Project, projectSchema } from '../domain/project/project'
import { areSameProjects, areSameValues, isRecord } from '../domain/project/sameProject'
import { AppError } from '../primitives/appError'
import { said } from '../primitives/said'
import { parseProject, readProjectText, requireProject } from './projectText'
import { keyOf, removeItem, valueOf, yamlTextOf } from './yamlText'

type Document = ReturnType<typeof parseProject>['document']

/**
 * The text of a project with other values. Comments and the order stay; a key that was there as a
 * comment with an example takes its place. A text that holds these values already is not touched.
 * @throws AppError as `readProjectText` and `requireProject`; `bad-input` for a text in which that
 *   cannot be done
 */
export function changedProjectText(text: string, file: string, next: Project): string {
  const now = requireProject(readProjectText(text, file), file)
  if (areSameProjects(now, next)) return text
  const changed = edited(withValuesInPlace(withoutExamples(text, now, next), file, next), file, next)
  const read = safely(() => readProjectText(changed, file).project)
  if (read !== null && areSameProjects(read, next)) return changed
  throw new AppError(
    'bad-input',
    said`cannot change ${file} and keep what is in it: change it in an editor`,
    {
      path: file,
    },
  )
}

const KEYS = Object.keys(projectSchema.shape) as (keyof Project)[]

function edited(text: string, file: string, next: Project): string {
  if (areSameProjects(requireProject(readProjectText(text, file), file), next)) return text
  const { document } = parseProject(text, file)
  const { contents } = document
  if (!isMap(contents)) throw new AppError('internal', 'a project without keys')
  const fits = safely(() => {
    for (const key of KEYS) setValue(contents, key, next[key], document, document)
    return yamlTextOf(document, text, styleOf(document, text))
  })
  return fits ?? ''
}

function safely<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    // An alias of what is gone.
    return null
  }
}

/** Sets what differs, and nothing else. */
function setValue(
  map: YAMLMap,
  key: string,
  value: unknown,
  after: { comment?: string | null | undefined },
  document: Document,
): void {
  const index = map.items.findIndex((item) => keyOf(item.key, document) === key)
  const node = map.items[index]?.value
  if (areSameValues(valueOf(node, document) ?? undefined, value)) return
  if (value === undefined) removeItem(map, index, after)
  else if (isMap(node) && isRecord(value)) {
    for (const name of node.items.map((item) => keyOf(item.key, document)))
      if (!Object.hasOwn(value, name)) setValue(node, name, undefined, node, document)
    for (const [name, each] of Object.entries(value)) setValue(node, name, each, node, document)
  } else if (isSeq(node) && Array.isArray(value)) setItems(node, value, document)
  else if (isScalar(node) && typeof value !== 'object') node.value = value
  else map.set(key, document.createNode(value))
}

/** Items that stay keep their comments. */
function setItems(seq: YAMLSeq, values: readonly unknown[], document: Document): void {
  for (let index = seq.items.length - 1; index >= 0; index--)
    if (!values.includes(valueOf(seq.items[index], document))) removeItem(seq, index, seq)
  const left = [...seq.items]
  seq.items = values.map((value) => {
    const index = left.findIndex((item) => valueOf(item, document) === value)
    return index < 0 ? document.createNode(value) : left.splice(index, 1)[0]
  })
}

/**
 * Puts keys that are new in the place of their examples: comments such as `# medium: bd-r-25`, with
 * the lines below it that are further in.
 */
function withoutExamples(text: string, now: Project, next: Project): string {
  let changed = text
  for (const key of KEYS) {
    if (now[key] !== undefined || next[key] === undefined) continue
    const example = new RegExp(`^# ${key}:.*(?:\\r?\\n# {2,}\\S.*)*$`, 'm')
    const lines = stringify({ [key]: next[key] }, { lineWidth: 0, singleQuote: true }).trimEnd()
    const before = changed
    changed = before.replace(example, () => lines)
    // Below a key with an indented value it would be taken for a part of that.
    if (safely(() => readProjectText(changed, '').project) === null) changed = before
  }
  return changed
}

/** Puts words and numbers in the place of others, so that nothing around them is written anew. */
function withValuesInPlace(text: string, file: string, next: Project): string {
  const { document } = parseProject(text, file)
  const edits = inPlace(document.contents, next, document).sort((one, other) => other.start - one.start)
  return edits.reduce(
    (before, { start, end, value }) => before.slice(0, start) + value + before.slice(end),
    text,
  )
}

function inPlace(map: unknown, next: Readonly<Record<string, unknown>>, document: Document): Edit[] {
  if (!isMap(map) || map.flow === true) return []
  return map.items.flatMap(({ key, value: node }): Edit[] => {
    const value = next[keyOf(key, document)]
    if (isMap(node)) return isRecord(value) ? inPlace(node, value, document) : []
    if (!isScalar(node) || !node.range || node.value === null || node.anchor !== undefined) return []
    if ((typeof value !== 'string' && typeof value !== 'number') || value === node.value) return []
    if (node.type?.startsWith('BLOCK')) return []
    const scalar = Object.assign(new Scalar(value), node.type !== undefined && { type: node.type })
    const [start, end] = node.range
    return [{ start, end, value: stringify(scalar, { lineWidth: 0, singleQuote: true }).trimEnd() }]
  })
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly value: string
}

/** How a person writes: how far in, and with spaces inside of brackets or not. */
function styleOf(document: Document, text: string) {
  let indent: number | null = null
  let indentSeq: boolean | null = null
  visit(document, {
    Pair(_key, { key, value }) {
      const column = (node: unknown): number => {
        const start = (node as { range?: [number, number, number] | null }).range?.[0] ?? 0
        return start - (text.lastIndexOf('\n', start - 1) + 1)
      }
      if (isMap(value) && value.flow !== true && value.range) indent ??= column(value) - column(key)
      if (isSeq(value) && value.flow !== true && value.range) indentSeq ??= column(value) > column(key)
    },
  })
  return {
    indent: indent !== null && indent > 0 ? indent : 2,
    indentSeq: indentSeq ?? true,
    flowCollectionPadding: !/^[^#\n]*[[{][^\s#]/m.test(text),
    singleQuote: true,
  }
}

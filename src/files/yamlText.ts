import {
  type Document,
  isMap,
  isNode,
  isPair,
  LineCounter,
  type Node,
  type ParsedNode,
  parseDocument,
  type ToStringOptions,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import { AppError } from '../primitives/appError'
import { said } from '../primitives/said'
import { yamlMistake } from '../primitives/yamlMistake'

/** A file of aliases of aliases is refused before it grows. */
const MOST_ALIASES = 100

/** A text of `name: value` lines that a person may have written as YAML or JSON. */
export interface YamlText {
  readonly document: Document
  /** Where a node is: `/a/settings.yaml:3:8`; the start of the text for what is no node. */
  placeOf(node: unknown): string
  /** The place of a character of the text. */
  placeAt(offset: number): string
}

/**
 * @param shape says what such a text consists of, where it is something else
 * @throws AppError `bad-input` with the first mistake, in one line that begins with file, line and
 *   column
 */
export function parseYaml(text: string, file: string, shape: string): YamlText {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true })
  const placeAt = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return `${file}:${line}:${col}`
  }
  const placeOf = (node: unknown): string => placeAt((isNode(node) && node.range?.[0]) || 0)
  const refuse = (place: string, message: string): never => {
    throw new AppError('bad-input', said`${place}: ${message}`, { path: file })
  }
  const [mistake] = document.errors
  if (mistake) refuse(placeAt(mistake.pos[0]), yamlMistake(mistake))
  if (document.contents !== null && !isMap(document.contents)) {
    const isEmpty = isNode(document.contents) && document.contents.toJS(document) === null
    if (!isEmpty) refuse(placeOf(document.contents), shape)
  }
  return { document, placeOf, placeAt }
}

/** The value of a node. @throws AppError `bad-input` for aliases that cannot be followed */
export function valueOf(node: unknown, document: Document): unknown {
  if (!isNode(node)) return node
  try {
    const value: unknown = node.toJS(document, { maxAliasCount: MOST_ALIASES })
    // An alias of the list that it is in makes one that never ends.
    JSON.stringify(value)
    return value
  } catch (thrown) {
    throw new AppError('bad-input', yamlMistake(AppError.from(thrown)), { cause: thrown })
  }
}

/** The name of a line. */
export function keyOf(key: unknown, document: Document): string {
  return isNode(key) ? String(key.toJS(document)) : String(key)
}

/**
 * Removes an item of a map or a list. A comment above it may be about more than that: it stays.
 * @param after takes that comment where no further item follows
 */
export function removeItem(
  { items }: YAMLMap | YAMLSeq,
  index: number,
  after: { comment?: string | null | undefined },
): void {
  const gone = headOf(items.splice(index, 1)[0])
  if (!gone?.commentBefore) return
  const next = headOf(items[index])
  if (next) {
    // An empty line between them is a part of the comment now.
    const below = next.spaceBefore && next.commentBefore ? `\n${next.commentBefore}` : next.commentBefore
    next.commentBefore = joined(gone.commentBefore, below)
    next.spaceBefore = gone.spaceBefore ?? false
  } else after.comment = joined(gone.commentBefore, after.comment)
}

/** The node that has the comment above an item. */
function headOf(item: unknown): Node | null {
  const head = isPair(item) ? item.key : item
  return isNode(head) ? head : null
}

function joined(first: string, second: string | null | undefined): string {
  return second ? `${first}\n${second}` : first
}

/** The text of a document that was changed, with the line ends of the text that it is from. */
export function yamlTextOf(
  document: Document<ParsedNode | Node>,
  text: string | null,
  style: ToStringOptions = {},
): string {
  const changed = `${document.toString({ lineWidth: 0, nullStr: '', ...style }).trimEnd()}\n`
  return text?.includes('\r\n') ? changed.replaceAll(/\r?\n/g, '\r\n') : changed
}

import { type Document, isMap, isNode, LineCounter, parseDocument } from 'yaml'
import { AppError } from '../primitives/appError'

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
    throw new AppError('bad-input', `${place}: ${message}`, { path: file })
  }
  const [mistake] = document.errors
  if (mistake) refuse(placeAt(mistake.pos[0]), mistake.message.split('\n')[0] ?? '')
  if (document.contents !== null && !isMap(document.contents)) {
    const isEmpty = isNode(document.contents) && document.contents.toJS(document) === null
    if (!isEmpty) refuse(placeOf(document.contents), shape)
  }
  return { document, placeOf, placeAt }
}

/** The value of a node. @throws whatever `yaml` throws at aliases that it cannot follow */
export function valueOf(node: unknown, document: Document): unknown {
  return isNode(node) ? node.toJS(document, { maxAliasCount: MOST_ALIASES }) : node
}

/** The name of a line. */
export function keyOf(key: unknown, document: Document): string {
  return isNode(key) ? String(key.toJS(document)) : String(key)
}

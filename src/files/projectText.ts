import { type Document, isMap, isNode, isScalar, isSeq, type Node, stringify, visit } from 'yaml'
import { type Project, projectKeys, projectSchema, refusedKey } from '../domain/project/project'
import { AppError } from '../primitives/appError'
import { nearestName } from '../primitives/nearestName'
import { said } from '../primitives/said'
import { keyOf, parseYaml, valueOf, type YamlText } from './yamlText'

/** A key of a project, from the top: `['rules', 'patterns', 0]`. */
export type ProjectPath = readonly PropertyKey[]

/** A fault of a project file. */
export interface ProjectProblem {
  /** `/a/photos.stowage.yaml:3:8` */
  readonly place: string
  readonly message: string
}

export interface ProjectText {
  /** Null for a text with problems. */
  readonly project: Project | null
  /** In the order of the text. */
  readonly problems: readonly ProjectProblem[]
  /** Where the value of a key is; of a missing one, where it should be. */
  placeOf(path: ProjectPath): string
}

/**
 * Reads a project that a person may have written as YAML or JSON. A key without a value is as good
 * as none.
 * @throws AppError `bad-input` for a text that is not YAML, one line that begins with file, line
 *   and column
 */
export function readProjectText(text: string, file: string): ProjectText {
  const { document, placeOf: placeOfNode, placeAt } = parseProject(text, file)
  const placeOf = (path: ProjectPath): string => placeOfNode(nodeAt(document, path))
  const unquoted = unquotedTexts(text, document).map(({ at, message }) => ({ place: placeAt(at), message }))
  if (unquoted.length > 0) return { project: null, problems: unquoted, placeOf }
  const value = plainValue(document, file)
  const read = projectSchema.safeParse(value)
  if (read.success) return { project: read.data, problems: [], placeOf }
  const problems = read.error.issues.flatMap((issue) => faultsOf(issue, value, document))
  const placed = problems
    .map(({ node, message }) => ({ at: startOf(node), place: placeOfNode(node), message }))
    .sort((one, other) => one.at - other.at)
  return { project: null, problems: placed.map(({ place, message }) => ({ place, message })), placeOf }
}

/** @throws AppError `bad-input` for a text that is not YAML */
export function parseProject(text: string, file: string): YamlText {
  return parseYaml(text, file, 'a project is lines "name: value"')
}

interface Fault {
  readonly node: unknown
  readonly message: string
}

/**
 * Names that are no keys: YAML takes `*.tmp` for the name of another value and `!keep.tmp` for a
 * type.
 */
function unquotedTexts(text: string, document: Document): { at: number; message: string }[] {
  const found = document.warnings
    .filter(({ code }) => code === 'TAG_RESOLVE_FAILED')
    .map(({ pos: [start, end] }) => ({ at: start, text: text.slice(start, end) }))
  const reserved: { at: number; message: string }[] = []
  visit(document, {
    // An object has no key of this name that is a value: it would be left out without a word.
    Pair(_key, { key }) {
      if (isScalar(key) && key.value === '__proto__')
        reserved.push({ at: startOf(key), message: said`__proto__ cannot be a name: choose another one` })
    },
    Alias(_key, node) {
      if (node.resolve(document) === undefined) found.push({ at: startOf(node), text: `*${node.source}` })
    },
  })
  const unquoted = found.map(({ at, text: word }) => ({
    at,
    message: said`put ${word} in quotes: '${word}'`,
  }))
  return [...unquoted, ...reserved].sort((one, other) => one.at - other.at)
}

/** @throws AppError `bad-input` for aliases of aliases without end */
function plainValue(document: Document, file: string): unknown {
  try {
    return withoutNulls(valueOf(document.contents, document) ?? {})
  } catch (thrown) {
    const message = said`${file}:1:1: ${AppError.from(thrown).message}`
    throw new AppError('bad-input', message, { path: file, cause: thrown })
  }
}

function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== null)
      .map(([key, each]) => [key, withoutNulls(each)]),
  )
}

type Issue = NonNullable<ReturnType<typeof projectSchema.safeParse>['error']>['issues'][number]

function faultsOf(issue: Issue, value: unknown, document: Document): Fault[] {
  const { path } = issue
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      node: keyNode(document, path, key),
      message: said`${nameOf([...path, key])} ${refusedKey(path, key, nearestName(key, projectKeys(path)))}`,
    }))
  }
  if (issue.code === 'invalid_key') {
    const name = String(path.at(-1))
    const message = said`${nameOf(path.slice(0, -1))} ${issue.issues[0]?.message ?? ''}, not "${name}"`
    return [{ node: keyNode(document, path.slice(0, -1), name), message }]
  }
  const given = path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  )
  const node = nodeAt(document, path)
  if (given === undefined) return [{ node, message: said`${nameOf(path)} is missing: it ${issue.message}` }]
  const shown = isScalar(node) ? `, not ${JSON.stringify(given)}` : ''
  return [{ node, message: said`${nameOf(path)} ${issue.message}${shown}` }]
}

/** The second pattern is `rules.patterns[2]`: people count from one. */
function nameOf(path: ProjectPath): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part + 1}]`
    return name === '' ? String(part) : `${name}.${String(part)}`
  }, '')
}

/** The node at a path, or the nearest one above it. */
function nodeAt(document: Document, path: ProjectPath): Node | null {
  let node: unknown = document.contents
  for (const part of path) {
    const below: unknown = isMap(node) || isSeq(node) ? node.get(part, true) : undefined
    if (!isNode(below) || below.range === undefined || below.range === null) break
    node = below
  }
  return isNode(node) ? node : null
}

function keyNode(document: Document, path: ProjectPath, name: string): unknown {
  const map = nodeAt(document, path)
  return isMap(map) ? (map.items.find(({ key }) => keyOf(key, document) === name)?.key ?? map) : map
}

function startOf(node: unknown): number {
  return (isNode(node) && node.range?.[0]) || 0
}

const HEADER = `# A project of Stowage: what one archive holds, and how it is stored. Change it as you like:
# "stowage project check FILE" checks it, "stowage project schema" prints all keys as JSON Schema.`

/**
 * The text of a new project file: each key after a comment with what it is. One that is not given
 * is there as a comment with an example.
 */
export function newProjectText(project: Partial<Project>): string {
  const blocks = Object.entries(projectSchema.shape).map(([key, schema]) => {
    const { description = '', examples } = schema.meta() ?? {}
    const value = project[key as keyof Project]
    const isGiven = value !== undefined
    const text = stringify(
      { [key]: isGiven ? value : (examples as readonly unknown[] | undefined)?.[0] },
      { lineWidth: 0, singleQuote: true },
    )
    const lines = text.trimEnd().split('\n')
    return [`# ${description}`, ...(isGiven ? lines : lines.map((line) => `# ${line}`))].join('\n')
  })
  return `${[HEADER, ...blocks].join('\n\n')}\n`
}

/**
 * The project of a text.
 * @throws AppError `bad-input` with the first problem, and how many follow
 */
export function requireProject({ project, problems }: ProjectText, file: string): Project {
  if (project) return project
  const [first, ...more] = problems
  const rest = more.length === 0 ? '' : said` (and ${more.length} more: stowage project check ${file})`
  throw new AppError('bad-input', said`${first?.place ?? file}: ${first?.message ?? ''}${rest}`, {
    path: file,
  })
}

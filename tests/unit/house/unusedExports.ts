import { posix } from 'node:path'
import { parseSync } from 'vite'
import type { Spot } from './sourceFiles'

/** An exported name that no other file needs. */
interface UnusedExport extends Spot {
  readonly name: string
  /** Completes the sentence "… is exported, but …". */
  readonly because: string
}

/** The exports of one file, and what it takes from others. */
interface Links {
  readonly file: string
  readonly source: string
  /** By name; the default export is not among them. */
  readonly exported: ReadonlyMap<string, Exported>
  /** Files whose exports are all exported again. */
  readonly passedOn: readonly string[]
  /** `ANY` where it may be any name of the file. */
  readonly taken: readonly { readonly from: string; readonly name: string }[]
}

interface Exported {
  readonly isType: boolean
  /** Where its name is in the text. */
  readonly at: number
  /** Its whole statement. */
  readonly statement: string
}

const ANY = '*'

/**
 * The exports that only their own file uses; and those of product files that only tests use, unless
 * their file uses them too: then a test looks at a part of what the product runs. A type that
 * another export of its file names belongs to that one.
 * @param sources the text of every file by its path, all that may import one another
 */
export function unusedExports(sources: ReadonlyMap<string, string>): UnusedExport[] {
  const files = new Map([...sources].map(([file, source]) => [withoutEnding(file), linksOf(file, source)]))
  const users = usersOf(files)
  return [...files].flatMap(([key, links]) =>
    [...links.exported].flatMap(([name, { at }]): UnusedExport[] => {
      const because = whyUnused(links, name, [
        ...(users.get(`${key} ${name}`) ?? []),
        ...(users.get(`${key} ${ANY}`) ?? []),
      ])
      const line = links.source.slice(0, at).split('\n').length
      return because === null ? [] : [{ file: links.file, line, name, because }]
    }),
  )
}

function whyUnused(links: Links, name: string, users: readonly string[]): string | null {
  const { file, source } = links
  if (users.length === 0) return isPartOfExport(links, name) ? null : 'no other file uses it'
  if (isTest(file) || users.some((user) => !isTest(user))) return null
  return timesNamed(file, source, name) > 1 ? null : 'only tests use it'
}

/** True for a type that the statement of another export of its file names. */
function isPartOfExport({ exported }: Links, name: string): boolean {
  const own = exported.get(name)
  return (
    own?.isType === true &&
    [...exported.values()].some(
      ({ statement }) => statement !== own.statement && new RegExp(`\\b${name}\\b`).test(statement),
    )
  )
}

/** The files that use a name of a file, followed through files that export it again. */
function usersOf(files: ReadonlyMap<string, Links>): ReadonlyMap<string, ReadonlySet<string>> {
  const users = new Map<string, Set<string>>()
  const note = (from: string, name: string, user: string): void => {
    const key = `${from} ${name}`
    const known = users.get(key) ?? new Set()
    if (known.has(user)) return
    users.set(key, known.add(user))
    const links = files.get(from)
    if (name === ANY || !links?.exported.has(name))
      for (const origin of links?.passedOn ?? []) note(origin, name, user)
  }
  for (const { file, taken } of files.values()) {
    for (const { from, name } of taken) {
      const isFolder = from.endsWith('/*')
      const origins = isFolder
        ? [...files.keys()].filter((key) => posix.dirname(key) === posix.dirname(from))
        : [from]
      for (const origin of origins) note(origin, name, file)
    }
  }
  return users
}

function linksOf(file: string, source: string): Links {
  const { staticImports, staticExports } = parseSync(file, source).module
  const target = (specifier: string): string => withoutEnding(posix.join(posix.dirname(file), specifier))
  const exports = staticExports.flatMap(({ start, end, entries }) =>
    entries.map((entry) => ({ ...entry, statement: source.slice(start, end) })),
  )
  const passedOn = exports.filter(({ importName }) => importName.kind === 'AllButDefault')
  return {
    file,
    source,
    exported: new Map(
      exports.flatMap(({ exportName: { kind, name, start: at }, isType, statement }) =>
        kind === 'Name' && name && at !== null ? [[name, { isType, at, statement }] as const] : [],
      ),
    ),
    passedOn: passedOn.map(({ moduleRequest }) => target(moduleRequest?.value ?? '')),
    taken: [
      ...staticImports.flatMap(({ moduleRequest, entries }) =>
        entries.map(({ importName: { name } }) => ({ from: target(moduleRequest.value), name: name ?? ANY })),
      ),
      ...exports.flatMap(({ moduleRequest, importName: { kind, name } }) =>
        moduleRequest && kind !== 'AllButDefault'
          ? [{ from: target(moduleRequest.value), name: name ?? ANY }]
          : [],
      ),
      ...loadedBy(file, source).map((path) => ({ from: withoutEnding(path), name: ANY })),
    ],
  }
}

/**
 * The files that a file loads by their paths: `import('./x')`, `import.meta.glob('./folder/*.ts')`, and
 * in scripts and configurations `'src/cli/cliPage.ts'`.
 */
function loadedBy(file: string, source: string): string[] {
  const paths = (pattern: RegExp): string[] => [...source.matchAll(pattern)].map(([, path = '']) => path)
  return [
    ...paths(/\bimport(?:\.meta\.glob(?:<.+>)?)?\(\s*['"](\.[^'"]+)['"]/g).map((path) =>
      posix.join(posix.dirname(file), path),
    ),
    ...(/^(?:src|renderer|tests)\//.test(file)
      ? []
      : paths(/['"`]((?:src|renderer|tests)\/[\w./-]+\.\w+)['"`]/g)),
  ]
}

/** How often a name stands in the code of a file, comments apart. */
function timesNamed(file: string, source: string, name: string): number {
  const code = parseSync(file, source).comments.reduceRight(
    (text, { start, end }) => text.slice(0, start) + text.slice(end),
    source,
  )
  return code.match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0
}

function isTest(file: string): boolean {
  return file.startsWith('tests/')
}

function withoutEnding(file: string): string {
  return file.replace(/\.(ts|tsx|mjs|cjs|js)$/, '')
}

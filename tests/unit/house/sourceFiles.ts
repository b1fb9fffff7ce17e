import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import { parseSync } from 'vite'

/** A place in a source file: `src/main/window.ts:12`. */
export interface Spot {
  readonly file: string
  readonly line: number
}

/** One import or re-export. `target` is the file's path from the top without its ending, or the package's specifier. */
export interface ImportFact extends Spot {
  readonly target: string
  readonly isPackage: boolean
}

/** A syntax node as the parser gives it: ESTree, with TypeScript's own kinds. */
export type SyntaxNode = { readonly type: string; readonly start: number } & Readonly<Record<string, unknown>>

/** Every file that is tracked, or would be: what is ignored is not ours to judge. Paths from the repository's top. */
export function houseFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  })
  const files = listed
    .split('\0')
    .filter((file) => file !== '' && statSync(file, { throwIfNoEntry: false })?.isFile())
  if (files.length === 0) throw new Error('git lists no files: these checks need the repository')
  return files
}

/** TypeScript and JavaScript sources among the files of the house, in the given folders. */
export function scriptFiles(...folders: string[]): string[] {
  return houseFiles().filter(
    (file) =>
      /\.(ts|tsx|mjs|cjs|js)$/.test(file) &&
      (folders.length === 0 || folders.some((folder) => file.startsWith(`${folder}/`))),
  )
}

/** C++ sources and headers of the addon. */
export function nativeFiles(): string[] {
  return houseFiles().filter((file) => file.startsWith('native/src/') && /\.(cc|h)$/.test(file))
}

/** Every include of a header of ours; those of libraries and of the system are left out. */
export function includesOf(file: string, source: string): ImportFact[] {
  return source.split('\n').flatMap((text, at) => {
    const header = /^#include "([^"]+)"$/.exec(text)?.[1]
    if (header === undefined) return []
    const target = header.includes('/') ? `native/src/${header}` : posix.join(posix.dirname(file), header)
    return [{ file, line: at + 1, target, isPackage: false }]
  })
}

const known = new Map<string, readonly ImportFact[]>()

/** The imports of a file of the house; each is parsed once for all tests of one process. */
export function importsIn(file: string): readonly ImportFact[] {
  const before = known.get(file)
  if (before) return before
  const facts = importsOf(file, readFileSync(file, 'utf8'))
  known.set(file, facts)
  return facts
}

/** Every import of a file, also type-only ones, re-exports, `import()` with a fixed name, `import('x')` types and `require`. */
export function importsOf(file: string, source: string): ImportFact[] {
  const facts: ImportFact[] = []
  walk(file, source, (node, lineOf) => {
    const specifier = specifierOf(node)
    if (specifier === undefined) return
    const isPackage = !specifier.startsWith('.')
    const target = isPackage
      ? specifier
      : posix.join(posix.dirname(file), specifier).replace(/\.(ts|tsx|mjs|js)$/, '')
    facts.push({ file, line: lineOf(), target, isPackage })
  })
  return facts
}

function specifierOf(node: SyntaxNode): string | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return literalOf(node['source']) ?? literalOf(node['argument'])
    case 'TSExternalModuleReference':
      return literalOf(node['expression'])
    case 'CallExpression':
      return isNamed(node['callee'], 'require') ? literalOf((node['arguments'] as unknown[])[0]) : undefined
    default:
      return undefined
  }
}

/** Calls `visit` for every node of the file's syntax tree, with what gives its line. Throws when the file cannot be parsed. */
export function walk(
  file: string,
  source: string,
  visit: (node: SyntaxNode, lineOf: () => number) => void,
): void {
  const parsed = parseSync(file, source)
  if (parsed.errors.length > 0) throw new Error(`${file}: ${parsed.errors[0]?.message}`)
  const lineStarts = [0]
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) lineStarts.push(at + 1)
  const descend = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) descend(item)
    else if (isNode(value)) {
      visit(value, () => lineStarts.findLastIndex((start) => start <= value.start) + 1)
      for (const child of Object.values(value)) if (typeof child === 'object') descend(child)
    }
  }
  descend(parsed.program)
}

/** The name of a plain identifier node, also inside parentheses-free casts; undefined for anything else. */
export function isNamed(node: unknown, name: string): boolean {
  return isNode(node) && node.type === 'Identifier' && node['name'] === name
}

/** `object.property` of a member access with fixed names, such as `Date.now` or `globalThis.performance`. */
export function memberOf(node: SyntaxNode): { object: SyntaxNode; property: string } | undefined {
  if (node.type !== 'MemberExpression' || !isNode(node['object']) || !isNode(node['property']))
    return undefined
  const property = node['computed'] === true ? literalOf(node['property']) : node['property']['name']
  return typeof property === 'string' ? { object: node['object'], property } : undefined
}

function isNode(value: unknown): value is SyntaxNode {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    typeof value.type === 'string' &&
    'start' in value
  )
}

function literalOf(value: unknown): string | undefined {
  if (!isNode(value)) return undefined
  if (value.type === 'TSLiteralType') return literalOf(value['literal'])
  return value.type === 'Literal' && typeof value['value'] === 'string' ? value['value'] : undefined
}

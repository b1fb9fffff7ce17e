import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { literally } from '../../../src/primitives/said'

const SRC = resolve(import.meta.dirname, '../../../src')
/** Verbs of `cannot <verb> <path>: <cause>`, where they are written. */
const VERBS = [
  /\battempt(?:AtOnce)?\(\s*'([^']*)'/g,
  /\bfileFailure\(\s*[\w.]+,\s*'([^']*)'/g,
  /\bcannot\(\s*(?:'[\w-]+'|[\w.]+),\s*'([^']*)'/g,
]
const COUNTS = /formatCounted\((?:[^()']|\([^()]*\))*'([^']+)'/g

export interface SaidMessages {
  /** Messages that are written as `said`, with the file of each. */
  readonly written: ReadonlyMap<string, string>
  /** Messages that are put together: counts with their noun, and failures of file operations. */
  readonly built: ReadonlySet<string>
}

/** The messages of all sentences that the sources say, but for those of the command line alone. */
export function saidMessages(): SaidMessages {
  const written = new Map<string, string>()
  const built = new Set<string>()
  for (const name of readdirSync(SRC, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue
    const text = readFileSync(join(SRC, name), 'utf8')
    for (const { index } of text.matchAll(/\bsaid`/g)) written.set(messageAt(text, index + 5), name)
    for (const [, noun] of text.matchAll(COUNTS)) built.add(`{0, plural, one {# ${noun}} other {# ${noun}s}}`)
    if (name.startsWith('cli/')) continue
    for (const verbs of VERBS)
      for (const [, verb = ''] of text.matchAll(verbs)) built.add(`cannot ${literally(verb)} {0}: {1}`)
  }
  return { written, built }
}

/** The message of a template whose text begins at a place. */
function messageAt(text: string, from: number): string {
  let message = ''
  let values = 0
  let at = from
  while (text[at] !== '`') {
    if (text.startsWith('${', at)) {
      message += `{${values++}}`
      at = endOfValue(text, at + 2)
    } else if (text[at] === '\\') {
      message += text[at + 1]
      at += 2
    } else message += literally(text[at++] as string)
  }
  return message
}

/** The place behind the brace that ends a value of a template. */
function endOfValue(text: string, from: number): number {
  let at = from
  for (let depth = 1; depth > 0; at += 1) {
    const sign = text[at] as string
    if ('\'"`'.includes(sign)) at = endOfQuoted(text, at)
    else if (sign === '{') depth += 1
    else if (sign === '}') depth -= 1
  }
  return at
}

/** The place of the sign that ends a quoted text or a template. */
function endOfQuoted(text: string, from: number): number {
  let at = from + 1
  while (text[at] !== text[from]) {
    if (text[at] === '\\') at += 2
    else if (text[from] === '`' && text.startsWith('${', at)) at = endOfValue(text, at + 2)
    else at += 1
  }
  return at
}

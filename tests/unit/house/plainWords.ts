import { walk } from './sourceFiles'

/** A phrase of the private dialect that Stowage's text once had, and what to write instead. */
interface Phrase {
  readonly not: RegExp
  readonly but: string
}

/**
 * Phrases that are never right in text for people. A word with a good use as well (`says`, `turns`) is left to the
 * writer: everything here may be refused wherever it occurs.
 */
const PHRASES: readonly Phrase[] = [
  { not: /\bcame to\b|\bcomes to\b|\bcome to\b/i, but: 'actual size, is' },
  { not: /\b(beside|against) (the )?facts?\b|\bforecast (and|beside) fact\b/i, but: 'forecast and actual' },
  { not: /\bdear(er|est)?\b/i, but: 'slow' },
  { not: /\bluck\b/i, but: 'sampling variation' },
  { not: /\btold\b/i, but: 'reported' },
  { not: /\bbeside\b/i, but: 'next to, compared with, in addition to' },
  { not: /\b(of|\d+|\{count\}) ways\b/i, but: 'options' },
  { not: /\bkept? (it|of it) nowhere\b|\bkept nowhere\b/i, but: 'never stored' },
  { not: /\bstands?\b|\bstood\b/i, but: 'is' },
  { not: /\bmiddle errors?\b/i, but: 'median absolute error' },
  { not: /\bwish(es|ed)?\b/i, but: 'constraints, preferences, settings' },
  { not: /\bkeeps? to\b/i, but: 'meets' },
  { not: /\bpast the (system's |page )?cache\b/i, but: 'direct (uncached)' },
  { not: /\bthrough the (system's |page )?cache\b/i, but: 'buffered (cached)' },
  { not: /\bdisks without heads\b/i, but: 'SSDs and virtual disks' },
  { not: /\bon the front\b/i, but: 'Pareto-optimal, best trade-off' },
  { not: /\blean(s|ed|t|ing)? on\b/i, but: 'use as covariate' },
  { not: /\bsecond surveys?\b/i, but: 'incremental survey' },
  { not: /\btrusted files?\b|\bfiles (are|were) trusted\b/i, but: 'unchanged files' },
  { not: /\bprocessor time\b/i, but: 'CPU time' },
  { not: /\bas small\b/i, but: 'within error of the smallest' },
  { not: /\bshare of raw\b/i, but: 'compression ratio' },
  { not: /\bread once\b/i, but: 'survey' },
  { not: /\bdraws the\b/i, but: 'random seed for' },
  { not: /\bwhat if\b/i, but: 'forecast with' },
  { not: /\bas much as lies there\b|\blies there\b/i, but: 'is' },
  { not: /\btaught?\b.*\bforecasts\b|\bteach(es)?\b.*\bforecasts\b/i, but: 'calibrates' },
]

/**
 * The files whose text people read. Give a folder with its slash. Of a copy file the values count, of a source file the
 * texts in quotes; comments and names do not.
 */
export const READ_BY_PEOPLE: readonly string[] = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/',
  '.github/',
  'assets/copy/',
  'src/cli/',
  'src/contract/',
  'src/domain/',
  'src/engine/',
  'src/main/',
]

/** What people read of a file, each text on its own line: everything of a page, values of a copy file, quoted texts of a source. */
export function textForPeople(file: string, content: string): string {
  if (file.endsWith('.ts')) return quotedTexts(file, content)
  if (file.endsWith('.json')) return content.replaceAll(/^\s*"[^"]*":/gm, (key) => ' '.repeat(key.length))
  return content
}

/** Texts of more than one word: a single one is a name. */
function quotedTexts(file: string, source: string): string {
  const lines = source.split('\n').map(() => '')
  walk(file, source, (node, lineOf) => {
    const value =
      node.type === 'TemplateElement'
        ? (node['value'] as { readonly cooked?: string | null }).cooked
        : node.type === 'Literal'
          ? node['value']
          : null
    if (typeof value === 'string' && value.trim().includes(' '))
      lines[lineOf() - 1] += `${value.replaceAll(/[\n`]/g, ' ')} | `
  })
  return lines.join('\n')
}

/** Every phrase in a text as a sentence: where, what, and what to write instead. Code in back quotes is not looked at. */
export function dialectIn(name: string, text: string): string[] {
  const prose = text
    .replaceAll(/^```.*?^```/gms, (code) => code.replaceAll(/[^\n]/g, ''))
    .replaceAll(/`[^`\n]*`/g, (code) => ' '.repeat(code.length))
  // A phrase may run over the end of a line.
  const flat = prose.replaceAll('\n', ' ')
  return PHRASES.flatMap(({ not, but }) =>
    [...flat.matchAll(new RegExp(not.source, 'gi'))].map(({ 0: found, index }) => {
      const line = prose.slice(0, index).split('\n').length
      return `${name}:${line} "${found}": write ${but}`
    }),
  )
}

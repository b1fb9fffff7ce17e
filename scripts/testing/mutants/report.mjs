import { posix } from 'node:path'

/**
 * The line of a mutant, with a note where no test runs it.
 * @param {{ mutant: import('./choice.mjs').Mutant, outcome?: string }} result
 */
export function survivorLine({ mutant, outcome }) {
  const { path, line, kind, from, to } = mutant
  const isLoaded = outcome === 'untested' ? ' (no test runs it)' : ''
  return `${path}:${line} ${kind} '${from}' -> '${to}'${isLoaded}`
}

/**
 * The table by folder of what became of mutants: which tests saw each, `none`, or `untested` where
 * no test runs it; with a row for all of them: mutants, seen, by which tests, the score.
 * @param {{ mutant: import('./choice.mjs').Mutant, outcome: string }[]} results
 */
export function scoreTable(results) {
  const folders = [...new Set(results.map(({ mutant }) => posix.dirname(mutant.path)))].toSorted()
  const rows = folders.map((folder) =>
    rowOf(
      folder,
      results.filter(({ mutant }) => posix.dirname(mutant.path) === folder),
    ),
  )
  const hasOthers = results.some(({ outcome }) => outcome === 'commands')
  const head = ['folder', 'mutants', 'seen', 'by nearest', 'by unit', 'by commands', 'not seen', 'score']
  const all = [head, ...rows, ...(folders.length === 1 ? [] : [rowOf('all', results)])]
  const table = all.map((row) => row.filter((_, at) => hasOthers || head[at] !== 'by commands'))
  const widths = table[0].map((_, at) => Math.max(...table.map((row) => row[at].length)))
  return table
    .map((row) =>
      row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join('  '),
    )
    .join('\n')
}

function rowOf(name, results) {
  const countOf = (...outcomes) => results.filter(({ outcome }) => outcomes.includes(outcome)).length
  const seen = countOf('nearest', 'unit', 'commands')
  return [
    name,
    results.length,
    seen,
    countOf('nearest'),
    countOf('unit'),
    countOf('commands'),
    results.length - seen,
    `${Math.round((100 * seen) / results.length)} %`,
  ].map(String)
}

/**
 * Folds the files of docs/changes into the section Unreleased of CHANGELOG.md and removes them: `npm run changelog`, at a release.
 * The form of a file is in docs/changes/README.md. Nothing is written when one of them has another form.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './bootstrap/paths.mjs'

const SECTIONS = ['Added', 'Changed', 'Fixed', 'Removed']
const MOST_TEXT_LINES = 3
const COLUMNS = 100
const FOLDER = 'docs/changes'
const CHANGELOG = 'CHANGELOG.md'
const UNRELEASED = '## Unreleased'

/** @typedef {{ name: string, text: string }} ChangeFile a file of docs/changes: its name and its content */

/** @returns {ChangeFile[]} those below the folder `root`, by name; the page that explains them is none */
export function changeFiles(root) {
  return readdirSync(join(root, FOLDER))
    .filter((name) => name !== 'README.md')
    .toSorted()
    .map((name) => ({ name, text: readFileSync(join(root, FOLDER, name), 'utf8') }))
}

/**
 * What is wrong with the form of a change, each in a line; nothing when it can be folded.
 * @param {ChangeFile} change
 */
export function faultsOf({ name, text }) {
  const [section, ...lines] = text.replace(/\n$/, '').split('\n')
  const faults = []
  if (!/^[a-z0-9]+(-[a-z0-9]+)+\.md$/.test(name)) faults.push('the name is not area-and-words.md')
  if (!SECTIONS.includes(section)) faults.push(`the first line is none of ${SECTIONS.join(', ')}`)
  if (lines.length === 0) faults.push('there is no text')
  if (lines.length > MOST_TEXT_LINES) faults.push(`the text has more than ${MOST_TEXT_LINES} lines`)
  if (lines.some((line) => line.trim() === '')) faults.push('a line is empty')
  if (lines.some((line) => line.length > COLUMNS)) faults.push(`a line has more than ${COLUMNS} columns`)
  if (lines.some((line) => /^\s*([-*+#]|\d+\.)\s/.test(line)))
    faults.push('a line starts a list or a heading: the text is one paragraph')
  return faults.map((fault) => `${FOLDER}/${name}: ${fault}`)
}

/**
 * The changelog with each change as the last entry of its section under Unreleased; a section that is missing there is made.
 * @param {string} changelog
 * @param {ChangeFile[]} changes well-formed ones
 * @throws Error when the changelog has no section Unreleased
 */
export function foldedChangelog(changelog, changes) {
  const lines = changelog.split('\n')
  const start = lines.indexOf(UNRELEASED)
  if (start < 0) throw new Error(`${CHANGELOG} has no "${UNRELEASED}"`)
  for (const { text } of changes) {
    const [section, ...paragraph] = text.trimEnd().split('\n')
    const entry = wrapped(paragraph.join(' '))
    const until = nextLine(lines, start + 1, /^## /)
    const heading = lines.slice(0, until).indexOf(`### ${section}`, start)
    if (heading < 0) {
      const at = afterText(lines, nextLine(lines.slice(0, until), start + 1, laterThan(section)))
      lines.splice(at, 0, '', `### ${section}`, '', ...entry)
    } else {
      const at = afterText(lines, nextLine(lines, heading + 1, /^##/))
      lines.splice(at, 0, ...(at === heading + 1 ? [''] : []), ...entry)
    }
  }
  return lines.join('\n')
}

/** The first line from `from` that matches, or the end. */
function nextLine(lines, from, pattern) {
  const at = lines.findIndex((line, index) => index >= from && pattern.test(line))
  return at < 0 ? lines.length : at
}

/** The line after the last one before `end` that is not empty. */
function afterText(lines, end) {
  return lines.findLastIndex((line, index) => index < end && line.trim() !== '') + 1
}

/** The headings of sections that come after this one. */
function laterThan(section) {
  const earlier = SECTIONS.slice(0, SECTIONS.indexOf(section))
  return new RegExp(`^### (?!(?:${earlier.join('|') || '-'})$)`)
}

/** A paragraph as an entry of a list. */
function wrapped(paragraph) {
  const entry = []
  let line = '-'
  for (const word of paragraph.split(/\s+/).filter((part) => part !== '')) {
    if (line.length + 1 + word.length > COLUMNS && line.trim().length > 1) {
      entry.push(line)
      line = ' '
    }
    line += ` ${word}`
  }
  return [...entry, line]
}

if (process.argv[1]?.endsWith('foldChanges.mjs')) {
  const changes = changeFiles(ROOT)
  const faults = changes.flatMap((change) => faultsOf(change))
  if (faults.length > 0) {
    process.stderr.write(`${faults.join('\n')}\n`)
    process.exitCode = 1
  } else {
    const file = join(ROOT, CHANGELOG)
    writeFileSync(file, foldedChangelog(readFileSync(file, 'utf8'), changes))
    for (const { name } of changes) rmSync(join(ROOT, FOLDER, name))
    process.stdout.write(`${changes.length} changes folded into ${CHANGELOG}\n`)
  }
}

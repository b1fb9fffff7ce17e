import { isAbsolute, relative } from 'node:path'
import { shellQuote } from '../../engine/tools/shellQuote'
import { lineWidth } from './wrapped'

/** Words that no shell takes for anything but themselves, and no program for an option. */
const PLAIN_WORD = /^[\p{L}\p{N}_/.@:+,][\p{L}\p{N}_/.@:+,=-]*$/u
const CONTROL = /\p{Cc}/u

/**
 * The npm scripts of the repository that run the command line: what they print is typed the same
 * way again.
 */
const SCRIPTS = new Set(['stowage', 'start'])

/** One word of a command line, quoted only where a shell needs it. */
export function shellWord(text: string, platform: string = process.platform): string {
  if (PLAIN_WORD.test(text) || /^--?[a-z][a-z-]*$/.test(text)) return text
  if (platform === 'win32') return /^[\w/.@:+,=\\-]+$/.test(text) ? text : `"${text}"`
  return CONTROL.test(text) ? dollarQuote(text) : shellQuote(text)
}

/** bash, zsh and ksh read `$'…'`: a name with a line break is still one line here. */
function dollarQuote(text: string): string {
  const escaped = text
    .replaceAll(/[\\']/g, String.raw`\$&`)
    .replaceAll(/\p{Cc}/gu, (control) => `\\${control.charCodeAt(0).toString(8).padStart(3, '0')}`)
  return `$'${escaped}'`
}

/** How this process was started, as a person types it. */
function program(): string[] {
  return SCRIPTS.has(process.env['npm_lifecycle_event'] ?? '')
    ? ['npm', 'run', '-s', 'stowage', '--']
    : ['stowage']
}

/** A path as a person here types it: from this folder on where it is inside it. */
export function typedPath(path: string): string {
  const inside = relative(process.cwd(), path)
  if (inside === '') return '.'
  return inside.startsWith('..') || isAbsolute(inside) ? path : inside
}

/**
 * A command that a person can copy: `Next: stowage build plan`, continued on further lines where
 * one is too narrow.
 */
export function nextCommand(label: string, words: readonly string[]): string[] {
  return commandLines(label, [...program(), ...words])
}

/** A command line for a shell after a label, on one or more lines. */
export function commandLines(label: string, words: readonly string[]): string[] {
  const parts: string[] = []
  for (const [index, word] of words.entries()) {
    const before = words[index - 1]
    // An option and its value stay on one line.
    if (before?.startsWith('--') && !word.startsWith('--')) parts.push(`${parts.pop()} ${shellWord(word)}`)
    else parts.push(word === '--' ? word : shellWord(word))
  }
  // Windows has no one way to continue a line.
  if (process.platform === 'win32') return [[label, ...parts].join(' ').trimStart()]
  const lines: string[] = []
  let line = label
  for (const word of parts) {
    const longer = `${line}${line === '' || line.endsWith(' ') ? '' : ' '}${word}`
    // Two columns stay free for the backslash.
    if (longer.length > lineWidth() - 2 && line.trim() !== '') {
      lines.push(`${line} \\`)
      line = `    ${word}`
    } else line = longer
  }
  return [...lines, line]
}

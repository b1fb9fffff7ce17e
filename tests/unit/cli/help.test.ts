import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readArguments } from '../../../src/cli/arguments'
import { cliPage } from '../../../src/cli/cliPage'
import type { CommandDeclaration } from '../../../src/cli/declarations/declaration'
import { DECLARATIONS } from '../../../src/cli/declarations/every'
import { helpText } from '../../../src/cli/help'
import { EXIT } from '../../../src/primitives/exitCode'
import { scriptFiles } from '../house/sourceFiles'

const commands: readonly (readonly [string, CommandDeclaration])[] = Object.entries(DECLARATIONS)

/** The options that a page of help shows at the start of its lines. */
function shownOptions(page: string): Set<string> {
  return new Set([...page.matchAll(/^ {2}--([a-z0-9-]+)/gm)].map(([, name]) => name ?? ''))
}

describe.each(commands)('help of %s', (name, { forms, notes = [] }) => {
  const page = helpText(name)

  it('shows every option that the command parses, except the hidden ones', () => {
    const options = forms.flatMap((form) => Object.entries(form.options))
    const named = notes.map(([subject]) => /^--(\S+)/.exec(subject)?.[1]).filter((each) => each !== undefined)
    const open = options.filter(([, { hidden }]) => hidden === undefined).map(([option]) => option)
    expect([...shownOptions(page)].toSorted()).toEqual(
      [...new Set([...open, ...named, 'json', 'help'])].toSorted(),
    )
  })

  it('explains every option, and why a hidden one is hidden', () => {
    for (const { options } of forms)
      for (const [option, { text, hidden = 'shown' }] of Object.entries(options)) {
        expect(text, `--${option}`).not.toBe('')
        expect(hidden, `--${option}`).not.toBe('')
      }
  })

  it('has no line over 100 columns', () => {
    expect(page.split('\n').filter((line) => line.length > 100)).toEqual([])
  })

  it('names every way to call the command', () => {
    for (const { verb } of forms) expect(page).toContain(`stowage ${name}${verb && ` ${verb}`}`)
  })
})

describe('arguments', () => {
  it('are parsed as the form declares them, with --json for every form', () => {
    const { values } = readArguments(
      ['--json', '--volume', '2', '--volume', '3'],
      DECLARATIONS.build.forms[0]!,
    )
    expect(values).toMatchObject({ json: true, volume: ['2', '3'], force: false })
  })

  it('are refused when the form does not declare them', () => {
    expect(() => readArguments(['--discard'], DECLARATIONS.build.forms[0]!)).toThrow(
      "unknown option '--discard'",
    )
  })

  it('are parsed nowhere but from a declared form', () => {
    const parsing = scriptFiles('src/cli').filter((file) => /\bparseArgs\b/.test(readFileSync(file, 'utf8')))
    expect(parsing).toEqual(['src/cli/arguments.ts'])
  })
})

describe('help of all commands', () => {
  it('names every command and every exit code', () => {
    const page = helpText(null)
    for (const [name, { does }] of commands)
      expect(page.replaceAll(/\s+/g, ' ')).toContain(` ${name} ${does}`)
    for (const code of Object.values(EXIT)) expect(page).toMatch(new RegExp(`^ {2}${code} `, 'm'))
  })

  it('is shown for the name of an unknown command', () => {
    expect(helpText('constructor')).toBe(helpText(null))
  })
})

it('docs/guide/cli.md is what scripts/writeCliPage.mjs writes', () => {
  expect(readFileSync('docs/guide/cli.md', 'utf8')).toBe(cliPage())
})

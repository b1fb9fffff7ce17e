import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { commandInProcess } from '../fixtures/commandInProcess'

const PROJECT = "it's mine.stowage.yaml"

let folder: string
let here: string
const script = (shell: string): string => join(folder, `stowage.${shell}`)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-completion-'))
  here = join(folder, 'here')
  mkdirSync(here)
  writeFileSync(join(here, PROJECT), '')
  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
    const { stdout, code } = await commandInProcess(['completion', shell], { home: join(folder, 'home') })
    expect(code).toBe(0)
    writeFileSync(script(shell), stdout)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function skipWithout(program: string, context: TestContext): void {
  if (spawnSync(program, ['--version']).error) context.skip(`${program} is not installed`)
}

/** The words that Tab offers for the last word of a line. */
const OFFERED: readonly (readonly [line: string, offers: readonly string[]])[] = [
  ['stowage verif', ['verify']],
  ['stowage survey mer', ['merge']],
  ['stowage survey --sam', ['--samples']],
  ['stowage survey --samples ', ['fast', 'none', 'normal', 'thorough']],
  ['stowage survey --samples=th', ['thorough']],
  ['stowage plan --medium bd', ['bd-r-25', 'bd-r-50', 'bdxl-100', 'bdxl-128']],
  ['stowage options --goal s', ['smallest']],
  ['stowage image create --kind ', ['UDRW', 'UDSB', 'UDSP']],
  ['stowage config set language ', ['de', 'en', 'system']],
  ['stowage measure --codec l', ['lz4']],
  ['stowage schema stowage.run', ['stowage.run/1', 'stowage.runs/1']],
  ['stowage survey --max-memory ', []],
]

/** Lines typed with Tab, and the arguments that `stowage` then gets. */
const TYPED: readonly (readonly [line: string, args: readonly string[]])[] = [
  ['stowage verif\t', ['verify']],
  ['stowage survey --samples=th\t', ['survey', '--samples=thorough']],
  ['stowage options --goal sm\t', ['options', '--goal', 'smallest']],
  ['stowage project show it\t', ['project', 'show', PROJECT]],
  ['stowage survey --project it\t', ['survey', '--project', PROJECT]],
]

/** The arguments that a program of the name gets when the line is typed in an interactive shell. */
function argumentsOf(line: string, shell: string, setup: string): string[] {
  const lines = [setup, `stowage() { printf '<%s>' "$@"; echo; }`, line, 'exit', '']
  const { stdout } = spawnSync('script', ['-qec', shell, '/dev/null'], {
    input: lines.join('\n'),
    encoding: 'utf8',
    cwd: here,
    env: { ...process.env, HOME: folder, TERM: 'dumb' },
    timeout: 60_000,
  })
  const printed = stdout.split(/\r?\n/).findLast((each) => /<[^%].*>\s*$/.test(each)) ?? ''
  return [...printed.matchAll(/<([^>]*)>/g)].map(([, argument = '']) => argument)
}

describe('completion in bash', () => {
  // COMP_WORDS as readline makes them: an equals sign is a word of its own.
  const wordsOf = (line: string): string[] => line.split(/ |(=)/).filter((word) => word !== undefined)

  it('offers what is declared', () => {
    const ask = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _stowage; printf '%s\\n' "\${COMPREPLY[@]}"`
    for (const [line, offers] of OFFERED) {
      const args = ['--norc', '-c', ask, 'bash', script('bash'), ...wordsOf(line)]
      const found = execFileSync('bash', args, { encoding: 'utf8' }).split('\n').filter(Boolean)
      expect(found.toSorted(), line).toEqual(offers)
    }
  })

  it('gives the command what was completed and quoted', () => {
    const setup = `source '${script('bash')}'`
    for (const [line, args] of TYPED) expect(argumentsOf(line, 'bash --norc -i', setup), line).toEqual(args)
  })

  it('is free of what shellcheck finds', (context) => {
    skipWithout('shellcheck', context)
    const { stdout } = spawnSync('shellcheck', ['-s', 'bash', script('bash')], { encoding: 'utf8' })
    expect(stdout).toBe('')
  })
})

describe('completion in zsh', () => {
  it('gives the command what was completed and quoted', (context) => {
    skipWithout('zsh', context)
    const setup = `autoload -U compinit; compinit -D -u; source '${script('zsh')}'`
    for (const [line, args] of TYPED) expect(argumentsOf(line, 'zsh -f -i', setup), line).toEqual(args)
  })
})

describe('completion in fish', () => {
  it('offers what is declared, with what it does', (context) => {
    skipWithout('fish', context)
    const ask = (line: string): string =>
      execFileSync('fish', ['--no-config', '-c', `source '${script('fish')}'; complete -C '${line}'`], {
        encoding: 'utf8',
        env: { ...process.env, HOME: folder },
      })
    for (const [line, offers] of OFFERED) {
      const found = ask(line).split('\n').filter(Boolean)
      const words = found.map((each) => each.replace(/\t.*/, '').replace(/^--\w+=/, ''))
      expect(words.toSorted(), line).toEqual(offers)
    }
    expect(ask('stowage verif')).toMatch(/^verify\tReads every file back/)
  })
})

describe('completion in PowerShell', () => {
  it('offers what is declared', (context) => {
    skipWithout('pwsh', context)
    for (const [line, offers] of OFFERED.filter(([each]) => !each.includes('='))) {
      const ask = `. '${script('powershell')}'; (TabExpansion2 '${line}' ${line.length}).CompletionMatches.CompletionText`
      const found = execFileSync('pwsh', ['-NoProfile', '-Command', ask], { encoding: 'utf8' })
      // Where the script offers nothing, PowerShell offers paths.
      if (offers.length > 0) expect(found.split(/\r?\n/).filter(Boolean).toSorted(), line).toEqual(offers)
    }
  })
})

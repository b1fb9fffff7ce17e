import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stowage } from '../fixtures/stowageCommand'

let folder: string
let home: string
let source: string
let surveyId: string

const RULES = ['--exclude', 'emptied/*', '--exclude', '*.tmp', '--exclude', 'gone/']

/** A folder whose content is left out, one that is left out itself, and files among others. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-rules-packed-'))
  home = join(folder, 'home')
  source = join(folder, 'source')
  for (const name of ['emptied', 'gone', 'kept']) mkdirSync(join(source, name), { recursive: true })
  const text = (word: string): string => `${word} `.repeat(3000)
  for (const name of ['emptied', 'gone', 'kept']) writeFileSync(join(source, name, 'file.txt'), text(name))
  writeFileSync(join(source, 'kept', 'part.tmp'), text('part'))
  const { code, stdout, stderr } = await stowage(
    ['survey', source, ...RULES, '--samples', 'fast', '--json'],
    { home },
  )
  expect(code, stderr).toBe(0)
  surveyId = (JSON.parse(stdout) as { id: string }).id
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The names of files in what was built, by the program that reads it. */
function filesIn(made: string, family: string): string[] {
  const print = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): string[] =>
    execFileSync(program, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, ...env },
    }).split('\n')
  const lines = (): string[] => {
    if (family === 'squashfs') return print('unsquashfs', ['-l', '-d', '', made])
    if (family === 'restic') {
      const password = /^Password: (.*)$/m.exec(readFileSync(join(made, 'README.txt'), 'utf8'))?.[1]
      const env = { RESTIC_PASSWORD: password, RESTIC_CACHE_DIR: join(folder, 'cache') }
      return print('restic', ['-r', made, 'ls', 'latest'], env)
    }
    const env = {
      BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: 'yes',
      BORG_RELOCATED_REPO_ACCESS_IS_OK: 'yes',
      BORG_BASE_DIR: join(folder, 'borg'),
    }
    const [archive = ''] = print('borg', ['list', '--short', made], env)
    return print('borg', ['list', '--short', `${made}::${archive}`], env)
  }
  return lines()
    .filter((line) => /\.(txt|tmp)$/.test(line))
    .map((line) => line.replace(/^\//, ''))
    .toSorted()
}

describe('what rules leave out', { tags: 'long' }, () => {
  it.each([
    ['squashfs', 'squashfs-zstd-3-128k'],
    ['restic', 'restic-off'],
    ['borg', 'borg-1-zstd-3'],
  ])('is not in a %s that is built of an option', async (family, option) => {
    const out = join(folder, family)
    const { code, stderr } = await stowage(['options', 'build', option, '--survey', surveyId, '--out', out], {
      home,
    })
    expect(code, stderr).toBe(0)
    const made = readdirSync(folder).find((name) => name.startsWith(family)) ?? ''
    expect(filesIn(join(folder, made), family)).toEqual(['kept/file.txt'])
  })

  it('is not in the image of a plan', async () => {
    const plan = join(folder, 'plan')
    const option = 'squashfs-zstd-3-128k'
    const args = ['plan', '--survey', surveyId, '--medium', 'disk', '--option', option, '--out', plan]
    const planned = await stowage(args, { home })
    expect(planned.code, planned.stderr).toBe(0)
    const built = await stowage(['build', plan], { home })
    expect(built.code, built.stderr).toBe(0)
    expect(filesIn(join(plan, 'folders/01/archive-01.squashfs'), 'squashfs')).toEqual(['kept/file.txt'])
  })

  it('keeps types from being stored as they are in SquashFS, which is said before anything is written', async () => {
    const plan = join(folder, 'as-is')
    const option = 'squashfs-zstd-3-128k'
    const { code, stderr } = await stowage(
      [
        'plan',
        '--survey',
        surveyId,
        '--medium',
        'disk',
        '--option',
        option,
        '--store-as-is',
        'txt',
        '--out',
        plan,
      ],
      { home },
    )
    expect(code).toBe(7)
    expect(stderr).toContain('only in an image of whole folders, and rules leave files out')
    expect(readdirSync(folder)).not.toContain('as-is')
  })
})

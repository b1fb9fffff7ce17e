import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type OptionsDocument,
  optionBuildSchema,
  optionsDocumentSchema,
} from '../../src/contract/dto/options'
import { requireTool } from '../../src/engine/tools/externalTool'
import { sevenZip } from '../../src/engine/tools/sevenZip'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { contentOf } from '../support/buildSource'
import { bytesBelow, wordsOf } from '../support/builtOption'
import { commandOnTerminal } from '../support/commandOnTerminal'
import { seenProcesses } from '../support/seenProcesses'

const FILES_ONLY = { folders: false, links: false }
let folder: string
let home: string
let source: string
let surveyId: string
/** Apart from everything that is searched for the password. */
let secrets: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-encrypted-'))
  secrets = mkdtempSync(join(tmpdir(), 'stowage-secrets-'))
  home = join(folder, 'home')
  source = join(folder, 'source')
  mkdirSync(source)
  for (let file = 0; file < 8; file++)
    writeFileSync(join(source, `letter-${file}.txt`), wordsOf(file, 60_000))
  const survey = ['survey', source, '--samples', 'fast', '--json', '--full']
  const { code, stdout, stderr } = await stowage(survey, { home })
  expect(code, stderr).toBe(0)
  surveyId = (JSON.parse(stdout) as { id: string }).id
})
afterAll(() => {
  for (const each of [folder, secrets]) rmSync(each, { recursive: true, force: true })
})

function passwordFile(password: string): string {
  const path = join(secrets, randomBytes(4).toString('hex'))
  writeFileSync(path, `${password}\n`)
  return path
}

function build(variant: string, out: string, ...args: string[]): Promise<CommandEnd> {
  return stowage(
    ['options', 'build', variant, '--survey', surveyId, '--out', join(folder, out), '--json', ...args],
    { home, spawned: true },
  )
}

async function unpack(archive: string, to: string, password: string): Promise<number | null> {
  const { path } = await requireTool(sevenZip)
  return spawnSync(path, ['x', '-y', `-o${to}`, archive], { input: `${password}\n` }).status
}

describe('stowage options build --encrypt', { tags: 'long' }, () => {
  it.each([
    ['7z-files', '256', '7zz'],
    ['7z-solid-1m-content', '256', '7zz'],
    ['udzo', '128', null],
    ['borg-1-zstd-3', '256', 'borg'],
    ['restic-auto', '256', 'restic'],
  ] as const)('builds %s without showing the password to anybody', async (variant, bits, program) => {
    const password = randomBytes(16).toString('hex')
    const file = passwordFile(password)
    const { end, seen } = await seenProcesses(() =>
      build(variant, variant, '--encrypt', bits, '--password-file', file),
    )
    expect(end.code, end.stderr).toBe(0)
    const document = optionBuildSchema.parse(JSON.parse(end.stdout))
    expect(document.notes).toContain(`encrypted with AES-${bits}, file names included`)
    expect(document.sha256).toBeNull()
    expect(seen.polls).toBeGreaterThan(50)
    const texts = [...seen.texts]
    // The build itself was seen, and its program where it has one.
    expect(texts.some((text) => text.includes(file))).toBe(true)
    const isProgram = (text: string): boolean =>
      program === null || text.split('\0', 1)[0]?.endsWith(program) || text.includes(`/${program}\0`)
    expect(texts.some(isProgram)).toBe(true)
    expect(texts.filter((text) => text.includes(password))).toEqual([])
    expect(end.stdout + end.stderr).not.toContain(password)
    // The catalog, what was built and what is left next to it.
    const all = bytesBelow(folder)
    expect(all.size).toBeGreaterThan(9)
    for (const [name, bytes] of all) expect(bytes.includes(password), name).toBe(false)
    expect(readdirSync(folder).filter((name) => name.startsWith('.stowage'))).toEqual([])
  })

  it('asks on a terminal, twice, and encrypts with what was typed', async () => {
    const out = join(folder, 'asked.7z')
    const args = ['options', 'build', '7z-files', '--survey', surveyId, '--out', out, '--encrypt', '256']
    const { shown } = await commandOnTerminal(args, home, [
      [/New password of .*asked\.7z: $/, 'correct horse\r'],
      [/Repeat password: $/, 'correct horse\r'],
    ])
    expect(shown).toMatch(/encrypted with AES-256, file names included/)
    expect(shown).not.toContain('horse')
    expect(await unpack(out, join(folder, 'wrong'), 'correct hors')).toBe(2)
    expect(await unpack(out, join(folder, 'right'), 'correct horse')).toBe(0)
    expect(contentOf(join(folder, 'right'), FILES_ONLY)).toEqual(contentOf(source, FILES_ONLY))
  })

  it('takes the password from stdin, and none without encryption', { tags: 'long' }, async () => {
    const args = ['options', 'build', '7z-files', '--survey', surveyId, '--password-stdin']
    const plain = await stowage([...args, '--out', join(folder, 'plain.7z')], { home, stdin: 'swordfish\n' })
    expect([plain.code, plain.stderr]).toEqual([2, expect.stringMatching(/without --encrypt 128 or 256/)])
    expect(existsSync(join(folder, 'plain.7z'))).toBe(false)
    const out = join(folder, 'stdin.7z')
    const end = await stowage([...args, '--out', out, '--encrypt', '256'], { home, stdin: 'swordfish\n' })
    expect(end.code, end.stderr).toBe(0)
    expect(await unpack(out, join(folder, 'stdin'), 'swordfish')).toBe(0)
    const none = await build('7z-files', 'none.7z', '--encrypt', '256')
    expect([none.code, none.stderr]).toEqual([
      2,
      expect.stringMatching(/a password is needed and there is no terminal/),
    ])
    expect(existsSync(join(folder, 'none.7z'))).toBe(false)
  })
})

describe('stowage options --encrypt', { tags: 'long' }, () => {
  const listed = async (bits: string): Promise<OptionsDocument> => {
    const { stdout, stderr } = await stowage(['options', '--survey', surveyId, '--encrypt', bits, '--json'], {
      home,
    })
    expect(stdout, stderr).not.toBe('')
    return optionsDocumentSchema.parse(JSON.parse(stdout))
  }

  it('marks what can be built encrypted, all of it with that very encryption', async () => {
    for (const [bits, families] of [
      ['128', ['apple-image']],
      [
        '256',
        [
          'apple-image',
          'borg',
          'restic',
          'seven-zip-files',
          'seven-zip-merged',
          'seven-zip-solid',
          'torrent7z',
        ],
      ],
    ] as const) {
      const { options, chosen } = await listed(bits)
      const possible = options.filter(({ build: { possible: can } }) => can)
      expect([...new Set(possible.map(({ family }) => family))].toSorted()).toEqual(families)
      for (const option of possible) expect(option.encryption, option.id).toBe(`aes-${bits}`)
      expect(chosen).not.toBeNull()
    }
  })
})

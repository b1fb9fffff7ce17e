import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planDocumentSchema } from '../../src/contract/dto/plan'
import { requireTool } from '../../src/engine/tools/externalTool'
import { sevenZip } from '../../src/engine/tools/sevenZip'
import { stowage } from '../fixtures/stowageCommand'
import { contentOf } from '../support/buildSource'
import { bytesBelow, wordsOf } from '../support/builtOption'
import { commandOnTerminal } from '../support/commandOnTerminal'
import { seenProcesses } from '../support/seenProcesses'
import { runScript } from '../support/volumeFolders'

let folder: string
/** Apart from everything that is searched for the password. */
let secrets: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-encrypted-plan-'))
  secrets = mkdtempSync(join(tmpdir(), 'stowage-secrets-'))
  mkdirSync(join(folder, 'source'))
  for (let file = 0; file < 8; file++)
    writeFileSync(join(folder, 'source', `letter-${file}.txt`), wordsOf(file, 200_000))
})
afterAll(() => {
  for (const each of [folder, secrets]) rmSync(each, { recursive: true, force: true })
})

it('builds, verifies and restores an encrypted plan without showing the password to anybody', {
  tags: 'long',
}, async () => {
  const password = randomBytes(16).toString('hex')
  const file = join(secrets, 'password')
  writeFileSync(file, `${password}\n`)
  const [home, plan, restored] = ['home', 'plan', 'restored'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const wanted = ['--medium', 'custom:880KB', '--option', '7z-files', '--encrypt', '256']
  const planned = await stowage(['plan', join(folder, 'source'), ...wanted, '--out', plan, '--json'], {
    home,
  })
  expect(planned.code, planned.stderr).toBe(0)
  expect(planDocumentSchema.parse(JSON.parse(planned.stdout)).totals.volumes).toBeGreaterThanOrEqual(2)

  for (const step of [
    ['build', plan],
    ['verify', plan],
    ['restore', plan, '--to', restored],
  ]) {
    const [name] = step
    const { end, seen } = await seenProcesses(() =>
      stowage([...step, '--password-file', file], { home, spawned: true }),
    )
    expect(end.code, end.stderr).toBe(0)
    expect(seen.polls, name).toBeGreaterThan(20)
    const texts = [...seen.texts]
    // The step itself was seen, and 7-Zip.
    expect(
      texts.some((text) => text.includes(file)),
      name,
    ).toBe(true)
    expect(
      texts.some((text) => text.split('\0', 1)[0]?.endsWith('7zz')),
      name,
    ).toBe(true)
    expect(
      texts.filter((text) => text.includes(password)),
      name,
    ).toEqual([])
    expect(end.stdout + end.stderr, name).not.toContain(password)
    // The catalog and its log, the plan's folder, and what is left next to it.
    for (const [path, bytes] of bytesBelow(folder))
      for (const text of [password, Buffer.from(password, 'utf16le').toString('latin1')])
        expect(bytes.includes(text), `${path} after ${name}`).toBe(false)
  }
  const files = { folders: false, links: false }
  expect(contentOf(restored, files)).toEqual(contentOf(join(folder, 'source'), files))
})

it('sizes the images of an encrypted plan of many archives before their digests are known, and asks for the password', {
  tags: 'long',
}, async () => {
  const source = join(folder, 'titles')
  mkdirSync(source)
  // The digests of so many archives, 64 characters each, take more than a sector of the index.
  for (let title = 0; title < 40; title++)
    writeFileSync(
      join(source, `Title ${String.fromCharCode(65 + (title % 26))}${title}.rom`),
      wordsOf(title, 300),
    )
  const [home, plan] = [join(folder, 'home'), join(folder, 'plan of titles')]
  const wanted = ['--medium', 'custom:2MB', '--option', '7z-titles', '--encrypt', '256']
  const planned = await stowage(['plan', source, ...wanted, '--out', plan], { home })
  expect(planned.code, planned.stderr).toBe(0)
  const built = await stowage(['build', plan, '--password-stdin'], { home, stdin: 'swordfish\n' })
  expect(built.code, built.stderr).toBe(0)
  const verified = await stowage(['verify', plan, '--password-stdin'], { home, stdin: 'swordfish\n' })
  expect(verified.code, verified.stderr).toBe(0)

  const restored = join(folder, 'restored titles')
  const { code, shown } = await commandOnTerminal(['restore', plan, '--to', restored], home, [
    [/Password of .*plan of titles: $/, 'swordfish\r'],
  ])
  expect([code, shown]).toEqual([0, expect.stringContaining('All 40 requested files are restored.')])
  expect(shown).not.toContain('swordfish')
  const unasked = await stowage(['restore', plan, '--to', join(folder, 'nothing')], { home })
  expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('give it by --password-file')])
})

describe('RESTORE.sh of an encrypted set', { tags: 'long' }, () => {
  const password = 'pä "s$\\s'
  let home: string
  let surveyId: string

  beforeAll(async () => {
    home = join(folder, 'home of scripts')
    const survey = ['survey', join(folder, 'source'), '--json']
    const { code, stdout, stderr } = await stowage(survey, { home })
    expect(code, stderr).toBe(0)
    surveyId = JSON.parse(stdout).id
  })

  /** Plans and builds the source as `option`; runs the set's script with the password on its input. */
  async function restoredByScript(option: string) {
    const [plan, programs, target] = ['plan', 'programs', 'restored'].map((name) =>
      join(folder, `${name} of ${option}`),
    ) as [string, string, string]
    const wanted = ['--medium', 'folder:4GB', '--option', option, '--encrypt', '256', '--out', plan, '--json']
    const planned = await stowage(['plan', '--survey', surveyId, ...wanted], { home })
    expect(planned.code, planned.stderr).toBe(0)
    const built = await stowage(['build', plan, '--password-stdin'], { home, stdin: `${password}\n` })
    expect(built.code, built.stderr).toBe(0)
    mkdirSync(programs)
    symlinkSync((await requireTool(sevenZip)).path, join(programs, '7zz'))
    const own = join(plan, 'folders', '01', 'STOWAGE')
    const shell = { command: ['dash'] as const, path: `${programs}:${process.env['PATH']}` }
    const ended = runScript(shell, join(own, 'RESTORE.sh'), { words: [target], input: `${password}\n` })
    const { problems } = planDocumentSchema.parse(JSON.parse(planned.stdout))
    return { ...ended, target, problems, text: readFileSync(join(own, 'RESTORE.txt'), 'utf8') }
  }

  it.each(['7z-files', 'borg-1-zstd-3', 'restic-auto'])(
    'restores all files of %s with the password on its input',
    async (option) => {
      const { target, problems, ...ended } = await restoredByScript(option)
      expect(ended.output).toContain('8 of 8 files are right')
      expect([ended.status, ended.errors]).toEqual([0, 'Password: '])
      const files = { folders: false, links: false }
      expect(contentOf(target, files)).toEqual(contentOf(join(folder, 'source'), files))
      expect(problems).toEqual([])
    },
  )

  it('says once that UDZO images need Stowage or a Mac, as the plan and RESTORE.txt do', async () => {
    const { status, output, errors, problems, text } = await restoredByScript('udzo')
    expect(errors).toBe(
      'Password: cannot unpack disc-01.dmg: only Stowage (stowage restore) and a Mac (a double click) open an encrypted UDZO image\n' +
        'not unpacked: 8 files in archives that no program here opens\n',
    )
    expect([status, output]).toEqual([5, 'unpacking: disc-01.dmg\n0 of 8 files are right\n'])
    expect(problems).toMatchObject([{ code: 'encrypted-udzo', blocking: false }])
    expect(text).toContain('only Stowage opens them')
  })
})

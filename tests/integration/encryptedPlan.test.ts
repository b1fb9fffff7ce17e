import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { planDocumentSchema } from '../../src/contract/dto/plan'
import { stowage } from '../fixtures/stowageCommand'
import { contentOf } from '../support/buildSource'
import { bytesBelow, wordsOf } from '../support/builtOption'
import { commandOnTerminal } from '../support/commandOnTerminal'
import { seenProcesses } from '../support/seenProcesses'

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

it('builds, verifies and restores an encrypted plan without showing the password to anybody', async () => {
  const password = randomBytes(16).toString('hex')
  const file = join(secrets, 'password')
  writeFileSync(file, `${password}\n`)
  const [home, plan, restored] = ['home', 'plan', 'restored'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const wanted = ['--medium', 'custom:650KB', '--option', '7z-files', '--encrypt', '256']
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
    const { end, seen } = await seenProcesses(() => stowage([...step, '--password-file', file], { home }))
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

it('sizes the images of an encrypted plan of many archives before their digests are known, and asks for the password', async () => {
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

import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SurveyDocument, surveyDocumentSchema } from '../../src/contract/dto/survey'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'

let folder: string
let source: string
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'stowage-silent-')))
  source = join(folder, 'source')
  mkdirSync(join(source, 'a'), { recursive: true })
  for (const name of ['a/1', 'a/2', 'a.txt', 'z']) write(name, `content of ${name}`)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Writes a file with the time of years ago. */
function write(name: string, text: string): void {
  writeFileSync(join(source, name), text)
  utimesSync(join(source, name), 1_000_000_000, 1_000_000_000)
}

/** The data folder of the test that runs. */
let home = ''
const run = (...args: string[]): Promise<CommandEnd> => stowage(args, { home: join(folder, home) })

async function surveyed(...args: string[]): Promise<SurveyDocument> {
  const { code, stdout, stderr } = await run('survey', source, '--quick', ...args, '--json')
  expect(code, stderr).toBe(0)
  return surveyDocumentSchema.parse(JSON.parse(stdout))
}

test.each([
  ['SHA-256', '--sha256'],
  ['the digests of blocks', '--no-sha256'],
])('a full survey names files whose content alone has changed, by %s', async (_, sha256) => {
  home = sha256
  const first = await surveyed('--full', sha256)
  write('a/2', 'other content'.padEnd('content of a/2'.length, '!').slice(0, 'content of a/2'.length))
  write('z', 'a longer content of z')
  writeFileSync(join(source, 'a.txt'), 'CONTENT OF a.txt')
  const second = await surveyed('--full', sha256)
  expect(second.silentChanges).toEqual({
    surveyId: first.id,
    createdWallMs: first.createdWallMs,
    files: 1,
    bytes: 'content of a/2'.length,
    paths: [join(source, 'a/2')],
  })
  const shown = await run('survey', '--survey', second.id)
  expect(shown.stderr.replaceAll(/\s+/g, ' ')).toContain('1 file (14 B) has other content than on ')
  expect((await run('survey', '--survey', second.id, '--table', 'silent')).stdout).toBe(
    `${join(source, 'a/2')}\n`,
  )
  // It stays named, also by a survey that reads nothing again, until a person acknowledges it.
  expect((await surveyed('--full', sha256)).silentChanges).toEqual(second.silentChanges)
  const last = await surveyed(sha256)
  expect(last.silentChanges).toEqual(second.silentChanges)
  expect(await run('catalog', 'acknowledge', last.id)).toMatchObject({
    code: 0,
    stdout: 'Later surveys do not name again that the content of 1 file changed.\n',
  })
  expect((await run('survey', '--survey', last.id)).stderr).toBe('')
  expect((await surveyed('--full', sha256)).silentChanges).toBeUndefined()
  expect(await run('catalog', 'acknowledge', first.id)).toMatchObject({ code: 2 })
  write('a/2', 'content of a/2')
  write('a.txt', 'content of a.txt')
  write('z', 'content of z')
})

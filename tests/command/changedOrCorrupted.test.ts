import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkDocumentSchema } from '../../src/contract/dto/check'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'

let folder: string
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'stowage-changed-')))
  mkdirSync(join(folder, 'source'))
  for (const name of ['changed', 'corrupted', 'longer', 'right'])
    writeFileSync(join(folder, 'source', name), `content of ${name}`)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: string[]): Promise<CommandEnd> => stowage(args, { home: join(folder, 'home') })

test('verify tells a file that was written to since from a corrupted one, in a folder volume', async () => {
  const plan = join(folder, 'plan')
  const planned = await run('plan', join(folder, 'source'), '--medium', 'folder:1GB', '--out', plan)
  expect(planned.code, planned.stderr).toBe(0)
  expect((await run('build', plan)).code).toBe(0)
  const volume = join(plan, 'folders', '01')
  const inVolume = (name: string): string => join(volume, name)
  const { mtimeMs } = statSync(inVolume('corrupted'))
  writeFileSync(inVolume('corrupted'), 'CONTENT of corrupted')
  utimesSync(inVolume('corrupted'), mtimeMs / 1000, mtimeMs / 1000)
  writeFileSync(inVolume('changed'), 'CONTENT of changed')
  utimesSync(inVolume('changed'), 1_000_000_000, 1_000_000_000)
  writeFileSync(inVolume('longer'), 'content of longer, and more')
  utimesSync(inVolume('longer'), mtimeMs / 1000, mtimeMs / 1000)
  const { code, stdout } = await run('verify', volume, '--json')
  expect(code).toBe(6)
  const { volumes } = checkDocumentSchema.parse(JSON.parse(stdout))
  const damaged = volumes.flatMap((each) => each.damaged)
  expect(Object.fromEntries(damaged.map(({ path, cause }) => [path.split('/').at(-1), cause]))).toEqual({
    changed: 'changed',
    corrupted: 'corrupted',
    longer: 'changed',
  })
  expect(damaged.find(({ cause }) => cause === 'corrupted')?.because).toBe(
    'its content differs (SHA-256), but size and time are as written: corrupted',
  )
})

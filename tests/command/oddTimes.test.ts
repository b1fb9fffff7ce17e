import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededRandom } from '../../src/primitives/seededRandom'
import { stowage } from '../fixtures/stowageCommand'

/** Times that tar, gzip, SquashFS or 64 bits of nanoseconds cannot hold. */
const TIMES: Readonly<Record<string, string>> = {
  'before SquashFS': '1901-12-14 01:02:03.25Z',
  'before 1970': '1969-12-31 23:59:59.999999999Z',
  'after 2106': '2110-03-04 05:06:07.5Z',
  'after 2262': '2300-03-04 05:06:07.125Z',
  folder: '2400-01-01 00:00:00Z',
  link: '2290-01-01 00:00:00.75Z',
}

let folder: string
let source: string
let home: string
let surveyId: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-times-'))
  source = join(folder, 'source')
  mkdirSync(join(source, 'folder'), { recursive: true })
  symlinkSync('after 2262', join(source, 'link'))
  const random = seededRandom(9)
  // More than one volume, so that SquashFS gets them as a tar stream.
  for (const name of [...Object.keys(TIMES).filter((each) => !/^(folder|link)$/.test(each)), 'now']) {
    const content = new Uint8Array(200_000)
    random.fillBytes(content)
    writeFileSync(join(source, name), content)
  }
  for (const [name, time] of Object.entries(TIMES))
    execFileSync('touch', ['-h', '-d', time, join(source, name)])
  home = join(folder, 'home')
  const { code, stdout, stderr } = await stowage(['survey', source, '--samples', 'fast', '--json'], { home })
  expect(code, stderr).toBe(0)
  surveyId = JSON.parse(stdout).id
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const timesIn = (root: string): string[] =>
  readdirSync(root)
    .toSorted()
    .map((name) => `${name}: ${lstatSync(join(root, name), { bigint: true }).mtimeNs}`)

const RESTORES = 'a set of %s restores times that its containers cannot hold'
test.each(['plain', 'squashfs-zstd-3-1m'])(RESTORES, expectRestored)
test.each(['files-gzip-9', 'tar-zst-19-1m-path'])(RESTORES, { tags: 'long' }, expectRestored)

async function expectRestored(option: string): Promise<void> {
  const plan = join(folder, option)
  const back = join(folder, `${option} back`)
  const run = async (...args: string[]): Promise<void> => {
    const { code, stderr } = await stowage(args, { home })
    expect([code, stderr]).toEqual([0, expect.any(String)])
  }
  await run('plan', '--survey', surveyId, '--option', option, '--medium', 'custom:1200kB', '--out', plan)
  await run('build', plan)
  await run('verify', plan)
  await run('restore', plan, '--to', back)
  expect(readdirSync(join(plan, 'images')).length).toBeGreaterThan(1)
  expect(timesIn(back)).toEqual(timesIn(source))
}

import { mkdirSync, writeFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { CheckDocument } from '../../src/contract/dto/check'
import { seededRandom } from '../../src/primitives/seededRandom'
import { stowage } from '../fixtures/stowageCommand'
import { temporaryFolder } from '../support/temporaryFolder'
import { treeContents } from '../support/treeFacts'
import { asDrive, stowageUnderWine, winePath } from '../support/wine'

/** Files for three discs of a megabyte, in folders, with names beyond ASCII. */
function makeSource(folder: string): void {
  const random = seededRandom(40)
  for (let at = 0; at < 30; at++) {
    const inside = join(folder, `Jahr ${2000 + (at % 3)}`, 'Größe €')
    mkdirSync(inside, { recursive: true })
    const content = Buffer.alloc(60_000 + at * 1000)
    random.fillBytes(content.subarray(0, content.length / 2))
    writeFileSync(join(inside, `photo ${at}.jpg`), content)
  }
}

it.each([
  ['disc images of its own', ['--medium', 'custom:1MB']],
  ['a folder of 7z archives', ['--medium', 'disk', '--option', '7z-files']],
  ['compressed files on discs', ['--medium', 'custom:1MB', '--option', 'files-zstd-3']],
])('a folder goes through the whole chain on Windows as %s, for Linux too', async (_name, how) => {
  const folder = await temporaryFolder()
  const [source, home, plan] = ['source', 'home', 'plan'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  makeSource(source)
  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await stowageUnderWine(args, { home })
    expect(code, stderr).toBe(0)
    return stdout
  }
  await run('plan', winePath(source), ...how, '--out', winePath(plan))
  await run('build', winePath(plan))
  await run('verify', winePath(plan))
  const back = join(folder, 'back')
  expect(await run('restore', winePath(plan), '--to', winePath(back))).toContain('All 30 requested files')
  expect(treeContents(back)).toEqual(treeContents(source))
  const here = join(folder, 'here')
  const { code, stderr } = await stowage(['restore', plan, '--to', here], { home: join(folder, 'other') })
  expect(code, stderr).toBe(0)
  expect(treeContents(here)).toEqual(treeContents(source))
})

it('a disc with recovery data is damaged, restored and repaired on Windows, and a lost one made again', async () => {
  const folder = await temporaryFolder()
  const [source, home, plan] = ['source', 'home', 'plan'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  makeSource(source)
  const run = async (args: readonly string[], expected = 0): Promise<string> => {
    const { code, stdout, stderr } = await stowageUnderWine(args, { home })
    expect(code, `${args.join(' ')}: ${stderr}`).toBe(expected)
    return stdout
  }
  const protect = ['--protect', '20%', '--protect-set', '1']
  await run(['plan', winePath(source), '--medium', 'custom:2MB', ...protect, '--out', winePath(plan)])
  await run(['build', winePath(plan)])
  const images = (await readdir(join(plan, 'images'))).map((name) => join(plan, 'images', name))
  const first = images.find((path) => path.endsWith('01.iso')) ?? ''
  const whole = await readFile(first)
  const scratched = Buffer.from(whole)
  scratched.fill(0xa5, 700_000, 760_000)
  await writeFile(first, scratched)
  const { volumes } = JSON.parse(await run(['verify', winePath(first), '--json'], 6)) as CheckDocument
  expect(volumes.map(({ verdict }) => verdict)).toEqual(['repairable'])
  const back = join(folder, 'back')
  const given = images.map((path) => winePath(path))
  await run(['restore', ...given, '--to', winePath(back)])
  expect(treeContents(back)).toEqual(treeContents(source))
  const repaired = join(folder, 'repaired.iso')
  await run(['repair', winePath(first), '--out', winePath(repaired)])
  expect((await readFile(repaired)).equals(whole)).toBe(true)
  const again = join(folder, 'again.iso')
  const others = given.filter((path) => !path.endsWith('01.iso'))
  await run(['rebuild', ...others, '--volume', '1', '--out', winePath(again)])
  expect((await readFile(again)).equals(whole)).toBe(true)
})

it('a whole drive, and two folders at the top of one, are packed as 7z archives on Windows', async () => {
  const folder = await temporaryFolder()
  const source = join(folder, 'source')
  for (const name of ['one', 'two']) {
    mkdirSync(join(source, name), { recursive: true })
    writeFileSync(join(source, name, 'letter.txt'), `from ${name}`)
  }
  onTestFinished(asDrive('X', source))
  for (const [name, paths] of Object.entries({ drive: ['X:\\'], folders: ['X:\\one', 'X:\\two'] })) {
    const [plan, back] = [join(folder, name), join(folder, `${name} back`)]
    for (const args of [
      ['plan', ...paths, '--medium', 'custom:1MB', '--option', '7z-files', '--out', winePath(plan)],
      ['build', winePath(plan)],
      ['restore', winePath(plan), '--to', winePath(back)],
    ]) {
      const { code, stderr } = await stowageUnderWine(args, { home: join(folder, 'home') })
      expect(code, stderr).toBe(0)
    }
    expect(treeContents(back)).toEqual(treeContents(source))
  }
})

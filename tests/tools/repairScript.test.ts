import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PlanDocument, PlanVolume } from '../../src/contract/dto/plan'
import { seededRandom } from '../../src/primitives/seededRandom'
import { stowage } from '../fixtures/stowageCommand'
import { temporaryFolder } from '../support/archiveRun'
import { missingReader } from '../support/discReaders'

/** Names that par2 writes in another way, or that shells and lists must quote. */
const NAMES = ['new\nline', 'back\\slash', 'tab\tx', '-dash', ' sp ace ', '$(x) `"\'', '.hidden', 'ü€日本']
const SECTOR = 2048
const folder = temporaryFolder('script')
const home = join(folder.path, 'home')
const source = join(folder.path, 'source')
const plan = join(folder.path, 'plan')
const image = join(plan, 'images/01.iso')
const script = join(plan, 'volumes/01/payload/STOWAGE/REPAIR.py')
const missing = missingReader('python3', 'par2')
let volume: PlanVolume

afterAll(() => folder.dispose())

/** A disc of files with unusual names, a file with two names, an empty one, and an older disc and its recovery data. */
beforeAll(async () => {
  const random = seededRandom(5)
  const write = (path: string, bytes: number): void => {
    const content = new Uint8Array(bytes)
    random.fillBytes(content)
    writeFileSync(join(source, path), content)
  }
  mkdirSync(join(source, 'wait../sub'), { recursive: true })
  for (const [at, name] of NAMES.entries()) write(`wait../sub/${name}`, 5000 + 1000 * at)
  write('large.bin', 800_000)
  linkSync(join(source, 'large.bin'), join(source, 'wait../second name'))
  writeFileSync(join(source, 'empty'), '')
  const older = join(folder.path, 'older')
  await done('plan', source, '--medium', 'custom:2MB', '--protect', '20%', '--out', older)
  await done('build', older)
  copyFileSync(join(older, 'images/01.iso'), join(source, 'older.iso'))
  await done('plan', source, '--medium', 'custom:9MB', '--protect', '20%', '--out', plan)
  await done('build', plan)
  const { volumes } = JSON.parse(readFileSync(join(plan, 'plan.json'), 'utf8')) as PlanDocument
  expect(volumes).toHaveLength(1)
  volume = volumes[0] as PlanVolume
})

async function done(...args: string[]): Promise<void> {
  const { code, stderr } = await stowage(args, { home })
  expect(code, stderr).toBe(0)
}

/** A copy of the disc with sectors overwritten. */
function damaged(first: number, count: number): string {
  const disc = join(mkdtempSync(join(folder.path, 'disc-')), 'disc.iso')
  copyFileSync(image, disc)
  const file = openSync(disc, 'r+')
  writeSync(file, Buffer.alloc(count * SECTOR, 0xa5), 0, count * SECTOR, first * SECTOR)
  closeSync(file)
  return disc
}

function run(disc: string, to: string, env = process.env): SpawnSyncReturns<string> {
  return spawnSync('python3', [script, disc, to], { encoding: 'utf8', env })
}

function contents(root: string): Record<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).toSorted()
  return Object.fromEntries(
    paths
      .map((path) => [path.slice(root.length + 1), readFileSync(path).toString('base64')] as const)
      .filter(([path]) => !path.startsWith('STOWAGE/')),
  )
}

describe.skipIf(missing)(
  `the script that repairs a disc with par2${missing ? ` (${missing})` : ''}`,
  { tags: 'long' },
  () => {
    it.each([0, 0.3, 0.6, 0.9])('gives every file its own name (scratch from %f of the disc on)', (from) => {
      const count = Math.floor((volume.protection?.scratchBytes ?? 0) / SECTOR)
      const to = join(mkdtempSync(join(folder.path, 'to-')), 'files')
      const end = run(damaged(Math.floor(from * (volume.sectors - count)), count), to)
      expect(end.status, end.stdout + end.stderr).toBe(0)
      expect(end.stdout).toMatch(/^(\d+) of \1 files of SOURCE_01 are right\n$/)
      expect(contents(to)).toEqual(contents(source))
    })

    it('names the files that are lost', () => {
      const index = readFileSync(join(plan, 'index.tsv'), 'utf8')
      const row = index.split('\n').find((line) => line.includes('\tlarge.bin\t')) as string
      const to = join(folder.path, 'lost')
      const end = run(damaged(Number(row.split('\t').at(-1)), 800_000 / SECTOR), to)
      expect(end.status, end.stdout + end.stderr).toBe(6)
      expect(end.stderr).toBe('cannot repair large.bin\ncannot repair wait../second name\n')
    })

    it('says why it cannot work', () => {
      const file = join(folder.path, 'file')
      writeFileSync(file, Buffer.alloc(500_000))
      const none = run(file, join(folder.path, 'none'))
      expect([none.status, none.stderr]).toEqual([1, 'no recovery data was found on this disc\n'])
      const there = run(image, source)
      expect([there.status, there.stderr]).toEqual([1, `${source}: File exists\n`])
      expect(run(join(folder.path, 'absent'), join(folder.path, 'none')).status).toBe(1)
      const python = spawnSync('sh', ['-c', 'dirname "$(python3 -c "import sys; print(sys.executable)")"'], {
        encoding: 'utf8',
      }).stdout.trim()
      const only = mkdtempSync(join(folder.path, 'bin-'))
      const lacking = spawnSync(join(python, 'python3'), [script, image, join(folder.path, 'none')], {
        encoding: 'utf8',
        env: { PATH: only },
      })
      expect([lacking.status, lacking.stderr]).toEqual([
        5,
        'cannot find par2: install the package par2 or par2cmdline\n',
      ])
      expect(existsSync(join(folder.path, 'none'))).toBe(false)
      expect(spawnSync('python3', [script], { encoding: 'utf8' }).status).toBe(2)
    })
  },
)

import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { runDocumentSchema } from '../../src/contract/dto/run'
import { findProgram } from '../../src/engine/tools/findProgram'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { badSectors } from '../support/badSectors'

let folder: string
let home: string
let disc: string
let shelf: string
const run = (...args: string[]): Promise<CommandEnd> => stowage(args, { home })

/** A plan of three volumes. */
async function planIn(name: string, medium = 'custom:1250kB'): Promise<string> {
  const directory = join(folder, name)
  const words = ['--medium', medium, '--label', 'TRIP', '--out', directory]
  expect(await run('plan', join(folder, 'source'), ...words)).toMatchObject({ code: 0 })
  return directory
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-writing-'))
  home = join(folder, 'home')
  disc = join(folder, 'disc')
  shelf = join(folder, 'shelf')
  mkdirSync(join(folder, 'source'))
  mkdirSync(shelf)
  const random = seededRandom(5)
  for (let file = 1; file <= 3; file++) {
    const content = Buffer.alloc(400_000)
    random.fillBytes(content)
    writeFileSync(join(folder, 'source', `photo ${file}`), content)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('stowage write', () => {
  it('writes one volume where nobody can be asked, and prints how to continue', async () => {
    const plan = await planIn('one')
    const words = ['write', plan, '--drive', `stdio:${disc}`]
    const unasked = 'stowage: TRIP_02 is still to be written: there is no terminal to ask for its disc\n'
    for (const [volume, next, each, end] of [
      [1, 'TRIP_02', [], [7, unasked]],
      [2, 'TRIP_03', ['--each'], [0, '']],
    ] as const) {
      const { code, stdout, stderr } = await run(...words, ...each)
      expect([code, stderr]).toEqual(end)
      expect(stdout).toMatch(/^Wrote 1 volume of .* every file was read back and matches the plan/s)
      expect(stdout).toContain(`Insert a blank disc for ${next}, then continue.`)
      expect(stdout).toContain('Next: stowage write')
      expect(stdout.split('\n').length).toBeLessThanOrEqual(25)
      renameSync(disc, join(shelf, `one-${volume}`))
    }
    const last = await run(...words, '--json')
    const document = runDocumentSchema.parse(JSON.parse(last.stdout))
    expect(document.volumes.map(({ state }) => state)).toEqual(['kept', 'kept', 'done'])
    renameSync(disc, join(shelf, 'one-3'))
    const again = await run(...words)
    expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Nothing to write: 3 volumes/) })
    expect(existsSync(disc)).toBe(false)
  }, 60_000)

  it('asks for each disc on a terminal', async (context) => {
    if ((await findProgram('script')) === null) return context.skip('script (util-linux) is not installed')
    const plan = await planIn('asked')
    const words = [process.execPath, join('dist', 'cli', 'stowage.cjs'), 'write', plan]
    const command = [...words, '--drive', `stdio:${disc}`, '--on-the-fly']
      .map((word) => `'${word}'`)
      .join(' ')
    const child = spawn('script', ['-qfec', command, '/dev/null'], {
      env: { ...process.env, STOWAGE_HOME: home, SHELL: '/bin/sh' },
    })
    let [seen, all] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => {
      seen += chunk.toString('utf8')
      if (!seen.includes('press Enter.')) return
      all += seen
      renameSync(disc, join(shelf, `asked-${readdirSync(shelf).length}`))
      seen = ''
      child.stdin.write('\n')
    })
    const code = await new Promise((resolve) => child.once('close', resolve))
    expect(code).toBe(0)
    const prompt = (volume: number): string =>
      `Insert a blank disc for TRIP_0${volume} (volume ${volume} of 3) into ${disc} and press Enter.`
    for (const volume of [2, 3]) expect(all).toContain(prompt(volume))
    expect(seen).toMatch(/Wrote 3 volumes/)
    expect(existsSync(join(plan, 'images'))).toBe(false)
    rmSync(disc)
  }, 60_000)

  it('copies to a folder, refuses what is there already, and exits by the cause', async () => {
    const plan = await planIn('copied')
    const target = join(folder, 'target')
    expect(await run('write', plan, '--to', target)).toMatchObject({ code: 0 })
    expect(readdirSync(target)).toEqual(['TRIP_01.iso', 'TRIP_02.iso', 'TRIP_03.iso'])
    const other = await planIn('other')
    writeFileSync(join(target, 'TRIP_02.iso'), 'mine')
    const refused = await run('write', other, '--to', target, '--volume', '2')
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('it already exists') })
    expect(readFileSync(join(target, 'TRIP_02.iso'), 'utf8')).toBe('mine')
    const flipped = readFileSync(join(target, 'TRIP_01.iso'))
    flipped.writeUInt8(flipped.readUInt8(flipped.length >> 1) ^ 1, flipped.length >> 1)
    writeFileSync(join(target, 'TRIP_01.iso'), flipped)
    const differing = await run('write', other, '--to', target, '--volume', '1')
    expect(differing).toMatchObject({ code: 2, stderr: expect.stringContaining('it already exists') })
    expect(readFileSync(join(target, 'TRIP_01.iso')).equals(flipped)).toBe(true)
    writeFileSync(disc, 'not blank')
    const notBlank = await run('write', plan, '--drive', `stdio:${disc}`)
    expect(notBlank).toMatchObject({ code: 7, stderr: expect.stringMatching(/is not empty.*\n$/) })
    rmSync(disc)
  }, 60_000)

  test.each([
    ['custom:1250kB', 'TRIP_02.iso', 'it has 0 bytes instead of'],
    ['folder:1MB', 'TRIP_02', 'photo 3'],
  ])(
    'reads back on %s what an earlier run wrote, and names what was changed',
    { tags: 'long' },
    async (medium, own, why) => {
      const plan = await planIn(`again ${medium}`, medium)
      const target = join(folder, `again to ${medium}`)
      const write = (...more: string[]) => run('write', plan, '--to', target, ...more)
      expect(await write()).toMatchObject({ code: 0 })
      const unchanged = await write()
      expect(unchanged).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^Nothing to write.*read\s+back now/s),
      })
      const name = medium === 'custom:1250kB' ? own : join(own, why)
      const content = readFileSync(join(target, name))
      truncateSync(join(target, name), 0)
      rmSync(join(plan, medium === 'custom:1250kB' ? 'images' : 'folders'), { recursive: true })
      const cut = await write()
      expect(cut.code).toBe(6)
      expect(cut.stderr).toContain(`is not as it was written: ${why}`)
      expect(cut.stderr).toContain('remove it to write it again (--volume 2 --again replaces it)')
      expect(await write('--volume', '1')).toMatchObject({ code: 0 })
      const flipped = Buffer.from(content)
      // In the photo, which is behind the folders of the image.
      const at = Math.floor(content.length * 0.75)
      flipped.writeUInt8(flipped.readUInt8(at) ^ 1, at)
      writeFileSync(join(target, name), flipped)
      expect(await write()).toMatchObject({ code: 6, stderr: expect.stringContaining('(SHA-256)') })
      expect(await write('--volume', '2', '--again')).toMatchObject({ code: 0 })
      expect(readFileSync(join(target, name)).equals(content)).toBe(true)
      expect(await write()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Nothing to write/) })
    },
  )

  it('writes with two drives at the same time, each in its own rows, and continues with the rest', async () => {
    const plan = await planIn('two')
    const drives = ['one', 'other'].map((name) => join(folder, `two ${name}`))
    const words = ['write', plan, '--each', ...drives.flatMap((drive) => ['--drive', `stdio:${drive}`])]
    const first = await run(...words)
    expect(first.code, first.stderr).toBe(0)
    // Lines of progress come too where writing takes long.
    expect(first.stderr).not.toContain('stowage: ')
    for (const drive of drives) expect(first.stdout.replaceAll(/\s+/g, ' ')).toContain(`to ${drive} in`)
    expect(first.stdout).toContain('Insert a blank disc for TRIP_03, then continue.')
    expect(first.stdout.split('\n').length).toBeLessThanOrEqual(25)
    for (const drive of drives) renameSync(drive, join(shelf, `two ${drives.indexOf(drive)}`))
    const last = await run(...words, '--json')
    expect(last.code).toBe(0)
    const { schema, runs } = JSON.parse(last.stdout) as { schema: string; runs: unknown[] }
    expect(schema).toBe('stowage.runs/1')
    const states = runs.map((each) =>
      runDocumentSchema
        .parse(each)
        .volumes.map(({ state }) => state)
        .join(' '),
    )
    expect(states.toSorted((one, other) => one.length - other.length)).toEqual([
      'kept kept',
      'kept kept done',
    ])
    expect(drives.filter((drive) => existsSync(drive))).toHaveLength(1)
    for (const drive of drives) rmSync(drive, { force: true })
  }, 60_000)

  it('carries on with the other drive when one fails, and exits by its failure', async () => {
    const plan = await planIn('half')
    writeFileSync(disc, 'not blank')
    const other = join(folder, 'half other')
    const { code, stdout, stderr } = await run(
      'write',
      plan,
      '--drive',
      `stdio:${disc}`,
      '--drive',
      `stdio:${other}`,
    )
    expect(code).toBe(7)
    expect(stderr.split('\n').filter((line) => line.startsWith('stowage: '))).toEqual([
      expect.stringMatching(/^stowage: cannot write TRIP_0\d: .*disc is not empty; /),
    ])
    expect(stdout).toMatch(/Wrote 1 volume of .* every file was read back and matches the plan/s)
    for (const file of [disc, other]) rmSync(file)
  }, 60_000)

  it('names the file in which the disc cannot be read back, and writes the volume again on the next disc', {
    tags: 'long',
  }, async () => {
    const plan = await planIn('scratched')
    expect(await run('build', plan)).toMatchObject({ code: 0 })
    const image = readFileSync(join(plan, 'images', '01.iso'))
    const photo = readFileSync(join(folder, 'source', 'photo 1'))
    const start = image.indexOf(photo.subarray(0, 512))
    // A sector in the middle of the file, which lies in one request with what is before it.
    const sector = start / 2048 + 100
    writeFileSync(disc, '')
    const env = badSectors(folder).env(disc, [[sector * 2048, 2048]])
    const words = ['write', plan, '--each', '--drive', `stdio:${disc}`]
    const { code, stderr, stdout } = await stowage([...words, '--json'], { home, env })
    expect(code).toBe(1)
    const message = 'cannot read back photo 1 on TRIP_01: input/output error'
    expect(stderr).toContain(message)
    const document = runDocumentSchema.parse(JSON.parse(stdout))
    expect(document.outcome).toBe('failed')
    expect(document.volumes).toMatchObject([
      { label: 'TRIP_01', state: 'failed', errors: [{ code: 'io', message, path: 'photo 1' }] },
    ])
    rmSync(disc)
    expect(await run(...words)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Wrote 1 volume/) })
    rmSync(disc)
  })

  it('refuses a device that is no optical drive', async (context) => {
    if (!existsSync('/dev/loop0')) return context.skip('there is no loop device')
    const plan = await planIn('loop')
    const { code, stderr } = await run('write', plan, '--drive', '/dev/loop0')
    expect([code, stderr]).toEqual([
      7,
      'stowage: cannot write TRIP_01: cannot use /dev/loop0: it is not an optical drive\n',
    ])
  })
})

it('stowage drives lists what is there, or that nothing is', async () => {
  const { code, stdout } = await run('drives')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^(?:No optical drive was found\.|\d+ drives?, \d+ with a blank disc\.)\n/)
  expect(JSON.parse((await run('drives', '--json')).stdout)).toMatchObject({ schema: 'stowage.drives/1' })
})

import { spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { md5, type Par2File, par2Set } from '../../src/engine/protection/par2Packets'
import { type ParityRow, parityTsv } from '../../src/engine/sets/volume/lists/parityTsv'
import { RECOVERY_HEAD } from '../../src/engine/sets/volume/lists/recoveryTsv'
import { missingReader } from '../support/discReaders'
import { temporaryFolder } from '../support/temporaryFolder'

const SECTOR = 2048
const SCRIPTS = join(import.meta.dirname, '../../src/engine/sets')
/** Where the recovery file of these discs begins, behind its list. */
const FIRST = 20
const missing = missingReader('python3', 'par2')

function described(name: string, bytes = 10): Par2File {
  return { name, bytes, md5: md5(), md5OfStart: md5(), blocks: Buffer.alloc(20) }
}

/** An image with nothing but packets that describe files, and the list that leads to them. */
function disc(files: readonly Par2File[], spoil: (packets: Buffer) => void = () => {}): Buffer {
  const packets = Buffer.from(par2Set(SECTOR, files).described)
  spoil(packets)
  const image = Buffer.alloc((FIRST + 4) * SECTOR)
  const row = `${String(FIRST).padStart(10, '0')}\t${String(packets.length).padStart(16, '0')}\trecovery-1.par2\n`
  image.write(`${RECOVERY_HEAD}\nsector\tbytes\tname\n${row}`, (FIRST - 1) * SECTOR)
  packets.copy(image, FIRST * SECTOR)
  return image
}

describe.skipIf(missing)(`REPAIR.py with a hostile disc${missing ? ` (${missing})` : ''}`, () => {
  async function run(image: Buffer): Promise<{ stderr: string; status: number | null; made: string[] }> {
    const folder = await temporaryFolder()
    writeFileSync(join(folder, 'disc.iso'), image)
    const args = [join(SCRIPTS, 'recovery/repair.py'), join(folder, 'disc.iso'), join(folder, 'to')]
    const { stderr, status } = spawnSync('python3', args, { encoding: 'utf8' })
    return { stderr, status, made: readdirSync(folder).filter((name) => name !== 'disc.iso') }
  }
  const lists = [described('STOWAGE/RECOVERY.tsv'), described('STOWAGE/INDEX.tsv')]

  it.each(['../evil', '/evil', 'a/../../evil', 'a//evil', './evil'])(
    'writes nothing where a file in it is called %s',
    async (name) => {
      const { stderr, status, made } = await run(disc([...lists, described(name)]))
      expect([stderr, status, made]).toEqual([
        'its recovery data has names that lead out of the disc\n',
        1,
        [],
      ])
    },
  )

  it('passes over packets that are not as their digest says', async () => {
    const image = disc([...lists, described('../evil')], (packets) => {
      packets[packets.indexOf('../evil') + 3] = 'E'.charCodeAt(0)
    })
    const { stderr, status } = await run(image)
    expect(stderr).not.toContain('names that lead out of the disc')
    expect(status).toBe(6)
  })

  it('writes no file that is longer than the disc, and not more of all', async () => {
    const large = 'its recovery data has files that are larger than the disc\n'
    const one = await run(disc([...lists, described('a', 2 ** 50)]))
    expect([one.stderr, one.status, one.made]).toEqual([large, 1, []])
    const many = ['a', 'b', 'c'].map((name) => described(name, (FIRST / 2) * SECTOR))
    const all = await run(disc([...lists, ...many]))
    expect([all.stderr, all.status, all.made]).toEqual([large, 1, []])
  })

  it('names files without control characters', async () => {
    const { stderr, status } = await run(disc([...lists, described('a\u001b[2Jb\nc\u009bd\u007fé')]))
    expect(status).toBe(6)
    expect(stderr).toContain('cannot repair a?[2Jb?c?d?é\n')
  })
})

const noPython = missingReader('python3')
describe.skipIf(noPython)(`REBUILD.py${noPython ? ` (${noPython})` : ''}`, () => {
  it('refuses two lost images that Q does not tell apart, and names both', async () => {
    const folder = await temporaryFolder()
    const rows = Array.from({ length: 256 }, (_, at): ParityRow => {
      return { number: at + 1, kind: 'image', label: `D_${at + 1}`, bytes: 40_000, sha256: '0'.repeat(64) }
    })
    writeFileSync(join(folder, 'PARITY.tsv'), parityTsv(rows))
    const files = rows.slice(1, -1).map(({ label }) => {
      const image = Buffer.alloc(40_000)
      image.write(label.padEnd(32), 32_808)
      const path = join(folder, `${label}.iso`)
      writeFileSync(path, image)
      return path
    })
    for (const name of ['PARITY_P.bin', 'PARITY_Q.bin']) writeFileSync(join(folder, name), '')
    const given = [...files, join(folder, 'PARITY_P.bin'), join(folder, 'PARITY_Q.bin')]
    const args = [
      join(SCRIPTS, 'parity/rebuild.py'),
      join(folder, 'PARITY.tsv'),
      'D_1',
      join(folder, 'out'),
      ...given,
    ]
    const { stderr, status } = spawnSync('python3', args, { encoding: 'utf8' })
    expect([stderr, status]).toEqual(['too many discs are missing: D_1, D_256\n', 1])
  })

  it('names files without control characters', async () => {
    const folder = await temporaryFolder()
    writeFileSync(join(folder, 'PARITY.tsv'), parityTsv([]))
    const image = join(folder, 'a\u001b[2J.iso')
    writeFileSync(image, Buffer.alloc(40_000))
    const args = [
      join(SCRIPTS, 'parity/rebuild.py'),
      join(folder, 'PARITY.tsv'),
      'D_1',
      join(folder, 'out'),
      image,
    ]
    const { stderr } = spawnSync('python3', args, { encoding: 'utf8' })
    expect(stderr).toContain('a?[2J.iso: its label')
  })
})

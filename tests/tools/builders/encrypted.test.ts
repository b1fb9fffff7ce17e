import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openContainer } from '../../../src/engine/native/containers'
import type { BuildRequest } from '../../../src/engine/options/builders/optionBuilder'
import { plainCopyNote } from '../../../src/engine/options/builders/plainCopyNote'
import { requireTool } from '../../../src/engine/tools/externalTool'
import { requireOpens, sevenZip } from '../../../src/engine/tools/sevenZip'
import { makeHostileTree } from '../../fixtures/hostileTree'
import { contentOf } from '../../support/buildSource'
import {
  type BuildPlace,
  buildPlace,
  bytesBelow,
  failureOf,
  makeTitles,
  wordsOf,
} from '../../support/builtOption'
import { mostlyLong } from '../../support/mostlyLong'

let place: BuildPlace
beforeEach(() => {
  place = buildPlace()
})
afterEach(() => place.dispose())

const EVERYTHING = { folders: true, links: true }
const FILES_ONLY = { folders: false, links: false }
/** Blanks at both ends, quotes, letters of more than one byte: what programs trim, cut or recode. */
const PASSWORD = ' hunter2 “päss” $(id) -p\t'

function encrypted(encryption: 'aes-128' | 'aes-256' = 'aes-256'): Partial<BuildRequest> {
  return { encryption, password: Buffer.from(PASSWORD), isKept: true }
}

async function sevenZipRun(
  args: readonly string[],
  input: string,
): Promise<{ code: number | null; text: string }> {
  const { path } = await requireTool(sevenZip)
  const { status, stdout, stderr } = spawnSync('setsid', ['-w', path, ...args], { input, encoding: 'latin1' })
  return { code: status, text: stdout + stderr }
}

/** Opens with the password only, and shows no name before. */
async function unpacked(archive: string, to: string, names: readonly string[]): Promise<string> {
  for (const given of ['', '\n', 'hunter2\n', `${PASSWORD.trim()}\n`]) {
    const { code, text } = await sevenZipRun(['l', '-slt', archive], Buffer.from(given).toString('latin1'))
    expect(code, text).not.toBe(0)
    for (const name of names) expect(text).not.toContain(name)
  }
  const tool = await requireTool(sevenZip)
  const wrong = await failureOf(requireOpens({ tool, archive, shown: 'Photos.7z' }, Buffer.from('hunter2')))
  expect([wrong.code, wrong.message]).toEqual([
    'wrong-password',
    'cannot open Photos.7z: the password is wrong',
  ])
  const { status, stderr } = spawnSync(tool.path, ['x', '-y', `-o${to}`, archive], {
    input: `${PASSWORD}\n`,
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  })
  expect(status, stderr.toString()).toBe(0)
  return to
}

function expectNoPassword(...folders: string[]): void {
  for (const folder of folders) {
    for (const [name, bytes] of bytesBelow(folder)) {
      expect(name).not.toContain('hunter2')
      expect(bytes, name).not.toContain('hunter2')
    }
  }
}

describe('an encrypted 7z archive', () => {
  mostlyLong(
    it,
    ['7z-files', '7z-solid-4m-type', '7z-t7z'],
    (variant) => variant === '7z-files',
  )('of %s shows no name without its password and gives everything back with it', async (variant) => {
    // Names that go to 7-Zip by a list and names that only xargs can give it.
    makeHostileTree(place.source, { seed: 31 })
    writeFileSync(join(place.source, 'letter.txt'), wordsOf(1, 20_000))
    writeFileSync(join(place.source, 'line\nend.txt'), wordsOf(2, 20_000))
    const { built, path, scratch } = await place.build(variant, encrypted())
    expect(built.repeatable).toBe(false)
    expect(built.command).toContain('-mhe=on -p ')
    const out = await unpacked(path, join(place.folder, 'out'), ['letter.txt', 'end.txt'])
    expect(contentOf(out, FILES_ONLY)).toEqual(contentOf(place.source, FILES_ONLY))
    expectNoPassword(scratch)
    const again = await place.build(variant, encrypted())
    expect(readFileSync(again.path).equals(readFileSync(path))).toBe(false)
  })

  it('in content order holds a tar file, of which nothing is left outside', { tags: 'long' }, async () => {
    makeHostileTree(place.source, { seed: 32 })
    writeFileSync(join(place.source, 'letter.txt'), wordsOf(1, 20_000))
    const seen: (number | null)[] = []
    const { built, path, scratch } = await place.build('7z-solid-1m-content', {
      ...encrypted(),
      onProgress: (done) => seen.push(done),
    })
    expect(built.notes).toEqual([plainCopyNote()])
    expect(readdirSync(scratch)).not.toContain('all.tar')
    const tar = join(await unpacked(path, join(place.folder, 'out'), ['all.tar']), 'all.tar')
    const to = join(place.folder, 'untarred')
    mkdirSync(to)
    execFileSync('tar', ['-xf', tar, '-C', to])
    expect(contentOf(to, EVERYTHING)).toEqual(contentOf(place.source, EVERYTHING))
    expect(seen).toEqual(seen.toSorted((one, other) => Number(one) - Number(other)))
  })

  it('can be of nothing, and of empty files', { tags: 'long' }, async () => {
    await place.build('7z-files', encrypted())
    writeFileSync(join(place.source, 'empty.txt'), '')
    const { path } = await place.build('7z-solid-1m-type', encrypted())
    const out = await unpacked(path, join(place.folder, 'out'), ['empty.txt'])
    expect([...contentOf(out, FILES_ONLY).keys()]).toEqual(['empty.txt'])
  })

  it('is not named after the titles in it', { tags: 'long' }, async () => {
    makeTitles(place.source)
    const { path, built } = await place.build('7z-titles', encrypted())
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).toSorted()
    expect(names).toEqual([1, 2, 3, 4, 5, 6].map((number) => `title-00000${number}.7z`))
    expect(built.repeatable).toBe(false)
    const found = new Set<string>()
    for (const name of names) {
      const out = await unpacked(join(path, name), join(place.folder, name), ['Title', '.rom'])
      for (const digest of contentOf(out, FILES_ONLY).values()) found.add(digest)
    }
    expect(found).toEqual(new Set(contentOf(place.source, FILES_ONLY).values()))
  })

  it('is refused a password that 7-Zip would read as another one', async () => {
    writeFileSync(join(place.source, 'a'), 'a')
    for (const [bytes, because] of [
      [Buffer.from('one\ntwo'), /line end/],
      [Buffer.from('one\0two'), /zero byte/],
      [Buffer.from('one\r'), /line end/],
      [Buffer.from('caf\xe9', 'latin1'), /not UTF-8/],
    ] as const) {
      const failure = await failureOf(place.build('7z-files', { encryption: 'aes-256', password: bytes }))
      expect([failure.code, failure.message]).toEqual(['usage', expect.stringMatching(because)])
    }
  })
})

describe('an encrypted UDZO image', { tags: 'long' }, () => {
  it.each([
    ['aes-128', 128],
    ['aes-256', 256],
  ] as const)(
    'with %s holds the same image as without, and opens with its password only',
    async (encryption, keyBits) => {
      writeFileSync(join(place.source, 'letter.txt'), wordsOf(1, 300_000))
      const { path, scratch, built } = await place.build('udzo', encrypted(encryption))
      expect(built.command).toContain(`AES-${keyBits}`)
      expect(built.notes).toEqual([plainCopyNote()])
      const plain = await openContainer((await place.build('udzo')).path)
      const image = await plain.read(0, (await plain.info()).bytes)
      await plain.close()
      const wrong = await failureOf(openContainer(path, { password: Buffer.from('hunter2') }))
      expect([wrong.code, wrong.message]).toEqual([
        'wrong-password',
        expect.stringMatching(/the password is wrong$/),
      ])
      const disk = await openContainer(path, { password: Buffer.from(PASSWORD) })
      const info = await disk.info()
      const inside = await disk.read(0, info.bytes)
      await disk.close()
      expect(info.encryption?.keyBits).toBe(keyBits)
      expect(Buffer.compare(inside, image)).toBe(0)
      expect(readFileSync(path).includes('letter')).toBe(false)
      expect(readdirSync(scratch)).not.toContain('disc.iso')
      expectNoPassword(scratch)
    },
  )
})

describe('an encrypted repository', { tags: 'long' }, () => {
  it.each(['a list of names', 'the whole folder, for a carriage return in a name'])(
    'of borg, filled from %s, opens with its password only',
    async (filled) => {
      if (filled !== 'a list of names') makeHostileTree(place.source, { seed: 33 })
      for (const name of ['new\nline', '-x', 'plain']) writeFileSync(join(place.source, name), name)
      const set = process.env['BORG_PASSPHRASE']
      process.env['BORG_PASSPHRASE'] = 'of another repository'
      const { path, scratch, built } = await place.build('borg-1-zstd-3', encrypted()).finally(() => {
        if (set === undefined) delete process.env['BORG_PASSPHRASE']
        else process.env['BORG_PASSPHRASE'] = set
      })
      expect(built.command).toContain('borg init -e repokey')
      const borg = (args: readonly string[], input: string, cwd = place.folder): number | null =>
        spawnSync('borg', args, {
          input,
          cwd,
          env: {
            ...process.env,
            LC_ALL: 'C.UTF-8',
            BORG_PASSPHRASE_FD: '0',
            BORG_REPO: path,
            BORG_BASE_DIR: join(scratch, 'reader'),
          },
        }).status
      expect(borg(['list'], 'hunter2\n')).toBe(2)
      const to = join(place.folder, 'out')
      mkdirSync(to)
      expect(borg(['extract', '::source'], `${PASSWORD}\n`, to)).toBe(0)
      expect(contentOf(to, EVERYTHING)).toEqual(contentOf(place.source, EVERYTHING))
      expectNoPassword(path, scratch)
    },
  )

  it('of restic opens with its password only, which is not in its README', async () => {
    makeHostileTree(place.source, { seed: 34 })
    const { path, scratch, built } = await place.build('restic-auto', encrypted())
    expect(built.notes).toEqual([])
    const restic = (args: readonly string[], input: string): { status: number | null; text: string } => {
      const { status, stdout, stderr } = spawnSync('restic', ['-r', path, '--no-cache', ...args], {
        input,
        encoding: 'utf8',
      })
      return { status, text: stdout + stderr }
    }
    expect(restic(['snapshots'], 'hunter2\n').text).toMatch(/wrong password/)
    const to = join(place.folder, 'out')
    const restored = restic(['restore', 'latest', '--target', to], `${PASSWORD}\n`)
    expect(restored.status, restored.text).toBe(0)
    expect(contentOf(to, EVERYTHING)).toEqual(contentOf(place.source, EVERYTHING))
    expect(readFileSync(join(path, 'README.txt'), 'utf8')).toMatch(/restic\s+asks for the password/)
    expectNoPassword(path, scratch)
  })
})

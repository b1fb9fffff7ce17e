import { describe, expect, test } from 'vitest'
import { driveSchema } from '../../../../../src/contract/dto/run'
import { driveMedium, driveName, listedDevices } from '../../../../../src/engine/sets/write/driveReport'
import { parseMediainfo, parseXorrisoToc } from '../../../../../src/engine/tools/opticalMedium'
import { seededRandom } from '../../../../../src/primitives/seededRandom'

// Constructed from the sources of libisoburn 1.5.4 (Xorriso_toc, Xorriso_list_speeds) and dvd+rw-tools 7.1; not run on a drive.
const LINKS = `Beginning to scan for devices ...
Full drive scan done
-----------------------------------------------------------------------------
0  -dev '/dev/sr0' rwrw-- :  'HL-DT-ST' 'BD-RE  WH16NS40'
1  -dev '/dev/sr1' rwrw-- :  'Optiarc ' 'DVD RW AD-5240S'
-----------------------------------------------------------------------------
`
const BLANK_CD = `Drive current: -outdev '/dev/sr1'
Drive type   : vendor 'Optiarc' product 'DVD RW AD-5240S' revision '1.04'
Media current: CD-RW
Media status : is blank
Media blocks : 0 readable , 359847 writable , 359847 overall
Write speed  :   1764k , 10.0xC
Write speed  :    706k ,  4.0xC
`
const MEDIAINFO = `INQUIRY:                [HL-DT-ST][DVD+-RW GP60N   ][A300]
GET [CURRENT] CONFIGURATION:
 Mounted Media:         1Ah, DVD+RW
 Write Speed #0:        4.0x1385=5540KB/s
 Write Speed #1:        2.4x1385=3324KB/s
READ DISC INFORMATION:
 Disc status:           blank
READ TRACK INFORMATION[#1]:
 Track Start Address:   0*2KB
 Free Blocks:           2295104*2KB
 Track Size:            2295104*2KB
`

describe('a report on a drive', () => {
  test('names drives, and what is in them', () => {
    expect(listedDevices(LINKS)).toEqual(['/dev/sr0', '/dev/sr1'])
    expect(driveName(BLANK_CD)).toEqual({ vendor: 'Optiarc', model: 'DVD RW AD-5240S' })
    expect(driveMedium(parseXorrisoToc(BLANK_CD))).toEqual({
      kind: 'cd-rw',
      name: 'CD-RW',
      blank: true,
      rewritable: true,
      capacitySectors: 359_847,
      usedSectors: 0,
      speeds: [4, 10],
    })
    expect(driveName(MEDIAINFO)).toEqual({ vendor: 'HL-DT-ST', model: 'DVD+-RW GP60N' })
    expect(driveMedium(parseMediainfo(MEDIAINFO))).toMatchObject({
      kind: 'dvd+rw',
      blank: true,
      capacitySectors: 2_295_104,
      speeds: [2.4, 4],
    })
  })

  test.each([
    ['CD-R', 'cd-r'],
    ['DVD-R sequential recording', 'dvd-r'],
    ['DVD-R dual layer sequential', 'dvd-r-dl'],
    ['DVD-RW restricted overwrite', 'dvd-rw'],
    ['DVD-RAM', 'dvd-ram'],
    ['DVD+R', 'dvd+r'],
    ['DVD+R/DL', 'dvd+r-dl'],
    ['BD-R SRM', 'bd-r'],
    ['BD-RE', 'bd-re'],
    ['DVD-ROM', 'dvd-rom'],
    ['stdio file, overwriteable', 'file'],
    ['HD DVD-R', 'unknown'],
  ])('knows %s', (name, kind) => {
    expect(driveMedium(parseXorrisoToc(`Media current: ${name}\nMedia status : is blank\n`))?.kind).toBe(kind)
  })

  test('shows no disc where there is none, and nothing writable on a closed one', () => {
    expect(driveMedium(parseXorrisoToc('Media current: is not recognizable\n'))).toBeNull()
    expect(driveMedium(parseXorrisoToc(''))).toBeNull()
    const closed = 'Media current: BD-R\nMedia status : is written , is closed\n'
    expect(driveMedium(parseXorrisoToc(closed))).toMatchObject({ blank: false, capacitySectors: 0 })
  })

  test('is a drive of the contract, whatever was printed', () => {
    const random = seededRandom(11)
    for (let round = 0; round < 300; round++) {
      let text = [LINKS, BLANK_CD, MEDIAINFO][random.below(3)] as string
      for (let edit = 0; edit < 5; edit++) {
        const at = random.below(text.length)
        text = text.slice(0, at) + String.fromCharCode(random.below(256)) + text.slice(at + random.below(40))
      }
      const medium = driveMedium(random.below(2) ? parseXorrisoToc(text) : parseMediainfo(text))
      const drive = { device: '/dev/sr0', ...driveName(text), medium, problem: null }
      expect(driveSchema.safeParse(drive).error).toBeUndefined()
      for (const device of listedDevices(text)) expect(device).not.toBe('')
    }
  })
})

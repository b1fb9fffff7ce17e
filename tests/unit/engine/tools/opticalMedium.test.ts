import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { opticalMediumSchema } from '../../../../src/contract/dto/measure'
import { findProgram } from '../../../../src/engine/tools/findProgram'
import { filledIn, parseMediainfo, parseXorrisoToc } from '../../../../src/engine/tools/opticalMedium'
import { seededRandom } from '../../../../src/primitives/seededRandom'

// In the form that xorriso's manual (-toc, -list_speeds) and the source of libisoburn give these lines.
const XORRISO_BLANK_BDR = `xorriso 1.5.4 : RockRidge filesystem manipulator, libburnia project.

Drive current: -outdev '/dev/sr0'
Media current: BD-R sequential recording
Media product: CMCMAG/BA5/0 , CMC Magnetics Corporation
Media status : is blank
Media summary: 0 sessions, 0 data blocks, 0 data, 23.3g free
Drive current: -outdev '/dev/sr0'
Drive access : exclusive:unrestricted
Drive type   : vendor 'HL-DT-ST' product 'BD-RE BH16NS40' revision '1.03'
Media current: BD-R sequential recording
Media product: CMCMAG/BA5/0 , CMC Magnetics Corporation
Media status : is blank
Media blocks : 0 readable , 12219392 writable , 12219392 overall
Media summary: 0 sessions, 0 data blocks, 0 data, 23.3g free
Read speed   :  53954k , 12.0xB
Write speed  :  53954k , 12.0xB
Write speed  :  35968k ,  8.0xB
Write speed  :  17984k ,  4.0xB
Write speed L:  17984k ,  4.0xB
Write speed H:  53954k , 12.0xB
`
const XORRISO_APPENDABLE_DVD = `Drive current: -outdev '/dev/sr1'
Media current: DVD-RW sequential recording
Media product: RITEKW04 , Ritek Corp
Media status : is written , is appendable
Media blocks : 145680 readable , 2123520 writable , 2298496 overall
TOC layout   : Idx ,  sbsector ,       Size , Volume Id
ISO session  :   1 ,         0 ,    131591s , BACKUP_01
Media summary: 1 session, 145680 data blocks,  285m data, 4148m free
Media nwa    : 174368s
`
// In the form of dvd+rw-tools' dvd+rw-mediainfo.
const MEDIAINFO_BLANK = `INQUIRY:                [HL-DT-ST][BD-RE BH16NS40 ][1.03]
GET [CURRENT] CONFIGURATION:
 Mounted Media:         41h, BD-R SRM
 Media ID:              CMCMAG/BA5
 Current Write Speed:   12.0x4495=53954KB/s
 Write Speed #0:        12.0x4495=53954KB/s
 Write Speed #1:        8.0x4495=35968KB/s
GET [CURRENT] PERFORMANCE:
 Speed Descriptor#0:    00/12219391 R@12.0x4495=53954KB/s W@12.0x4495=53954KB/s
READ DISC INFORMATION:
 Disc status:           blank
 Number of Sessions:    1
 State of Last Session: empty
 "Next" Track:          1
 Number of Tracks:      1
READ TRACK INFORMATION[#1]:
 Track State:           invisible
 Track Start Address:   0*2KB
 Next Writable Address: 0*2KB
 Free Blocks:           12219392*2KB
 Track Size:            12219392*2KB
READ CAPACITY:          0*2048=0
`
const MEDIAINFO_APPENDABLE = `INQUIRY:                [TSSTcorp][CDDVDW SH-S203P ][SB00]
GET [CURRENT] CONFIGURATION:
 Mounted Media:         14h, DVD-RW Sequential
 Media ID:              RITEKW04
 Write Speed #0:        4.0x1385=5540KB/s
READ DISC INFORMATION:
 Disc status:           appendable
 Number of Sessions:    2
 State of Last Session: empty
 "Next" Track:          2
 Number of Tracks:      2
READ TRACK INFORMATION[#1]:
 Track State:           complete incremental
 Track Start Address:   0*2KB
 Free Blocks:           0*2KB
 Track Size:            145680*2KB
 Last Recorded Address: 145679*2KB
READ TRACK INFORMATION[#2]:
 Track State:           invisible incremental
 Track Start Address:   174368*2KB
 Next Writable Address: 174368*2KB
 Free Blocks:           2123520*2KB
 Track Size:            2123520*2KB
READ CAPACITY:          145680*2048=298352640
`

describe('parseXorrisoToc', () => {
  it('reads a blank BD-R with its speeds', () => {
    expect(parseXorrisoToc(XORRISO_BLANK_BDR)).toEqual({
      profile: 'BD-R sequential recording',
      state: 'blank',
      capacitySectors: 12_219_392,
      usedSectors: 0,
      freeSectors: 12_219_392,
      sessions: 0,
      writeBytesPerSecond: [53_954_000, 35_968_000, 17_984_000],
      manufacturerId: 'CMCMAG/BA5/0',
    })
  })

  it('reads an appendable DVD-RW', () => {
    expect(parseXorrisoToc(XORRISO_APPENDABLE_DVD)).toMatchObject({
      state: 'appendable',
      usedSectors: 145_680,
      freeSectors: 2_123_520,
      capacitySectors: 2_298_496,
      sessions: 1,
      writeBytesPerSecond: [],
    })
  })

  it.each([
    ['Media current: is not present\nMedia status : is not present\n', 'absent', ''],
    ['Media current: is not recognizable\nMedia status : is not recognizable\n', 'unknown', ''],
    ['Media current: DVD+R\nMedia status : is written , is closed\n', 'closed', 'DVD+R'],
    ['', 'unknown', ''],
  ])('says what state %j is', (text, state, profile) => {
    expect(parseXorrisoToc(text)).toMatchObject({ state, profile })
  })

  it('reads what the real xorriso prints of a written image', async (context) => {
    const program = await findProgram('xorriso')
    if (program === null) return context.skip('xorriso is not here')
    const folder = mkdtempSync(join(tmpdir(), 'stowage-toc-'))
    try {
      const [image, file] = [join(folder, 'disc.img'), join(folder, 'file')]
      writeFileSync(file, 'x'.repeat(5000))
      writeFileSync(image, '')
      truncateSync(image, 50e6)
      const run = (...args: string[]): string =>
        execFileSync(program, ['-no_rc', '-outdev', `stdio:${image}`, ...args], {
          encoding: 'utf8',
          stdio: 'pipe',
        })
      const blank = parseXorrisoToc(run('-toc', '-list_speeds'))
      expect(blank).toMatchObject({
        profile: 'stdio file, overwriteable',
        state: 'blank',
        sessions: 0,
        usedSectors: 0,
      })
      run('-map', file, '/file', '-commit_eject', 'none')
      const written = parseXorrisoToc(run('-toc'))
      expect(written).toMatchObject({ state: 'appendable', sessions: 1 })
      expect(written.usedSectors).toBeGreaterThan(0)
      expect((written.usedSectors ?? 0) + (written.freeSectors ?? 0)).toBe(written.capacitySectors)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('parseMediainfo', () => {
  it('reads a blank BD-R', () => {
    expect(parseMediainfo(MEDIAINFO_BLANK)).toEqual({
      profile: 'BD-R SRM',
      state: 'blank',
      capacitySectors: 12_219_392,
      usedSectors: 0,
      freeSectors: 12_219_392,
      sessions: 0,
      writeBytesPerSecond: [53_954_000, 35_968_000],
      manufacturerId: 'CMCMAG/BA5',
    })
  })

  it('reads an appendable DVD-RW, and agrees with xorriso on it', () => {
    const [one, other] = [parseMediainfo(MEDIAINFO_APPENDABLE), parseXorrisoToc(XORRISO_APPENDABLE_DVD)]
    for (const field of ['state', 'usedSectors', 'freeSectors', 'sessions', 'manufacturerId'] as const) {
      expect([field, one[field]]).toEqual([field, other[field]])
    }
    // The last track ends short of the medium's own end, so xorriso's figure comes first.
    expect(filledIn(other, one)).toMatchObject({
      capacitySectors: 2_298_496,
      writeBytesPerSecond: [5_540_000],
    })
  })

  it('reports that there is no medium', () => {
    expect(parseMediainfo(':-( no media mounted, exiting...\n').state).toBe('absent')
  })
})

it.each([parseXorrisoToc, parseMediainfo])('takes any text for output (%#)', (parse) => {
  const random = seededRandom(6)
  const texts = [XORRISO_BLANK_BDR, XORRISO_APPENDABLE_DVD, MEDIAINFO_BLANK, MEDIAINFO_APPENDABLE]
  for (let round = 0; round < 300; round++) {
    let text = texts[random.below(texts.length)] as string
    for (let edit = 0; edit < 5; edit++) {
      const at = random.below(text.length)
      text = text.slice(0, at) + String.fromCharCode(random.below(256)) + text.slice(at + random.below(40))
    }
    expect(opticalMediumSchema.safeParse(parse(text)).error).toBeUndefined()
  }
})

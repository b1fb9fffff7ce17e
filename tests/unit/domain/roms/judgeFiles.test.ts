import { describe, expect, it } from 'vitest'
import { type FoundFile, judgeFiles } from '../../../../src/domain/roms/judgeFiles'
import { type RomSet, romSets } from '../../../../src/domain/roms/romSets'
import { WantedFiles } from '../../../../src/domain/roms/wantedFiles'
import { datOf, fileOf, gameOf } from '../../../support/madeDats'

const BIG = 'a'.repeat(70)

const dat = datOf([
  gameOf('alpha', { files: [fileOf('a1.bin', 'one'), fileOf('a2.bin', 'two!')] }),
  gameOf('beta', { files: [fileOf('beta.nes', BIG)] }),
  gameOf('gamma', { files: [fileOf('g.bin', 'three'), fileOf('none.bin', '', { status: 'nodump' })] }),
  gameOf('delta', { files: [fileOf('same.bin', 'one'), fileOf('may.bin', 'maybe', { isOptional: true })] }),
  gameOf('lost', { files: [fileOf('x', 'x', { status: 'nodump' })] }),
])
const sets = romSets(dat, 'split').sets

function found(path: string, content: string, isMember = false): FoundFile {
  const { bytes, crc, sha1 } = fileOf('', content)
  return {
    parts: path.split('/'),
    isMember,
    bytes: bytes ?? 0,
    contents: [{ bytes, crc, sha1, md5: null, sha256: null }],
  }
}

function judge(files: readonly FoundFile[], of: readonly RomSet[] = sets) {
  const steps = judgeFiles(of, new WantedFiles(of), files)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  const judged = step.value
  return {
    files: judged.files.map(({ state, wanted, by }) =>
      `${state} ${wanted ? `${wanted.set.name}/${wanted.held.name}` : '-'} ${by ?? ''}`.trim(),
    ),
    sets: Object.fromEntries(
      judged.sets.map(({ set, state, present, files: needed }) => [
        set.name,
        `${state} ${present}/${needed}`,
      ]),
    ),
  }
}

describe('a found file', () => {
  it('is right in its place, in a folder or a zip, and alone where it is all of its ROM set', () => {
    const { files, sets: states } = judge([
      found('r/alpha/a1.bin', 'one'),
      found('r/alpha/a2.bin', 'two!', true),
      found('r/beta.nes', BIG),
    ])
    expect(files).toEqual(['right alpha/a1.bin', 'right alpha/a2.bin', 'right beta/beta.nes'])
    expect(states).toEqual({
      alpha: 'complete 2/2',
      beta: 'complete 1/1',
      gamma: 'missing 0/1',
      delta: 'complete 1/1',
      lost: 'undumped 0/0',
    })
  })

  it('is renamed where another place is empty, else a duplicate, whatever the order', () => {
    const all = [found('r/q.bin', 'one'), found('r/alpha/a1.bin', 'one'), found('r/z.bin', 'one')]
    expect(judge(all).files).toEqual([
      'renamed delta/same.bin',
      'right alpha/a1.bin',
      'duplicate alpha/a1.bin',
    ])
    expect(judge([found('r/other/beta.nes', BIG, true)]).files).toEqual(['renamed beta/beta.nes'])
  })

  it('is a bad dump of the file of its name, or of its ROM set and size; size alone says nothing', () => {
    expect(judge([found('r/gamma/g.bin', 'wrong')]).files).toEqual(['bad-dump gamma/g.bin name'])
    expect(judge([found('r/g.bin', 'far too long')]).files).toEqual(['bad-dump gamma/g.bin name'])
    expect(judge([found('r/alpha/other', 'eno')]).files).toEqual(['bad-dump alpha/a1.bin size'])
    expect(judge([found('r/b.nes', 'b'.repeat(70))]).files).toEqual(['unneeded -'])
    expect(judge([found('r/b.txt', 'b'.repeat(70))]).files).toEqual(['unneeded -'])
  })

  it('is unneeded where nothing ties it to a game that lacks it', () => {
    expect(judge([found('r/beta.nes', BIG), found('r/b.nes', 'b'.repeat(70))]).files).toEqual([
      'right beta/beta.nes',
      'unneeded -',
    ])
    expect(judge([found('r/readme.txt', 'hello')]).files).toEqual(['unneeded -'])
  })

  it('is what every checksum that is known says', () => {
    const wrongSha1 = {
      ...found('r/beta.nes', BIG),
      contents: [{ bytes: 70, crc: fileOf('', BIG).crc, md5: null, sha1: '0'.repeat(40), sha256: null }],
    }
    expect(judge([wrongSha1]).files).toEqual(['bad-dump beta/beta.nes name'])
    const crcAlone = {
      ...found('r/beta.nes', BIG),
      contents: [{ bytes: 70, crc: fileOf('', BIG).crc, md5: null, sha1: null, sha256: null }],
    }
    expect(judge([crcAlone]).files).toEqual(['right beta/beta.nes'])
  })

  it('has its content behind a header too', () => {
    const [plain] = found('r/beta.nes', BIG).contents
    const [whole] = found('', `header${BIG}`).contents
    expect(
      judge([{ ...found('r/beta.nes', ''), bytes: 76, contents: [whole as never, plain as never] }]).files,
    ).toEqual(['right beta/beta.nes'])
  })

  it('matches names however their letters are composed', () => {
    const own = romSets(
      datOf([gameOf('é', { files: [fileOf('ü.bin', 'u'), fileOf('o', 'o')] })]),
      'split',
    ).sets
    expect(judge([found('r/e\u0301/u\u0308.bin', 'u')], own).files).toEqual(['right é/ü.bin'])
  })
})

describe('a ROM set', () => {
  it('is partial with some of its contents, and does not need what is optional or not dumped', () => {
    expect(judge([found('r/x', 'two!')]).sets).toMatchObject({
      alpha: 'partial 1/2',
      delta: 'missing 0/1',
      lost: 'undumped 0/0',
    })
    expect(judge([found('r/x', 'three')]).sets['gamma']).toBe('complete 1/1')
  })

  it('finds files without content like any other', () => {
    const own = romSets(
      datOf([gameOf('e', { files: [fileOf('empty', ''), fileOf('b', 'b')] })]),
      'split',
    ).sets
    expect(judge([found('r/e/empty', '')], own)).toEqual({
      files: ['right e/empty'],
      sets: { e: 'partial 1/2' },
    })
  })
})

import { describe, expect, test } from 'vitest'
import { parseWritingLine, xorrisoFailure } from '../../../../src/engine/tools/xorriso'

const result = (...errorLines: string[]) => ({ exitCode: 5, output: '', errorLines })

describe("xorriso's words", () => {
  test.each([
    ['xorriso : UPDATE : Writing:      23811s   16.2%   fifo  98%  buf  50%', 23811],
    ['xorriso : UPDATE : Writing:     139264s   95.0%   fifo 100%  buf  50%  449.5xD ', 139264],
    ['xorriso : UPDATE : Writing: 12345678s   99.0%   fifo 100%  buf  50%', 12345678],
    ['xorriso : UPDATE :       1 files added in 1 seconds', null],
    ["Writing to 'stdio:a.iso' completed successfully.", null],
  ])('tell progress: %s', (line, sectors) => {
    expect(parseWritingLine(line)).toBe(sectors)
  })

  test('report a disk that is too small', () => {
    const line = 'xorriso : FAILURE : Image size 146668s exceeds free space on media 51200s'
    expect(xorrisoFailure('build x.iso', line, result())).toMatchObject({
      code: 'no-space',
      message: 'cannot build x.iso: 300 MB needed, 105 MB free',
    })
  })

  test('report a disk that became full while writing', () => {
    const line = 'libburn : FATAL : Write error on fd= 5: No space left on device'
    expect(xorrisoFailure('build x.iso', line, result()).code).toBe('no-space')
  })

  test.each([
    "xorriso : FAILURE : Cannot determine attributes of source file '/a/b' : No such file or directory",
    'libisofs: MISHAP : File "/a/b" can\'t be opened. Filling with 0s.',
  ])('tell a source that is gone: %s', (line) => {
    expect(xorrisoFailure('build x.iso', line, result())).toMatchObject({
      code: 'vanished',
      message: 'cannot build x.iso: source /a/b is missing or unreadable',
    })
  })

  test('are quoted when they mean nothing we know', () => {
    expect(xorrisoFailure('build x.iso', 'xorriso : FAILURE : Strange things', result()).message).toBe(
      'cannot build x.iso: xorriso: Strange things (exit code 5)',
    )
    expect(xorrisoFailure('build x.iso', null, result('last words')).message).toBe(
      'cannot build x.iso: xorriso ended with code 5: last words',
    )
  })
})

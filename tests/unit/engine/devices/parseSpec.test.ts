import { describe, expect, it } from 'vitest'
import { testSpecSchema } from '../../../../src/domain/devices/testSpec'
import { knownKeys, parseSpec } from '../../../../src/engine/devices/parseSpec'
import { editSteps } from '../../../../src/primitives/nearestName'
import { seededRandom } from '../../../../src/primitives/seededRandom'

const GOOD = `
# A test of the new drive.
name: New drive
seed: 7
flush: end
tests:
  - name: Photos
    sizes: [2MB, 64KiB, { size: 1GB, count: 3 }]
    rest: 10s
  - sizes: { from: 10kB, to: 1MB, count: 50 }
    operations: [write, randomRead]
    accessSize: 4KiB
`

describe('parseSpec', () => {
  it('reads what a person writes and fills in the rest', () => {
    const spec = parseSpec(GOOD, 'spec.yaml')
    expect(spec).toMatchObject({
      name: 'New drive',
      seed: 7,
      flush: 'end',
      cache: 'uncached',
      concurrency: 1,
    })
    expect(spec.tests[0]).toMatchObject({
      sizes: [2_000_000, 65_536, { size: 1_000_000_000, count: 3 }],
      rest: 10_000,
      operations: ['write', 'read'],
      order: 'random',
    })
    expect(spec.tests[1]).toMatchObject({
      sizes: { from: 10_000, distribution: 'log-uniform' },
      accessSize: 4096,
    })
  })

  it('reads JSON too', () => {
    expect(parseSpec('{"tests": [{"sizes": ["1MB"]}]}', 'spec.json').tests[0]?.sizes).toEqual([1_000_000])
  })

  it.each([
    [
      'an unknown key',
      'tests:\n  - sizse: [1MB]\n    sizes: [1MB]\n',
      's.yaml:2:5: tests[1].sizse: unknown; did you mean "sizes"?',
    ],
    [
      'a size that is none',
      'tests:\n  - sizes:\n      - 1MB\n      - 2XB\n',
      's.yaml:4:9: tests[1].sizes[2]: not a size: "2XB"',
    ],
    [
      'a limit that is none',
      'tests:\n  - sizes: {from: 2Q, to: 1GB, count: 3}\n',
      's.yaml:2:19: tests[1].sizes.from: not a size: "2Q"',
    ],
    [
      'an unknown key of drawn sizes',
      'tests:\n  - sizes: {from: 1, to: 9, count: 3, distribtion: uniform}\n',
      's.yaml:2:39: tests[1].sizes.distribtion: unknown; did you mean "distribution"?',
    ],
    [
      'limits the wrong way round',
      'tests:\n  - sizes: {from: 2GB, to: 1MB, count: 3}\n',
      's.yaml:2:19: tests[1].sizes.from: "from" is larger than "to"',
    ],
    [
      'a total out of reach',
      'tests:\n  - sizes: {from: 1MB, to: 2MB, count: 3, total: 1GB}\n',
      's.yaml:2:50: tests[1].sizes.total: this many files',
    ],
    ['no tests', 'name: x\n', 's.yaml:1:1: tests: '],
    [
      'an operation that is none',
      'tests:\n  - sizes: [1]\n    operations: [write, raed]\n',
      's.yaml:3:25: tests[1].operations[2]: ',
    ],
    ['a list where a map should be', '- 1\n- 2\n', 's.yaml:1:1: specification: '],
    ['broken YAML', 'tests: [1, 2\nname: "x\n', 's.yaml:'],
    [
      'a key given twice',
      'seed: 1\nseed: 2\ntests: [{sizes: [1]}]\n',
      's.yaml:2:1: this name is given twice',
    ],
    [
      'a request of half a sector',
      'requestSize: 1000\ntests: [{sizes: [1MB]}]\n',
      's.yaml:1:14: requestSize: direct I/O needs multiples of 512',
    ],
    [
      'an access of no size',
      'tests: [{sizes: [1MB], accessSize: 100MB}]\n',
      's.yaml:1:36: tests[1].accessSize: one request moves at most',
    ],
    ['nothing', '', 's.yaml:1:1: specification: '],
  ])('tells line, column and cause of %s', (_what, text, start) => {
    let message = ''
    try {
      parseSpec(text, 's.yaml')
    } catch (thrown) {
      message = (thrown as Error).message
    }
    expect(message.slice(0, start.length)).toBe(start)
    expect(message).not.toContain('\n')
  })

  it('reports several mistakes in the order of the text', () => {
    expect(() => parseSpec('tests:\n  - sizes: [1Q]\n    repeat: 0\nflush: never\n', 's')).toThrow(
      /^s:2:13: .*; s:3:13: tests\[1\]\.repeat: .*; s:4:8: flush: /,
    )
  })

  it('accepts the keys of the schema', () => {
    const spec = testSpecSchema.parse({ tests: [{ sizes: [1], name: 'x' }] })
    expect(knownKeys(['tests', 0])).toEqual(expect.arrayContaining(Object.keys(spec.tests[0] as object)))
    for (const key of knownKeys(['tests', 0, 'sizes'])) {
      expect(() => parseSpec(`tests: [{sizes: {${key}: {}}}]`, 's')).not.toThrow(
        new RegExp(`${key}: not known`),
      )
    }
  })

  it('refuses aliases that grow without end', () => {
    const lines = ['a0: &a0 [1,1,1,1,1,1,1,1,1]']
    for (let k = 1; k < 9; k++)
      lines.push(
        `a${k}: &a${k} [${Array(9)
          .fill(`*a${k - 1}`)
          .join(',')}]`,
      )
    expect(() => parseSpec(lines.join('\n'), 's')).toThrow(/^s:1:1: .*alias/i)
  })

  it('answers any text with a specification or one bad-input line', () => {
    const random = seededRandom(3)
    for (let round = 0; round < 250; round++) {
      let text = GOOD
      for (let edit = 0; edit < 1 + random.below(4); edit++) {
        const at = random.below(text.length)
        const put = [' ', '\n', '-', '{', '}', '[', ':', '&a', '*a', '!!x', '\t', '"', '9', ''][
          random.below(14)
        ]
        text = text.slice(0, at) + put + text.slice(at + random.below(6))
      }
      try {
        parseSpec(text, 'f')
      } catch (thrown) {
        expect(thrown).toMatchObject({
          code: 'bad-input',
          message: expect.stringMatching(/^f:\d+:\d+: [^\n]+$/),
        })
      }
    }
  })
})

/** Distance by trying every way: the reference. */
function slowSteps(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length
  const same = a[0] === b[0] ? 0 : 1
  const ways = [
    slowSteps(a.slice(1), b) + 1,
    slowSteps(a, b.slice(1)) + 1,
    slowSteps(a.slice(1), b.slice(1)) + same,
  ]
  if (a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0])
    ways.push(slowSteps(a.slice(2), b.slice(2)) + 1)
  return Math.min(...ways)
}

describe('editSteps', () => {
  it('agrees with trying every way', () => {
    const random = seededRandom(9)
    const word = (): string => Array.from({ length: random.below(6) }, () => 'abc'[random.below(3)]).join('')
    for (let round = 0; round < 200; round++) {
      const [a, b] = [word(), word()]
      expect([a, b, editSteps(a, b)]).toEqual([a, b, slowSteps(a, b)])
    }
  })
})

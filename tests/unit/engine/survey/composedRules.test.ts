import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadAddon } from '../../../../src/engine/native/loadAddon'
import { pathToBytes } from '../../../../src/primitives/pathText'
import { seededRandom } from '../../../../src/primitives/seededRandom'
import { temporaryFolder } from '../../../support/surveyedFolder'
import { walkedPaths } from '../../../support/walkedPaths'

/** A tree of empty files. */
function treeOf(paths: readonly string[]): string {
  const root = temporaryFolder()
  for (const path of paths) {
    const at = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(pathToBytes(path))])
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(at, '')
  }
  return root
}

const FORMS = ['NFC', 'NFD'] as const
/** What letters are made of: accents of several classes, Hangul, letters that have no composed form, and none at all. */
const PIECES =
  'a e o A U s 가 각 ㅎ \u1112 \u1161 \u11ab \u0300 \u0301 \u0304 \u0308 \u030a \u0323 \u0327 \u0328 \u0338 \u0345 \u212b \u2126 \u0958 \u0344 \ufb2c \u{1d15e} \u{11347}\u{1133e} \u3099 か 日 𝒳 é'.split(
    ' ',
  )

describe('a rule', () => {
  test.each(FORMS.flatMap((name) => FORMS.map((pattern) => [name, pattern] as const)))(
    'leaves out names in %s where it is written in %s',
    async (name, pattern) => {
      const paths = ['Übung/secret', 'x/Übung.txt', 'x/é/ü', 'keep'].map((path) => path.normalize(name))
      const root = treeOf(paths)
      const left = (...rules: string[]) =>
        walkedPaths(
          root,
          rules.map((rule) => rule.normalize(pattern)),
          false,
        )
      const names = (...all: string[]) => all.map((path) => path.normalize(name)).toSorted()
      expect(await left('Übung/', 'Ü*.txt', '/x/é/')).toEqual(names('keep', 'x'))
      expect(await left('*', '!/Übung', '!secret')).toEqual(names('Übung', 'Übung/secret'))
      expect(await left('x/**/ü', '**/*bung.txt')).toEqual(names('Übung', 'Übung/secret', 'keep', 'x', 'x/é'))
    },
  )

  test('of a file in the source counts in either form', async () => {
    const root = treeOf(['a/Übung/secret'.normalize('NFD'), 'a/keep'])
    writeFileSync(join(root, 'a/.stowageignore'), 'Übung/'.normalize('NFC'))
    expect(await walkedPaths(root, [], true)).toEqual(['a', 'a/.stowageignore', 'a/keep'])
  })

  test('matches every name whose composed form is its own, and no other', async () => {
    const random = seededRandom(13)
    const names = Array.from({ length: 400 }, () =>
      Array.from({ length: 1 + random.below(5) }, () => PIECES[random.below(PIECES.length)]).join(''),
    ).filter((name) => Buffer.byteLength(name.normalize('NFD')) < 200)
    const root = treeOf([...names, ...names.map((name) => name.normalize('NFD'))])
    for (const name of names.slice(0, 60)) {
      const own = name.normalize('NFC')
      const kept = await walkedPaths(root, [name], false)
      expect(kept.filter((each) => each.normalize('NFC') === own)).toEqual([])
    }
    const all = new Set(await walkedPaths(root, [], false))
    const half = names.slice(0, 200)
    const forms = new Set(half.map((name) => name.normalize('NFC')))
    const kept = [...all].filter((name) => !forms.has(name.normalize('NFC')))
    expect(await walkedPaths(root, half, false)).toEqual(kept.toSorted())
    expect(kept.length).toBeGreaterThan(150)
  })

  test('is compared byte for byte with a name that is not UTF-8', async () => {
    const root = treeOf(['caf\udce9', 'café'.normalize('NFD')])
    expect(await walkedPaths(root, ['café'], false)).toEqual(['caf\udce9'])
    expect(await walkedPaths(root, ['caf\udce9'], false)).toEqual(['café'.normalize('NFD')])
  })

  test('with a NUL byte is refused, and so are rules in UTF-16', () => {
    const utf16 = Buffer.from('a\nb\n', 'utf16le')
    const { rules, faults } = loadAddon().rulesOfFile(utf16)
    expect(rules).toEqual([])
    expect(faults[0]).toMatchObject({ line: 1, column: 2, cause: 'a NUL byte, as in UTF-16' })
    expect(loadAddon().rulesOfFile(Buffer.concat([Buffer.from([0xff, 0xfe]), utf16])).isUtf8).toBe(false)
    expect(loadAddon().checkRules([Buffer.from('a'), Buffer.from('b\0c')]).faults).toMatchObject([
      { index: 1, column: 2 },
    ])
    const root = treeOf(['a', 'b'])
    writeFileSync(join(root, '.stowageignore'), utf16)
    return expect(walkedPaths(root, [], true)).resolves.toEqual(['.stowageignore', 'a', 'b'])
  })
})

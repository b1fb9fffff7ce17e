import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { houseFiles } from './sourceFiles'

const MOST_LINES = 600
const IS_CODE = /\.(ts|tsx|mjs|cjs|js|cc|h|css)$/
const CODE_FOLDERS = /^(src|renderer|native|tests|scripts)\//
const IS_TEXT =
  /\.(ts|tsx|mjs|cjs|js|json|cc|h|css|html|md|yml|yaml|txt|svg|sql)$|CMakeLists|^\.[a-z-]+$|^\.ci\/run$/

/** The line in a file's opening comment by which a long file says why it is. */
const REASON = /Over 600 lines because \S+/

const tooLong = (text: string) =>
  text.split('\n').length > MOST_LINES && !REASON.test(text.split('\n').slice(0, 10).join('\n'))

/** Why a file's name does not fit the house; null when it does. */
function nameFault(file: string): string | null {
  const words = file
    .replace(/\.[^/]*$/, '')
    .split(/[/.]|(?<=[a-z0-9])(?=[A-Z])/)
    .map((word) => word.toLowerCase())
  const vague = words.find((word) => /^(utils?|helpers?|commons?|managers?|misc|stuff)$/.test(word))
  if (vague) return `${file}: "${vague}" does not say what is inside`
  const name = basename(file).replace(/\..*$/, '')
  if (/^[a-z][a-zA-Z0-9]*$/.test(name)) return null
  // A component's file is named after the component, a migration's begins with its number.
  if (file.endsWith('.tsx') && /^[A-Z][a-zA-Z0-9]*$/.test(name)) return null
  if (/\/migrations\/\d+[-a-zA-Z0-9]*\.ts$/.test(file)) return null
  return `${file}: not camelCase`
}

describe('files', () => {
  const code = houseFiles().filter((file) => IS_CODE.test(file) && CODE_FOLDERS.test(file))

  it(`have at most ${MOST_LINES} lines, or say in their header why not`, () => {
    expect(code.length).toBeGreaterThan(20)
    expect(code.filter((file) => tooLong(readFileSync(file, 'utf8')))).toEqual([])
  })

  it('are too long if one line is, whatever follows', () => {
    const long = 'x\n'.repeat(MOST_LINES)
    expect(tooLong(long.slice(0, -2))).toBe(false)
    expect(tooLong(long)).toBe(true)
    expect(tooLong(`${long}// Over 600 lines because late`)).toBe(true)
    expect(tooLong(`// Over 600 lines because a table is one thing\n${long}`)).toBe(false)
  })

  it('are named after what they hold', () => {
    expect(code.map((file) => nameFault(file)).filter((fault) => fault !== null)).toEqual([])
  })

  it.each([
    'src/engine/utils.ts',
    'src/helpers/sizes.ts',
    'renderer/src/planManager.ts',
    'src/engine/survey-job.ts',
    'src/engine/Survey.ts',
    'native/src/core/block_hash.cc',
  ])('would be refused as %s', (file) => {
    expect(nameFault(file)).not.toBeNull()
  })

  it('hold no path of the machine they were written on and no host of a package registry', () => {
    // Put together here, so that this file does not find itself.
    const forbidden = [
      ['/work', '/'],
      // The documents show a home that somebody may have.
      ...(homedir() === '/home/ada' ? [] : [[homedir(), '/']]),
      [process.cwd(), ''],
      ['registry', '.npmjs.org'],
      ['registry', '.yarnpkg.com'],
      ['files', '.pythonhosted.org'],
      ['pypi', '.org/simple'],
      ['deb', '.debian.org'],
      ['artifact', 'registry'],
    ].map((parts) => parts.join(''))
    const found = houseFiles()
      .filter((file) => IS_TEXT.test(file))
      .flatMap((file) => {
        const text = readFileSync(file, 'utf8')
        return forbidden.filter((part) => text.includes(part)).map((part) => `${file}: ${part}`)
      })
    expect(found).toEqual([])
  })

  it('hold no two sides of a conflict, comments included', () => {
    const marked = (text: string) => /^(<{7}|\|{7}|>{7})( |$)/m.test(text)
    expect(marked(`a\n${'<'.repeat(7)} HEAD\n`)).toBe(true)
    const text = houseFiles().filter((file) => IS_TEXT.test(file))
    expect(text.filter((file) => marked(readFileSync(file, 'utf8')))).toEqual([])
  })

  it('of the native core do not use Node', () => {
    const core = houseFiles().filter((file) => /^native\/src\/(core|platform)\/.*\.(cc|h)$/.test(file))
    expect(core.length).toBeGreaterThan(0)
    const found = core.filter((file) =>
      /#\s*include\s*[<"](napi|node_api|js_native_api|uv|node|v8)\b/.test(readFileSync(file, 'utf8')),
    )
    expect(found).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { parseYaml, valueOf } from '../../../src/files/yamlText'

const FILE = '/a/settings.yaml'

function problemOf(text: string): string {
  try {
    const { document } = parseYaml(text, FILE, 'lines "name: value"')
    valueOf(document.contents, document)
    return ''
  } catch (thrown) {
    return (thrown as Error).message.replace(`${FILE}:`, '')
  }
}

describe('a text that is not YAML', () => {
  it.each([
    ['a: "x', '1:6: a quotation mark is missing after a text'],
    ['a: [1, 2\nb: 1', '2:1: the bracket ] is missing after a list'],
    ['a: {b: 1', '1:9: the brace } is missing after "name: value"'],
    ['{"a" 1}', '1:6: a comma is missing'],
    ['a: "x"#c', '1:7: a space is missing before #'],
    ['c: 1\na b', '2:1: a colon is missing after a name'],
    ['a b\nc: 1', '1:1: a colon is missing after a name, or a line does not begin in its column'],
    ['a: b: c', '1:4: put a text with ": " in quotes; names of one level begin in one column'],
    ['a: [b: c: d]', '1:8: put a text with ": " in quotes; names of one level begin in one column'],
    ['a: 1\n\tb: 2', '2:1: lines of one level must begin in one column, after spaces and not tabs'],
    ['a:\n  b: 1\n c: 2', '3:1: lines of one level must begin in one column, after spaces and not tabs'],
    ['a:\n  - 1\n - 2', '3:1: lines of one level must begin in one column, after spaces and not tabs'],
    ['a: "C:\\Users"', '1:7: write a backslash twice in double quotes, or use single quotes'],
    ['a: @x', '1:4: put this text in quotes'],
    ['a: *\n', '1:4: put a text that begins with *, & or ! in quotes'],
    ['a: *x\n', 'put a text that begins with *, & or ! in quotes'],
    ['a: 1\na: 2', '2:1: this name is given twice'],
    ['a: 1\n---\nb: 2', '2:1: a second document begins here: leave out "---"'],
    ['a: &a [*a]', 'it has too many aliases'],
    ["a: 'it's'", '1:8: this does not belong to what is before it'],
    ['a: ]', '1:4: this does not belong to what is before it'],
    ['a: |x\n y', '1:5: this does not belong to what is before it'],
  ])('%j is refused with the place and the cause', (text, problem) => {
    expect(problemOf(text)).toBe(problem)
  })
})

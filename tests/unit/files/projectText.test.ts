import { describe, expect, it } from 'vitest'
import { type Project, projectSchema } from '../../../src/domain/project/project'
import { newProjectText, readProjectText, requireProject } from '../../../src/files/projectText'

const FILE = '/a/photos.stowage.yaml'
const HEAD = `# Ana's
id: pr-0123456789ab
name: Photos # all of them
sources:
  photos: /home/ana/Photos
`

const PROJECT: Project = {
  id: 'pr-0123456789ab',
  name: 'Photos: "all"',
  sources: { photos: '/home/ana/Photos', notes: './a b/#1' },
  rules: {
    patterns: ['*.tmp', '!keep.tmp', '# no comment', String.raw`a\ `],
    presets: ['litter'],
    largerThan: '4GB',
  },
  medium: 'bd-r-25',
  option: '7z-solid-64m-path',
  encryption: 'aes-128',
  label: 'ON',
  copies: 2,
  goal: 'smallest',
}

/** Aliases of aliases: a few lines for millions of values. */
const BOMB = `a0: &a0 [x, x, x, x]\n${[1, 2, 3, 4, 5, 6]
  .map((at) => `a${at}: &a${at} [*a${at - 1}, *a${at - 1}, *a${at - 1}, *a${at - 1}]\n`)
  .join('')}`

/** Each problem without the path of the file. */
const problemsOf = (text: string): string[] =>
  readProjectText(text, FILE).problems.map(
    ({ place, message }) => `${place.replace(`${FILE}:`, '')} ${message}`,
  )

describe('a text of a project', () => {
  it('is read with the place of each value', () => {
    const text = `${HEAD}rules:\n  patterns:\n    - '*.tmp'\n    - "!keep.tmp"\nmedium: bd-r-25\n`
    const { project, problems, placeOf } = readProjectText(text, FILE)
    expect(problems).toEqual([])
    expect(project).toEqual({
      id: 'pr-0123456789ab',
      name: 'Photos',
      sources: { photos: '/home/ana/Photos' },
      rules: { patterns: ['*.tmp', '!keep.tmp'] },
      medium: 'bd-r-25',
    })
    expect(placeOf(['sources', 'photos'])).toBe(`${FILE}:5:11`)
    expect(placeOf(['rules', 'patterns', 1])).toBe(`${FILE}:9:7`)
    expect(placeOf(['medium'])).toBe(`${FILE}:10:9`)
    expect(placeOf(['label'])).toBe(`${FILE}:2:1`)
  })

  it('may be JSON, and keys without a value are as good as none', () => {
    const json = JSON.stringify({ ...PROJECT, medium: null })
    const { medium: _, ...rest } = PROJECT
    expect(readProjectText(json, FILE).project).toEqual(rest)
    expect(readProjectText(`${HEAD}rules:\n  caches:\nmedium: ~\n`, FILE).project).toMatchObject({
      rules: {},
    })
  })

  it.each([
    ['medum: dvd-r', '6:1 medum is unknown: did you mean "medium"?'],
    ['rules:\n  pattern: []', '7:3 rules.pattern is unknown: did you mean "patterns"?'],
    ['password: x', /^6:1 password looks like a password, which a project never holds: /],
    ['rules: { passphrase: x }', /^6:10 rules\.passphrase looks like a password/],
    ['protection: 10', '6:13 protection takes fill, none or a share from 1% to 100%, not 10'],
    ['encryption: 256', '6:13 encryption takes none, aes-128 or aes-256, not 256'],
    ['label: ana', '6:8 label takes 1 to 24 of A-Z, 0-9 and _, not "ana"'],
    ['copies: 0', '6:9 copies takes a whole number from 1 to 99, not 0'],
    ['rules:\n  patterns: ["*.tmp", 3]', '7:23 rules.patterns[2] takes a pattern in quotes, not 3'],
    ['rules:\n  largerThan: much', '7:15 rules.largerThan takes a size such as 4GB, not "much"'],
    ['rules:\n  caches: yes', '7:11 rules.caches takes true or false, not "yes"'],
    ['rules: [a]', /^6:8 rules takes lines such as /],
    ['option: nix', /^6:9 option takes the name of an option, .*, not "nix"$/],
    ['rules:\n  patterns:\n    - *.tmp', "8:7 put *.tmp in quotes: '*.tmp'"],
    ['rules:\n  patterns:\n    - !keep.tmp', "8:7 put !keep.tmp in quotes: '!keep.tmp'"],
    ['  __proto__: /home/ana', '6:3 __proto__ cannot be a name: choose another one'],
  ])('with a fault is refused with line and column: %j', (line, expected) => {
    const [found, ...more] = problemsOf(`${HEAD}${line}\n`)
    expect(more).toEqual([])
    if (typeof expected === 'string') expect(found).toBe(expected)
    else expect(found).toMatch(expected)
  })

  it('gives all problems in the order of the lines, and what is missing first', () => {
    const problems = problemsOf('label: a\nsources: {a b: x}\nid: 1\nlabl: A\n')
    expect(problems.map((line) => line.split(' ').slice(0, 2))).toEqual([
      ['1:1', 'name'],
      ['1:8', 'label'],
      ['2:11', 'sources'],
      ['3:5', 'id'],
      ['4:1', 'labl'],
    ])
    expect(problems[0]).toBe('1:1 name is missing: it takes 1 to 200 characters')
  })

  it('names what each key takes, in words of its own', () => {
    const values = ['5', 'x', 'true', '[]', '[5]', '{}', '{a: 5}', '-1', '""', '[""]']
    const rules = ['patterns', 'presets', 'ignoreFiles', 'caches', 'largerThan', 'oneFileSystem']
    const lines = values.flatMap((value) =>
      Object.keys(projectSchema.shape)
        .map((key) => `${key}: ${value}\n`)
        .concat(rules.map((key) => `rules: {${key}: ${value}}\n`)),
    )
    const problems = lines.flatMap(problemsOf)
    expect(problems.filter((problem) => /Invalid|expected|received|Too /.test(problem))).toEqual([])
    expect(problemsOf("rules: {patterns: '*.tmp'}\n")).toContain(
      '1:19 rules.patterns takes a list, not "*.tmp"',
    )
  })

  it('without anything in it lacks everything', () => {
    expect(problemsOf('# nothing yet\n').map((line) => line.split(' ')[1])).toEqual(['id', 'name', 'sources'])
  })

  it.each([
    ['name: [a\n', /^\/a\/photos\.stowage\.yaml:2:1: /],
    ['- name\n', `${FILE}:1:1: a project is lines "name: value"`],
    ['rules: &a { patterns: *a }\n', /^\/a\/photos\.stowage\.yaml:1:1: it has too many aliases$/],
    [BOMB, /^\/a\/photos\.stowage\.yaml:1:1: it has too many aliases$/],
    ['name: a\nname: b\n', /^\/a\/photos\.stowage\.yaml:2:1: this name is given twice$/],
  ])('that is broken is refused at once: %j', (text, message) => {
    expect(() => readProjectText(text, FILE)).toThrow(message)
    expect(() => readProjectText(text, FILE)).toThrow(
      expect.objectContaining({ code: 'bad-input', path: FILE }),
    )
  })

  it('is required whole: the first problem is named, and how many follow', () => {
    const one = readProjectText(`${HEAD}labl: A\n`, FILE)
    expect(() => requireProject(one, 'p.yaml')).toThrow(`${FILE}:6:1: labl is unknown: did you mean "label"?`)
    const two = readProjectText(`${HEAD}labl: A\ngaol: live\n`, FILE)
    expect(() => requireProject(two, 'p.yaml')).toThrow(/ \(and 1 more: stowage project check p\.yaml\)$/)
  })
})

describe('the text of a new project', () => {
  it('is read as the same project', () => {
    expect(readProjectText(newProjectText(PROJECT), FILE).project).toEqual(PROJECT)
  })

  it('has a comment for every key, and an example for those that are not given', () => {
    const text = newProjectText({ id: PROJECT.id, name: 'Photos', sources: { photos: 'Photos' } })
    expect(text).toContain('\n# disk or an ID from "stowage media"\n# medium: bd-r-25\n')
    expect(text).toContain("\n# rules:\n#   patterns:\n#     - '*.tmp'\n#     - '!keep.tmp'\n")
    expect(text).toContain('\nsources:\n  photos: Photos\n')
    for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(100)
  })

  it('is a valid project once the comment is taken from every example', () => {
    const text = newProjectText({ id: PROJECT.id, name: 'Photos' })
    const [header = '', ...blocks] = text.split('\n\n')
    const open = blocks.map((block) => {
      const [comment, ...lines] = block.trimEnd().split('\n')
      return [comment, ...lines.map((line) => line.replace(/^# /, ''))].join('\n')
    })
    expect(problemsOf([header, ...open].join('\n\n'))).toEqual([])
  })
})

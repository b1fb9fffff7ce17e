import { describe, expect, it } from 'vitest'
import type { Project } from '../../../src/domain/project/project'
import { changedProjectText } from '../../../src/files/projectEdit'
import { newProjectText, readProjectText } from '../../../src/files/projectText'

const FILE = '/a/photos.stowage.yaml'

/** Comments in every place that YAML has for one, four spaces in, quotes and brackets mixed. */
const TEXT = `# Ana's archive

# about the ID
id: pr-0123456789ab # the ID
name: "Photos: all" # the name

# the sources
sources:
    # the first
    photos: /home/ana/Photos # where they are
    # the second
    notes: ./notes
    # after the sources
# the rules
rules:
    # the patterns
    patterns:
        # temporary
        - '*.tmp' # of an editor
        # but
        - "!keep.tmp"
        # after the patterns
    presets: [litter] # and these
    # the size
    largerThan: 4GB

# the medium
medium: bd-r-25 # 25 GB each
# the label
label: PHOTOS
# the end
`

const projectOf = (text: string): Project => {
  const { project } = readProjectText(text, FILE)
  if (!project) throw new Error('not a project')
  return project
}
const now = projectOf(TEXT)
const changed = (change: Partial<Project>, text = TEXT): string =>
  changedProjectText(text, FILE, { ...projectOf(text), ...change })
const commentsOf = (text: string): string[] =>
  text.split('\n').flatMap((line) => /#.*$/.exec(line.replace(/'[^']*'|"[^"]*"/g, ''))?.[0] ?? [])

describe('a changed project', () => {
  it('differs in the line of the value alone', () => {
    expect(changed({ medium: 'dvd-r' })).toBe(TEXT.replace('medium: bd-r-25', 'medium: dvd-r'))
    expect(changed({ name: 'Photos #2: "new"' })).toContain(`name: "Photos #2: \\"new\\"" # the name\n`)
    expect(changed({ sources: { ...now.sources, photos: '/mnt/x y' } })).toBe(
      TEXT.replace('/home/ana/Photos', '/mnt/x y'),
    )
    expect(changed({ rules: { ...now.rules, largerThan: '1GB' } })).toBe(TEXT.replace('4GB', '1GB'))
  })

  it('is not written anew where nothing changes, however it is formatted', () => {
    const odd = TEXT.replace('medium: bd-r-25 #', 'medium:   bd-r-25      #').replace(
      '\nlabel',
      '\n\n\nlabel',
    )
    expect(changed({}, odd)).toBe(odd)
  })

  it.each<[string, Partial<Project>, readonly string[]]>([
    ['a new source', { sources: { ...now.sources, films: '/films' } }, []],
    ['a source less', { sources: { notes: './notes' } }, ['# where they are']],
    ['the last source less', { sources: { photos: '/home/ana/Photos' } }, []],
    ['other patterns', { rules: { ...now.rules, patterns: ['!keep.tmp', '*.bak'] } }, ['# of an editor']],
    ['patterns in another order', { rules: { ...now.rules, patterns: ['!keep.tmp', '*.tmp'] } }, []],
    ['no patterns', { rules: { ...now.rules, patterns: [] } }, ['# of an editor']],
    ['no preset', { rules: { ...now.rules, presets: [] } }, []],
    ['no size', { rules: { patterns: now.rules?.patterns, presets: now.rules?.presets } }, []],
    ['a key more', { option: '7z-solid-64m-path', copies: 3 }, []],
    ['a key less', { medium: undefined, label: undefined }, ['# 25 GB each']],
  ])('keeps comments and the order with %s', (_title, change, gone) => {
    const text = changed(change)
    expect(projectOf(text)).toEqual(JSON.parse(JSON.stringify({ ...now, ...change })))
    expect(commentsOf(text).toSorted()).toEqual(
      commentsOf(TEXT)
        .filter((comment) => !gone.includes(comment))
        .toSorted(),
    )
    const keys = (of: string): string[] => of.match(/^[a-z]+(?=:)/gm) ?? []
    expect(keys(text).filter((key) => keys(TEXT).includes(key))).toEqual(
      keys(TEXT).filter((key) => keys(text).includes(key)),
    )
  })

  it('has a new key in the place of its example, and nothing else is touched', () => {
    const text = newProjectText({ id: now.id, name: 'Photos', sources: { photos: 'Photos' } })
    expect(changed({ medium: 'dvd-r', rules: { patterns: ['*.bak'] } }, text)).toBe(
      text
        .replace('# medium: bd-r-25', 'medium: dvd-r')
        .replace(/# rules:\n(# {2}.*\n)+/, "rules:\n  patterns:\n    - '*.bak'\n"),
    )
  })

  it('may be JSON, and keeps line ends of Windows', () => {
    const json = JSON.stringify({ ...now, sources: { photos: '/a' } })
    expect(projectOf(changed({ medium: 'disk', copies: 2 }, json))).toMatchObject({
      medium: 'disk',
      copies: 2,
    })
    const text = changed({ medium: 'disk' }, TEXT.replaceAll('\n', '\r\n'))
    expect(text.replaceAll('\r\n', '')).not.toContain('\n')
  })

  it('follows aliases, and is refused where one needs what would go', () => {
    const head = 'id: pr-0123456789ab\nname: &n Photos\n'
    const text = changed({ name: 'Other' }, `${head}sources:\n  a: *n\n`)
    expect(projectOf(text)).toMatchObject({ name: 'Other', sources: { a: 'Photos' } })
    expect(() => changed({ sources: { b: '/p' } }, `${head}sources: { a: &p /p, b: *p }\n`)).toThrow(
      `cannot change ${FILE} and keep what is in it: change it in an editor`,
    )
  })
})

describe('a value that others repeat by an alias', () => {
  const text = `id: pr-0123456789ab
label: &both PHOTOS
name: *both
sources:
  photos: /p
`

  it('is not changed where the others would change with it', () => {
    expect(() => changed({ label: 'SCANS' }, text)).toThrow(expect.objectContaining({ code: 'bad-input' }))
  })

  it('can repeat another value from then on', () => {
    expect(projectOf(changed({ name: 'Scans' }, text))).toEqual({ ...projectOf(text), name: 'Scans' })
  })
})

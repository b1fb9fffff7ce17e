import { describe, expect, it } from 'vitest'
import { changeFiles, faultsOf, foldedChangelog } from '../../../scripts/foldChanges.mjs'

const TEXT = 'Fixed\n`find` finds names with accents.\n'

describe('files of docs/changes', () => {
  it('are well-formed', () => {
    expect(changeFiles('.').flatMap((change) => faultsOf(change))).toEqual([])
  })

  it('may have three lines of a hundred columns', () => {
    const line = `${'word '.repeat(19)}words`
    expect(line).toHaveLength(100)
    expect(faultsOf({ name: 'find-accents.md', text: `Added\n${line}\n${line}\n${line}\n` })).toEqual([])
  })

  it.each([
    ['find.md', TEXT, 'the name is not area-and-words.md'],
    ['find accents.md', TEXT, 'the name is not area-and-words.md'],
    ['find-accents.txt', TEXT, 'the name is not area-and-words.md'],
    ['find-accents.md', 'Names are found.\n', 'the first line is none of Added, Changed, Fixed, Removed'],
    ['find-accents.md', 'Fixed\n', 'there is no text'],
    ['find-accents.md', 'Fixed\na\nb\nc\nd\n', 'the text has more than 3 lines'],
    ['find-accents.md', 'Fixed\n\nNames are found.\n', 'a line is empty'],
    ['find-accents.md', `Fixed\n${'x'.repeat(101)}\n`, 'a line has more than 100 columns'],
    ['find-accents.md', 'Fixed\n- Names are found.\n', 'a line starts a list or a heading'],
  ])('would be refused as %s with %j', (name, text, fault) => {
    expect(faultsOf({ name, text }).join('\n')).toContain(`docs/changes/${name}: ${fault}`)
  })
})

describe('folding changes into the changelog', () => {
  const before = `# Changelog

## Unreleased

### Added

- One.

### Fixed

- Two, which
  goes on.

### Known limits

- Three.

## 0.1.0

### Removed

- Four.
`
  const folded = (...texts: readonly string[]) =>
    foldedChangelog(
      before,
      texts.map((text, at) => ({ name: `area-${at}.md`, text })),
    )

  it('adds each as the last entry of its section', () => {
    expect(folded('Fixed\nFirst.\n', 'Fixed\nSecond.\n', 'Added\nNew.\n')).toBe(
      before
        .replace('  goes on.\n', '  goes on.\n- First.\n- Second.\n')
        .replace('- One.\n', '- One.\n- New.\n'),
    )
  })

  it('makes a section that is missing, in its order', () => {
    expect(folded('Removed\nGone.\n', 'Changed\nOther.\n')).toBe(
      before
        .replace('  goes on.\n', '  goes on.\n\n### Removed\n\n- Gone.\n')
        .replace('- One.\n', '- One.\n\n### Changed\n\n- Other.\n'),
    )
  })

  it('makes the first section of a version that has none', () => {
    expect(foldedChangelog('# Changelog\n\n## Unreleased\n', [{ name: 'a-b.md', text: TEXT }])).toBe(
      '# Changelog\n\n## Unreleased\n\n### Fixed\n\n- `find` finds names with accents.\n',
    )
  })

  it('wraps entries at 100 columns and loses no word', () => {
    const line = `${'word '.repeat(19)}words`
    const lines = folded(`Added\n${line}\n${line}\n`).split('\n')
    const entry = lines.slice(lines.indexOf('- One.') + 1, lines.indexOf('### Fixed') - 1)
    expect(Math.max(...entry.map(({ length }) => length))).toBeLessThanOrEqual(100)
    expect(entry.map((each) => each.slice(2)).join(' ')).toBe(`${line} ${line}`)
    expect(entry.map((each) => each.slice(0, 2))).toEqual(['- ', '  ', '  '])
  })

  it('changes nothing without changes, and refuses a changelog without a place for them', () => {
    expect(folded()).toBe(before)
    expect(() => foldedChangelog('# Changelog\n', [])).toThrow('CHANGELOG.md has no "## Unreleased"')
  })
})

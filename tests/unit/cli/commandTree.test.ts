import { describe, expect, it } from 'vitest'
import { commandTree } from '../../../src/cli/completion/commandTree'
import { powershellCompletion } from '../../../src/cli/completion/powershell'
import type { CommandDeclaration } from '../../../src/cli/declarations/declaration'
import { DECLARATIONS } from '../../../src/cli/declarations/every'

const commands: readonly (readonly [string, CommandDeclaration])[] = Object.entries(DECLARATIONS)
const tree = commandTree({ media: ['bd-r-25'], documents: ['stowage.survey/1'] })
const contextNamed = (name: string) => tree.find((context) => context.name === name)

describe('the tree of completion', () => {
  it('has every command, every action and every option that help shows', () => {
    for (const [command, { forms }] of commands)
      for (const { verb, options } of forms) {
        const flags = contextNamed(verb === '' ? command : `${command} ${verb}`)?.flags.map(([flag]) => flag)
        const shown = Object.entries(options).filter(([, { hidden }]) => hidden === undefined)
        expect(flags?.toSorted()).toEqual(
          [...shown.map(([option]) => `--${option}`), '--json', '--help'].toSorted(),
        )
      }
  })

  it('has words that no shell takes for anything but themselves', () => {
    for (const { words, flags, after } of tree) {
      const values = [...after.keys(), ...[...after.values()].flatMap((value) => value.words)]
      for (const word of [...words, ...flags].map(([each]) => each).concat(values))
        expect(word).toMatch(/^[\w+./-]+$/)
    }
  })

  it('knows where files, folders or neither are given', () => {
    const paths = (name: string): string | undefined => contextNamed(name)?.paths
    expect(['survey', 'verify', 'restore', 'image info', 'project set', 'survey merge'].map(paths)).toEqual(
      Array.from({ length: 6 }, () => 'files'),
    )
    expect(['build', 'write', 'measure', 'sample'].map(paths)).toEqual([
      'folders',
      'folders',
      'folders',
      'folders',
    ])
    expect(['find', 'media', 'config get', 'archives show', 'catalog place', 'pipe'].map(paths)).toEqual(
      Array.from({ length: 6 }, () => 'none'),
    )
    const plan = contextNamed('plan')?.after
    expect([plan?.get('--out')?.paths, plan?.get('--project')?.paths, plan?.get('--label')?.paths]).toEqual([
      'folders',
      'files',
      'none',
    ])
  })

  it('takes values from placeholders such as `size|name`, and from the lists that are given', () => {
    expect(contextNamed('plan')?.after.get('--order')?.words).toEqual(['size', 'folders', 'name', 'date'])
    expect(contextNamed('plan')?.after.get('--protect')?.words).toEqual(['fill', 'none'])
    expect(contextNamed('look')?.after.get('--medium')?.words).toEqual(['bd-r-25'])
    expect(contextNamed('schema')?.words).toEqual([['stowage.survey/1', '']])
  })
})

// No PowerShell is at hand where these tests run: its strings are all that can be checked.
it('the script for PowerShell closes every string, and writes quotes in it twice', () => {
  const script = powershellCompletion(tree)
  for (const line of script.split('\n'))
    expect(line.match(/['\u2018-\u201B]/g)?.length ?? 0, line).toSatisfy((count: number) => count % 2 === 0)
  expect(script).toContain("only for Stowage''s own images")
})

import { expect, it } from 'vitest'
import { printLost } from '../../../src/cli/commands/catalogCopies'
import { lostCopies } from '../../../src/contract/dto/copies'
import { volumeCopy } from '../../fixtures/fakeEngine/fakeCopies'

const DAY = Date.UTC(2026, 4, 3, 12)
const lost = (copy: number, place: string | null) =>
  volumeCopy(copy, place, { state: 'lost', lostWallMs: DAY })

function printed(copies: ReturnType<typeof lost>[], directoryExists = true): string {
  const lines: string[] = []
  const out = { line: (text = '') => lines.push(text), lines: (all: string[]) => lines.push(...all) }
  const plans = [{ id: 'p1', directory: '/plans/one', directoryExists }]
  printLost(lostCopies(copies), plans, out as never)
  return lines.join(' ').replaceAll(/\s+/g, ' ')
}

it('a lost copy is said with its place, what is left, and the command that writes it again', () => {
  const text = printed([volumeCopy(1, 'home'), lost(2, 'attic')])
  expect(text).toContain('Lost: copy 2 of PHOTOS_01 at attic, 3 May 2026; 1 copy left.')
  expect(text).toMatch(/To write it again: .*write \/plans\/one --to FOLDER --copy 2 --volume 1 --again/)
})

it('a lost image or folder is built again', () => {
  const text = printed([lost(0, null)])
  expect(text).toContain('Lost: the built image or folder of PHOTOS_01, 3 May 2026; no other copy is left.')
  expect(text).toMatch(/To write it again: .*build \/plans\/one --volume 1/)
})

it('no command is named where the folder of the plan is gone', () => {
  expect(printed([lost(2, 'attic')], false)).not.toContain('To write it again')
})

import { describe, expect, it } from 'vitest'
import type { MediumCandidates, OptionsDocument } from '../../../../../src/contract/dto/options'
import { optionsRequestSchema } from '../../../../../src/contract/dto/options'
import { candidatesOf } from '../../../../../src/domain/options/choice/candidates'
import { FakeOptions } from '../../../../fixtures/fakeEngine/fakeOptions'

const fake = new FakeOptions({}, { id: 's1', roots: ['/Photos'], files: 5000, bytes: 60e9 }).handlers(() => ({
  jobId: 'j',
}))

async function listed(request: object): Promise<OptionsDocument> {
  return await fake.list(
    optionsRequestSchema.parse({ surveyId: 's1', mediumIds: ['disk', 'bd-r-25'], ...request }),
  )
}

async function named(request: object = {}): Promise<MediumCandidates[]> {
  return candidatesOf(await listed(request), await listed({ encryption: 'aes-256', ...request }))
}

describe('the candidates of a source', () => {
  it('are plain files, the smallest and an encrypted vault on each medium, all of which can be planned', async () => {
    const found = await named()
    expect(found.map(({ medium }) => medium)).toEqual(['disk', 'bd-r-25'])
    for (const { medium, candidates } of found) {
      const three = candidates.filter(({ kind }) => kind !== 'best')
      expect(three.map(({ kind }) => kind)).toEqual(['plain', 'smallest', 'vault'])
      for (const { option } of candidates) {
        expect(option?.medium).toBe(medium)
        expect(option?.plan.form).not.toBeNull()
        expect(option?.breaks).toEqual([])
      }
      const [plain, smallest, vault] = three.map(({ option }) => option)
      expect(plain?.plan.form).toBe('plain')
      expect(smallest?.estimate.bytes.value).toBeLessThan(plain?.estimate.bytes.value ?? 0)
      expect(vault?.encryption).toBe('aes-256')
      expect(plain?.encryption).toBe('none')
    }
  })

  it('name the vault before the smallest where everything has to be encrypted, have no plain files, and name each option once', async () => {
    for (const { candidates } of await named({ encryption: 'aes-256' })) {
      const [vault, smallest, plain] = candidates.filter(({ kind }) => kind !== 'best')
      expect(plain).toMatchObject({ kind: 'plain', option: null, because: 'Plain files are not encrypted.' })
      expect(vault?.option?.encryption).toBe('aes-256')
      expect(smallest?.option?.id).not.toBe(vault?.option?.id)
    }
  })

  it('name no smallest where plain files are the smallest to be had', async () => {
    const asked = await listed({})
    const plain = new Map(
      candidatesOf(asked, asked).map(({ medium, candidates }) => [
        medium,
        candidates.find(({ kind }) => kind === 'plain')?.option?.id ?? '',
      ]),
    )
    const recommended = asked.recommended.map((each) =>
      each.goal === 'smallest' ? { ...each, id: plain.get(each.medium) ?? '' } : each,
    )
    const found = candidatesOf({ ...asked, recommended }, asked)
    expect(found.map(({ candidates }) => candidates.find(({ kind }) => kind === 'smallest'))).toEqual([
      {
        kind: 'smallest',
        option: null,
        because: 'Nothing is noticeably smaller than plain files.',
        recommended: false,
        gain: null,
      },
      {
        kind: 'smallest',
        option: null,
        because: 'Nothing is noticeably smaller than plain files.',
        recommended: false,
        gain: null,
      },
    ])
  })

  it('name no smallest where nobody notices that it is smaller, unless it is recommended', async () => {
    const asked = await listed({ mediumIds: ['disk'] })
    const at = asked.recommended.findIndex(({ goal }) => goal === 'smallest')
    const smallest = asked.options.find(({ id }) => id === asked.recommended[at]?.id)
    const plain = asked.options.find(({ variant }) => variant === 'plain')
    if (!smallest || !plain) throw new Error('the list lacks an option')
    // Recommended for the goal, and smaller than plain files by so much.
    const cards = (less: number, recommended: string) => {
      const value = plain.estimate.bytes.value * (1 - less)
      const bytes = { ...smallest.estimate.bytes, value, low: value, high: value }
      const options = asked.options.map((each) =>
        each === smallest ? { ...each, estimate: { ...each.estimate, bytes } } : each,
      )
      const changed = asked.recommended.map((each) =>
        each.goal === 'balanced' ? { ...each, id: recommended } : each,
      )
      const [disk] = candidatesOf({ ...asked, options, recommended: changed }, asked)
      return disk?.candidates.find(({ kind }) => kind === 'smallest')
    }
    expect(cards(0.3, plain.id)?.option?.id).toBe(smallest.id)
    expect(cards(0.01, plain.id)).toMatchObject({
      option: null,
      because: 'Nothing is noticeably smaller than plain files.',
    })
    expect(cards(0.01, smallest.id)?.option?.id).toBe(smallest.id)
    const other = asked.options.find(
      ({ id, plan, breaks, estimate }) =>
        plan.form === 'archive' && breaks.length === 0 && id !== smallest.id && estimate.bytes.value > 0,
    )
    if (!other) throw new Error('the list lacks an archive')
    const same = 1 - other.estimate.bytes.value / plain.estimate.bytes.value
    expect(cards(same, other.id)).toMatchObject({
      option: null,
      because: 'Nothing is noticeably smaller than the recommended option.',
    })
  })

  it('begin with the recommended option where it is none of the three, else mark it', async () => {
    const asked = await listed({})
    const encrypted = await listed({ encryption: 'aes-256' })
    const instead = (variant: string) => ({
      ...asked,
      recommended: asked.recommended.map((each) =>
        each.goal === 'balanced' ? { ...each, id: `${variant}@${each.medium}` } : each,
      ),
    })
    for (const { candidates } of candidatesOf(instead('plain'), encrypted))
      expect(candidates.map(({ kind, recommended }) => [kind, recommended])).toEqual([
        ['plain', true],
        ['smallest', false],
        ['vault', false],
      ])
    const cards = new Set(
      candidatesOf(instead('plain'), encrypted).flatMap(({ candidates }) =>
        candidates.map(({ option }) => option?.variant),
      ),
    )
    const planned = (variant: string): number =>
      asked.options.filter((each) => each.variant === variant && each.plan.form === 'archive').length
    const other = asked.options.find(({ variant }) => planned(variant) === 2 && !cards.has(variant))
    for (const { medium, candidates } of candidatesOf(instead(other?.variant ?? ''), encrypted)) {
      expect(candidates.map(({ kind }) => kind)).toEqual(['best', 'plain', 'smallest', 'vault'])
      expect(candidates.map(({ recommended }) => recommended)).toEqual([true, false, false, false])
      expect(candidates[0]?.option?.id).toBe(`${other?.variant}@${medium}`)
    }
  })

  it('tell the recommended option from the same one encrypted', async () => {
    const asked = await listed({})
    const encrypted = await listed({ encryption: 'aes-256' })
    const [first] = candidatesOf(asked, encrypted)
    const vault = first?.candidates.find(({ kind }) => kind === 'vault')?.option
    const recommended = asked.recommended.map((each) =>
      each.goal === 'balanced' && each.medium === 'disk' ? { ...each, id: vault?.id ?? '' } : each,
    )
    const [disk] = candidatesOf({ ...asked, recommended }, encrypted)
    expect(disk?.candidates.find(({ kind }) => kind === 'vault')).toMatchObject({
      option: { id: vault?.id },
      recommended: false,
    })
  })

  it('name as the vault what every system opens, where a repository is recommended', async () => {
    const encrypted = await listed({ encryption: 'aes-256' })
    const repository = encrypted.options.find(
      ({ medium, plan }) => medium === 'disk' && plan.form === 'repository',
    )
    expect(repository).toBeDefined()
    const recommended = encrypted.recommended.map((each) =>
      each.goal === 'balanced' && each.medium === 'disk' ? { ...each, id: repository?.id ?? '' } : each,
    )
    const [disk] = candidatesOf(await listed({}), { ...encrypted, recommended })
    const vault = disk?.candidates.find(({ kind }) => kind === 'vault')?.option
    expect(vault?.plan.form).not.toBe('repository')
    expect(new Set(vault?.ways.map(({ system }) => system))).toEqual(new Set(['linux', 'macos', 'windows']))
  })

  it('give the reason where there is none', async () => {
    for (const { candidates } of await named({ limits: { ramBytes: 1000 } }))
      expect(candidates.map(({ option, because }) => [option, because])).toEqual([
        [null, 'Plain files exceed a limit that was set.'],
        [null, 'No option meets the limits.'],
        [null, 'No option that Stowage can encrypt here meets the limits.'],
      ])
  })
})

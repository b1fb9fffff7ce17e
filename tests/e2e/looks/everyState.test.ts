import { expect, it } from 'vitest'
import { cutTables, settledFaults } from '../renderer/everyLook'
import { STATES } from '../renderer/everyState'
import { type Look, picture, showAs, windowsForTests } from '../renderer/windowUnderTest'

// No state may misuse React.
const windows = windowsForTests({ checked: true })

/** The themes differ in colours alone: text is looked at in one of them. */
const LOOKS: readonly (readonly [string, Look])[] = [
  ['1440', { width: 1440, height: 900 }],
  ['900', { width: 900, height: 600 }],
  ['200-percent', { width: 720, height: 450 }],
]

const CASES = Object.entries(STATES).flatMap(([step, states]) =>
  Object.entries(states).map(([name, state]) => [step, name, state] as const),
)

it.each(CASES)('%s, %s: no text is cut, covered or overprinted at any size', async (step, name, state) => {
  const page = await windows.window(state.scenario)
  await state.reach(page)
  const found: Record<string, string[]> = {}
  for (const [size, look] of LOOKS) {
    await showAs(page, look)
    const faults = await settledFaults(page)
    if (size === '1440') faults.push(...(await cutTables(page)).map((table) => `table cut: ${table}`))
    if (faults.length > 0) found[size] = faults
    await picture(page, `state-${step}-${name}-${size}-light`)
    await showAs(page, { ...look, dark: true })
    await picture(page, `state-${step}-${name}-${size}-dark`)
  }
  expect(found).toEqual({})
})

import { expect, it } from 'vitest'
import { settledFaults } from '../renderer/everyLook'
import { FULL, STEPS } from '../renderer/everyStep'
import { type Look, picture, showAs, windowsForTests } from '../renderer/windowUnderTest'

// All steps in all their states: none may misuse React.
const windows = windowsForTests({ checked: true })

/** From the smallest: what is reached in that one can be reached in all. */
const LOOKS: readonly (readonly [string, Look])[] = [
  ['1440×900 at 200 %', { width: 720, height: 450 }],
  ['900×600', { width: 900, height: 600, dark: true }],
  ['1440×900', { width: 1440, height: 900 }],
]

it.each(Object.entries(STEPS))(
  'in %s no text is cut, covered or overprinted at any size',
  async (step, states) => {
    const [[, smallest]] = LOOKS as [(typeof LOOKS)[number]]
    const page = await windows.window(FULL, smallest)
    const found: Record<string, string[]> = {}
    for (const [state, reach] of Object.entries(states)) {
      await reach(page)
      for (const [size, look] of LOOKS) {
        await showAs(page, look)
        const faults = await settledFaults(page)
        if (faults.length > 0) found[`${state} at ${size}`] = faults
        await picture(page, `layout-${step}-${state}-${size.replace(/\W+/g, '-')}`)
      }
      await showAs(page, smallest)
    }
    expect(found).toEqual({})
  },
)

import { describe, expect, it } from 'vitest'
import { englishLeft } from '../renderer/englishLeft'
import { FULL, STEPS } from '../renderer/everyStep'
import { speakGerman } from '../renderer/speakGerman'
import { textFaults } from '../renderer/textFaults'
import { type Look, picture, windowsForTests } from '../renderer/windowUnderTest'

const windows = windowsForTests()

const LOOKS: readonly (readonly [string, Look])[] = [
  ['1440', { width: 1440, height: 900 }],
  ['900', { width: 900, height: 600, dark: true }],
]

/** Each state with the states before it. */
const WAYS = Object.entries(STEPS).flatMap(([step, states]) =>
  Object.keys(states).map((state, at) => [step, state, Object.values(states).slice(0, at + 1)] as const),
)

describe.each(LOOKS)('in a German window of %s', (size, look) => {
  it.each(WAYS)('%s, %s, cuts no text and leaves none in English', async (step, state, reach) => {
    const page = await windows.window(FULL, { width: 1440, height: 900 })
    for (const go of reach) await go(page)
    await page.setViewportSize({ width: look.width ?? 1440, height: look.height ?? 900 })
    await page.emulateMedia({ colorScheme: look.dark ? 'dark' : 'light' })
    await speakGerman(page)
    await picture(page, `german-${size}-${step}-${state}`)
    expect(await textFaults(page)).toEqual([])
    expect(await englishLeft(page)).toEqual([])
  })
})

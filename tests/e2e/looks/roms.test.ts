import { expect, it } from 'vitest'
import { radio } from '../renderer/controls'
import { cutTables, LOOKS, see } from '../renderer/everyLook'
import { addInputs, compared, romsPage, setRow } from '../renderer/romsPage'
import { windowsForTests } from '../renderer/windowUnderTest'

const windows = windowsForTests()

it.each(LOOKS)('the page of ROM sets fits in %s', async (name, look) => {
  const page = await romsPage(windows, {}, look)
  await see(page, `roms-${name}-1-empty`)
  await addInputs(page)
  await see(page, `roms-${name}-2-inputs`)
  const other = await romsPage(windows, {}, look)
  await compared(other)
  await see(other, `roms-${name}-3-sets`)
  await radio(other, /^Partial/).click()
  await setRow(other, 'Moon Garden').click()
  await other.locator('.rom-held').waitFor()
  await see(other, `roms-${name}-4-unfolded`)
  if (look.width === 1440) expect(await cutTables(other)).toEqual([])
  await radio(other, /^Files /).click()
  await see(other, `roms-${name}-5-files`)
  await radio(other, /^DATs /).click()
  await see(other, `roms-${name}-6-dats`)
})

import { buildForWindows } from '../support/windowsBuild'
import { prepareWine } from '../support/wine'

export async function setup(): Promise<void> {
  await prepareWine()
  await buildForWindows()
}

import { changedPrice, priceOfMedium, pricesOf } from '../../domain/media/price'
import { changeSettings } from '../../files/settingsFile'
import { AppError } from '../../primitives/appError'
import { systemClock } from '../../primitives/clock'
import { EXIT } from '../../primitives/exitCode'
import { formatMoney } from '../../primitives/money'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount } from '../../primitives/quantity'
import { readArguments } from '../arguments'
import { MEDIA } from '../declarations/catalog'
import { openSession } from '../session'
import { checkedSetting, openSettings, placeOfSettings } from '../settings'
import { formatSize } from '../shape/sizes'
import { textTable } from '../shape/textTable'
import type { Terminal } from '../terminal'

export async function mediaCommand(args: readonly string[], out: Terminal): Promise<number> {
  const { values } = readArguments(args, MEDIA)
  const now = systemClock.wallMs()
  const kept = await keptPrices(out, values.price !== undefined)
  const lines = (values.price ?? []).reduce((all, given) => changedPrice(all, given, now), kept)
  if (values.price) {
    const prices = checkedSetting('prices', lines, '--price')
    const { file } = await changeSettings(placeOfSettings(out), { prices: prices.length > 0 ? prices : null })
    out.note(`prices are kept in ${pathForDisplay(file)}`)
  }
  const prices = pricesOf(lines)
  await using session = openSession(out)
  const media = await session.engine.media.list()
  out.document({ schema: 'stowage.media/1', media, prices })
  const rows = media.map((medium) => {
    const price = priceOfMedium(prices, medium.id)
    const sizes = [
      medium.id,
      formatSize(medium.capacityBytes, 'decimal'),
      formatSize(medium.capacityBytes, 'binary'),
      formatCount(medium.capacitySectors),
    ]
    const noted = [price ? formatMoney(price.amount, price.currency) : '', price?.notedOn ?? '']
    return sizes.concat(prices.length === 0 ? [] : noted, medium.name)
  })
  const priced = prices.length === 0 ? [] : ['price', 'given on']
  out.lines(
    textTable(
      ['medium', 'capacity', '', 'sectors', ...priced, 'name'],
      rows,
      [1, 2, 3, 4].slice(0, 3 + priced.length / 2),
    ),
  )
  out.line('Also custom:<size> for images and folder:<size> for plain folders of any size, such as 700MB.')
  return EXIT.done
}

/** The lines of the setting. Where nothing is noted, broken settings do not hide the media. */
async function keptPrices(out: Terminal, areNeeded: boolean): Promise<readonly string[]> {
  try {
    return (await openSettings(out)).used('prices').value
  } catch (thrown) {
    if (areNeeded) throw thrown
    out.note(`${AppError.from(thrown).message}; prices are not shown`)
    return []
  }
}

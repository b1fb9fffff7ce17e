import type { TableColumn } from '../../contract/tables/declaredTable'
import { changedPrice, priceOfMedium, pricesOf } from '../../domain/media/price'
import { changeSettings } from '../../files/settingsFile'
import { AppError } from '../../primitives/appError'
import { systemClock } from '../../primitives/clock'
import { EXIT } from '../../primitives/exitCode'
import { formatMoney } from '../../primitives/money'
import { pathForDisplay } from '../../primitives/pathText'
import { readArguments } from '../arguments'
import { MEDIA } from '../declarations/catalog'
import { openSession, type Session } from '../session'
import { checkedSetting, openSettings, placeOfSettings } from '../settings'
import { formatSize } from '../shape/sizes'
import { ownTableLines } from '../shape/tableLines'
import type { Terminal } from '../terminal'

interface Row {
  readonly medium: Awaited<ReturnType<Session['engine']['media']['list']>>[number]
  readonly price: ReturnType<typeof priceOfMedium>
}

const SIZE_COLUMNS: readonly TableColumn<Row, string>[] = [
  { heading: 'medium', kind: 'code', of: ({ medium }) => medium.id },
  {
    heading: 'capacity',
    kind: 'bytes',
    of: ({ medium }) => medium.capacityBytes,
    text: ({ medium }) => formatSize(medium.capacityBytes, 'decimal'),
  },
  {
    heading: '',
    kind: 'bytes',
    of: ({ medium }) => medium.capacityBytes,
    text: ({ medium }) => formatSize(medium.capacityBytes, 'binary'),
  },
  { heading: 'sectors', kind: 'count', of: ({ medium }) => medium.capacitySectors },
]

const PRICE_COLUMNS: readonly TableColumn<Row, string>[] = [
  {
    heading: 'price',
    kind: 'count',
    of: ({ price }) => price?.amount ?? null,
    text: ({ price }) => (price ? formatMoney(price.amount, price.currency) : null),
  },
  { heading: 'given on', kind: 'words', of: ({ price }) => price?.notedOn ?? '' },
]

const NAME_COLUMN: TableColumn<Row, string> = {
  heading: 'name',
  kind: 'words',
  of: ({ medium }) => medium.name,
}

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
  const rows = media.map((medium) => ({ medium, price: priceOfMedium(prices, medium.id) }))
  const columns = [...SIZE_COLUMNS, ...(prices.length === 0 ? [] : PRICE_COLUMNS), NAME_COLUMN]
  out.lines(ownTableLines(columns, rows))
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

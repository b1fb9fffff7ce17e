import { useState } from 'react'
import type { Medium } from '../../../../src/contract/dto/plan'
import { changedPrice, priceOfLine } from '../../../../src/contract/dto/settings'
import { systemClock } from '../../../../src/primitives/clock'
import { typedNumbers } from '../../../../src/primitives/figureLanguage'
import { formatMoney } from '../../../../src/primitives/money'
import { TextLine } from '../../components/fields'
import { t } from '../../copy'
import { useFrame, useSession, useStateOf } from '../../state/sessionContext'
import { PlanSession } from '../plan/planSession'

/** A price for each disc of the catalogue, which is noted with the day. */
export function PriceLines() {
  const { media } = useStateOf(PlanSession)
  const { prices } = useFrame().settings
  return (
    <div className="stack near">
      <p className="option-note muted">{t('settings.prices.note')}</p>
      <div className="price-lines">
        {media
          .filter(({ id, kind }) => kind === 'image' && !id.includes(':'))
          .map((medium) => (
            <PriceLine key={`${medium.id} ${keptLine(prices, medium.id)}`} medium={medium} prices={prices} />
          ))}
      </div>
    </div>
  )
}

function keptLine(prices: readonly string[], id: string): string {
  return prices.find((line) => priceOfLine(line)?.mediumId === id) ?? ''
}

/** Kept when it is left or Enter is pressed, where it is a price; empty for none. */
function PriceLine({
  medium: { id, name },
  prices,
}: {
  medium: Pick<Medium, 'id' | 'name'>
  prices: readonly string[]
}) {
  const session = useSession()
  const kept = priceOfLine(keptLine(prices, id))
  const shown = kept ? formatMoney(kept.amount, kept.currency) : ''
  const [text, setText] = useState(shown)
  const changed = pricesWith(prices, id, text)
  const keep = (): void => {
    if (changed !== null && text.trim() !== shown) void session.saveSettings({ prices: changed })
  }
  return (
    <TextLine
      label={name}
      example={t('settings.prices.example')}
      text={text}
      isWrong={changed === null}
      note={
        changed === null
          ? t('settings.prices.wrong')
          : kept
            ? t('settings.prices.given', { date: kept.notedOn })
            : undefined
      }
      onChange={setText}
      onDone={keep}
    />
  )
}

/** The lines of the setting with what is typed for a medium; null where that is no price. */
function pricesWith(prices: readonly string[], id: string, text: string): string[] | null {
  const typed = typedNumbers(text.trim()).replace(
    /^([\d.]+)\s*([a-z]{3})$/i,
    (_, amount, currency) => `${amount}${String(currency).toUpperCase()}`,
  )
  try {
    return changedPrice(prices, `${id}=${typed === '' ? 'none' : typed}`, systemClock.wallMs())
  } catch {
    return null
  }
}

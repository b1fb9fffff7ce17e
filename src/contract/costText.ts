import { type Price, priceOfMedium, times } from '../domain/media/price'
import type { Option } from '../domain/options/optionsDocument'
import { type Costed, type PlanCost, planCost } from '../domain/sets/planCost'
import type { PlanDocument } from '../domain/sets/planDocument'
import { formatMoney } from '../primitives/money'

type CostKey = 'cost.plan' | 'cost.medium' | 'cost.medium.none'

/**
 * The cost of a plan in one sentence, with each price and the day it was noted; null without
 * prices.
 * @param say the words of a language
 */
export function costText(
  plan: Costed,
  say: (key: CostKey, values: Readonly<Record<string, string | number>>) => string,
): string | null {
  const cost = planCost(plan)
  if (!cost) return null
  const media = cost.media.map(({ medium, volumes, price }) =>
    price
      ? say('cost.medium', {
          volumes,
          medium: medium.name,
          price: formatMoney(price.amount, price.currency),
          date: price.notedOn,
        })
      : say('cost.medium.none', { volumes, medium: medium.name }),
  )
  return say('cost.plan', {
    sum: sumOf(cost),
    copies: cost.copies,
    media: media.join(', '),
  })
}

/** The cost of all copies of a plan: `25.50 EUR`; null without prices. */
export function costSum(plan: PlanDocument): string | null {
  const cost = planCost(plan)
  return cost && sumOf(cost)
}

/** The cost of so many volumes of a medium, and of one: `2.55 EUR`; null without a price of it. */
export function costOfVolumes(
  prices: readonly Price[],
  mediumId: string,
  volumes: number,
): { readonly sum: string; readonly price: string } | null {
  const price = priceOfMedium(prices, mediumId)
  return (
    price && {
      sum: formatMoney(times(price, volumes), price.currency),
      price: formatMoney(price.amount, price.currency),
    }
  )
}

function sumOf({ sums }: PlanCost): string {
  return sums.map(({ amount, currency }) => formatMoney(amount, currency)).join(' + ')
}

/** The cost of an option: `2.55–3.40 EUR`. */
export function costRange({ low, high, price }: NonNullable<Option['cost']>): string {
  const most = formatMoney(high, price.currency)
  return low === high ? most : `${formatMoney(low, price.currency).split(' ')[0]}–${most}`
}

import type { Medium } from '../media/medium'
import { type Price, priceOfMedium, times } from '../media/price'
import { mediaOf } from './mixedMedia'
import type { PlanDocument } from './planDocument'

/** The cost of all media of a plan, by the prices that a person has noted. */
export interface PlanCost {
  readonly copies: number
  /** The volumes of one copy, parity discs included. */
  readonly media: readonly {
    readonly medium: Medium
    readonly volumes: number
    readonly price: Price | null
  }[]
  /** All copies, a sum for each currency. */
  readonly sums: readonly { readonly currency: string; readonly amount: number }[]
}

/** The parts of a plan, or of a draft, that it costs. */
export type Costed = Pick<PlanDocument, 'medium' | 'firstMedia' | 'volumes' | 'parity' | 'copies' | 'prices'>

/** The cost of a plan; null where none of its media has a price. Without `copies` it is of one. */
export function planCost(plan: Costed): PlanCost | null {
  const { prices = [], parity = [], copies = 1 } = plan
  const media = mediaOf(plan).map(({ medium, volumes }) => ({
    medium,
    volumes: volumes + (medium.id === plan.medium.id ? parity.length : 0),
    price: priceOfMedium(prices, medium.id),
  }))
  const sums = new Map<string, number>()
  for (const { price, volumes } of media) {
    if (price === null) continue
    const thousandths = Math.round(1000 * ((sums.get(price.currency) ?? 0) + times(price, volumes * copies)))
    sums.set(price.currency, thousandths / 1000)
  }
  if (sums.size === 0) return null
  return { copies, media, sums: Array.from(sums, ([currency, amount]) => ({ currency, amount })) }
}

import { figures } from './figureLanguage'

/** `12.50 EUR`, `1,200 JPY`: whole amounts without decimals. */
export function formatMoney(amount: number, currency: string): string {
  const decimals = Number.isInteger(amount) ? 0 : Math.round(amount * 1000) % 10 === 0 ? 2 : 3
  const [whole = '', part] = amount.toFixed(decimals).split('.')
  const { thousands, point } = figures()
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, thousands)
  return `${grouped}${part === undefined ? '' : `${point}${part}`} ${currency}`
}

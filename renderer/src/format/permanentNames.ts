import { tMaybe } from '../copy'

/** What a person calls a chunker; its permanent name where there is no other word. */
export function chunkerName(name: string): string {
  return tMaybe(`chunker.${name}`, name)
}

/** What a person calls a codec; its permanent name where there is no other word. */
export function codecName(name: string): string {
  return tMaybe(`codec.${name}`, name)
}

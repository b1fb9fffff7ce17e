import { OWN_IMAGES } from '../../../src/contract/dto/plan'
import { tMaybe } from '../copy'

/** The name of a chunker for people; its permanent name where there is no other word. */
export function chunkerName(name: string): string {
  return tMaybe(`chunker.${name}`, name)
}

/** The name of a codec for people; its permanent name where there is no other word. */
export function codecName(name: string): string {
  return tMaybe(`codec.${name}`, name)
}

/** The maker of images as a person knows it, by the tool that a plan names. */
export function makerName(tool: string): string {
  return tool === OWN_IMAGES ? 'Stowage' : tool
}

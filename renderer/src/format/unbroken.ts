/** The text with each figure on one line with the word behind it: `2.4 s`. */
export function unbroken(text: string): string {
  return text.replaceAll(/(\d) (?=\p{L})/gu, '$1\u00a0')
}

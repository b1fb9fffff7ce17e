/**
 * The archives that a word can mean: that of an ID, else those of exactly this name, else those of
 * this name in other letters (upper and lower case, composed and decomposed accents).
 */
export function namedArchives<A extends { readonly id: string; readonly name: string }>(
  archives: readonly A[],
  word: string,
): A[] {
  const byId = archives.filter(({ id }) => id === word)
  if (byId.length > 0) return byId
  const exact = archives.filter(({ name }) => name === word)
  return exact.length > 0 ? exact : archives.filter(({ name }) => folded(name) === folded(word))
}

function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}

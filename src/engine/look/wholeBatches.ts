import type { FoundFile } from '../survey/walk/sourceDraw'

/** Items of whole batches with what was found of each; null where it could not be read. */
export interface Looked<Item, Found> {
  readonly found: readonly { readonly item: Item; readonly found: Found | null }[]
  /** The smallest priority that does not count; null where everything does. */
  readonly tau: number | null
}

/**
 * Looks at batch after batch, the items of each in the order in which they probably lie on the
 * disk. A batch that is not whole when the time is over does not count.
 * @param tau the smallest priority that is in no batch
 * @param look at one item; several at once
 * @param isOver asked before each item
 * @param onBatch called after each whole batch
 */
export async function wholeBatches<Item extends { readonly priority: number }, Found>(
  batches: readonly (readonly Item[])[],
  {
    tau,
    fileOf,
    atOnce,
    look,
    isOver,
    onBatch,
  }: {
    readonly tau: number | null
    readonly fileOf: (item: Item) => FoundFile
    readonly atOnce: number
    look(item: Item): Promise<Found | null>
    isOver(): boolean
    onBatch?(count: number): void
  },
): Promise<Looked<Item, Found>> {
  const found: { item: Item; found: Found | null }[] = []
  for (const [index, batch] of batches.entries()) {
    const inOrder = batch.toSorted((one, other) => byPlace(fileOf(one), fileOf(other)))
    const part: { item: Item; found: Found | null }[] = []
    let next = 0
    const lane = async (): Promise<void> => {
      while (next < inOrder.length && !isOver()) {
        const item = inOrder[next++] as Item
        part.push({ item, found: await look(item) })
      }
    }
    await Promise.all(Array.from({ length: atOnce }, lane))
    if (part.length < batch.length) return { found, tau: (batch[0] as Item).priority }
    for (const one of part) found.push(one)
    onBatch?.(index + 1)
  }
  return { found, tau }
}

function byPlace(one: FoundFile, other: FoundFile): number {
  return one.rootIndex - other.rootIndex || one.inode - other.inode
}

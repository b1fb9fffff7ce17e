/** Below the free bytes of any volume, even of one whose allowance is negative. */
const NO_VOLUME = Number.NEGATIVE_INFINITY

/**
 * Free bytes of a growing row of volumes, in a tournament tree: finding the first volume with
 * enough room or the emptiest one costs the logarithm of their number, not the number itself.
 */
export class FreeSpace {
  private leaves = 16
  private tree = new Float64Array(32).fill(NO_VOLUME)
  private used = 0

  get count(): number {
    return this.used
  }

  /** Adds a volume with so many free bytes and tells its number. */
  add(free: number): number {
    if (this.used === this.leaves) this.grow()
    this.used += 1
    this.set(this.used - 1, free)
    return this.used - 1
  }

  free(bin: number): number {
    return this.tree[this.leaves + bin] as number
  }

  take(bin: number, amount: number): void {
    this.set(bin, this.free(bin) - amount)
  }

  /** The first volume with at least so many free bytes, -1 if there is none. */
  firstWith(amount: number): number {
    const tree = this.tree
    if (this.used === 0 || (tree[1] as number) < amount) return -1
    let at = 1
    while (at < this.leaves) at = (tree[2 * at] as number) >= amount ? 2 * at : 2 * at + 1
    return at - this.leaves
  }

  /** The volume with the most free bytes, the first of several; -1 if there is no volume. */
  emptiest(): number {
    return this.used === 0 ? -1 : this.firstWith(this.tree[1] as number)
  }

  private set(bin: number, free: number): void {
    const tree = this.tree
    let at = this.leaves + bin
    tree[at] = free
    for (at >>= 1; at >= 1; at >>= 1) {
      const most = Math.max(tree[2 * at] as number, tree[2 * at + 1] as number)
      if (tree[at] === most) break
      tree[at] = most
    }
  }

  private grow(): void {
    const old = this.tree.slice(this.leaves, this.leaves + this.used)
    this.leaves *= 2
    this.tree = new Float64Array(2 * this.leaves).fill(NO_VOLUME)
    this.tree.set(old, this.leaves)
    for (let at = this.leaves - 1; at >= 1; at--) {
      this.tree[at] = Math.max(this.tree[2 * at] as number, this.tree[2 * at + 1] as number)
    }
  }
}

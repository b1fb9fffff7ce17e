/**
 * Nodes waiting to be placed: gives the one with the highest cost, of equal ones the first in the
 * order of nodes. A binary heap.
 */
export class LargestFirst {
  private readonly heap: number[] = []
  private readonly cost: Float64Array

  constructor(cost: Float64Array) {
    this.cost = cost
  }

  get size(): number {
    return this.heap.length
  }

  push(node: number): void {
    const { heap } = this
    let at = heap.push(node) - 1
    while (at > 0) {
      const up = (at - 1) >> 1
      if (!this.goesBefore(node, heap[up] as number)) break
      heap[at] = heap[up] as number
      at = up
    }
    heap[at] = node
  }

  pop(): number | undefined {
    const { heap } = this
    const top = heap[0]
    const last = heap.pop()
    if (heap.length === 0 || last === undefined) return top
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && this.goesBefore(heap[child + 1] as number, heap[child] as number))
        child += 1
      if (!this.goesBefore(heap[child] as number, last)) break
      heap[at] = heap[child] as number
      at = child
    }
    heap[at] = last
    return top
  }

  private goesBefore(a: number, b: number): boolean {
    const difference = (this.cost[a] as number) - (this.cost[b] as number)
    return difference > 0 || (difference === 0 && a < b)
  }
}

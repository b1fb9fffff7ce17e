import { describe, expect, it } from 'vitest'
import type { PlannedStep, Segment } from '../../../../src/domain/devices/runPlan'
import { sampleCollector, type TimedPart } from '../../../../src/domain/devices/sampleCollector'

function segment(...steps: PlannedStep[]): Segment {
  return { test: 2, repeat: 1, files: [], steps }
}

/** Parts one after another: each begins where the one before ended. */
function parts(
  ...given: readonly (readonly [step: number, phase: string, ns: number, bytes?: number])[]
): TimedPart[] {
  let startNs = 0
  return given.map(([step, phase, ns, bytes = 0]) => {
    const part = { step, phase, ns, bytes, startNs }
    startNs += ns
    return part
  })
}

describe('sampleCollector', () => {
  it('adds up what belongs to a written file, from making it to closing it', () => {
    const collector = sampleCollector(segment({ kind: 'create', file: 0 }, { kind: 'write', file: 0 }), 500)
    const samples = collector.take(
      parts(
        [0, 'create', 10],
        [1, 'preallocate', 5],
        [1, 'writeRequest', 30, 8],
        [1, 'write', 100, 64],
        [1, 'flush', 7],
        [1, 'close', 3],
      ),
    )
    expect(samples).toEqual([
      { op: 'write', bytes: 64, ns: 125, transferNs: 100, startMs: 500, test: 2, repeat: 1 },
    ])
    expect(collector.flushNs()).toBe(0)
  })

  it('keeps the flush of all files at the end out of the last file’s time', () => {
    const collector = sampleCollector(segment({ kind: 'create', file: 0 }, { kind: 'write', file: 0 }), 0)
    const samples = collector.take(
      parts(
        [0, 'create', 1],
        [1, 'write', 10, 4],
        [1, 'close', 1],
        [1, 'open', 50],
        [1, 'flush', 400, 4],
        [1, 'close', 50],
      ),
    )
    expect(samples.map(({ ns }) => ns)).toEqual([12])
    expect(collector.flushNs()).toBe(400)
  })

  it('reports a file when it is complete, for any division into batches', () => {
    const all = parts([0, 'open', 2], [0, 'read', 10, 4], [0, 'close', 1], [1, 'open', 2], [1, 'read', 20, 8])
    for (let cut = 0; cut <= all.length; cut++) {
      const collector = sampleCollector(segment({ kind: 'read', file: 0 }, { kind: 'read', file: 1 }), 0)
      const samples = [...collector.take(all.slice(0, cut)), ...collector.take(all.slice(cut))]
      expect(samples.map(({ op, ns, bytes }) => [op, ns, bytes])).toEqual([['read', 13, 4]])
    }
  })

  it('reports two samples for simultaneous reading and writing', () => {
    const collector = sampleCollector(segment({ kind: 'stream', file: 0, writeFile: 1 }), 0)
    const samples = collector.take(
      parts(
        [0, 'create', 5],
        [0, 'open', 2],
        [0, 'streamWrite', 100, 64],
        [0, 'streamRead', 80, 64],
        [0, 'close', 1],
        [0, 'close', 3],
      ),
    )
    expect(Object.fromEntries(samples.map(({ op, ns, transferNs }) => [op, [ns, transferNs]]))).toEqual({
      streamRead: [85, 80],
      streamWrite: [106, 100],
    })
  })

  it('reports every access of a random test, and nothing else', () => {
    const step = { kind: 'randomRead', file: 0, accesses: 2, accessSize: 4096, seed: 1 } as const
    const collector = sampleCollector(segment(step, { kind: 'rest', ms: 5 }, { kind: 'remove', file: 0 }), 0)
    const samples = collector.take(
      parts(
        [0, 'open', 9],
        [0, 'readRequest', 20, 4096],
        [0, 'readRequest', 30, 4096],
        [0, 'randomRead', 50, 8192],
        [0, 'close', 1],
        [2, 'remove', 8],
      ),
    )
    expect(samples.map(({ op, ns, bytes }) => [op, ns, bytes])).toEqual([
      ['randomRead', 20, 4096],
      ['randomRead', 30, 4096],
    ])
  })

  it('keeps the second read from the cache apart', () => {
    const collector = sampleCollector(segment({ kind: 'cachedRead', file: 0 }), 0)
    expect(collector.take(parts([0, 'open', 1], [0, 'cachedRead', 1000, 8000], [0, 'close', 1]))).toEqual([])
    expect(collector.cachedBytesPerSecond()).toBe(8e9)
  })
})

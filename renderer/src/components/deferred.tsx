import { type ComponentType, memo, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { schedule } from './schedule'

/**
 * The same part of a page, drawn in a task of its own: absent until that has run, and then
 * always of the latest properties but one task behind them. For parts that take a good share of
 * the time in which the window has to answer.
 */
export function deferred<P extends object>(Part: ComponentType<P>): ComponentType<P> {
  const Kept = memo(Part) as unknown as ComponentType<P>
  return function Deferred(props: P) {
    const [drawn, setDrawn] = useState<P | null>(null)
    useEffect(() => {
      if (drawn !== null && areAlike(drawn, props)) return undefined
      return schedule(() => flushSync(() => setDrawn(props)))
    }, [drawn, props])
    return drawn && <Kept {...drawn} />
  }
}

function areAlike<P extends object>(one: P, other: P): boolean {
  if (one === other) return true
  const keys = Object.keys(one) as (keyof P)[]
  return keys.length === Object.keys(other).length && keys.every((key) => Object.is(one[key], other[key]))
}

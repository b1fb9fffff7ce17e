import { type RefObject, useLayoutEffect, useState } from 'react'

/**
 * The width of an element's content in whole pixels, kept up to date; `before` until it is known.
 */
export function useWidth(element: RefObject<HTMLElement | null>, before: number): number {
  const [width, setWidth] = useState(before)
  useLayoutEffect(() => {
    const measured = element.current
    if (!measured) return undefined
    // It reports at once, before the first picture.
    const observer = new ResizeObserver(() => setWidth(Math.max(1, Math.floor(measured.clientWidth))))
    observer.observe(measured)
    return () => observer.disconnect()
  }, [element])
  return width
}

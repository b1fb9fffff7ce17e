/** How far outside of the page's view a part is drawn already, so that scrolling finds it there. */
const NEAR_PX = 300

/** Calls once an element is in the page's view or near it. Returns what takes it back. */
export function whenNear(element: Element, act: () => void): () => void {
  const observer = new IntersectionObserver(
    (seen) => {
      if (!seen.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      act()
    },
    { root: element.closest('.page-body'), rootMargin: `${NEAR_PX}px 0px` },
  )
  observer.observe(element)
  return () => observer.disconnect()
}

/** Work of the addon on a thread of its own. */
export interface NativeWork<T> {
  cancel(): void
  readonly finished: Promise<T>
}

/** How often progress is reported. */
const PROGRESS_INTERVAL_MS = 100

/**
 * Waits for the end of native work. The signal cancels it; `onLook` is called ten times a second,
 * and once when it has finished.
 */
export async function finishedWork<T>(
  work: NativeWork<T>,
  signal: AbortSignal | undefined,
  onLook?: () => void,
): Promise<T> {
  const cancel = (): void => work.cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  const timer = onLook && setInterval(onLook, PROGRESS_INTERVAL_MS)
  try {
    const outcome = await work.finished
    onLook?.()
    return outcome
  } finally {
    clearInterval(timer)
    signal?.removeEventListener('abort', cancel)
  }
}

import { useEffect, useState } from 'react'
import { t } from '../copy'
import { useFrame, useSession } from '../state/sessionContext'
import { SourceSession } from '../steps/source/sourceSession'

/**
 * Takes files and folders dropped anywhere on the window. It listens in the capture phase and reads
 * `dataTransfer.files`: a dropped folder is a File there, and only real File objects have a path.
 */
export function DropOverlay() {
  const session = useSession(SourceSession)
  const [over, setOver] = useState(false)
  const forImages = useFrame().step === 'images'
  useEffect(() => {
    let depth = 0
    const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const enter = (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      depth += 1
      setOver(true)
    }
    const stay = (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy'
    }
    const leave = () => {
      depth = Math.max(0, depth - 1)
      if (depth === 0) setOver(false)
    }
    const drop = (event: DragEvent) => {
      depth = 0
      setOver(false)
      event.preventDefault()
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length > 0) void session.giveDropped(files)
    }
    const listening = new AbortController()
    const early = { capture: true, signal: listening.signal }
    addEventListener('dragenter', enter, early)
    addEventListener('dragover', stay, early)
    addEventListener('dragleave', leave, early)
    addEventListener('drop', drop, early)
    return () => listening.abort()
  }, [session])
  return over ? (
    <div className="drop-overlay" aria-hidden="true">
      <div className="drop-frame">
        <p className="drop-title">{t(forImages ? 'drop.title.images' : 'drop.title')}</p>
        <p>{t(forImages ? 'drop.text.images' : 'drop.text')}</p>
      </div>
    </div>
  ) : null
}

import { useEffect, useState } from 'react'
import { t } from '../copy'
import { useFrame, useSession, useStateOf } from '../state/sessionContext'
import { SourceSession } from '../state/source/sourceSession'
import { nextDisc } from '../steps/restore/queueState'
import { RestoreSession } from '../steps/restore/restoreSession'
import { sayLabels } from '../steps/restore/restoreWords'
import { useUnitWord } from '../steps/restore/useUnitWord'

/**
 * Takes files and folders dropped anywhere on the window. It listens in the capture phase and reads
 * `dataTransfer.files`: a dropped folder is a File there, and only real File objects have a path.
 */
export function DropOverlay() {
  const session = useSession(SourceSession)
  const [over, setOver] = useState(false)
  const { title, text } = useWords()
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
        <p className="drop-title">{title}</p>
        <p>{text}</p>
      </div>
    </div>
  ) : null
}

/** Where a drop goes while this step is on the screen. */
function useWords(): { readonly title: string; readonly text: string } {
  const { step } = useFrame()
  const asked = useStateOf(RestoreSession, (state) => state.asked)
  const unit = useUnitWord()
  const next = asked && nextDisc(asked)
  if (step === 'images') return { title: t('drop.title.images'), text: t('drop.text.images') }
  if (step === 'roms') return { title: t('drop.title.roms'), text: t('drop.text.roms') }
  if (step !== 'restore' || !asked || !next)
    return { title: t(step === 'source' ? 'drop.title' : 'drop.title.new'), text: t('drop.text') }
  return asked.reading.length > 0
    ? {
        title: t('restore.queue.reading', { discs: sayLabels(asked.reading) }),
        text: t('drop.text.reading', { unit }),
      }
    : { title: t('drop.title.disc', { label: next.label }), text: t('drop.text.disc', { unit }) }
}

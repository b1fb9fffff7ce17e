import type { ReactNode } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { t } from '../copy'

/** A dialog above the window: Esc, a press beside it and its button close it. */
export function ModalDialog({
  title,
  children,
  actions,
  onClose,
}: {
  title: string
  children: ReactNode
  /** Buttons before the one that closes it. */
  actions?: ReactNode
  onClose: () => void
}) {
  return (
    <ModalOverlay
      className="modal-ground"
      isOpen
      isDismissable
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
    >
      <Modal className="modal">
        <Dialog className="modal-dialog">
          <Heading slot="title">{title}</Heading>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a part that scrolls must take the keyboard */}
          <section className="modal-body" tabIndex={0} aria-label={title}>
            {children}
          </section>
          <div className="modal-actions row-actions">
            {actions}
            <Button className="plain" slot="close">
              {t('help.close')}
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

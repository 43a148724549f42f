import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { Button } from './button.tsx'
import './dialog.css'

export interface DialogProps {
  readonly title: string
  /** Called when it is closed, by the Escape key too. Without it, only what is inside closes it. */
  readonly onClose?: () => void
  readonly children: ReactNode
}

/** Over the page while it is rendered; keeps the focus inside, in its first field where it has one, and gives it back. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  // Closed before it leaves the document: only then does the browser give the focus back.
  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    current?.querySelector<HTMLElement>('input:not([type=radio]), input:checked, select, textarea')?.focus()
    return () => current?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className="dialog"
      closedby={onClose ? 'closerequest' : 'none'}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
    >
      <header>
        <h2 id={heading}>{title}</h2>
        {onClose && (
          <Button onClick={onClose} aria-label="Close">
            ✕
          </Button>
        )}
      </header>
      <div className="stack">{children}</div>
    </dialog>
  )
}

import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { Button } from './button.tsx'
import './dialog.css'

export interface DialogProps {
  readonly title: string
  /** Called when the user closes the dialog, also with the Escape key. When absent, only the content closes it. */
  readonly onClose?: () => void
  readonly children: ReactNode
}

/** Shows a modal dialog while it is rendered. Moves the focus to the first field, and returns it at the end. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  // The browser returns the focus only if the dialog is closed before it leaves the document.
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

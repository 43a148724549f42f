import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { ErrorNote, errorWords } from './error-note.tsx'

export interface FormProps {
  /** `stack` has the fields one below the other; any other class gives each `.whole` in it a full row. @default 'stack' */
  readonly className?: string
  /** On the button that submits it: `Create`. */
  readonly submitLabel: string
  readonly onSubmit: () => void
  /** Shows that it works, and takes no further submit. @default false */
  readonly busy?: boolean
  /** @default false */
  readonly disabled?: boolean
  /** What the last submit failed with, if no field shows it. */
  readonly error?: Error | null
  /** More buttons, before the one that submits; all of them move to the end of their row. @default none */
  readonly otherActions?: ReactNode
  readonly children: ReactNode
}

/** Fields, and below them what went wrong and the button that submits them. */
export function Form({
  className = 'stack',
  submitLabel,
  onSubmit,
  busy = false,
  disabled = false,
  error,
  otherActions,
  children,
}: FormProps) {
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
      {error && (
        <div className="whole">
          <ErrorNote>{errorWords(error)}</ErrorNote>
        </div>
      )}
      <div className={otherActions ? 'actions' : 'whole'}>
        {otherActions}
        <Button type="submit" kind="primary" busy={busy} disabled={disabled}>
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}

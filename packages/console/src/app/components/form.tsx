import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { ErrorNote, errorMessage } from './error-note.tsx'

export interface FormProps {
  /** `stack` puts the fields one below the other. With other classes, each `.whole` has a full row. @default 'stack' */
  readonly className?: string
  /** The label of the button that submits the form: `Create`. */
  readonly submitLabel: string
  readonly onSubmit: () => void
  /** Shows that the request runs, and ignores further submits. @default false */
  readonly busy?: boolean
  /** @default false */
  readonly disabled?: boolean
  /** The error of the last submit, unless a field shows it. */
  readonly error?: Error | null
  /** Buttons before the one that submits. All buttons are then at the end of the row. @default none */
  readonly otherActions?: ReactNode
  readonly children: ReactNode
}

/** Shows fields, and below them the error and the button that submits. */
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
          <ErrorNote>{errorMessage(error)}</ErrorNote>
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

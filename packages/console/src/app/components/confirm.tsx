import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

/** What a confirmation dialog shows. */
export interface Question {
  readonly title: string
  readonly body: ReactNode
  /** The label of the button that confirms: `Delete`. */
  readonly action: string
}

type Confirm = (question: Question) => Promise<boolean>

const ConfirmContext = createContext<Confirm>(async () => false)

/** Returns a function that asks for confirmation, and resolves with whether the user agreed. */
export const useConfirm = (): Confirm => useContext(ConfirmContext)

interface PendingQuestion extends Question {
  readonly answer: (agreed: boolean) => void
}

export function ConfirmProvider({ children }: { readonly children: ReactNode }) {
  const [pending, setPending] = useState<PendingQuestion>()
  const confirm = useCallback<Confirm>((question) => new Promise((answer) => setPending({ ...question, answer })), [])
  const answer = (agreed: boolean) => {
    pending?.answer(agreed)
    setPending(undefined)
  }
  return (
    <ConfirmContext value={confirm}>
      {children}
      {pending && (
        <Dialog title={pending.title} onClose={() => answer(false)}>
          <div>{pending.body}</div>
          <div className="actions">
            <Button onClick={() => answer(false)}>Cancel</Button>
            <Button kind="danger" onClick={() => answer(true)}>
              {pending.action}
            </Button>
          </div>
        </Dialog>
      )}
    </ConfirmContext>
  )
}

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

interface Asked extends Question {
  readonly answer: (agreed: boolean) => void
}

export function ConfirmProvider({ children }: { readonly children: ReactNode }) {
  const [asked, setAsked] = useState<Asked>()
  const confirm = useCallback<Confirm>((question) => new Promise((answer) => setAsked({ ...question, answer })), [])
  const answer = (agreed: boolean) => {
    asked?.answer(agreed)
    setAsked(undefined)
  }
  return (
    <ConfirmContext value={confirm}>
      {children}
      {asked && (
        <Dialog title={asked.title} onClose={() => answer(false)}>
          <div>{asked.body}</div>
          <div className="actions">
            <Button onClick={() => answer(false)}>Cancel</Button>
            <Button kind="danger" onClick={() => answer(true)}>
              {asked.action}
            </Button>
          </div>
        </Dialog>
      )}
    </ConfirmContext>
  )
}

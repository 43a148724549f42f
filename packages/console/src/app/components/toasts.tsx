import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { Button } from './button.tsx'
import './toasts.css'

/** Shows short messages above the page, at most 5 at a time. */
export interface Toasts {
  /** Shows news for 6 seconds. */
  info(message: string): void
  /** Shows an error until the user closes it. */
  error(message: string): void
}

interface Toast {
  readonly id: number
  readonly kind: 'news' | 'complaint'
  readonly message: string
}

const SHOWN_MS = 6000
const MAX_TOASTS = 5

const ToastsContext = createContext<Toasts | undefined>(undefined)

export function useToasts(): Toasts {
  const toasts = useContext(ToastsContext)
  if (!toasts) throw new Error('useToasts is used outside of ToastsProvider')
  return toasts
}

export function ToastsProvider({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<readonly Toast[]>([])
  const toasts = useMemo((): Toasts => {
    let last = 0
    const add = (kind: Toast['kind'], message: string): number => {
      last += 1
      const toast = { id: last, kind, message }
      setShown((earlier) => [...earlier.slice(1 - MAX_TOASTS), toast])
      return toast.id
    }
    return {
      info: (message) => {
        const id = add('news', message)
        setTimeout(() => setShown((earlier) => earlier.filter((toast) => toast.id !== id)), SHOWN_MS)
      },
      error: (message) => void add('complaint', message),
    }
  }, [])
  const close = (id: number) => setShown((earlier) => earlier.filter((toast) => toast.id !== id))
  return (
    <ToastsContext value={toasts}>
      {children}
      <section className="toasts" aria-label="Messages">
        <div role="status">
          {shown
            .filter(({ kind }) => kind === 'news')
            .map((toast) => (
              <ToastNote key={toast.id} toast={toast} onClose={close} />
            ))}
        </div>
        <div role="alert">
          {shown
            .filter(({ kind }) => kind === 'complaint')
            .map((toast) => (
              <ToastNote key={toast.id} toast={toast} onClose={close} />
            ))}
        </div>
      </section>
    </ToastsContext>
  )
}

function ToastNote({
  toast: { id, kind, message },
  onClose,
}: {
  readonly toast: Toast
  readonly onClose: (id: number) => void
}) {
  return (
    <div className={`toast ${kind}`}>
      <span>{message}</span>
      <Button onClick={() => onClose(id)} aria-label="Close the message">
        ✕
      </Button>
    </div>
  )
}

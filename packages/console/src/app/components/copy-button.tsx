import { Button } from './button.tsx'
import { useToasts } from './toasts.tsx'

export interface CopyButtonProps {
  readonly text: string
  /** The name of what is copied: `the key`. */
  readonly what: string
}

export function CopyButton({ text, what }: CopyButtonProps) {
  const toasts = useToasts()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      toasts.info(`Copied ${what}.`)
    } catch {
      // Browsers have no clipboard for pages that come neither over HTTPS nor from this machine.
      toasts.error(`This browser does not let the page copy. Select ${what} and copy it.`)
    }
  }
  return (
    <Button onClick={() => void copy()} aria-label={`Copy ${what}`}>
      Copy
    </Button>
  )
}

import { Button } from './button.tsx'
import { useToasts } from './toasts.tsx'

export interface CopyButtonProps {
  readonly text: string
  /** What is copied: `the key`. */
  readonly what: string
}

export function CopyButton({ text, what }: CopyButtonProps) {
  const toasts = useToasts()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      toasts.say(`Copied ${what}`)
    } catch {
      // Browsers give pages that are not served by https or from this machine no clipboard.
      toasts.complain(`This browser does not let the page copy; select ${what} and copy it yourself.`)
    }
  }
  return (
    <Button onClick={() => void copy()} aria-label={`Copy ${what}`}>
      Copy
    </Button>
  )
}

import { RefusalError, UnexpectedReplyError } from '@trivium/http-client'
import type { ReactNode } from 'react'
import './error-note.css'

/** Returns the message of an error for people. It is the server's own message when there is one. */
export function errorMessage(error: unknown): string {
  if (error instanceof RefusalError || error instanceof UnexpectedReplyError) return error.message
  if (error instanceof TypeError) return 'The server cannot be reached.'
  return error instanceof Error ? error.message : String(error)
}

/** Shows a failure at its place. Screen readers read it immediately. */
export function ErrorNote({ children }: { readonly children: ReactNode }) {
  return (
    <div className="error-note" role="alert">
      {children}
    </div>
  )
}

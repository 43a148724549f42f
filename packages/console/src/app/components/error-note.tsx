import { RefusalError, UnexpectedReplyError } from '@trivium/http-client'
import type { ReactNode } from 'react'
import './error-note.css'

/** What people are told of an error: the server's own words where there are any. */
export function errorWords(error: unknown): string {
  if (error instanceof RefusalError || error instanceof UnexpectedReplyError) return error.message
  if (error instanceof TypeError) return 'The server cannot be reached.'
  return error instanceof Error ? error.message : String(error)
}

/** A failure where it happened; screen readers say it at once. */
export function ErrorNote({ children }: { readonly children: ReactNode }) {
  return (
    <div className="error-note" role="alert">
      {children}
    </div>
  )
}

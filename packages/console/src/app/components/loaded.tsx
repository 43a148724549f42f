import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { ErrorNote, errorMessage } from './error-note.tsx'

export interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>
  readonly children: (data: Data) => ReactNode
}

/** Shows the data of a query; without data, that it loads or why it failed. Data stays visible while it is read again. */
export function Loaded<Data>({ query, children }: LoadedProps<Data>) {
  const { data, error, isPending, refetch } = query
  if (data !== undefined) return children(data)
  if (isPending) return <p className="quiet">Loading…</p>
  return (
    <ErrorNote>
      <p>{errorMessage(error)}</p>
      <Button onClick={() => void refetch()}>Try again</Button>
    </ErrorNote>
  )
}

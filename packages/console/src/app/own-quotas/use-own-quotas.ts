import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { noUser } from './no-user.ts'
import { type OwnQuotas, readOwnQuotas } from './read-own-quotas.ts'
import { storedToken } from './stored-token.ts'

// No event reports that programs write files.
const REFRESH_MS = 60_000

const keyOf = (token: string | undefined) => ['own-quotas', token] as const

export interface AcceptedToken {
  readonly token: string
  /** Whether the tab keeps it when the page is loaded again. */
  readonly isKept: boolean
  /** What the server answered to it. */
  readonly quotas: OwnQuotas
}

/** Reads the quotas of the user, by a token if there is one, and again each minute while the page is visible. */
export function useOwnQuotas(place: string) {
  const queries = useQueryClient()
  const [token, setToken] = useState(storedToken.read)
  const query = useQuery({
    queryKey: keyOf(token),
    queryFn: ({ signal }) => readOwnQuotas({ place, token, signal }),
    refetchInterval: ({ state }) => (noUser(state.error) === undefined ? REFRESH_MS : false),
  })
  const missing = noUser(query.error)

  useEffect(() => {
    if (missing === 'refused') storedToken.remove()
  }, [missing])

  const accept = useCallback(
    ({ token: accepted, isKept, quotas }: AcceptedToken) => {
      if (isKept) storedToken.write(accepted)
      else storedToken.remove()
      queries.setQueryData(keyOf(accepted), quotas)
      setToken(accepted)
    },
    [queries],
  )
  const forget = useCallback(() => {
    storedToken.remove()
    queries.removeQueries({ queryKey: keyOf(token) })
    setToken(undefined)
  }, [queries, token])

  return { query, token, missing, accept, forget }
}

import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../components/loaded.tsx'
import { View } from '../shell/view.tsx'
import { QuotasView } from './quotas-view.tsx'
import { readPlace } from './read-own-quotas.ts'
import { TokenView } from './token-view.tsx'
import { useOwnQuotas } from './use-own-quotas.ts'
import './own-quotas.css'

/** Shows to a user of the file systems what they use and may use. */
export function OwnQuotasPage() {
  const place = useQuery({
    queryKey: ['place'],
    queryFn: ({ signal }) => readPlace(signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <main className="own-quotas">
      {place.data ? (
        <QuotasOrToken place={place.data.base_url} />
      ) : (
        <View title="Your quotas">
          <Loaded query={place}>{() => null}</Loaded>
        </View>
      )}
    </main>
  )
}

function QuotasOrToken({ place }: { readonly place: string }) {
  const { query, token, missing, accept, forget } = useOwnQuotas(place)
  if (missing === undefined) return <QuotasView query={query} onForget={token === undefined ? undefined : forget} />
  const reason =
    missing === 'admin'
      ? 'You are the admin here, who has no quotas. A user sees their own with a token, which the admin creates.'
      : token !== undefined
        ? 'The server no longer accepts the token. It has expired or is deleted.'
        : query.data && 'Your session has ended. Load the page again to log in, or enter a token.'
  return <TokenView place={place} reason={reason} onAccept={accept} />
}

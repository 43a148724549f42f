import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { ErrorNote, errorMessage } from '../components/error-note.tsx'
import { formatTimeOfDay } from '../components/format.ts'
import { Loaded } from '../components/loaded.tsx'
import { View } from '../shell/view.tsx'
import { principalName } from '../views/storage/target-name.ts'
import { QuotaSection } from './quota-section.tsx'
import { quotaTitle } from './quota-title.ts'
import type { OwnQuotas } from './read-own-quotas.ts'

export interface QuotasViewProps {
  readonly query: UseQueryResult<OwnQuotas>
  /** Forgets the token; `undefined` if the server knows the user without one. */
  readonly onForget: (() => void) | undefined
}

/** Shows the quotas of the user, from when they are, and what failed since. */
export function QuotasView({ query, onForget }: QuotasViewProps) {
  const { data, error, dataUpdatedAt, refetch } = query
  const [refreshed, setRefreshed] = useState('')
  const readAt = formatTimeOfDay(new Date(dataUpdatedAt).toISOString())
  const refresh = async () => {
    setRefreshed('')
    const { isSuccess } = await refetch()
    if (isSuccess) setRefreshed('The quotas are up to date.')
  }
  const actions = data && (
    <div className="row">
      <Button onClick={() => void refresh()}>Refresh</Button>
      {onForget && <Button onClick={onForget}>Forget the token</Button>}
    </div>
  )
  return (
    <View title="Your quotas" actions={actions}>
      <span className="visually-hidden" role="status">
        {refreshed}
      </span>
      {data && error && (
        <ErrorNote>
          <p>
            These quotas are from {readAt}. {errorMessage(error)}
          </p>
        </ErrorNote>
      )}
      <Loaded query={query}>
        {({ user, records, warnings = [] }) => (
          <>
            <p className="quiet">
              You are {principalName(user)}
              {user.name !== undefined && user.id !== undefined && `, number ${user.id}`}. Read at {readAt}, and again
              each minute.
            </p>
            {warnings.length > 0 && (
              <ul className="own-quotas-notes" aria-label="Notes">
                {warnings.map(({ message }) => (
                  <li key={message}>{message}</li>
                ))}
              </ul>
            )}
            {records.length === 0 && (
              <EmptyState title="No quotas">
                No limit applies to your files here: neither one of your own, nor that of a qtree in which you have
                files.
              </EmptyState>
            )}
            {records.map((record) => (
              <QuotaSection
                key={`${record.volume?.uuid}/${record.index}`}
                title={quotaTitle(record, records)}
                quota={record}
              />
            ))}
          </>
        )}
      </Loaded>
    </View>
  )
}

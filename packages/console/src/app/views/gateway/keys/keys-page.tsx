import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Section } from '../../../shell/view.tsx'
import { CreateKey } from './create-key.tsx'
import { type IssuedKey, IssuedKeyDialog } from './issued-key.tsx'
import { KeysTable } from './keys-table.tsx'
import { useKeys } from './use-keys.ts'

export function KeysPage() {
  const keys = useKeys()
  const [isCreating, setIsCreating] = useState(false)
  const [issued, setIssued] = useState<IssuedKey>()
  return (
    <Section
      title="API keys"
      actions={
        <Button kind="primary" onClick={() => setIsCreating(true)}>
          New key
        </Button>
      }
    >
      <Loaded query={keys}>
        {({ pages }) => (
          <KeysTable
            keys={pages.flatMap(({ data }) => data)}
            onRotated={setIssued}
            empty={
              <EmptyState
                title="No keys yet"
                action={<Button onClick={() => setIsCreating(true)}>Create the first key</Button>}
              >
                A key lets a program call the models, with a limit of requests per minute.
              </EmptyState>
            }
          />
        )}
      </Loaded>
      {keys.hasNextPage && (
        <p>
          <Button onClick={() => void keys.fetchNextPage()} busy={keys.isFetchingNextPage}>
            Show more keys
          </Button>
        </p>
      )}
      {isCreating && (
        <CreateKey
          onClose={() => setIsCreating(false)}
          onIssued={(key) => {
            setIsCreating(false)
            setIssued(key)
          }}
        />
      )}
      {issued && <IssuedKeyDialog issued={issued} onClose={() => setIssued(undefined)} />}
    </Section>
  )
}

import { expectOk } from '@trivium/http-client'
import { Button } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Table } from '../../../components/table.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useStorage } from '../../../hooks/use-storage.ts'
import { Section } from '../../../shell/view.tsx'
import { type Webhook, webhookName } from './read-webhooks.ts'
import { useDead } from './use-webhooks.ts'

/** Shows the notices that a webhook did not accept, and delivers them again. */
export function DeadDeliveries({ webhook }: { readonly webhook: Webhook }) {
  const storage = useStorage()
  const { uuid = '' } = webhook
  const dead = useDead(uuid)
  const retry = useAction(
    (index: number) => expectOk(storage.retryWebhookDelivery({ params: { uuid, index: `${index}` } })),
    { done: 'The notice is delivered again.' },
  )
  return (
    <Section title={`Given up for ${webhookName(webhook)}`}>
      <Loaded query={dead}>
        {(all) => (
          <Table
            caption="Notices that were given up"
            rows={all}
            rowKey={({ index = 0 }) => `${index}`}
            empty={<EmptyState title="Nothing was given up">Deliveries that fail are tried 12 times.</EmptyState>}
            columns={[
              { header: 'Notice', isName: true, cell: ({ event }) => <code>{event?.id}</code> },
              { header: 'Kind', cell: ({ event }) => event?.type },
              { header: 'Last failure', cell: ({ message }) => message },
              {
                header: 'Actions',
                cell: ({ index = 0, event }) => (
                  <Button
                    onClick={() => retry.mutate(index, { onSuccess: () => void dead.refetch() })}
                    aria-label={`Deliver again: ${event?.id}`}
                  >
                    Deliver again
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Section>
  )
}

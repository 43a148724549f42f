import { expectOk } from '@trivium/http-client'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { useConfirm } from '../../../components/confirm.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { StatusMark } from '../../../components/status-mark.tsx'
import { Table } from '../../../components/table.tsx'
import { useToasts } from '../../../components/toasts.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useStorage } from '../../../hooks/use-storage.ts'
import { Section } from '../../../shell/view.tsx'
import { CreateWebhook } from './create-webhook.tsx'
import { DeadDeliveries } from './dead-deliveries.tsx'
import { MailRecipients } from './mail-recipients.tsx'
import { type Webhook, webhookName } from './read-webhooks.ts'
import { useWebhooks } from './use-webhooks.ts'

/** Shows the webhooks and the recipients of e-mail, sends tests, and delivers again what was given up. */
export function WebhooksPage() {
  const webhooks = useWebhooks()
  const refetch = () => void webhooks.refetch()
  const [shown, setShown] = useState<Webhook>()
  return (
    <>
      <Section title="Webhooks">
        <Loaded query={webhooks}>
          {(all) => (
            <Table
              caption="All webhooks"
              rows={all}
              rowKey={({ uuid = '' }) => uuid}
              empty={
                <EmptyState title="No webhooks">
                  A webhook gets a signed message when a limit is exceeded or a split is done. Create one below.
                </EmptyState>
              }
              columns={[
                { header: 'Webhook', isName: true, cell: webhookName },
                { header: 'Address', cell: ({ url }) => <code>{url}</code> },
                {
                  header: 'State',
                  cell: ({ enabled }) => (
                    <StatusMark tone={enabled ? 'good' : 'quiet'}>{enabled ? 'enabled' : 'disabled'}</StatusMark>
                  ),
                },
                {
                  header: 'Actions',
                  cell: (webhook) => (
                    <WebhookActions webhook={webhook} onChanged={refetch} onShow={() => setShown(webhook)} />
                  ),
                },
              ]}
            />
          )}
        </Loaded>
        <CreateWebhook onCreated={refetch} />
      </Section>
      {shown && <DeadDeliveries key={shown.uuid} webhook={shown} />}
      <MailRecipients />
    </>
  )
}

function WebhookActions({
  webhook,
  onChanged,
  onShow,
}: {
  readonly webhook: Webhook
  readonly onChanged: () => void
  readonly onShow: () => void
}) {
  const storage = useStorage()
  const toasts = useToasts()
  const confirm = useConfirm()
  const { uuid = '', enabled = false } = webhook
  const name = webhookName(webhook)
  const params = { uuid }
  const test = useAction(() => expectOk(storage.testWebhook({ params })))
  const change = useAction(() => expectOk(storage.updateWebhook({ params, body: { enabled: !enabled } })), {
    done: enabled ? 'The webhook is disabled.' : 'The webhook is enabled.',
  })
  const remove = useAction(() => expectOk(storage.deleteWebhook({ params })), { done: 'The webhook is deleted.' })
  const sendTest = () =>
    test.mutate(undefined, {
      onSuccess: ({ delivered, status, message }) =>
        delivered ? toasts.info(`${name} answered with ${status}.`) : toasts.error(`${name}: ${message}`),
    })
  const confirmDelete = async () => {
    const body = 'What waits for it is not delivered.'
    if (await confirm({ title: `Delete webhook ${name}?`, body, action: 'Delete' })) {
      remove.mutate(undefined, { onSuccess: onChanged })
    }
  }
  return (
    <div className="storage-actions">
      <Button onClick={sendTest} busy={test.isPending} aria-label={`Test ${name}`}>
        Test
      </Button>
      <Button
        onClick={() => change.mutate(undefined, { onSuccess: onChanged })}
        aria-label={`${enabled ? 'Disable' : 'Enable'} ${name}`}
      >
        {enabled ? 'Disable' : 'Enable'}
      </Button>
      <Button onClick={onShow} aria-label={`Given up for ${name}`}>
        Given up
      </Button>
      <Button kind="danger" onClick={() => void confirmDelete()} aria-label={`Delete webhook ${name}`}>
        Delete
      </Button>
    </div>
  )
}

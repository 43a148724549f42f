import { useQuery } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { Button } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Table } from '../../../components/table.tsx'
import { useToasts } from '../../../components/toasts.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useStorage } from '../../../hooks/use-storage.ts'
import { topicKey } from '../../../live/topic-key.ts'
import { Section } from '../../../shell/view.tsx'

/** Shows who gets notices by e-mail, and sends tests. */
export function MailRecipients() {
  const storage = useStorage()
  const recipients = useQuery({
    queryKey: topicKey('storage', 'webhooks', 'mail'),
    queryFn: async ({ signal }) =>
      (await expectOk(storage.listMailRecipients({ query: { fields: '*' }, signal }))).records ?? [],
  })
  return (
    <Section title="E-mail">
      <Loaded query={recipients}>
        {(all) => (
          <Table
            caption="Recipients of e-mail"
            rows={all}
            rowKey={({ address = '' }) => address}
            empty={
              <EmptyState title="No recipients">
                The settings of the server name a mail server and recipients.
              </EmptyState>
            }
            columns={[
              { header: 'Address', isName: true, cell: ({ address }) => address },
              { header: 'Notices', cell: ({ kinds = [] }) => kinds.join(', ') },
              { header: 'Actions', cell: ({ address = '' }) => <TestMail address={address} /> },
            ]}
          />
        )}
      </Loaded>
    </Section>
  )
}

function TestMail({ address }: { readonly address: string }) {
  const storage = useStorage()
  const toasts = useToasts()
  const test = useAction(() => expectOk(storage.testMailRecipient({ params: { address } })))
  const sendTest = () =>
    test.mutate(undefined, {
      onSuccess: ({ delivered, message }) =>
        delivered
          ? toasts.info(`The mail server has accepted a test for ${address}.`)
          : toasts.error(`${address}: ${message}`),
    })
  return (
    <Button onClick={sendTest} busy={test.isPending} aria-label={`Test ${address}`}>
      Test
    </Button>
  )
}

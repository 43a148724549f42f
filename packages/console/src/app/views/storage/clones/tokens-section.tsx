import { expectOk } from '@trivium/http-client'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { useConfirm } from '../../../components/confirm.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { formatBytes } from '../../../components/format.ts'
import { formatIsoDuration } from '../../../components/format-iso-duration.ts'
import { Loaded } from '../../../components/loaded.tsx'
import { Table } from '../../../components/table.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useStorage } from '../../../hooks/use-storage.ts'
import { Section } from '../../../shell/view.tsx'
import { CreateToken } from './create-token.tsx'
import { ExtendToken } from './extend-token.tsx'
import { type Token, tokenName } from './read-tokens.ts'
import { useTokens } from './use-tokens.ts'

export function TokensSection() {
  const storage = useStorage()
  const confirm = useConfirm()
  const [extended, setExtended] = useState<Token>()
  const tokens = useTokens()
  const remove = useAction(
    ({ node, uuid = '' }: Token) =>
      expectOk(storage.deleteCloneToken({ params: { node_uuid: node?.uuid ?? '', uuid } })),
    { done: 'The token is deleted, and its reservation is free.' },
  )
  const confirmDelete = async (token: Token) => {
    const body = 'The rest of its reservation becomes free for others.'
    if (await confirm({ title: `Delete token ${tokenName(token)}?`, body, action: 'Delete' })) remove.mutate(token)
  }
  return (
    <Section title="Clone tokens">
      <Loaded query={tokens}>
        {(all) => (
          <Table
            caption="All tokens"
            rows={all}
            rowKey={({ uuid = '' }) => uuid}
            empty={
              <EmptyState title="No tokens">
                A token reserves split load of a node, so that a series of clones cannot fail halfway. Create one below.
              </EmptyState>
            }
            columns={[
              { header: 'Token', isName: true, cell: (token) => <code title={token.uuid}>{tokenName(token)}</code> },
              { header: 'Node', cell: ({ node }) => node?.name },
              { header: 'Reserved', align: 'end', cell: ({ reserve_size: size = 0 }) => formatBytes(size) },
              { header: 'Time left', align: 'end', cell: ({ expiry_time: expiry }) => formatIsoDuration(expiry?.left) },
              { header: 'Lifetime', align: 'end', cell: ({ expiry_time: expiry }) => formatIsoDuration(expiry?.limit) },
              {
                header: 'Actions',
                cell: (token) => (
                  <div className="storage-actions">
                    <Button onClick={() => setExtended(token)} aria-label={`Change expiry of ${tokenName(token)}`}>
                      Expiry
                    </Button>
                    <Button
                      kind="danger"
                      onClick={() => void confirmDelete(token)}
                      aria-label={`Delete token ${tokenName(token)}`}
                    >
                      Delete
                    </Button>
                  </div>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      <CreateToken />
      {extended && <ExtendToken token={extended} onClose={() => setExtended(undefined)} />}
    </Section>
  )
}

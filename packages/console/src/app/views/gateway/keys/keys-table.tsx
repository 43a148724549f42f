import { expectOk } from '@trivium/http-client'
import { type ReactNode, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { useConfirm } from '../../../components/confirm.tsx'
import { formatNumber, formatTime } from '../../../components/format.ts'
import { StatusMark } from '../../../components/status-mark.tsx'
import { Table } from '../../../components/table.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useGateway } from '../../../hooks/use-gateway.ts'
import { EditKey } from './edit-key.tsx'
import type { IssuedKey } from './issued-key.tsx'
import { keyName } from './key-name.ts'
import { stateOf } from './key-state.ts'
import type { Key } from './use-keys.ts'

export interface KeysTableProps {
  readonly keys: readonly Key[]
  readonly onRotated: (key: IssuedKey) => void
  readonly empty: ReactNode
}

export function KeysTable({ keys, onRotated, empty }: KeysTableProps) {
  const gateway = useGateway()
  const confirm = useConfirm()
  const [edited, setEdited] = useState<Key>()
  const rotate = useAction(({ key_id }: Key) => expectOk(gateway.rotateKey({ params: { key_id } })))
  const revoke = useAction(({ key_id }: Key) => expectOk(gateway.revokeKey({ params: { key_id } })), {
    done: 'The key is revoked.',
  })
  const confirmRotate = async (key: Key) => {
    const body = 'Programs that use the old secret are refused immediately.'
    const question = { title: `Give ${keyName(key)} a new secret?`, body, action: 'Rotate' }
    if (await confirm(question)) rotate.mutate(key, { onSuccess: onRotated })
  }
  const confirmRevoke = async (key: Key) => {
    const body = 'The key is refused permanently.'
    if (await confirm({ title: `Revoke ${keyName(key)}?`, body, action: 'Revoke' })) revoke.mutate(key)
  }
  return (
    <>
      <Table
        caption="All keys"
        rows={keys}
        rowKey={({ key_id: id }) => id}
        empty={empty}
        columns={[
          { header: 'Key', isName: true, cell: keyName },
          { header: 'Starts with', cell: ({ hint }) => <code>{hint}…</code> },
          { header: 'State', cell: (key) => <State value={key} /> },
          { header: 'Requests per minute', align: 'end', cell: ({ rate_limit: limit }) => formatNumber(limit) },
          { header: 'Used', align: 'end', cell: ({ usage_count: count }) => formatNumber(count) },
          { header: 'Last used', cell: ({ last_used_at: time }) => (time === null ? 'never' : formatTime(time)) },
          {
            header: 'Actions',
            cell: (key) =>
              key.revoked_at === null && (
                <div className="gateway-actions">
                  <Button onClick={() => setEdited(key)} aria-label={`Edit ${keyName(key)}`}>
                    Edit
                  </Button>
                  <Button onClick={() => void confirmRotate(key)} aria-label={`Rotate ${keyName(key)}`}>
                    Rotate
                  </Button>
                  <Button kind="danger" onClick={() => void confirmRevoke(key)} aria-label={`Revoke ${keyName(key)}`}>
                    Revoke
                  </Button>
                </div>
              ),
          },
        ]}
      />
      {edited && <EditKey edited={edited} onClose={() => setEdited(undefined)} />}
    </>
  )
}

function State({ value }: { readonly value: Key }) {
  const [tone, words] = stateOf(value, new Date())
  return <StatusMark tone={tone}>{words}</StatusMark>
}

import { useQuery } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { Button } from '../../../components/button.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Table } from '../../../components/table.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { instanceParams, type SwitchInstance } from '../kinds/instance.ts'

/** No activity reports the addresses that a switch learns. */
const POLL_MS = 2000

export function MacTable({ instance }: { readonly instance: SwitchInstance }) {
  const emulation = useEmulation()
  const params = instanceParams(instance)
  const table = useQuery({
    queryKey: ['emulation', 'MAC table', instance.id],
    queryFn: ({ signal }) => expectOk(emulation.getMacTableEmu5({ params, signal })),
    refetchInterval: POLL_MS,
  })
  const clear = useAction(async () => {
    await expectOk(emulation.clearMacTableEmu5({ params }))
    await table.refetch()
  })
  return (
    <section className="stack" aria-label="MAC table">
      <div className="row heading">
        <h3>Learned addresses</h3>
        <Button onClick={() => clear.mutate()} disabled={!table.data?.length}>
          Clear table
        </Button>
      </div>
      <Loaded query={table}>
        {(rows) => (
          <Table
            caption="MAC table"
            isSlim
            rows={rows}
            rowKey={({ mac, vlan }) => `${mac} ${vlan}`}
            empty={
              <p className="quiet">
                No addresses yet. The switch learns an address from the first frame of its sender.
              </p>
            }
            columns={[
              { header: 'Address', cell: ({ mac }) => <code>{mac}</code>, isName: true },
              { header: 'VLAN', cell: ({ vlan }) => vlan, align: 'end' },
              { header: 'Port', cell: ({ port }) => port, align: 'end' },
            ]}
          />
        )}
      </Loaded>
    </section>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { Table } from '../../../components/table.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { topicKey } from '../../../live/topic-key.ts'
import { instanceParams, type SwitchInstance } from '../kinds/instance.ts'
import { portsOf } from '../kinds/ports.ts'
import { cabledPorts, type Lab } from '../lab/use-lab.ts'
import { endName } from '../links/link.ts'

export interface SwitchPortsProps {
  readonly lab: Lab
  readonly instance: SwitchInstance
}

type PortSetting = NonNullable<SwitchInstance['wire']['ports']>[number]

const types = { access: 'access', dot1q: 'trunk (802.1Q)', qinq: 'Q-in-Q' } as const satisfies Record<
  PortSetting['type'],
  string
>

const isType = (value: string): value is PortSetting['type'] => Object.hasOwn(types, value)

const LAST_VLAN = 4094

/** Shows and changes the type and the VLAN of each port. */
export function SwitchPorts({ lab, instance }: SwitchPortsProps) {
  const emulation = useEmulation()
  const queries = useQueryClient()
  const save = useAction((setting: PortSetting) =>
    expectOk(emulation.updateEmu5({ params: instanceParams(instance), body: { ports: [setting] } })).finally(() =>
      queries.invalidateQueries({ queryKey: topicKey('emulation', 'instances', lab.projectId) }),
    ),
  )
  const cabled = cabledPorts(lab, instance.id).map(({ port }) => port)
  const settings = portsOf(instance, cabled).map(
    ({ port }): PortSetting =>
      instance.wire.ports?.find((other) => other.port === port) ?? { port, type: 'access', vlan: 1 },
  )
  return (
    <section className="stack" aria-label="Switch ports">
      <h3>Ports</h3>
      <Table
        caption="Ports of the switch"
        isSlim
        rows={settings}
        rowKey={({ port }) => String(port)}
        columns={[
          { header: 'Port', cell: ({ port }) => port, isName: true },
          {
            header: 'Type',
            cell: (setting) => (
              <select
                aria-label={`Type of port ${setting.port}`}
                value={setting.type}
                onChange={({ target: { value } }) => isType(value) && save.mutate({ ...setting, type: value })}
              >
                {Object.entries(types).map(([type, name]) => (
                  <option key={type} value={type}>
                    {name}
                  </option>
                ))}
              </select>
            ),
          },
          {
            header: 'VLAN',
            cell: (setting) => (
              <input
                key={setting.vlan}
                className="vlan"
                type="number"
                aria-label={`VLAN of port ${setting.port}`}
                min={1}
                max={LAST_VLAN}
                defaultValue={setting.vlan}
                onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
                onBlur={({ target: { valueAsNumber } }) => {
                  if (!Number.isNaN(valueAsNumber) && valueAsNumber !== setting.vlan)
                    save.mutate({ ...setting, vlan: valueAsNumber })
                }}
              />
            ),
          },
          { header: 'Cable', cell: ({ port }) => neighbourOf(lab, instance, port) },
        ]}
      />
    </section>
  )
}

function neighbourOf({ links }: Lab, { id }: SwitchInstance, port: number): string {
  for (const { ends } of links) {
    const own = ends.findIndex((end) => end.id === id && end.port_number === port)
    if (own < 0) continue
    const other = ends[1 - own]
    return other ? endName(other) : 'outside'
  }
  return '–'
}

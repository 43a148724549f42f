import { formatBytes } from '../../../components/format.ts'
import { baseUrlOf } from '../../../session/console-root.ts'
import { useSession } from '../../../session/session-context.ts'
import { hasConsole, hasTerminal, type Instance, type InstanceState } from '../kinds/instance.ts'
import { consoleAddress } from './console-address.ts'
import { virtualPcEngines } from './instance-form.ts'
import { useUsage } from './use-usage.ts'

export interface InstanceFactsProps {
  readonly instance: Instance
  readonly state: InstanceState | undefined
}

/** Shows the main settings of an instance, and while it runs what it uses. */
export function InstanceFacts({ instance, state }: InstanceFactsProps) {
  const { services } = useSession().host
  const facts = factsOf(instance)
  if (hasTerminal(instance) && hasConsole(instance)) {
    const { hostname } = new URL(baseUrlOf(services.emulation?.base_url ?? '.'))
    const type = instance.kind === 'emu1' ? instance.wire.console_type : 'telnet'
    facts.push(['Console', consoleAddress(type, hostname, instance.wire.console)])
  }
  return (
    <dl className="instance-facts">
      {facts
        .filter(([, value]) => value !== '')
        .map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
      {(state === 'started' || state === 'suspended') && <UsageFacts key={instance.id} instance={instance} />}
    </dl>
  )
}

function UsageFacts({ instance }: { readonly instance: Instance }) {
  const usage = useUsage(instance)
  if (usage === undefined) return null
  const { cpuPercent, memoryBytes } = usage
  return (
    <>
      <Fact name="CPU" value={cpuPercent === undefined ? '–' : `${Math.round(cpuPercent)} %`} />
      <Fact name="Resident" value={formatBytes(memoryBytes)} />
    </>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function factsOf({ kind, wire }: Instance): [string, string][] {
  switch (kind) {
    case 'emu1':
      return [
        ['Program', wire.emu1_path],
        ['Memory', `${wire.ram} MiB`],
        ['Disk', wire.hda_disk_image],
        ['Kernel', wire.kernel_image],
        ['Adapters', `${wire.adapters} × ${wire.adapter_type}`],
        ['Note', wire.usage],
      ]
    case 'emu2':
      return [
        ['Image', wire.path],
        ['Memory', `${wire.ram} MiB`],
        ['Adapters', `${wire.ethernet_adapters} Ethernet, ${wire.serial_adapters} serial, of 4 ports`],
      ]
    case 'emu3':
      return [
        ['Startup', wire.startup_script ?? ''],
        ['Engine', wire.engine === undefined ? '' : virtualPcEngines[wire.engine]],
        ['Address', wire.mac_address ?? ''],
      ]
    case 'emu4':
      return [
        ['Machine', wire.vmname],
        ['Adapters', `${wire.adapters} × ${wire.adapter_type}`],
      ]
    case 'emu5':
    case 'nat':
      return []
    case 'container':
      return [
        ['Image', wire.image],
        ['Command', wire.start_command],
        ['Memory', `${wire.memory} MiB`],
        ['Cores', `${wire.cpus}`],
        ['Adapters', `${wire.adapters}`],
        ['Volumes', wire.volumes.join(', ')],
      ]
    case 'cloud':
      return [['Ports', wire.ports.map(({ port, device }) => `${port}: ${device}`).join(', ')]]
  }
}

import { isRefusal } from '@trivium/emulation-core/ports'
import { formatIp } from '../../addresses/ip-address.ts'
import { formatIpv4 } from '../../addresses/ipv4-address.ts'
import { formatIpv6 } from '../../addresses/ipv6-address.ts'
import type { Pc } from '../pc.ts'
import { STARTUP_SCRIPT } from '../startup-script.ts'
import type { Command, CommandCall } from './command.ts'

/** The commands that restore the current configuration. */
function describeConfiguration(pc: Pc): string {
  const { ipv4, ipv6 } = pc.network
  const lines = [
    `set pcname ${pc.name}`,
    ...(pc.scriptEcho ? ['set echo on'] : []),
    ...(ipv4.mtu === 1500 ? [] : [`ip mtu ${ipv4.mtu}`]),
  ]
  if (pc.dhcp.lease !== undefined) lines.push('ip dhcp')
  else if (ipv4.config !== undefined) {
    const { address, prefixLength, gateway } = ipv4.config
    lines.push(`ip ${formatIpv4(address)}/${prefixLength}${gateway === undefined ? '' : ` ${formatIpv4(gateway)}`}`)
  }
  if (pc.dhcp.lease === undefined) {
    if (pc.dnsServers.length > 0) lines.push(`ip dns ${pc.dnsServers.map(formatIp).join(' ')}`)
    if (pc.domain !== undefined) lines.push(`ip domain ${pc.domain}`)
  }
  if (pc.autoIpv6) lines.push('ip auto')
  else if (ipv6.config !== undefined) {
    const { address, prefixLength, gateway } = ipv6.config
    lines.push(`ip ${formatIpv6(address)}/${prefixLength}${gateway === undefined ? '' : ` ${formatIpv6(gateway)}`}`)
  }
  return `${lines.join('\n')}\n`
}

/** Runs a file operation, and prints its error. */
const attempt = async (operation: () => Promise<void>, { terminal }: CommandCall): Promise<void> => {
  try {
    await operation()
  } catch (error) {
    terminal.line(isRefusal(error) ? error.message : 'The file could not be used')
  }
}

export const save: Command = {
  name: 'save',
  parameters: '[<file>]',
  summary: `Save the configuration as a script, default ${STARTUP_SCRIPT}`,
  async run(call) {
    const [name = STARTUP_SCRIPT, ...surplus] = call.words
    if (surplus.length > 0) return call.terminal.line('Usage: save [<file>]')
    await attempt(async () => {
      await call.pc.files.write(name, describeConfiguration(call.pc))
      call.terminal.line(`Saved to ${name}`)
    }, call)
  },
}

export const load: Command = {
  name: 'load',
  parameters: '[<file>]',
  summary: `Run a script, default ${STARTUP_SCRIPT}`,
  async run(call) {
    const [name = STARTUP_SCRIPT, ...surplus] = call.words
    if (surplus.length > 0) return call.terminal.line('Usage: load [<file>]')
    await attempt(async () => {
      const script = await call.pc.files.read(name)
      if (script === undefined) call.terminal.line(`There is no file ${name}`)
      else await call.pc.runScript(script)
    }, call)
  },
}

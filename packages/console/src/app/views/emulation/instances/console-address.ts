import type { MachineWire } from '../kinds/instance.ts'

/** Returns what a person enters to reach a console port. It is empty where the port is closed. */
export function consoleAddress(type: MachineWire['console_type'], hostname: string, port: number): string {
  if (type === 'none') return ''
  if (type === 'telnet') return `telnet ${hostname} ${port}`
  return `${type === 'vnc' ? 'vnc' : 'spice'} ${hostname}:${port}`
}

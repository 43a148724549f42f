import type { Command, CommandCall } from './command.ts'

/** Accepts names for a prompt: 1 to 64 printable ASCII characters without blanks. */
export const isPcName = (name: string): boolean => /^[\x21-\x7e]{1,64}$/.test(name)

const setters: Readonly<Record<string, (words: readonly string[], call: CommandCall) => void>> = {
  pcname([name, ...surplus], { pc, terminal }) {
    if (name === undefined || surplus.length > 0 || !isPcName(name)) terminal.line('Usage: set pcname <name>')
    else pc.name = name
  },
  echo([state, ...surplus], { pc, terminal }) {
    if ((state !== 'on' && state !== 'off') || surplus.length > 0) terminal.line('Usage: set echo on|off')
    else pc.scriptEcho = state === 'on'
  },
}

const cablingSettings = ['lport', 'rport', 'rhost']

export const set: Command = {
  name: 'set',
  parameters: '[arguments]',
  summary: 'Set the name of this machine, and whether lines of scripts are printed',
  details: [
    'pcname <name>   1 to 64 printable characters without blanks',
    'echo on|off     print the lines of scripts',
  ],
  run(call) {
    const [subject = '', ...rest] = call.words
    const setter = Object.hasOwn(setters, subject) ? setters[subject] : undefined
    if (setter !== undefined) setter(rest, call)
    else if (cablingSettings.includes(subject))
      call.terminal.line('The server cables this machine: its ports cannot be set here')
    else call.terminal.line('Usage: set pcname <name> | set echo on|off')
  },
}

const cleaners: Readonly<Record<string, (call: CommandCall) => void>> = {
  ip({ pc }) {
    pc.dhcp.forget()
    pc.network.ipv4.config = undefined
    pc.network.ipv4.neighbours.clear()
    pc.dnsServers = []
    pc.domain = undefined
  },
  ipv6({ pc }) {
    pc.network.ipv6.config = undefined
    pc.autoIpv6 = false
    pc.network.ipv6.neighbours.clear()
  },
  arp: ({ pc }) => pc.network.ipv4.neighbours.clear(),
  neighbor: ({ pc }) => pc.network.ipv6.neighbours.clear(),
  hist({ pc }) {
    pc.history.length = 0
  },
}

export const clear: Command = {
  name: 'clear',
  parameters: '[arguments]',
  summary: 'Clear addresses, neighbours, or the history',
  details: [
    'ip         IPv4 address, gateway and DNS',
    'ipv6       IPv6 address',
    'arp        IPv4 neighbours',
    'neighbor   IPv6 neighbours',
    'hist       history of commands',
    'all        all of these',
  ],
  run(call) {
    const [subject = '', ...surplus] = call.words
    const chosen =
      subject === 'all' ? Object.values(cleaners) : Object.hasOwn(cleaners, subject) ? [cleaners[subject]] : []
    if (chosen.length === 0 || surplus.length > 0) {
      return call.terminal.line('Usage: clear ip|ipv6|arp|neighbor|hist|all')
    }
    for (const clean of chosen) clean?.(call)
  },
}

import type { Command } from './command.ts'
import { dhcp, ip } from './ip.ts'
import { ping } from './ping.ts'
import { load, save } from './scripts.ts'
import { disconnect, echo, quit, sleep } from './session.ts'
import { clear, set } from './settings.ts'
import { arp, history, show, version } from './show.ts'
import { trace } from './trace.ts'

const withoutHelp: readonly Command[] = [
  arp,
  clear,
  dhcp,
  disconnect,
  echo,
  history,
  ip,
  load,
  ping,
  quit,
  save,
  set,
  show,
  sleep,
  trace,
  version,
]

function listCommands(commands: readonly Command[]): readonly string[] {
  const usages = commands.map(({ name, parameters }) => `${name} ${parameters}`.trimEnd())
  const width = Math.max(...usages.map((head) => head.length))
  return commands.map(({ summary }, index) => `${(usages[index] ?? '').padEnd(width)}  ${summary}`)
}

export const describeCommand = ({ name, parameters, summary, details = [] }: Command): readonly string[] => [
  `${name} ${parameters}`.trimEnd(),
  `  ${summary}`,
  ...details.map((line) => `    ${line}`),
]

const help: Command = {
  name: 'help',
  parameters: '[<command>]',
  summary: 'Print this list, or the usage of a command; the same as: ?',
  run({ words, terminal }) {
    const [name] = words
    const command = name === undefined ? undefined : findCommand(name)
    terminal.line('')
    for (const line of command === undefined ? listCommands(commands) : describeCommand(command)) terminal.line(line)
    if (command !== undefined) return
    terminal.line('')
    terminal.line("To print the usage of a command, type '?' after it.")
  },
}

const commands: readonly Command[] = [...withoutHelp.slice(0, 6), help, ...withoutHelp.slice(6)]

/** The command with the name, or the first that begins with it. */
export function findCommand(name: string): Command | undefined {
  if (name === '?') return help
  const typed = name.toLowerCase()
  return (
    commands.find((command) => command.name === typed) ?? commands.find((command) => command.name.startsWith(typed))
  )
}

import { wait } from '../../clock/wait.ts'
import type { Command } from './command.ts'

export const echo: Command = {
  name: 'echo',
  parameters: '<text>',
  summary: 'Print a text',
  run: ({ text, terminal }) => terminal.line(text),
}

export const sleep: Command = {
  name: 'sleep',
  parameters: '<seconds> [<text>]',
  summary: 'Print a text and wait; 0 waits for a key',
  async run({ words, text, terminal, pc, signal }) {
    const [seconds = '0'] = words
    if (!/^\d{1,5}$/.test(seconds)) return terminal.line('Usage: sleep <seconds> [<text>]')
    const message = text.replace(/^\d+\s*/, '')
    if (message !== '') terminal.line(message)
    if (Number(seconds) > 0) await wait(pc.clock, Number(seconds) * 1000, signal)
    else {
      terminal.line('Press any key to continue')
      await terminal.key()
    }
  },
}

export const quit: Command = {
  name: 'quit',
  parameters: '',
  summary: 'Switch this machine off',
  run: ({ pc }) => pc.quit(),
}

export const disconnect: Command = {
  name: 'disconnect',
  parameters: '',
  summary: 'Leave the console',
  run: ({ terminal }) => terminal.line('Close the terminal to leave: this machine continues to run'),
}

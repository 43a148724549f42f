import { expect, it } from 'vitest'
import { guardConsole } from './guarded-console.ts'

function createConsole() {
  let sent = ''
  let shown = ''
  const console = guardConsole({
    write: (bytes) => {
      sent += new TextDecoder().decode(bytes)
    },
    onOutput: (listener) => listener(new TextEncoder().encode('PC1> ')),
  })
  console.onOutput((bytes) => {
    shown += new TextDecoder().decode(bytes)
  })
  return {
    type: (text: string) => console.write(new TextEncoder().encode(text)),
    sent: () => sent,
    shown: () => shown,
  }
}

it('passes on a whole command, and erases its own echo then', () => {
  const { type, sent, shown } = createConsole()
  type('show ip')
  expect([sent(), shown()]).toEqual(['', 'PC1> show ip'])
  type('\r')
  expect([sent(), shown()]).toEqual(['show ip\r', `PC1> show ip${'\b \b'.repeat(7)}`])
})

it('reports a command that is not allowed, and makes the program print its prompt', () => {
  const { type, sent, shown } = createConsole()
  type('! id\r')
  expect(sent()).toBe('\r')
  expect(shown()).toContain('This server does not allow this command: ! id')
})

it.each([
  ['edited with the arrow keys', 'x id\x1b[D\x1b[D\x1b[D\x1b[D\x1b[3~!\r'],
  ['edited from the history', 'echo ! id\r\x1b[A\x1b[H\x1b[3~\x1b[3~\x1b[3~\x1b[3~\x1b[3~\r'],
  ['edited with control characters', 'x\x01\x04! id\r'],
  ['typed after an erased line', 'show\x15! id\r'],
  ['typed after an interrupt', 'echo \x03! id\r'],
  ['typed after erased characters', 'ab\x7f\b! id\r'],
  ['typed with a tab', '!\t id\r'],
  ['typed in pieces', '!\r id\r'],
])('never passes on a forbidden command that is %s', (_way, keys) => {
  const { type, sent } = createConsole()
  for (const key of keys) type(key)
  expect(sent().split('\r')).not.toContainEqual(expect.stringMatching(/^\s*!/))
})

it('passes on an interrupt immediately, and repeats earlier commands', () => {
  const { type, sent } = createConsole()
  type('ping 10.0.0.1\r\x03')
  expect(sent()).toBe('ping 10.0.0.1\r\x03')
  type('arp\r\x1b[A\x1b[A\x1b[B\x1b[A\r')
  expect(sent()).toBe('ping 10.0.0.1\r\x03arp\rping 10.0.0.1\r')
})

it('buffers at most one line', () => {
  const { type, sent } = createConsole()
  type('a'.repeat(1_000_000))
  type('\x1b['.repeat(100_000))
  type('\x15show\r')
  expect(sent()).toBe('show\r')
})

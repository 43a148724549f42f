import { expect, it } from 'vitest'
import { openTelnetSession } from './telnet-session.ts'

const NEGOTIATION = [255, 253, 1, 255, 251, 31]
const SIZE = [255, 250, 31, 0, 80, 0, 24, 255, 240]

function openSession() {
  const seen: unknown[] = []
  const session = openTelnetSession({
    send: () => {},
    hangUp: () => seen.push('hung up'),
    data: (bytes) => seen.push(new TextDecoder().decode(bytes)),
    resize: (columns, rows) => seen.push([columns, rows]),
  })
  const push = (...parts: (string | readonly number[])[]) =>
    session.push(
      Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part)] : [...part]))),
    )
  return { push, seen }
}

it('passes on the window size and the input', () => {
  const { push, seen } = openSession()
  push(NEGOTIATION, SIZE)
  push('show\r\n')
  push(SIZE)
  expect(seen).toEqual([[80, 24], 'show\r', [80, 24]])
})

it('ends a connection with an HTTP request after and between telnet commands', () => {
  const { push, seen } = openSession()
  push(NEGOTIATION)
  push('PO', NEGOTIATION, 'ST / HT')
  push('TP/1.1\r\n\r\n', SIZE, 'ip 10.0.0.1\r\n')
  push('ip 10.0.0.1\r\n', SIZE)
  expect(seen).toEqual(['hung up'])
})

it('ignores a window size that comes with an HTTP request', () => {
  const { push, seen } = openSession()
  push('POST / HTTP/1.1\r\n\r\n', SIZE)
  expect(seen).toEqual(['hung up'])
})

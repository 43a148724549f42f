import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createWebGuard } from './web-guard.ts'

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

function openGuard() {
  let passed = ''
  let refusals = 0
  const guard = createWebGuard({
    pass: (bytes) => {
      passed += String.fromCharCode(...bytes)
    },
    refuse: () => {
      refusals += 1
    },
  })
  return {
    push: (text: string) => guard.push(bytesOf(text)),
    end: guard.end,
    passed: () => passed,
    refusals: () => refusals,
    isClosed: () => guard.isClosed,
  }
}

const typed = '\r\nip 10.77.77.77/24\r\n'

/** Creates a binding request of WebRTC with a name that a web page chooses. */
function stun(name: string, type = '\x00\x01'): string {
  const padded = name.padEnd(Math.ceil(name.length / 4) * 4, '\0')
  const attribute = `\x00\x06${twoBytes(name.length)}${padded}`
  return `${type}${twoBytes(attribute.length)}\x21\x12\xa4\x42${'t'.repeat(12)}${attribute}`
}
const twoBytes = (value: number) => String.fromCharCode(value >> 8, value & 255)
const framed = (message: string) => `${twoBytes(message.length)}${message}`

const requests: readonly (readonly [name: string, request: string])[] = [
  ['GET', `GET / HTTP/1.1\r\nHost: 127.0.0.1:2000\r\n\r\n`],
  ['POST', `POST / HTTP/1.1\r\nHost: 127.0.0.1:2000\r\nOrigin: null\r\n\r\n${typed}`],
  ['HEAD', `HEAD /a?b=c%20d HTTP/1.1\r\n\r\n`],
  ['OPTIONS with plain line feeds', `OPTIONS * HTTP/1.0\n\n${typed}`],
  ['a request with bytes that are not ASCII', `GET /\x80\x9f HTTP/1.1\r\n${typed}`],
  ['a method that browsers do not use', `M-SEARCH http://127.0.0.1:2000/ HTTP/1.1\r\n${typed}`],
  ['the preface of HTTP/2', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`],
  ['a Host line', `Host: 127.0.0.1:2000\r\n${typed}`],
  ['a HOST line', `HOST: 127.0.0.1:2000\r\n${typed}`],
  ['a request with a long address', `POST /${'a'.repeat(20_000)} HTTP/1.1\r\n\r\n${typed}`],
  ['a TLS handshake', `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${typed}`],
  ['a request of an ICE candidate', framed(stun(typed))],
  ['a request for a TURN relay', stun(typed, '\x00\x03')],
  ['the hello of an ICE candidate that pretends TLS', `\x80F\x01\x03\x01\x00-\x00\x00\x00\x10${typed}`],
]

/** Its first byte can also be a key of a person, which must not be held back. */
const longStun = framed(stun('x'.repeat(500)))

const people = [
  'ip 10.0.0.1/24\r',
  'get /tmp/file\r',
  'post\r',
  'post / HTTP/1.1\r',
  'GET\r',
  'GET /tmp/file\r',
  'GET ME OUT\r',
  'HELP\r',
  'Hostname R1\r',
  'hosts\r',
  '\r',
  '\x1b[A\r',
  '\x03',
  '\x16\x16',
  '\x01c',
  '\x01\x01',
  '\x02\x02\r',
  '\x03\x03\x03\x03',
  'S\x7fshow\r',
  `A${' '.repeat(10_000)}\r`,
]

describe('createWebGuard', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it.each(requests)('refuses %s in pieces of any size, and passes on none of its bytes', (_name, request) => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: Math.min(request.length, 120) }), { maxLength: 12 }), (cuts) => {
        const { push, passed, refusals, isClosed } = openGuard()
        let from = 0
        for (const cut of [...cuts.sort((one, other) => one - other), request.length]) {
          push(request.slice(from, cut))
          from = cut
        }
        push(typed)
        vi.advanceTimersByTime(10_000)
        expect([passed(), refusals(), isClosed()]).toEqual(['', 1, true])
      }),
    )
  })

  it.each(people)('passes on %j of a person or a script, in one piece and key by key', (text) => {
    for (const keys of [[text], [...text]]) {
      const { push, passed, refusals } = openGuard()
      for (const key of keys) push(key)
      push('POST / HTTP/1.1\r')
      expect([passed(), refusals()]).toEqual([`${text}POST / HTTP/1.1\r`, 0])
    }
  })

  it('refuses a long request of an ICE candidate after its length, and passes on none of its bytes', () => {
    for (const cut of [2, 3, 4, 6, 9, longStun.length]) {
      const { push, passed, refusals } = openGuard()
      push(longStun.slice(0, cut))
      push(longStun.slice(cut))
      expect([passed(), refusals()]).toEqual(['', 1])
    }
  })

  it('passes on only the first three bytes of a long request of an ICE candidate that arrives byte by byte', () => {
    const { push, passed, refusals } = openGuard()
    for (const byte of longStun) push(byte)
    expect([passed(), refusals()]).toEqual([longStun.slice(0, 3), 1])
  })

  it.each(['\x01', '\x02', '\x03'])('passes on %j and the next key immediately', (key) => {
    const { push, passed } = openGuard()
    push(key)
    expect(passed()).toBe(key)
    push('c')
    expect(passed()).toBe(`${key}c`)
  })

  it('holds back keys that may begin a request for 250 ms, and no later keys', () => {
    const { push, passed } = openGuard()
    push('G')
    vi.advanceTimersByTime(249)
    expect(passed()).toBe('')
    vi.advanceTimersByTime(1)
    expect(passed()).toBe('G')
    for (const key of 'ET ') push(key)
    expect(passed()).toBe('GET ')
  })

  it('refuses the end of a first line that slowly becomes a request', () => {
    const { push, passed, refusals } = openGuard()
    for (const piece of ['POST', ' /', ' HTT']) {
      push(piece)
      vi.advanceTimersByTime(1000)
    }
    push(`P/1.1\r\n${typed}`)
    push(typed)
    expect([passed(), refusals()]).toEqual(['POST / HTT', 1])
  })

  it('passes on nothing after the end of the connection', () => {
    const { push, end, passed } = openGuard()
    push('G')
    end()
    vi.advanceTimersByTime(1000)
    expect(passed()).toBe('')
  })
})

import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { takePort, testPorts } from '../../tests/test-ports.ts'
import { createVirtualClock } from '../../tests/virtual-clock.ts'
import { consoleSources } from './console-sources.ts'
import { createPasswordCheck } from './password-check.ts'
import { openPasswordPrompt } from './password-prompt.ts'
import { tcpConsoleListener } from './tcp-console-listener.ts'

const PASSWORD = 'lab password'
const bytesOf = (text: string) => Buffer.from(text, 'latin1')

describe('the password prompt', () => {
  function openPrompt(check = createPasswordCheck(PASSWORD, createVirtualClock())) {
    const clock = createVirtualClock()
    let shown = ''
    const events: string[] = []
    const prompt = openPasswordPrompt({
      check,
      address: '192.0.2.1',
      clock,
      send: (bytes) => {
        shown += Buffer.from(bytes).toString('latin1')
      },
      accepted: (rest) => events.push(`accepted ${Buffer.from(rest).toString('latin1')}`),
      refused: () => events.push('refused'),
    })
    return { clock, prompt, events, shown: () => shown, type: (text: string) => prompt.push(bytesOf(text)) }
  }

  it.each([
    ['in one piece', [`${PASSWORD}\r\n`]],
    ['key by key', [...PASSWORD, '\r', '\0']],
    ['with corrections', ['lax\x7fb\x08b passwort\x7fd\r\0']],
    ['between telnet commands', ['\xff\xfd\x01lab \xff\xfd\x03', 'password\n']],
  ])('accepts the password %s, and never shows it', (_how, pieces) => {
    const { events, type, shown } = openPrompt()
    for (const piece of pieces) type(piece)
    expect(events).toEqual(['accepted '])
    expect(shown()).toBe('\xff\xfb\x01\xff\xfb\x03Password: \r\n')
  })

  it('passes on what is typed after the password', () => {
    const { events, type } = openPrompt()
    type(`${PASSWORD}\r\nshow\r`)
    expect(events).toEqual(['accepted show\r'])
  })

  it('pauses for a second after each wrong password, and ends after three', () => {
    const { clock, events, type, shown } = openPrompt()
    for (let tries = 0; tries < 3; tries += 1) {
      type('wrong\r')
      type(`${PASSWORD}\r`)
      clock.advance(999)
      expect(events).toEqual([])
      clock.advance(1)
    }
    expect(events).toEqual(['refused'])
    expect(shown().match(/Password: /g)).toHaveLength(3)
    type(`${PASSWORD}\r`)
    expect(events).toEqual(['refused'])
  })

  it('ends after a minute, and at more than 256 bytes', () => {
    const slow = openPrompt()
    slow.type('lab ')
    slow.clock.advance(60_000)
    expect(slow.events).toEqual(['refused'])
    const long = openPrompt()
    long.type('a'.repeat(300))
    expect(long.events).toEqual(['refused'])
    expect(long.clock.timers).toBe(0)
  })
})

describe('the check of passwords', () => {
  it('holds an address off for a minute after ten wrong ones, and no other address', () => {
    const clock = createVirtualClock()
    const check = createPasswordCheck(PASSWORD, clock)
    for (let tries = 0; tries < 10; tries += 1) {
      expect(check.isHeldOff('192.0.2.1')).toBe(false)
      check.isRight('192.0.2.1', bytesOf('wrong'))
    }
    expect([check.isHeldOff('192.0.2.1'), check.isHeldOff('192.0.2.2')]).toEqual([true, false])
    clock.advance(60_000)
    expect(check.isHeldOff('192.0.2.1')).toBe(false)
  })
})

describe('many open prompts', () => {
  it('end without a check of what is typed once the address is held off', () => {
    const clock = createVirtualClock()
    const check = createPasswordCheck(PASSWORD, clock)
    const events: string[] = []
    const prompts = Array.from({ length: 12 }, () =>
      openPasswordPrompt({
        check,
        address: '192.0.2.1',
        clock,
        send: () => {},
        accepted: () => events.push('accepted'),
        refused: () => events.push('refused'),
      }),
    )
    for (const prompt of prompts.slice(0, 10)) prompt.push(bytesOf('wrong\r'))
    for (const prompt of prompts.slice(10)) prompt.push(bytesOf(`${PASSWORD}\r`))
    expect(events).toEqual(['refused', 'refused'])
  })

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
    ['2001:db8::1', '2001:db8:0:0:1::9', true],
    ['::1', '::2', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
  ])('count wrong passwords of %s for %s, where their networks of 64 bits are equal: %s', (one, other, same) => {
    const check = createPasswordCheck(PASSWORD, createVirtualClock())
    for (let tries = 0; tries < 10; tries += 1) check.isRight(one, bytesOf('wrong'))
    expect(check.isHeldOff(other)).toBe(same)
  })
})

describe('sources of consoles', () => {
  it('contain addresses and networks of both families', () => {
    const isSource = consoleSources(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'])
    const accepted = ['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.7', '2001:db8::1']
    const refused = ['11.0.0.1', '192.0.2.8', '127.0.0.1', '::1', '2001:db9::1', '', undefined]
    expect(accepted.map(isSource)).toEqual(accepted.map(() => true))
    expect(refused.map(isSource)).toEqual(refused.map(() => false))
  })

  it.each(['all', '10.0.0.0/33', '10.0.0.0/8/8', '', '::/129'])('refuse %j', (network) => {
    expect(() => consoleSources([network])).toThrow(TypeError)
  })
})

describe('tcpConsoleListener', () => {
  it.each(['0.0.0.0', '::', '192.0.2.1', 'lab.example'])('refuses %s without a password and sources', (host) => {
    expect(() => tcpConsoleListener({ host })).toThrow(TypeError)
    tcpConsoleListener({ host, password: PASSWORD })
    tcpConsoleListener({ host, sources: [] })
  })

  async function openConsole(options: Parameters<typeof tcpConsoleListener>[0]) {
    const port = await takePort(testPorts(), 'console')
    const seen: string[] = []
    const open = await tcpConsoleListener(options).listen(port, (connection) => {
      seen.push('accepted')
      connection.send(bytesOf('welcome'))
      return { data: (bytes) => void seen.push(Buffer.from(bytes).toString()), closed: () => void seen.push('closed') }
    })
    onTestFinished(() => open.close())
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {})
    let shown = ''
    const until = async (pattern: RegExp) => {
      while (!pattern.test(shown)) shown += String((await once(socket, 'data'))[0])
    }
    return { seen, socket, until }
  }

  it('shows a console after its password, on every address', async () => {
    const { seen, socket, until } = await openConsole({ host: '0.0.0.0', password: PASSWORD })
    await until(/Password: $/)
    expect(seen).toEqual([])
    socket.write(`${PASSWORD}\r\0`)
    await until(/welcome$/)
    expect(seen).toEqual(['accepted'])
  })

  it('closes connections of other sources before a byte is sent', async () => {
    const { seen, socket } = await openConsole({ sources: ['192.0.2.0/24'] })
    let received = 0
    socket.on('data', (bytes) => {
      received += bytes.length
    })
    await once(socket, 'close')
    expect([seen, received]).toEqual([[], 0])
  })
})

import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type ConsoleViewer, createConsoleHub } from './console-hub.ts'
import { createScrollback } from './scrollback.ts'
import { attachTelnetViewer } from './telnet-viewer.ts'

const bytes = (value: string) => new TextEncoder().encode(value)

function fakeEndpoint() {
  let show: (output: Uint8Array) => void = () => {}
  const typed: string[] = []
  return {
    typed,
    sizes: [] as number[][],
    print: (value: string) => show(bytes(value)),
    write: (input: Uint8Array) => void typed.push(new TextDecoder().decode(input)),
    onOutput: (listener: (output: Uint8Array) => void) => {
      show = listener
    },
    resize(columns: number, rows: number) {
      this.sizes.push([columns, rows])
    },
  }
}

function fakeViewer() {
  const viewer = {
    shown: '',
    closed: undefined as string | undefined,
    bufferedBytes: 0,
    send: (output: Uint8Array) => {
      viewer.shown += new TextDecoder().decode(output)
    },
    close: (reason: 'slow' | 'ended') => {
      viewer.closed = reason
    },
  }
  return viewer satisfies ConsoleViewer
}

describe('createConsoleHub', () => {
  it('sends output to every viewer, and passes on the input of each', () => {
    const hub = createConsoleHub()
    const endpoint = fakeEndpoint()
    hub.connect(endpoint)
    const [one, other] = [fakeViewer(), fakeViewer()]
    const inputs = [hub.attach(one), hub.attach(other)]
    endpoint.print('hello')
    inputs[0]?.write(bytes('a'))
    inputs[1]?.write(bytes('b'))
    expect([one.shown, other.shown]).toEqual(['hello', 'hello'])
    expect(endpoint.typed).toEqual(['a', 'b'])
  })

  it('pauses a program for slow viewers, and closes those that do not catch up', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const hub = createConsoleHub({ viewerBufferBytes: 1000, patienceMs: 500 })
    const calls: string[] = []
    const endpoint = { ...fakeEndpoint(), pause: () => calls.push('pause'), resume: () => calls.push('resume') }
    hub.connect(endpoint)
    const [slow, stuck, fast] = [fakeViewer(), fakeViewer(), fakeViewer()]
    for (const viewer of [slow, stuck, fast]) hub.attach(viewer)
    endpoint.print('x')
    expect(calls).toEqual([])
    slow.bufferedBytes = 600
    endpoint.print('x')
    endpoint.print('x')
    expect(calls).toEqual(['pause'])
    vi.advanceTimersByTime(100)
    expect(calls).toEqual(['pause'])
    slow.bufferedBytes = 0
    vi.advanceTimersByTime(20)
    expect(calls).toEqual(['pause', 'resume'])
    stuck.bufferedBytes = 600
    endpoint.print('x')
    vi.advanceTimersByTime(600)
    expect(calls).toEqual(['pause', 'resume', 'pause', 'resume'])
    expect([slow.closed, stuck.closed, fast.closed]).toEqual([undefined, 'slow', undefined])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('sends earlier output to a new viewer', () => {
    const hub = createConsoleHub()
    const endpoint = fakeEndpoint()
    hub.connect(endpoint)
    endpoint.print('boot\r\n')
    const late = fakeViewer()
    hub.attach(late)
    expect(late.shown).toBe('boot\r\n')
  })

  it('closes only the viewer that does not keep up', () => {
    const hub = createConsoleHub({ viewerBufferBytes: 10 })
    const endpoint = fakeEndpoint()
    hub.connect(endpoint)
    const [slow, quick] = [fakeViewer(), fakeViewer()]
    const input = hub.attach(slow)
    hub.attach(quick)
    slow.bufferedBytes = 11
    endpoint.print('x')
    endpoint.print('y')
    input?.write(bytes('ignored'))
    expect([slow.closed, slow.shown, quick.closed, quick.shown]).toEqual(['slow', 'x', undefined, 'xy'])
    expect(endpoint.typed).toEqual([])
    expect(hub.viewers).toBe(1)
  })

  it('refuses viewers beyond the limit, and every viewer after close', () => {
    const hub = createConsoleHub({ viewerLimit: 1 })
    const viewer = fakeViewer()
    expect(hub.attach(viewer)).toBeDefined()
    expect(hub.attach(fakeViewer())).toBeUndefined()
    hub.close()
    expect(viewer.closed).toBe('ended')
    expect(hub.attach(fakeViewer())).toBeUndefined()
  })

  it('keeps viewers when the endpoint changes, and ignores the old endpoint', () => {
    const hub = createConsoleHub()
    const [before, after] = [fakeEndpoint(), fakeEndpoint()]
    const viewer = fakeViewer()
    hub.connect(before)
    hub.attach(viewer)
    hub.connect(after)
    before.print('old')
    after.print('new')
    expect(viewer.shown).toBe('new')
  })

  it('uses telnet with a TCP viewer', () => {
    const hub = createConsoleHub()
    const endpoint = fakeEndpoint()
    hub.connect(endpoint)
    const sent: number[] = []
    const connection = { send: (output: Uint8Array) => void sent.push(...output), bufferedBytes: 0, close: () => {} }
    const events = attachTelnetViewer(hub, connection, () => {})
    expect(sent.slice(0, 3)).toEqual([255, 251, 1])
    sent.length = 0
    endpoint.print('ok')
    events.data(Uint8Array.of(255, 253, 1, 104, 105, 13, 0, 255, 250, 31, 0, 80, 0, 24, 255, 240))
    expect(sent).toEqual([...bytes('ok')])
    expect(endpoint.typed.join('')).toBe('hi\r')
    expect(endpoint.sizes).toEqual([[80, 24]])
    events.closed()
    expect(hub.viewers).toBe(0)
  })
})

describe('createScrollback', () => {
  it('keeps the last bytes, from the start of a line once older bytes were dropped', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), fc.integer({ min: 1, max: 64 }), (chunks, limit) => {
        const scrollback = createScrollback(limit)
        const all: number[] = []
        for (const chunk of chunks) {
          scrollback.push(chunk)
          all.push(...chunk)
        }
        let expected = all.slice(-limit)
        if (all.length > limit && expected.includes(10)) expected = expected.slice(expected.indexOf(10) + 1)
        expect([...scrollback.snapshot()]).toEqual(expected)
      }),
    )
  })
})

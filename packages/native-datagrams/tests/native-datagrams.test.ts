import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { linkRelay, portProbe } from '@trivium/embedded-emulators'
import { datagramConformance } from '@trivium/embedded-emulators/conformance'
import { createPortAllocator } from '@trivium/emulation-core'
import { linkRelayConformance } from '@trivium/emulation-core/conformance'
import { loadNativeDatagrams } from '@trivium/native-datagrams'
import { expect, it, onTestFinished } from 'vitest'
import { describeNative } from './native.ts'

describeNative('NativeDatagrams', (native) => {
  datagramConformance({ label: 'in native batches', batches: native })

  linkRelayConformance(async () => {
    const ports = createPortAllocator({ isFree: portProbe(), udpPorts: { first: 58_000, last: 58_200 } })
    const free: number[] = []
    while (free.length < 6) {
      const port = await ports.allocate('udp')
      if (port === undefined) throw new Error('no port is free')
      free.push(port)
    }
    return { relay: linkRelay({ ports, batches: native }), ports: free }
  })

  const lengths = () => new Int32Array(native.size)

  it.each([
    ['no arguments', () => Reflect.apply(native.receive, native, [])],
    ['a descriptor that is not a number', () => Reflect.apply(native.receive, native, ['3', lengths()])],
    ['too few elements for lengths', () => native.receive(3, new Int32Array(native.size - 1))],
    ['lengths that are not integers', () => Reflect.apply(native.receive, native, [3, new Float64Array(100)])],
    ['more frames than a batch has', () => native.send(3, new Uint8Array(9), new Int32Array(999), 999, true)],
    ['more frames than lengths', () => native.send(3, new Uint8Array(9), new Int32Array(2), 3, true)],
    ['a negative length', () => native.send(3, new Uint8Array(9), Int32Array.of(-1), 1, true)],
    [
      'a length above the limit of a datagram',
      () => native.send(3, new Uint8Array(99_999), Int32Array.of(65_536), 1, true),
    ],
    ['frames beyond the buffer', () => native.send(3, new Uint8Array(9), Int32Array.of(5, 5), 2, true)],
    ['a negative count', () => native.send(3, new Uint8Array(9), Int32Array.of(5), -1, true)],
  ])('throws for %s', (_name, call) => {
    expect(call).toThrow(TypeError)
  })

  it('receives and sends nothing with an invalid descriptor or a file', () => {
    const file = openSync('/dev/null', 'r+')
    onTestFinished(() => closeSync(file))
    for (const descriptor of [-1, file, 999_999]) {
      expect(native.receive(descriptor, lengths())).toBe(0)
      native.take(new Uint8Array(0), 0)
      expect(native.send(descriptor, new Uint8Array(9), Int32Array.of(4, 4), 2, false)).toBe(0)
    }
  })

  it('copies received datagrams once, and never beyond the buffer', async () => {
    const [one, other] = [createSocket('udp4'), createSocket('udp4')]
    one.bind(0, '127.0.0.1')
    await once(one, 'listening')
    other.connect(one.address().port, '127.0.0.1')
    await once(other, 'connect')
    // The test polls the socket, so the event loop must not read it.
    const state = Object.getOwnPropertySymbols(one).find(({ description }) => description === 'state symbol')
    const descriptor: unknown = state && Reflect.get(Reflect.get(Reflect.get(one, state), 'handle'), 'fd')
    if (typeof descriptor !== 'number') throw new Error('There is no descriptor')
    const numbers = lengths()
    await new Promise<void>((sent) => other.send('0123456789', () => sent()))
    let count = 0
    while (count === 0) count = native.receive(descriptor, numbers)
    expect([count, numbers[0]]).toEqual([1, 10])
    expect(() => native.take(new Uint8Array(9), 0)).toThrow(TypeError)
    expect(() => native.take(new Uint8Array(20), 11)).toThrow(TypeError)
    expect(() => native.take(new Uint8Array(20), 4_294_967_295)).toThrow(TypeError)
    const into = new Uint8Array(20)
    native.take(into, 10)
    native.take(into, 0)
    expect(new TextDecoder().decode(into)).toBe(`${'\0'.repeat(10)}0123456789`)
    one.close()
    other.close()
  })

  it('serves several threads, and frees its memory when each ends', async () => {
    const source = `
      const { parentPort, workerData } = require('node:worker_threads')
      const find = require(workerData.loader)
      const native = find(workerData.directory)
      parentPort.postMessage(native.receive(-1, new Int32Array(native.size)))
    `
    const workerData = {
      loader: createRequire(import.meta.url).resolve('node-gyp-build'),
      directory: new URL('..', import.meta.url).pathname,
    }
    const answers = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const worker = new Worker(source, { eval: true, workerData })
        const [[answer]] = await Promise.all([once(worker, 'message'), once(worker, 'exit')])
        return answer
      }),
    )
    expect(answers).toEqual([0, 0, 0, 0])
    expect(native.receive(-1, lengths())).toBe(0)
  })
})

it('loads nothing without a binary, reports the reason, and the relay works without it', async () => {
  // The variable from which node-gyp-build reads another directory.
  const variable = '@TRIVIUM/NATIVE_DATAGRAMS_PREBUILD'
  process.env[variable] = '/nowhere'
  onTestFinished(() => {
    delete process.env[variable]
  })
  const reasons: string[] = []
  const batches = loadNativeDatagrams({ onAbsent: ({ message }) => reasons.push(message) })
  expect(batches).toBeUndefined()
  expect(reasons).toEqual([expect.stringContaining('No native build was found')])
  const ports = createPortAllocator({ isFree: portProbe() })
  await linkRelay({ ports, batches }).close()
})

import { expect, it, vi } from 'vitest'
import { createLifetime, endEach } from './lifetime.ts'

const onFault = (fault: unknown) => {
  throw fault
}

it('starts and closes once, however often it is called', async () => {
  const start = vi.fn(async () => 'report')
  const close = vi.fn(async () => undefined)
  const lifetime = createLifetime({ name: 'shop', start, close, onFault })
  expect(await Promise.all([lifetime.start(), lifetime.start()])).toEqual(['report', 'report'])
  await Promise.all([lifetime.close(), lifetime.close()])
  expect([start, close].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
})

it('starts again after a failed start, but rejects after the end', async () => {
  let isDown = true
  const start = async () => {
    if (isDown) throw new Error('down')
  }
  const lifetime = createLifetime({ name: 'shop', start, close: async () => undefined, onFault })
  await expect(lifetime.start()).rejects.toThrow('down')
  isDown = false
  await lifetime.start()
  await lifetime.close()
  await expect(lifetime.start()).rejects.toThrow('The shop is closed')
})

it('closes after a running start has ended', async () => {
  const seen: string[] = []
  let finish = () => undefined as unknown
  const started = new Promise<void>((resolve) => {
    finish = () => resolve()
  })
  const start = async () => {
    await started
    seen.push('started')
  }
  const lifetime = createLifetime({ name: 'shop', start, close: async () => void seen.push('closed'), onFault })
  const starting = lifetime.start()
  const closing = lifetime.close()
  finish()
  await Promise.all([starting, closing])
  expect(seen).toEqual(['started', 'closed'])
})

it('reports a failure of the end, and closes nevertheless', async () => {
  const faults: unknown[] = []
  const close = () => Promise.reject(new Error('busy'))
  const report = (fault: unknown) => faults.push(fault)
  await createLifetime({ name: 'shop', start: async () => undefined, close, onFault: report }).close()
  expect(faults).toEqual([new Error('busy')])
})

it('runs every step of an end in order, even where some fail', async () => {
  const seen: unknown[] = []
  const steps = [
    () => {
      throw 1
    },
    () => seen.push(2),
    () => Promise.reject(3),
    async () => seen.push(4),
  ]
  await endEach((fault) => seen.push(fault), ...steps)
  expect(seen).toEqual([1, 2, 3, 4])
})

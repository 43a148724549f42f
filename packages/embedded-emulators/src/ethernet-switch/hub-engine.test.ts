import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createHubEngine } from './hub-engine.ts'
import { defaultMode } from './switch-port.ts'

it('sends every frame of at least 14 bytes, unchanged, once to every port except its own', () => {
  const ports = fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 8 })
  const frames = fc.uint8Array({ minLength: 0, maxLength: 80 })
  fc.assert(
    fc.property(
      ports,
      fc.array(fc.record({ port: fc.integer({ min: 1, max: 20 }), frame: frames })),
      (numbers, sent) => {
        const hub = createHubEngine()
        let received: [number, Uint8Array][] = []
        for (const number of numbers) hub.addPort(number, defaultMode, (frame) => received.push([number, frame]))
        for (const { port, frame } of sent) {
          received = []
          const bytes = Uint8Array.from(frame)
          hub.receive(port, frame)
          const others = numbers.includes(port) && frame.length >= 14 ? numbers.filter((other) => other !== port) : []
          expect(received).toEqual(others.map((other) => [other, bytes]))
        }
      },
    ),
  )
})

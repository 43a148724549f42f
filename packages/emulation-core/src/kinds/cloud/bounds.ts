import * as v from 'valibot'
import { type Bounds, wholeWithin } from '../../bounds.ts'

/** The bounds of the numbers of a cloud. */
export const cloudBounds = { port: [0, 31] } as const satisfies Readonly<Record<string, Bounds>>

/** The most ports of a cloud. */
export const MAX_CLOUD_PORTS = 32

/** A name that Linux accepts for a network device: 1 to 15 characters, which begin no option. */
export const DEVICE_NAME = /^(?!\.{1,2}$)[A-Za-z0-9_.][A-Za-z0-9_.-]{0,14}$/

export const isDeviceName = (name: string): boolean => DEVICE_NAME.test(name)

/** What a host can set of a cloud. */
export const cloudSettings = v.object({
  ports: v.optional(
    v.pipe(
      v.array(
        v.object({
          port: wholeWithin(...cloudBounds.port),
          device: v.pipe(v.string(), v.check(isDeviceName, 'must be the name of a network device')),
        }),
      ),
      v.maxLength(MAX_CLOUD_PORTS, `must have at most ${MAX_CLOUD_PORTS} items`),
      v.check((ports) => new Set(ports.map(({ port }) => port)).size === ports.length, 'must have each port once'),
      v.check(
        (ports) => new Set(ports.map(({ device }) => device)).size === ports.length,
        'must have each device once',
      ),
    ),
  ),
})

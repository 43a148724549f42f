import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** A network device of the host, as `/sys/class/net` describes it. */
export interface DeviceFacts {
  readonly kind: 'tap' | 'bridge' | 'interface'
  /** The number of the interface. */
  readonly index: number
  readonly isUp: boolean
}

const DEVICES = '/sys/class/net'
const [IS_UP, IS_TAP] = [0x1, 0x2]

/** Describes a device. `undefined` where it does not exist. The name must be one that a device can have. */
export async function deviceFacts(name: string): Promise<DeviceFacts | undefined> {
  const read = (file: string) => readFile(join(DEVICES, name, file), 'utf8').catch(() => undefined)
  const [index, flags, tunFlags] = await Promise.all(['ifindex', 'flags', 'tun_flags'].map(read))
  if (index === undefined) return undefined
  const isBridge = await stat(join(DEVICES, name, 'bridge')).then(
    () => true,
    () => false,
  )
  const isTap = (Number(tunFlags ?? 0) & IS_TAP) !== 0
  return {
    kind: isTap ? 'tap' : isBridge ? 'bridge' : 'interface',
    index: Number(index),
    isUp: (Number(flags ?? 0) & IS_UP) !== 0,
  }
}

import { createHash } from 'node:crypto'

/**
 * The address of an adapter: locally administered, the same at every start. Four bytes are a hash of the instance's id,
 * so that collisions are improbable with thousands of instances. The last byte is the number of the adapter.
 */
export function macAddress(instanceId: string, adapter: number): string {
  const digest = createHash('sha256').update(instanceId.toLowerCase()).digest()
  return [0x0e, ...digest.subarray(0, 4), adapter].map((byte) => byte.toString(16).padStart(2, '0')).join(':')
}

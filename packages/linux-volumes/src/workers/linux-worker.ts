import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { Worker } from '@trivium/storage-core/ports'
import { hasCode } from '../files/error-code.ts'

/**
 * Creates the worker of this process. It detects whether another process of the same machine, boot and process
 * namespace has ended: its process id is free, or belongs to a zombie or to a process with another start time. For
 * processes on other machines or in other containers, and where `/proc` is not that of this process, `hasEnded` is
 * always `false`.
 *
 * Not for machines that were resumed from the same snapshot of a running machine and share a store, since they cannot
 * be distinguished.
 */
export function linuxWorker(): Worker {
  const namespaceId = readNamespaceId()
  const started = namespaceId && startOf(process.pid)
  if (namespaceId === undefined || started === undefined) return { id: randomUUID(), hasEnded: async () => false }
  return {
    id: `linux/${namespaceId}/${process.pid}/${started}/${randomUUID()}`,
    hasEnded: async (id) => {
      const [, otherNamespaceId, pid, otherStart] =
        /^linux\/([0-9a-f]{64})\/([1-9]\d{0,9})\/(\d+)\/[0-9a-f-]{36}$/.exec(id) ?? []
      if (otherNamespaceId !== namespaceId) return false
      if (!processExists(Number(pid))) return true
      const stat = await readStat(Number(pid))
      if (stat === undefined) return false
      const now = startIn(stat)
      return isZombie(stat) || (now !== undefined && now !== otherStart)
    },
  }
}

/** A digest of the namespace of process ids. Equal digests mean the same namespace. Different ones prove nothing. */
function readNamespaceId(): string | undefined {
  try {
    // A `/proc` of another namespace has other process ids.
    if (readlinkSync('/proc/self') !== String(process.pid)) return undefined
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    if (!/^[0-9a-f-]{36}$/.test(boot)) return undefined
    const parts = [boot, readlinkSync('/proc/self/ns/pid'), timeNamespace(), hostname(), ...networkDevices()]
    return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}

/** The time namespace, on which start times depend. Kernels before 5.6 do not have it. */
function timeNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/time')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return ''
    throw error
  }
}

/** The addresses of hardware devices. Bridges and tunnels are left out, since they change while the machine runs. */
function networkDevices(): readonly string[] {
  return orEmpty(() => readdirSync('/sys/class/net'))
    .toSorted()
    .flatMap((name) => {
      const [device] = orEmpty(() => [readlinkSync(`/sys/class/net/${name}/device`)])
      return device === undefined ? [] : orEmpty(() => [readFileSync(`/sys/class/net/${name}/address`, 'utf8').trim()])
    })
}

function orEmpty(read: () => readonly string[]): readonly string[] {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !hasCode(error, 'ESRCH')
  }
}

function startOf(pid: number): string | undefined {
  return startIn(orEmpty(() => [readFileSync(`/proc/${pid}/stat`, 'utf8')])[0])
}

/** The state of a process. `undefined` where it has ended or this process lacks the permission. */
async function readStat(pid: number): Promise<string | undefined> {
  try {
    return await readFile(`/proc/${pid}/stat`, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}

/**
 * The fields of `proc_pid_stat(5)` from the third on. The name in field 2 can contain any character.
 *
 * @returns an empty list where there is no text
 */
const fieldsIn = (stat: string | undefined): readonly string[] =>
  stat === undefined ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ')

/** Parses the start in ticks since the boot, field 22. */
function startIn(stat: string | undefined): string | undefined {
  const start = fieldsIn(stat)[19]
  return start !== undefined && /^\d+$/.test(start) ? start : undefined
}

/** Whether the process has ended and its parent has not noticed. Field 20: no other thread of it may still run. */
function isZombie(stat: string): boolean {
  const fields = fieldsIn(stat)
  return fields[0] === 'Z' && Number(fields[17]) <= 1
}

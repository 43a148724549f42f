import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { constants } from 'node:os'
import { isVolumeRefusal, type LimitTarget, type VolumeBackend } from '@trivium/storage-core/ports'
import { openLinuxVolume } from '../../src/index.ts'

// Runs inside the guest, whose kernel has quotas. Prints one line of findings for each file system.

const MiB = 2 ** 20
const signal = new AbortController().signal
const tree: LimitTarget = { kind: 'tree', qtree: 'qt1' }
const alice: LimitTarget = { kind: 'users', users: [{ name: 'alice' }] }
const staff: LimitTarget = { kind: 'group', group: { name: 'staff' } }

/** Appends to a file as a user until the kernel refuses. @returns the written MiB */
function fill(path: string, uid: number, gid: number, maximum = 40): number {
  const block = Buffer.alloc(MiB, 1)
  let written = 0
  asUser(uid, gid, () => {
    const file = openSync(path, 'a')
    try {
      for (; written < maximum * MiB; fsyncSync(file)) written += writeSync(file, block)
    } finally {
      closeSync(file)
    }
  })
  return written / MiB
}

/** Creates up to 50 empty files as a user, until the kernel refuses. @returns the number of created files */
function makeFiles(directory: string, uid: number, gid: number): number {
  let made = 0
  asUser(uid, gid, () => {
    for (; made < 50; made += 1) writeFileSync(`${directory}/file-${made}`, '')
  })
  return made
}

/** Runs `work` with the permissions of a user, until it ends or a quota refuses it. */
function asUser(uid: number, gid: number, work: () => void): void {
  process.setegid?.(gid)
  process.seteuid?.(uid)
  try {
    work()
  } catch (error) {
    if (!isQuotaRefusal(error)) throw error
  } finally {
    process.seteuid?.(0)
    process.setegid?.(0)
  }
}

/** A tree of xfs reports ENOSPC. All others report EDQUOT, for which Node has no name. */
function isQuotaRefusal(error: unknown): boolean {
  if (!(error instanceof Error && 'errno' in error)) return false
  return error.errno === -constants.errno.EDQUOT || error.errno === -constants.errno.ENOSPC
}

async function scenario(directory: string): Promise<Record<string, unknown>> {
  const volume = await openLinuxVolume({ directory })
  const open = `${directory}/open`
  mkdirSync(open)
  chmodSync(open, 0o777)
  await volume.createQtree('qt1', { unixPermissions: 777 })
  await volume.createQtree('qt2', { unixPermissions: 777 })
  await volume.enableQuota(
    [
      { target: tree, limits: { spaceHard: 10 * MiB } },
      { target: { kind: 'tree', qtree: 'qt2' }, limits: { filesHard: 20 } },
      { target: alice, limits: { spaceHard: 30 * MiB } },
      { target: staff, limits: { filesHard: 8 } },
    ],
    { signal },
  )
  const findings: Record<string, unknown> = { qtrees: await volume.listQtrees() }
  findings.tree = fill(`${directory}/qt1/data`, 1000, 1000)
  await volume.changeLimits({ clear: [], set: [{ target: tree, limits: { spaceHard: 20 * MiB } }] })
  findings.treeResized = fill(`${directory}/qt1/more`, 1000, 1000)
  findings.treeFiles = makeFiles(`${directory}/qt2`, 1001, 1001)
  findings.user = fill(`${open}/data`, 1000, 1000)
  findings.groupFiles = makeFiles(open, 1001, 50)
  findings.usage = (await volume.usage()).map(({ target, space, files }) => ({
    target,
    space: Math.round(space / MiB),
    files,
  }))
  findings.root = await limitRoot(volume)
  findings.besideRoot = fill(`${open}/beside-root`, 1003, 1003)
  findings.everyUser = await everyUser(volume, directory)
  const idle: LimitTarget = { kind: 'users', users: [{ id: '1006' }] }
  await volume.changeLimits({ clear: [], set: [{ target: idle, limits: { spaceHard: 2 * MiB } }] })
  await volume.disableQuota()
  findings.off = fill(`${directory}/qt1/off`, 1001, 1001)
  findings.offForIdle = fill(`${open}/idle`, 1006, 1006)
  findings.large = await large(volume)
  findings.exceeded = await exceeded(volume, directory).catch((error: unknown) => String(error))
  return findings
}

/**
 * @returns the MiB that users could write under a default limit, raised and removed, and under limits of another
 * process
 */
async function everyUser(volume: VolumeBackend, directory: string): Promise<unknown> {
  const open = `${directory}/open`
  const target: LimitTarget = { kind: 'every-user' }
  const other: LimitTarget = { kind: 'users', users: [{ id: '1004' }] }
  const limit = (spaceHard: number) => ({ clear: [], set: [{ target, limits: { spaceHard } }] })
  try {
    await volume.changeLimits(limit(2 * MiB))
    const otherVolume = await openLinuxVolume({ directory })
    await otherVolume.changeLimits({ clear: [], set: [{ target: other, limits: { spaceHard: 2 * MiB } }] })
    const first = fill(`${open}/everyone`, 1002, 1002)
    await volume.changeLimits(limit(6 * MiB))
    const raised = fill(`${open}/everyone`, 1002, 1002)
    const own = fill(`${open}/other`, 1004, 1004)
    const counted: LimitTarget = { kind: 'users', users: [{ id: '1005' }] }
    await volume.changeLimits({ clear: [], set: [{ target: counted, limits: {} }] })
    const unlimited = fill(`${open}/counted`, 1005, 1005)
    await volume.changeLimits({ clear: [counted], set: [] })
    const again = fill(`${open}/counted`, 1005, 1005)
    await volume.changeLimits({ clear: [target], set: [] })
    return { first, raised, own, unlimited, again, cleared: fill(`${open}/everyone`, 1002, 1002) }
  } catch (error) {
    return isVolumeRefusal(error) ? error.reason : String(error)
  }
}

/**
 * @returns the MiB that alice could write in a qtree above its limit, hers and her group's, and after quotas were off
 */
async function exceeded(volume: VolumeBackend, directory: string): Promise<unknown> {
  const path = `${directory}/qt3`
  const limits = (spaceHard: number) => [
    { target: { kind: 'tree', qtree: 'qt3' } as const, limits: { spaceHard } },
    { target: alice, limits: { spaceHard } },
    { target: { kind: 'group', group: { id: '1000' } } as const, limits: { spaceHard } },
  ]
  await volume.createQtree('qt3', { unixPermissions: 777 })
  await volume.enableQuota([], { signal })
  fill(`${path}/data`, 1000, 1000, 10)
  for (const megabytes of [8, 4, 6]) await volume.changeLimits({ clear: [], set: limits(megabytes * MiB) })
  const above = fill(`${path}/above`, 1000, 1000, 10)
  await volume.changeQtree('qt3', { unixPermissions: 700 })
  await volume.createQtree('qt3', { unixPermissions: 777 })
  await volume.disableQuota()
  const off = fill(`${path}/off`, 1000, 1000, 10)
  await volume.enableQuota(limits(4 * MiB), { signal })
  const on = fill(`${path}/on`, 1000, 1000, 10)
  await volume.changeLimits({ clear: limits(0).map(({ target }) => target), set: [] })
  const cleared = fill(`${path}/cleared`, 1000, 1000, 10)
  await volume.changeLimits({ clear: [], set: limits(4 * MiB) })
  await volume.renameQtree('qt3', 'qt4')
  await volume.removeQtree('qt4')
  await volume.disableQuota()
  return { above, off, on, cleared, left: (await volume.listQtrees()).includes('qt4') }
}

/** @returns whether the largest limits are held exactly, and which limits are unsupported */
async function large(volume: VolumeBackend): Promise<unknown> {
  const limit = (spaceHard: bigint, filesHard: bigint) => ({ target: tree, limits: { spaceHard, filesHard } })
  const [space, files] = [8191n * 2n ** 50n, 2n ** 63n - 2n]
  const set = limit(space, files)
  await volume.enableQuota([set], { signal })
  const isLost = async (one: typeof set) => {
    const condition = await volume.inspect({ qtrees: ['qt1'], limits: [one] })
    return condition.state === 'online' ? condition.lost.length > 0 : condition.state
  }
  const lost = [await isLost(set), await isLost(limit(space - 65_536n, files)), await isLost(limit(space, files - 1n))]
  const unsupported = await volume.unsupported([
    limit(2n ** 53n + 1n, files),
    limit(2n ** 63n - 1n, files),
    limit(space, files + 1n),
  ])
  await volume.disableQuota()
  return { lost, unsupported: unsupported.map(({ limits }) => limits) }
}

async function limitRoot(volume: VolumeBackend): Promise<unknown> {
  const root: LimitTarget = { kind: 'users', users: [{ name: 'root' }] }
  try {
    await volume.changeLimits({ clear: [], set: [{ target: root, limits: { spaceHard: 2 * MiB } }] })
    return 'limited'
  } catch (error) {
    return isVolumeRefusal(error) ? error.reason : String(error)
  }
}

// Without root's groups, which would remain after `setegid`.
process.setgroups?.([])
for (const name of ['ext4', 'xfs']) {
  const findings = await scenario(`/mnt/${name}`).catch((error: unknown) => ({ error: String(error) }))
  console.log(`FINDINGS ${name} ${JSON.stringify(findings)}`)
}

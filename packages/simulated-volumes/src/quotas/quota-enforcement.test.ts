import { type EnforcedLimit, isVolumeRefusal, type QuotaNotice } from '@trivium/storage-core/ports'
import { expect, it } from 'vitest'
import { simulatedVolume } from '../simulated-volume.ts'

const MiB = 2 ** 20

async function limited(...limits: readonly EnforcedLimit[]) {
  const volume = simulatedVolume({ users: { sam: 1001, ann: 1002 }, groups: { staff: 50 } })
  await volume.createQtree('qt1', { unixPermissions: 777 })
  await volume.enableQuota(limits, { signal: new AbortController().signal })
  const notices: QuotaNotice[] = []
  volume.watchQuota?.((notice) => notices.push(notice))
  const write = (path: string, size: number, user = 'sam', group = 'staff'): string => {
    try {
      volume.files.write(path, { size, user, group })
      return 'written'
    } catch (error) {
      if (isVolumeRefusal(error)) return error.message
      throw error
    }
  }
  return { volume, write, notices }
}

const limits = { spaceHard: 4 * MiB }
const tree: EnforcedLimit = { target: { kind: 'tree', qtree: 'qt1' }, limits }
const user: EnforcedLimit = { target: { kind: 'users', users: [{ name: 'sam' }] }, limits }
const group: EnforcedLimit = { target: { kind: 'group', group: { name: 'staff' } }, limits }
const userInQtree: EnforcedLimit = { target: { kind: 'users', users: [{ id: '1001' }], qtree: 'qt1' }, limits }
const groupInQtree: EnforcedLimit = { target: { kind: 'group', group: { id: '50' }, qtree: 'qt1' }, limits }

it('checks the limits of the qtree, the user, the group, and of both in the qtree, in that order', async () => {
  const order = [tree, user, group, userInQtree, groupInQtree]
  for (const [index, first] of order.entries()) {
    const { write, notices } = await limited(...order.slice(index))
    expect(write('qt1/f', 8 * MiB)).toMatch(/^The space limit of 4194304 bytes of .* is reached \(0 used\)$/)
    expect(notices).toMatchObject([{ type: 'hard-limit-exceeded', target: first.target, limit: 'spaceHard', used: 0 }])
  }
})

it('exempts root from the quotas of users and groups, not from those of qtrees', async () => {
  const userAndGroupLimits: readonly EnforcedLimit[] = [
    { target: { kind: 'every-user' }, limits },
    { target: { kind: 'every-group' }, limits },
    { target: { kind: 'users', users: [{ name: 'root' }] }, limits },
  ]
  const { write } = await limited(...userAndGroupLimits)
  expect(write('qt1/f', 8 * MiB, 'root', 'root')).toBe('written')
  const other = await limited(tree)
  expect(other.write('qt1/f', 8 * MiB, 'root', 'root')).toContain('qtree qt1')
})

it('prefers the limit of a user to the limit of every user', async () => {
  const { write } = await limited({ target: { kind: 'every-user' }, limits: { spaceHard: MiB } }, user)
  expect(write('qt1/f', 3 * MiB, 'sam')).toBe('written')
  expect(write('qt1/g', 3 * MiB, 'ann')).toContain('user ann')
})

it('adds up the usage of the users of one rule', async () => {
  const { write, volume } = await limited({
    target: { kind: 'users', users: [{ name: 'sam' }, { name: 'ann' }] },
    limits,
  })
  expect(write('a', 3 * MiB, 'sam')).toBe('written')
  expect(write('b', 2 * MiB, 'ann')).toContain('users sam, ann')
  volume.files.remove('a')
  expect(write('b', 2 * MiB, 'ann')).toBe('written')
})

it('reports a soft limit once when it is passed and once when usage falls below it, and refuses nothing', async () => {
  const soft = { spaceSoft: 2 * MiB, filesSoft: 100 }
  const { write, notices, volume } = await limited({ target: { kind: 'every-user' }, limits: soft })
  for (const path of ['a', 'b', 'c']) expect(write(path, 1.5 * MiB)).toBe('written')
  const sam = { id: '1001', name: 'sam' }
  const expectedNotice = { target: { kind: 'every-user' }, principal: sam, limit: 'spaceSoft', allowed: 2 * MiB }
  expect(notices).toEqual([{ type: 'soft-limit-exceeded', ...expectedNotice, used: 3 * MiB }])
  volume.files.remove('a')
  expect(notices).toHaveLength(1)
  volume.files.remove('b')
  expect(notices.slice(1)).toEqual([{ type: 'soft-limit-normal', ...expectedNotice, used: 1.5 * MiB }])
})

it('counts files and directories against a file limit', async () => {
  const { volume, write } = await limited({ target: { kind: 'tree', qtree: 'qt1' }, limits: { filesHard: 3 } })
  volume.files.makeDirectory('qt1/d', { user: 'sam' })
  expect(write('qt1/d/f', 1)).toBe('written')
  expect(write('qt1/g', 1)).toBe('The file limit of 3 files of qtree qt1 is reached (3 used)')
  expect(await volume.file('qt1/g')).toBeUndefined()
})

it('allows a clone that exceeds its quota, and counts it in full', async () => {
  const { volume, write } = await limited(tree)
  expect(write('qt1/f', 3 * MiB)).toBe('written')
  await volume.cloneFile({ id: crypto.randomUUID(), source: 'qt1/f', destination: 'qt1/g', overwrite: false })
  const usage = (await volume.usage()).find(({ target }) => target.kind === 'tree')
  expect(usage?.space).toBe(6 * MiB)
  expect((await volume.space()).used).toBe(3 * MiB)
  expect(write('qt1/h', MiB)).toContain('qtree qt1')
})

it('moves the charge when a file is moved or gets another owner', async () => {
  const { volume, write } = await limited(tree, user)
  expect(write('f', 3 * MiB)).toBe('written')
  volume.files.rename('f', 'qt1/f')
  volume.files.changeOwner('qt1/f', { user: 'ann', group: 'staff' })
  expect(write('qt1/g', 2 * MiB)).toContain('qtree qt1')
  expect(write('g', 3 * MiB)).toBe('written')
})

it('refuses writes and splits that exceed the size of the volume', async () => {
  const volume = simulatedVolume({ size: 8 * MiB })
  volume.files.write('f', { size: 6 * MiB })
  expect(() => volume.files.write('g', { size: 3 * MiB })).toThrow('The volume is full')
  const { identity } = await volume.cloneFile({
    id: crypto.randomUUID(),
    source: 'f',
    destination: 'c',
    overwrite: false,
  })
  const slice = { position: 0, maximum: 4 * MiB, signal: new AbortController().signal }
  await expect(volume.unshare({ path: 'c', identity }, slice)).rejects.toMatchObject({ reason: 'no-space' })
})

import { stat } from 'node:fs/promises'
import { type EnforcedLimit, type LimitTarget, type QuotaUsage, VolumeRefusal } from '@trivium/storage-core/ports'
import { countOwners } from '../owners/count-owners.ts'
import { ownerUsage } from '../owners/owner-usage.ts'
import { btrfs } from '../programs/programs.ts'
import { ProgramFailure, type RunProgram } from '../programs/run-program.ts'
import { UnexpectedOutput } from '../programs/unexpected-output.ts'
import { wholeNumber } from '../programs/whole-number.ts'
import type { QtreeDirectories } from '../qtrees/qtree-directories.ts'
import type { QuotaControl } from '../quota-control.ts'
import { parseQgroups, type Qgroup } from './qgroups.ts'
import { parseSubvolumes, withNested } from './subvolumes.ts'

/** The inode number of every subvolume's root: BTRFS_FIRST_FREE_OBJECTID. */
const SUBVOLUME_INODE = 256

const RESCAN_TIMEOUT_MS = 60 * 60_000

/**
 * Qtrees are subvolumes, limited by their quota groups on what they refer to. A clone inside one qtree costs nothing
 * there, and metadata counts. Users, groups and numbers of files can be counted, by walking, but not limited.
 */
export function btrfsQuotaControl(root: string, directories: QtreeDirectories, run: RunProgram): QuotaControl {
  const qgroups = async (): Promise<ReadonlyMap<number, Qgroup>> => {
    try {
      const groups = parseQgroups(await run(btrfs, ['qgroup', 'show', '-re', '--raw', root]))
      return new Map(groups.map((group) => [group.subvolumeId, group]))
    } catch (error) {
      if (error instanceof ProgramFailure && /quota.* not enabled/i.test(error.errorText)) return new Map()
      throw error
    }
  }
  const subvolumeId = async (directory: string): Promise<number> => {
    const output = (await run(btrfs, ['inspect-internal', 'rootid', directory])).trim()
    const id = wholeNumber(output)
    if (id === undefined) throw new UnexpectedOutput('btrfs', output)
    return id
  }
  /** @returns `undefined` where no qtree has that name */
  const holdQtree = <Result>(name: string, use: (directory: string) => Promise<Result>) =>
    directories.hold(name, async (directory) => ((await control.isQtree(directory)) ? use(directory) : undefined))
  const limit = (directory: string, bytes: number | undefined) =>
    run(btrfs, ['qgroup', 'limit', bytes === undefined ? 'none' : String(bytes), directory])
  const control: QuotaControl = {
    usersPerQtree: false,
    unsupported: ({ target, limits }) => {
      if (target.kind === 'tree') {
        return limits.filesHard === undefined
          ? undefined
          : { target, limits: ['filesHard'], reason: 'btrfs can not limit numbers of files' }
      }
      const reason = 'btrfs can limit qtrees only, not users or groups'
      return isTracking({ target, limits }) && target.qtree === undefined ? undefined : { target, limits: [], reason }
    },
    async prepare() {
      if ((await qgroups()).size > 0) return
      await run(btrfs, ['quota', 'enable', root])
      await run(btrfs, ['quota', 'rescan', '-w', root], { timeoutMs: RESCAN_TIMEOUT_MS })
    },
    async enforced(qtrees) {
      const groups = await qgroups()
      const limited: LimitTarget[] = []
      for (const qtree of qtrees) {
        const group = groups.get((await holdQtree(qtree, subvolumeId)) ?? 0)
        if (group?.maxReferencedBytes !== undefined) limited.push({ kind: 'tree', qtree })
      }
      return limited
    },
    async set({ target, limits }) {
      if (target.kind !== 'tree') return
      const done = await holdQtree(target.qtree, (directory) => limit(directory, limits.spaceHard))
      if (done === undefined) throw new VolumeRefusal('not-found', `There is no qtree '${target.qtree}'`)
    },
    async clear(target) {
      if (target.kind === 'tree') await holdQtree(target.qtree, (directory) => limit(directory, undefined))
    },
    async settle() {
      await run(btrfs, ['filesystem', 'sync', root])
    },
    async usage(qtrees) {
      const groups = await qgroups()
      const counts = [await countOwners(root, run)]
      const usage: QuotaUsage[] = []
      for (const qtree of qtrees) {
        await holdQtree(qtree, async (directory) => {
          const owners = await countOwners(directory, run)
          const group = groups.get(await subvolumeId(directory))
          counts.push(owners)
          usage.push({
            target: { kind: 'tree', qtree },
            space: group?.referencedBytes ?? owners.all.space,
            files: owners.all.files,
          })
        })
      }
      return [...usage, ...(await ownerUsage(counts, run))]
    },
    isQtree: async (directory) => (await stat(directory)).ino === SUBVOLUME_INODE,
    async createQtree(name) {
      await run(btrfs, ['subvolume', 'create', '--', directories.place(name)])
    },
    async removeQtree(_name, directory) {
      // By their ids: a path would be followed to wherever a link in its place leads.
      const nested = parseSubvolumes(await run(btrfs, ['subvolume', 'list', root]))
      for (const id of withNested(await subvolumeId(directory), nested)) {
        await run(btrfs, ['subvolume', 'delete', '--commit-after', '--subvolid', String(id), root])
        await run(btrfs, ['qgroup', 'destroy', `0/${id}`, root]).catch((error: unknown) => {
          // Without quotas there is no group, and later kernels take it away themselves.
          if (!(error instanceof ProgramFailure)) throw error
        })
      }
    },
  }
  return control
}

const isTracking = ({ limits }: EnforcedLimit): boolean =>
  limits.spaceHard === undefined && limits.filesHard === undefined

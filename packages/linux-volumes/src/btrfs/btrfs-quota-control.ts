import type { BigIntStats } from 'node:fs'
import { chmod } from 'node:fs/promises'
import type { EnforcedLimit, LimitTarget, QuotaUsage } from '@trivium/storage-core/ports'
import { hasCode } from '../files/error-code.ts'
import { countOwners } from '../owners/count-owners.ts'
import { ownerUsage } from '../owners/owner-usage.ts'
import { btrfs } from '../programs/programs.ts'
import { ProgramFailure, type RunProgram } from '../programs/run-program.ts'
import type { QtreeDirectories } from '../qtrees/qtree-directories.ts'
import type { QuotaControl } from '../quota-control.ts'
import { isQuotaExceeded } from '../refusals.ts'
import { type Qgroup, type QgroupTable, showQgroup, showQgroups } from './qgroups.ts'
import { subvolumeIds, subvolumeStatus } from './subvolume-ids.ts'
import { nestedSubvolumes } from './subvolumes.ts'

/** Bytes, more than a change of a directory's own metadata takes. */
const METADATA_ROOM = 2 ** 20

const RESCAN_TIMEOUT_MS = 60 * 60_000

/**
 * Quotas of btrfs. Qtrees are subvolumes, whose quota groups limit the bytes that they refer to. A clone inside one
 * qtree adds no bytes to it, while metadata counts. Users, groups and numbers of files are counted by a walk, but not
 * limited.
 */
export function btrfsQuotaControl(root: string, directories: QtreeDirectories, run: RunProgram): QuotaControl {
  const qgroups = async (): Promise<QgroupTable> => {
    try {
      return await showQgroups(run, root)
    } catch (error) {
      const isOff = error instanceof ProgramFailure && /quota.* not enabled/i.test(error.errorText)
      if (isOff) return { groups: new Map(), doubtful: new Set() }
      throw error
    }
  }
  const groupOf = async (id: number, directory: string, table: QgroupTable): Promise<Qgroup | undefined> =>
    table.doubtful.has(id) ? showQgroup(run, directory) : table.groups.get(id)
  const ids = subvolumeIds(run)
  /** Holds a qtree open. @returns `undefined` where no qtree has that name */
  const holdQtree = <Result>(name: string, use: (directory: string) => Promise<Result>) =>
    directories.hold(name, async (directory) => ((await control.isQtree(directory)) ? use(directory) : undefined))
  /**
   * Limits a subvolume by its id. The kernel charges this write to the subvolume of the path in the command, and
   * refuses it where that subvolume is above its limit. So the volume's path is tried first, then the directory.
   */
  const limitSubvolume = async (id: number, bytes: number | undefined, directory: string): Promise<void> => {
    const limitBy = (path: string) =>
      run(btrfs, ['qgroup', 'limit', bytes === undefined ? 'none' : String(bytes), `0/${id}`, path])
    try {
      await limitBy(root)
    } catch (error) {
      if (!isQuotaExceeded(error)) throw error
      await limitBy(directory)
    }
  }
  /** Limits a qtree. No effect where no qtree has that name. */
  const limitQtree = async (name: string, bytes: number | undefined): Promise<void> => {
    await holdQtree(name, async (directory) => limitSubvolume(await ids.ask(directory), bytes, directory))
  }
  const statusOf = async (qtree: string): Promise<BigIntStats | undefined> => {
    try {
      return await subvolumeStatus(directories.place(qtree))
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined
      throw error
    }
  }
  const control: QuotaControl = {
    usersPerQtree: false,
    unsupported: ({ target, limits }) => {
      if (target.kind === 'tree') {
        return limits.filesHard === undefined
          ? undefined
          : { target, limits: ['filesHard'], reason: 'btrfs cannot limit numbers of files' }
      }
      const reason = 'btrfs can limit only qtrees, not users or groups'
      return isTracking({ target, limits }) && target.qtree === undefined ? undefined : { target, limits: [], reason }
    },
    async prepare() {
      if ((await qgroups()).groups.size > 0) return
      await run(btrfs, ['quota', 'enable', root])
      await run(btrfs, ['quota', 'rescan', '-w', root], { timeoutMs: RESCAN_TIMEOUT_MS })
    },
    async enforced(qtrees) {
      const table = await qgroups()
      const limited: LimitTarget[] = []
      for (const qtree of qtrees) {
        const group = await holdQtree(qtree, async (directory) =>
          groupOf(await ids.find(directory, table.groups), directory, table),
        )
        if (group?.maxReferencedBytes !== undefined) limited.push({ kind: 'tree', qtree })
      }
      return limited
    },
    async set({ target, limits }) {
      if (target.kind === 'tree') await limitQtree(target.qtree, limits.spaceHard)
    },
    async clear(target) {
      if (target.kind === 'tree') await limitQtree(target.qtree, undefined)
    },
    async inspect({ qtrees, limits }) {
      const statuses = new Map<string, BigIntStats>()
      for (const qtree of qtrees) {
        const status = await statusOf(qtree)
        if (status) statuses.set(qtree, status)
      }
      const missing = qtrees.filter((qtree) => !statuses.has(qtree))
      if (limits.length === 0) return { enforces: true, missing, lost: [] }
      const table = await qgroups()
      const enforces = table.groups.size > 0
      const isEnforced = async ({ target, limits: { spaceHard } }: EnforcedLimit): Promise<boolean> => {
        const status = statuses.get(target.qtree ?? '')
        if (target.kind !== 'tree' || !status) return true
        if (!enforces) return false
        const id = ids.recall(status, table.groups) ?? (await holdQtree(target.qtree, ids.ask))
        if (id === undefined) return true
        if (!table.doubtful.has(id)) return table.groups.get(id)?.maxReferencedBytes === spaceHard
        const group = await holdQtree(target.qtree, (directory) => showQgroup(run, directory))
        return group === undefined || group.maxReferencedBytes === spaceHard
      }
      const lost: EnforcedLimit[] = []
      for (const limit of limits) if (!(await isEnforced(limit))) lost.push(limit)
      return { enforces, missing, lost }
    },
    async settle() {
      await run(btrfs, ['filesystem', 'sync', root])
    },
    async usage(qtrees) {
      const table = await qgroups()
      const counts = [await countOwners(root, run)]
      const usage: QuotaUsage[] = []
      for (const qtree of qtrees) {
        await holdQtree(qtree, async (directory) => {
          const owners = await countOwners(directory, run)
          const group = await groupOf(await ids.find(directory, table.groups), directory, table)
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
    isQtree: async (directory) => (await subvolumeStatus(directory)) !== undefined,
    async createQtree(name) {
      await run(btrfs, ['subvolume', 'create', '--', directories.place(name)])
    },
    async changePermissions(directory, mode) {
      try {
        await chmod(directory, mode)
      } catch (error) {
        if (!isQuotaExceeded(error)) throw error
        await control.settle()
        const id = await ids.ask(directory)
        const { referencedBytes, maxReferencedBytes } = (await groupOf(id, directory, await qgroups())) ?? {}
        if (referencedBytes === undefined || maxReferencedBytes === undefined) throw error
        await limitSubvolume(id, referencedBytes + METADATA_ROOM, directory)
        try {
          await chmod(directory, mode)
        } finally {
          await limitSubvolume(id, maxReferencedBytes, directory)
        }
      }
    },
    async removeQtree(_name, directory) {
      // By ids, since a path could lead to another place through a link.
      const own = await ids.ask(directory)
      const idsToDelete = [...(await nestedSubvolumes(run, root, own)), own]
      const { groups, doubtful } = await qgroups()
      // Subvolumes inside one that is above its limit cannot be deleted.
      for (const id of idsToDelete) {
        const isLimited = doubtful.has(id) || groups.get(id)?.maxReferencedBytes !== undefined
        if (isLimited) await limitSubvolume(id, undefined, directory)
      }
      for (const id of idsToDelete) {
        await run(btrfs, ['subvolume', 'delete', '--commit-after', '--subvolid', String(id), root])
        await run(btrfs, ['qgroup', 'destroy', `0/${id}`, root]).catch((error: unknown) => {
          // Without quotas there is no group, and later kernels remove it themselves.
          if (!(error instanceof ProgramFailure)) throw error
        })
      }
    },
  }
  return control
}

const isTracking = ({ limits }: EnforcedLimit): boolean =>
  limits.spaceHard === undefined && limits.filesHard === undefined

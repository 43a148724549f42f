import { chmod } from 'node:fs/promises'
import type { EnforcedLimit, ExpectedVolume, LimitTarget, QuotaUsage, Size } from '@trivium/storage-core/ports'
import { findMount, type Mount } from '../mounts/mount-info.ts'
import { countOwners } from '../owners/count-owners.ts'
import { countQtrees } from '../owners/count-qtrees.ts'
import { ownerUsage } from '../owners/owner-usage.ts'
import { btrfs } from '../programs/programs.ts'
import { ProgramFailure, type RunProgram } from '../programs/run-program.ts'
import type { QtreeDirectories } from '../qtrees/qtree-directories.ts'
import type { QuotaCondition, QuotaControl } from '../quota-control.ts'
import { isQuotaExceeded, quotaExceeded } from '../refusals.ts'
import { readGeneration } from './generation.ts'
import { limitArguments, limitSubvolumes, type SubvolumeLimit } from './limit-subvolumes.ts'
import { type Qgroup, type QgroupTable, showQgroup, showQgroups } from './qgroups.ts'
import { qtreeSubvolumes } from './qtree-subvolumes.ts'
import { subvolumeStatus } from './subvolume-ids.ts'
import { nestedSubvolumes } from './subvolumes.ts'
import { unchangedResults } from './unchanged-results.ts'

/** Bytes, more than a change of a directory's own metadata takes. */
const METADATA_ROOM = 2 ** 20

const RESCAN_TIMEOUT_MS = 60 * 60_000

/** The interval at which btrfs ends a transaction, where the mount option `commit` sets no other. */
const COMMIT_SECONDS = 30

/** Up to so many limits are set one by one. */
const FEW = 4

/** Maximum number of limits that one program sets, between two reports of progress. */
const LIMIT_BATCH = 250

interface QtreeLimit extends SubvolumeLimit {
  readonly qtree: string
}

/**
 * Quotas of btrfs. Qtrees are subvolumes, whose quota groups limit the bytes that they refer to. A clone inside one
 * qtree adds no bytes to it, while metadata counts. Users, groups and numbers of files are counted by a walk, but not
 * limited.
 */
export function btrfsQuotaControl(
  root: string,
  directories: QtreeDirectories,
  mount: Mount,
  run: RunProgram,
): QuotaControl {
  const qgroups = async (): Promise<QgroupTable> => {
    try {
      return await showQgroups(run, root)
    } catch (error) {
      const isOff = error instanceof ProgramFailure && /quota.* not enabled/i.test(error.errorText)
      if (isOff) return { groups: new Map(), doubtful: new Set() }
      throw error
    }
  }
  const subvolumes = qtreeSubvolumes(root, directories, run)
  const groupOf = async (id: number, directory: string, table: QgroupTable): Promise<Qgroup | undefined> =>
    table.doubtful.has(id) ? showQgroup(run, directory) : table.groups.get(id)
  /** The groups of qtrees. Of those that do not exist or have no group, none. */
  const groupsOf = async (
    ids: ReadonlyMap<string, number>,
    table: QgroupTable,
  ): Promise<ReadonlyMap<string, Qgroup>> => {
    const groups = new Map<string, Qgroup>()
    for (const [name, id] of ids) {
      const group = table.doubtful.has(id)
        ? await subvolumes.hold(name, (directory) => showQgroup(run, directory))
        : table.groups.get(id)
      if (group) groups.set(name, group)
    }
    return groups
  }
  const idsOf = async (qtrees: readonly string[], { groups }: QgroupTable) =>
    subvolumes.ids(await subvolumes.statuses(qtrees), groups)
  /**
   * Limits a subvolume. The kernel charges this write to the subvolume of the path in the command, and refuses it where
   * that subvolume is above its limit. So the volume's path is tried first, then the directory.
   */
  const limitSubvolume = async (limit: SubvolumeLimit, directory: string): Promise<void> => {
    try {
      await run(btrfs, limitArguments(limit, root))
    } catch (error) {
      if (!isQuotaExceeded(error)) throw error
      await run(btrfs, limitArguments(limit, directory))
    }
  }
  /** Limits a qtree. No effect where no qtree has that name. */
  const limitQtree = async (name: string, bytes: Size | undefined): Promise<void> => {
    await subvolumes.hold(name, async (directory) =>
      limitSubvolume({ id: await subvolumes.askId(directory), bytes }, directory),
    )
  }
  const limitTogether = async (changes: readonly QtreeLimit[]): Promise<void> => {
    try {
      await limitSubvolumes(run, root, changes)
    } catch (error) {
      if (!(error instanceof ProgramFailure)) throw error
      for (const { qtree, bytes } of changes) await limitQtree(qtree, bytes)
    }
  }
  const commitSeconds = [...mount.options].flatMap((option) => /^commit=(\d+)$/.exec(option)?.[1] ?? [])[0]
  const whileUnchanged = unchangedResults<QuotaCondition>({
    commitMs: Number(commitSeconds ?? COMMIT_SECONDS) * 1000,
    generation: async () => {
      const source = (await findMount(root))?.source
      return source === undefined ? undefined : readGeneration(source)
    },
  })
  const compare = async ({ qtrees, limits }: ExpectedVolume): Promise<QuotaCondition> => {
    const statuses = await subvolumes.statuses(qtrees)
    const missing = qtrees.filter((qtree) => !statuses.has(qtree))
    if (limits.length === 0) return { enforces: true, missing, lost: [] }
    const table = await qgroups()
    const enforces = table.groups.size > 0
    const ofQtrees = limits.filter(({ target }) => target.kind === 'tree' && statuses.has(target.qtree))
    if (!enforces) return { enforces, missing, lost: ofQtrees }
    const names = new Set(ofQtrees.map(({ target }) => target.qtree ?? ''))
    const ids = await subvolumes.ids(new Map([...statuses].filter(([name]) => names.has(name))), table.groups)
    const groups = await groupsOf(ids, table)
    // A qtree without an id was removed in the meantime.
    const lost = ofQtrees.filter(({ target: { qtree = '' }, limits: { spaceHard } }) => {
      return ids.has(qtree) && groups.get(qtree)?.maxReferencedBytes !== spaceHard
    })
    return { enforces, missing, lost }
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
      const groups = await groupsOf(await idsOf(qtrees, table), table)
      return [...groups].flatMap(([qtree, { maxReferencedBytes }]): readonly LimitTarget[] =>
        maxReferencedBytes === undefined ? [] : [{ kind: 'tree', qtree }],
      )
    },
    async change({ clear, set }, onChanged) {
      const wanted = new Map<string, Size | undefined>()
      for (const target of clear) if (target.kind === 'tree') wanted.set(target.qtree, undefined)
      for (const { target, limits } of set) if (target.kind === 'tree') wanted.set(target.qtree, limits.spaceHard)
      const targets = clear.length + set.length
      let done = 0
      const report = (part: number): void => {
        const before = done
        done = Math.floor(targets * part)
        if (done > before) onChanged?.(done - before)
      }
      if (wanted.size <= FEW) {
        for (const [qtree, bytes] of wanted) await limitQtree(qtree, bytes)
        report(1)
        return
      }
      const table = await qgroups()
      const changes = [...(await idsOf([...wanted.keys()], table))].flatMap(([qtree, id]): readonly QtreeLimit[] => {
        const bytes = wanted.get(qtree)
        const group = table.groups.get(id)
        const isSet = group !== undefined && !table.doubtful.has(id) && group.maxReferencedBytes === bytes
        return isSet ? [] : [{ qtree, id, bytes }]
      })
      for (let start = 0; start < changes.length; start += LIMIT_BATCH) {
        await limitTogether(changes.slice(start, start + LIMIT_BATCH))
        report(Math.min(1, (start + LIMIT_BATCH) / changes.length))
      }
      report(1)
    },
    inspect: (expected) => whileUnchanged(JSON.stringify(expected, largeAsText), () => compare(expected)),
    async refuseExceeded(directory) {
      await control.settle()
      const table = await qgroups()
      const { referencedBytes, maxReferencedBytes } =
        (await groupOf(await subvolumes.askId(directory), directory, table)) ?? {}
      // The kernel reserves nothing for shared blocks, so it notices the limit only after them.
      if (referencedBytes === undefined || maxReferencedBytes === undefined) return
      if (referencedBytes > maxReferencedBytes) throw quotaExceeded()
    },
    async settle() {
      await run(btrfs, ['filesystem', 'sync', root])
    },
    async usage(qtrees, { files = true, owners = true }) {
      const table = await qgroups()
      const groups = await groupsOf(await idsOf(qtrees, table), table)
      const walked = files || owners ? qtrees : qtrees.filter((qtree) => !groups.has(qtree))
      const counts = await countQtrees(walked, subvolumes.hold, run)
      const usage = qtrees.flatMap((qtree): readonly QuotaUsage[] => {
        const [group, count] = [groups.get(qtree), counts.get(qtree)]
        const space = group?.referencedBytes ?? count?.all.space
        if (space === undefined) return []
        return [{ target: { kind: 'tree', qtree }, space, ...(count && { files: count.all.files }) }]
      })
      if (!owners) return usage
      return [...usage, ...(await ownerUsage([...(await countOwners([root], run)), ...counts.values()], run))]
    },
    async qtreesAmong(names) {
      const statuses = await subvolumes.statuses(names)
      return names.filter((name) => statuses.has(name))
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
        const id = await subvolumes.askId(directory)
        const { referencedBytes, maxReferencedBytes } = (await groupOf(id, directory, await qgroups())) ?? {}
        if (referencedBytes === undefined || maxReferencedBytes === undefined) throw error
        await limitSubvolume({ id, bytes: referencedBytes + METADATA_ROOM }, directory)
        try {
          await chmod(directory, mode)
        } finally {
          await limitSubvolume({ id, bytes: maxReferencedBytes }, directory)
        }
      }
    },
    async removeQtree(_name, directory) {
      // By ids, since a path could lead to another place through a link.
      const own = await subvolumes.askId(directory)
      const idsToDelete = [...(await nestedSubvolumes(run, root, own)), own]
      const { groups, doubtful } = await qgroups()
      // Subvolumes inside one that is above its limit cannot be deleted.
      for (const id of idsToDelete) {
        const isLimited = doubtful.has(id) || groups.get(id)?.maxReferencedBytes !== undefined
        if (isLimited) await limitSubvolume({ id, bytes: undefined }, directory)
      }
      for (const id of idsToDelete) {
        // Transactions end in order, so that a wait for the last one is enough.
        const commit = id === own ? ['--commit-after'] : []
        await run(btrfs, ['subvolume', 'delete', ...commit, '--subvolid', String(id), root])
      }
      for (const id of idsToDelete) {
        await run(btrfs, ['qgroup', 'destroy', `0/${id}`, root]).catch((error: unknown) => {
          // Without quotas there is no group, and later kernels remove it themselves.
          if (!(error instanceof ProgramFailure)) throw error
        })
      }
    },
  }
  return control
}

/** JSON has no bigints. Sizes are never texts, so different limits stay different. */
const largeAsText = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)

const isTracking = ({ limits }: EnforcedLimit): boolean =>
  limits.spaceHard === undefined && limits.filesHard === undefined

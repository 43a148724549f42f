import { chmod, lstat, readdir } from 'node:fs/promises'
import {
  type EnforcedLimit,
  type LimitTarget,
  type Principal,
  type QuotaUsage,
  type Size,
  toSize,
  VolumeRefusal,
} from '@trivium/storage-core/ports'
import { hasCode } from '../files/error-code.ts'
import type { Mount } from '../mounts/mount-info.ts'
import { knownPrincipals, principalId } from '../owners/known-principals.ts'
import { repquota, rm, setquota, xfsQuota } from '../programs/programs.ts'
import { ProgramFailure, type RunProgram } from '../programs/run-program.ts'
import { DRAFT_NAME, type QtreeDirectories } from '../qtrees/qtree-directories.ts'
import type { QuotaControl } from '../quota-control.ts'
import { projectId, projectIds, setProjectId } from './project-id.ts'
import { parseQuotaReport, type QuotaLine } from './quota-report.ts'

type Type = 'user' | 'group' | 'project'

/** Mount options that turn a type of quota on, on ext4 or on xfs. */
const mountOptions: Readonly<Record<Type, readonly string[]>> = {
  user: ['usrquota', 'uquota', 'quota'],
  group: ['grpquota', 'gquota'],
  project: ['prjquota', 'pquota'],
}

const letters: Readonly<Record<Type, string>> = { user: 'u', group: 'g', project: 'P' }

const FIRST_PROJECT = 100_000

/** Replaces an absent limit where xfs would otherwise apply the default limit. */
const noLimits = { spaceHard: Number.MAX_SAFE_INTEGER, filesHard: Number.MAX_SAFE_INTEGER }

/** The id of root and of root's group. */
const ROOT = '0'

/** Maximum number of directories in the arguments of one program. */
const PROJECT_BATCH = 250

const REMOVE_TIMEOUT_MS = 60 * 60_000

/**
 * Quotas of xfs and ext4. A qtree is a directory with its own project, which its contents inherit. User and group
 * limits apply to the whole file system, so they are accepted only where the volume is the mount point.
 */
export function projectQuotaControl(
  root: string,
  directories: QtreeDirectories,
  mount: Mount,
  run: RunProgram,
): QuotaControl {
  const whole = mount.mountPoint === root
  const isXfs = mount.fileSystem === 'xfs'
  const counts = (type: Type): boolean => mountOptions[type].some((option) => mount.options.has(option))

  /** The project of a qtree, or 0 where no qtree has that name. */
  const projectOf = async (name: string): Promise<number> =>
    (await directories.hold(name, (directory) => projectId(directory, run))) ?? 0

  const report = async (type: Type, ...options: readonly string[]): Promise<readonly QuotaLine[]> =>
    parseQuotaReport(await run(repquota, [`-${letters[type]}`, '-n', ...options, '-O', 'csv', mount.mountPoint]))
  const limit = async (
    type: Type,
    id: string,
    limits: EnforcedLimit['limits'],
    withSoftLimits = false,
  ): Promise<void> => {
    const [blocks, files] = hardLimits(limits)
    const [softBlocks, softFiles] = withSoftLimits ? [blocks, files] : [0, 0]
    const amounts = [softBlocks, blocks, softFiles, files].map(String)
    await run(setquota, [`-${letters[type]}`, id, ...amounts, mount.mountPoint])
  }
  /**
   * xfs stores the default limits as those of root, and copies them to each owner without limits. Limits of a rule also
   * get a soft limit of the same amount. It has no effect, but shows every process that they are not default limits.
   */
  const limitOwner = async (
    type: 'user' | 'group',
    id: string,
    limits: EnforcedLimit['limits'] | undefined,
  ): Promise<void> => {
    if (isXfs && id === ROOT) {
      if (!limits || isTracking(limits)) return
      throw new VolumeRefusal('unsupported', ROOT_REASON)
    }
    if (isXfs && limits) await limit(type, id, { ...noLimits, ...limits }, true)
    else await limit(type, id, limits ?? {})
  }
  /** Ids of the names that limits were set for, so that later inspections need no program for each. */
  const cachedIds = new Map<string, string>()
  const ownerId = async (database: 'passwd' | 'group', owner: Principal): Promise<string> => {
    const id = await principalId(database, owner, run)
    if ('name' in owner) cachedIds.set(`${database}/${owner.name}`, id)
    return id
  }
  const cachedOwnerId = async (database: 'passwd' | 'group', owner: Principal): Promise<string> =>
    ('name' in owner ? cachedIds.get(`${database}/${owner.name}`) : undefined) ?? ownerId(database, owner)
  const projectsOf = async (qtrees: readonly string[]): Promise<ReadonlyMap<string, number>> => {
    const projects = new Map<string, number>()
    const directoriesOnly: string[] = []
    for (const qtree of qtrees) if (await isDirectory(directories.place(qtree))) directoriesOnly.push(qtree)
    for (let start = 0; start < directoriesOnly.length; start += PROJECT_BATCH) {
      const batch = directoriesOnly.slice(start, start + PROJECT_BATCH)
      const ids = await projectIds(batch.map(directories.place), run)
      batch.forEach((qtree, index) => {
        projects.set(qtree, ids[index] ?? 0)
      })
    }
    return projects
  }
  /** Lines of a type by id. `undefined` where the file system has no quotas of that type. */
  const linesOf = async (type: Type): Promise<ReadonlyMap<string, QuotaLine> | undefined> => {
    try {
      return new Map((await report(type, '-v')).map((line) => [line.id, line]))
    } catch (error) {
      if (
        error instanceof ProgramFailure &&
        /no quota enabled|not all specified mountpoints are using quota/i.test(error.errorText)
      )
        return undefined
      throw error
    }
  }
  /** Limited owners, also those without usage. */
  const limited = async (type: 'user' | 'group') =>
    (await report(type, '-v')).filter((line) => line.limited && !(isXfs && line.id === ROOT))
  const setDefaultLimits = async (type: 'user' | 'group', limits: EnforcedLimit['limits']): Promise<void> => {
    const { spaceHard, filesHard } = limits
    const command = `limit -d -${letters[type]} bsoft=0 bhard=${spaceHard ?? 0} isoft=0 ihard=${filesHard ?? 0}`
    await run(xfsQuota, ['-x', '-c', command, mount.mountPoint])
    // Owners that have written keep their copy of the former default limits.
    for (const { id, soft } of await limited(type)) if (!soft) await limit(type, id, limits)
  }
  const apply = async (target: LimitTarget, limits: EnforcedLimit['limits'] | undefined): Promise<void> => {
    switch (target.kind) {
      case 'tree': {
        const project = await projectOf(target.qtree)
        return project === 0 ? undefined : limit('project', String(project), limits ?? {})
      }
      case 'users':
        return limitOwner('user', await ownerId('passwd', target.users[0]), limits)
      case 'group':
        return limitOwner('group', await ownerId('group', target.group), limits)
      case 'every-user':
        return isXfs ? setDefaultLimits('user', limits ?? {}) : undefined
      case 'every-group':
        return isXfs ? setDefaultLimits('group', limits ?? {}) : undefined
    }
  }
  const needed = (): readonly Type[] => (whole ? ['user', 'group', 'project'] : ['project'])

  return {
    usersPerQtree: false,
    unsupported: ({ target, limits }) => {
      if (isTooFine(limits.spaceHard, isXfs ? XFS_UNIT : EXT4_UNIT)) {
        const reason = `${mount.fileSystem} limits space in whole blocks, so a limit of 8P or more has to be a multiple of ${isXfs ? '64K' : '1K'}`
        return { target, limits: ['spaceHard'], reason }
      }
      if (limits.filesHard !== undefined && limits.filesHard > MOST_FILES) {
        return { target, limits: ['filesHard'], reason: `its quota tools accept at most ${MOST_FILES} files` }
      }
      if (target.kind === 'tree') return undefined
      if (target.qtree !== undefined)
        return { target, limits: [], reason: 'Linux cannot limit users or groups inside one qtree' }
      if (target.kind === 'users' && target.users.length > 1) {
        return { target, limits: [], reason: 'Linux has no limit that several users share' }
      }
      if (!whole) {
        return {
          target,
          limits: [],
          reason: 'users and groups can be limited and counted only where the volume is a whole file system',
        }
      }
      if (isTracking(limits)) return undefined
      if (isXfs && isRoot(target)) return { target, limits: [], reason: ROOT_REASON }
      if ((target.kind === 'every-user' || target.kind === 'every-group') && !isXfs) {
        return { target, limits: [], reason: 'ext4 has no default limits for users and groups' }
      }
      return undefined
    },
    async prepare() {
      const missing = needed().filter((type) => !counts(type))
      if (missing.length === 0) return
      const options = missing.flatMap((type) => mountOptions[type][0] ?? []).join(',')
      throw new VolumeRefusal(
        'not-permitted',
        `${mount.mountPoint} is mounted without quotas: mount it with -o ${options}`,
      )
    },
    async enforced(qtrees) {
      const targets: LimitTarget[] = []
      const projects = new Set((await report('project')).filter(({ limited }) => limited).map(({ id }) => id))
      for (const qtree of qtrees) {
        if (projects.has(String(await projectOf(qtree)))) targets.push({ kind: 'tree', qtree })
      }
      if (!whole) return targets
      for (const { id } of await limited('user')) targets.push({ kind: 'users', users: [{ id }] })
      for (const { id } of await limited('group')) targets.push({ kind: 'group', group: { id } })
      return isXfs ? [...targets, { kind: 'every-user' }, { kind: 'every-group' }] : targets
    },
    async change({ clear, set }, onChanged) {
      for (const target of clear) {
        if (target.kind !== 'tree' || (await projectOf(target.qtree)) !== 0) await apply(target, undefined)
        onChanged?.(1)
      }
      for (const { target, limits } of set) {
        await apply(target, limits)
        onChanged?.(1)
      }
    },
    async inspect({ qtrees, limits }) {
      const projects = await projectsOf(qtrees)
      const missing = qtrees.filter((qtree) => (projects.get(qtree) ?? 0) === 0)
      if (limits.length === 0) return { enforces: true, missing, lost: [] }
      const reports = new Map<Type, ReadonlyMap<string, QuotaLine>>()
      for (const type of needed()) {
        const lines = await linesOf(type)
        if (!lines) return { enforces: false, missing, lost: limits }
        reports.set(type, lines)
      }
      /** Type and id of a target's limits. `undefined` where the target cannot have limits. */
      const lineOf = async ({ target }: EnforcedLimit): Promise<readonly [Type, string] | undefined> => {
        switch (target.kind) {
          case 'tree': {
            const project = projects.get(target.qtree) ?? 0
            return project === 0 ? undefined : ['project', String(project)]
          }
          case 'users':
            return ['user', await cachedOwnerId('passwd', target.users[0])]
          case 'group':
            return ['group', await cachedOwnerId('group', target.group)]
          case 'every-user':
            return isXfs ? ['user', ROOT] : undefined
          case 'every-group':
            return isXfs ? ['group', ROOT] : undefined
        }
      }
      const isEnforced = async (expected: EnforcedLimit): Promise<boolean> => {
        const [type, id] = (await lineOf(expected)) ?? []
        if (type === undefined || id === undefined) return true
        const { kind } = expected.target
        const isOwner = kind === 'users' || kind === 'group'
        if (isXfs && isOwner && id === ROOT) return true
        const line = reports.get(type)?.get(id)
        const expectedLimits = isXfs && isOwner ? { ...noLimits, ...expected.limits } : expected.limits
        const [blocks, files] = hardLimits(expectedLimits)
        return (line?.blocksHard ?? 0) === blocks && (line?.filesHard ?? 0) === files
      }
      const lost: EnforcedLimit[] = []
      for (const expected of limits) if (!(await isEnforced(expected))) lost.push(expected)
      return { enforces: true, missing, lost }
    },
    refuseExceeded: async () => undefined,
    settle: async () => undefined,
    async qtreesAmong(names) {
      const projects = await projectsOf(names)
      return names.filter((name) => (projects.get(name) ?? 0) !== 0)
    },
    async usage(qtrees, { owners = true }) {
      const usage: QuotaUsage[] = []
      const projects = new Map((await report('project')).map((line) => [line.id, line]))
      for (const qtree of qtrees) {
        const line = projects.get(String(await projectOf(qtree)))
        usage.push({ target: { kind: 'tree', qtree }, space: line?.space ?? 0, files: line?.files ?? 0 })
      }
      if (!whole || !owners) return usage
      const [users, groups] = [await report('user'), await report('group')]
      const idsOf = (lines: readonly QuotaLine[]) => lines.map(({ id }) => id)
      const knownUsers = await knownPrincipals('passwd', idsOf(users), run)
      const knownGroups = await knownPrincipals('group', idsOf(groups), run)
      users.forEach(({ id, space, files }, index) => {
        usage.push({ target: { kind: 'user', user: knownUsers[index] ?? { id } }, space, files })
      })
      groups.forEach(({ id, space, files }, index) => {
        usage.push({ target: { kind: 'group', group: knownGroups[index] ?? { id } }, space, files })
      })
      return usage
    },
    isQtree: async (directory) => (await projectId(directory, run)) !== 0,
    async createQtree(name) {
      const taken = new Set<number>()
      for (const entry of await readdir(root, { withFileTypes: true })) {
        if (entry.isDirectory() && entry.name !== DRAFT_NAME) taken.add(await projectOf(entry.name))
      }
      let id = FIRST_PROJECT
      while (taken.has(id)) id += 1
      // A removal that was interrupted may have left the limit of the id.
      if (counts('project')) await limit('project', String(id), {})
      await directories.make(name, (directory) =>
        setProjectId(directory, id, run).catch((error: unknown) => {
          throw isXfs || !isUnsupported(error) ? error : withoutProjects(mount)
        }),
      )
    },
    changePermissions: chmod,
    async removeQtree(name, directory) {
      const id = await projectId(directory, run)
      // Unlike Node's `rm`, it never follows a link that someone creates in the meantime.
      const args = ['-rf', '--one-file-system', '--', directories.place(name)]
      await run(rm, args, { timeoutMs: REMOVE_TIMEOUT_MS })
      if (counts('project')) await limit('project', String(id), {})
    },
  }
}

const isUnsupported = (error: unknown): boolean =>
  error instanceof ProgramFailure && /not supported/i.test(error.errorText)

const withoutProjects = ({ mountPoint, source }: Mount) =>
  new VolumeRefusal(
    'unsupported',
    `The file system of ${mountPoint} was made without projects, which qtrees need: unmount it, and add them with 'tune2fs -O project,quota ${source}'`,
  )

const ROOT_REASON = 'xfs cannot limit root, whose limits are its default limits'

/** The largest block of a file system of each kind that divides every limit, in bytes. */
const XFS_UNIT = 65_536n
const EXT4_UNIT = 1024n

/** `setquota` takes the next number for an overflow. */
const MOST_FILES = 2n ** 63n - 2n

/** Whether a file system would round a size that a number cannot hold. Smaller ones are rounded down to 1 KiB. */
const isTooFine = (size: Size | undefined, unit: bigint): boolean => typeof size === 'bigint' && size % unit !== 0n

/** Hard limits in blocks of 1 KiB and in files. 0 where there is no limit. */
const hardLimits = ({ spaceHard = 0, filesHard = 0 }: EnforcedLimit['limits']): readonly [Size, Size] => [
  typeof spaceHard === 'bigint' ? toSize(spaceHard / 1024n) : Math.floor(spaceHard / 1024),
  filesHard,
]

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

const isTracking = ({ spaceHard, filesHard }: EnforcedLimit['limits']): boolean =>
  spaceHard === undefined && filesHard === undefined

function isRoot(target: LimitTarget): boolean {
  const [owner] = target.kind === 'users' ? target.users : target.kind === 'group' ? [target.group] : []
  return owner !== undefined && ('id' in owner ? owner.id === ROOT : owner.name === 'root')
}

import type { Size } from '../sizes/size.ts'

/** The limits of one target. Without any limit, the usage of the target is only counted. */
export interface QuotaLimits {
  /** In bytes, at least 1,024. Writes that exceed it fail. */
  readonly spaceHard?: Size
  /** In bytes, at least 1,024. Usage above it emits an event, and writes succeed until the end of a grace period. */
  readonly spaceSoft?: Size
  /** The number of files and directories. Creations that exceed it fail. */
  readonly filesHard?: Size
  /** The number of files and directories above which an event is emitted. */
  readonly filesSoft?: Size
}

/** The name of a limit: `spaceHard`, `spaceSoft`, `filesHard` or `filesSoft`. */
export type QuotaLimitName = keyof QuotaLimits

export const quotaLimitNames = ['spaceHard', 'spaceSoft', 'filesHard', 'filesSoft'] as const satisfies QuotaLimitName[]

/** A change of limits. An absent name stays unchanged, `null` removes the limit. */
export type QuotaLimitsChange = { readonly [Name in QuotaLimitName]?: Size | null }

/** Returns the limits with a change applied: a number sets a limit, `null` removes it, an absent one stays. */
export function changeLimits(limits: QuotaLimits, change: QuotaLimitsChange): QuotaLimits {
  const changed: { -readonly [Name in QuotaLimitName]?: Size } = { ...limits }
  for (const name of quotaLimitNames) {
    const value = change[name]
    if (value === null) delete changed[name]
    else if (value !== undefined) changed[name] = value
  }
  return changed
}

export const hasSoftLimit = ({ spaceSoft, filesSoft }: QuotaLimits): boolean =>
  spaceSoft !== undefined || filesSoft !== undefined

/** Returns the limits with the soft limits of these dimensions as hard ones. A soft limit is never above its hard one. */
export function withSoftAsHard(limits: QuotaLimits, dimensions: readonly ('space' | 'files')[]): QuotaLimits {
  const { spaceSoft, filesSoft } = limits
  return {
    ...limits,
    ...(dimensions.includes('space') && spaceSoft !== undefined && { spaceHard: spaceSoft }),
    ...(dimensions.includes('files') && filesSoft !== undefined && { filesHard: filesSoft }),
  }
}

export const sameLimits = (left: QuotaLimits, right: QuotaLimits): boolean =>
  quotaLimitNames.every((name) => left[name] === right[name])

/** Limits of one target. An absent one does not limit; with none at all the target is only tracked. */
export interface QuotaLimits {
  /** Bytes, at least 1,024. Writing past it fails. */
  readonly spaceHard?: number
  /** Bytes. Going past it is only told. */
  readonly spaceSoft?: number
  /** Files and directories. */
  readonly filesHard?: number
  readonly filesSoft?: number
}

/** `spaceHard`, `spaceSoft`, `filesHard` or `filesSoft`. Space is in bytes. */
export type QuotaLimitName = keyof QuotaLimits

export const quotaLimitNames = ['spaceHard', 'spaceSoft', 'filesHard', 'filesSoft'] as const satisfies QuotaLimitName[]

/** What to change of limits: an absent name stays, `null` removes the limit. */
export type QuotaLimitsChange = { readonly [Name in QuotaLimitName]?: number | null }

/** Applies a change in memory: a number sets a limit, `null` takes it away, absent leaves it. */
export function changeLimits(limits: QuotaLimits, change: QuotaLimitsChange): QuotaLimits {
  const changed: { -readonly [Name in QuotaLimitName]?: number } = { ...limits }
  for (const name of quotaLimitNames) {
    const value = change[name]
    if (value === null) delete changed[name]
    else if (value !== undefined) changed[name] = value
  }
  return changed
}

export const sameLimits = (left: QuotaLimits, right: QuotaLimits): boolean =>
  quotaLimitNames.every((name) => left[name] === right[name])

/** What one reading of a file system says about a target of quotas, or about the volume itself. */
export interface UsageSample {
  /** The index of the target's report. Absent for the volume itself. */
  readonly target?: number
  /** In bytes. */
  readonly used: number
  /** The number of files and directories. Absent where the file system did not count them. */
  readonly files?: number
  /** The size of the volume in bytes. Only for the volume itself. */
  readonly size?: number
  /** What files can still take, in bytes. Only for the volume itself. */
  readonly available?: number
}

/** The usage in one interval: at its last sample, and the most of all its samples. */
export interface UsagePoint extends Omit<UsageSample, 'target'> {
  /** The start of the interval. */
  readonly at: Date
  /** The length of the interval. */
  readonly seconds: number
  /** The most bytes. */
  readonly usedPeak: number
  /** The most files and directories. */
  readonly filesPeak?: number
}

/** The resolutions of a history, from the finest to the coarsest. */
export const usageResolutions = ['sample', 'half-hour', 'two-hours', 'day'] as const

/** What a history keeps: each sample, and the roll-ups of half an hour, two hours and a day. */
export type UsageResolution = (typeof usageResolutions)[number]

/** The length of the intervals of roll-ups, in seconds, which begin at multiples of it since 1970. */
export const rollUpSeconds = {
  'half-hour': 1800,
  'two-hours': 7200,
  day: 86_400,
} as const satisfies Record<Exclude<UsageResolution, 'sample'>, number>

/** Returns the start of the interval of a time. */
export const startOfInterval = (time: Date, seconds: number): Date =>
  new Date(Math.floor(time.getTime() / (seconds * 1000)) * seconds * 1000)

/** The intervals that a sample belongs to, one of each resolution. */
export const intervalsOf = (at: Date, seconds: number) =>
  usageResolutions.map((resolution) => {
    const length = resolution === 'sample' ? seconds : rollUpSeconds[resolution]
    return { resolution, at: startOfInterval(at, length), seconds: length }
  })

/** What is known of an interval. */
export type UsageAmounts = Omit<UsagePoint, 'at' | 'seconds'>

/** Adds a sample to what is known of an interval. The same sample again changes nothing. */
export function addSample(known: UsageAmounts | undefined, { target: _, ...sample }: UsageSample): UsageAmounts {
  const files = sample.files ?? known?.files
  return {
    ...sample,
    usedPeak: Math.max(known?.usedPeak ?? 0, sample.used),
    ...(files !== undefined && { files, filesPeak: Math.max(known?.filesPeak ?? 0, files) }),
  }
}

import { setImmediate } from 'node:timers/promises'
import {
  addSample,
  intervalsOf,
  type UsageAmounts,
  type UsageHistoryRepository,
  type UsageResolution,
  type UsageSample,
  usageResolutions,
  type VolumeId,
} from '@trivium/storage-core/ports'
import type { Database } from '../database.ts'
import { transact } from '../transact.ts'
import type { StorageTables, UsagePointRow } from './storage-tables.ts'
import { readBlock, readPlace, TARGETS_PER_BLOCK, writeBlock } from './usage-amounts.ts'
import { lockVolume, placesOf } from './usage-places.ts'

/** At most 1,024 targets in one transaction, so that others need not wait long. */
const BLOCKS_PER_STEP = 16
/** SQLite's calls never yield to the event loop, which such a step holds for a few milliseconds. */
const BLOCKS_PER_STEP_IN_PROCESS = 2
const TARGETS_PER_REMOVAL = 1_000

/** The target of the volume itself. Indexes of reports are not negative. */
const WHOLE_VOLUME = -1

const numberOf = (resolution: UsageResolution): number => usageResolutions.indexOf(resolution)

/** Stores the history of usage, with 64 targets in a row. Processes record a volume one after the other. */
export function sqlUsageHistory(database: Database): UsageHistoryRepository {
  const kysely = database.kysely.$extendTables<StorageTables>()
  const { dialect } = database

  const findVolume = (uuid: VolumeId) =>
    kysely
      .selectFrom('storage_usage_volumes')
      .select(['number', 'claimed_at'])
      .where('uuid', '=', uuid)
      .executeTakeFirst()

  /** Finds the row of a volume, which the first call adds. */
  const volumeOf = async (uuid: VolumeId) => {
    for (;;) {
      const row = await findVolume(uuid)
      if (row) return row
      // Several processes that add the same row can deadlock in MySQL.
      await transact({ kysely, dialect }, (transaction) =>
        dialect.insertIfAbsent(transaction.insertInto('storage_usage_volumes').values({ uuid, claimed_at: null })),
      )
    }
  }

  const placeOf = async (uuid: VolumeId, target: number | undefined) => {
    const row = await kysely
      .selectFrom('storage_usage_volumes')
      .innerJoin('storage_usage_targets', 'storage_usage_targets.volume', 'storage_usage_volumes.number')
      .select(['storage_usage_targets.volume', 'storage_usage_targets.position'])
      .where('storage_usage_volumes.uuid', '=', uuid)
      .where('storage_usage_targets.target', '=', target ?? WHOLE_VOLUME)
      .executeTakeFirst()
    return row && { volume: row.volume, ...blockOf(row.position) }
  }

  return {
    claim: async (uuid, at, seconds) => {
      const { number, claimed_at } = await volumeOf(uuid)
      const time = at.getTime()
      if (claimed_at !== null && claimed_at >= time && claimed_at <= time + seconds * 1000) return 'taken'
      const { numUpdatedRows } = await kysely
        .updateTable('storage_usage_volumes')
        .set({ claimed_at: time })
        .where('number', '=', number)
        .where('claimed_at', claimed_at === null ? 'is' : '=', claimed_at)
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) return 'taken'
      return claimed_at === null ? {} : { previous: new Date(claimed_at) }
    },

    record: async (uuid, at, seconds, samples) => {
      if (samples.length === 0) return
      const { number } = await volumeOf(uuid)
      const targets = samples.map(({ target = WHOLE_VOLUME }) => target)
      const positions = await placesOf({ kysely, dialect }, { volume: number, targets, at })
      const blocks = Map.groupBy(samples, ({ target = WHOLE_VOLUME }) => blockOf(positions.get(target) ?? 0).block)
      const numbers = [...blocks.keys()].sort((left, right) => left - right)
      const size = dialect.runsInProcess ? BLOCKS_PER_STEP_IN_PROCESS : BLOCKS_PER_STEP
      for (let start = 0; start < numbers.length; start += size) {
        const step = numbers.slice(start, start + size)
        await setImmediate()
        await transact({ kysely, dialect }, async (transaction) => {
          await lockVolume(transaction, dialect, number)
          for (const { resolution, ...interval } of intervalsOf(at, seconds)) {
            const key = { volume: number, resolution: numberOf(resolution), at: interval.at.getTime() }
            const stored = await transaction
              .selectFrom('storage_usage_points')
              .select(['block', 'amounts'])
              .where('volume', '=', key.volume)
              .where('resolution', '=', key.resolution)
              .where('block', 'in', step)
              .where('at', '=', key.at)
              .execute()
            const known = new Map(stored.map(({ block, amounts }) => [block, amounts]))
            const rows = step.map((block): UsagePointRow => {
              const amounts = addSamples(known.get(block), blocks.get(block) ?? [], positions)
              return { ...key, block, seconds: interval.seconds, amounts }
            })
            await dialect
              .overwrite(transaction.insertInto('storage_usage_points').values(rows), {
                key: ['volume', 'resolution', 'block', 'at'],
                columns: ['seconds', 'amounts'],
              })
              .execute()
          }
        })
      }
    },

    list: async ({ volume, target, resolution, from, to }) => {
      const found = await placeOf(volume, target)
      if (!found) return []
      const rows = await kysely
        .selectFrom('storage_usage_points')
        .select(['at', 'seconds', 'amounts'])
        .where('volume', '=', found.volume)
        .where('resolution', '=', numberOf(resolution))
        .where('block', '=', found.block)
        .where('at', '>=', from.getTime())
        .where('at', '<=', to.getTime())
        .orderBy('at')
        .execute()
      return rows.flatMap(({ at, seconds, amounts }) => {
        const read = readPlace(amounts, found.place)
        return read ? [{ at: new Date(at), seconds, ...read }] : []
      })
    },

    has: async (volume, target) => (await placeOf(volume, target)) !== undefined,

    removeOldest: async (resolution, before) => {
      const oldest = await kysely
        .selectFrom('storage_usage_points')
        .select('at')
        .where('resolution', '=', numberOf(resolution))
        .where('at', '<', before.getTime())
        .orderBy('at')
        .limit(1)
        .executeTakeFirst()
      if (!oldest) return false
      await kysely
        .deleteFrom('storage_usage_points')
        .where('resolution', '=', numberOf(resolution))
        .where('at', '=', oldest.at)
        .execute()
      return true
    },

    removeTargets: async (before) => {
      const rows = await kysely
        .selectFrom('storage_usage_targets')
        .select(['volume', 'target'])
        .where('seen_at', '<', before.getTime())
        .orderBy('seen_at')
        .limit(TARGETS_PER_REMOVAL)
        .execute()
      for (const [volume, ofVolume] of Map.groupBy(rows, (row) => row.volume)) {
        await kysely
          .deleteFrom('storage_usage_targets')
          .where('volume', '=', volume)
          .where(
            'target',
            'in',
            ofVolume.map(({ target }) => target),
          )
          .where('seen_at', '<', before.getTime())
          .execute()
      }
      return rows.length === TARGETS_PER_REMOVAL
    },
  }
}

const blockOf = (position: number) => ({
  block: Math.floor(position / TARGETS_PER_BLOCK),
  place: position % TARGETS_PER_BLOCK,
})

function addSamples(
  stored: string | undefined,
  samples: readonly UsageSample[],
  positions: ReadonlyMap<number, number>,
): string {
  const block: (UsageAmounts | undefined)[] = stored === undefined ? [] : [...readBlock(stored)]
  for (const sample of samples) {
    const { place } = blockOf(positions.get(sample.target ?? WHOLE_VOLUME) ?? 0)
    block[place] = addSample(block[place], sample)
  }
  return writeBlock(block)
}

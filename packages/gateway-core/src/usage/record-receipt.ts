import type { UsageRecord } from './usage-record.ts'

/** Writes a record as a text, which a store of budgets keeps until the record is stored. */
export const toReceipt = (record: UsageRecord): string => JSON.stringify(record)

/** Reads what {@link toReceipt} has written. */
export function fromReceipt(receipt: string): UsageRecord {
  const { at, ...record } = JSON.parse(receipt) as Omit<UsageRecord, 'at'> & { readonly at: string }
  return { ...record, at: new Date(at) }
}

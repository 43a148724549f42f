import * as v from 'valibot'
import { identifier, ordinal } from '../bounds.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { type UsageHistory, usagePeriods } from './usage-history.ts'

const period = v.picklist(usagePeriods)

/** What the methods of {@link UsageHistory} take. An unknown index is not found. */
export const usageHistoryArguments: ArgumentSchemas<UsageHistory> = {
  ofVolume: [identifier, period],
  ofReport: [identifier, ordinal, period],
}

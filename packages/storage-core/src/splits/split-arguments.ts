import { identifier } from '../bounds.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import type { Splits } from './splits.ts'

/** What the methods of {@link Splits} take. */
export const splitArguments: ArgumentSchemas<Splits> = { status: [], statusOf: [identifier] }

import * as v from 'valibot'
import { identifier } from '../bounds.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import type { Files } from './files.ts'

/** What the methods of {@link Files} take. An unusable path is an error of the operation. */
export const fileArguments: ArgumentSchemas<Files> = { find: [identifier, v.string()] }

import * as v from 'valibot'
import { wholeWithin } from '../bounds.ts'

/** The id of a model. */
export const modelSchema: v.GenericSchema<string> = v.pipe(
  v.string(),
  v.minLength(1, 'must not be empty'),
  v.maxLength(512, 'must have at most 512 characters'),
)

/** Seconds for all attempts of a request. */
export const timeoutSchema = wholeWithin(1, 3600)

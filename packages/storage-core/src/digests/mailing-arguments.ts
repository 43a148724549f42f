import * as v from 'valibot'
import type { ArgumentSchemas } from '../check-arguments.ts'
import type { Mailing } from './mailing.ts'

/** What the methods of {@link Mailing} take. */
export const mailingArguments: ArgumentSchemas<Mailing> = {
  recipients: [],
  test: [v.pipe(v.string(), v.maxLength(254, 'must have at most 254 characters'))],
}

import * as v from 'valibot'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { MAXIMUM_ADDRESS, type Mailing } from './mailing.ts'

/** What the methods of {@link Mailing} take. */
export const mailingArguments: ArgumentSchemas<Mailing> = {
  recipients: [],
  test: [v.pipe(v.string(), v.maxLength(MAXIMUM_ADDRESS, `must have at most ${MAXIMUM_ADDRESS} characters`))],
}

import type { Failures, Reply } from '@trivium/http-contract'

const refuse = (status: number) => (): Reply => ({ kind: 'json', status, headers: {}, value: { status } })

/** Failures of a contract with nothing but their status. */
export const plainFailures: Failures = {
  malformed: refuse(400),
  invalid: refuse(400),
  tooLarge: refuse(413),
  methodNotAllowed: refuse(405),
  unexpected: refuse(500),
  interrupted: () => ({}),
}

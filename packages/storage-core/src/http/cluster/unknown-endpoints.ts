import { defineContract, type Handlers } from '@trivium/http-contract'
import * as v from 'valibot'
import type { Caller } from '../access/caller.ts'
import { type FailureAnswer, failureAnswer } from '../collections/answers.ts'
import { codes } from '../errors/error-codes.ts'
import { failureResponses } from '../errors/failure.ts'

const unknown = {
  path: '/api/{path+}',
  params: v.object({ path: v.string() }),
  tags: ['cluster'],
  summary: 'Refuses an endpoint that does not exist',
  responses: failureResponses,
} as const

/** Clients distinguish a missing endpoint from a missing record by code 3. */
export const unknownOperations = defineContract({
  getUnknown: { method: 'GET', ...unknown },
  createUnknown: { method: 'POST', ...unknown },
  replaceUnknown: { method: 'PUT', ...unknown },
  updateUnknown: { method: 'PATCH', ...unknown },
  deleteUnknown: { method: 'DELETE', ...unknown },
})

const refuse = ({ caller }: { readonly caller: Caller }): FailureAnswer =>
  failureAnswer(caller, { status: 404, code: codes.notSupported, message: 'API not found' })

export const unknownHandlers: Handlers<typeof unknownOperations, Caller> = {
  getUnknown: refuse,
  createUnknown: refuse,
  replaceUnknown: refuse,
  updateUnknown: refuse,
  deleteUnknown: refuse,
}

import type { Handlers } from '@trivium/http-contract'
import type { Caller } from '../access/admission.ts'
import { failureAnswer, jsonAnswer } from '../collections/answers.ts'
import { changeRecords } from '../collections/change-records.ts'
import { listRecords, showRecord } from '../collections/list-records.ts'
import { codes } from '../errors/error-codes.ts'
import type { Failure } from '../errors/failure.ts'
import { toFailure } from '../errors/to-failure.ts'
import type { HandlerOptions } from '../handler-options.ts'
import { parseChange } from '../requests/change-request.ts'
import type { tokenOperations } from './token-operations.ts'
import { tokenPath, tokenSource, tokenToWire } from './token-records.ts'

export function tokenHandlers({ storage }: HandlerOptions): Handlers<typeof tokenOperations, Caller> {
  const { cloneTokens, nodes, now } = storage
  const source = tokenSource(storage)
  const checkNode = async (uuid: string, name: string | undefined): Promise<Failure | undefined> => {
    const node = name === undefined ? undefined : await nodes.find(uuid).unwrapOr(undefined)
    return node && node.name !== name ? nodeMismatch : undefined
  }
  return {
    listCloneTokens: (call) => listRecords(call, source),
    getCloneToken: (call) => {
      const { node_uuid: node, uuid } = call.params
      return showRecord(call, source, () => cloneTokens.find(node, uuid).mapErr(toFailure))
    },
    createCloneToken: async ({ rawQuery, caller, body }) => {
      const parameters = parseChange(rawQuery)
      if (parameters.isErr()) return failureAnswer(caller, parameters.error)
      if (body.node.uuid === undefined) return failureAnswer(caller, nodeMissing)
      const refused = await checkNode(body.node.uuid, body.node.name)
      if (refused) return failureAnswer(caller, refused)
      const lifetimeSeconds = body.expiry_time?.limit
      const request = { node: body.node.uuid, reserveSize: body.reserve_size }
      return cloneTokens.create({ ...request, ...(lifetimeSeconds !== undefined && { lifetimeSeconds }) }).match(
        (token) => {
          const made = { num_records: 1, records: [tokenToWire(token, caller, now())] }
          return jsonAnswer(caller, 201, made, { headers: { location: tokenPath(token) } })
        },
        (error) => failureAnswer(caller, toFailure(error)),
      )
    },
    updateCloneToken: ({ rawQuery, caller, params: { node_uuid: node, uuid }, body }) =>
      parseChange(rawQuery)
        .asyncAndThen(() => cloneTokens.changeExpiry(node, uuid, body.expiry_time.limit).mapErr(toFailure))
        .match(
          () => jsonAnswer(caller, 200, {}),
          (failure) => failureAnswer(caller, failure),
        ),
    deleteCloneToken: ({ rawQuery, caller, params: { node_uuid: node, uuid } }) =>
      parseChange(rawQuery)
        .asyncAndThen(() => cloneTokens.delete(node, uuid).mapErr(toFailure))
        .match(
          () => jsonAnswer(caller, 200, {}),
          (failure) => failureAnswer(caller, failure),
        ),
    updateCloneTokens: (call) =>
      changeRecords(call, {
        source,
        storage,
        change: ({ node, uuid }) =>
          cloneTokens
            .changeExpiry(node.uuid, uuid, call.body.expiry_time.limit)
            .map(() => undefined)
            .mapErr(toFailure),
      }),
    deleteCloneTokens: (call) =>
      changeRecords(call, {
        source,
        storage,
        change: ({ node, uuid }) =>
          cloneTokens
            .delete(node.uuid, uuid)
            .map(() => undefined)
            .mapErr(toFailure),
      }),
  }
}

const nodeMismatch = {
  status: 400,
  code: codes.invalidContext,
  message: 'node.uuid and node.name belong to different nodes.',
  target: 'node',
} as const

const nodeMissing = {
  status: 400,
  code: codes.missingValue,
  message: 'Missing value for field "node.uuid".',
  target: 'node.uuid',
} as const

import type { Handlers } from '@trivium/http-contract'
import { err, ok } from 'neverthrow'
import type { Caller } from '../access/caller.ts'
import { failureAnswer, jsonAnswer } from '../collections/answers.ts'
import { changeRecords } from '../collections/change-records.ts'
import { listRecords, showRecord } from '../collections/list-records.ts'
import { ifVisible } from '../collections/visible-records.ts'
import { codes } from '../errors/error-codes.ts'
import { toFailure } from '../errors/to-failure.ts'
import type { HandlerOptions } from '../handler-options.ts'
import { nodeSource } from '../nodes/node-records.ts'
import { parseChange } from '../requests/change-request.ts'
import type { tokenOperations } from './token-operations.ts'
import { tokenPath, tokenSource, tokenToWire } from './token-records.ts'

export function tokenHandlers({ storage }: HandlerOptions): Handlers<typeof tokenOperations, Caller> {
  const { cloneTokens, nodes, now } = storage
  const source = tokenSource(storage)
  const find = (node: string, token: string, caller: Caller) =>
    cloneTokens
      .find(node, token)
      .mapErr(toFailure)
      .andThen(ifVisible(caller, source, toFailure({ type: 'clone-token-not-found', node, token })))
  const findNode = (uuid: string, name: string | undefined, caller: Caller) =>
    nodes
      .find(uuid)
      .mapErr(toFailure)
      .andThen(ifVisible(caller, nodeSource(storage), toFailure({ type: 'node-not-found', node: uuid })))
      .andThen((node) => (name === undefined || node.name === name ? ok(node) : err(nodeMismatch)))
  return {
    listCloneTokens: (call) => listRecords(call, source),
    getCloneToken: (call) => {
      const { node_uuid: node, uuid } = call.params
      return showRecord(call, source, () => find(node, uuid, call.caller))
    },
    createCloneToken: async ({ rawQuery, caller, body }) => {
      const parameters = parseChange(rawQuery)
      if (parameters.isErr()) return failureAnswer(caller, parameters.error)
      if (body.node.uuid === undefined) return failureAnswer(caller, nodeMissing)
      const node = await findNode(body.node.uuid, body.node.name, caller)
      if (node.isErr()) return failureAnswer(caller, node.error)
      const lifetimeSeconds = body.expiry_time?.limit
      const request = {
        node: node.value.uuid,
        reserveSize: body.reserve_size,
        ...(lifetimeSeconds !== undefined && { lifetimeSeconds }),
        ...(caller.userId !== undefined && { ownerId: caller.userId }),
      }
      return cloneTokens.create(request).match(
        (token) => {
          const made = { num_records: 1, records: [tokenToWire(token, caller, now())] }
          return jsonAnswer(caller, 201, made, { headers: { location: `${caller.mountPath}${tokenPath(token)}` } })
        },
        (error) => failureAnswer(caller, toFailure(error)),
      )
    },
    updateCloneToken: ({ rawQuery, caller, params: { node_uuid: node, uuid }, body }) =>
      parseChange(rawQuery)
        .asyncAndThen(() => find(node, uuid, caller))
        .andThen(() => cloneTokens.changeExpiry(node, uuid, body.expiry_time.limit).mapErr(toFailure))
        .match(
          () => jsonAnswer(caller, 200, {}),
          (failure) => failureAnswer(caller, failure),
        ),
    deleteCloneToken: ({ rawQuery, caller, params: { node_uuid: node, uuid } }) =>
      parseChange(rawQuery)
        .asyncAndThen(() => find(node, uuid, caller))
        .andThen(() => cloneTokens.delete(node, uuid).mapErr(toFailure))
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

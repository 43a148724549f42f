import type { Handlers } from '@trivium/http-contract'
import type { InferOutput } from 'valibot'
import type { SendResult } from '../../webhooks/send-notice.ts'
import type { WebhookChange } from '../../webhooks/webhook.ts'
import type { Caller } from '../access/caller.ts'
import { failureAnswer, jsonAnswer } from '../collections/answers.ts'
import { listRecords, showRecord } from '../collections/list-records.ts'
import { ifVisible } from '../collections/visible-records.ts'
import { notPermittedFailure } from '../errors/not-permitted.ts'
import { toFailure } from '../errors/to-failure.ts'
import type { HandlerOptions } from '../handler-options.ts'
import { parseChange } from '../requests/change-request.ts'
import { pathNumber } from '../requests/path-number.ts'
import { deliverySource } from './delivery-records.ts'
import type { webhookOperations } from './webhook-operations.ts'
import { kindsOf, webhookPath, webhookSource, webhookToWire } from './webhook-records.ts'

export function webhookHandlers({ storage }: HandlerOptions): Handlers<typeof webhookOperations, Caller> {
  const { webhooks } = storage
  const source = webhookSource(storage)
  const find = (uuid: string, caller: Caller) =>
    webhooks
      .find(uuid)
      .mapErr(toFailure)
      .andThen(ifVisible(caller, source, toFailure({ type: 'webhook-not-found', webhook: uuid })))
  return {
    listWebhooks: (call) => listRecords(call, source),
    getWebhook: (call) => showRecord(call, source, () => find(call.params.uuid, call.caller)),
    createWebhook: async ({ rawQuery, caller, body }) => {
      const parameters = parseChange(rawQuery)
      if (parameters.isErr()) return failureAnswer(caller, parameters.error)
      // Its notices would be those of all volumes.
      if (caller.sight) return failureAnswer(caller, notPermittedFailure)
      const { url, secret } = body
      return webhooks.create({ url, ...settingsOf(body), ...(secret !== undefined && { secret }) }).match(
        (created) => {
          const record = {
            ...webhookToWire(created.webhook, caller),
            ...(created.secret !== undefined && { secret: created.secret }),
          }
          const location = `${caller.mountPath}${webhookPath(created.webhook)}`
          return jsonAnswer(caller, 201, { num_records: 1, records: [record] }, { headers: { location } })
        },
        (error) => failureAnswer(caller, toFailure(error)),
      )
    },
    updateWebhook: ({ rawQuery, caller, params: { uuid }, body }) =>
      parseChange(rawQuery)
        .asyncAndThen(() => find(uuid, caller))
        .andThen(() =>
          webhooks
            .change(uuid, { ...settingsOf(body), ...(body.url !== undefined && { url: body.url }) })
            .mapErr(toFailure),
        )
        .match(
          () => jsonAnswer(caller, 200, {}),
          (failure) => failureAnswer(caller, failure),
        ),
    deleteWebhook: ({ rawQuery, caller, params: { uuid } }) =>
      parseChange(rawQuery)
        .asyncAndThen(() => find(uuid, caller))
        .andThen(() => webhooks.delete(uuid).mapErr(toFailure))
        .match(
          () => jsonAnswer(caller, 200, {}),
          (failure) => failureAnswer(caller, failure),
        ),
    testWebhook: ({ rawQuery, caller, params: { uuid } }) =>
      parseChange(rawQuery)
        .asyncAndThen(() => find(uuid, caller))
        .andThen(() => webhooks.test(uuid).mapErr(toFailure))
        .match(
          (result) => jsonAnswer(caller, 200, testToWire(result)),
          (failure) => failureAnswer(caller, failure),
        ),
    listWebhookDeliveries: async (call) => {
      const { caller, params } = call
      const webhook = await find(params.uuid, caller)
      if (webhook.isErr()) return failureAnswer(caller, webhook.error)
      return listRecords(call, deliverySource(storage, webhook.value))
    },
    retryWebhookDelivery: ({ rawQuery, caller, params: { uuid, index } }) =>
      parseChange(rawQuery)
        .asyncAndThen(() => find(uuid, caller))
        .andThen(() => webhooks.retry(uuid, pathNumber(index)).mapErr(toFailure))
        .match(
          () => jsonAnswer(caller, 200, {}),
          (failure) => failureAnswer(caller, failure),
        ),
  }
}

type Settings = Omit<InferOutput<(typeof webhookOperations)['updateWebhook']['body']>, 'url'>

function settingsOf({ name, kinds, volumes, enabled, holdoff_seconds }: Settings): Omit<WebhookChange, 'url'> {
  return {
    ...(name !== undefined && { name }),
    ...(kinds !== undefined && { kinds: kindsOf(kinds) }),
    ...(volumes !== undefined && { volumes: volumes.map(({ uuid }) => uuid) }),
    ...(enabled !== undefined && { enabled }),
    ...(holdoff_seconds !== undefined && { holdoffSeconds: holdoff_seconds }),
  }
}

function testToWire(result: SendResult) {
  switch (result.type) {
    case 'accepted':
      return { delivered: true, status: result.status }
    case 'interrupted':
      return { delivered: false, message: 'The storage is shutting down.' }
    case 'refused': {
      const { status, failure } = result
      return { delivered: false, ...(status !== undefined && { status }), message: failure }
    }
  }
}

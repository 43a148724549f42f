import { defineContract } from '@trivium/http-contract'
import * as v from 'valibot'
import { MAXIMUM_URL_LENGTH } from '../../webhooks/check-url.ts'
import { deliveryStates } from '../../webhooks/delivery.ts'
import { kindNames } from '../../webhooks/notice-body.ts'
import { MAXIMUM_HOLDOFF_SECONDS, MAXIMUM_NAME_LENGTH, MAXIMUM_VOLUMES } from '../../webhooks/webhook-arguments.ts'
import { changeParameters, listParameters, showParameters } from '../collections/list-parameters.ts'
import { failureResponses } from '../errors/failure.ts'
import { createdAnswer, flag, links, listOf } from '../wire-schemas.ts'
import { webhookKindNames } from './webhook-records.ts'

const webhook = v.pipe(
  v.partial(
    v.object({
      uuid: v.string(),
      name: v.string(),
      url: v.string(),
      kinds: v.array(v.picklist(webhookKindNames)),
      volumes: v.pipe(
        v.array(v.object({ uuid: v.string() })),
        v.description('The volumes whose notices it receives. Empty for all.'),
      ),
      enabled: v.boolean(),
      holdoff_seconds: v.number(),
      create_time: v.string(),
      secret: v.pipe(v.string(), v.description('Only in the answer to its creation, if it was made by the server.')),
      _links: links,
    }),
  ),
  v.title('Webhook'),
)

const delivery = v.pipe(
  v.partial(
    v.object({
      index: v.pipe(v.number(), v.description('The index of the notice.')),
      event: v.partial(v.object({ id: v.string(), type: v.picklist(Object.values(kindNames)) })),
      state: v.pipe(v.picklist(deliveryStates), v.description('`dead` is tried again on request only.')),
      due_time: v.string(),
      tries: v.number(),
      try_time: v.string(),
      status: v.pipe(v.number(), v.description('The status of the last answer.')),
      message: v.pipe(v.string(), v.description('Why the last try failed.')),
    }),
  ),
  v.title('WebhookDelivery'),
)

const tested = v.pipe(
  v.object({
    delivered: v.pipe(v.boolean(), v.description('Whether the receiver answered with a status from 200 to 299.')),
    status: v.optional(v.number()),
    message: v.optional(v.pipe(v.string(), v.description('Why it was not delivered.'))),
  }),
  v.title('WebhookTest'),
)

const url = v.pipe(
  v.string(),
  v.maxLength(MAXIMUM_URL_LENGTH, `at most ${MAXIMUM_URL_LENGTH} characters are allowed.`),
  v.description('An `http` or `https` URL without credentials and a fragment.'),
)

const settings = {
  name: v.exactOptional(
    v.pipe(v.string(), v.maxLength(MAXIMUM_NAME_LENGTH, `at most ${MAXIMUM_NAME_LENGTH} characters are allowed.`)),
  ),
  kinds: v.exactOptional(
    v.pipe(
      v.array(v.picklist(webhookKindNames)),
      v.maxLength(webhookKindNames.length, 'each kind is allowed once.'),
      v.description('What it receives. Everything by default.'),
    ),
  ),
  volumes: v.exactOptional(
    v.pipe(
      v.array(v.strictObject({ uuid: v.pipe(v.string(), v.maxLength(64, 'at most 64 characters are allowed.')) })),
      v.maxLength(MAXIMUM_VOLUMES, `at most ${MAXIMUM_VOLUMES} volumes are allowed.`),
    ),
  ),
  enabled: v.exactOptional(flag),
  holdoff_seconds: v.exactOptional(
    v.pipe(
      v.number(),
      v.integer('an integer is expected.'),
      v.minValue(0, 'at least 0 is expected.'),
      v.maxValue(MAXIMUM_HOLDOFF_SECONDS, `at most ${MAXIMUM_HOLDOFF_SECONDS} is expected.`),
      v.description('The time for which notices of one limit are collected to the latest.'),
    ),
  ),
}

const tags = ['events']
const PATH = '/api/support/webhooks'
const instance = `${PATH}/{uuid}` as const
const params = v.object({ uuid: v.string() })

export const webhookOperations = defineContract({
  listWebhooks: {
    method: 'GET',
    path: PATH,
    tags,
    summary: 'Lists webhooks',
    query: listParameters(['uuid', 'name', 'url', 'enabled', 'holdoff_seconds', 'create_time']),
    responses: { 200: listOf(webhook), ...failureResponses },
  },
  createWebhook: {
    method: 'POST',
    path: PATH,
    tags,
    summary: 'Creates a webhook, to which notices are delivered',
    query: changeParameters,
    body: v.strictObject({
      url,
      ...settings,
      secret: v.exactOptional(
        v.pipe(
          v.string(),
          v.maxLength(128, 'at most 128 characters are allowed.'),
          v.description('`whsec_` and the Base64 of 16 to 64 bytes. Made by the server by default.'),
        ),
      ),
    }),
    responses: { 201: createdAnswer(webhook), ...failureResponses },
  },
  getWebhook: {
    method: 'GET',
    path: instance,
    tags,
    summary: 'Reads a webhook, without its secret',
    params,
    query: showParameters,
    responses: { 200: webhook, ...failureResponses },
  },
  updateWebhook: {
    method: 'PATCH',
    path: instance,
    tags,
    summary: 'Changes a webhook',
    params,
    query: changeParameters,
    body: v.strictObject({ url: v.exactOptional(url), ...settings }),
    responses: { 200: v.object({}), ...failureResponses },
  },
  deleteWebhook: {
    method: 'DELETE',
    path: instance,
    tags,
    summary: 'Deletes a webhook with its deliveries',
    params,
    query: changeParameters,
    responses: { 200: v.object({}), ...failureResponses },
  },
  testWebhook: {
    method: 'POST',
    path: `${instance}/test`,
    tags,
    summary: 'Sends a test to a webhook, once, and returns what it answers',
    params,
    query: changeParameters,
    responses: { 200: tested, ...failureResponses },
  },
  listWebhookDeliveries: {
    method: 'GET',
    path: `${instance}/deliveries`,
    tags,
    summary: 'Lists the deliveries that wait, and those that were given up',
    params,
    query: listParameters([
      ...['index', 'event.id', 'event.type', 'state', 'due_time', 'tries', 'try_time', 'status', 'message'],
    ]),
    responses: { 200: listOf(delivery), ...failureResponses },
  },
  retryWebhookDelivery: {
    method: 'POST',
    path: `${instance}/deliveries/{index}/retry`,
    tags,
    summary: 'Delivers a notice again, from the first try on',
    params: v.object({ uuid: v.string(), index: v.string() }),
    query: changeParameters,
    responses: { 200: v.object({}), ...failureResponses },
  },
})

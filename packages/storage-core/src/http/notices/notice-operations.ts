import { defineContract } from '@trivium/http-contract'
import * as v from 'valibot'
import { kindNames } from '../../webhooks/notice-body.ts'
import { listParameters } from '../collections/list-parameters.ts'
import { failureResponses } from '../errors/failure.ts'
import { listOf, reference, sizeInAnswer } from '../wire-schemas.ts'

const named = v.partial(v.object({ id: v.string(), name: v.string() }))

const notice = v.pipe(
  v.partial(
    v.object({
      index: v.pipe(v.number(), v.description('Ascending in the order of publication.')),
      id: v.pipe(v.string(), v.description('The `webhook-id` of its deliveries.')),
      type: v.picklist(Object.values(kindNames)),
      time: v.string(),
      svm: reference,
      volume: reference,
      rule: v.partial(v.object({ uuid: v.string() })),
      target: v.partial(
        v.object({
          type: v.picklist(['tree', 'user', 'group']),
          qtree: v.partial(v.object({ name: v.string() })),
          users: v.array(named),
          group: named,
        }),
      ),
      principal: named,
      limit: v.picklist(['space.hard_limit', 'space.soft_limit', 'files.hard_limit', 'files.soft_limit']),
      percent: v.pipe(v.number(), v.description('The threshold, in percent of the limit.')),
      used: v.pipe(v.number(), v.description('In bytes or files, as the limit.')),
      allowed: v.pipe(sizeInAnswer, v.description('The limit, in bytes or files.')),
      grace_end_time: v.pipe(v.string(), v.description('When the soft limit becomes hard.')),
      path: v.pipe(v.string(), v.description('The file of a split, relative to the volume.')),
      reason: v.string(),
    }),
  ),
  v.title('Notice'),
)

export const noticeOperations = defineContract({
  listNotices: {
    method: 'GET',
    path: '/api/support/events',
    tags: ['events'],
    summary: 'Lists the notices of the last 30 days by default, the oldest first',
    query: listParameters(['index', 'id', 'type', 'time', 'svm.uuid', 'svm.name', 'volume.uuid', 'volume.name']),
    responses: { 200: listOf(notice), ...failureResponses },
  },
})

import * as v from 'valibot'
import { defineContract, eventStream, type Failures, implement, noBody } from './index.ts'

declare const failures: Failures

const contract = defineContract({
  read: {
    method: 'GET',
    path: '/things/{id}',
    params: v.object({ id: v.string() }),
    responses: { 200: v.object({ size: v.number() }), 404: v.object({ message: v.string() }) },
  },
  drop: { method: 'DELETE', path: '/things/{id}', responses: { 204: noBody } },
  watch: { method: 'GET', path: '/things', responses: { 200: eventStream(v.object({ n: v.number() })) } },
})

async function* events() {
  yield { n: 1 }
}

implement(
  contract,
  {
    read: async ({ params }) =>
      params.id === 'a' ? { status: 200, body: { size: 1 } } : { status: 404, body: { message: 'absent' } },
    drop: () => ({ status: 204 }),
    watch: () => ({ status: 200, body: events() }),
  },
  { failures },
)

implement(
  contract,
  {
    // @ts-expect-error: 409 is not declared
    read: () => ({ status: 409, body: { message: 'taken' } }),
    // @ts-expect-error: 204 has no body
    drop: () => ({ status: 204, body: {} }),
    // @ts-expect-error: the body is missing
    watch: () => ({ status: 200 }),
  },
  { failures },
)

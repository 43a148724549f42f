import { byteLength } from '../byte-length.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import { jsonInTurns } from '../dialects/requests/encode-in-turns.ts'
import { jsonLength } from '../dialects/requests/json-length.ts'
import { isStorableId, outputIds, outputItems, type StoredItem } from './response-items.ts'
import { parseItems, parseObject } from './response-object.ts'
import type { ResponseRepository } from './response-repository.ts'
import type { StateBounds } from './responses-options.ts'
import type { ResponseId, ResponseOwner, StoredResponse } from './stored-response.ts'

export interface ResponseStoreParts {
  readonly repository: ResponseRepository
  readonly bounds: StateBounds
  readonly now: () => Date
}

/** A response to store, as objects. */
export interface NewStoredResponse {
  readonly owner: ResponseOwner
  readonly response: JsonObject
  readonly input: readonly StoredItem[]
  readonly previousId?: ResponseId
  readonly conversationId?: StoredResponse['conversationId']
  /** Of a response in the background. */
  readonly leaseUntil?: Date
}

/** `too-large`, and `id-unusable` for an id that is taken or has no form of one: nothing is stored. */
export type SaveOutcome = 'saved' | 'too-large' | 'id-unusable'

/** Reads and writes stored responses. */
export interface ResponseStore {
  /** Waits until a response that this process is storing is stored. */
  find(id: string, owner: ResponseOwner | undefined): Promise<StoredResponse | undefined>
  /** Stores a response. */
  save(response: NewStoredResponse): Promise<SaveOutcome>
  /** Replaces a running response by its end, or by a failure where the end is too large. @returns whether it still ran */
  finish(running: StoredResponse, response: JsonObject, leaseEndedBy?: Date): Promise<boolean>
  /** Finds an item of an output. */
  findItem(id: string, owner: ResponseOwner): Promise<StoredItem | undefined>
}

const statuses: ReadonlySet<unknown> = new Set([
  'queued',
  'in_progress',
  'completed',
  'incomplete',
  'failed',
  'cancelled',
])

export function createResponseStore({ repository, bounds, now }: ResponseStoreParts): ResponseStore {
  const saving = new Map<string, Promise<unknown>>()

  const find: ResponseStore['find'] = async (id, owner) => {
    if (!isStorableId(id)) return undefined
    await saving.get(id)?.catch(() => undefined)
    const found = await repository.find(id as ResponseId, owner, now()) // has the form of an id
    if (!found?.leaseUntil || found.leaseUntil > now()) return found
    await finish(found, interrupted(found), now())
    return repository.find(found.id, owner, now())
  }

  const save: ResponseStore['save'] = async (given) => {
    const { response, input } = given
    const { id } = response
    if (!isStorableId(id)) return 'id-unusable'
    // What is too large is not encoded.
    if (jsonLength(response) + jsonLength(input) > bounds.maxStoredBytes) return 'too-large'
    const saved = encodeAndSave(given)
    saving.set(id, saved)
    try {
      return await saved
    } finally {
      if (saving.get(id) === saved) saving.delete(id)
    }
  }

  async function encodeAndSave({
    owner,
    response,
    input,
    previousId,
    conversationId,
    leaseUntil,
  }: NewStoredResponse): Promise<SaveOutcome> {
    const text = JSON.stringify(response)
    const inputJson = await jsonInTurns(input)
    const bytes = byteLength(text) + inputJson.bytes
    if (bytes > bounds.maxStoredBytes) return 'too-large'
    const at = now()
    const stored: StoredResponse = {
      id: response.id as ResponseId, // has the form of an id
      owner,
      createdAt: at,
      expiresAt: new Date(at.getTime() + bounds.retentionMs),
      status: statusOf(response),
      response: text,
      input: inputJson.text,
      bytes,
      ...(previousId !== undefined && { previousId }),
      ...(conversationId !== undefined && { conversationId }),
      background: leaseUntil !== undefined,
      ...(leaseUntil !== undefined && { leaseUntil }),
    }
    const outcome = await repository.save(stored, outputIds(response), bounds)
    return outcome === 'saved' ? 'saved' : 'id-unusable'
  }

  const finish: ResponseStore['finish'] = (running, response, leaseEndedBy) => {
    const text = JSON.stringify(response)
    const bytes = byteLength(text) + byteLength(running.input)
    if (bytes > bounds.maxStoredBytes && response.status !== 'failed') {
      return finish(running, failed(running, 'The response is too large to be stored.'), leaseEndedBy)
    }
    const status = statusOf(response)
    if (status === 'queued' || status === 'in_progress') return Promise.resolve(false)
    return repository.finish(
      running.id,
      { status, response: text, bytes, outputIds: outputIds(response) },
      leaseEndedBy,
    )
  }

  return {
    find,
    save,
    finish,
    findItem: async (id, owner) => {
      if (!isStorableId(id)) return undefined
      const found = await repository.findByOutput(id, owner, now())
      return found && outputItems(parseObject(found.response)).find((item) => item.id === id)
    },
  }
}

const statusOf = ({ status }: JsonObject): StoredResponse['status'] =>
  // The set contains only states.
  statuses.has(status) ? (status as StoredResponse['status']) : 'completed'

/** Returns a running response that has failed. */
export const failed = (running: Pick<StoredResponse, 'response'>, message: string): JsonObject => ({
  ...parseObject(running.response),
  status: 'failed',
  error: { code: 'server_error', message },
})

const interrupted = (running: StoredResponse): JsonObject =>
  failed(running, 'The gateway ended while this response was running.')

/** Returns the items of a stored turn: its input, then its output. */
export const itemsOfTurn = ({ input, response }: StoredResponse): readonly JsonObject[] => [
  ...parseItems(input),
  ...outputItems(parseObject(response)),
]

import type { ProviderModel } from '../providers/provider.ts'
import type { UsageRecord } from '../usage/usage-record.ts'
import type { Endpoint } from './endpoint.ts'

/** What the gateway knows of an endpoint. */
export interface EndpointDescription {
  /** The kind of its models. Absent for endpoints without models. */
  readonly kind?: ProviderModel['kind']
  readonly operation: UsageRecord['operation']
  /** What a model does there, in the message to a client whose model does not. */
  readonly purpose: string
  /** The last event of a streamed answer. Without it, an event stream cannot be distinguished from a cut one. */
  readonly lastEvent?: RegExp
}

export const endpoints: Readonly<Record<Endpoint, EndpointDescription>> = {
  embeddings: { kind: 'embedding', operation: 'embedding', purpose: 'embeddings' },
  completions: { kind: 'completion', operation: 'completion', purpose: 'text completions' },
  moderations: { kind: 'moderation', operation: 'moderation', purpose: 'moderations' },
  speech: { kind: 'audio', operation: 'audio', purpose: 'speech', lastEvent: /"speech\.audio\.done"/ },
  transcriptions: {
    kind: 'audio',
    operation: 'audio',
    purpose: 'transcriptions',
    lastEvent: /"transcript\.text\.done"/,
  },
  translations: {
    kind: 'audio',
    operation: 'audio',
    purpose: 'translations of audio',
    lastEvent: /"transcript\.text\.done"/,
  },
  'image-generations': {
    kind: 'image',
    operation: 'image',
    purpose: 'streams of images',
    lastEvent: /"image_generation\.completed"/,
  },
  'image-edits': {
    kind: 'image',
    operation: 'image',
    purpose: 'edits of images',
    lastEvent: /"image_edit\.completed"/,
  },
  'image-variations': { kind: 'image', operation: 'image', purpose: 'variations of images' },
  rerank: { kind: 'rerank', operation: 'rerank', purpose: 'reranking' },
  files: { operation: 'file', purpose: 'files' },
  batches: { operation: 'batch', purpose: 'batches' },
}

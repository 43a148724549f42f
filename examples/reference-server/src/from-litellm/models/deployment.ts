import type { Connection, ModelDraft } from '../output/draft.ts'
import type { SourceNode } from '../source/source-node.ts'

/** An entry of `model_list`. */
export interface Deployment {
  /** What clients name it, which may have a star. */
  readonly name: string
  readonly node: SourceNode
  readonly connection: Connection
  /** The id at the provider, which may have a star. */
  readonly model: string
  readonly draft: ModelDraft
  readonly weight: number | undefined
  readonly priority: number | undefined
  /** Where LiteLLM takes a weight from, if the deployment has none. */
  readonly rates: { readonly rpm: RateField | undefined; readonly tpm: RateField | undefined }
}

export interface RateField {
  readonly value: number
  readonly node: SourceNode
}

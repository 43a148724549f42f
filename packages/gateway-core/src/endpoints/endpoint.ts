/** The endpoints that are relayed without a translation, besides conversations and new images. */
export type Endpoint =
  | 'embeddings'
  | 'completions'
  | 'moderations'
  | 'speech'
  | 'transcriptions'
  | 'translations'
  | 'image-generations'
  | 'image-edits'
  | 'image-variations'
  | 'rerank'
  | 'files'
  | 'batches'

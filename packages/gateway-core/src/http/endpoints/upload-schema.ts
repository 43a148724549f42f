import * as v from 'valibot'
import { modelSchema } from '../../models/model-bounds.ts'

/** The most bytes of a form with files, as OpenAI takes them. */
export const UPLOAD_LIMIT = 512 * 2 ** 20

const file = v.pipe(v.string(), v.metadata({ format: 'binary' }))
const optional = v.optional(v.string())
const model = v.pipe(
  v.optional(modelSchema),
  v.description("Required, here or as '?model='. Send it before the files."),
)

/** A model in the query precedes that of the form, whose files may then come first. */
export const uploadQuerySchema = v.object({ model: v.exactOptional(modelSchema) })

// Forms are not checked: fields that these schemas do not name are passed to the upstream too.

export const transcriptionFormSchema = v.object({
  model,
  file,
  language: optional,
  prompt: optional,
  response_format: v.optional(v.picklist(['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'])),
  temperature: optional,
  'timestamp_granularities[]': v.optional(v.array(v.picklist(['word', 'segment']))),
  stream: v.optional(v.picklist(['true', 'false'])),
})

export const translationFormSchema = v.object({
  model,
  file,
  prompt: optional,
  response_format: v.optional(v.picklist(['json', 'text', 'srt', 'verbose_json', 'vtt'])),
  temperature: optional,
})

export const imageEditFormSchema = v.object({
  model,
  prompt: v.string(),
  'image[]': v.array(file),
  mask: v.optional(file),
  n: optional,
  size: optional,
  quality: optional,
  background: optional,
  input_fidelity: optional,
  output_format: optional,
  output_compression: optional,
  partial_images: optional,
  stream: v.optional(v.picklist(['true', 'false'])),
})

const imageReference = v.object({ image_url: optional, file_id: optional })

/** Edits without a form. Like forms, it is not checked. */
export const imageEditJsonSchema: v.GenericSchema = v.looseObject({
  model: v.optional(modelSchema),
  prompt: v.string(),
  images: v.array(imageReference),
  mask: v.optional(imageReference),
  stream: v.optional(v.boolean()),
})

export const imageVariationFormSchema = v.object({
  model,
  image: file,
  n: optional,
  size: optional,
  response_format: v.optional(v.picklist(['url', 'b64_json'])),
})

export const fileFormSchema = v.object({ file, purpose: v.string() })

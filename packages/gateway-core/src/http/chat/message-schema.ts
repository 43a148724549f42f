import * as v from 'valibot'
import { isObject } from '../../chat/is-object.ts'
import { listOf, type SchemaOf } from '../fields.ts'
import { byType } from './by-type.ts'
import { mediaUrl } from './media-url.ts'

const text = v.looseObject({ type: v.literal('text'), text: v.string() })
const refusal = v.looseObject({ type: v.literal('refusal'), refusal: v.string() })
const image = v.looseObject({ type: v.literal('image_url'), image_url: mediaUrl })
const video = v.looseObject({ type: v.literal('video_url'), video_url: mediaUrl })
const sound = v.looseObject({ type: v.literal('audio_url'), audio_url: mediaUrl })
const document = v.looseObject({ type: v.literal('document_url'), document_url: mediaUrl })
const audio = v.looseObject({
  type: v.literal('input_audio'),
  input_audio: v.looseObject({ data: v.string(), format: v.string() }),
})
const file = v.looseObject({
  type: v.literal('file'),
  file: v.looseObject({
    file_data: v.exactOptional(v.string()),
    file_id: v.exactOptional(v.string()),
    filename: v.exactOptional(v.string()),
  }),
})

/** Parts of any other type are those of some upstreams. */
const typedPart = byType([text, refusal, image, video, sound, document, audio, file])

interface PartSchema extends SchemaOf<typeof typedPart> {}

const part: PartSchema = v.pipe(typedPart, v.title('ContentPart'))

const parts = listOf(part, 10_000)
const textOrParts = v.union([v.string(), parts], 'must be a string or an array of content parts')

interface ContentSchema extends SchemaOf<typeof textOrParts> {}

/** Selects one schema by the input, so that an issue names the wrong part. */
const content: ContentSchema = v.pipe(
  v.lazy((input) => (Array.isArray(input) ? parts : textOrParts)),
  v.title('MessageContent'),
)

const functionCall = v.looseObject({ name: v.string(), arguments: v.string() })

const untypedCall = v.looseObject({ id: v.string(), function: functionCall })
const typedCall = byType([
  v.looseObject({ id: v.string(), type: v.literal('function'), function: functionCall }),
  v.looseObject({
    id: v.string(),
    type: v.literal('custom'),
    custom: v.looseObject({ name: v.string(), input: v.string() }),
  }),
])

interface ToolCallSchema extends SchemaOf<typeof untypedCall | typeof typedCall> {}

/** Without a `type` it is a call of a function. */
const toolCall: ToolCallSchema = v.lazy((input) =>
  isObject(input) && input.type === undefined ? untypedCall : typedCall,
)

const name = v.exactOptional(v.nullable(v.string()))

const system = v.looseObject({ role: v.picklist(['system', 'developer']), content, name })
const user = v.looseObject({ role: v.literal('user'), content, name })
const assistant = v.looseObject({
  role: v.literal('assistant'),
  content: v.exactOptional(v.nullable(content)),
  refusal: v.exactOptional(v.nullable(v.string())),
  name,
  tool_calls: v.exactOptional(v.nullable(listOf(toolCall, 1024))),
  function_call: v.exactOptional(v.nullable(functionCall)),
})
const toolResult = v.looseObject({ role: v.literal('tool'), content, tool_call_id: v.string() })
const functionResult = v.looseObject({ role: v.literal('function'), content: v.nullable(v.string()), name: v.string() })

const byRole = new Map<
  unknown,
  typeof system | typeof user | typeof assistant | typeof toolResult | typeof functionResult
>([
  ['system', system],
  ['developer', system],
  ['user', user],
  ['assistant', assistant],
  ['tool', toolResult],
  ['function', functionResult],
])

const anyMessage = v.variant('role', [system, user, assistant, toolResult, functionResult])

export interface MessageSchema extends SchemaOf<typeof anyMessage> {}

/** Selects the schema by the role of the message, so that no other schema is tried. */
export const messageSchema: MessageSchema = v.pipe(
  v.lazy((input) => (isObject(input) && byRole.get(input.role)) || anyMessage),
  v.title('ChatMessage'),
)

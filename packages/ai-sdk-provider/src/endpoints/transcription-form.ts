import { ByteCollector, type EndpointBody, ProviderFailure } from '@trivium/gateway-core/ports'

/** The most bytes of a form, because the AI SDK takes audio as a whole. OpenAI takes as much. */
const MAX_FORM_BYTES = 25 * 2 ** 20

/** The content types of names, for clients that send the type of any file. */
const contentTypes: Readonly<Record<string, string>> = {
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  mp3: 'audio/mpeg',
  mp4: 'audio/mp4',
  mpeg: 'audio/mpeg',
  mpga: 'audio/mpeg',
  oga: 'audio/ogg',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  wav: 'audio/wav',
  webm: 'audio/webm',
}

/** A form with audio, in memory. */
export interface TranscriptionForm {
  readonly audio: Uint8Array
  readonly mediaType: string
  /** The first value of each field. */
  readonly fields: Readonly<Record<string, string>>
  readonly granularities: readonly string[]
}

/** Reads a form as a whole. @throws ProviderFailure for a form without audio, and for one that is too large */
export async function readTranscriptionForm(body: EndpointBody | undefined): Promise<TranscriptionForm> {
  if (!body) throw refusal('file', 'The request has no form.')
  const form = await new Response(await wholeOf(body.content), {
    headers: { 'content-type': body.contentType },
  }).formData()
  const file = form.get('file')
  if (file === null || typeof file === 'string') throw refusal('file', "The form needs audio in the field 'file'.")
  const texts = [...form].filter((field): field is [string, string] => typeof field[1] === 'string')
  return {
    audio: new Uint8Array(await file.arrayBuffer()),
    mediaType: mediaTypeOf(file),
    fields: Object.fromEntries(texts.reverse()),
    granularities: texts.flatMap(([name, value]) => (/^timestamp_granularities(?:\[\])?$/.test(name) ? [value] : [])),
  }
}

async function wholeOf(content: EndpointBody['content']): Promise<Uint8Array<ArrayBuffer>> {
  const collector = new ByteCollector()
  if (content instanceof Uint8Array) collector.add(content)
  else {
    for await (const chunk of content) {
      collector.add(chunk)
      if (collector.size > MAX_FORM_BYTES) throw tooLarge()
    }
  }
  if (collector.size > MAX_FORM_BYTES) throw tooLarge()
  return new Uint8Array(collector.take())
}

/** The AI SDK itself takes unknown audio for WAV. */
function mediaTypeOf({ type, name }: File): string {
  if (/^(?:audio|video)\//.test(type)) return type
  const extension = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return (Object.hasOwn(contentTypes, extension) ? contentTypes[extension] : undefined) ?? 'audio/wav'
}

const refusal = (param: string, message: string) =>
  new ProviderFailure({ type: 'refused', status: 400, param, message })

const tooLarge = () =>
  new ProviderFailure({
    type: 'refused',
    status: 413,
    param: 'file',
    message: `The model reads forms of at most ${MAX_FORM_BYTES} bytes.`,
  })

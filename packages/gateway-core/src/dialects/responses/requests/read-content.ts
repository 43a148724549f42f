import { isObject } from '../../../chat/is-object.ts'
import { invalidParameter, unsupportedParameter } from '../../../providers/refused-parameter.ts'
import type { AudioPart, InputPart, OutputPart, TextPart } from '../../conversation/conversation-parts.ts'
import type { ToolResult } from '../../conversation/conversation-request.ts'
import type { JsonObject } from '../../dialect.ts'
import { objectOf, present, textOf } from '../../json-values.ts'
import { cacheControlOf } from '../items/cache-mark.ts'
import { readFile, readImage } from '../items/media.ts'
import { readOutputPart } from '../items/text-parts.ts'

type PartReader<Part> = (part: JsonObject, at: string) => Part | undefined

/** What a user says. */
export const readUserContent = (content: unknown, at: string): readonly InputPart[] => readParts(content, at, userPart)

/** What the model said. */
export const readModelContent = (content: unknown, at: string): readonly OutputPart[] =>
  readParts(content, at, readOutputPart)

/** Texts of the system or a developer. */
export const readSystemContent = (content: unknown, at: string): readonly TextPart[] => readParts(content, at, textPart)

/** The result of a call. An empty text has no parts. */
export const readResultContent = (output: unknown, at: string): ToolResult['content'] =>
  output === '' ? [] : readParts(output, at, resultPart)

function readParts<Part>(content: unknown, at: string, read: PartReader<Part>): readonly Part[] {
  if (typeof content === 'string') return partOf({ type: 'input_text', text: content }, at, read)
  if (!Array.isArray(content)) throw invalidParameter(at, `'${at}' must be a string or an array of content parts.`)
  return content.flatMap((part: unknown, index) => partOf(part, `${at}[${index}]`, read))
}

function partOf<Part>(part: unknown, at: string, read: PartReader<Part>): readonly Part[] {
  if (!isObject(part)) throw invalidParameter(at, `'${at}' must be an object.`)
  const known = read(part, at)
  if (known === undefined) {
    throw unsupportedParameter(at, `A content part of the type '${nameOf(part)}' is not supported here.`)
  }
  return [known]
}

const nameOf = (part: JsonObject): string => (textOf(part.type) ?? '').slice(0, 64)

const textPart: PartReader<TextPart> = (part, at) =>
  part.type === 'input_text' || part.type === 'output_text' || part.type === 'text'
    ? present({ type: 'text', text: textOf(part.text) ?? '', cacheControl: cacheControlOf(part), at })
    : undefined

const resultPart: PartReader<ToolResult['content'][number]> = (part, at) => {
  if (part.type === 'input_image') return readImage(part, at)
  if (part.type === 'input_file') return readFile(part, at)
  return textPart(part, at)
}

const userPart: PartReader<InputPart> = (part, at) =>
  part.type === 'input_audio' ? audioPart(part, at) : resultPart(part, at)

function audioPart(part: JsonObject, at: string): AudioPart {
  const audio = objectOf(part.input_audio) ?? part
  return { type: 'audio', data: textOf(audio.data) ?? '', format: textOf(audio.format) ?? 'wav', at }
}

import type { CacheMark, ForeignPart, ImagePart, TextPart } from '../conversation/conversation-parts.ts'
import type { JsonObject } from '../dialect.ts'
import { objectOr, textOr } from '../json-values.ts'
import { citationsFrom } from './citations.ts'
import { sourceFrom } from './media.ts'

export const cacheMark = ({ cache_control }: JsonObject): CacheMark =>
  cache_control === undefined || cache_control === null ? {} : { cacheControl: cache_control }

export const foreign = (value: JsonObject, at: string): ForeignPart => ({
  type: 'foreign',
  dialect: 'messages',
  name: textOr(value.type).slice(0, 128),
  value,
  at,
})

/** Reads a text. Empty ones, which clients send to keep a place, have no part. */
export function textPart(block: JsonObject, at: string): readonly TextPart[] {
  if (textOr(block.text) === '') return []
  return [
    {
      type: 'text',
      text: textOr(block.text),
      ...citationsFrom(block.citations, textOr(block.text)),
      ...cacheMark(block),
      at,
    },
  ]
}

export function imagePart(block: JsonObject, at: string): ImagePart | ForeignPart {
  const source = sourceFrom(objectOr(block.source), 'image/png')
  return source ? { type: 'image', source, ...cacheMark(block), at } : foreign(block, at)
}

import type { Mistake } from '../read/mistakes.ts'
import type { Sections } from '../schema/sections.ts'
import type { NamedUpstream } from './named-upstreams.ts'

/** Finds ids that occur twice, and upstreams without models. */
export function upstreamMistakes(
  upstreams: NonNullable<Sections['upstreams']>,
  named: readonly NamedUpstream[],
): readonly Mistake[] {
  return [
    ...idMistakes('upstreams', upstreams, named, 'upstream'),
    ...upstreams.flatMap((upstream, index): readonly Mistake[] => {
      if (upstream.kind !== 'ai-sdk') return []
      const { models, image_models, embedding_models, speech_models, transcription_models } = upstream
      const lists = [models, image_models, embedding_models, speech_models, transcription_models]
      if (lists.some((list) => list && list.length > 0)) return []
      return [
        { path: ['upstreams', index], message: 'needs models, because a package of the AI SDK does not list them' },
      ]
    }),
  ]
}

/** Finds engines whose ids occur twice. */
export const engineMistakes = (
  engines: NonNullable<Sections['engines']>,
  named: readonly NamedUpstream[],
): readonly Mistake[] =>
  idMistakes(
    'engines',
    engines.map(({ id, kind }) => ({ id: id ?? kind })),
    named,
    'engine',
  )

/** Finds volumes whose names occur twice. */
export const volumeMistakes = (volumes: NonNullable<Sections['volumes']>): readonly Mistake[] =>
  volumes.flatMap(({ name }, index) =>
    volumes.findIndex((other) => other.name === name) < index
      ? [
          {
            path: ['volumes', index, 'name'],
            message: 'is the name of another volume, too',
            inDetail: () => `another volume has the name "${name}", too`,
          },
        ]
      : [],
  )

function idMistakes(
  section: string,
  items: readonly { readonly id: string }[],
  named: readonly NamedUpstream[],
  noun: string,
): readonly Mistake[] {
  return items.flatMap(({ id }, index): readonly Mistake[] => {
    const path = [section, index, 'id']
    if (items.findIndex((other) => other.id === id) < index) {
      const message = `is the id of another ${noun}, too`
      return [{ path, message, inDetail: () => `another ${noun} has the id "${id}", too` }]
    }
    const variable = named.find((other) => other.id === id)?.variable
    if (variable === undefined) return []
    return [
      { path, message: `the ${noun} of ${variable} has the id "${id}", too. Choose another id, or unset ${variable}` },
    ]
  })
}

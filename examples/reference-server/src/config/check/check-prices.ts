import type { Mistake } from '../read/mistakes.ts'
import type { Sections } from '../schema/sections.ts'
import { modelMistake } from './check-models.ts'
import type { UpstreamIds } from './upstream-ids.ts'

/** Finds prices whose names match no model. */
export const priceMistakes = (prices: NonNullable<Sections['prices']>, upstreams: UpstreamIds): readonly Mistake[] =>
  Object.keys(prices).flatMap((name): readonly Mistake[] => {
    const path = ['prices', name]
    const star = name.indexOf('*')
    if (star >= 0 && star < name.length - 1) return [{ path, at: 'key', message: 'may have a * only at its end' }]
    if (star >= 0 && !name.includes('/')) return []
    if (!name.includes('/')) return [{ path, at: 'key', message: 'must be upstream/model' }]
    const wrong = modelMistake(name, upstreams, [])
    return wrong ? [{ path, at: 'key', ...wrong }] : []
  })

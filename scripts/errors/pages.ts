import { renderCatalogue } from './catalogue.ts'
import { emulationCatalogue } from './emulation.ts'
import { gatewayCatalogue } from './gateway.ts'
import { storageCatalogue } from './storage.ts'

/** Returns the pages of the error catalogue by their files. */
export const errorPages = async (): Promise<Readonly<Record<string, string>>> => ({
  'docs/errors/gateway.md': renderCatalogue(await gatewayCatalogue()),
  'docs/errors/emulation.md': renderCatalogue(await emulationCatalogue()),
  'docs/errors/storage.md': renderCatalogue(await storageCatalogue()),
})

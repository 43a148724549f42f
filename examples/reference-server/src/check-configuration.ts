import { memoryGatewayRepositories } from '@trivium/gateway-core/memory'
import { createGeneration } from './compose/gateway-generation.ts'
import type { Configuration } from './read-settings.ts'
import { refuseOwnAddress } from './refuse-own-address.ts'

const nothing = () => undefined

/**
 * Checks a configuration as a start does, without a store and without a call of an upstream: also that its packages are
 * installed.
 *
 * @returns a line for the operator
 * @throws SettingsError (rejects) with the mistakes
 */
export async function checkConfiguration(configuration: Configuration): Promise<string> {
  refuseOwnAddress(configuration)
  const generation = await createGeneration(configuration, {
    stores: { gateway: memoryGatewayRepositories() },
    metrics: { recorder: { record: nothing }, refused: nothing },
    isAdmin: () => false,
    onAnswered: nothing,
    onFault: (error) => console.error(error),
  })
  await generation.close()
  return `${configuration.config?.file} is valid: ${generation.label}.`
}

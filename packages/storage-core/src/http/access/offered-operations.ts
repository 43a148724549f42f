import type { StorageOperation } from '../contract.ts'

/**
 * The operations that users may call only if a scope names them: they change a node, which all its volumes share,
 * webhooks and recipients of e-mail, to which notices of all volumes are sent, or tokens of other users. Clones of volumes, which no user sees at first.
 */
const reserved: ReadonlySet<string> = new Set([
  'updateSplitLoad',
  'listWebhooks',
  'createWebhook',
  'getWebhook',
  'updateWebhook',
  'deleteWebhook',
  'testWebhook',
  'listWebhookDeliveries',
  'retryWebhookDelivery',
  'listMailRecipients',
  'testMailRecipient',
  'createVolume',
  'deleteVolume',
  'listSelfTokens',
  'createSelfToken',
  'getSelfToken',
  'deleteSelfToken',
] satisfies readonly StorageOperation[])

/** Whether users of the host may call an operation without a scope that names it. */
export const isOfferedToUsers = (operation: string): boolean => !reserved.has(operation)

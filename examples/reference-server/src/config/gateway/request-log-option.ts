import type { GatewayOptions } from '@trivium/gateway-core'
import type { RequestLogSection } from '../schema/request-log.ts'
import { patternsOf } from './patterns-of.ts'

/** Returns the option that `request_log` stands for. */
export function requestLogOption(section: RequestLogSection | undefined): Partial<GatewayOptions> {
  if (section === undefined) return {}
  const { redact = [], max_content_bytes: maxContentBytes, ...own } = section
  const { names, expressions } = patternsOf(redact)
  return {
    requestLog: {
      ...own,
      ...(maxContentBytes !== undefined && { maxContentBytes }),
      redact: names,
      redactExpressions: expressions,
    },
  }
}

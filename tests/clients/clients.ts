import { claudeCode } from './agents/claude-code.ts'
import { codex } from './agents/codex.ts'
import { opencode } from './agents/opencode.ts'
import { qwenCode } from './agents/qwen-code.ts'
import type { Client } from './client.ts'
import { sdks } from './sdks.ts'

/** All clients, in the order of the document. */
export const clients: readonly Client[] = [codex, claudeCode, opencode, qwenCode, ...sdks]

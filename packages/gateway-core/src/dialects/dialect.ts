/** The protocols of conversations: OpenAI's chat completions, OpenAI's responses, and Anthropic's messages. */
export type Dialect = 'chat' | 'responses' | 'messages'

/** A JSON object whose members are unchecked. */
export type JsonObject = Readonly<Record<string, unknown>>

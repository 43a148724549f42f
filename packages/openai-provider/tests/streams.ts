/**
 * A stream with features of real ones: a BOM, comments, both line ends, a named event, usage, an extension, long data.
 */
export const STREAM = [
  '\uFEFF: welcome\n\n',
  'data: {"id":"c1","object":"chat.completion.chunk","created":1700000000,"model":"m","choices":[],"prompt_filter_results":[]}\n\n',
  'data: {"id":"c1","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}],"usage":null}\r\n\r\n',
  ': ping\r\n\r\n',
  'event: message\ndata: {"id":"c1","choices":[{"index":0,"delta":{"content":"Grüße 🌍"},"finish_reason":null}],"usage":null}\n\n',
  `data: {"id":"c1","choices":[{"index":0,"delta":{"content":"${'x'.repeat(2 ** 20)}"},"finish_reason":null}]}\n\n`,
  'data: {"id":"c1","choices":[{"index":0,"delta":{"reasoning_content":"hm"},"finish_reason":null}]}\n\n',
  'data: {"id":"c1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"x_groq":{"usage":{}}}\n\n',
  'data: {"id":"c1","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}}\n\n',
  'data: [DONE]\n\n',
].join('')

export const COMPLETION = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'm',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'Hello', refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 },
}

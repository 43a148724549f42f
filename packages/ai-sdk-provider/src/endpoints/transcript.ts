/** What a model heard, of which the AI SDK has the same in all versions except `words`. */
export interface Transcript {
  readonly text: string
  readonly segments: readonly Timed[]
  readonly words?: readonly Timed[] | undefined
  readonly language: string | undefined
  readonly durationInSeconds: number | undefined
  /** As the model's provider reports it. */
  readonly usage?: object | undefined
}

interface Timed {
  readonly text: string
  readonly startSecond: number
  readonly endSecond: number
}

/** The forms of a transcript that its parts are enough for. */
export const formats: Readonly<Record<string, (transcript: Transcript) => string>> = {
  json: (transcript) => JSON.stringify({ text: transcript.text, ...usageOf(transcript) }),
  text: ({ text }) => `${text}\n`,
  srt: ({ segments }) =>
    segments.map((segment, index) => `${index + 1}\n${spanOf(segment, ',')}\n${segment.text.trim()}\n\n`).join(''),
  verbose_json: verbose,
  vtt: ({ segments }) =>
    `WEBVTT\n\n${segments.map((segment) => `${spanOf(segment, '.')}\n${segment.text.trim()}\n\n`).join('')}`,
}

/** The details of decoding that Whisper reports, such as `avg_logprob`, are not in the AI SDK. */
function verbose(transcript: Transcript): string {
  const { text, segments, words, language, durationInSeconds: seconds } = transcript
  return JSON.stringify({
    task: 'transcribe',
    ...(language === undefined ? {} : { language }),
    ...(seconds === undefined ? {} : { duration: seconds }),
    text,
    ...(words ? { words: words.map((word) => ({ word: word.text, ...timesOf(word) })) } : {}),
    segments: segments.map((segment, id) => ({ id, ...timesOf(segment), text: segment.text })),
    ...usageOf(transcript),
  })
}

function usageOf({ usage, durationInSeconds: seconds }: Transcript) {
  if (usage) return { usage }
  return seconds === undefined ? {} : { usage: { type: 'duration', seconds } }
}

const timesOf = ({ startSecond, endSecond }: Timed) => ({ start: startSecond, end: endSecond })

const spanOf = ({ startSecond, endSecond }: Timed, point: string): string =>
  `${timeOf(startSecond, point)} --> ${timeOf(endSecond, point)}`

function timeOf(second: number, point: string): string {
  const all = Math.round(second * 1000)
  const part = (size: number, of: number, digits = 2) => String(Math.floor(all / size) % of).padStart(digits, '0')
  return `${part(3_600_000, 100)}:${part(60_000, 60)}:${part(1000, 60)}${point}${part(1, 1000, 3)}`
}

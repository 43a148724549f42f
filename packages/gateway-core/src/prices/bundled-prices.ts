/** The day of the bundled prices. */
export const BUNDLED_PRICES_DATE = '2026-09-23'

/**
 * Public list prices, one model in each line: its family or `provider/model`, and its facts. Token prices are US dollars
 * for a million tokens, the others for one unit, and `priority` and `flex` are factors. `above` is the input from which the
 * prices after it apply. `openEnded` models search as often as they decide.
 */
export const BUNDLED_PRICES = `
chatgpt-4o: contextLength 128000, input 5, output 15
claude-3-5-haiku: contextLength 200000, mostOutputTokens 8192, input 0.8, cachedInput 0.08, cacheWrite 1, cacheWriteHour 1.6, output 4, search 0.01, priority 1
claude-3-5-sonnet: contextLength 200000, mostOutputTokens 8192, input 3, cachedInput 0.3, cacheWrite 3.75, cacheWriteHour 6, output 15, search 0.01, priority 1
claude-3-7-sonnet: contextLength 200000, mostOutputTokens 64000, input 3, cachedInput 0.3, cacheWrite 3.75, cacheWriteHour 6, output 15, search 0.01, priority 1
claude-3-haiku: contextLength 200000, mostOutputTokens 4096, input 0.25, cachedInput 0.03, cacheWrite 0.3, cacheWriteHour 0.5, output 1.25, priority 1
claude-3-opus: contextLength 200000, mostOutputTokens 4096, input 15, cachedInput 1.5, cacheWrite 18.75, cacheWriteHour 30, output 75, priority 1
claude-3-sonnet: contextLength 200000, mostOutputTokens 4096, input 3, cachedInput 0.3, cacheWrite 3.75, cacheWriteHour 6, output 15, priority 1
claude-fable-5: contextLength 1000000, input 10, cachedInput 1, cacheWrite 12.5, cacheWriteHour 20, output 50, search 0.01, priority 1
claude-fable-5-1: contextLength 1000000, input 10, cachedInput 0.25, cacheWrite 12.5, cacheWriteHour 20, output 50, search 0.01, priority 1
claude-haiku-4-5: contextLength 200000, input 1, cachedInput 0.1, cacheWrite 1.25, cacheWriteHour 2, output 5, search 0.01, priority 1
claude-opus-4: contextLength 200000, mostOutputTokens 32000, input 15, cachedInput 1.5, cacheWrite 18.75, cacheWriteHour 30, output 75, search 0.01, priority 1
claude-opus-4-1: contextLength 200000, mostOutputTokens 32000, input 15, cachedInput 1.5, cacheWrite 18.75, cacheWriteHour 30, output 75, search 0.01, priority 1
claude-opus-4-5: contextLength 200000, input 5, cachedInput 0.5, cacheWrite 6.25, cacheWriteHour 10, output 25, search 0.01, priority 1
claude-opus-4-6: contextLength 1000000, input 5, cachedInput 0.5, cacheWrite 6.25, cacheWriteHour 10, output 25, search 0.01, priority 1
claude-opus-4-7: contextLength 1000000, input 5, cachedInput 0.5, cacheWrite 6.25, cacheWriteHour 10, output 25, search 0.01, priority 1
claude-opus-4-8: contextLength 1000000, input 5, cachedInput 0.5, cacheWrite 6.25, cacheWriteHour 10, output 25, search 0.01, priority 1
claude-opus-5: contextLength 1000000, input 5, cachedInput 0.5, cacheWrite 6.25, cacheWriteHour 10, output 25, search 0.01, priority 1
claude-opus-5-5: contextLength 1000000, input 4, cachedInput 0.2, cacheWrite 5, cacheWriteHour 8, output 20, search 0.01, priority 1
claude-sonnet-4: contextLength 200000, mostOutputTokens 64000, input 3, cachedInput 0.3, cacheWrite 3.75, cacheWriteHour 6, output 15, search 0.01, above 200000, longInput 6, longCachedInput 0.6, longCacheWrite 7.5, longCacheWriteHour 12, longOutput 22.5, priority 1
claude-sonnet-4-5: contextLength 200000, input 3, cachedInput 0.3, cacheWrite 3.75, cacheWriteHour 6, output 15, search 0.01, above 200000, longInput 6, longCachedInput 0.6, longCacheWrite 7.5, longCacheWriteHour 12, longOutput 22.5, priority 1
claude-sonnet-4-6: contextLength 1000000, input 3, cachedInput 0.3, cacheWrite 3.75, cacheWriteHour 6, output 15, search 0.01, priority 1
claude-sonnet-5: contextLength 1000000, input 2, cachedInput 0.2, cacheWrite 2.5, cacheWriteHour 4, output 10, search 0.01, priority 1
codestral: contextLength 256000, mostOutputTokens 4096, input 0.3, output 0.9
codestral-2508: contextLength 256000, input 0.3, cachedInput 0.03, output 0.9
codex-mini: contextLength 200000, mostOutputTokens 100000, input 1.5, cachedInput 0.375, output 6
command: input 1, output 2
command-a: input 2.5, output 10
command-light: contextLength 4096, input 0.3, output 0.6
command-r: input 0.15, output 0.6
command-r-plus: input 2.5, output 10
command-r7b: input 0.0375, output 0.15
dall-e-2: image 0.02, image/256x256 0.016, image/512x512 0.018
dall-e-3: image 0.04, image/1024x1792 0.08, image/1792x1024 0.08, image/hd 0.08, image/hd/1024x1024 0.08, image/hd/1024x1792 0.12, image/hd/1792x1024 0.12
deepseek-chat: contextLength 64000, mostOutputTokens 8192, input 0.27, cachedInput 0.07, output 1.1
deepseek-reasoner: contextLength 64000, mostOutputTokens 128000, input 0.55, cachedInput 0.14, output 2.19
deepseek-v3.1-terminus: contextLength 128000, input 0.27, cachedInput 0.13, output 0.95
deepseek-v3.2: contextLength 128000, input 0.2288, output 0.3432
deepseek-v3.2-exp: contextLength 128000, input 0.27, output 0.41
deepseek-v4-flash: contextLength 1000000, input 0.44, cachedInput 0.014, output 1.32
deepseek-v4-pro: contextLength 1000000, input 1.32, cachedInput 0.044, output 3.96
devstral: contextLength 262144, input 0.4, cachedInput 0.04, output 2
devstral-small: contextLength 128000, mostOutputTokens 128000, input 0.1, output 0.3
embed-english-v3.0: input 0.1
embed-multilingual-v3.0: input 0.1
embed-v4.0: contextLength 128000, input 0.12
gemini-1.5-flash: contextLength 1000000, mostOutputTokens 8192, input 0.075, cachedInput 0.01875, output 0.3, above 128000, longInput 0.15, longCachedInput 0.0375, longOutput 0.6
gemini-1.5-pro: contextLength 1000000, mostOutputTokens 8192, input 1.25, output 5, above 128000, longInput 2.5, longOutput 10
gemini-2.0-flash: contextLength 1000000, mostOutputTokens 8192, input 0.1, cachedInput 0.025, output 0.4, inputAudio 0.7
gemini-2.0-flash-lite: contextLength 1000000, mostOutputTokens 8192, input 0.075, output 0.3
gemini-2.5-flash: contextLength 1048576, mostOutputTokens 65536, input 0.3, cachedInput 0.03, output 2.5, inputAudio 1
gemini-2.5-flash-lite: contextLength 1000000, mostOutputTokens 65536, input 0.1, cachedInput 0.01, output 0.4, inputAudio 0.3
gemini-2.5-flash-lite-preview-tts: contextLength 8192, input 0.5, output 10
gemini-2.5-flash-tts: contextLength 8192, input 0.5, output 10
gemini-2.5-pro: contextLength 1048576, mostOutputTokens 65536, input 1.25, cachedInput 0.125, output 10, above 200000, longInput 2.5, longCachedInput 0.25, longOutput 15
gemini-2.5-pro-tts: contextLength 8192, input 1, output 20
gemini-3-flash-preview: contextLength 1000000, input 0.5, cachedInput 0.05, output 3, inputAudio 1
gemini-3-pro-preview: input 2, cachedInput 0.2, output 12, above 200000, longInput 4, longCachedInput 0.4, longOutput 18
gemini-3.1-flash-lite: contextLength 1000000, input 0.25, cachedInput 0.025, output 1.5, inputAudio 0.5
gemini-3.1-flash-live-preview: input 0.75, output 4.5, inputAudio 3, outputAudio 12
gemini-3.1-pro-preview: input 2, cachedInput 0.2, output 12, above 200000, longInput 4, longCachedInput 0.4, longOutput 18
gemini-3.5-flash: contextLength 1000000, input 1.5, cachedInput 0.15, output 9
gemini-3.5-flash-lite: contextLength 1000000, input 0.3, cachedInput 0.03, output 2.5
gemini-3.6-flash: contextLength 1000000, input 0.75, cachedInput 0.075, output 3.75
gemini-3.7-flash: contextLength 1000000, input 0.75, cachedInput 0.075, output 3.75
gemini-3.8-flash: contextLength 1000000, input 0.75, cachedInput 0.075, output 3.75
gemini-embedding-001: input 0.15
gemini-embedding-2: contextLength 8192, input 0.2, inputAudio 6.5
gemini-live-2.5-flash: input 0.5, output 2, inputAudio 3, outputAudio 12
gpt-3.5-turbo: contextLength 16385, mostOutputTokens 4096, input 0.5, output 1.5
gpt-3.5-turbo-0613: contextLength 16385, input 1.5, output 2
gpt-3.5-turbo-1106: contextLength 16385, input 1, output 2
gpt-3.5-turbo-16k: contextLength 16385, input 3, output 4
gpt-4: contextLength 8192, mostOutputTokens 8192, input 30, output 60
gpt-4-0125: contextLength 128000, mostOutputTokens 4096, input 10, output 30
gpt-4-1106: contextLength 128000, mostOutputTokens 4096, input 10, output 30
gpt-4-turbo: contextLength 128000, mostOutputTokens 4096, input 10, output 30
gpt-4.1: contextLength 1000000, mostOutputTokens 32768, input 2, cachedInput 0.5, output 8, search 0.025, priority 1.75
gpt-4.1-mini: contextLength 1000000, mostOutputTokens 32768, input 0.4, cachedInput 0.1, output 1.6, search 0.025, priority 1.75
gpt-4.1-nano: contextLength 1000000, mostOutputTokens 32768, input 0.1, cachedInput 0.025, output 0.4, priority 2
gpt-4o: contextLength 128000, mostOutputTokens 16384, input 2.5, cachedInput 1.25, output 10, search 0.025, priority 1.7
gpt-4o-2024-05-13: contextLength 128000, input 5, output 15, search 0.025
gpt-4o-audio-preview: contextLength 128000, input 2.5, output 10, inputAudio 40, outputAudio 80
gpt-4o-mini: contextLength 128000, mostOutputTokens 16384, input 0.15, cachedInput 0.075, output 0.6, search 0.025, priority 1.7
gpt-4o-mini-audio-preview: contextLength 128000, input 0.15, output 0.6, inputAudio 10, outputAudio 20
gpt-4o-mini-realtime-preview: contextLength 16000, input 0.6, cachedInput 0.3, output 2.4, inputAudio 10, outputAudio 20
gpt-4o-mini-transcribe: contextLength 16000, input 1.25, output 5, inputAudio 3
gpt-4o-mini-tts: input 0.6, output 12
gpt-4o-realtime-preview: contextLength 32000, input 5, cachedInput 2.5, output 20, inputAudio 40, outputAudio 80
gpt-4o-mini-search: contextLength 128000, mostOutputTokens 16384, input 0.15, output 0.6, request 0.025
gpt-4o-search: contextLength 128000, mostOutputTokens 16384, input 2.5, output 10, request 0.025
gpt-4o-transcribe: contextLength 16000, input 2.5, output 10, inputAudio 6
gpt-5: contextLength 400000, mostOutputTokens 128000, input 1.25, cachedInput 0.125, output 10, search 0.01, priority 2, flex 0.5
gpt-5-chat: contextLength 128000, mostOutputTokens 16384, input 1.25, cachedInput 0.125, output 10
gpt-5-codex: contextLength 400000, mostOutputTokens 128000, input 1.25, cachedInput 0.125, output 10, priority 2
gpt-5-mini: contextLength 400000, mostOutputTokens 128000, input 0.25, cachedInput 0.025, output 2, search 0.01, priority 1.8, flex 0.5
gpt-5-nano: contextLength 400000, mostOutputTokens 128000, input 0.05, cachedInput 0.005, output 0.4, search 0.01, flex 0.5
gpt-5-pro: contextLength 400000, input 15, output 120, search 0.01
gpt-5-search-api: contextLength 400000, input 1.25, cachedInput 0.125, output 10, request 0.01
gpt-5.1: contextLength 400000, input 1.25, cachedInput 0.125, output 10, search 0.01, priority 2, flex 0.5
gpt-5.1-codex: contextLength 400000, input 1.25, cachedInput 0.125, output 10, priority 2
gpt-5.1-codex-max: contextLength 400000, input 1.25, cachedInput 0.125, output 10
gpt-5.1-codex-mini: contextLength 400000, input 0.25, cachedInput 0.025, output 2
gpt-5.2: contextLength 400000, input 1.75, cachedInput 0.175, output 14, search 0.01, priority 2, flex 0.5
gpt-5.2-codex: contextLength 400000, input 1.75, cachedInput 0.175, output 14, priority 2
gpt-5.2-pro: contextLength 400000, input 21, output 168, search 0.01
gpt-5.3: contextLength 128000, input 1.75, cachedInput 0.175, output 14
gpt-5.3-codex: contextLength 400000, input 1.75, cachedInput 0.175, output 14
gpt-5.4: contextLength 1050000, input 2.5, cachedInput 0.25, output 15, search 0.01, above 272000, longInput 5, longCachedInput 0.5, longOutput 22.5, priority 2, flex 0.5
gpt-5.4-mini: contextLength 400000, input 0.75, cachedInput 0.075, output 4.5, search 0.01
gpt-5.4-nano: contextLength 400000, input 0.2, cachedInput 0.02, output 1.25, search 0.01
gpt-5.4-pro: contextLength 1050000, input 30, output 180, search 0.01, above 272000, longInput 60, longOutput 270
gpt-5.5: contextLength 1000000, input 5, cachedInput 0.5, output 30, search 0.01, above 272000, longInput 10, longCachedInput 1, longOutput 45, priority 2.5, flex 0.5
gpt-5.5-pro: contextLength 1000000, input 30, output 180, search 0.01, above 272000, longInput 60, longOutput 270
gpt-5.6-luna: contextLength 1050000, input 0.2, cachedInput 0.02, cacheWrite 0.25, output 1.2, search 0.01, above 272000, longInput 0.4, longCachedInput 0.04, longCacheWrite 0.5, longOutput 1.8
gpt-5.6-sol: contextLength 1050000, input 4, cachedInput 0.4, cacheWrite 5, output 20, search 0.01, above 272000, longInput 8, longCachedInput 0.8, longCacheWrite 10, longOutput 30
gpt-5.6-terra: contextLength 1050000, input 2, cachedInput 0.2, cacheWrite 2.5, output 12, search 0.01, above 272000, longInput 4, longCachedInput 0.4, longCacheWrite 5, longOutput 18
gpt-6-astra: contextLength 1050000, input 10, cachedInput 1, cacheWrite 12.5, output 50, search 0.01, above 272000, longInput 20, longCachedInput 2, longCacheWrite 25, longOutput 75
gpt-6-luna: contextLength 1050000, input 0.1, cachedInput 0.01, cacheWrite 0.125, output 0.5, search 0.01, above 272000, longInput 0.2, longCachedInput 0.02, longCacheWrite 0.25, longOutput 0.75
gpt-6-sol: contextLength 1050000, input 2, cachedInput 0.2, cacheWrite 2.5, output 10, search 0.01, above 272000, longInput 4, longCachedInput 0.4, longCacheWrite 5, longOutput 15
gpt-audio: contextLength 128000, input 2.5, output 10, inputAudio 32, outputAudio 64
gpt-audio-mini: contextLength 128000, input 0.6, output 2.4, inputAudio 10, outputAudio 20
gpt-chat: input 5, cachedInput 0.5, output 30
gpt-image-1: input 5, cachedInput 1.25, output 40, inputImage 10
gpt-image-1-mini: input 2, cachedInput 0.2, output 8, inputImage 2.5
gpt-image-1.5: input 5, cachedInput 1.25, output 32, inputImage 8
gpt-image-2: input 5, cachedInput 1.25, output 30, inputImage 8
gpt-realtime: contextLength 32000, input 4, cachedInput 0.4, output 16, inputAudio 32, outputAudio 64
gpt-realtime-2: contextLength 128000, input 4, cachedInput 0.4, output 24, inputAudio 32, outputAudio 64
gpt-realtime-mini: input 0.6, cachedInput 0.06, output 2.4, inputAudio 10, outputAudio 20
gpt-transcribe: audioMinute 0.0045
grok-2-vision-1212: contextLength 32768, mostOutputTokens 4096, input 2, output 10
grok-3: contextLength 131072, mostOutputTokens 8192, input 3, cachedInput 0.75, output 15
grok-3-fast: contextLength 131072, mostOutputTokens 8192, input 5, cachedInput 1.25, output 25
grok-3-mini: contextLength 131072, mostOutputTokens 8192, input 0.3, cachedInput 0.075, output 0.5
grok-3-mini-fast: contextLength 131072, mostOutputTokens 8192, input 0.6, cachedInput 0.15, output 4
grok-4: contextLength 256000, input 3, cachedInput 0.75, output 15
grok-4-1-fast-non-reasoning: contextLength 2000000, input 0.2, cachedInput 0.05, output 0.5
grok-4-1-fast-reasoning: contextLength 2000000, input 0.2, cachedInput 0.05, output 0.5
grok-4-fast-non-reasoning: contextLength 2000000, input 0.2, cachedInput 0.05, output 0.5
grok-4-fast-reasoning: contextLength 2000000, input 0.2, cachedInput 0.05, output 0.5
grok-4.20: contextLength 1000000, input 1.25, cachedInput 0.2, output 2.5, above 200000, longInput 2.5, longCachedInput 0.4, longOutput 5
grok-4.20-multi-agent: contextLength 1000000, input 2, cachedInput 0.2, output 6
grok-4.3: contextLength 1000000, input 1.25, cachedInput 0.2, output 2.5, above 200000, longInput 2.5, longCachedInput 0.4, longOutput 5
grok-4.5: contextLength 500000, input 2, cachedInput 0.3, output 6, above 200000, longInput 4, longCachedInput 0.6, longOutput 12
grok-4.6: contextLength 500000, input 2, cachedInput 0.5, output 6, above 200000, longInput 4, longCachedInput 1, longOutput 12
grok-build-0.1: contextLength 256000, input 1, cachedInput 0.2, output 2, above 200000, longInput 2, longCachedInput 0.4, longOutput 4
grok-code-fast-1: contextLength 256000, input 0.2, cachedInput 0.02, output 1.5
groq/llama-3.1-405b-reasoning: input 0.59, output 0.79
groq/llama-3.1-70b-versatile: input 0.59, output 0.79
groq/llama-3.1-8b-instant: contextLength 131072, mostOutputTokens 8192, input 0.05, output 0.08
groq/llama-3.3-70b-versatile: contextLength 131072, mostOutputTokens 32768, input 0.59, output 0.79
groq/llama-guard-3-8b: contextLength 8192, mostOutputTokens 8192, input 0.2, output 0.2
groq/llama3-70b-8192: contextLength 8192, mostOutputTokens 8192, input 0.59, output 0.79
groq/llama3-8b-8192: contextLength 8192, mostOutputTokens 8192, input 0.05, output 0.08
groq/meta-llama/llama-guard-4-12b: contextLength 131072, mostOutputTokens 128, input 0.2, output 0.2
groq/openai/gpt-oss-120b: contextLength 131072, mostOutputTokens 32768, input 0.15, cachedInput 0.075, output 0.6
groq/openai/gpt-oss-20b: contextLength 131072, mostOutputTokens 32768, input 0.075, cachedInput 0.0375, output 0.3
groq/qwen/qwen3-32b: contextLength 131072, mostOutputTokens 16384, input 0.29, output 0.59
groq/whisper-large-v3: audioMinute 0.00185
groq/whisper-large-v3-turbo: audioMinute 0.000666667
llama-3.1-sonar-large-128k-online: input 1, output 1
llama-3.1-sonar-small-128k-online: input 0.2, output 0.2
local/*: input 0, output 0
magistral-medium: contextLength 128000, mostOutputTokens 16384, input 2, output 5
magistral-small: contextLength 128000, mostOutputTokens 128000, input 0.5, output 1.5
ministral-14b: contextLength 262144, input 0.2, cachedInput 0.02, output 0.2
ministral-3b: contextLength 131072, input 0.1, cachedInput 0.01, output 0.1
ministral-8b: contextLength 262144, input 0.15, cachedInput 0.015, output 0.15
mistral-embed: contextLength 8192, input 0.1, output 0.1
mistral-large: contextLength 262144, input 0.5, cachedInput 0.05, output 1.5
mistral-large-2407: contextLength 131072, mostOutputTokens 16384, input 2, output 6
mistral-large-2411: contextLength 131072, mostOutputTokens 16384, input 2, output 6
mistral-medium: contextLength 128000, mostOutputTokens 16384, input 1.5, cachedInput 0.15, output 7.5
mistral-medium-3-1: input 0.4, cachedInput 0.04, output 2
mistral-nemo: contextLength 128000, mostOutputTokens 128000, input 0.15, output 0.15
mistral-saba: contextLength 32768, mostOutputTokens 32768, input 0.2, output 0.6
mistral-small: contextLength 262144, input 0.15, cachedInput 0.015, output 0.6
o1: contextLength 200000, mostOutputTokens 100000, input 15, cachedInput 7.5, output 60
o1-mini: contextLength 128000, mostOutputTokens 65536, input 1.1, cachedInput 0.55, output 4.4
o1-pro: contextLength 200000, mostOutputTokens 100000, input 150, output 600
o3: contextLength 200000, mostOutputTokens 100000, input 2, cachedInput 0.5, output 8, search 0.01, priority 1.75, flex 0.5
o3-deep-research: contextLength 200000, mostOutputTokens 100000, input 10, cachedInput 2.5, output 40
o3-mini: contextLength 200000, mostOutputTokens 100000, input 1.1, cachedInput 0.55, output 4.4
o3-pro: contextLength 200000, mostOutputTokens 100000, input 20, output 80
o4-mini: contextLength 200000, mostOutputTokens 100000, input 1.1, cachedInput 0.275, output 4.4, search 0.01, priority 1.82, flex 0.5
o4-mini-deep-research: contextLength 200000, mostOutputTokens 100000, input 2, cachedInput 0.5, output 8
omni-moderation: input 0
pixtral-12b: contextLength 128000, mostOutputTokens 128000, input 0.15, output 0.15
pixtral-large: contextLength 128000, mostOutputTokens 128000, input 2, output 6
r1-1776: input 2, output 8
rerank-english-v3.0: request 0.002
rerank-multilingual-v3.0: request 0.002
rerank-v3.5: request 0.002
sonar: contextLength 128000, input 1, output 1, request 0.012
sonar-deep-research: contextLength 128000, input 2, output 8, search 0.005, openEnded
sonar-pro: contextLength 200000, input 3, output 15, request 0.014
sonar-pro-search: input 3, output 15, request 0.018
sonar-reasoning: input 1, output 5, request 0.012
sonar-reasoning-pro: contextLength 128000, input 2, output 8, request 0.014
text-embedding-3-large: contextLength 8192, input 0.13
text-embedding-3-small: contextLength 8192, input 0.02
text-embedding-ada-002: contextLength 8192, input 0.1
text-moderation: input 0
tts-1: character 0.000015
tts-1-hd: character 0.00003
voxtral-mini-2602: contextLength 16384, audioMinute 0.003
voxtral-small-24b-2507: contextLength 32768, input 0.1, cachedInput 0.01, output 0.4
whisper-1: audioMinute 0.006
`

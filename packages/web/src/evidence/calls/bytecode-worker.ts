import { bytecodeFunctions } from './bytecode-functions.ts'

// Code is taken apart in a thread of its own: code that would keep it busy for ever is given up from outside.
addEventListener('message', ({ data }: MessageEvent<string>) => postMessage(bytecodeFunctions(data)))
